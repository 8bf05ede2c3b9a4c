import { foreignWordIn, isBesideBefore, isBesideForeign, isState, keyContents } from "./languages.ts";
import { isHarmless, type NameKind, nameKind } from "./names.ts";
import {
  classCount,
  entropy,
  isDrawnPassword,
  isOfNames,
  isPublicId,
  isUuid,
  looksLikeKey,
  looksRandom,
} from "./randomness.ts";
import { isUnderId } from "./tables/cells.ts";
import { isCount, isIdentifier, isPlainWord, isSecretValue, withoutBrackets } from "./values.ts";

/** Where a reader saw a name and its value. */
export type Place =
  /** A sign stands between them: `name = value`, `name: value`, `<name>value</name>`, `-name value`. */
  | "setting"
  /** Two literals or members of one object: `("NAME", "value")`, `{name: NAME, value: …}`, columns of a record. */
  | "member"
  /** A program showed its own data, as PHP's print_r does: brackets and dollars are the value's own. */
  | "printed"
  /** A config's or device's line: the name, perhaps its type, the value. */
  | "directive"
  /** A sentence or a label of several words says the value. */
  | "sentence"
  /** The value stands on the name's line, or alone below it, and nothing else ties them. */
  | "near";

/** A name and what stands in its value's place: offsets into the text. */
export type Pair = {
  readonly name: string;
  readonly kind: NameKind;
  readonly nameAt: number;
  readonly start: number;
  readonly end: number;
  /** Where the value begins with its quote. */
  readonly at: number;
  readonly from: Place;
};

/** How much of a value decides. */
const peek = 512;

/** Whether what stands in a name's place is a secret: what the name says, what kind of thing the value is, and where both stand. */
export function isSecret(text: string, pair: Pair, isLine: boolean): boolean {
  const { name, kind, start, end, from } = pair;
  const value = text.slice(start, Math.min(end, start + peek));
  if (
    !isSecretValue(from === "printed" || isOpen(text, pair) ? withoutBrackets(value) : value, kind) ||
    isCount(name, value) ||
    isReference(name, value) ||
    isLabelled(text, pair.at) ||
    isBeside(text, pair, value) ||
    isCode(text, pair, value) ||
    isNameOfSecret(name, value) ||
    isState(value)
  )
    return false;
  if (/[^ -~]/.test(value) && /(?:token|api_?key|access_?key|credentials?)$/i.test(name)) return false;
  // A signed request's scope; a rule of its own takes the id before it.
  if (/^credential$/i.test(name) && text[pair.at - 1] === "=" && /^[A-Z\d]{16,40}\/\d{8}\/[\w-]+\//.test(value))
    return false;
  // A psql variable: `PASSWORD :'name'`.
  if (
    /^password$/i.test(name) &&
    /\s:$/.test(text.slice(pair.at - 2, pair.at)) &&
    text[pair.at] === "'" &&
    /\b(?:alter|create)\s+(?:user|role)\b/i.test(text.slice(Math.max(0, pair.nameAt - 200), pair.nameAt))
  )
    return false;
  // A translation of the name, or a field that is set from a variable of its name.
  const own = name.replace(/^.*[-_.]/, "");
  if ((value === own.charAt(0).toUpperCase() + own.slice(1) || value === own.toUpperCase()) && own !== value)
    return false;
  if (/[_-]|[a-z][A-Z]/.test(value) && plainName(value) === plainName(name)) return false;
  if (value.replace(/;$/, "") === own && /^(?:[a-z]|this|self|req|obj)\.\w+$/.test(name)) return false;
  // A sentence says the name once more: `Jwt: Jwt expired at …`.
  if (value.toLowerCase() === own.toLowerCase() && /^ [a-z]{2,}/.test(text.slice(end, end + 4))) return false;
  // Tables and lists are called after them, not one of them: `'passwords' => 'users'`.
  if (/^(?:passwords|tokens|secrets)$/i.test(name) && /^[a-z]+(?:_[a-z]+)*$/.test(value)) return false;
  if (isOfOtherName(name, text.slice(pair.nameAt + name.length, pair.at))) return false;
  // OpenPGP's id of a key.
  if (/sign|gpg|pgp/i.test(name) && /^(?:0x)?(?:[\dA-F]{16}|[\dA-F]{40})$/.test(value)) return false;
  // A store's own key: `cache:token:ttl`.
  if (
    /\w:$/.test(text.slice(pair.nameAt - 2, pair.nameAt)) &&
    pair.at === pair.nameAt + name.length + 1 &&
    /token|key|session/i.test(name) &&
    /^[a-z]+$/.test(value)
  )
    return false;
  // Nor several words of a sentence, nor a variable of code: `"X-CSRF-Token": csrf }`.
  if (isSaidOrNamed(text, pair, value)) return false;
  // A token is drawn, never one word, nor a currency's sign.
  if (/token$/i.test(name) && /^(?:\p{Lu}\p{Ll}+|[A-Z]{2,6})$/u.test(value)) return false;
  if (sentence.test(text.slice(start, start + 200)) || isWritten(text, pair)) return false;
  if (foreignWordIn(name) && isSaidOf(text, pair, value)) return false;
  // A usage text's own word for the value: `--password=password`.
  if (
    value.toLowerCase() === own.toLowerCase() &&
    /(?:^|[\s,[])-{1,2}[\w-]*$/.test(text.slice(Math.max(0, pair.nameAt - 40), pair.nameAt))
  )
    return false;
  // A session or ticket by its number is no key.
  if (kind === "weak" && isUuid(value) && !/(?:key|pat|auth|api)$/i.test(name)) return false;
  // BGP's communities have names; SNMP's are one word.
  if (
    /community$/i.test(name) &&
    /^(?:no-(?:export|advertise|peer)|local-as|internet|blackhole)|\s/i.test(value.trim()) &&
    text[end] !== text[start - 1]
  )
    return false;
  // An option of the option's: `"--password", default=os.environ.get(…)`.
  if (from === "setting" && optionOf.test(value) && text[pair.nameAt - 1] === "-") return false;
  // XML's `<add key="name" value="…">`.
  if (kind === "weak" && /^["']\s{1,4}value=/.test(text.slice(end, end + 12))) return false;
  switch (from) {
    case "setting":
      return (
        !(isLine ? isReport(value) : isProse(text, pair)) &&
        !isManual(text, pair) &&
        !isOfFile(text, pair, value) &&
        !isVerdict(name, value) &&
        !isTyped(text, pair) &&
        !isCompared(text, pair, value)
      );
    case "member":
      return (
        (!/^-{1,2}[a-z]/i.test(value) || isDrawnPassword(value)) &&
        !isListed(text, pair, value) &&
        !(nameKind(value) !== undefined && /^[a-z]+(?:[_.-][a-z]+)*$/i.test(value))
      );
    case "printed":
      return !/^(?:Array|[\w\\]+ Object)$/.test(value);
    case "directive":
      return isDirective(text, pair, value);
    case "sentence":
      // `creds are user/secret`: a rule of its own takes what stands behind the slash.
      if (/^cred/i.test(name) && /^[\w.@-]{1,64}\/[^\s/]/.test(value)) return false;
      return (
        (isQuoted(text, pair) && !isReported(text, pair) && !isFar(text, pair)) ||
        isToldCode(text, pair, value) ||
        (isSpoken(value) && !domainName.test(value)) ||
        isSaidPassword(text, pair, value)
      );
    case "near":
      return (isKeyBehindWord(text, pair, value) || isPasswordBehindWord(text, pair, value)) && !isUnderId(text, start);
  }
}

const optionOf =
  /^(?:default|help|type|dest|action|required|metavar|nargs|const|choices|env(?:var)?|prompt|hide_input|is_flag)=/;

/** What no token, key or cookie is. */
const isSaidOrNamed = (text: string, { name, start, end, at }: Pair, value: string): boolean =>
  /(?:token|key|cookie|jwt)s?$/i.test(name) &&
  ((/^\p{L}+(?: [\p{L}'’-]+){2,}[.,!]?$/u.test(value) && value.match(joining) !== null) ||
    (start === at &&
      /^["']: $/.test(text.slice(at - 3, at)) &&
      /^[a-z][A-Za-z]{1,20}$/.test(value) &&
      /^(?:,| ?\})/.test(text.slice(end, end + 2))));

/** A word behind the name may make another of it: `token address: 0x…`. */
export const isOfOtherName = (name: string, behind: string): boolean => {
  const [, word] = /^( [A-Za-z]{2,14})[ \t]{0,40}[:=](?=\s|$)/.exec(behind) ?? [];
  return word !== undefined && nameKind(name + word) === undefined && isHarmless(name + word);
};

/** What is told of a secret, not the secret: its policy in words, the number of a token in a log, a store's parts of a flag. */
const isBeside = (text: string, { name, nameAt, start, at }: Pair, value: string): boolean =>
  (/pass|pwd/i.test(name) || foreignWordIn(name)
    ? (isBesideForeign(name) ||
        isBesideBefore(text.slice(Math.max(0, nameAt - 40), nameAt)) ||
        isBesideBefore(name.replace(/[_-]\p{L}+$/u, " "))) &&
      // Behind more words it is who did it: `Passwortänderung erfolgreich: …`.
      !value
        .split(/\s+/)
        .some(
          (word) =>
            isDrawnPassword(word) ||
            (isSpoken(word) &&
              (!hasLetter.test(text.slice(nameAt + name.length, at)) ||
                (hasSignWithin.test(word) && !word.includes("@")))),
        )
    : /^[a-z]{1,5}-\d{1,6}(?![\w.-])/.test(value) &&
      (text[at - 1] === ":" || (text[at - 1] === "=" && /^(?:token|session|key)$/.test(name)))) ||
  (/^secrets?$/i.test(name) && ofBuild.test(text.slice(start, start + 200)));

const hasLetter = /\p{L}/u;

/** What `docker build --secret` is told of one: `id=npm,src=.npmrc`. */
const ofBuild =
  /^(?:id=[a-z-]{1,40}(?:\s|$)|(?:id|type|source|src|target|name|env)=[^\s,]{1,120},(?:id|type|source|src|target|name|env|mode|uid|gid|required)=)/;

/** Code that holds the name and not the value: a typed call, an argument of its own name, a bound attribute. */
function isCode(text: string, { name, nameAt, start, end, at }: Pair, value: string): boolean {
  if (start === at && text[start - 1] === " " && typed.test(text.slice(start, start + 160))) return true;
  const before = text.slice(Math.max(0, start - 80), start);
  // `from_str::<Token>(…)` is no element of XML.
  if (text[start] === "(" && /[\w:.]<$/.test(text.slice(Math.max(0, nameAt - 2), nameAt)) && before.endsWith(">"))
    return true;
  if (/[\w>]>\(["'\x60]$/.test(before) && /^[a-z]+(?:[_.:-][a-z]+)*$/i.test(value) && nameKind(value)) return true;
  // A variable of the member's own name: `Session{Token: token}`, `f(secret=secret)`, `session[:token] = token`.
  const beforeName = text.slice(Math.max(0, nameAt - 2), nameAt);
  if (
    isLastOf(value.replace(/[),;}]+$/, ""), name) &&
    (/\s:$/.test(beforeName) || (start === at && /(?:[(,{]\s?|\[:)$/.test(beforeName)))
  )
    return true;
  if (start === at && isExpression(text, nameAt, start, end)) return true;
  // A node of a syntax tree: `token: Identifier("password")`.
  if (/: [A-Z][a-z]\w*\(["'\x60]$/.test(before) && nameKind(value) !== undefined) return true;
  return (
    /\s:$/.test(text.slice(at - 2, at)) && /^[a-z][A-Za-z.-]*=$/.test(value) && /^["']/.test(text.slice(end, end + 1))
  );
}

/** Behind a declaration, or a member of an object, code has no value without quotes: `const token = nextToken;`, `token: user.token }`. */
function isExpression(text: string, nameAt: number, start: number, end: number): boolean {
  const written = text.slice(start, Math.min(end, start + peek));
  const value = written.replace(/[),;}\]]+$/, "");
  if (!/[=:?] $/.test(text.slice(start - 2, start)) || !expression.test(value) || isDrawnPassword(value)) return false;
  const before = text.slice(Math.max(0, nameAt - 160), nameAt);
  if (declaration.test(before.slice(before.lastIndexOf("\n") + 1))) return true;
  return (
    /[a-z][A-Z]|_|\./.test(value) &&
    nameKind(value) !== undefined &&
    isOfNames(value) &&
    (written !== value || /^(?: ?[,;)}\]]| \?\?)/.test(text.slice(end, end + 3)))
  );
}

const expression = /^[@$%&]?[A-Za-z_]\w*(?:$|[.([{?!]|->|::)/;

const declaration =
  /^\s*(?:[-+]\s?\s*)?(?:(?:export|declare|public|private|protected|static|final|readonly)\s+)*(?:const|let|var|my|our|val)\s[^=;]{0,80}$|(?<![\w.])(?:this|self|exports)\.(?:\w+\.){0,3}$/;

/** The last words of a name, or all of them: `access_token=token`. */
const isLastOf = (word: string, name: string): boolean =>
  word.length > 2 && (plainName(name) === plainName(word) || new RegExp(`[_-]${RegExp.escape(word)}$`, "i").test(name));

const plainName = (name: string): string => name.replace(/[_-]/g, "").toLowerCase();

/** `ref<string>(`, `from_str::<Token>(`, `Ref<string>`, `z.string().min(`. */
const typed =
  /^(?:(?:string|number|boolean|bool|any|unknown|[A-Z]\w{0,40})(?:\[\])?(?: \| (?:string|number|boolean|null|undefined|[A-Z]\w{0,40})(?:\[\])?){1,6}(?:[;,)=]|\s|$))|^(?:await )?(?:[A-Za-z_$][\w$.?!:]{0,60}<(?:[A-Z{[]|(?:string|number|boolean|bool|any|unknown|void|null|object|bigint|char|byte|int|str|float|double|[iu]\d{1,3})\b)(?:[\w ,.|&?[\]<{}:;]|=?>){0,100}>(?:::)?\w{0,40}!?\(|[A-Z]\w{0,40}<[A-Za-z][\w ,.|&<>[\]'"]{0,80}>(?:[\s;,)=]|$)|[A-Z]\w{0,40}\[[A-Z][\w ,.|&[\]()]{0,80}\](?:[\s;,)=]|$)|[A-Za-z_$][\w$.]{0,60}\(\)\.[a-z]\w{0,40}\()/;

/** A call goes on behind a bracket or comma, or closes: a word with a bracket in it that ends its line is none. */
const isOpen = (text: string, { start, end }: Pair): boolean =>
  !/^[a-z_.]+\([a-z_.]*$/.test(text.slice(start, end)) &&
  /^[\w.:]{1,60}\([^()\s]{0,80}[^()\s,]$/u.test(text.slice(start, Math.min(end, start + 160))) &&
  /^[ \t]*(?:\r?\n|$)/.test(text.slice(end, end + 40));

/** Spanish marks where a question or call begins, and says it in words. */
const sentence = /^[¿¡]\p{L}+,?(?: [\p{L}’'"«»-]+[,;:]?)+\.{0,3}[?!]/u;

/**
 * A text for people, which has a word that no passphrase has: a Japanese phrase about secrets, or a translation, quoted under a dotted name,
 * with a place or a word of one or two letters.
 */
function isWritten(text: string, { name, nameAt, start, end, at }: Pair): boolean {
  const value = text.slice(start, Math.min(end, start + 200)).trim();
  if (
    /^[!-~]+$/.test(name) &&
    /^(?=.*\p{Script=Han}\p{Script=Hiragana})[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー、。！？]{4,}$/u.test(
      value,
    )
  )
    return true;
  return (
    text[at] === '"' &&
    (name.includes(".") || text[nameAt - 1] === ".") &&
    /\{\w*\}| \p{Ll}{1,2} /u.test(value) &&
    /^\p{Lu}[\p{Ll}’']*(?: [\p{Ll}’'{}]+[,;:]?)+[.!?…]?(?: \p{Lu}[\p{Ll}’'{} ,]*[.!?…])*$/u.test(value)
  );
}

/** `token validation failed: "exp" claim …`: the sentence goes on behind a short word, and tells what became of the secret. */
const isReported = (text: string, { name, nameAt, start, end, at }: Pair): boolean =>
  /^[a-z]{2,5}["'] [a-z]/.test(text.slice(start, end + 3)) &&
  /\b(?:failed|failure|invalid|rejected|denied|expired|missing|mismatch|error)\b/i.test(
    text.slice(nameAt + name.length, at),
  );

/** `$storageKey = 'api_token'`: a key or token is drawn, and what says itself that it is one is its name. */
const isNameOfSecret = (name: string, value: string): boolean =>
  /(?:key|token|cookie|header)s?$/i.test(name) &&
  /^[A-Za-z]+(?:[_-][A-Za-z]+)+$/.test(value) &&
  nameKind(value) !== undefined;

/** `/etc/pam.d/common-password:password requisite`: grep tells a file's name and a line of it. */
const isOfFile = (text: string, { nameAt, end }: Pair, value: string): boolean =>
  /^[ \t]+\S/.test(text.slice(end, end + 40)) &&
  systemPath.test(text.slice(Math.max(0, nameAt - 120), nameAt)) &&
  !isDrawnPassword(value) &&
  !looksRandom(value);

const systemPath = /(?<![\w.:/-])\/(?:etc|usr|var|opt|home|root|srv|sys|proc|lib|mnt|tmp)\/(?:[\w.@+-]+\/)*$/;

/** When a secret was set, what it must be like, the keys that change it, that it is there at all. */
const isSaidOf = (text: string, { name, start, end, at }: Pair, value: string): boolean =>
  /^(?:\d{1,4}[./-]){2}\d{1,4}\.?$|^(?:Strg|Ctrl|Control|Alt(?:Gr)?|Shift|Umschalt|Cmd|Win|Meta|Maj|Mayús|Option)(?:\+\p{L}+)+$|^\d{1,3}$/u.test(
    value,
  ) ||
  /^\d{1,3}(?: \p{L}|[時分秒日週月年回桁字小天个個位次시일분초회자])/u.test(text.slice(start, start + 8)) ||
  /^(?:vorhanden|present[e]?|présente?|aanwezig|obecny|присутствует|存在|現在|現用|nicht|absent)/i.test(value) ||
  // A verdict: `пароль: неверный`.
  (!keyContents.some((one) => name.toLowerCase().includes(one)) &&
    /^\p{Ll}+$/u.test(value) &&
    text[end] !== '"' &&
    !/=\s*$/.test(text.slice(at - 8, at)));

/** Whether a name stands there for itself: in an address, a resource's name, a label. */
export function namesOnly(text: string, { name, nameAt }: Pick<Pair, "name" | "nameAt">, before: string): boolean {
  const end = nameAt + name.length;
  return (
    // `user:password@` of an address has a rule of its own.
    before.endsWith("://") ||
    before.endsWith("checksum/") ||
    // HTML's element, and a place in a text: `trailer.<token>.command`.
    (before.endsWith("<") &&
      (name === "code" || (/[\w.]<$/.test(before) && !text.slice(end, end + 400).includes(`</${name}`)))) ||
    before.endsWith("/etc/") ||
    // `auth::token::Token::verify`: a path through code.
    (before.endsWith("::") && text.startsWith("::", end) && /[\w>]::$/.test(before)) ||
    // MySQL's programs ask for it; the next word is a database.
    (before.endsWith("--") && /^[ \t]/.test(text.slice(end, end + 1)) && mysqlCommand.test(before)) ||
    // `arn:aws:secretsmanager:…:secret:name` names a secret and holds none.
    (before.endsWith(":") && /\b(?:arn|urn|resolve):\S*$/.test(before)) ||
    // `pam_unix(passwd:chauthtok)`, `login(password:given)`: a word behind a label.
    (/\w\($/.test(before) && /^:[a-z]{2,20}\)/.test(text.slice(end, end + 22)))
  );
}

const mysqlCommand = /(?:^|[\s/;|&("'`])(?:mysql|mariadb)[\w-]{0,24}(?:\.exe)?[ \t](?:[^|;&\n]*[ \t])?--$/;

/** `"Password: " + value`: the quote behind the sign closes what began before the name. */
function isLabelled(text: string, at: number): boolean {
  const quote = text[at] ?? "";
  if (!/^["'] ?(?:[+.,)]|$|(?<= )[\w$-])/.test(text.slice(at, at + 3))) return false;
  const near = text.slice(Math.max(0, at - 400), at);
  const before = near.slice(near.lastIndexOf("\n") + 1);
  return (before.split(quote).length - 1) % 2 === 1;
}

/** Test runners write `PASS: name`, sudo `PASSWD: ALL`, and the system's databases are called after their files: `passwd: files`. */
const isVerdict = (name: string, value: string): boolean =>
  (name === "PASS" && /^[a-z][\w./:-]*$/i.test(value)) ||
  (name === "PASSWD" && /^(?:ALL|\/[\w./-]+)[,;]?(?:\s|$)/.test(value)) ||
  (name === "passwd" && /^(?:[a-z]+ ?)+$/.test(value));

/** `["token", "client-key-data"]`: a list of names. */
const isListed = (text: string, { nameAt }: Pair, value: string): boolean =>
  /^[a-z]+(?:(?:[-_.][a-z]+)+|(?:[A-Z][a-z]+)+)$/.test(value) && /[[,]\s*["']$/.test(text.slice(nameAt - 4, nameAt));

/** `token == other`: no value begins with the sign's second half, unless it is drawn. */
const isCompared = (text: string, { at }: Pair, value: string): boolean =>
  /[=~]/.test(text.charAt(at)) && text[at - 1] === "=" && !isDrawnPassword(value);

/** Code with a type behind the colon. */
const isTyped = (text: string, { nameAt, start, end, at }: Pair): boolean =>
  /:\s?$/.test(text.slice(at - 2, at)) &&
  /^&?[A-Z][A-Za-z]*(?:[?!]|<.{0,40}>)?(?:\)?[,:;]?)$/.test(text.slice(start, end)) &&
  /(?:\b(?:pub|val|var|let|const|final|lateinit|public|private|protected|readonly|static|func?|fn|def|class|struct|interface)\s|[(,]\s?)(?:\w+\s)?$/.test(
    text.slice(Math.max(0, nameAt - 60), nameAt),
  );

/** `secret: shop-db` names an object of that kind, `req.body.password` a variable. */
export const isReference = (name: string, value: string): boolean =>
  isIdentifier(name, value) ||
  (/^[A-Za-z_$]\w*(?:\??\.[A-Za-z_$]\w*){1,8};?$/.test(value) && nameKind(value.replace(";", "")) === "strong") ||
  // PowerShell asks for the password of `-Credential DOMAIN\user`.
  (/credentials?$/i.test(name) && /^[A-Za-z][\w.-]*[\\/@][\w.-]+\**$|^[A-Z][a-z]+\d{1,2}$/.test(value)) ||
  // Terraform's `random_password.db.result`.
  /^[a-z][a-z0-9]*(?:_[a-z0-9]+)+\.[a-z_][\w-]*(?:\[\w+\])?(?:\.[a-z_]+){1,3}$/.test(value) ||
  (/^(?:(?:\w*(?:pull|existing|external|tls|from|mount|volume|target)(?:_?[A-Za-z]{1,20}_?)?)?secrets?|credentials?|secret[_-]?(?:id|key|name)|auth(?:-tls)?-secret)$/i.test(
    name,
  ) &&
    !/^SECRET_KEY$/.test(name) &&
    (/^[a-z]{2,20}(?:[-/.][a-z0-9]{1,20}){0,6}$/.test(value) ||
      (/^[A-Za-z]+(?:_[A-Za-z]+)+$/.test(value) && nameKind(value) === "strong")));

/** `secret: key "a" not found`: the sentence goes on after a common word. */
const isProse = (text: string, { start, end }: Pair): boolean =>
  text[start - 1] === " " &&
  /^[a-z]{2,14}$/.test(text.slice(start, Math.min(end, start + 15))) &&
  /^ ["'\w]/.test(text.slice(end, end + 2));

/** `password: If the field is not present, …`: no passphrase has that many words, or words that only join others. */
function isManual(text: string, { start, end, at }: Pair): boolean {
  if (start !== at || !/^[A-Za-z]+$/.test(text.slice(start, end))) return false;
  const line = text.slice(start, start + 200).split("\n", 1)[0] ?? "";
  return line.split(/\s+/).length > 6 && (line.match(joining)?.length ?? 0) > 1;
}

const joining =
  /(?<![\w-])(?:the|an?|of|to|is|are|be|if|not|or|and|for|from|with|in|by|on|as|that|this|when|must|can)(?![\w-])/gi;

/** `passwd: password updated successfully`: a program's name before what it says. */
const isReport = (value: string): boolean =>
  /^[a-z]+(?: [a-z]+){2,}\.?$/.test(value) &&
  /\b(?:updated|successfully|changed|failed|expired|invalid|unchanged|denied)\b/.test(value);

/** Directives that no sentence or table has for a word. */
const ofRedis = /^(?:requirepass|masterauth)$/;

/** A passphrase such as people are given: `lagoon-saffron-lagoon`. */
const isOfWords = (value: string): boolean => /^[a-z]{4,12}(?:-[a-z]{4,12}){2,}$/i.test(value);

/** `the password is "two words"`. */
const isQuoted = (text: string, { start, end, at }: Pair): boolean =>
  start === at + 1 && text[at] === text[end] && end - start <= 80 && /^["']/.test(text[at] ?? "");

/** Over so many words a sentence comes to quote other things: `password is used as a default argument to "…"`. */
const isFar = (text: string, { name, nameAt, at }: Pair): boolean =>
  text
    .slice(nameAt + name.length, at)
    .trim()
    .split(/\s+/).length > 6;

/** `the password of root is Copper.Kettle`: a sentence sets a password to no file or host, whose names are in small letters. */
const isSaidPassword = (text: string, { name, nameAt }: Pair, value: string): boolean =>
  (/pass(?:word|wd|phrase|code)?$/i.test(name) || foreignWordIn(name)) &&
  // `password policy is …` says nothing of a password itself.
  !isHarmless(
    `${name}${/^ [a-z]{3,20}/.exec(text.slice(nameAt + name.length, nameAt + name.length + 21))?.[0] ?? ""}`,
  ) &&
  /^\p{Lu}[\p{Ll}\d]{2,}(?:[._]\p{Lu}[\p{Ll}\d]{2,}){1,4}[.,;!?]?$/u.test(value);

/** A code of digits, as messages tell it. */
const isToldCode = (text: string, { name, nameAt }: Pair, value: string): boolean =>
  /^\d{3,8}[.,;!]?$/.test(value) &&
  /pass|pwd|code|pin|otp|wort/i.test(name) &&
  !/(?<![a-z])(?:numbers?|max\w*|min\w*|days|length|count|size|age)(?![a-z])[^\n]*$/i.test(
    text.slice(Math.max(0, nameAt - 60), nameAt),
  );

/** `access key X7W8…`: a key right behind the word for it. */
const isKeyBehindWord = (text: string, { nameAt }: Pair, value: string): boolean =>
  !/(?:(?:[rd]sa|ed25519|public|gpg|pgp|host|using|the)[ _-]|pub)$/i.test(
    text.slice(Math.max(0, nameAt - 12), nameAt),
  ) &&
  (/^[a-z\d]{8}-(?:[a-z\d]{4}-){3}[a-z\d]{12}$/i.test(value) ||
    (value.length >= 20 && !/[a-z]{3,}[-.]/.test(value) && looksLikeKey(value) && /\d\D+\d/.test(value)));

/** `login mara, Passwort Xa0#GZ4AqeWB`; in a list of what one signs in with also a word with a sign in its midst. */
const isPasswordBehindWord = (text: string, { name, nameAt }: Pair, value: string): boolean =>
  (/pass(?:word|wort|wd|phrase|code)?$/i.test(name) || foreignWordIn(name)) &&
  !/[()<>{}$=|]|^["'`[]/.test(value) &&
  (isDrawnPassword(value) ||
    (/[\p{L}\d][,;，、] ?$/u.test(text.slice(Math.max(0, nameAt - 3), nameAt)) &&
      isSpoken(value) &&
      hasSignWithin.test(value) &&
      !/^[\w.+-]+@[\w-]+\./.test(value)));

/** In a line of two words the second is a secret only if it is the last, and no word of a language or table. */
function isDirective(text: string, pair: Pair, value: string): boolean {
  const { name, kind, end } = pair;
  // Test runners write `PASS file`.
  if (kind !== "strong" || name === "PASS") return false;
  const after = text.slice(end, end + 80);
  // A directive's semicolon; behind one plain word of code it ends a declaration.
  const isStatement =
    /[_.-]/.test(name) &&
    !/(?:proxy|cgi|wsgi|grpc|memcached)_pass$/.test(name) &&
    value.length >= 6 &&
    /^;[ \t]*(?:\n|$)/.test(after);
  if (!isStatement && !/^(?:["'];?)?[ \t]*\|?[ \t]*(?:\r?\n|$)/.test(after)) return false;
  if (isCompound(pair))
    return value.length >= 4 && !isPlainWord(value) && !/^(?:\d{1,6}|[a-z]+(?:[_.-][a-z]+)*)$/.test(value);
  return ofRedis.test(name) || isDrawnWord(value) || (/pass|pwd/i.test(name) && isOfWords(value));
}

/** `remote_password Regentonne`: a directive's own name and one blank, as no table or sentence has them. */
const isCompound = ({ name, nameAt, at }: Pair): boolean =>
  (/[a-z]_[a-z]/.test(name) || /^[a-z]+(?:pw|pass|pwd|passwd)$/.test(name)) &&
  !/_pass$|^g?passwd$/.test(name) &&
  at - nameAt - name.length === 1;

const isDrawnWord = (word: string): boolean =>
  !isPlainWord(word) &&
  !/^[A-Za-z]+(?:,[A-Za-z]+)+$/.test(word) &&
  /\d|[^\w.-]|[a-z][A-Z]/.test(word) &&
  !/^\d{1,6}$/.test(word);

/** `DOMAIN\user`, `wsman/host.example`, `user@mail.example`. */
const domainName = /^[A-Za-z][a-z]*\d{0,2}[\\/@][A-Za-z][\w-]*(?:\.[a-z]+)*$/;

/** What a sentence names as a secret: not the next word of the sentence. */
export function isSpoken(secret: string): boolean {
  const said = secret.replace(/[.,;:!?)]+$/, "");
  const isLikely =
    (/\d/.test(said) && /\p{L}/u.test(said)) ||
    (/[a-z]/.test(said) && /[A-Z]/.test(said) && /\w[#$%^&*~!@+]\w/.test(said)) ||
    (said.match(/[a-z](?=[A-Z])/g)?.length ?? 0) * 4 >= Math.max(12, said.length) ||
    isOfWords(said) ||
    /^(?=.*\p{Lu})\p{L}+(?:-\p{L}+){2,}$/u.test(said);
  return isLikely && said.length >= 6 && isSecretValue(said, "strong");
}

/** A sign that no word, address or number has in its midst. */
export const hasSignWithin = /[A-Za-z\d][#?!$%^&*@][A-Za-z\d]/;

/** One of them, or letters of both cases and digits in no order. */
export const isDrawnInSentence = (token: string): boolean =>
  token.length >= 8 &&
  /\d/.test(token) &&
  /[A-Za-z]/.test(token) &&
  !/[/\\=<>()[\]{}]|#\d+$|^[#@$%&]/.test(token) &&
  (isDrawnPassword(token) || !/^[\w.+-]+@[\w.-]+$/.test(token)) &&
  (hasSignWithin.test(token) ||
    (/^[A-Za-z\d]+$/.test(token) &&
      isDrawnPassword(token) &&
      (token.match(/[a-z](?=[A-Z\d])|[A-Z](?=[a-z\d])|\d(?=[A-Za-z])/g)?.length ?? 0) >= 0.35 * token.length &&
      token.replace(/[A-Z]?[a-z]{3,}/g, "").length > 0.6 * token.length)) &&
  isSecretValue(token, "strong");

/** Stricter than under a name: three kinds of characters, no path, address, version or dotted name. */
export function isSurelyDrawn(token: string): boolean {
  const letters = token.replace(/[^A-Za-z0-9]/g, "");
  return (
    !isPublicId(token) &&
    !/^\W*[A-Z]?[a-z]+\d{1,4}\W*$/.test(token) &&
    !/^(?:application|text|image|audio|video|multipart)\//.test(token) &&
    (!/^(?:[\w-]+\.)+[\w-]+(?:\/[A-Za-z]+)?$/.test(token) || /[\w-]{40}/.test(token)) &&
    !/^[\w.-]+@[\w.-]+$|^\.{0,2}\/|\/.*\/|(?:^|[^A-Za-z0-9])[A-Za-z_.-]+=.*[^=]$|^[A-Za-z-]+\/v?\d+(?:\.\d+)*$/.test(
      token,
    ) &&
    (token.length >= 32 || !/(?:^|[/_.-])[a-z]{3,}[/-]/.test(token)) &&
    !isOfNames(token) &&
    /[0-9]/.test(token) &&
    classCount(letters) === 3 &&
    entropy(token) >= 3 &&
    looksRandom(token, 10)
  );
}
