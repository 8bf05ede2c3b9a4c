import { nameKind } from "../names.ts";
import { isDrawn } from "../randomness.ts";
import { isDrawnWord, isNamedSecret, isRandom, isUnnamedSecret, type Rule } from "../rule.ts";

/** Lines of known files, SQL, pairs of name and value. */
export const fileRules: readonly Rule[] = [
  {
    what: "netrc on one line",
    isOverLines: true,
    at: ["machine ", "default "],
    pattern:
      /((?:machine\s{1,8}\S{1,200}|default)\s{1,8}(?:login\s{1,8}\S{1,200}\s{1,8})?(?<!default\s{1,8})password[^\S\n]{1,8})(\S{1,500})/i,
  },
  {
    what: "SQL password",
    at: ["identified", "password", "set password"],
    pattern:
      /((?:identified(?:\s{1,3}with\s{1,3}\S{1,60})?\s{1,3}(?:by|as)(?:\s{1,3}password)?\s{0,3}|(?<!["'\w])password(?:\s{1,3}|\s{0,3}=\s{0,3}N)|set\s{1,3}password[^\n=]{0,80}=\s{0,3}|(?<!["'\w])password\s?\(\s{0,3})\(?\\?)('(?:[^'\n]|''){1,256}'|"(?:[^"\n]|""){1,256}")/i,
    when: isUnnamedSecret,
  },
  {
    what: "SQL password without quotes",
    at: ["identified", "user "],
    pattern:
      /((?<=(?:create|alter|grant|connect)\s[^\n]{0,200})(?:identified\s{1,3}by|user\s{1,3}\S{1,60}\s{1,3}using)\s{1,3})([^\s'"`;,]{3,128})/i,
    when: isUnnamedSecret,
  },
  {
    what: "Dovecot's password in plain text",
    at: ["{plain}", "{clear"],
    pattern: /(\{(?:PLAIN|CLEAR|CLEARTEXT)\})([^\s:{}]{2,128})/i,
  },
  { what: "CouchDB's hash", at: ["-pbkdf2-"], pattern: /()(-pbkdf2-[0-9a-f]{40}(?:,\w{1,64}){1,3})/ },
  { what: "MySQL hash", at: ["*"], pattern: /()((?<![\w*])\*[0-9A-F]{40})(?![0-9A-F])/ },
  { what: "PostgreSQL hash", at: ["md5"], pattern: /()(\bmd5[0-9a-f]{32})(?![0-9a-f])/ },
  { what: "shadow line, old hash", at: "^", pattern: /(^[a-z_][\w-]{0,31}:)([A-Za-z0-9./]{13})(?=:\d{4,5}:)/m },
  {
    what: "htpasswd line, old hash",
    at: "^",
    pattern: /(^[A-Za-z_][\w.-]{0,31}:)([A-Za-z0-9./]{13})(?=\s*$)/m,
    when: (secret) => /\d/.test(secret) && /[A-Z]/.test(secret) && isRandom(secret),
  },
  { what: "SMB hashes", at: "^", pattern: /(^[^\s:]{1,64}:\d{1,10}:)([0-9a-fA-FX]{32}:[0-9a-fA-F]{32})(?=:)/m },
  {
    what: "pgpass line",
    at: "^",
    pattern:
      /(^(?:[\w.*-]|\\:){1,200}:(?:\d{4,5}|\*):(?:[\w*-]|\\[:\\]){1,64}:(?:[\w.*@-]|\\[:\\]){1,64}:)((?:[^\s:\\]|\\[^\s]){3,256})(?=\s*$)/m,
  },
  { what: "HAProxy's page", at: ["stats auth "], pattern: /(stats\sauth\s{1,3}[^\s:]{1,64}:)(\S{1,128})/ },
  { what: "HAProxy's user list", at: ["insecure-password "], pattern: /(insecure-password\s)(\S{1,128})/ },
  {
    what: "Postfix' password map",
    at: "^",
    pattern: /(^\[(?=[^\]\s]{0,100}[.:])[^\]\s]{1,100}\](?::\d{1,5})?[ \t]{1,8}[^\s:]{1,100}:)(\S{3,256})/m,
  },
  {
    what: "AWS secret key beside its id",
    at: ["akia", "asia"],
    pattern: /((?:AKIA|ASIA)[A-Z2-7]{16}[^\n]{1,60}?(?<![A-Za-z0-9/+]))([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])/,
    when: isRandom,
  },
  {
    what: "IPsec shared key",
    at: ["psk ", "eap ", "xauth ", "ntlm ", "rsa ", "ecdsa ", "p12 ", "pkcs8 "],
    pattern: /((?:PSK|EAP|XAUTH|NTLM|(?:RSA|ECDSA|P12|PKCS8)\s\S{1,200})\s{1,4})("[^"\n]{3,256}")/,
  },
  {
    what: "users and passwords below chpasswd",
    isOverLines: true,
    at: ["chpasswd:"],
    pattern:
      /(chpasswd:[ \t]*\n(?:[ \t]{1,20}[a-z]{1,20}:[^\n]{0,20}\n){0,3}?)((?:[ \t]{1,20}(?:- )?[a-z_][\w-]{0,31}:[^\s]{3,128}[ \t]*(?:\n|$)){1,50})/,
    each: /[a-z_][\w-]{0,31}:(\S{3,128})/,
    when: isUnnamedSecret,
  },
  {
    what: "pppd's secrets",
    at: ["* "],
    pattern: /((?<=[\w"]\s{1,8})\*\s{1,8})("[^"\n]{3,128}"|[^\s"*]{3,128})(?=\s{1,8}(?:\*|\d{1,3}\.)\S{0,20}[ \t]*$)/m,
    when: (secret) => isUnnamedSecret(secret) && isDrawn(secret.replaceAll('"', "")),
  },
  {
    what: "accounts of pppd and pgbouncer: words in a row, the secret in quotes or behind an asterisk",
    at: "^",
    pattern:
      /(^(?:[\w./-]{1,80}:[ \t]?)?(?:"[^"\n]{1,80}"[ \t]{1,8}(?:"?[\w.-]{1,40}"?[ \t]{1,8}|\*[ \t]{1,8})?|[\w.@-]{1,80}[ \t]{1,8}\*[ \t]{1,8}))("[^"\n]{3,128}"|(?<=\*[ \t]{1,8})[^\s"*]{3,128}(?=[ \t]{1,8}(?:\*|\d{1,3}\.)))(?=(?:[ \t]{1,8}(?:\*|\d{1,3}\.)\S{0,20})?[ \t]*\r?$)/m,
    when: (secret) => isUnnamedSecret(secret) && isDrawn(secret.replaceAll('"', "")),
  },
  {
    what: "a login made by a procedure",
    at: ["sp_addlogin", "sp_password", "sp_addlinkedsrvlogin"],
    pattern:
      /(sp_\w{6,20}\s{1,3}(?:@\w{1,40}\s?=\s?)?(?:N?'[^'\n]{0,100}'|NULL),\s{0,3}(?:@\w{1,40}\s?=\s?)?N?)('[^'\n]{3,200}')/i,
    when: isUnnamedSecret,
  },
  {
    what: "ODBC's braces",
    at: ["pwd={", "password={"],
    pattern: /((?:pwd|password)=\{)([^\s{}"';][^{}\n]{2,128}(?:\}{1,2}[^};\n]{1,64})?)(?=\}(?:[;"'\s]|$))/i,
  },
  {
    what: "a quoted string behind a secret's compound name",
    at: ["psk ", "password ", "passwd ", "secret ", "passphrase ", "token "],
    pattern:
      /((?<=[A-Za-z][._-]|["'] )(?:psk|password|passwd|secret|passphrase|token)\s{1,3})("[^"\n]{4,400}"|'[^'\n]{4,400}')/i,
    when: isUnnamedSecret,
  },
  {
    what: "a private part of a JSON web key",
    at: ['"d"', '"p"', '"q"', '"dp"', '"dq"', '"qi"', '"k"'],
    pattern: /(\\?"(?:d|p|q|dp|dq|qi|k)\\?"\s?:\s?\\?")([\w-]{20,4000})(?=\\?")/,
    when: isRandom,
  },
  {
    what: "a key of a keytab",
    at: ["(0x", "aes128-", "aes256-", "arcfour-", "des3-", "camellia"],
    pattern: /((?:[a-z\d][\w-]{5,40}\)\s{1,4}\((?:0x)?|(?<=@\S{1,80}\s{1,4})\(0x))([0-9a-f]{16,128})(?=\))/i,
  },
  {
    what: "user and password in one",
    at: ["user", "auth", "login", "cred", "account"],
    pattern:
      /((?<![a-z])(?:user(?:pwd|pass|_pass)?|auth|basic_?auth|login|creds?|credentials|account)["']?\s{0,2}[=:]\s{0,2}["']?[a-z][\w.@-]{1,63}:)([^\s"',;/:][^\s"',;/]{3,128})(?![\w:/])/i,
    when: isDrawnWord,
  },
  {
    what: "accounts in a section of them",
    isOverLines: true,
    at: ["admins]", "users]", "passwords]", "credentials]", "logins]", "accounts]", "secrets]", "tokens]"],
    pattern: /((?<=^[ \t]{0,8}\[[\w. -]{0,30})[a-z]{5,11}\][ \t]*\r?\n)((?!\[)(?:[^\n[][^\n]{0,400}(?:\n|$)){1,40})/im,
    each: /^[ \t]*[\w.@-]{1,64}[ \t]*[=:][ \t]*(\S{4,128})[ \t]*$/m,
    when: isDrawnWord,
  },
  {
    what: "a user and a password that is one word, where a user and a group have small letters",
    at: "^",
    pattern: /(^user=[a-z][\w.@-]{0,63}:)([^\s:;,/]{4,128})(?=[ \t]*\r?$)/m,
    when: (secret) => isUnnamedSecret(secret) && /^(?=.*\p{L})(?=.*[^a-z\d_-])/u.test(secret),
  },
  {
    what: "user and password of Neo4j in one",
    at: ["_auth"],
    pattern: /(_auth["']?\s{0,2}[=:]\s{0,2}["']?[a-z][\w.@-]{1,63}\/)([^\s"',;/]{4,128})/i,
    when: isDrawnWord,
  },
  { what: "the PIN of a mailbox", at: "^", pattern: /(^\d{2,8}\s{0,3}=>\s{0,3})(\d{3,12})(?=,[^,\n]{1,60},)/m },
  {
    what: "the value of a token beside its id",
    isOverLines: true,
    at: ["tokenid", "token_id", "token-id"],
    pattern:
      /(token[_-]?id(?:[^\n]{0,200}\n){0,6}?[^\n]{0,200}?(?<![\w-])value["']?[\s:=|│┃]{1,40}["']?)([\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}|(?=\w{0,40}\d)[\w+/.-]{20,512})/i,
  },
  {
    what: "unseal key",
    at: ["unseal key ", "recovery key ", "operator unseal "],
    pattern: /((?:(?:unseal|recovery)\skey\s\d{1,2}:|operator\sunseal)\s{1,3})([\w+/=]{16,200})/i,
  },
  {
    what: "the value of an object whose type names a secret",
    isOverLines: true,
    at: ["type"],
    pattern:
      /(type(?:\\{0,4}["'])?\s{0,3}[:=]\s{0,3}(?:\\{0,4}["'])?(?=[\w-]{0,60}(?:pass|pw|secret|token|cred|key))([a-z][\w-]{2,80})(?![\w.:/-])(?:(?!\btype\b)[^}]){1,1500}?\b(?:value|result)(?:\\{0,4}["'])?\s{0,3}[:=]\s{0,3})(\\{1,4}"[^"\\\n]{1,4000}|"[^"\n]{1,4000}"|'[^'\n]{1,4000}')/i,
    when: (secret, name) => isNamedSecret(secret, name) && isDrawnWord(secret.replace(/^\\*["']|["']$/g, "")),
  },
  {
    what: "what a file holds whose own name says that it is a secret",
    isOverLines: true,
    at: ["cat ", "head ", "tail ", "less ", "more ", "type ", "==> ", "# /"],
    pattern:
      /((?:cat|head|tail|less|more|type|==>|#)\s(?:-?\w{1,10}\s){0,3}(?:[^\s|;&]{0,200}[/\\])?([\w.-]{2,80})(?:\s<==|,[^\n]{0,60})?[ \t]*\r?\n(?:[a-z_][\w.@-]{1,40}\r?\n)?)((?:(?:#[^\n]{0,200}|(?:[A-Za-z_][\w.@-]{0,31}:)?[^\s:"'{}[\]=][^\s"'{}[\]]{7,600})[ \t]*(?:\r?\n|$)){1,50})/,
    each: /^(?![\w.-]{1,40}=[^=\s])(?:[A-Za-z_][\w.@-]{0,31}:(?!:))?([^\s#]\S{7,600})[ \t]*$/m,
    when: (secret, name) =>
      [name, name.replace(/\.(?:txt|conf|cfg|dat|pass)$/i, "")].some((one) => nameKind(one) !== undefined) &&
      isDrawnWord(secret) &&
      isRandom(secret),
  },
];
