import { nameKind } from "./names.ts";
import { looksRandom } from "./randomness.ts";
import type { Find, Span } from "./span.ts";
import { isSecretValue } from "./values.ts";

/**
 * Places where a secret stands without a name of its own. The first group is what stays before it, the last group the
 * secret, a group between them the name it is given; `when` has the last word. All quantifiers are bounded.
 */
type Rule = {
  readonly what: string;
  readonly pattern: RegExp;
  readonly when?: (secret: string, name: string) => boolean;
};

const isSecret = (secret: string): boolean => isSecretValue(secret, "strong");
const isRandom = (secret: string): boolean => looksRandom(secret);

const word = String.raw`(?:"[^"\n]{1,500}"|'[^'\n]{1,500}'|[^\s"'|;&<>]{1,500})`;

export const rules: readonly Rule[] = [
  {
    what: "authorization header",
    pattern:
      /(\b(?:proxy-|x-)?authori[sz]ation(?:\\?["'])?\s{0,3}[:=]\s{0,3}(?:\\?["'])?(?:(?:bearer|basic|token|apikey|api-key|negotiate|ntlm|key|bot|oauth|splunk|genie-?key|snowflake)\s{1,3})?(?:token=|username="[^"]{0,80}",\s?)?)([^\s"'\\,;&]{6,8000})/gi,
    when: (secret) => isSecret(secret) && !/^(?:aws4-hmac|digest$|realm=)/i.test(secret),
  },
  {
    what: "bearer token",
    pattern: /(\bbearer\s{1,3})([\w.~+/=-]{12,8000})/gi,
    when: (secret) => /\d/.test(secret) && isSecret(secret),
  },
  {
    what: "basic credentials",
    pattern: /(\bbasic\s)([A-Za-z0-9+/]{8,2000}={0,2})(?![\w/+])/gi,
    when: isCredentialPair,
  },
  {
    what: "cookies sent",
    pattern: /((?<![\w-])cookies?(?:\\?["'])?\s{0,2}:\s{0,3}(?:\\?["'])?)([\w.%-]{1,80}=[^\n"']{4,8000})/gi,
  },
  {
    what: "cookie set",
    pattern: /(\bset-cookie(?:\\?["'])?\s{0,2}[:=]\s{0,3}(?:\\?["'])?[^=;\s"']{1,128}=)([^;\s"']{4,8000})/gi,
    when: isSecret,
  },
  {
    what: "password in an address",
    pattern:
      /(\b[a-z][a-z0-9+.-]{1,30}:\/\/[^\s:@/"'<>]{0,256}:)((?:[^\s"'<>/]{1,256}(?=@)|(?!\d{1,5}\/)[^\s"'<>]{1,256}?(?=@)))(?=@[\w.[$%])/gi,
    when: isSecret,
  },
  {
    what: "token as the user of an address",
    pattern: /(:\/\/)([\w.~%-]{16,512})(?=(?::x-oauth-basic)?@)/gi,
    when: isRandom,
  },
  {
    what: "signature or code in a query",
    pattern:
      /([?&](?:amp;)?(?:sig|signature|x-amz-(?:signature|credential|security-token)|x-goog-(?:signature|credential)|code|key|hmac|auth|ticket|assertion|sv_sig|oauth_\w{1,20}|se_token|invite|reset\w{0,10}|t)=)([^&\s"'#<>]{8,4000})/gi,
    when: isRandom,
  },
  { what: "request signature", pattern: /(\bSignature=)([A-Za-z0-9+/=]{20,600})/g },
  { what: "request credential", pattern: /(\bCredential=)([A-Z0-9]{16,40})(?=\/)/g },
  {
    what: "Slack webhook",
    pattern: /(hooks\.slack(?:-gov)?\.com\/(?:services|workflows|triggers)\/)([\w/-]{12,200})/gi,
  },
  {
    what: "Discord webhook",
    pattern: /(discord(?:app)?\.com\/api\/(?:v\d{1,2}\/)?webhooks\/)(\d{10,25}\/[\w-]{20,200})/gi,
  },
  { what: "Teams webhook", pattern: /(webhook\.office\.com\/webhookb2\/)([\w@/-]{20,400})/gi },
  { what: "Google Chat webhook", pattern: /(chat\.googleapis\.com\/v1\/spaces\/[^\s?]{1,80}\?)([^\s"'<>]{20,400})/gi },
  { what: "Telegram address", pattern: /(api\.telegram\.org\/(?:file\/)?bot)(\d{6,12}:[\w-]{20,80})/gi },
  { what: "Sentry DSN", pattern: /(https?:\/\/)([0-9a-f]{32})(?=(?::[0-9a-f]{32})?@)/gi },
  {
    what: "netrc on one line",
    pattern: /(\bmachine\s{1,8}\S{1,200}\s{1,8}(?:login\s{1,8}\S{1,200}\s{1,8})?password\s{1,8})(\S{1,500})/gi,
  },
  {
    what: "password flag of a database client",
    pattern: new RegExp(
      String.raw`(\b(?:mysql\w{0,20}|mariadb\w{0,20}|mysql-\w{1,20}|sshpass|xtrabackup|innobackupex|mydumper|myloader|pt-[a-z-]{3,30})\b[^\n|;&]{0,400}?\s-p)(${word})`,
      "g",
    ),
    when: (secret) => secret.length > 1 && !/^[=]?$/.test(secret),
  },
  {
    what: "password flag with a blank",
    pattern: new RegExp(
      String.raw`(\b(?:sshpass|mongo|mongosh|mongodump|mongorestore|mongoexport|mongoimport|mongostat|(?:docker|podman|helm|nerdctl|buildah|skopeo|crane|oras|oc|az|cf|argocd|npm)\s[^\n|;&]{0,120}?login|useradd|usermod|htpasswd|ipmitool|sqlcmd|bcp|mosquitto_\w{3}|zip|unzip|ldap\w{3,10}|slapd\w{0,10}|influx|cqlsh|curlftpfs|rabbitmqadmin|lpass|smbclient|certutil|keytool|clickhouse-client|exp|imp|tsm|couchbase-cli)\b[^\n|;&]{0,400}?\s(?:-p|-P|-w|-W|--pass|-storepass|-keypass)\s{1,3})(${word})`,
      "g",
    ),
    when: (secret) => isSecret(secret) && !/^-|^\d{1,5}$/.test(secret),
  },
  {
    what: "redis password flag",
    pattern: new RegExp(String.raw`(\bredis-(?:cli|benchmark)\b[^\n|;&]{0,300}?\s-a\s{1,3})(${word})`, "g"),
  },
  {
    what: "SNMP community or phrase",
    pattern: new RegExp(String.raw`(\bsnmp\w{2,12}\b[^\n|;&]{0,200}?\s-[cAX]\s{1,3})(${word})`, "g"),
  },
  {
    what: "curl user",
    pattern:
      /(\b(?:curl|wget|http|https|lftp|httpie)\b[^\n|;&]{0,600}?\s(?:-u|--user|--proxy-user|-U|-a|--auth)[ =]{0,3}["']?[^\s:"',]{1,128}[:,])([^\s"']{1,256})/g,
    when: (secret) => isSecret(secret) && !secret.startsWith("//"),
  },
  {
    what: "curl user, joined",
    pattern: /(\bcurl\b[^\n|;&]{0,600}?\s-u[^\s:"'-][^\s:"']{0,128}:)([^\s"']{1,256})/g,
    when: isSecret,
  },
  {
    what: "SMB user",
    pattern: /(\b(?:smbclient|mount|rpcclient|net)\b[^\n|;&]{0,300}?\s-U\s{0,3}["']?[\w.\\-]{1,80}%)([^\s"']{1,256})/g,
  },
  {
    what: "net use",
    pattern: /(\bnet\s(?:use|user)\s[^\n|;&]{0,200}?(?:\/user:\S{1,80}|\buser\s[\w.-]{1,64})\s)([^\s/*]\S{0,128})/gi,
    when: isSecret,
  },
  { what: "xfreerdp", pattern: /(\bx?freerdp\d?\b[^\n|;&]{0,300}?\s\/p:)(\S{1,128})/gi },
  { what: "openssl pass", pattern: /(\bpass(?:in|out|word)?[ =]{1,3}pass:)([^\s"']{1,256})/gi },
  {
    what: "openssl key flag",
    pattern: /(\bopenssl\s[^\n|;&]{0,200}?\s(?:-k|-K|-pass(?:in|out)?)\s(?:pass:)?)([^\s"'-][^\s"']{0,256})/g,
    when: (secret) => !/^(?:file|env|stdin|fd):?/.test(secret),
  },
  {
    what: "chpasswd",
    pattern:
      /(\becho\s{1,3}(?:-\w\s)?["']?[\w.-]{1,64}:)([^\s"'|]{1,256})(?=["']?\s{0,3}\|\s{0,3}(?:sudo\s)?chpasswd)/g,
  },
  {
    what: "password by pipe",
    pattern:
      /(\becho\s{1,3}(?:-\w\s)?["']?)([^\s"'|]{4,256})(?=["']?\s{0,3}\|\s{0,3}(?:sudo\s)?(?:passwd|sudo -S|cryptsetup|docker login|podman login|kinit|gpg))/g,
  },
  {
    what: "htpasswd -b",
    pattern: /(\bhtpasswd\s{1,3}-\w{0,6}b\w{0,6}\s{1,3}(?:\S{1,200}\s{1,3}){1,2})(\S{4,128})(?=\s*$)/gm,
  },
  {
    what: "SQL password",
    pattern:
      /(\b(?:identified(?:\s{1,3}with\s{1,3}\S{1,60})?\s{1,3}(?:by|as)(?:\s{1,3}password)?|password|set\s{1,3}password[^\n=]{0,80}=|password\s?\()\s{0,3}\(?\\?)('[^'\n]{1,256}'|"[^"\n]{1,256}")/gi,
    when: (secret) => isSecret(secret.slice(1, -1)),
  },
  {
    what: "SQL password without quotes",
    pattern: /(\bidentified\s{1,3}by\s{1,3})([^\s'"`;,]{3,128})/gi,
    when: isSecret,
  },
  { what: "MySQL hash", pattern: /()(?<![\w*])(\*[0-9A-F]{40})(?![0-9A-F])/g },
  { what: "PostgreSQL hash", pattern: /(\b)(md5[0-9a-f]{32})(?![0-9a-f])/g },
  { what: "shadow line, old hash", pattern: /(^[a-z_][\w-]{0,31}:)([A-Za-z0-9./]{13})(?=:\d{4,5}:)/gm },
  {
    what: "htpasswd line, old hash",
    pattern: /(^[A-Za-z_][\w.-]{0,31}:)([A-Za-z0-9./]{13})(?=\s*$)/gm,
    when: (secret) => /\d/.test(secret) && isRandom(secret),
  },
  { what: "SMB hashes", pattern: /(^[^\s:]{1,64}:\d{1,10}:)([0-9a-fA-F]{32}:[0-9a-fA-F]{32})(?=:::)/gm },
  {
    what: "pgpass line",
    pattern: /(^[\w.*-]{1,200}:(?:\d{4,5}|\*):[\w*-]{1,64}:[\w.*@-]{1,64}:)([^\s:]{3,256})(?=\s*$)/gm,
  },
  { what: "redis AUTH", pattern: /(["']?\bAUTH["']?\s{1,3}(?:"[\w.-]{1,64}"\s{1,3})?)("[^"\n]{3,256}")/g },
  { what: "SMTP AUTH", pattern: /(\bAUTH\s(?:PLAIN|LOGIN|XOAUTH2)\s)([A-Za-z0-9+/]{8,2000}={0,2})/g },
  { what: "FTP PASS", pattern: /((?:^|[>\]:]\s{0,3})PASS\s)(\S{3,128})(?=\s*$)/gm },
  {
    what: "SecureString",
    pattern: /(\bConvertTo-SecureString\s{1,3}(?:-String\s{1,3})?)("[^"\n]{1,256}"|'[^'\n]{1,256}')/gi,
    when: (secret) => isSecret(secret.slice(1, -1)),
  },
  { what: "PSCredential", pattern: /(\bcmdkey\b[^\n]{0,200}?\/pass:)(\S{1,128})/gi },
  {
    what: "Cisco secret",
    pattern: /(\b(?:enable|username\s\S{1,64}(?:\sprivilege\s\d{1,2})?)\s(?:secret|password)\s\d\s)(\S{4,128})/gi,
  },
  {
    what: "a setting given as name and value",
    pattern:
      /((?:\\{0,4}["'])?\b(?:name|key|variable|parameter|field|param|parameterkey|secretname)(?:\\{0,4}["'])?\s{0,3}[:=]\s{0,3}(?:\\{0,4}["'])?([\w./-]{1,120})(?:\\{0,4}["'])?\s{0,3},?\s{0,40}(?:[\w"'-]{1,30}\s?:\s?[\w"'.-]{1,60}(?:,\s{0,40}|\s{1,40})){0,2}(?:\\{0,4}["'])?(?:value|parametervalue|string|secretvalue|plaintext)(?:\\{0,4}["'])?\s{0,3}[:=]\s{0,3})((?:\\{1,4}"[^"\\\n]{1,4000}|"[^"\n]{1,4000}"|'[^'\n]{1,4000}'|[^\s"'\\{}[\],][^\s,{}]{0,4000}))/gi,
    when: isNamedSecret,
  },
  {
    what: "a key and string of a property list",
    pattern: /(<key>([\w.-]{1,120})<\/key>\s{0,20}<string>)([^<\n]{1,4000})/gi,
    when: isNamedSecret,
  },
  {
    what: "a call with name and value",
    pattern: /(\(\s{0,4}["']([\w./-]{1,120})["']\s{0,3},\s{0,4})("[^"\n]{1,4000}"|'[^'\n]{1,4000}')/g,
    when: isNamedSecret,
  },
  {
    what: "a command that sets a name",
    pattern: new RegExp(
      String.raw`(\b(?:set|setx|put|write|config)\s{1,3}(?:-{1,2}[\w-]{1,20}\s{1,3}){0,3}([\w./:-]{1,120})\s{1,3})(${word})`,
      "gi",
    ),
    when: isNamedSecret,
  },
  {
    what: "a field of a form",
    pattern: /(\bname="([\w.-]{1,80})"(?:\r?\n[A-Z][\w-]{1,40}: [^\n]{0,80}){0,2}\r?\n\r?\n)([^\s][^\n]{0,4000})/g,
    when: isNamedSecret,
  },
  { what: "unseal key", pattern: /(\b(?:unseal|recovery)\skey\s\d{1,2}:\s{1,3})(\S{16,200})/gi },
  { what: "digest response", pattern: /(\bdigest\s[^\n]{0,600}?\bresponse=")([0-9a-f]{32,64})/gi },
  { what: "Oracle address", pattern: /(\bjdbc:oracle:\w{1,8}:[\w$#]{1,60}\/)([^\s@"']{1,128})(?=@)/gi },
  {
    what: "Oracle client",
    pattern: /(\b(?:sqlplus|rman|expdp|impdp|sqlldr)\s[^\n|;&]{0,100}?\b[\w$#]{1,40}\/)([^\s@/"']{2,128})(?=@|\s|$)/gm,
    when: isSecret,
  },
  { what: "Go's database address", pattern: /(\b[\w.-]{1,64}:)([^\s:@"']{1,128})(?=@(?:tcp|unix|udp)\()/g },
  {
    what: "user flag with a password",
    pattern:
      /(\s--?(?:user|userpwd|proxy-user|creds?|src-creds|dest-creds|credentials|auth)[ =]["']?[\w.@-]{1,64}:)([^\s"']{2,256})/g,
    when: (secret) => isSecret(secret) && /\d|[^\w-]/.test(secret) && !/^[\d.:/]+$/.test(secret),
  },
  {
    what: "SNMP daemon's community",
    pattern: /(^\s{0,8}(?:r[ow]community6?|com2sec\s\S{1,40}\s\S{1,40})\s{1,4})(\S{4,128})/gm,
    when: (secret) => !/^(?:public|private|default)$/.test(secret),
  },
  { what: "HAProxy's page", pattern: /(\bstats\sauth\s{1,3}[^\s:]{1,64}:)(\S{1,128})/g },
  {
    what: "RabbitMQ user",
    pattern:
      /(\brabbitmqctl\s[^\n|;&]{0,80}?(?:change_password|add_user|authenticate_user)\s{1,3}\S{1,64}\s{1,3})(\S{2,128})/g,
  },
  {
    what: "words before a secret",
    pattern:
      /(\b(?:passwords?|passphrase|passcode|passwd|pwd|secret(?:\skey)?|tokens?|api[\s_-]?key|access[\s_-]?key|credentials?|pin)(?:\s(?:for|of|to)\s\S{1,60})?\s(?:is|was|are|set\sto|changed\sto|reset\sto|provided|became|=)(?:\snow|\sset\sto)?:?\s{1,2}["'`]?)([^\s"'`]{5,500})/gi,
    when: isSpoken,
  },
];

/** `user:password` behind base64. */
function isCredentialPair(secret: string): boolean {
  return /^[\x20-\x7e]*:[\x20-\x7e]*$/.test(Buffer.from(secret, "base64").toString("latin1"));
}

/** What a sentence names as a secret: not the next word of the sentence. */
function isSpoken(secret: string): boolean {
  const said = secret.replace(/[.,;:!?)]+$/, "");
  return /\d/.test(said) && /[a-z]/i.test(said) && said.length >= 6 && isSecret(said);
}

/** A value whose name says that it is a secret. */
function isNamedSecret(secret: string, name: string): boolean {
  const kind = nameKind(name);
  return kind !== undefined && isSecretValue(secret.replace(/^\\*["']|\\*["']$/g, ""), kind);
}

/** Secrets known by where they stand. */
export const findByPlace: Find = (text) => {
  const spans: Span[] = [];
  for (const { pattern, when } of rules) {
    for (const match of text.matchAll(pattern)) {
      const secret = match.at(-1) ?? "";
      const before = match[1] ?? "";
      const name = match.length > 3 ? (match[2] ?? "") : "";
      const quoteMark = /^(?:\\*["'])/.exec(secret)?.[0] ?? "";
      const start = match.index + before.length + quoteMark.length;
      const end =
        match.index + before.length + secret.length - (quoteMark && secret.endsWith(quoteMark) ? quoteMark.length : 0);
      if (!when || when(secret, name)) spans.push({ start, end });
    }
  }
  return spans;
};
