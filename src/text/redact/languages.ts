/**
 * What each language calls a secret, as people name it in configs, forms and sentences and as Windows and network devices
 * print it, in small letters. A language a line; its columns stand two blanks apart, `-` for one that has nothing: words for a
 * password, words for a key, token or secret, what Windows writes before the key of a wireless network.
 */
const table = `
  en English  -  -  key content
  de German  passwort, kennwort, losungswort, zugangsdaten  geheimnis, vorinstallierter schlüssel, sicherheitsschlüssel, geheimer schlüssel, privater schlüssel, zugangsschlüssel, api-schlüssel, zugriffstoken  schlüsselinhalt
  fr French  mot de passe, mot_de_passe, motdepasse, phrase secrète  clé prépartagée, clé pré-partagée, clé de sécurité, clé d'api, clé api, clé secrète, clé privée, clé d'accès, jeton  contenu de la clé
  es Spanish  contraseña, contrasena, clave, frase secreta  clave precompartida, clave compartida, clave de seguridad, clave secreta, clave privada, secreto  contenido de la clave
  ca Catalan  contrasenya  -  contingut de la clau
  eu Basque  pasahitza
  pt Portuguese  senha, palavra-passe, palavra passe, palavra chave  chave pré-compartilhada, chave de segurança, chave secreta, chave privada, chave de api, chave api, chave de acesso, segredo  conteúdo da chave
  it Italian  parola d'ordine, parola chiave  chiave precondivisa, chiave di sicurezza, chiave segreta, chiave privata, chiave api, segreto  contenuto chiave
  ro Romanian  parolă, parola  -  conținut cheie
  nl Dutch  wachtwoord  vooraf gedeelde sleutel, geheime sleutel, api-sleutel  sleutelinhoud
  sv Swedish  lösenord, losenord  api-nyckel  nyckelinnehåll
  no Norwegian  passord  -  nøkkelinnhold
  da Danish  adgangskode, kodeord  -  nøgleindhold
  fi Finnish  salasana  -  avaimen sisältö
  is Icelandic  lykilorð
  pl Polish  hasło, haslo  klucz wstępny, klucz api, klucz prywatny  zawartość klucza
  cs Czech, Slovak  heslo  -  obsah klíče, obsah kľúča
  hu Hungarian  jelszó, jelszo  -  kulcs tartalma
  sl Slovene  geslo
  hr Croatian, Serbian  lozinka, zaporka, лозинка, шифра
  sq Albanian  fjalëkalimi
  lt Lithuanian  slaptažodis
  et Estonian  parool
  tr Turkish, Azerbaijani  şifre, sifre, şifrə  gizli anahtar  anahtar içeriği
  ru Russian  пароль  предварительный ключ, общий ключ, ключ безопасности, секрет, секретный ключ, закрытый ключ, ключ api, api-ключ, api ключ, токен  содержимое ключа
  uk Ukrainian  гасло  -  вміст ключа
  bg Bulgarian  парола
  kk Kazakh  құпиясөз
  el Greek  κωδικός, κωδικός πρόσβασης, συνθηματικό  -  περιεχόμενο κλειδιού
  hy Armenian  գաղտնաբառ
  ka Georgian  პაროლი
  he Hebrew  סיסמה, סיסמא
  ar Arabic  كلمة المرور, كلمة السر
  fa Persian  رمز عبور, گذرواژه
  hi Hindi  पासवर्ड
  bn Bengali  পাসওয়ার্ড
  ta Tamil  கடவுச்சொல்
  ja Japanese  パスワード, 暗証番号, 合言葉  事前共有キー, トークン, 秘密鍵, シークレット, apiキー  主要なコンテンツ, キー コンテンツ
  zh Chinese  密码, 密碼, 口令  预共享密钥, 令牌, 密钥, 密鑰, 金鑰, 秘钥, 私钥  关键内容, 密钥内容, 金鑰內容
  ko Korean  암호, 비밀번호  사전 공유 키, 토큰, 비밀 키, 비밀키, api 키  키 콘텐츠
  vi Vietnamese  mật khẩu, mat khau
  th Thai  รหัสผ่าน
  id Indonesian, Malay  kata sandi, kata laluan
  sw Swahili  nenosiri
`;

const columns = table
  .trim()
  .split("\n")
  .map((line) => line.trim().split(/ {2,}/));

const words = (column: number): readonly string[] =>
  columns.flatMap((row) => row[column]?.split(", ") ?? []).filter((word) => word !== "-");

/** What Windows writes before the key of a wireless network, in the languages it speaks. */
export const keyContents = words(3);

/** Names of secrets in languages other than English. */
export const foreignNames: readonly string[] = [...words(1), ...words(2)];
