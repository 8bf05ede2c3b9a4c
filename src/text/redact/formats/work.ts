/** Keys of offices, designers and their tools; how a line is read stands in `../formats.ts`. */
export const work = String.raw`
  Linear key  lin_(?:api|oauth)_[A-Za-z0-9]{30,}  lin⁂_api_g3Lc⁂mQxxq8AGo⁂mtnWNCXVJ⁂CNQCmup6  lin⁂_api_g3Lc⁂mQxxq8AGo⁂mtnWN
  Notion token  (?:ntn_[A-Za-z0-9]{40,}|secret_[A-Za-z0-9]{40,})  ntn⁂_0UarXLnT⁂ENCyfjeEa⁂GyZqjJoiF⁂pKZsRaSqT⁂a9DTv  ntn⁂_0UarXLnT⁂ENCyfjeEa⁂GyZqjJoiF
  Figma token  figd_[A-Za-z0-9_-]{30,}  fig⁂d_aaB3xzX⁂pMZuZN8Ab⁂5KbH0FZk4⁂XdxKI  fig⁂d_aaB3xzX⁂pMZuZN8Ab⁂5Kb
  1Password token  (?:ops_eyJ[A-Za-z0-9_-]{40,}|A3-[A-Z0-9]{6}-[A-Z0-9-]{20,})  ops⁂_eyJdNKI7⁂xEzzoMepj⁂uO09JWqo1⁂0y0adSwjp⁂Ix1eWy2O  ops⁂_eyJdNKI7⁂xEzzoMepj⁂uO09
  Airtable token  pat[A-Za-z0-9]{14}\.[a-f0-9]{40,}  pat⁂q55jyo1TM⁂fsNhF.dd2⁂71e99b98e⁂919faf489⁂38577cf5a⁂ab4d99eb0⁂7  pat⁂q55jyo1TM⁂fsNhF.dd2⁂71e99b98e⁂919faf489⁂3
  Duffel token  duffel_(?:test|live)_[A-Za-z0-9_=-]{30,}  duf⁂fel_test_⁂FBDCjX3td⁂f8265E3mo⁂Z7Ht9FQUk⁂OpF  duf⁂fel_test_⁂FBDCjX3td⁂f8265E3m
  Frame.io token  fio-u-[A-Za-z0-9_=-]{40,}  fio⁂-u-zCK71O⁂E7n3X4vIx⁂c9G77Y1Bo⁂EcVU0OeHo⁂XJVOvDL  fio⁂-u-zCK71O⁂E7n3X4vIx⁂c9G77Y1Bo⁂Ec
  Intra42 token  s-s4t2(?:ud|af)-[a-f0-9]{60,}  s-s⁂4t2ud-0ac⁂7b5439ca7⁂9e21f5bf5⁂a58cd5146⁂b3d98aea1⁂c1ffd32aa⁂d02a818d5⁂dfb  s-s⁂4t2ud-0ac⁂7b5439ca7⁂9e21f5bf5⁂a58cd5146⁂b3d98aea1
  Shippo token  shippo_(?:live|test)_[a-fA-F0-9]{40}  shi⁂ppo_test_⁂306e1C77d⁂022DFDF04⁂5708Ea302⁂Df5De1606⁂BcEE  shi⁂ppo_test_⁂306e1C77d⁂022DFDF
  Typeform token  tfp_[A-Za-z0-9_.=-]{40,}  tfp⁂_AyATtsjA⁂6TZ1GlAqB⁂MLfxjkR3p⁂5igJkMamH⁂JKhwg  tfp⁂_AyATtsjA⁂6TZ1GlAqB⁂MLfxjkR3p
  Contentful token  CFPAT-[A-Za-z0-9_-]{40,}  CFP⁂AT-BxZ1JS⁂XL9oh257r⁂KGyu1TvnU⁂YLp0WUOXI⁂j6X11QP  CFP⁂AT-BxZ1JS⁂XL9oh257r⁂KGyu1TvnU⁂YL
  Asana token  [0-9]/[0-9]{10,}(?:/[0-9]{10,})?:[a-f0-9]{32}  0/1⁂960376724⁂:1fe86cb8⁂9005ab7e3⁂cb74c8aff⁂63a850  0/1⁂960376724⁂:1fe86cb8⁂9005ab7e3⁂c
  ClickUp token  pk_[0-9]{6,}_[A-Z0-9]{30,}  pk_⁂185876_ZF⁂DVT0X4ITV⁂7BMO2FJX9⁂0X7P2ZQHO⁂L  pk_⁂185876_ZF⁂DVT0X4ITV⁂7BMO2FJ
  Dropbox token  sl\.(?:u\.)?[A-Za-z0-9_-]{100,}  sl.⁂u.i1KJx6t⁂NhGdGMyF8⁂DaOq1Qt5c⁂rbJ3D7sIC⁂K1cSwO3lz⁂UtjuJT6QU⁂j1NJ8zqOZ⁂CUYJpSOpi⁂sFMdJuLbV⁂rZHC1WHq7⁂Np8hhESfW⁂Bwy  sl.⁂u.i1KJx6t⁂NhGdGMyF8⁂DaOq1Qt5c⁂rbJ3D7sIC⁂K1cSwO3lz⁂UtjuJT6QU⁂j1NJ8zqOZ⁂CUYJpSO
  Tableau token  [A-Za-z0-9+/]{22}==:[A-Za-z0-9]{32}  cTw⁂g5JumvdC8⁂UeIA875RJ⁂M==:ZLvlp⁂RowPSxiBa⁂japFz8roY⁂f9tXs5RUK  cTw⁂g5JumvdC8⁂UeIA875RJ⁂M==:ZLvlp⁂RowPSxiBa  ==:[A-Za-z0-9]{32}
  Airtable OAuth token  oaa[A-Za-z0-9]{14}\.v1\.[A-Za-z0-9_.-]{60,}  oaa⁂N76ncg1ao⁂Kx5UC.v1.⁂Rwieqj2qa⁂wERZXt6Zh⁂zS2oHQcxA⁂Ci0skTWm8⁂XQP4E4jGw⁂mr1a1ztH7⁂TKpL9u  oaa⁂N76ncg1ao⁂Kx5UC.v1.⁂Rwieqj2qa⁂wERZXt6Zh⁂zS2oHQcxA⁂Ci0skTWm
`;
