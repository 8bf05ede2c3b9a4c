/** Keys of clouds, hosts and their databases; how a line is read stands in `../formats.ts`. */
export const clouds = String.raw`
  AWS access key id  (?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9])  ABI⁂AZDE8GXD6⁂NCF10EPF  ABI⁂AZDE8GXD6⁂NC
  AWS session token  (?:IQoJb3JpZ2lu|FwoGZXIvYXdz|FQoGZXIvYXdz)[A-Za-z0-9+/=]{20,}  FQo⁂GZXIvYXdz⁂D0kH8Oool⁂8DklZDOCj⁂2I  FQo⁂GZXIvYXdz⁂D0kH8Oool⁂8
  Google API key  AIza[A-Za-z0-9_-]{30,}  AIz⁂aOqOAf1lL⁂QSAJaiXnk⁂U8Is2g8np⁂rvDd  AIz⁂aOqOAf1lL⁂QSAJaiXnk⁂U8
  Google OAuth token  ya29\.[A-Za-z0-9_.-]{20,}  ya2⁂9.ZZZGeoZ⁂DMENcKHVm⁂DGAk  ya2⁂9.ZZZGeoZ⁂DMENc
  Google OAuth secret  GOCSPX-[A-Za-z0-9_-]{20,}  GOC⁂SPX-iG8Xn⁂BE3NnYJoQ⁂9WmXeH  GOC⁂SPX-iG8Xn⁂BE3NnY
  Google refresh token  1//0[A-Za-z0-9_-]{20,}  1//⁂02fdeeTFJ⁂GvVvQe1sK⁂hBN  1//⁂02fdeeTFJ⁂GvVv
  DigitalOcean token  (?:do[opr]_v1_[a-f0-9]{40,}|DO00[A-Z0-9]{16}(?![A-Za-z0-9]))  doo⁂_v1_9863e⁂7564d4a44⁂6d0a325c6⁂6c572b2db⁂3e127405  doo⁂_v1_9863e⁂7564d4a44⁂6d0a325c6⁂6c
  Heroku key  HRKU-[A-Za-z0-9_-]{20,}  HRK⁂U-4BzwoZ6⁂48jjNuFD7⁂uacn  HRK⁂U-4BzwoZ6⁂48jjN
  Azure AD secret  [A-Za-z0-9_~.]{3}[0-9]Q~[A-Za-z0-9_~.-]{30,40}(?![A-Za-z0-9_~.-])  Lp7⁂8Q~CTquY1⁂XVcKGAFRF⁂Wa94Hj9wN⁂YWx0T0  Lp7⁂8Q~CTquY1⁂XVcKGAFRF⁂Wa94  Q~
  Databricks token  dapi[a-f0-9]{32}  dap⁂icb905804⁂59a716b6b⁂8cb20c452⁂4b2423  dap⁂icb905804⁂59a716b6b⁂8cb2
  PlanetScale token  pscale_(?:tkn|oauth|pw)_[A-Za-z0-9_.=-]{30,}  psc⁂ale_oauth⁂_B2Enus0H⁂MI4fS9z6y⁂Kryu7OE1W⁂nwQK  psc⁂ale_oauth⁂_B2Enus0H⁂MI4fS9z6y
  Fly.io token  (?:fo1_[A-Za-z0-9_-]{40,}|fm[12][ar]?_[A-Za-z0-9+/=_-]{40,})  fm2⁂a_g96eNlQ⁂ngPUXCMLZ⁂Ko7RrU5YK⁂yyQHxhDo2⁂X93cjh  fm2⁂a_g96eNlQ⁂ngPUXCMLZ⁂Ko7RrU5YK⁂y
  Tailscale key  tskey-[a-z]{2,10}-[A-Za-z0-9-]{16,}  tsk⁂ey-nu-XNT⁂Qb5igKY4o⁂O8dI  tsk⁂ey-nu-XNT⁂Qb5ig
  Cloudflare origin key  v1\.0-[a-f0-9]{20,}-[a-f0-9]{100,}  v1.⁂0-54e84f8⁂821e48102⁂3ee1-5f14⁂02dfd06ee⁂33720dd20⁂68ba67138⁂ae26a1771⁂1fd8742d7⁂16f2798a7⁂f4a69db20⁂f05d809a5⁂4780f6d5b⁂2266bac77⁂52d136  v1.⁂0-54e84f8⁂821e48102⁂3ee1-5f14⁂02dfd06ee⁂33720dd20⁂68ba67138⁂ae26a1771⁂1fd8742d7⁂16f2798a7⁂f4a6
  Alibaba or Tencent key  (?:LTAI[A-Za-z0-9]{16,24}|AKID[A-Za-z0-9]{32})(?![A-Za-z0-9])  AKI⁂DrQbrLeAz⁂uzRWPpTUe⁂fbnoFq5XJ⁂7T2YDF  AKI⁂DrQbrLeAz⁂uzRWPpTUe⁂fbno
  JFrog key  (?:AKCp[A-Za-z0-9]{60,}|cmVmd[A-Za-z0-9]{50,})  cmV⁂mdVMUtTIl⁂oFyCZuj4Z⁂ikDZTGACM⁂06emxqDyg⁂6inYnJors⁂sm4rFNC  cmV⁂mdVMUtTIl⁂oFyCZuj4Z⁂ikDZTGACM⁂06emxqDy
  MaxMind key  [A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk  Hdf⁂lgw_HHHZ4⁂IilO3OJqk⁂dvZK80B8o⁂Ysam1m_mm⁂k  Hdf⁂lgw_HHHZ4⁂IilO3OJqk⁂dvZK80B  _mmk
  Settlemint token  sm_[aps]at_[A-Za-z0-9]{16,}  sm_⁂aat_fZcxn⁂5lVshv0FK⁂XU  sm_⁂aat_fZcxn⁂5lVs
  Scalingo token  tk-us-[A-Za-z0-9_-]{40,}  tk-⁂us-E0TgLH⁂p5SsV07g4⁂aoKhS0gNg⁂5MaLDokmG⁂WkoouCs  tk-⁂us-E0TgLH⁂p5SsV07g4⁂aoKhS0gNg⁂5M
  Yandex key  (?:AQVN[A-Za-z0-9_-]{35,38}|t1\.[A-Z0-9a-z_-]+=?\.[A-Z0-9a-z_-]{60,}={0,2}|YC[a-zA-Z0-9_-]{38})(?![A-Za-z0-9_-])  AQV⁂NGEK8hf0d⁂nbzzDpArx⁂lUJtPWRKC⁂RoG258lEW  AQV⁂NGEK8hf0d⁂nbzzDpArx⁂lUJtPW
  Bedrock key  (?:ABSK[A-Za-z0-9+/]{100,}={0,2}|bedrock-api-key-[A-Za-z0-9+/=]{30,})  ABS⁂KnYBDO4Zl⁂w9CcDnPPO⁂CK7l2LUA5⁂30dTamQ94⁂f8EPrYrtl⁂OaTZ4tfBy⁂3PFLKWYLA⁂4SZjXHVi3⁂YVZpE9Hb0⁂6WjPYMdSW⁂PbCRqBVzJ⁂Pt  ABS⁂KnYBDO4Zl⁂w9CcDnPPO⁂CK7l2LUA5⁂30dTamQ94⁂f8EPrYrtl⁂OaTZ4tfBy⁂3PFLKWYLA⁂4SZjXH
  Adobe secret  p8e-[a-z0-9]{32}  p8e⁂-mr8i923p⁂kxwnzynt4⁂6no2iq2x8⁂pz6nih  p8e⁂-mr8i923p⁂kxwnzynt4⁂6no2
  Supabase key  sb(?:p|_secret)_[A-Za-z0-9_-]{20,}  sb_⁂secret_2Z⁂W5oGLSHR6⁂muOtrCZCm  sb_⁂secret_2Z⁂W5oGLSHR6
  Neon or Vercel token  (?:napi_[a-z0-9]{50,}|vc[a-z]_[A-Za-z0-9]{20,})  nap⁂i_mtjyc9t⁂lo57q1wah⁂scdphcunw⁂f0zor7fw1⁂2v626dn16⁂i5mc9ql  nap⁂i_mtjyc9t⁂lo57q1wah⁂scdphcunw⁂f0zor7fw
  Netlify token  nf[pcoub]_[A-Za-z0-9]{30,}  nfb⁂_xoPiQP9D⁂KWWaFMoTI⁂IrtfqePtP⁂Agsc  nfb⁂_xoPiQP9D⁂KWWaFMoTI⁂Ir
  Cloudinary address  cloudinary://[0-9]{10,}:[A-Za-z0-9_-]{20,}  clo⁂udinary:/⁂/81341384⁂73:OiksHv⁂g6lkF2arE⁂zcI3g  clo⁂udinary:/⁂/81341384⁂73:OiksHv
  Mapbox token  [ps]k\.eyJ[A-Za-z0-9_-]{30,}\.[A-Za-z0-9_-]{16,}  pk.⁂eyJd1rZiK⁂99MkexFIX⁂xnDZPDXCA⁂sm9NdT.tI⁂b64Fn3MkH⁂6u3WK  pk.⁂eyJd1rZiK⁂99MkexFIX⁂xnDZPDXCA⁂sm9NdT
  Codecov or Snowflake token  ver:1-hint:[0-9]+-[A-Za-z0-9+/=_-]{30,}  ver⁂:1-hint:4⁂-jeGpzxXJ⁂oOZwF7BnI⁂HDigNjxLQ⁂8mXv  ver⁂:1-hint:4⁂-jeGpzxXJ⁂oOZwF7BnI
  Cloudflare tunnel token  eyJhIjoi[A-Za-z0-9+/=]{60,}  eyJ⁂hIjoinXhV⁂zYQBjMAkQ⁂DlLTtiR6U⁂QPQ1cFhof⁂2FMIb9ySn⁂xX6CtcYXC⁂twSabpmzQ⁂WP  eyJ⁂hIjoinXhV⁂zYQBjMAkQ⁂DlLTtiR6U⁂QPQ1cFhof⁂2FMIb9yS
  Akamai or Defined Networking key  (?:akab-[a-z0-9]{16}-[a-z0-9]{16}|dnkey-[A-Z0-9=_-]{26}-[A-Z0-9=_-]{52})  aka⁂b-uvm7al8⁂r7qfuyqt9⁂-60dttpy1⁂8qtmidn8  aka⁂b-uvm7al8⁂r7qfuyqt9⁂-60dt
  Azure DevOps token  [A-Za-z0-9]{52}JQQJ9[A-Za-z0-9]{9,}(?:AZDO|[A-Z]{4})[A-Za-z0-9]{4}  476⁂FMfR3Tmli⁂wFMIeRx5w⁂25Ol7TClm⁂G9AWM8JqT⁂DLVWcePVv⁂XLHyJQQJ9⁂zEujdGvjH⁂AZDOdCCC  476⁂FMfR3Tmli⁂wFMIeRx5w⁂25Ol7TClm⁂G9AWM8JqT⁂DLVWcePVv⁂XLH  JQQJ9
`;
