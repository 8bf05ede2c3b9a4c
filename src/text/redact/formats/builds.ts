/** Keys of forges, registries, builds and clusters; how a line is read stands in `../formats.ts`. */
export const builds = String.raw`
  GitHub token  gh[pousr]_[A-Za-z0-9_.-]{20,}  ghu⁂_JiHkTj0r⁂LGlkoMXGj⁂tEk  ghu⁂_JiHkTj0r⁂LGlk
  GitHub fine-grained token  github_pat_[A-Za-z0-9_]{20,}  git⁂hub_pat_n⁂NfribxUdl⁂7dXTPyLsx⁂P  git⁂hub_pat_n⁂NfribxUdl
  GitLab token  gl(?:pat|oas|dt|rtr?|wt|cbt|ptt|ft|imt|agent|soat|ffct)-[A-Za-z0-9_.=-]{16,}  glo⁂as-hf4Vuc⁂SmEHgaKwV⁂J  glo⁂as-hf4Vuc⁂SmE
  GitLab runner  GR1348941[A-Za-z0-9_-]{16,}  GR1⁂348941aC9⁂qEwjky40U⁂VsWm  GR1⁂348941aC9⁂qEwjk
  npm token  npm_[A-Za-z0-9]{30,}  npm⁂_Jsi6BwhT⁂p3Fs2QhX6⁂KWxOiixgV⁂oOnz  npm⁂_Jsi6BwhT⁂p3Fs2QhX6⁂KW
  PyPI token  pypi-[A-Za-z0-9_-]{20,}  pyp⁂i-zP0ZvzO⁂MhfWuBByR⁂eQMs  pyp⁂i-zP0ZvzO⁂MhfWu
  RubyGems key  rubygems_[a-f0-9]{40,}  rub⁂ygems_855⁂c1d190409⁂a95cd609f⁂74c686cff⁂eae8e95ee⁂a  rub⁂ygems_855⁂c1d190409⁂a95cd609f⁂74c6
  crates.io token  cio[A-Za-z0-9]{32}(?![A-Za-z0-9])  cio⁂zupGhv7Ib⁂3M03NBQNS⁂gPwlUQia1⁂ID6vW  cio⁂zupGhv7Ib⁂3M03NBQNS⁂gPw
  NuGet key  oy2[a-z0-9]{43}(?![A-Za-z0-9])  oy2⁂706i8j76b⁂2lajlj4h9⁂du7794g9d⁂pmrcg629b⁂e2u66mr  oy2⁂706i8j76b⁂2lajlj4h9⁂du7794g9d⁂pm
  Vault token  hv[sbr]\.[A-Za-z0-9_.-]{20,}  hvb⁂.xH5jMTF7⁂eBSdE0g9c⁂RYN  hvb⁂.xH5jMTF7⁂eBSd
  Vault token, old  [sb]\.[A-Za-z0-9]{24}(?![A-Za-z0-9])  s.l⁂FJvhQ8XIm⁂0ogR4HtXO⁂f54fZ  s.l⁂FJvhQ8XIm⁂0ogR4H
  Terraform Cloud token  [A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{40,}  uwm⁂6zo88EB0O⁂Ge.atlasv⁂1.9xYyQ6b⁂0fI7fLAz7⁂vT0sxJmPU⁂3UdXyymFg⁂MZwKPa  uwm⁂6zo88EB0O⁂Ge.atlasv⁂1.9xYyQ6b⁂0fI7fLAz7⁂vT0sx  \.atlasv1\.
  Pulumi token  pul-[a-f0-9]{40}  pul⁂-b94f7dc2⁂c0d798f1e⁂781d33225⁂22081f11e⁂304c6  pul⁂-b94f7dc2⁂c0d798f1e⁂781d33225
  Doppler token  dp\.(?:pt|st|ct|sa|scim|audit)\.[A-Za-z0-9._-]{30,}  dp.⁂ct.ghOpzG⁂pdCGAe40O⁂1c6XC4SOH⁂DMm0lM  dp.⁂ct.ghOpzG⁂pdCGAe40O⁂1c6X
  Docker Hub token  dck(?:r_pat|r_oat)_[A-Za-z0-9_-]{20,}  dck⁂r_pat_io2⁂ZvzXQYXkJ⁂XVwFcOLn  dck⁂r_pat_io2⁂ZvzXQYXk
  Atlassian token  AT(?:ATT3|CTT3|BB)[A-Za-z0-9_=-]{20,}(?:%3D[A-F0-9]{8})?  ATB⁂BLOGQOpCH⁂V5v7s82Qt⁂DRo%3D30C⁂AF210  ATB⁂BLOGQOpCH⁂V5v7s82
  Postman key  PMA(?:K-[a-f0-9]{24}-[a-f0-9]{30,}|T-[A-Z0-9]{26})  PMA⁂K-0641699⁂aa71306cf⁂ebaddf5e-⁂abebcbc50⁂c6d100dbb⁂c39ded034⁂472  PMA⁂K-0641699⁂aa71306cf⁂ebaddf5e-⁂abebcbc50⁂c6d
  Kubernetes bootstrap or Okta  00[A-Za-z0-9_-]{40}(?![A-Za-z0-9_-])  00y⁂8Ih1WolAq⁂AN8EpSQmG⁂lJ2OLxcWy⁂JN5ZyiKn5⁂smy  00y⁂8Ih1WolAq⁂AN8EpSQmG⁂lJ2OLxcW
  Clojars token  CLOJARS_[a-z0-9]{40,}  CLO⁂JARS_nmfl⁂sxwz7jpc5⁂xgx3fjubw⁂r7bgcn5nq⁂r1g2iqcvm  CLO⁂JARS_nmfl⁂sxwz7jpc5⁂xgx3fjubw⁂r7b
  Harness token  [ps]at\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9]{24}\.[A-Za-z0-9]{20}  sat⁂.XbQP7PGY⁂Sa5KD1uSJ⁂oBczg.gIc⁂Ay18hSLXb⁂C6aNRkLI1⁂Lhx.tLMmF⁂1F4mufwRL⁂NInqto  sat⁂.XbQP7PGY⁂Sa5KD1uSJ⁂oBczg.gIc⁂Ay18hSLXb⁂C6aNRkLI1⁂Lh
  OpenShift token  sha256~[A-Za-z0-9_-]{43}(?![A-Za-z0-9_-])  sha⁂256~Z8DxX⁂VZP1Vtb1k⁂z6U0Z2jDU⁂hJ9r7WP3b⁂qoAXGhLEU⁂bM  sha⁂256~Z8DxX⁂VZP1Vtb1k⁂z6U0Z2jDU⁂hJ9r7
  Octopus key  API-[A-Z0-9]{25,32}(?![A-Za-z0-9])  API⁂-OI0Z3CCC⁂RR8CGQH7A⁂1PCSHTWK  API⁂-OI0Z3CCC⁂RR8CGQH7
  Prefect key  pn[ub]_[A-Za-z0-9]{36}  pnu⁂_m996g5RF⁂dli7JcHgI⁂4S6akSRPv⁂FviS1dnsk⁂O  pnu⁂_m996g5RF⁂dli7JcHgI⁂4S6akSR
  ReadMe key  rdme_[a-z0-9]{60,}  rdm⁂e_m9x39t4⁂4tbpvom68⁂yzawkpu9u⁂5rsnsdbk9⁂ew2d7y2wg⁂7oj0vwimr⁂7g4ri0ga  rdm⁂e_m9x39t4⁂4tbpvom68⁂yzawkpu9u⁂5rsnsdbk9⁂ew2d7y
  Sourcegraph token  sgp_(?:[a-fA-F0-9]{16}_|local_)?[a-fA-F0-9]{40}  sgp⁂_A1aabC63⁂D5D571449⁂102Fb79F2⁂a9c4Bd1F4⁂0856e  sgp⁂_A1aabC63⁂D5D571449⁂102Fb79F2
  Authress key  (?:sc|ext|scauth|authress)_[a-z0-9]{5,30}\.[a-z0-9]{4,6}\.acc[_-][a-z0-9-]{10,32}\.[A-Za-z0-9+/_=-]{30,}  sc_⁂ybjta.flo⁂u.acc_e9x⁂6tmetfo.I⁂0tZSWZ26d⁂xo4o33I7R⁂LBXrzqsW5⁂aB  sc_⁂ybjta.flo⁂u.acc_e9x⁂6tmetfo.I⁂0tZSWZ26d⁂xo
  CircleCI token  CCI(?:PAT|PRJ)_[A-Za-z0-9]{20,}_[a-f0-9]{30,}  CCI⁂PAT_sTI4t⁂JlkPVo0Hj⁂bw8Krq_86⁂0d3a590bb⁂230d38df4⁂8853fcba8⁂9  CCI⁂PAT_sTI4t⁂JlkPVo0Hj⁂bw8Krq_86⁂0d3a590bb⁂2
  Buildkite token  bk(?:ua|at|ct)_[A-Za-z0-9]{30,}  bku⁂a_vkQGpf9⁂bfMyiUAW6⁂FpSon7ups⁂QpPFI  bku⁂a_vkQGpf9⁂bfMyiUAW6⁂FpS
  LaunchDarkly key  (?:api|sdk|mob)-[a-z0-9]{8}-(?:[a-z0-9]{4}-){3}[a-z0-9]{12}  sdk⁂-aqhpx67w⁂-wgw9-hcp⁂q-m2b2-b5⁂heqlj9syj⁂q  sdk⁂-aqhpx67w⁂-wgw9-hcp⁂q-m2b2
  Snyk token  snyk_[a-z]{2,4}\.[a-f0-9]{8}\.[A-Za-z0-9_-]{20,}  sny⁂k_gt.d01b⁂ebcc.uIAM⁂Rip4AoU7B⁂NUU3vBp  sny⁂k_gt.d01b⁂ebcc.uIAM⁂Rip4
  Sonar token  sq[apu]_[a-f0-9]{40}  sqp⁂_4fb7bc49⁂628aa44b7⁂4fcae0ec5⁂575e4129b⁂38252  sqp⁂_4fb7bc49⁂628aa44b7⁂4fcae0ec5
  Kubernetes join token  (?=[a-z]{0,5}[0-9])[a-z0-9]{6}\.[a-z0-9]{16}(?![A-Za-z0-9.])  rec⁂m6d.9xrau⁂c38s9v0rz⁂1u  rec⁂m6d.9xrau⁂c38s  \.[a-z0-9]{16}
  k3s or RKE2 token  K10[a-f0-9]{64}::[A-Za-z0-9_:.-]{8,}  K10⁂6e667ea12⁂610dcbb64⁂848a99461⁂65c624c12⁂29591ec50⁂f51fe8fb4⁂657d7e26d⁂5::qzhhTc⁂qF  K10⁂6e667ea12⁂610dcbb64⁂848a99461⁂65c624c12⁂29591ec50⁂f51fe
  Docker swarm token  SWM(?:TKN|KEY)-1-[A-Za-z0-9+/-]{20,}  SWM⁂KEY-1-Scs⁂HcoeuzLwh⁂JArIXfhq  SWM⁂KEY-1-Scs⁂HcoeuzLw
  Bitbucket token  BBDC-[A-Za-z0-9+/]{40,}  BBD⁂C-fRiiHUd⁂PKkiCgQX8⁂MSZjNI6Pu⁂3igP4GAG8⁂Dfyysk  BBD⁂C-fRiiHUd⁂PKkiCgQX8⁂MSZjNI6Pu⁂3
  a vendor's hex  (?:rootly|slk|slp|cosmo|spu)[_-][a-f0-9]{32,}  slp⁂-a39ad977⁂38e40c568⁂b34c2f871⁂d0b6f6  slp⁂-a39ad977⁂38e40c568⁂b34c
`;
