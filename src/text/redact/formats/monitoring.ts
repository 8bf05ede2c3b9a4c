/** Keys of monitoring; how a line is read stands in `../formats.ts`. */
export const monitoring = String.raw`
  New Relic key  NR(?:AK|AA|RA|II|JS|IQ|BR|SI|MA)-[A-Za-z0-9_-]{19,}  NRR⁂A-fD67jIK⁂eaVSTQvvp⁂QZp  NRR⁂A-fD67jIK⁂eaVS
  New Relic license key  (?:[a-f0-9]{36}|[egu][a-z]{1,2}[0-9]{2}x[a-f0-9]{30,36})NRAL(?![A-Za-z0-9])  96d⁂ffc091848⁂7e01cf4c4⁂1520a7670⁂624b92NRA⁂L  96d⁂ffc091848⁂7e01cf4c4⁂1520a76  NRAL
  Grafana token  gl(?:sa|c)_[A-Za-z0-9+/=_]{30,}  gls⁂a_HYmdj2o⁂xTpaTlPbY⁂qXcgcLBAn⁂fdPcw  gls⁂a_HYmdj2o⁂xTpaTlPbY⁂qXc
  Sentry token  sntry[su]_[A-Za-z0-9+/=_]{30,}  snt⁂ryu_zeZGE⁂IWbXFzcgg⁂qCCoIF7uU⁂xugFDwg  snt⁂ryu_zeZGE⁂IWbXFzcgg⁂qCCo
  Dynatrace token  dt0[a-z][0-9]{2}\.[A-Z0-9]{24}\.[A-Z0-9]{60,}  dt0⁂x48.TUACO⁂JS106XDI5⁂OCBDAWTG7⁂W.0TINX4K⁂IAPJ2GEJR⁂ZQAD9W275⁂PKACD8BZL⁂PKDGA9MJ0⁂M760L6TET⁂D48AY13F  dt0⁂x48.TUACO⁂JS106XDI5⁂OCBDAWTG7⁂W.0TINX4K⁂IAPJ2GEJR⁂ZQAD9W275⁂PKACD8B
  Honeycomb key  hc[a-z]{2,4}k_[A-Za-z0-9]{30,}  hck⁂dk_Vexhjx⁂6NSbVbQjD⁂0SSW0fZVg⁂R3gWNp  hck⁂dk_Vexhjx⁂6NSbVbQjD⁂0SSW
  Grafana key, old  eyJrIjoi[A-Za-z0-9]{40,}={0,3}  eyJ⁂rIjoij4Jc⁂3JRaaPJBR⁂k1SVzKQfG⁂Ud5eHJgDo⁂5yq7Nje1S  eyJ⁂rIjoij4Jc⁂3JRaaPJBR⁂k1SVzKQfG⁂Ud5
  Elastic key  essu_[A-Za-z0-9+/=]{30,}  ess⁂u_ALOriJo⁂vigHhW1f9⁂6EWN294Ou⁂ERtLA  ess⁂u_ALOriJo⁂vigHhW1f9⁂6EW
  PostHog or Atlas key  (?:ph[a-z]|mdb_sa_sk)_[A-Za-z0-9_-]{36,}  mdb⁂_sa_sk_9J⁂XKOW40n45⁂9ZTfU94gy⁂mM219KZhA⁂A2LG8Pd  mdb⁂_sa_sk_9J⁂XKOW40n45⁂9ZTf
`;
