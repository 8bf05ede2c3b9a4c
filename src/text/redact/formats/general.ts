/** What vendors call a key, between its first word and its drawn part. */
const keyWords =
  "(?:live|test|prod|sandbox|secret|sk|pk|pat|api|key|apikey|token|tok|oauth|access|refresh|priv|personal|service|svc|sa|bot|srv|ci)";

/** Keys of no one vendor: hashes, messages, keys by their own words; how a line is read stands in `../formats.ts`. */
export const general = String.raw`
  JSON web token  eyJ[A-Za-z0-9_-]{6,}(?:\.[A-Za-z0-9_-]{4,}){1,4}  eyJ⁂gizeg8.7j⁂58  eyJ⁂gizeg8
  age key  AGE-SECRET-KEY-1[0-9A-Z]{20,}  AGE⁂-SECRET-K⁂EY-1VQ39P⁂3D19Q33BP⁂SK75AL  AGE⁂-SECRET-K⁂EY-1VQ39P⁂3D19
  NATS seed  S[ANOUCX][A-Z2-7]{56}(?![A-Za-z0-9])  SXL⁂GLC2GAXIT⁂QTL2CUB3D⁂7CH2Z4EAY⁂J62GF6NJA⁂3AAHFNHI6⁂BRP4LDXJF⁂S  SXL⁂GLC2GAXIT⁂QTL2CUB3D⁂7CH2Z4EAY⁂J62GF6NJA⁂3
  private key in base64  LS0tLS1CRUdJTiB(?!D|QVUJMSUMg)[A-Za-z0-9+/=]{20,}  LS0⁂tLS1CRUdJ⁂TiBzcSsAU⁂QRbKl60w4⁂yCS1J  LS0⁂tLS1CRUdJ⁂TiBzcSsAU⁂QRb
  any vendor's key by its own words  (?!pk_(?:live|test)_)[a-z][a-z0-9]{1,15}[_-](?:${keyWords}[_-]){1,3}(?=[A-Za-z]{0,40}[0-9])[A-Za-z0-9]{20,}  mm-⁂bot_3EFwc⁂YZhaf75pw⁂yBGlkd  mm-⁂bot_3EFwc⁂YZhaf7  [_-]${keyWords}[_-]
  a prefix and a drawn part  (?:[a-z][a-z0-9]{1,9}_|[a-z]{2,9}-)(?=[A-Za-z]{0,30}[0-9]+[A-Za-z]{1,30}[0-9])(?=[A-Za-z0-9]{0,30}[A-Z])(?=[A-Za-z0-9]{0,30}[a-z])[A-Za-z0-9]{28,120}(?![A-Za-z0-9_-])  np-⁂4EcZfIgw0⁂AqOvMZiC7⁂rSjVxYxdH⁂F  np-⁂4EcZfIgw0⁂AqOvMZiC7  [_-][A-Za-z0-9]{28}
  a secret key's prefix and a drawn part  (?:sk|ak|rk|key|secret|token|tok|pat|apikey|api_key|priv|web)_(?=[A-Za-z]{0,12}[0-9]+[A-Za-z]{1,12}[0-9])[A-Za-z0-9]{28,}  key⁂_k0AGfF2w⁂NkdD0rMtV⁂e3Djsva1l⁂Ia  key⁂_k0AGfF2w⁂NkdD0rMtV⁂e
  NTLM message  TlRMTVNTUAAD[A-Za-z0-9+/]{40,}={0,2}  TlR⁂MTVNTUAAD⁂E9yyzQw12⁂OPMldjP4f⁂k67r4tDZq⁂yZyorx8V0⁂YZ8F  TlR⁂MTVNTUAAD⁂E9yyzQw12⁂OPMldjP4f⁂k67r4t
  LDAP hash  \{(?:S?SHA(?:256|512)?|S?MD5|CRYPT|PBKDF2[\w-]*)\}[A-Za-z0-9+/=.$]{16,}  {SS⁂HA512}Zfz⁂VW3Lt3Jiv⁂haq7  {SS⁂HA512}Zfz⁂VW3Lt
`;
