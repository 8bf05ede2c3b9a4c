import { anyCase } from "../../base/any-case.ts";
import { withheldReason } from "../withheld.ts";
import { isSurelyDrawn } from "./decide.ts";
import { nameKind } from "./names.ts";
import { isDrawn, isDrawnPassword, isPublicId, isUuid, looksLikeKey, looksRandom } from "./randomness.ts";
import { args, isNamedSecret, isUnnamedSecret, joined, type Rule, word } from "./rules.ts";
import { matchLines } from "./scanner.ts";
import type { Find, Span } from "./span.ts";
import { isPlainWord, isSecretValue, withoutBrackets } from "./values.ts";

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

/** A small word that a sentence goes on behind, or that ends a part of one: `set password aging]`, `to set PSK identity hint.` */
const sentenceWord = String.raw`(?-i:[a-z]{2,14}(?:[\]:.,)]|[^\S\n][a-z]{2,14}(?![\w=:])))`;

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
    // A client's own command takes the option too: `open -u user,…`.
    at: ["curl ", "wget ", "http ", "https ", "lftp ", "open -"],
    pattern: rule(
      String.raw`([a-z]{4,5}\s(?:${args})?(?:-[A-Za-z]{0,6}[uU]|-a|--user)[ =]{0,3}["']?[^\s:"',<-]?[^\s:"',<]{0,128}[:,]["']?)([^\s"']{1,256})`,
    ),
    when: (secret) => isUnnamedSecret(secret) && !secret.startsWith("//"),
  },
  {
    what: "user flag with a password",
    at: ["-u ", "-user", "-proxy-user", "-cred", "-src-creds", "-dest-creds", "-auth", "-y ", "user add ", "digest "],
    pattern:
      /((?:-(?:(?<=\s-)[uy]|user|userpwd|proxy-user|creds?|src-creds|dest-creds|credentials|auth)[ =]|user add |digest )["']?(?:hmac-\w{1,12}:)?[\w.@-]{1,64}(?<!(?:sha\d{1,3}|md5|blake\w{1,4})):)([^\s"']{2,256})/,
    when: (secret) => isUnnamedSecret(secret) && /\d|[^\w-]/.test(secret) && !/^[\d.:/]+$|^\/\//.test(secret),
  },
  {
    what: "SMB user",
    at: ["-u", "logon "],
    pattern: /((?:-U\s{0,3}|logon\s(?=["']?[A-Za-z]))["']?[\w.\\/@-]{1,80}%)([^\s"']{1,256})/,
  },
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
    what: "Oracle's command that signs in",
    at: ["connect ", "conn "],
    pattern:
      /((?<=(?:^|[>;"'])[ \t]{0,3})conn(?:ect)?\s{1,3}[\w$#]{1,40}\/)([^\s@/"']{3,128})(?=@[\w.:/-]{1,120}[ \t]*(?:[;"']|as\s|\r?$))/im,
    when: isUnnamedSecret,
  },
  {
    what: "a command that sets a name",
    at: ["set ", "setx ", "put ", "write ", "config "],
    pattern: rule(
      String.raw`(\b(?:set|setx|put|write|config(?!\s{1,3}set))\s{1,3}(?:-{1,2}[\w-]{1,20}\s{1,3}){0,3}([\w./:-]{1,120})\s{1,3}(?:ENC\s)?)(?!${sentenceWord})(${word})`,
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

/** A program's arguments as a list: auditd's `a0="…" a1="…"`, and the arrays of JSON, YAML and Dockerfiles. */
const lists: readonly { readonly start: RegExp; readonly next: RegExp }[] = [
  { start: /(?<!\w)a0="/g, next: / a\d{1,3}="/y },
  { start: /\[\s{0,40}"/g, next: /,\s{0,80}"/y },
];

const inside = /(?:[^"\\\n]|\\[^\n]){0,2000}/y;

/** More arguments than a command line has. */
const mostArguments = 200;

/** What `find` sees in command lines, also where a program's arguments are told as a list. Linear. */
export const createFindInArguments =
  (find: Find): Find =>
  (text, watch) =>
    lists.flatMap(({ start, next }) => {
      const spans: Span[] = [];
      let doneTo = 0;
      for (const { index, 0: head } of text.matchAll(start)) {
        if (index < doneTo) continue;
        watch?.();
        const told = readArguments(text, index + head.length, next);
        doneTo = told.at(-1)?.end ?? doneTo;
        if (told.length > 1 && isProgram(text, told[0]))
          spans.push(...secretsOf(text, told, (line) => find(line, watch)));
      }
      return spans;
    });

/** Lists of sentences are no command lines. */
const isProgram = (text: string, first: Span | undefined): boolean =>
  first !== undefined && /^[\w.@/:\\-]+$/.test(text.slice(first.start, first.end));

function readArguments(text: string, start: number, next: RegExp): Span[] {
  const told: Span[] = [];
  for (let at = start; told.length < mostArguments; ) {
    inside.lastIndex = at;
    const end = at + (inside.exec(text)?.[0].length ?? 0);
    if (text[end] !== '"') break;
    told.push({ start: at, end });
    next.lastIndex = end + 1;
    const gap = next.exec(text);
    if (!gap) break;
    at = end + 1 + gap[0].length;
  }
  return told;
}

/** Looks at the arguments as one line, each a word of it, and says where in the text what it finds there stands. */
function secretsOf(text: string, told: readonly Span[], find: Find): Span[] {
  let line = "";
  const words = told.map(({ start, end }) => {
    const word = text.slice(start, end);
    const quote = /\s/.test(word) ? "'" : "";
    const at = line.length + quote.length;
    line += `${quote}${word}${quote} `;
    return { start, end, shift: start - at };
  });
  const found = find(line);
  return words.flatMap(({ start, end, shift }) =>
    found
      .map((span) => ({ start: Math.max(start, span.start + shift), end: Math.min(end, span.end + shift) }))
      .filter((span) => span.start < span.end),
  );
}

/** A command or an expression behind its prompt. */
const prompt =
  /^[^\S\n]{0,8}(?:\+ |(?:[\w@.:~/[\]()-]{1,60}(?: [\w@.:~/[\]()-]{1,60})? ?)?(?:[$#>%❯]|PS[^>\n]{0,60}>){1,3}[ \t]{1,4})([^\n]{4,400})$/my;

const isPrompt = /^(?!=> )[^\n]{0,60}[$#>%❯](?:\s|$)/;

/** What prints the thing it is asked for, or makes it and prints it once; what lists or counts prints names and numbers. */
const getter =
  /(?<![\w-])(?:get|show|read|reveal|view|print|printenv|puts|select|hget|echo|output|access|decrypt|jq|yq|lookup|field|cat|head|tail|less|list-keys|list-connection-strings|keys list|regenerate(?:-key)?|renew|create|generate|issue|mint|rotate|reset|rand|keygen|gen(?:key|psk|pass)?|new|init|export|fetch|dump|hgetall|lrange)(?![\w-])|(?<=\s)token$|config:get|-raw\b|-field\b|--plain\b|base64 (?:-d|-D|--decode)|-o\s?tsv\b|get-(?:login-)?password|find-\w+-password/i;

const lister =
  /(?<![\w-])(?:ls|list|wc|grep -c|rev-parse|log|describe|apply|delete|rm|-o name|--help|--version|status)(?![\w-])/;

const makers =
  /(?:^|[|;&] ?|sudo )(?:pwgen|apg|gopass|pass|bw|op|mkpasswd|wg gen(?:key|psk)|openssl rand|age-keygen|htpasswd -n\w*|oathtool)(?![\w-])/;

/** A store's list, and a filter that takes an object's name and not what it holds. */
const asksForNames =
  /(?<![\w-])(?:pass|gopass|lpass|op|bw)\s(?:[a-z]{2,12}\s)?(?:ls|list|find|search)(?![\w-])(?!.*(?:password|secret|reveal))|\|\s?jq\s[^|]*\.(?:name|id|title|type|kind|created_?at|version|status)\b['"}\]) ]*$|--keys-only|-o\s?name$/i;

/** Whether a command asks for a secret by name, as no other of its words denies. */
function asksForSecret(command: string): boolean {
  if (asksForNames.test(command)) return false;
  if (makers.test(command) || withheldReason(command) !== undefined) return true;
  if (lister.test(command)) return false;
  const words = command.match(/[A-Za-z_][\w-]{1,80}/g) ?? [];
  return (
    getter.test(command) &&
    words.some(
      (one) =>
        nameKind(one) === "strong" ||
        /(?:auth|access|api|primary|secondary|join|license|signing)-?_?keys?$|^list-?keys$/i.test(one),
    )
  );
}

/** No file, object or time that is named after a secret. */
const isAnswer = (word: string): boolean =>
  isSecretValue(word, "strong") &&
  /[A-Za-z\d]/.test(word) &&
  isDrawn(word) &&
  !isPublicId(word) &&
  (!/^[\w-]+\.[a-z]{2,5}$|\/.*[./-]/.test(word) || isSurelyDrawn(word.replaceAll("/", "")));

/** More lines are no answer of one secret. */
const mostLines = 20;

const bare =
  /^(?:=> |\d{1,3}\) )?[ \t]*(?:"([^"\n]{4,4000})"|'([^'\n]{4,4000})'|(?![\p{L}\w.-]{1,60}=[^=[]|[A-Z_\d]{2,60}=$|[\w.*-]{1,64}:|<)([^\s"'{}[\]]{5,4000}))(?:[ \t]*\r?|\[[\w@. ~:/-]{1,60}\][$#] ?)$/u;

/** The bare words that a command answers which asks for a secret: below its prompt in the text, or all of the text. */
export function createFindAnswers(command?: string): Find {
  const file = fileOf(command ?? "");
  const isAsked = command !== undefined && !isSource.test(file) && (asksForSecret(command) || holdsKey.test(file));
  const isPublic = command !== undefined && /pub|sum|dgst|digest|hash|fingerprint|uuid|id\b/i.test(command);
  const parts = (command ?? "").split(/;|&&/).map((part) => part.trim());
  const isLastAsked = nameKind(shownVariable.exec(parts.at(-1) ?? "")?.[1] ?? "") === "strong";
  const isFirstAsked = parts.length === 1 || asksForSecret(parts[0] ?? "");
  return (text, watch) => {
    const spans: Span[] = [];
    if (isLastAsked) spans.push(...lastLine(text));
    matchLines(text, [prompt], (match) => {
      watch?.();
      const end = match.index + match[0].length;
      const isQuoted = /^\n(?:=> )?["']/.test(text.slice(end, end + 5));
      if (asksForSecret(match[1] ?? "") || (isQuoted && namesSecret(match[1] ?? "")))
        takeBare(text, end + 1, spans, { isKnown: false, isOne: asksForOne.test(match[1] ?? "") });
    });
    if (!isPublic && isShort(text)) spans.push(...firstDrawn(text));
    if (isAsked && asksForOne.test(command) && !asksAround.test(command)) spans.push(...onlyLine(text));
    if (holdsLogins.test(file)) spans.push(...lastFields(text));
    if (holdsKey.test(file)) spans.push(...onlyLine(text));
    if (isAsked) takeBare(text, 0, spans, { isKnown: true, isOne: asksForOne.test(command), isFirst: isFirstAsked });
    return spans;
  };
}

/** A command that shows one variable; if it ran last, the last line is that variable's value. */
const shownVariable = /^(?:echo\s["']?\$\{?|printenv\s)(\w{1,80})\}?["']?$/;

function lastLine(text: string): Span[] {
  const [, said = ""] = /(?:^|\n)(\S{8,4000})\s*$/.exec(text.slice(-4200)) ?? [];
  const start = text.trimEnd().length - said.length;
  return isSecretValue(withoutBrackets(said), "strong") && isDrawn(said) && !/\[REDACTED\]/.test(said)
    ? [{ start, end: start + said.length }]
    : [];
}

/** A file that a command shows, and whether its own name says that it holds logins or a key. */
const shownFile =
  /(?<![\w-])(?:cat|head|tail|less|more|bat|sed|awk|grep|type)\s(?:[^|;&\n]{0,200}[\s/\\])?\.?([\w.-]{3,80})["']?\s*$/;
const holdsLogins =
  /(?:^|[._-]|sasl_|pg|ht|chap|pap|smb)(?:pass(?:w(?:or)?ds?)?|creds?|credentials|secrets|logins?|auth|userlist|psk)(?:[._-](?:txt|conf|client|db|map|list))?$|passw(?:or)?d[._-]\w+$/i;
const holdsKey = /key_?file$|(?:^|[._-])(?:cookie|secret|token|psk|key)(?:[._-]?file)?$/i;

/** A program or a page for people names secrets. */
const isSource =
  /\.(?:go|py|rb|rs|jsx?|tsx?|java|kts?|cc?|cpp|h|cs|php|swift|scala|groovy|dart|vue|svelte|erl|clj|hs|erb|vb|fs|exs?|lua|p[lm]|sh|ps[dm]?1|md|rst|adoc|html?|css|sql|proto|tf)$/i;

/** The name of the file that a command shows; the accounts' own has no passwords. */
function fileOf(command: string): string {
  const name = shownFile.exec(command)?.[1] ?? "";
  return /^(?:passwd|group|nsswitch\.conf|hosts\.\w+|[\w-]+\.pub)$/.test(name) ? "" : name;
}

const isPlace = (word: string): boolean => /^(?:\*|%any|\d{1,3}(?:\.\d{1,3}){3}\S*|[\da-f]*:[\da-f:]+)$/i.test(word);

/** `host:login:password`, `client server secret address`: the last field that is no place; of two lines of a word each the second. */
function lastFields(text: string): Span[] {
  const lines = [...text.matchAll(/^(?![#;])[^\n]{3,400}$/gm)];
  // Another kind of file has other lines too.
  if (!lines.every(([line]) => /^(?!-\s|@)[^\s={<][^={<]*$/.test(line.replace(/(?<=[:\s])\S+\s*$/, "")))) return [];
  const isPair = lines.length === 2 && lines.every(([line]) => /^\S+\s*$/.test(line) && !/[:=]\S/.test(line));
  return lines.flatMap(({ 0: line, index }, number) => {
    const fields = [...line.matchAll(/"[^"]*"|[^\s:"]+/g)];
    const last = fields.findLast((field) => !isPlace(field[0]));
    const said = last?.[0].replaceAll('"', "") ?? "";
    const isWanted = isPair ? number === 1 : fields.length > 1 && fields.length < 6 && last !== fields[0];
    if (
      !last ||
      !isWanted ||
      said.length < 3 ||
      !(isDrawn(said) || line[last.index - 1] === ":") ||
      /^\d{1,5}$/.test(said) ||
      /=/.test(line.slice(0, last.index))
    )
      return [];
    const start = index + last.index + (last[0].startsWith('"') ? 1 : 0);
    return isSecretValue(withoutBrackets(said), "strong") ? [{ start, end: start + said.length }] : [];
  });
}

/** The one line of a command that was asked for one value. It may have any signs. */
function onlyLine(text: string): Span[] {
  const said = text.trim();
  if (
    said.length < 4 ||
    /[\n\t]|\[REDACTED\]/.test(said) ||
    isMessage.test(said) ||
    isPublicId(said) ||
    isPlainWord(said) ||
    endsInPrompt.test(said)
  )
    return [];
  if (/^\/|^\d{1,3}$|^[a-z\d+.-]+:\/\/|^[{[<]/i.test(said) || !isSecretValue(withoutBrackets(said), "strong"))
    return [];
  const start = text.indexOf(said);
  return [{ start, end: start + said.length }];
}

/** What an object is, not what it holds. */
const asksAround = /\.(?:metadata\.[\w.]+|type|kind|status\.\w+)['"}]/;

const endsInPrompt = /\][$#]$/;

/** What a program says instead of a value. */
const isMessage =
  /^[\w ./-]{1,60}: |\b(?:error|denied|found|failed|invalid|usage|unknown|no|not|cannot|unable|exit|required|missing)\b|\.$|(?<!\S)(?:\S+ ){8}/i;

/** What a command prints that makes or shows one thing. */
const isShort = (text: string): boolean =>
  text.length <= 2000 && !text.includes("[REDACTED]") && text.trim().split("\n", 7).length <= 6;

/** A key that is all of the first line, for any command. */
function firstDrawn(text: string): Span[] {
  const [, blanks = "", word = ""] =
    /^(\s*"?)((?!\/|[\w-]*[a-z]{4,}\/[a-z]{3,})[A-Za-z\d+/_-]{16,1500}={0,2})(?="?[ \t]*\r?(?:\n|$)|\[[\w@. ~:/-]{1,60}\][$#] ?$)/.exec(
      text,
    ) ?? [];
  // A heading is no key: `OA3xOriginalProductKey`.
  if (!isSurelyDrawn(word.replaceAll("/", "")) || /[a-z](?:Key|Token|Password|Secret)$/.test(word)) return [];
  return [{ start: blanks.length, end: blanks.length + word.length }];
}

const namesSecret = (command: string): boolean =>
  (command.match(/[A-Za-z_][\w-]{1,80}/g) ?? []).some((one) => nameKind(one) === "strong");

/** Whether the text is the answer, and whether the command prints one value and nothing else. */
type AnswerShape = { readonly isKnown: boolean; readonly isOne: boolean; readonly isFirst?: boolean };

const asksForOne =
  /(?<![\w-])printenv [A-Z_\d]+$|-raw\b|-field[= ]|jsonpath|base64 (?:-d|-D|--decode)|config:get|--plain\b|-o\s?tsv|jq -r|(?<![\w-])(?:pass|gopass|lpass) show|op read|--print-value-only|hget|select \w+ from|get-login-password|find-\w+-password\b.* -w|token$/;

/** Lines of one word each, up to a blank line or the next prompt; of a command that is known, the first of few words too. */
function takeBare(text: string, from: number, spans: Span[], { isKnown, isOne, isFirst = true }: AnswerShape): void {
  const heading = text.slice(from, from + 400).split("\n", 1)[0] ?? "";
  const fields = /^\w+(?:,\w+)+\r?$/.test(heading) && namesSecret(heading) ? heading.split(",").length : 0;
  for (let at = from, line = 0; at < text.length && line < mostLines; line++) {
    const newline = text.indexOf("\n", at);
    const end = newline === -1 ? text.length : newline;
    const said = text.slice(at, Math.min(end, at + 4100));
    if (said.trim() === "" && line > 0) return;
    if (!isKnown && isPrompt.test(said)) return;
    // A ruled heading.
    if (/^-{2,}/.test(text.slice(end + 1, end + 3))) return;
    if (isOne && said.includes("\t"))
      for (const cell of said.matchAll(/(?<=^|\t)[\w+/.~-]{16,1500}={0,2}(?=\t|\r?$)/g))
        if (isSurelyDrawn(cell[0].replaceAll("/", "")))
          spans.push({ start: at + cell.index, end: at + cell.index + cell[0].length });
    // A row of a table with a heading, whose columns are read elsewhere.
    if (fields > 2 && said.split(",").length === fields) {
      at = end + 1;
      continue;
    }
    const match = bare.exec(said);
    // A store's entry: `app/version:2026.22.1`.
    const entry = /^[\w.-]+(?:\/[\w.-]+)+:(\S*)[ \t\r]*$/.exec(said)?.[1];
    const word =
      (entry === undefined || isSurelyDrawn(entry) || isDrawnPassword(entry) ? entry : "") ??
      match?.slice(1).find((one) => one !== undefined) ??
      (!/[:=]/.test(said) && isDrawnPassword(said.trim()) ? said.trim() : undefined) ??
      // A token of several parts looks like a name and its value.
      (isKnown && isSurelyDrawn(said.trim().split(":", 1)[0] ?? "")
        ? /^\S{16,4000}$/.exec(said.trim())?.[0]
        : undefined);
    if (word && (isAnswer(word) || (isKnown && looksRandom(word, 12) && isDrawn(word)))) {
      const start = at + said.lastIndexOf(word);
      spans.push({ start, end: start + word.length });
    } else if (
      word &&
      line === 0 &&
      isOne &&
      !isPublicId(word) &&
      isSecretValue(word, "strong") &&
      !/[/:=]|^\d+$|\.\w{2,5}$/.test(word)
    ) {
      spans.push({ start: at + said.indexOf(word), end: at + said.indexOf(word) + word.length });
    } else if (!isKnown && !/^[\w-]{1,40}:? /.test(said)) return;
    else if (
      isKnown &&
      isFirst &&
      line === 0 &&
      (isOne || !isOpened(text, end)) &&
      !said
        .trim()
        .split(" ")
        .slice(0, -1)
        .some((one) => nameKind(one) === "strong") &&
      isPhrase.test(said.trim()) &&
      isSecretValue(said.trim(), "strong")
    )
      spans.push({ start: at, end: at + said.trimEnd().length });
    at = end + 1;
  }
}

/** A line that what stands indented below belongs to, or netrc's words below its host. */
const isOpened = (text: string, end: number): boolean =>
  /^\r?\n(?:[ \t]+\S|(?:login|account|password) )/.test(text.slice(end, end + 40));

/** Words a person chose, and no message. */
const isPhrase =
  /^(?!.*\b(?:error|denied|found|failed|invalid|usage|unknown|no|not)\b)[\p{L}\d!#$%&*+_.-]{3,40}(?: [\p{L}\d!#$%&*+_.-]{3,40}){0,5}$/iu;
