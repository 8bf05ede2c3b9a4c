import { anyCase } from "../../base/any-case.ts";
import { hasSignWithin, isDrawnInSentence, isSpoken } from "./decide.ts";
import { foreignNames } from "./languages.ts";
import { nameKind } from "./names.ts";
import { isDrawn, isDrawnPassword, looksLikeKey, looksRandom } from "./randomness.ts";
import { createScanner, matchLines } from "./scanner.ts";
import type { Find, Span } from "./span.ts";
import { isSecretValue, withoutBrackets } from "./values.ts";

/**
 * A place where a secret stands without a setting's name of its own. The first group of the pattern is what stays before
 * it, the last group the secret, a group between them the name it is given. All quantifiers are bounded.
 */
export type Rule = {
  readonly what: string;
  /** The pattern begins with one of these words (lower case), or with `^`. It is tried only there, which keeps redaction fast. */
  readonly at?: readonly string[] | "^";
  /** For a pattern that begins with anything: the text must hold one of these words, spelled as in the pattern. */
  readonly needs?: readonly string[];
  readonly pattern: RegExp;
  /** Where the last group holds several: what one of them is, as its own last group; a group before it is its name. */
  readonly each?: RegExp;
  /** The form itself has several lines: no other rule takes a value from a line below its name's. */
  readonly isOverLines?: true;
  /** Has the last word: is this one a secret? */
  readonly when?: (secret: string, name: string) => boolean;
};

/** A shell's sign in the midst of a word: `ps` shows arguments without the quotes that kept it from the shell. */
export const joined = String.raw`(?<=[^\s|;&<>])[|;&](?=[^\s|;&<>"'])`;

/** A shell word or a quoted string. */
export const word = String.raw`(?:"[^"\n]{1,500}"|'[^'\n]{1,500}'|(?:[^\s"'|;&<>]|${joined}){1,500})`;

/** Arguments in between, on the same simple command. */
export const args = String.raw`[^\n|;&]{0,300}?\s`;

const quoteMarks = /^\\*["']|\\*["']$/g;

export const isUnnamedSecret = (secret: string): boolean => isSecretValue(secret.replace(quoteMarks, ""), "strong");
/** No word, path or id of a sentence or list. */
const isDrawnWord = (secret: string): boolean => isUnnamedSecret(secret) && isDrawn(secret);
const isRandom = (secret: string): boolean => looksRandom(secret);

/** A value whose name says that it is a secret. */
export function isNamedSecret(secret: string, name: string): boolean {
  const kind = nameKind(name);
  return kind !== undefined && isSecretValue(secret.replace(quoteMarks, ""), kind);
}

const piece = /\\s|\\.|\[(?:\\.|[^\]\\])*\]|\((?:\?<?[=!])?|\)/g;

/** The pattern with blanks that are no line's end, but for what it only looks at before and behind the match. */
function onOneLine(source: string): string {
  const groups: boolean[] = [];
  return source.replace(piece, (part) => {
    if (part.startsWith("(")) groups.push(part !== "(" || groups.at(-1) === true);
    else if (part === ")") groups.pop();
    return part === "\\s" && groups.at(-1) !== true ? "[^\\S\\r\\n]" : part;
  });
}

/** A layer that tries each of the rules. */
export function createFindByRules(rules: readonly Rule[]): Find {
  const ready = rules.map((rule) => ({
    ...rule,
    pattern: new RegExp(
      rule.isOverLines ? rule.pattern.source : onOneLine(rule.pattern.source),
      `${rule.pattern.flags.replace("g", "")}${rule.at ? "y" : "g"}`,
    ),
  }));
  const anywhere = ready.filter(({ at }) => !at);
  const onLines = ready.filter(({ at }) => at === "^");
  const onWords = ready.flatMap((rule) => (Array.isArray(rule.at) ? [{ ...rule, at: rule.at }] : []));
  const words = [...new Set(onWords.flatMap(({ at }) => at))];
  // A longer word also stands for the shorter ones it begins with.
  const rulesAt = new Map(
    words.map((one) => [one, onWords.filter(({ at }) => at.some((other) => one.startsWith(other)))]),
  );
  const linePatterns = onLines.map(({ pattern }) => pattern);
  const scan = createScanner(words, { anyCase: true });
  return (text, watch) => {
    const spans: Span[] = [];
    const take = ({ when, each, isOverLines }: Rule, match: RegExpExecArray): void => {
      if (!isOverLines && match[0].includes("\n")) return;
      const name = match.length > 3 ? (match[2] ?? "") : "";
      if (each) spans.push(...secretsOfEach(match, each, name, when));
      else if (!when || when(match.at(-1) ?? "", name))
        spans.push(withoutQuotes(match.at(-1) ?? "", match.index + (match[1]?.length ?? 0)));
    };
    for (const rule of anywhere) {
      if (rule.needs && !rule.needs.some((one) => text.includes(one))) continue;
      for (const match of text.matchAll(rule.pattern)) take(rule, match);
    }
    matchLines(text, linePatterns, (match, index) => {
      const rule = onLines[index];
      if (rule) take(rule, match);
    });
    const doneTo = new Map<Rule, number>();
    scan(text, (index, found) => {
      watch?.();
      for (const rule of rulesAt.get(found) ?? []) {
        if (index < (doneTo.get(rule) ?? 0)) continue;
        rule.pattern.lastIndex = index;
        const match = rule.pattern.exec(text);
        if (!match) continue;
        doneTo.set(rule, index + match[0].length);
        take(rule, match);
      }
      return "enough";
    });
    return spans;
  };
}

/** What `each` finds in the last group; where it has no name of its own, the name of all of them. */
function secretsOfEach(match: RegExpExecArray, each: RegExp, name: string, when: Rule["when"]): Span[] {
  const all = match.at(-1) ?? "";
  const from = match.index + match[0].length - all.length;
  return [...all.matchAll(new RegExp(each.source, `${each.flags}g`))].flatMap((one) => {
    const secret = one.at(-1) ?? "";
    if (secret === "" || (when && !when(secret, one.length > 2 ? (one[1] ?? "") : name))) return [];
    return [withoutQuotes(secret, from + one.index + one[0].length - secret.length)];
  });
}

function withoutQuotes(secret: string, start: number): Span {
  const open = /^\\*["']/.exec(secret)?.[0] ?? "";
  const closed = open !== "" && secret.length > open.length && secret.endsWith(open) ? open.length : 0;
  return { start: start + open.length, end: start + secret.length - closed };
}

/** Headers, addresses, queries and protocols; what authenticators keep. */
export const networkRules: readonly Rule[] = [
  {
    what: "authorization header",
    at: ["authorization", "authorisation"],
    pattern:
      /(authori[sz]ation(?:\\{0,4}["'])?(?:\s{0,3}[:=]|\s{0,3},?(?=\s{1,3}(?:\\{0,4}["'])(?:bearer|basic|token)\s))\s{0,3}(?:\\{0,4}["'])?(?:(?:bearer|basic|token|pveapitoken=[^\s=]{1,100}=|apikey|api-key|negotiate|ntlm|key|bot|oauth|splunk|genie-?key)(?:\s{1,3}|(?<==)))?(?:token=|username="[^"]{0,80}",\s?)?)([^\s"'`\\,;&]{6,8000})/i,
    when: (secret) => isUnnamedSecret(secret) && !/^(?:aws4-hmac|(?:digest|bearer|negotiate)$|realm=)/i.test(secret),
  },
  {
    what: "digest response",
    at: ["digest "],
    pattern: /(digest\s[^\n]{0,600}?\bresponse=")([0-9a-f]{32,64})/i,
  },
  {
    what: "basic credentials",
    at: ["basic "],
    pattern: /(\bbasic\s)([A-Za-z0-9+/]{8,2000}={0,2})(?![\w/+])/i,
    when: (secret) => /^[\x20-\x7e]*:[\x20-\x7e]*$/.test(Buffer.from(secret, "base64").toString("latin1")),
  },
  {
    what: "cookies sent",
    at: ["cookie"],
    pattern: /((?<![\w-])cookies?(?:\\{0,4}["'])?\s{0,2}:\s{0,3}(?:\\{0,4}["'])?)([\w.%-]{1,80}=[^\n"']{4,8000})/i,
    each: /([\w.%-]{1,80})=([^;\s"']{4,8000})/,
    when: (secret, name) =>
      nameKind(name) !== undefined
        ? isUnnamedSecret(secret)
        : secret.length >= 10 && /\d/.test(secret) && isUnnamedSecret(secret),
  },
  {
    what: "cookie set",
    at: ["set-cookie"],
    pattern: /(set-cookie(?:\\{0,4}["'])?\s{0,2}[:=]\s{0,3}(?:\\{0,4}["'])?[^=;\s"']{1,128}=)([^;\s"']{4,8000})/i,
    when: isUnnamedSecret,
  },
  {
    what: "password in an address",
    at: ["://"],
    pattern:
      /(:\/\/(?:[^\s:@/"'<>]{1,64}@)?[^\s:@/"'<>]{0,256}:)((?:[^\s"'<>@]{1,128}@[^\s"'<>@.]{1,64}(?=@[\w.-]{1,128}:\d{2,5}(?:[/?,\s"']|$))|(?:[^\s"'<>/@]{1,128}@(?![\w.-]{1,128}(?::\d{1,5})?(?:[/?,#\s"'<>]|$)|\[)){1,3}[^\s"'<>@]{0,128}(?=@)|(?!\d{1,5}[<>])[^\s"'/]{1,256}(?=@)|(?!\d{1,5}\/|\/)[^\s"'<>]{1,128}?(?=@)))(?=@[\w.[$%])/,
    // A regular expression of addresses.
    when: (secret) => isUnnamedSecret(withoutBrackets(secret)) && !/\(\.[*+]|\[\^/.test(secret),
  },
  {
    what: "password in an address that is written for a query",
    at: ["%3a%2f%2f"],
    pattern: /(%3A%2F%2F[\w.~-]{0,128}%3A)((?:(?!%40)[\w.~%!*'()+-]){1,256})(?=%40)/i,
    when: isUnnamedSecret,
  },
  {
    what: "a query within a query",
    at: ["%3d"],
    pattern: /((?<=(?:%26|%3F|[?&])([\w.-]{1,60}))%3D)((?:(?!%26)[^\s&"'#<>]){4,2000})/i,
    when: isNamedSecret,
  },
  {
    what: "token as the user of an address",
    at: ["://"],
    pattern: /(:\/\/)([\w.~%-]{16,512})(?=(?::x-oauth-basic)?@)/,
    when: (secret) => /\d/.test(secret) && !secret.includes("%40") && isRandom(secret),
  },
  {
    what: "a key of IPsec's states",
    at: ["enc ", "auth ", "auth-trunc ", "aead "],
    pattern: /((?:enc|auth|auth-trunc|aead)\s[\w()-]{3,60}\s)(0x[0-9a-f]{16,512})(?=\s|$)/i,
  },
  {
    what: "OpenWrt's key of a wireless network",
    at: ["wireless."],
    pattern:
      /((?<=^[ \t]{0,8})wireless\.[\w@[\]-]{1,60}\.(?:key\d?|sae_password|auth_secret|acct_secret|priv_key_pwd2?)=)('[^'\n]{2,200}'|[^\s']{2,200})/m,
    when: isUnnamedSecret,
  },
  {
    what: "OpenWrt's key of a wireless network, in its file",
    at: ["option key", "option sae_password"],
    pattern:
      /((?<=config wifi-(?:iface|station)[^\n]{0,60}(?:\n[ \t]{1,8}\S[^\n]{0,100}){0,16}\n[ \t]{1,8})option (?:key\d?|sae_password) )('[^'\n]{2,200}'|"[^"\n]{2,200}")/,
    when: isUnnamedSecret,
  },
  {
    what: "a key that WireGuard dumps: an interface's private one",
    at: "^",
    pattern:
      /(^(?:[\w.=+-]{1,15}[ \t]{1,8})?)([\w+/]{43}=)(?=[ \t]{1,8}[\w+/]{43}=[ \t]{1,8}\d{1,5}[ \t]{1,8}(?:off|0x[\da-f]{1,8})[ \t]*\r?$)/m,
  },
  {
    what: "a key that WireGuard dumps: one shared with a peer",
    at: "^",
    pattern:
      /(^(?:[\w.=+-]{1,15}[ \t]{1,8})?[\w+/]{43}=[ \t]{1,8})([\w+/]{43}=)(?=[ \t]{1,8}(?:\(none\)|\S{1,64}:\d{1,5})[ \t])/m,
  },
  { what: "Sentry DSN", at: ["://"], pattern: /(:\/\/)([0-9a-f]{32})(?=(?::[0-9a-f]{32})?@)/ },
  {
    what: "signature or code in a query",
    at: ["?", "&"],
    pattern:
      /([?&](?:amp;)?(?:sig|signature|x-amz-(?:signature|credential|security-token)|x-goog-(?:signature|credential)|code|key|hmac|auth|ticket|assertion|oauth_\w{1,20}|invite|reset\w{0,10}|t)=)([^&\s"'#<>]{8,4000})/i,
    when: isRandom,
  },
  {
    what: "a login in a query",
    at: ["&p=", "&pw=", "&pwd="],
    pattern: /((?<=[?&](?:u|user|login|name|username)=[^&\s]{1,80})&p(?:wd?)?=)([^&\s"'#<>]{3,400})/i,
    when: isUnnamedSecret,
  },
  { what: "request signature", at: ["signature="], pattern: /(signature="?)([A-Za-z0-9+/=%]{20,600})/i },
  { what: "request credential", at: ["credential="], pattern: /(credential=)([A-Z0-9]{16,40})(?=\/)/i },
  {
    what: "Slack webhook",
    at: ["hooks.slack"],
    pattern: /(hooks\.slack(?:-gov)?\.com\/(?:services|workflows|triggers)\/)([\w/-]{12,200})/i,
  },
  { what: "Zapier webhook", at: ["hooks.zapier"], pattern: /(hooks\.zapier\.com\/hooks\/catch\/)([\w/]{6,100}\w)/i },
  {
    what: "an address that is a key: what it is for, then the drawn part",
    at: [
      "/hook",
      "/webhook",
      "/incoming",
      "/receiver",
      "/collector",
      "/input",
      "/intake",
      "/ingest",
      "/token/",
      "/key/",
    ],
    pattern:
      /((?<=:\/\/[^\s"'<>]{1,200})\/(?:(?:web)?hooks?|incoming|receivers?|collectors?|inputs?|intake|ingest|token|key)\/(?:[\w.-]{1,15}\/){0,3}?)([\w+/=%-]{20,600})(?![\w+/=%-])/i,
    when: (secret) => /\d/.test(secret) && isRandom(secret),
  },
  {
    what: "headers of a config, which are the same for each request",
    isOverLines: true,
    at: ["headers:"],
    pattern: /(headers:[ \t]*\n)((?:[ \t]{1,40}[\w-]{1,60}:[ \t][^\n]{1,600}(?:\n|$)){1,20})/i,
    each: /^[ \t]+([\w-]{1,60}):[ \t]+["']?([\w+/.~=-]{16,400})["']?[ \t]*$/m,
    when: (secret, name) => looksLikeKey(secret) && !/(?:^|[-_])(?:id|ids|etag|trace\w*)(?:[-_]\d)?$/i.test(name),
  },
  { what: "Discord webhook", at: ["/webhooks/"], pattern: /(\/webhooks\/)(\d{10,25}\/[\w-]{20,200})/i },
  {
    what: "Teams webhook",
    at: ["/webhookb2/", "/webhook/"],
    pattern: /(\/webhook(?:b2)?\/)(?=[^/\s]{1,80}@)([\w@/-]{20,400})/i,
  },
  {
    what: "Google Chat webhook",
    at: ["chat.googleapis.com"],
    pattern: /(chat\.googleapis\.com\/v1\/spaces\/[^\s?]{1,80}\?)([^\s"'<>]{20,400})/i,
  },
  { what: "Telegram address", at: ["/bot"], pattern: /(\/bot)(\d{6,12}:[\w-]{20,80})/i },
  {
    what: "Oracle address",
    at: ["jdbc:oracle:"],
    pattern: /(jdbc:oracle:\w{1,8}:[\w$#]{1,60}\/)([^\s@"']{1,128})(?=@)/i,
  },
  {
    what: "Go's database address",
    needs: ["@tcp(", "@unix(", "@udp(", "@("],
    pattern: /((?<![\w.-])[\w.-]{1,64}:)([^\s:@"']{1,128})(?=@(?:tcp|unix|udp)?\()/,
  },
  {
    what: "SMTP AUTH",
    at: ["auth plain ", "auth login ", "auth xoauth2 "],
    pattern: /(AUTH\s(?:PLAIN|LOGIN|XOAUTH2)\s)([A-Za-z0-9+/]{8,2000}={0,2})/i,
  },
  {
    what: "FTP PASS",
    at: ["pass"],
    pattern: /((?<=^|["']|[>\]:]\s{0,3}|quote\s)PASS\s)(\S{3,128}?)(?=\s*$|\\r\\n)/m,
    when: (secret) => !/^\(|[/]|\.[a-z]{1,5}$/.test(secret),
  },
  {
    what: "a login typed to FTP or a client of its kind",
    at: ["user "],
    pattern:
      /(user\s[\w.@-]{1,64}\s)([^\s"]{6,128})(?=[ \t]*\r?$)(?<=^(?:[\w .:~@/-]{1,40}> ?)?[ \t]{0,8}user\s\S{1,64}\s\S{1,128})/m,
    when: (secret) => isDrawnWord(secret) && isSpoken(secret) && !/^[\w-]+=|;$/.test(secret),
  },
  {
    what: "IMAP login",
    at: ["login "],
    pattern:
      /((?<=(?:^|\s)[\w.]{1,12}\s)LOGIN\s(?!ON\s|PASSWORD\s)(?:"[^"\n]{1,100}"|[^\s"]{1,100})\s)("[^"\n]{3,200}"|[^\s"]{3,200})/,
    when: isDrawnWord,
  },
  {
    what: "SMTP's answer to a prompt",
    isOverLines: true,
    at: ["334 ugfzc3dvcmq6"],
    pattern: /(334 UGFzc3dvcmQ6[^\n]{0,4}\n(?:[^\n]{0,40}\s)?)([A-Za-z0-9+/]{4,400}={0,2})(?=\s*$)/im,
  },
  {
    what: "Proxmox API token",
    at: ["!"],
    pattern: /((?<=[\w.-]@\w{2,20})![\w-]{1,40}=)([0-9a-f]{8}-[0-9a-f-]{27})/i,
  },
  {
    what: "a modem's command that signs in",
    at: ["at+", "at^", "at$", "at#", "at%"],
    pattern: /(at[+^$#%](?=\w{0,12}(?:auth|jap|cstt|cpin|cpwd|csgp|clck|usercfg|conn))\w{3,14}=)([^\n]{3,300})/i,
    each: /(?<=[,=])"([^"\n]{4,64})"/,
    when: (secret) => isDrawnWord(secret) || /^\d{4,8}$/.test(secret),
  },
  {
    what: "authenticator export",
    at: ["otpauth-migration:"],
    pattern: /(otpauth-migration:[^\s?]{0,40}\?data=)([^\s"'&]{8,4000})/i,
  },
  {
    what: "redis AUTH, typed",
    at: ["auth "],
    pattern: /((?<=(?:^|[>\]] ?|\n))AUTH\s(?:\w{1,64}\s)?)([^\s"]{3,256})(?=\s*$)/m,
    when: isUnnamedSecret,
  },
  {
    what: "a login that a RADIUS server tells",
    at: ["login incorrect", "login ok", "invalid user"],
    pattern: /((?:login\s(?:incorrect|ok)|invalid\suser)[^[\n]{0,80}\[[^\]/\n]{1,64}\/)([^\]\n]{3,128})(?=\])/i,
    when: (secret) => !secret.startsWith("<"),
  },
  {
    what: "redis AUTH",
    at: ["auth"],
    pattern: /(auth["']?\s{1,3}(?:"[\w.-]{1,64}"\s{1,3})?)("[^"\n]{3,256}")/i,
    when: isUnnamedSecret,
  },
  {
    what: "the seed of an authenticator's file",
    at: "^",
    pattern: /(^)([A-Z2-7]{16,128})(?=\r?\n" [A-Z_]{4,20})/m,
  },
  {
    what: "the scratch codes of an authenticator's file",
    isOverLines: true,
    at: ['" totp_auth', '" hotp_counter'],
    pattern: /(" (?:TOTP_AUTH|HOTP_COUNTER[^\n]{0,20})\r?\n)((?:\d{8}[ \t]*(?:\r?\n|$)){1,20})/i,
    each: /\d{8}/,
  },
  {
    what: "an address that lets in who has it: what it does, then the drawn part",
    at: ["/reset", "/verify", "/confirm", "/invit", "/activat", "/magic", "/recover", "/unsubscribe", "/set-password"],
    pattern:
      /((?<=:\/\/[^\s"'<>]{1,200})\/(?:reset|verify|verification|confirm|confirmation|invite|invites|invitation|invitations|activate|activation|magic|recover|recovery|unsubscribe|set)(?:[-_]?(?:password|email|link|account|token|login))?\/(?:[\w-]{1,15}\/)?)([\w+=%.-]{20,1000})(?![\w+=%/.-])/i,
    when: (secret) => /\d/.test(secret) && isRandom(secret),
  },
  {
    what: "Oracle's pre-authenticated request",
    at: ["/p/"],
    pattern: /((?<=objectstorage\.[^\s"'<>]{1,120})\/p\/)([\w-]{20,200})(?=\/n\/)/i,
  },
];

/** Lines of known files, SQL, pairs of name and value. */
/** Accounts that a system comes with: no service, device or state is called so. */
const ownAccount = /^(?:root|admin|administrator|sa|postgres|superuser|sysadmin|operator)$/i;

/** A string of JSON, and a plain member of an object. */
const json = String.raw`"(?:[^"\\\n]|\\.){1,4000}"`;
const member = String.raw`\s{0,40}"\w{1,30}"\s{0,4}:\s{0,4}(?:"[^"\n]{0,200}"|[\w.-]{1,20}|\[[^\]\n]{0,200}\])`;

export const fileRules: readonly Rule[] = [
  {
    what: "a value that its object marks as sensitive: Terraform's outputs, variables of CI",
    isOverLines: true,
    at: ['"sensitive"', '"is_sensitive"', '"issensitive"', '"masked"', '"secret"', '"is_secret"', '"issecret"'],
    pattern: new RegExp(
      String.raw`("\w{6,12}"\s{0,4}:\s{0,4}true,(?:${member},){0,6}\s{0,40}"(?:value|default)"\s{0,4}:\s{0,4})(${json}|\{[^{}]{1,4000}\}|\[[^[\]]{1,4000}\])`,
      "i",
    ),
    each: new RegExp(String.raw`(?:"\w{1,60}"\s{0,4}:\s{0,4})?(${json})`),
    when: isUnnamedSecret,
  },
  {
    what: "a value before the mark that it is sensitive",
    isOverLines: true,
    at: ['"value"', '"default"'],
    pattern: new RegExp(
      String.raw`("\w{5,7}"\s{0,4}:\s{0,4})(${json})(?=,(?:${member},){0,6}\s{0,40}"(?:is_?)?(?:sensitive|masked|secret)"\s{0,4}:\s{0,4}true\b)`,
      "i",
    ),
    when: isUnnamedSecret,
  },
  {
    what: "an entry of a ConfigMap as kubectl describes it",
    isOverLines: true,
    at: "^",
    pattern: /(^([A-Za-z][\w.-]{1,120}):\r?\n----\r?\n)([^\n]{2,2000})(?=\r?\n|$)/m,
    when: isNamedSecret,
  },
  {
    what: "the password of an account in quotes, as OpenVPN is told it",
    at: ['password "', "password '"],
    pattern: /((?<![\w-])password\s(?:"[\w -]{1,40}"|'[\w -]{1,40}')\s)(\S{4,256})(?=[ \t]*$)/m,
    when: isDrawnWord,
  },
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
      /(^(?:[\w.*-]|\\:){1,200}:(?:\d{4,5}|\*):(?:[\w*-]|\\[:\\]){1,64}:(?:[\w.*@-]|\\[:\\]){1,64}:)((?:[^\s\\]|\\[^\s]){3,256})(?=\s*$)/m,
  },
  {
    what: "a login to another host: the host, perhaps its port, an address that signs in, the secret",
    at: "^",
    pattern:
      /(^(?:[\w.*-]{1,100}|\[[\w.:-]{1,100}\])(?::\d{2,5})?(?::|[ \t]{1,8})[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,6}:)([^\s:/]{4,128})(?=(?::[a-z]{2,12})?[ \t]*\r?$)/m,
    when: (secret) => isDrawnWord(secret) && /\p{L}/u.test(secret),
  },
  {
    what: "a login to another host with a plain name",
    at: "^",
    pattern:
      /(^(?:(?:[\w-]{1,63}\.){1,6}[a-z]{2,20}|\d{1,3}(?:\.\d{1,3}){3})(?::\d{2,5})?:([A-Za-z][\w.-]{0,63}):)([^\s:/]{6,128})(?=(?::[a-z]{2,12})?[ \t]*\r?$)/m,
    when: (secret, login) =>
      isDrawnWord(secret) && (ownAccount.test(login) || isDrawnPassword(secret) || hasSignWithin.test(secret)),
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
    pattern:
      /((?<=[\w"][ \t]{1,8})\*\s{1,8})("[^"\n]{3,128}"|[^\s"*]{3,128})(?=[ \t]{1,8}(?:\*|\d{1,3}\.)\S{0,20}[ \t]*$)/m,
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
    each: /^[ \t]*(?!(?:default|max|min)[_-])[\w.@-]{1,64}[ \t]*[=:][ \t]*(\S{4,128})[ \t]*$/m,
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
  { what: "the PIN of a mailbox", at: "^", pattern: /(^\d{2,8}\s{0,3}=>\s{0,3})(\d{3,12})(?=,[A-Z][^,\n]{1,60},)/m },
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

const asked = ["password", "passwd", "passphrase", "passcode", ...foreignNames];
const told = [...asked, "pwd", "creds", "credential", "_auth"];

const others = ["token", "secret", "api key", "access key", "wifi key", "wi-fi key", "wlan key"];

/** A word of a sentence without what closes it; `"user:password"` has two. */
const wordInSentence =
  /(?<![!#$%&*+./\w;<=>?@\\\]^|}~-]|[!-~]["':])(?:"[\w.-]{1,40}:)?((?![("'])[!-~]{8,64}?)(?=["'”“»」）(),.;:!?]*(?:\s|[^ -~]|$))/u;

/** What people and programs say of a secret before they show it: sentences, codes that were sent, the word for a key. */
export const sentenceRules: readonly Rule[] = [
  {
    what: "codes to sign in with",
    isOverLines: true,
    at: ["code", "password"],
    pattern:
      /((?<=(?:scratch|recovery|backup|one[- ]time|emergency|single[- ]use)[\s_-])(?:codes|passwords)[^\n]{0,80}:?[ \t]*\r?\n(?:[ \t]*[-=]*\r?\n)?)((?:[ \t]*(?:[-*]\s|\d{1,2}[.)]\s{1,3})?[\w-]{4,40}(?:[ \t]{1,8}[\w-]{4,40}){0,4}[ \t]*(?:\r?\n|$)){1,30})/i,
    each: /(?<![\w-])(?=[a-z-]{0,30}\d)[\w-]{4,40}/i,
  },
  {
    what: "a code that was sent",
    at: ["code", "otp", "passcode", "pin "],
    pattern:
      /((?<=(?:verification|one[- ]time|2fa|mfa|security|login|confirmation|sign-in|sms|your|access)\s)(?:code|otp|passcode|pin)(?:\s(?!is)[\w#]{1,12}){0,4}(?:\sis:?|:)\s{1,3})(\d{3}[- ]?\d{1,5})(?!\d)/i,
  },
  {
    what: "a one-time password",
    at: ["otp", "one-time password", "passcode"],
    pattern: /((?<![a-z])(?:otp|one-time password|passcode)(?:\s[\w-]{1,20}){0,4}:\s{1,3})(\d{4,8})(?!\d)/i,
  },
  {
    what: "a code before its name",
    needs: [" is your "],
    pattern: /((?<![\w.])(?:[A-Z]-)?)(\d{4,8})(?=\sis\syour\s[^\n]{0,40}\b(?:code|otp|pin|passcode|password)\b)/,
  },
  {
    what: "credentials with a slash",
    at: ["creds", "credentials", "log"],
    pattern:
      /((?<![a-z])(?:creds|credentials|log(?:ged|ging)?\s?in)(?:(?:\s[^\s:=/]{1,24}){0,8}?(?:\s(?:are|is|with|as|of|for):?|:))?\s[\w.@-]{1,64}\s?\/\s?)([^\s/,;]{6,128})/i,
    // A host behind a protocol's name.
    when: (secret) => isSpoken(secret) && !/^[a-z\d-]+(?:\.[a-z\d-]+)+$/.test(secret),
  },
  {
    // In any language, with any words between them.
    what: "a drawn word in a sentence on a password",
    at: told,
    pattern: new RegExp(
      String.raw`((?:${told.map(RegExp.escape).join("|")})\p{L}{0,3}(?=[ ,，]|[^ -~]))((?:(?! {2})[^\t\n\\={}<>|;。]|;(?= )){8,120})`,
      "iu",
    ),
    each: wordInSentence,
    when: isDrawnInSentence,
  },
  {
    // Its names stand in logs too, before ids.
    what: "a word with a sign in its midst in a sentence on a secret",
    at: others,
    pattern: new RegExp(
      String.raw`((?<![A-Za-z])(?:${others.join("|")})(?= ))((?:(?! {2})[^\t\n\\={}<>|;。]|;(?= )){8,80})`,
      "iu",
    ),
    each: wordInSentence,
    when: (secret) => isDrawnInSentence(secret) && hasSignWithin.test(secret),
  },
  {
    what: "a secret on the line below",
    isOverLines: true,
    at: ["pass", "secret", "token", "api key", "access key", "credential"],
    pattern:
      /((?<![A-Za-z_-])(?:passwords?|passphrase|passcode|secret(?: key)?|token|api key|access key|credentials?)(?:[ \t][^\n:=]{1,120})?:[ \t]*\r?\n(?:[ \t]*\r?\n){0,2}[ \t]*(?:\$ |> )?)(?!<|[a-z]{1,30}(?:[._-][a-z\d]{1,30}){0,8}=[^=\s])([^\s:"'`{}[\]]{8,500})(?=[ \t]*\r?$)/im,
    when: isDrawnWord,
  },
  {
    what: "the answer to a question for a secret, in a conversation",
    isOverLines: true,
    at: asked,
    pattern: new RegExp(
      String.raw`((?:${asked.map(RegExp.escape).join("|")})[^\n]{0,120}[?？][ \t]*\r?\n(?:\[?\d{1,2}:\d\d(?::\d\d)?\]?[ \t])?(?:<[\w.-]{1,30}>|@?[\p{L}\w.-]{1,30}[:：])[ \t]{1,3})(\S{4,128})(?=[ \t]*\r?$)`,
      "imu",
    ),
    when: isSpoken,
  },
];

/** Words a line begins with in the configs of routers, switches and firewalls. */
const directive = String.raw`(?:set|ip|ipv6|crypto|neighbor|radius[\w-]*|tacacs[\w-]*|aaa|snmp[\w-]*|ntp|standby|vrrp|username|user|enable|ppp|isis|area|key|key-string|tunnel-group|ikev[12]|peer|server|server-private|wpa[\w-]*|local-user|super|protocols|security|authentication|bgp|vpn|(?-i:password|secret)|pre-shared-key|passphrase|shared-secret|edit|add|config|mgmt-user|group|host|auth-server|authentication-key|dot11|wlan|encryption|console|line|login|ipsec|xauth|l2tp|pptp|eap)`;

const secretWord = String.raw`(?:[\w-]{0,30}(?:password|passwd|passphrase|secret|psk)|pre-shared-(?:key|secret)|[\w-]{0,20}key|key-string|psksecret|md5|community|authentication(?=[ \t](?:text|md5)[ \t])|authentication-data|plain-text-password-value)`;

/** How the value is written: Cisco's types, Juniper's, Huawei's and Fortinet's words. */
const type = String.raw`(?:(?:0|[4-9]|1[05]|8a|ENC|encrypted|cipher|simple|hash|irreversible-cipher|plaintext|plain-text|text|ascii-text|ascii|hexadecimal|hex|local|remote|sha512|md5|scrypt)\s{1,3})`;

const isDrawnSecret = (secret: string): boolean => isDrawnWord(secret) && !/^[\w-]+=/.test(secret);

/** Behind a directive a name of two words is no keyword. */
const isChosen = (secret: string): boolean =>
  isDrawnSecret(secret) || (isUnnamedSecret(secret) && /^[A-Z][a-z]+(?:[-_.][A-Z][a-z]+)*$/.test(secret));

const words = ["pass", "secret", "psk", "key", "md5", "community", "authentication", "pre-shared", "plain-text"];

/** Network gear: `… key 7 0822455D`, `… password secret1` behind a directive. */
export const deviceRules: readonly Rule[] = [
  {
    what: "a secret with its type",
    at: words,
    pattern: new RegExp(
      String.raw`((?<![a-z])${secretWord}\s{1,3}(?:(?:\d{1,3}|read|write)\s{1,3})?${type}{1,2})("[^"\n]{3,300}"|[^\s"]{3,300})`,
      "i",
    ),
    when: isChosen,
  },
  {
    what: "a secret at the end of a directive",
    at: words,
    pattern: new RegExp(
      anyCase(
        String.raw`(?i:((?<![a-z])${secretWord}[ \t]{1,3})(?!${type})("[^"\n]{3,300}"|'[^'\n]{3,300}'|[^\s"]{3,300})(?=[ \t]*$|[ \t](?:address|role|encrypted|level|ro|rw|view|vrf|group|hostname|mode|md5|sha|\d{1,4}$))(?<=^[ \t]{0,20}(?:\S{1,60}[#>][ \t]?)?${directive}[ \t][^\n]{0,200}))`,
      ),
      "m",
    ),
    when: isChosen,
  },
  {
    what: "the key that a switch shares with the server of its logins",
    at: ["radius", "tacacs"],
    pattern: new RegExp(
      String.raw`((?<![\w-])(?:radius|tacacs)[\w-]*[ \t](?:[^\n]{1,100}[ \t])?key[ \t]{1,3}${type}?)("[^"\n]{3,300}"|[^\s"]{6,300})(?=[ \t]*\r?$)`,
      "im",
    ),
    when: isUnnamedSecret,
  },
  {
    what: "SNMP community of a host",
    at: ["snmp-server host "],
    pattern:
      /(snmp-server\shost\s\S{1,80}\s(?:vrf\s\S{1,40}\s)?(?:(?:traps?|informs?)\s)?(?:version\s(?:1|2c)\s)?)([^\s"]{4,80})/i,
    when: isDrawnSecret,
  },
  {
    what: "SNMP user",
    at: ["md5", "sha", "aes", "des", "3des", "priv 0x"],
    pattern:
      /((?<=\b(?:auth|priv|createUser)\b[^\n]{0,120}\s)(?:md5|sha|aes|des|3des)(?:[ -]?(?:128|192|224|256|384|512))?\s|priv\s(?=0x))("[^"\n]{6,128}"|[^\s"]{6,128})/i,
    when: isDrawnSecret,
  },
  {
    what: "Cisco secret without its type",
    at: ["enable ", "username "],
    pattern:
      /((?<=^[^\S\n]{0,4}(?:\S{1,40}[#>][^\S\n]?)?)(?:enable|username\s(?!and\s|or\s)\S{1,64}(?:\sprivilege\s\d{1,2})?)\s(?:secret|password)\s)([^\s,.:;]{4,128})(?=[^\S\n]*$)/im,
    when: isUnnamedSecret,
  },
  {
    what: "SNMP daemon's community",
    at: ["rocommunity", "rwcommunity", "com2sec"],
    pattern: /((?:r[ow]community6?|com2sec\s\S{1,40}\s\S{1,40})\s{1,4})(\S{4,128})/,
    when: (secret) => !/^(?:public|private|default)$/.test(secret),
  },
];
