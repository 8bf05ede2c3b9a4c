import { foreignWordIn } from "./languages.ts";
import { type NameKind, nameKind } from "./names.ts";
import { classCount, isDrawn, isDrawnPassword, isPublicId, isStandIn, isUuid, looksLikeKey } from "./randomness.ts";

const anyOf = (patterns: readonly RegExp[]): RegExp =>
  new RegExp(`^(?:${patterns.map(({ source }) => source).join("|")})[,;.]*$`, "is");

/** What stands where a secret would: masks, variables, templates, references, "not shown". */
const placeholder = anyOf([
  /[*•●xX.\-_#?]{3,}/,
  /\*+/,
  /<[^<>]{0,80}>[;,]?|<[A-Za-z][\w .-]{0,80}/,
  /["']\$\w{1,80}["']?/,
  /[#.](?:[a-z]+-){1,5}(?:pass(?:word)?|pwd|token|secret|key)|[a-z][\w.-]{1,20} (?:get|show|read|print|cat)\b.*/,
  /(?:0{8}-)(?:0{4}-){3}0{12}/,
  /\[[A-Za-z _*-]{0,40}\]/,
  /\(?(?:sensitive(?: value)?|known after apply|redacted|hidden|masked|filtered|removed|omitted|secret|not set|unset|none|empty|set|unchanged|default)\)?/,
  /[*_#~!<>[\](){}-]{1,6}(?:redacted|masked|hidden|filtered|removed|omitted|secret|sensitive|protected|masqué|caché|ocult[oa]|verborgen|ausgeblendet|versteckt|maskiert|nascosto|скрыто|ukryte)[*_#~!<>[\](){}-]{1,6}|\*{2,6}(?:redacted|masked|hidden|filtered|removed)/,
  /未設定|未设置|未設置|не задан[оа]?|nicht gesetzt|non défini|no definid[oa]|niet ingesteld|nie ustawiono|não definid[oa]|미설정/,
  /(?:null|nil|none|undefined|void 0|true|false|yes|no|on|off|nan|string|str|text|bytes?|required|optional|enabled|disabled|always|never|on_create|read|write|n\/a|todo|tbd)/,
  // What a parser calls a token, a type, a unit of time.
  /(?:any|unknown|object|number|integer|symbol|keyword|identifier|literal|operator|punctuation|eof|(?:milli|micro)?seconds?|minutes?|hours?|days?|weeks?|months?)/,
  // Types.
  /(?:&(?:'\w{1,20} )?(?:mut )?|\*|\[\]|\[)+(?:str|String|string|u8|bytes?|char|rune|int)(?:; \d+)?\]?[,;)]?|(?:Secret|Protected|Secure|Sensitive)(?:String|Str|Vec|Box|Bytes|Value|Param)(?:<\w+>)?[,;)]?/,
  // A field's tags in Go: `env:"NAME,required" yaml:"name"`.
  /(?:[a-z]\w{0,20}:"[^"\n]{0,100}" ?){1,6}/,
  // What helm shows of a Secret's value: its size.
  /[-+*]{4,} # \(\d+ bytes\)/,
  // A token's kind, and the rest of it under stars.
  /[a-z]{2,8}[_-]\*{3,}/,
  // Public by their form: ids of vulnerabilities, age's recipients, NATS' public keys, a chain's addresses, what only a cluster's controller can open.
  /(?:CVE|RUSTSEC|PYSEC)-\d{4}-\d{2,7}(?:-\d)?|age1[a-z\d]{58}|[ACNOUX][A-Z2-7]{55}|Ag[A-D][A-Za-z\d+/]{200,}={0,2}|0x[\da-f]{40}|hmac-sha\d{3}:[\da-f]{40,128}/,
  /[-=+?]?[$%]\$?\{[A-Za-z_][\w.:?+/ -]*\}?|[-=+?]?\$\([\w ./<$-]*\)?|[{([]{1,2}[\w\s:,./'"$-]*[})\]]{1,2}|[\w.]{1,40}\([\w\s$.,'":[\]-]*\)|[A-Za-z_.:!?$]{1,60}[([{]+/,
  /\$(?:\w{1,10}:)?[A-Za-z_]\w*/,
  /\$\d{1,2}|[:?]\w*/,
  /[A-Z][A-Za-z]{1,20}[[<](?:[\w\s,.<>[\]?|]*[>\],])?|(?:[A-Z][a-z]+){1,5}\{[0-9a-f]{5,16}\}?|(?:[a-z]\w*\.){1,6}[A-Z]\w*@[0-9a-f]{1,8}:?/,
  /(?:com|org|net|io|java|javax|android)(?:\.\w+){2,8}(?:\/\d+)?:?|System(?:\.[A-Z]\w+){1,4}/,
  /\$\{\{.*/,
  // A request's line, a file of a key, a row's key as databases tell it: `(id)=(42)`.
  /(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS) \/\S*(?: HTTP\/[\d.]{1,3})?/,
  /[\w.-]{1,80}\.(?:pem|crt|cer|key|p12|pfx|jks|asc|gpg)/,
  /\([\w ,."]{1,120}\)=\([^\n]{0,200}\)/,
  /%[A-Za-z_]\w*%|%[a-z]+\([\w:.-]+\)%|%~?\d/,
  // What came of a check of that name.
  /(?:PASS|FAIL|SKIP|OK|ERROR)(?:ED)?(?: \([^()]*\))?/,
  /%\(?\w*\)?[sdv]|%[-+# 0]?\d{0,3}(?:\.\d{1,2})?[a-zA-Z]/,
  /(?:your|insert|enter|replace)[-_ ][\w -]{0,60}/,
  /change[-_ ]?(?:me|this|it)/,
  /(?:[A-Za-z]{2,10}[_-]){0,4}(?:\.{3,6}|…)/,
  /(?:process\.env|os\.(?:environ|getenv)|env|ENV|System\.getenv|getenv|lookup|file|var|local|data|module|vars|config|settings|self|this|args|opts|options|params)[.([].*|os\.environ\/\w+/,
  /(?:(?:vault|ssm|arn|op|file|env|secretsmanager|gcp-?sm|awssm|ref\+\w+):.{0,2}|projects\/)[\w/.:$#-]*/,
  // A store's own address of a secret; the web's may hold one.
  /(?!https?:|wss?:|ftps?:|ssh:)[a-z][a-z\d+.-]{1,30}:\/\/[\w/.{}$#?=&%-]*/,
  /value_?from:?|secret_?key_?ref|(?:secret|config_?map)_?ref/,
  /[A-Z]\w{0,30}(?:::\w{1,40}){1,6}/,
  /(?:String|SecretStr|Int|Float|Boolean|ID|CharArray|ByteArray|SecureString|SecretBytes)[!?\]]{0,3}/,
  /[A-Z]:\\[\w\\.-]+/,
  /[\w.-]{1,64}:\/(?:run|etc|var|opt|srv|home)\/[\w.@/-]*/,
  /(?:New|Get|Read|Import|ConvertTo|ConvertFrom|Invoke|Select|Unprotect)-[A-Z]\w{2,40}/,
  // A package's version or range, its terms of use; a protocol's; an algorithm.
  /(?:[\^~]|[<>]=?)\d+(?:\.\d+){0,3}(?:-[\w.]+)?|(?:\d:)?v?\d+(?:\.\d+){1,4}(?:[-+~.](?:[a-z]{1,8}\.?\d{0,4}|\d{1,4})){0,6}/,
  /[A-Z]{2,8}\/\d(?:\.\d)?/,
  /(?:argon2(?:id|i|d)?|bcrypt|scrypt|yescrypt|pbkdf2|scram|hmac|aes|chacha20|x?salsa20|[hrep]s\d{3}|eddsa|ed25519|rsa|ecdsa)(?:[-_](?:sha)?[-_]?\d{1,4}|[-_](?:sha|gcm|cbc|ctr|poly1305|hmac|ed25519)){0,4}/,
  /(?:[AL]?GPL|BSD|MPL|Apache|CC|EPL|EUPL|GFDL|OFL|PSF|Artistic)(?:[-_ ]?v?\d(?:\.\d)*\+?)?(?:[-+][a-z\d.]{1,20}){0,4}/,
  /[|>][-+]?\d?/,
  /![A-Za-z][A-Za-z_]{1,30}(?: .*)?|!(?:env|include|ref|reference|secret|sops|ssm|vault)(?:[-/:][a-z]+){1,4}(?: .*)?/,
  // A command with its flag.
  /(?:aws|az|bash|bw|cat|chamber|curl|docker|echo|gcloud|gopass|head|kubectl|lpass|op|openssl|pass|printf|python3?|secret-tool|security|sh|sops|ssh|sudo|vault)(?: [\w.:/=-]+){0,6} -{1,2}[a-z][\w-]*(?: .*)?/,
  /\d+(?:\.\d+)? ?(?:bytes?|b|kb|mb|ms|s|m|h|d|days?|hours?|minutes?|seconds?|chars?|characters)/,
]);

/** What begins like a template, a call or a list, and may be a password's beginning too. */
const opening = anyOf([
  /(?:~|\.{1,2})?\/[\w.@/-]*/,
  /&lt;.{0,80}/,
  /#\{.*|\\{1,3}\$[A-Za-z_].*/,
  /\$\$?\{[^}]*\}?.*|%\{[^}]*\}?/,
  /\$\(.*/,
  /\$(?:\w{1,10}:)?[A-Za-z_]\w*(?:\[|->|::|\.|\/).*/,
  /[\w.:/-]{0,80}\{\{.*/,
  /@\S*|\*[A-Za-z]\w*/,
  /[{[(].*/,
  /[A-Za-z_]\w{0,40}\[[\w:,.+ -]{0,60}\]?.*/,
  // Behind a call's bracket no word goes on.
  /(?!ENC\(|[\w.]{1,60}\([^()]*\)\w)(?:(?:[\w.]|::){1,60}\(.*|[A-Za-z_]{1,40}(?:(?:[?!]?\.|::|->)[A-Za-z_]{1,40}){0,6}[!?]?\([^()]*\).*)/,
]);

/** Brackets in a place that holds no code are a password's own, but for a stand-in in one pair of them and a template's. */
export const withoutBrackets = (value: string): string =>
  /^(?:[[(<{][^\])>}]*[\])>}]|[$%][{(].*|%[a-z]+\([^()]*\)%|\{\{.*|.*\[REDACTED\].*)$/.test(value)
    ? value
    : value.replace(/[()[\]{}<>]/g, "-");

/** Words that say how it went with a secret, where a log says `token: expired`. */
const verdictWord =
  /^(?:expired|needs?|needed|minimum|maximum|length|line|sorry|rejects|expires|begins|drops?|requires|sends|specifies|uses|invalid|incorrect|missing|required|rejected|accepted|denied|failed|failure|wrong|unknown|not|is|was|has|cannot|can't|could|must|should|unable|error|ok|success|successful|valid|verified|refreshed|rotated|updated|changed|created|deleted|revoked|generated|empty|ignored|skipped|authentication|authenticated|for|from|the|a|an|and|or|of|in|to|with|prompt|reset|basic|bearer|oauth2?|ldap|saml|kerberos|md5|sha-?\d*|too|shorter|longer|bcrypt|plain|rotation|policy|opaque|available|await|new|async|function|return|pending|found|loaded|using|used|set|per|at|on)\b[.,:!]?$/i;

/** A usage text's own word for the value: `--token TOKEN`. */
const isMetavariable = /^[A-Z_-]*(?:PASS|TOKEN|SECRET|KEY|VALUE|STRING|CREDENTIAL)[A-Z_-]*\]*$/;

const base64Certificate = /^LS0tLS1CRUdJTiB(?:DRVJUSUZJQ0FURS|QVUJMSUMgS0VZ)/;

/** etcd and its like tell keys in base64: a path opens nothing. */
const isEncodedPath = (word: string): boolean =>
  /^L[0-9w-z]/.test(word) && /^\/[\w./-]+$/.test(Buffer.from(word.slice(0, 512), "base64").toString("latin1"));

/** Whether the value of a name of this kind is a secret, rather than a stand-in or a harmless word. */
export function isSecretValue(value: string, kind: NameKind): boolean {
  const sample = value.slice(0, 512).trim();
  const firstWord = /^\S*/.exec(sample)?.[0] ?? "";
  if (
    sample.length < 2 ||
    // A number of one repeated digit may be a PIN.
    (isStandIn(sample) && !/^\d+$/.test(sample)) ||
    placeholder.test(sample) ||
    (opening.test(sample) && !isDrawnPassword(sample)) ||
    isMetavariable.test(sample) ||
    verdictWord.test(firstWord)
  )
    return false;
  if (isTranslation(sample)) return false;
  if (/^(?:ssh-(?:rsa|ed25519|dss)|ecdsa-sha2-\S+)(?: |%20)AAAA/.test(sample) || base64Certificate.test(sample))
    return false;
  if (kind === "likely")
    return firstWord.length >= 8 && /\d/.test(firstWord) && /[A-Za-z]/.test(firstWord) && isDrawn(firstWord);
  if (kind === "identifier") return firstWord.length >= 24 && classCount(firstWord) >= 3 && looksLikeKey(firstWord);
  // ZooKeeper's and kernels' sessions and keys are numbers.
  if (kind === "weak" && (isEncodedPath(firstWord) || /^0x[0-9a-f]{1,16}\b/i.test(firstWord))) return false;
  if (kind === "weak" && ofWordsAndDigest.test(firstWord)) return false;
  if (kind === "weak")
    return (
      (isUuid(firstWord) && !isStandIn(firstWord)) ||
      looksLikeKey(lastPart(firstWord.slice(0, 200).replace(/[,;]$/, "")))
    );
  return true;
}

/** A cache's key ends with the digest of what it was made from: `Linux-node-22-b6faae29…`. */
const ofWordsAndDigest = /^(?:[A-Za-z][A-Za-z\d._]*-){1,8}(?:\d[\w.]*-)*(?:[\da-f]{32}|[\da-f]{40}|[\da-f]{64})$/;

/** A key's own secret half behind its drawn number: `AAAAxYz1234:APA91b…`; all of any other value. */
const lastPart = (key: string): string => {
  const [, number = "", secret = key] = /^([\w-]{6,24}):([\w-]{24,})$/.exec(key) ?? [];
  return /\d|[a-z][A-Z]|[A-Z]{2}[a-z]/.test(number) && !isPublicId(key) ? secret : key;
};

/** The word for a secret in another language: a label or a translation of its name. */
const isTranslation = (value: string): boolean =>
  /^[\p{L} ’'¿?¡!.（）-]+$/u.test(value) &&
  !/[a-z][A-Z]/.test(value) &&
  (foreignWordIn(value) || (/ /.test(value) && value.split(" ").some((word) => nameKind(word) === "strong")));

/** A word, a number, a name of several: what people and programs call things. */
const plainPart =
  /^(?:v?\d{1,6}(?:\.\d{1,6}){1,3}(?:[-.][A-Za-z]+\d*)*|[a-z]+|[A-Z]{1,4}|[A-Z][a-z]+(?:[A-Z][a-z]+)*|\d{1,10}|[a-z]+\d{0,3}(?:[_.-][a-z\d]{1,12})*)$/;

/** `default/Pod/x`, `user:42:cart`: the key or token of a store's entry, unless it is drawn or a person's password. */
export const isIdentifier = (name: string, value: string): boolean =>
  /[/:]/.test(value) && !/pass|pwd|pw$/i.test(name) && value.split(/[/:]/).every((part) => plainPart.test(part));

/** Numbers under names like `token` count something; under `password` they are one. */
export const isCount = (name: string, value: string): boolean =>
  /^-?\d{1,7}(?:\.\d+| of \d+)?$/.test(value.trim()) &&
  (value.trim().length < 4
    ? !(/pass.|pwd|secret/i.test(name) || (/(?:^|[_ -])pin$/i.test(name) && /^\d{3}$/.test(value.trim())))
    : !/pass|pwd|pin|pw$|secret|code/i.test(name));

const host = String.raw`(?:(?:[a-z\d](?:[a-z\d-]*[a-z\d])?\.)+[a-z][a-z-]*[a-z]|localhost|\d{1,3}(?:\.\d{1,3}){3})`;

/** Ports, counts, switches, times, sizes, hosts: a wrong one is often the fault that is looked for. */
const plainSetting = new RegExp(
  String.raw`^(?:\d{1,6}(?:ms|[smhd]|[KMG]i?B?)?|true|false|yes|no|on|off|(?:[a-z][a-z\d+]{1,20}:\/\/)?${host}(?::\d{1,5})?\/?)$`,
  "i",
);

export const isPlainSetting = (value: string): boolean => plainSetting.test(value);

/** What base64 says; nothing where it is none. */
export function decodedText(written: string): string {
  const decoded = Buffer.from(written, "base64");
  const isBase64 = decoded.toString("base64").replace(/=+$/, "") === written.replace(/=+$/, "");
  return isBase64 ? decoded.toString("latin1").trim() : "";
}

/** Dates, ages, sizes, counts of things and of changed lines, kinds of objects. */
const plain =
  /^(?:\d{4}-\d\d-\d\d.*|\d+ [+-]+|\d{1,2}[./]\d{1,2}[./]\d{2,4}.*|\d+ ?(?:[smhdwy]|[kmgt]i?b|%)|\d+ [a-z]{3,}(?: [a-z]+)*|\d+\/\d+|(?:[a-z\d-]+\.)+(?:io|com|org|net)(?:\/[a-z-]+)?|\(\d+ rows?\)|never|today|yesterday|running|pending|(?:not )?(?:set|null|changed|found))$/i;

export const isPlainWord = (word: string): boolean => plain.test(word);
