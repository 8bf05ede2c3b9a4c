import { args, isNamedSecret, isSecret, type Rule, word } from "./rule.ts";

const rule = (pattern: string, flags = ""): RegExp => new RegExp(pattern, flags);

const notANumber = (secret: string): boolean => isSecret(secret) && !/^-|^\d{1,5}$/.test(secret);

/** Programs whose `-p`, `-P`, `-w` or `-W` takes a password after a blank. */
const takersOfPasswords = [
  "sshpass",
  "mongo",
  "useradd",
  "usermod",
  "htpasswd",
  "ipmitool",
  "sqlcmd",
  "bcp",
  "mosquitto_",
  "zip",
  "unzip",
  "ldap",
  "influx",
  "cqlsh",
  "curlftpfs",
  "rabbitmqadmin",
  "smbclient",
  "certutil",
  "keytool",
  "clickhouse-client",
  " login",
] as const;

/** Passwords on command lines, as ps, journals and shell histories show them. */
export const commandRules: readonly Rule[] = [
  {
    what: "password flag of a database client",
    at: ["mysql", "mariadb", "sshpass", "xtrabackup", "innobackupex", "mydumper", "myloader", "pt-"],
    pattern: rule(String.raw`([a-z][\w-]{2,30}\s(?:${args})?-p)(${word})`),
    when: (secret) => secret.length > 1,
  },
  {
    what: "password flag with a blank",
    at: takersOfPasswords,
    pattern: rule(
      String.raw`(\s?[a-z][\w-]{2,20}\s(?:${args})?(?:-p|-P|-w|-W|--pass|-storepass|-keypass)\s{1,3})(${word})`,
    ),
    when: notANumber,
  },
  {
    what: "redis password flag",
    at: ["redis-cli", "redis-benchmark"],
    pattern: rule(String.raw`(redis-\w{1,12}\s(?:${args})?-a\s{1,3})(${word})`),
  },
  {
    what: "SNMP community or phrase",
    at: ["snmp"],
    pattern: rule(String.raw`(snmp\w{2,12}\s(?:${args})?-[cAX]\s{1,3})(${word})`),
  },
  {
    what: "curl user",
    at: ["curl ", "wget ", "http ", "https ", "lftp "],
    pattern: rule(
      String.raw`([a-z]{4,5}\s(?:${args})?(?:-u|-U|-a)[ =]{0,3}["']?[^\s:"',-][^\s:"',]{0,128}[:,])([^\s"']{1,256})`,
    ),
    when: (secret) => isSecret(secret) && !secret.startsWith("//"),
  },
  {
    what: "user flag with a password",
    at: ["-user", "-proxy-user", "-cred", "-src-creds", "-dest-creds", "-auth"],
    pattern:
      /(-(?:user|userpwd|proxy-user|creds?|src-creds|dest-creds|credentials|auth)[ =]["']?[\w.@-]{1,64}:)([^\s"']{2,256})/,
    when: (secret) => isSecret(secret) && /\d|[^\w-]/.test(secret) && !/^[\d.:/]+$/.test(secret),
  },
  { what: "SMB user", at: ["-u"], pattern: /(-U\s{0,3}["']?[\w.\\-]{1,80}%)([^\s"']{1,256})/ },
  {
    what: "net use",
    at: ["net use ", "net user "],
    pattern: /(net\s(?:use|user)\s[^\n|;&]{0,200}?(?:\/user:\S{1,80}|(?<=user\s)[\w.-]{1,64})\s)([^\s/*]\S{0,128})/i,
    when: isSecret,
  },
  { what: "remote desktop", at: ["freerdp"], pattern: /(freerdp\d?\b[^\n|;&]{0,300}?\s\/p:)(\S{1,128})/i },
  { what: "stored Windows credential", at: ["cmdkey"], pattern: /(cmdkey\b[^\n]{0,200}?\/pass:)(\S{1,128})/i },
  { what: "openssl pass", at: ["pass:"], pattern: /(pass:)([^\s"']{1,256})/, when: isSecret },
  {
    what: "openssl key flag",
    at: ["openssl "],
    pattern: rule(String.raw`(openssl\s(?:${args})?(?:-k|-K|-pass(?:in|out)?)\s(?:pass:)?)([^\s"'-][^\s"']{0,256})`),
    when: (secret) => !/^(?:file|env|stdin|fd):?|\//.test(secret),
  },
  {
    what: "password by pipe",
    at: ["echo "],
    pattern:
      /(echo\s{1,3}(?:-\w\s)?["']?(?:[\w.-]{1,64}:(?=[^\n]{1,300}chpasswd))?)([^\s"'|]{4,256})(?=["']?\s{0,3}\|\s{0,3}(?:sudo\s)?(?:chpasswd|passwd|sudo -S|cryptsetup|docker login|podman login|kinit|gpg))/,
  },
  {
    what: "htpasswd -b",
    at: ["htpasswd "],
    pattern: /(htpasswd\s{1,3}-\w{0,6}b\w{0,6}\s{1,3}(?:\S{1,200}\s{1,3}){1,2})(\S{4,128})(?=\s*$)/m,
  },
  {
    what: "Oracle client",
    at: ["sqlplus ", "rman ", "expdp ", "impdp ", "sqlldr "],
    pattern: /([a-z]{4,8}\s[^\n|;&]{0,100}?\b[\w$#]{1,40}\/)([^\s@/"']{2,128})(?=@|\s|$)/im,
    when: isSecret,
  },
  {
    what: "RabbitMQ user",
    at: ["rabbitmqctl "],
    pattern:
      /(rabbitmqctl\s[^\n|;&]{0,80}?(?:change_password|add_user|authenticate_user)\s{1,3}\S{1,64}\s{1,3})(\S{2,128})/,
  },
  {
    what: "a command that sets a name",
    at: ["set ", "setx ", "put ", "write ", "config "],
    pattern: rule(
      String.raw`(\b(?:set|setx|put|write|config)\s{1,3}(?:-{1,2}[\w-]{1,20}\s{1,3}){0,3}([\w./:-]{1,120})\s{1,3})(${word})`,
      "i",
    ),
    when: isNamedSecret,
  },
  {
    what: "PowerShell's secure string",
    at: ["convertto-securestring"],
    pattern: /(ConvertTo-SecureString\s{1,3}(?:-String\s{1,3})?)("[^"\n]{1,256}"|'[^'\n]{1,256}')/i,
    when: isSecret,
  },
];
