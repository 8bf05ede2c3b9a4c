import { anyCase } from "../../../base/any-case.ts";
import { isDrawn, isUuid, looksLikeKey } from "../randomness.ts";
import { args, isNamedSecret, isUnnamedSecret, joined, type Rule, word } from "../rule.ts";

const rule = (pattern: string, flags = ""): RegExp => new RegExp(anyCase(pattern), flags);

const notANumber = (secret: string): boolean => isUnnamedSecret(secret) && !/^-|^\d{1,5}$/.test(secret);

/** Programs, and which of their flags take a password after a blank. Case counts: `-a SHA` of SNMP is no secret. */
const passwordFlags =
  "sshpass=p, ssh-keygen=NP, mongo=p, useradd=p, usermod=p, login =p, influx=pw, cqlsh=p, " +
  "rabbitmqadmin=p, mosquitto_=pP, clickhouse-client=p, ldap=pw, ipa=w, kinit=w, adcli=w, dsconf=w, " +
  "curlftpfs=w, zip=P, sqlcmd=P, bcp=P, tsql=P, ipmitool=P, certutil=pPW, keytool =p, smbclient=wW, " +
  "smbmap=p, evil-winrm=p, netexec=p, crackmapexec=p, nmcli=W, redis-=a, valkey-cli=a, keydb-cli=a, " +
  "beeline=p, edge =k, hdbsql=p, snmp=AXc, psexec=p, wmiexec=p, winrs=p, twine =p";

const flagRules: readonly Rule[] = passwordFlags
  .split(", ")
  .map((one) => one.split("="))
  .map(([program = "", flags = ""]) => ({
    what: `password flag of ${program}`,
    at: [program],
    pattern: rule(String.raw`((?i:${program})[\w-]{0,30})(\s?(?:[^\n|;&]|${joined}){1,400})`),
    each: rule(String.raw`(?<=^|\s)-(?:[${flags}]|-pass|-?storepass|-?keypass)(?:\s{1,3}|[:=])(${word})`),
    when: notANumber,
  }));

const htpasswd = String.raw`(?:-\w{1,8} (?:\d{1,2} )?){0,5}-\w{0,7}`;

/** What stands before a secret that has its place in a command or statement and no name: `_` is any word, `…` any words. */
const positions = [
  "rabbitmqctl …add_user _ ",
  "rabbitmqctl …change_password _ ",
  "rabbitmqctl …authenticate_user _ ",
  "ejabberdctl register _ _ ",
  "ejabberdctl change_password _ _ ",
  // Into a file, and with -n, which shows it.
  String.raw`htpasswd (?=${htpasswd}b)(?!${htpasswd}n)(?:-\w{1,8} (?:\d{1,2} )?){1,6}_ _ `,
  String.raw`htpasswd (?=${htpasswd}b)(?=${htpasswd}n)(?:-\w{1,8} (?:\d{1,2} )?){1,6}_ `,
  String.raw`net (?:use|user) [^\n|;&]{0,200}?(?:/user:\S{1,80}|(?<=user )[\w.-]{1,64}) (?![/*])`,
  "sentinel (?:auth-pass _ |sentinel-pass |set _ auth-pass )",
  "rootpw (?:--(?:plaintext|iscrypted|allow-ssh) ){0,3}",
  "ConvertTo-SecureString (?:-(?:String|AsPlainText|Force) ){0,3}",
  String.raw`snmp[\w-]{0,12} (?:[\w-]{1,20} ){0,3}community `,
  "radtest _ ",
  "radtest _ _ _ _ ",
  String.raw`http-basic\.\S{1,100} _ `,
  "hdbuserstore …SET _ _ _ ",
  String.raw`ipmitool …user set password \d{1,3} `,
  "SQLConnectInfo _ _ ",
  String.raw`nickserv :?identify (?:\w{1,30} (?=\S))?`,
  String.raw`mysql_servers = (?:[\w.:-]{1,60}/){3}`,
  "usmUser _ _ _ _ _ _ _ ",
  "usmUser _ _ _ _ _ _ _ _ _ ",
  String.raw`secure_link_md5 ["'](?:[^"'\n]{0,200}\s)?`,
  String.raw`\.logon (?:\w[\w.-]{0,60}/)?[\w.-]{1,60},`,
  String.raw`\$USER\d{1,3}\$=`,
  String.raw`-object secret\w{0,20},(?:[\w-]{1,20}=[^,\s]{1,80},){0,4}data=`,
  String.raw`BUNDLE_\w{1,60}__\w{1,60}["']?[:=] ?["']?[\w.-]{1,60}:`,
];

const placed = String.raw`("[^"\n]{3,200}"|'[^'\n]{3,200}'|[^\s"'-]\S{1,200}[^\s"';,])`;

const positionRules: readonly Rule[] = positions.map((before) => {
  const written = before
    .replaceAll("_ ", String.raw`\S{1,200} `)
    .replaceAll(/ (?!\?)/g, String.raw`\s{1,3}`)
    .replace("…", String.raw`[^\n|;&]{0,80}?`);
  return {
    what: `a secret by its position: ${before}`,
    at: [(/^(?:[\w.-]|\\[.$])+/.exec(before)?.[0] ?? "").replace("\\", "").toLowerCase()],
    pattern: rule(`(${written})${placed}`, "i"),
    // What these are given there is never anything else.
    ...(!/^(?:rabbitmqctl|htpasswd)/.test(before) && { when: isUnnamedSecret }),
  };
});

/** Passwords on command lines, as ps, journals and shell histories show them. */
export const commandRules: readonly Rule[] = [
  ...flagRules,
  ...positionRules,
  {
    what: "password flag of a database client",
    at: "mysql,mariadb,sshpass,xtrabackup,innobackupex,mydumper,myloader,pt-,7z,7za,rar ,unrar ".split(","),
    pattern: rule(String.raw`([a-z0-9][\w-]{1,30}\s(?:${args})?-p)(${word})`),
    when: (secret) => secret.length > 1 && !/^["']?\$\{?\w+\}?["']?$/.test(secret),
  },
  {
    what: "password flag behind a user's",
    at: ["-u ", "-u=", "--user", "-username", "-login"],
    pattern: rule(
      String.raw`((?<=\s(?<!sudo\s))(?:-u|-U|--?user(?:name)?|--?login)[ =]\s?[^\s|;&]{1,80}\s(?:[^\n|;&]{0,160}?\s)?--?(?:p|P|pw|w)\s{1,3})(${word})`,
    ),
    when: (secret) =>
      notANumber(secret) && isDrawn(secret) && !/^[\d,:.-]+$|[/\\]|\.\.|-[a-z\d]{5,10}-[a-z\d]{5}$/.test(secret),
  },
  {
    what: "curl user",
    at: ["curl ", "wget ", "http ", "https ", "lftp "],
    pattern: rule(
      String.raw`([a-z]{4,5}\s(?:${args})?(?:-[A-Za-z]{0,6}[uU]|-a|--user)[ =]{0,3}["']?[^\s:"',<-]?[^\s:"',<]{0,128}[:,]["']?)([^\s"']{1,256})`,
    ),
    when: (secret) => isUnnamedSecret(secret) && !secret.startsWith("//"),
  },
  {
    what: "user flag with a password",
    at: ["-u ", "-user", "-proxy-user", "-cred", "-src-creds", "-dest-creds", "-auth", "-y ", "user add ", "digest "],
    pattern:
      /((?:-(?:(?<=\s-)[uy]|user|userpwd|proxy-user|creds?|src-creds|dest-creds|credentials|auth)[ =]|user add |digest (?!(?:sha\d{1,3}|md5|blake\w{1,4}):))["']?(?:hmac-\w{1,12}:)?[\w.@-]{1,64}:)([^\s"']{2,256})/,
    when: (secret) => isUnnamedSecret(secret) && /\d|[^\w-]/.test(secret) && !/^[\d.:/]+$|^\/\//.test(secret),
  },
  { what: "SMB user", at: ["-u"], pattern: /(-U\s{0,3}["']?[\w.\\/@-]{1,80}%)([^\s"']{1,256})/ },
  {
    what: "net use, the password first",
    at: ["net use "],
    pattern: /(net\suse\s(?:\S{1,4}\s)?\\\\\S{1,200}\s)([^\s/*]\S{2,128})(?=\s\/user)/i,
    when: isUnnamedSecret,
  },
  {
    what: "password flag with a slash",
    at: ["/rp", "/pw", "/pass", "/password"],
    pattern: /((?<=\s)\/(?:rp|pw|pass|password|passwd|pwd)(?::|\s{1,2}))([^\s/]\S{2,128})/i,
    when: isUnnamedSecret,
  },
  {
    what: "expect's answer to a prompt",
    at: ["send "],
    pattern:
      /((?<=ass(?:word|phrase)(?:(?!send\s|expect\s)[\s\S]){0,300})send\s(?:--\s)?["'])([^"'\n]{3,200}?)(?=\\[rn]["'])/,
    when: isUnnamedSecret,
  },
  {
    what: "a here-string to a program that asks",
    at: ["<<<"],
    pattern:
      /(<<<\s?)("[^"\n]{4,200}"|'[^'\n]{4,200}'|[^\s"'$|;&<>]{4,200})(?<=(?:cryptsetup|passw|sudo|kinit|gpg|login|secret|luks|ecryptfs)[^\n]{0,400})/i,
    when: isUnnamedSecret,
  },
  {
    what: "a call that signs in",
    at: "connect( construct( _login( login( _bind( bind( authenticate( getconnection( credential( credentials( directoryentry(".split(
      " ",
    ),
    pattern:
      /([a-z]{4,15}\((?:(?:'[^'\n]{0,200}'|"[^"\n]{0,200}"|[\w$.>-]{1,60}),\s{0,3}){1,4})('[^'\n]{4,200}'|"[^"\n]{4,200}")(?=\)|,\s?(?:\)|[[{]|array|object|\.\.\.|\d|null))/i,
    when: (secret) => isUnnamedSecret(secret) && isDrawn(secret.slice(1, -1)),
  },
  {
    what: "MySQL's call for PHP, whose database follows the password",
    at: ["mysqli(", "mysqli_connect(", "mysql_connect("],
    pattern:
      /([a-z_]{6,14}\((?:(?:'[^'\n]{0,200}'|"[^"\n]{0,200}"|[\w$.>-]{1,60}),\s{0,3}){2})('[^'\n]{3,200}'|"[^"\n]{3,200}")/i,
    when: isUnnamedSecret,
  },
  {
    what: "a credential that is built",
    at: ["networkcredential(", "usernamepasswordcredential"],
    pattern: /([a-z]{17,30}\(\s{0,3}(?:"[^"\n]{1,200}"|[\w.]{1,60}),\s{0,3})("[^"\n]{3,200}")/i,
    when: isUnnamedSecret,
  },
  {
    what: "a program that is given a token to sign in",
    at: ["login ", "auth ", "authenticate "],
    pattern:
      /((?<=(?:^|\n)[^\S\n]{0,8}(?:[\w@.:~-]{0,60}[$#>+]{1,4}[ \t])?(?:sudo )?[a-z][\w.-]{1,20}[ \t](?:[a-z][\w-]{1,20}[ \t])?)(?:login|auth|authenticate)[ \t])([\w+/.=-]{20,600})(?=[ \t]*(?:$|[|;&-]))/m,
    when: (secret) => isUuid(secret) || looksLikeKey(secret),
  },
  {
    what: "MinIO client's alias",
    at: ["alias set ", "config host add "],
    pattern: /((?:alias set|config host add)\s\S{1,64}\s["']?https?:\/\/\S{1,200}\s)(\S{1,128}\s\S{3,128})/,
    each: /[^\s"']{3,128}/,
    when: (secret) => isUnnamedSecret(secret) && !secret.startsWith("-"),
  },
  {
    what: "one-time password tool",
    at: ["oathtool "],
    pattern: /(oathtool\s(?:[^\n|;&]{0,80}\s)?["']?)([A-Za-z2-7]{16,128}={0,6}|[0-9a-fA-F]{20,128})(?=["'\s]|$)/,
    when: isDrawn,
  },
  {
    what: "a command that tells a password by printing it",
    at: ["password-command", "password_command", "passcommand", "passwordeval", "passcmd", "password-eval"],
    pattern:
      /((?:password[-_]command|passcommand|passwordeval|password-eval|passcmd)(?:\s{0,3}[=:]\s{0,3}|\s{1,3})\\{0,2}["']?(?:\/\S{1,40}\/)?(?:echo|printf)\s{1,3}(?:-n\s{1,3}|(?:\\{0,2}["'])?%s(?:\\n)?(?:\\{0,2}["'])?\s{1,3})?(?:\\{0,2}["'])?)([^\s"'\\|;&)]{2,256})/i,
    when: isUnnamedSecret,
  },
  {
    what: "Redis' users",
    at: ["user "],
    pattern: /(user\s\S{1,64}\s(?=(?:on|off|reset\w{0,12}|[+-]@\w{2,20}|[~&%][^\s>]{1,80})\s))([^\n]{4,400})/i,
    each: /(?<=\s["']?(?:[><]|[#!](?=[0-9a-f]{64})))[^\s"'>]{4,128}/,
    when: isUnnamedSecret,
  },
  { what: "remote desktop", at: ["freerdp"], pattern: /(freerdp\d?\b[^\n|;&]{0,300}?\s\/p:)(\S{1,128})/i },
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
      /(echo\s{1,3}(?:-\w\s)?["']?(?:[\w.-]{1,64}:(?=[^\n]{1,300}chpasswd))?)([^\s"'|]{4,256})(?=["']?\s{0,3}\|\s{0,3}(?:sudo\s)?(?:chpasswd|passwd|sudo -S|cryptsetup|docker login|podman login|kinit|gpg|realm|adcli|net ads|smbpasswd|pdbedit|su |vncpasswd|ecryptfs|[a-z][^\n|]{0,80}--pass\w{0,10}-stdin))/,
    when: (secret) => !/^\$(?:[({][^"']{1,80}[)}]|[A-Za-z_]\w*)$/.test(secret),
  },
  {
    what: "Oracle client",
    at: ["sqlplus ", "rman ", "expdp ", "impdp ", "sqlldr ", "connect catalog ", "connect target "],
    pattern: /([a-z]{4,8}\s(?:catalog\s|target\s)?[^\n|;&]{0,100}?\b[\w$#]{1,40}\/)([^\s@/"']{2,128})(?=@|\s|$)/im,
    when: isUnnamedSecret,
  },
  {
    what: "a command that sets a name",
    at: ["set ", "setx ", "put ", "write ", "config "],
    pattern: rule(
      String.raw`(\b(?:set|setx|put|write|config(?!\s{1,3}set))\s{1,3}(?:-{1,2}[\w-]{1,20}\s{1,3}){0,3}([\w./:-]{1,120})\s{1,3}(?:ENC\s)?)(${word})`,
      "i",
    ),
    when: (secret, name) => !secret.startsWith("-") && isNamedSecret(secret, name),
  },
  {
    what: "a secret put into a store",
    at: ["secret set", "secret create", "secrets set", "secrets create", "secrets put", "secret put", "variable set"],
    pattern: rule(
      String.raw`((?:secrets?|variable)\s(?:set|create|put)\s${args}(?:--body|--value|--data|--secret-string|--string-value|-b|-v)[ =]\s{0,3})(${word})`,
    ),
    when: isUnnamedSecret,
  },
];
