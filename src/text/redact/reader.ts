import { isDrawnInSentence, isReference, isSecret, namesOnly, type Pair, type Place } from "./decide.ts";
import { nameStems, setTo } from "./languages.ts";
import { isHarmless, nameKind } from "./names.ts";
import { isDrawn, isDrawnPassword, isUuid, mostDrawn } from "./randomness.ts";
import { createScanner } from "./scanner.ts";
import type { Find, Span } from "./span.ts";
import { isSecretValue } from "./values.ts";

/** How a value stands behind its name. */
type Form = {
  readonly from: Place;
  /** What stands before the name on its line; read over so many characters. */
  readonly before?: RegExp;
  /** One of these stands right before the name, which rules out most forms at once. */
  readonly last?: string;
  /** All of the line before the name counts. */
  readonly isLine?: true;
  /** Sticky: what stands between the name and its value. */
  readonly after: RegExp;
  /** The value is the whole rest, with any signs. */
  readonly isRestOfLine?: true;
  /** The value is an element's text, up to its closing mark. */
  readonly isElement?: true;
  /** The value may have blanks: it goes to the end of its line where nothing else is set there. */
  readonly toLineEnd?: true;
};

const sticky = (source: string, flags = ""): RegExp => new RegExp(source, `y${flags}`);

/** What XML marks as plain text, up to its end, or a value without marks. */
const markedOrPlain = String.raw`(?:\s{0,40}<!\[CDATA\[(?!\])|(?=[^<\s]))`;

/** What closes a name: escaped quotes, brackets, Markdown's bold, dots up to the value's column. */
const closing = String.raw`\\{0,8}["'\x60»”]?\]?\*{0,2}(?:[ \t]\([^()\n:=,\x22'\x60]{1,24}\)(?=[ \t]?[:=：＝]))?[ \t.\u00a0]{0,80}`;

/** A type may be named between a declaration's sign and its value: `key: SecretStr = "…"`. */
const declared = String.raw`:[ \t]?&?(?:Option[<[]|Optional\[|Final\[)?(?:'static )?(?:str|[Ss]tring|SecretStr|SecretString|bytes|any|Any|unknown)[>\]?]?(?: \| \w{1,20})?[ \t]=|[ \t]?string[ \t]?:?=`;

const sign = String.raw`(?:${declared}|(?:[?.+]|:{1,3}|\?\?|\|\|)=|[=!]={1,2}(?=[ \t]{0,4}["'])|=>(?=[\s"'])|::|=|[:：](?!\/\/)|＝|->|→)(?:\*{1,2}(?=[ \t]))?[ \t\u00a0\u3000]{0,64}(?:&\w{1,40} |!!\w{2,9}[ \t]{1,4})?[«“„‚「]?(?![=~]\s)`;

const anotherWord = String.raw`[ ]\(?(?:[dl]['’])?[^\s:=：＝"'()]{1,24}\)?`;

/** Words between a label's last and its sign: "for the database", "(new)", "of the admin page on the third floor". */
const more = String.raw`(?:(?<=[\u3040-\ud7af])[^\s:=：＝"'()は是为為]{1,24})?(?:${anotherWord}){0,5}?(?:(?<![.!?])${anotherWord}){0,2}?`;

const copula = `(?:(?:${setTo}|is|was|are|became|used to be|war|était|era|var|było|был|була|ist|lautet|wurde|est|es|é|è|jest|to|är|er|on|je|это|είναι|là|adalah)(?![a-zà-ÿ])|は|是|为|為)`;

const literal = String.raw`(?=\\?["'])`;

const assignment = sticky(closing + sign);

const forms: readonly Form[] = [
  {
    from: "printed",
    last: "[",
    isLine: true,
    before: /^[ \t]*\[$/,
    after: sticky(String.raw`(?::(?:protected|[\w\\]{1,80}:private))?\] =>[ \t]?`),
    isRestOfLine: true,
  },
  { from: "setting", after: assignment, toLineEnd: true },
  {
    from: "setting",
    last: "<:",
    before: /<(?:[\w-]{1,20}:)?$/,
    after: sticky(
      String.raw`(?:\s[^<>]{0,200})?>(?:\s{0,40}<(?:value|string|plain|text|content|key)(?:\s[^<>]{0,60})?>)?${markedOrPlain}(?!["'](?:\s|$))`,
      "i",
    ),
    isElement: true,
  },
  {
    from: "setting",
    last: "-",
    before: /(?:^|[\s"'`,[(])-{1,2}(?:[A-Za-z][\w]*-)?$/,
    after: sticky(
      String.raw`(?:" a\d{1,3}=|["']?\r?\n[ \t]{0,40}- |["']?,?[ \t]{1,4}(?:[\\\x60^]\r?\n[ \t]{0,20})?|["'],\s{0,20})(?=[^-\s|&;<>\\]|[|&;<>\\]\S{0,40}[^\w\s./&|<>-])`,
    ),
  },
  {
    from: "member",
    last: ">.",
    before: /<(?:key|name)>(?:[\w.-]{0,80}[.])?$/i,
    after: sticky(String.raw`<\/(?:key|name)>\s{0,20}<(?:string|value)>`, "i"),
  },
  {
    from: "member",
    last: '"',
    before: /(?:key|name|id)="$/i,
    after: sticky(String.raw`"[^<>\n]{0,80}(?<!\/)>${markedOrPlain}`, "i"),
    isElement: true,
  },
  {
    from: "member",
    before: /[({[,]\s{0,4}\\?["']$|(?:[({[]|\(\w{1,40},)\s{0,4}$/,
    after: sticky(String.raw`\\?["']?\s{0,3},\s{0,20}(?:<<)?${literal}`),
  },
  {
    from: "member",
    before:
      /(?:name|key|id|variable|parameter|field|param|option|setting|property)(?:\\{0,4}["'])?\s{0,3}[:=]\s{0,3}(?:\\{0,4}["'])?(?:[\w./:-]{1,30}[./:])?$/i,
    after: sticky(
      String.raw`(?:\\{0,4}["'])?\s{0,3},?\s{0,40}(?:[-+]\s{1,20})?(?:(?!(?:\w{1,20}_)?(?:name|key|value)\b)[\w"'-]{1,30}\s?:\s?[\w"'.-]{1,60}(?:,\s{0,40}|\s{1,40})){0,2}(?:\\{0,4}["'])?(?:\w{1,20}_)?(?:val(?:ue)?|parametervalue|string|secretvalue|plaintext)(?:\\{0,4}["'])?[^\S\n]{0,3}[:=][^\S\n]{0,3}(?=\S)`,
      "i",
    ),
  },
  {
    from: "member",
    last: '"',
    before: /name="$/,
    after: sticky(String.raw`"(?:\r?\n[A-Z][\w-]{1,40}: [^\n]{0,80}){0,2}\r?\n\r?\n(?=\S)`),
  },
  {
    from: "member",
    isLine: true,
    before: /^\/(?:[\w.-]+\/)+$/,
    after: sticky(String.raw`\r?\n(?=[^\s/:=]{4,200}(?:\r?\n\/|$))`),
  },
  { from: "member", last: '"', before: /\d\)\s"$/, after: sticky(String.raw`"\r?\n[ \t]{0,8}\d{1,3}\)\s(?=")`) },
  {
    from: "printed",
    last: '"',
    before: /\["$/,
    after: sticky(String.raw`"(?::(?:private|protected|"[^"\n]{1,80}"))*\]=>\s{1,40}string\(\d{1,7}\)\s(?=")`),
  },
  {
    from: "member",
    last: '"',
    before: /(?:variable|output|parameter|secret|resource)\s{1,3}"$/i,
    after: sticky(
      String.raw`"(?:\s"[^"\n]{1,80}")?\s{0,3}\{[^{}]{0,600}?\b(?:value|default|result)\s{0,8}=\s{0,3}(?=")`,
    ),
  },
  {
    from: "member",
    after: sticky(String.raw`["'\])]{0,3}\s{0,3}(?:\|\||\?\?|or)\s{1,20}${literal}`),
  },
  {
    from: "setting",
    isLine: true,
    before: /^[ \t]*$/,
    after: sticky(String.raw`[ \t]{1,60}REG_\w{1,12}[ \t]{1,20}(?=\S)`),
    toLineEnd: true,
  },
  {
    from: "directive",
    isLine: true,
    before:
      /^(?:(?:[\w./-]{1,120}:)?\d{1,6}[:-])?[ \t]*(?:[#%]define[ \t]{1,8}|(?:\S{1,40}[ \t]){0,3}(?:CMD|COMMAND|EXEC|INPUT)\w{0,8}:[ \t]{1,4})?$/i,
    after: sticky(String.raw`[ \t]{1,60}(?=[^\s=:|])`),
  },
  {
    from: "directive",
    isLine: true,
    before: /^[\w-]{1,40}[ \t]{1,8}(?:[\w.-]{1,80}\/)?$/,
    after: sticky(String.raw`[ \t]{1,20}(?:password|string|text)[ \t]{1,20}(?=\S)`),
  },
  {
    from: "sentence",
    after: sticky(
      String.raw`${more}\s{0,2}(?:(?<![\w])${copula}(?:\s(?:now|set to|${setTo})|(?:[ ][^\s\d:=：,;."']{1,14}){1,3}(?=[:：]))?[:：]?[ \t]{0,2}|[ \t]{0,40}[:：=][ \t]{1,4}|(?<=[\u0400-\u04ff])[ ][-–—][ ])[«“„‚「]?[ \u00a0]?(?![\w.-]{1,60}=)`,
    ),
  },
  { from: "near", after: sticky(String.raw`[ ](?=[^\s:=]{0,40}\d)(?=\S{0,40}[^\w\s.,:;/-])(?=\S{8})`) },
  { from: "near", after: sticky(String.raw`(?:[ \t]{1,4}(?:-[ \t]|is[ \t])?|[-:])["']?(?=[\w+/.-]{16})`) },
];

/** A member or attribute before the one that names it: `<add value="…" key="NAME"/>`, `- value: …` above `name: NAME`. */
const siblingBefore =
  /(?<=(?:<[\w:.-]{1,40}|[{,]|^|\n)[ \t]{0,40}(?:[-+][ \t]{1,8})?\\?["']?)(?:value|val)\\?["']?[ \t]{0,3}[:=][ \t]{0,3}\\?["']?([^"'\n<>{}]{2,400}?)\\?["']?(?:,[ \t]{0,4}|[ \t]{1,4}|(?=\r?\n))(?:\r?\n[ \t]{0,40})?\\?["']?(?:key|name|id)\\?["']?[ \t]{0,3}[:=][ \t]{0,3}\\?["']?$/i;

/** How far a form looks back on a name's line, and how far its sign may stand behind the name. */
const mostBefore = 200;
const closeBefore = 48;

/** How much of a value decides whether it is a secret; the whole is read only if it is. */
const peek = 512;

/** So far on the end of a here-document is looked for where a text is read in windows. */
const longestHere = 64 * 1024;

/** More characters than a name has. */
const longestName = 120;

/** The letters of every language, digits, and what joins the words of a name. */
const isInName = (unit: number): boolean =>
  unit < 0x80 ? inName[unit] === 1 : unit >= 0xc0 && unit !== 0xd7 && unit !== 0xf7 && !isSign(unit);
const inName = Uint8Array.from({ length: 128 }, (_, unit) => (/[\w.-]/.test(String.fromCharCode(unit)) ? 1 : 0));

/** Punctuation, arrows, frames of tables, and the wide signs of East Asia. */
const isSign = (unit: number): boolean =>
  (unit >= 0x2000 && unit < 0x2c00) || (unit >= 0x3000 && unit < 0x3040) || (unit >= 0xff00 && unit < 0xff66);

/** Kana, Han and Hangul. */
const isJoined = (unit: number): boolean => unit >= 0x3040 && unit < 0xd7b0;

const scan = createScanner(nameStems, { anyCase: true });

/**
 * Every pair of a text whose name says something of its value, as far as it is a secret. In a file of translations, by its
 * name or by all that it says, no phrase is one.
 */
export const createFindPairs =
  (isTranslated: boolean): Find =>
  (text, watch) => {
    const spans: Span[] = [];
    const apart: Span[] = [];
    let isOfPhrases: boolean | undefined;
    const ofPhrases = (): boolean => {
      isOfPhrases ??= isForPeople(text);
      return isOfPhrases;
    };
    const isText = ({ start, end }: Span): boolean => {
      const value = end - start < peek ? text.slice(start, end) : "";
      return isTranslated ? isPhrase(value) : isLabel(value) && ofPhrases();
    };
    const endOf = createFindEnd(text);
    let doneTo = 0;
    for (const name of readNames(text)) {
      if (name.nameAt < doneTo) continue;
      watch?.();
      const known = spans.length;
      const found: Span[] = [];
      readBehind(text, name, found, endOf, apart);
      spans.push(...found.filter((span) => !isText(span)));
      // A name within a value is a part of it.
      if (spans.length > known) doneTo = spans.at(-1)?.end ?? 0;
    }
    spans.push(...apart);
    return spans;
  };

export const findPairs = createFindPairs(false);

/** The names of a text that say something of a value, in order. */
export function readNames(text: string): readonly Name[] {
  const names: Name[] = [];
  let doneTo = 0;
  scan(text, (index, word) => {
    if (index < doneTo) return "enough";
    let start = index;
    while (start > doneTo && isInName(text.charCodeAt(start - 1))) start--;
    let end = index + word.length;
    // Where words are not parted by blanks, a name ends with the word that tells.
    while (
      end < text.length &&
      isInName(text.charCodeAt(end)) &&
      !(isJoined(text.charCodeAt(end - 1)) && text.charCodeAt(end) >= 0x80)
    )
      end++;
    doneTo = end;
    // `"…\\npassword=…"`: a letter that an escape takes.
    if (start < index && text[start - 1] === "\\" && /[nrt]/.test(text[start] ?? "")) start++;
    while (start < index && /[-.]/.test(text[start] ?? "")) start++;
    while (end > index + word.length && /[-.]/.test(text[end - 1] ?? "")) end--;
    if (end - start > longestName) return "enough";
    const name = text.slice(start, end);
    const kind = nameKind(name);
    // A type: `key: SecretStr = "…"`.
    if (/^Secret(?:Str|String)$/.test(name) && /:\s?$/.test(text.slice(Math.max(0, start - 2), start))) return "enough";
    // `door code`: the words before it tell more.
    const label = kind === "weak" ? nameKind(labelOf(text, start, name)) : kind;
    if (kind && label) names.push({ name, kind: /^codes?$/i.test(name) ? label : kind, nameAt: start });
    return "enough";
  });
  return names;
}

/** Where the value of a name would begin, if a sign stands behind it. */
export function valueBehindSign(text: string, { name, nameAt }: Name): number | undefined {
  assignment.lastIndex = nameAt + name.length;
  return assignment.test(text) ? assignment.lastIndex : undefined;
}

/** With the words before it: `Auth Token`, `public key`. */
function labelOf(text: string, at: number, name: string): string {
  const before = /([A-Za-z]{2,20}(?:[ \t][A-Za-z]{2,20})?)[ \t]$/.exec(text.slice(Math.max(0, at - 44), at))?.[1];
  return before ? `${before} ${name}` : name;
}

type Name = Pick<Pair, "name" | "kind" | "nameAt">;

/** The first form that has a secret takes it; `apart` takes a value behind which more names may still stand before it. */
function readBehind(text: string, name: Name, spans: Span[], endOf: FindEnd, apart: Span[]): void {
  const nameEnd = name.nameAt + name.name.length;
  const near = text.slice(Math.max(0, name.nameAt - mostBefore), name.nameAt);
  const before = near.slice(near.lastIndexOf("\n") + 1);
  if (namesOnly(text, name, before)) return;
  const sibling = /val/i.test(near) ? siblingBefore.exec(near) : null;
  if (sibling) {
    const [whole, value = ""] = sibling;
    const start = name.nameAt - whole.length + whole.indexOf(value);
    const pair: Pair = { ...name, start, end: start + value.length, at: start, from: "member" };
    if (value === "[REDACTED]") return;
    if (value !== "" && isSecret(text, pair, false)) {
      spans.push({ start, end: pair.end });
      return;
    }
  }
  const close = before.slice(-closeBefore);
  takeMembers(text, name, nameEnd, spans);
  if (before.endsWith("<")) takeLines(text, name, nameEnd, spans);
  for (const form of forms) {
    if (form.last && !form.last.includes(before.at(-1) ?? "\n")) continue;
    if (form.before && !form.before.test(form.isLine ? before : close)) continue;
    form.after.lastIndex = nameEnd;
    const match = form.after.exec(text);
    if (!match) continue;
    const at = nameEnd + match[0].length;
    if (form.toLineEnd && takeBelow(text, name, at, spans, endOf)) return;
    const places = [at, ...changedAt(text, at)];
    const found = places.flatMap((place) => secretAt(text, name, place, form, before) ?? []);
    if (found.length === 0 && form.isRestOfLine) return;
    const filled = found.length === 0 ? argumentAt(text, at) : undefined;
    const given = filled === undefined ? undefined : secretAt(text, name, filled, form, before);
    if (given) apart.push(given);
    if (given) return;
    if (found.length === 0) continue;
    spans.push(...found);
    return;
  }
  if (name.kind === "strong" && before.endsWith(" ")) takeBefore(name.nameAt, before, spans);
}

/** `use … as the password`: a drawn word, what ties it to the name, articles. */
const tiedBefore =
  /(?:^|[\s"'“„«「（(:：])((?![("'])[!-~]{8,64}?)["'”“»」）)]{0,2} (?:as|is|was|als|ist|war|comme|est|como|es|era|é|come|è|som|är|er|jako|to|как) (?:[\p{L}'’]{1,14} ){0,3}$/iu;

function takeBefore(nameAt: number, before: string, spans: Span[]): void {
  const match = tiedBefore.exec(before);
  const value = match?.[1] ?? "";
  if (!match || !isDrawnInSentence(value)) return;
  const start = nameAt - before.length + match.index + match[0].indexOf(value);
  spans.push({ start, end: start + value.length });
}

/** Where a value begins that a diff puts in the place of the one at `at`. */
function changedAt(text: string, at: number): readonly number[] {
  // A diff's line is short; looking further would cost a long line's square.
  const from = Math.max(0, at - mostBefore);
  const line = from + text.slice(from, at).lastIndexOf("\n") + 1;
  if (text[line] !== "-" || (line === from && from > 0)) return [];
  const end = text.slice(at, at + 2 * mostBefore).indexOf("\n");
  const next = end < 0 ? 0 : at + end + 1;
  return next > 0 && text.startsWith(`+${text.slice(line + 1, at)}`, next) ? [next + at - line] : [];
}

/** A place in a format, and how far its arguments are looked for. */
const placeholders = /%(?!%)[-+# 0']{0,3}\d{0,3}(?:\.\d{1,3})?(?:l{0,2}[sdiuqvb]|@)|\{\d?\}/g;
const placeholderHere = new RegExp(placeholders.source, "y");
const mostFormat = 400;

/** Between a format and its arguments, and between these: a comma, Python's `%` and `.format(`; a shell needs a blank. */
const beforeArgument = /\s{0,20}(?:,|%|\.format\()\s{0,20}[([]?(?=["'`\w$])|[ \t]{1,4}(?=[^\s|;&<>%)])/y;

/** Where the argument begins that fills the place at `at`: `printf 'user=%s password=%s' svc …`, `log("… is %s", "…")`. */
function argumentAt(text: string, at: number): number | undefined {
  placeholderHere.lastIndex = at;
  if (!placeholderHere.test(text)) return undefined;
  const near = text.slice(Math.max(0, at - mostFormat), at);
  const line = near.slice(near.lastIndexOf("\n") + 1);
  // Which quote is open is known from the line's beginning only.
  if (line.length === mostFormat) return undefined;
  const { quote = "" } = openIn(line);
  const body = quoted[quote];
  if (!body) return undefined;
  const format = line.slice(line.lastIndexOf(quote) + 1);
  let end = run(body, text, at, mostFormat) + 1;
  for (let left = format.match(placeholders)?.length ?? 0; ; left--) {
    beforeArgument.lastIndex = end;
    const gap = beforeArgument.exec(text)?.[0];
    if (gap === undefined) return undefined;
    const start = end + gap.length;
    // Code gives a name or a call where it has no literal.
    if (left === 0) return /^[ \t]+$/.test(gap) || /["'`]/.test(text[start] ?? "") ? start : undefined;
    const argument = readValue(text, start, false, peek);
    end = argument.start > start ? argument.end + 1 : argument.end;
  }
}

/** What Jenkins keeps encrypted stands in braces: no template, whose braces hold a name. */
const encrypted = />\{((?=[^{}<>\n]{0,400}\d)(?:[\w+/=.:-]{1,400} ){0,3}[\w+/=.:-]{16,400})\}(?=<)/y;

const elementLines = />[ \t]*\r?\n((?:[ \t]*[^<>\s][^<>\n]{0,199}\n){1,6})[ \t]*<\//y;

/** An element whose text stands on lines of its own. */
function takeLines(text: string, { kind }: Name, end: number, spans: Span[]): void {
  encrypted.lastIndex = end;
  const inBraces = kind === "strong" ? encrypted.exec(text)?.[1] : undefined;
  if (inBraces !== undefined) spans.push({ start: end + 2, end: end + 2 + inBraces.length });
  elementLines.lastIndex = end;
  const match = kind === "strong" ? elementLines.exec(text) : null;
  if (!match) return;
  const from = end + match[0].indexOf(match[1] ?? "");
  for (const line of (match[1] ?? "").matchAll(/\S+/g))
    if (isDrawn(line[0])) spans.push({ start: from + line.index, end: from + line.index + line[0].length });
}

/** What an assignment's value is made of on the lines below, or in brackets. */
function takeBelow(text: string, { name, kind, nameAt }: Name, at: number, spans: Span[], endOf: FindEnd): boolean {
  if (kind === "strong" || kind === "likely" || kind === "weak") {
    const block = blockBelow(text, nameAt, at, endOf);
    if (block) spans.push(block);
    if (block && !block.isExtent) return true;
  }
  if (kind === "strong") {
    for (const inner of nestedValues(text, at, nameAt)) {
      const said = text.slice(inner.start, Math.min(inner.end, inner.start + peek));
      if (isSecretValue(said, kind) && !isReference(name, said)) spans.push(inner);
    }
  }
  return false;
}

/** An object of several secrets: `tokens { agent = "…" }`, `"github-oauth": {"host": "…"}`. */
function takeMembers(text: string, { name }: Name, nameEnd: number, spans: Span[]): void {
  objectBehind.lastIndex = nameEnd;
  const match = /(?:s|auth|token|bearer)$/i.test(name) ? objectBehind.exec(text) : null;
  if (!match) return;
  for (const { name: own, value } of membersOf(text, nameEnd + match[0].length)) {
    const said = text.slice(value.start, value.end);
    if (!isHarmless(own) && (isUuid(said) || isSecretValue(said, "weak"))) spans.push(value);
  }
}

const objectBehind = /\\{0,4}["']?\s{0,4}(?:=>|[:=])?\s{0,4}(?=\{)/y;

const keyStart = /\\{0,8}[bu]?["'`]?(?:[\w+/.~%-]{12}|[\w-]{6,24}:[\w-]{6})/y;

/** Saves reading the values of common names that cannot be keys. */
const startsLikeKey = (text: string, at: number): boolean => {
  keyStart.lastIndex = at;
  return keyStart.test(text);
};

const mask = /["']?[*•●xX#]{3,}["']?|\[REDACTED\]|["']?\((?:sensitive|hidden|redacted)[^)\n]{0,20}\)["']?/y;
const arrow = /["']?[ \t]{0,4}(?:(?:->|=>|→|\|)[ \t]{0,4}(?=["'])|[ \t](?:->|→)[ \t](?=[^\s"']))/y;

/** Words of an element that are not parted by marks. */
const elementText = /[^\s<>]+(?:[ \t][^\s<>]+){1,8}(?=[ \t]*<\/)/y;

/** The value at a place as far as it is a secret; where a change is told, the values before and after. */
function secretAt(
  text: string,
  name: Name,
  at: number,
  { from, toLineEnd, isRestOfLine, isElement }: Form,
  before: string,
): Span | undefined {
  if ((name.kind === "weak" || name.kind === "identifier") && !startsLikeKey(text, at)) return undefined;
  if (text.startsWith("<![CDATA[", at - 9)) {
    const end = text.slice(at, at + 4000).indexOf("]]>");
    const marked = { start: at, end: at + Math.max(0, end) };
    return end > 0 && isSecret(text, { ...name, ...marked, from: "printed", at }, true) ? marked : undefined;
  }
  if (isRestOfLine) {
    const rest = {
      start: at,
      end: at + text.slice(at, run(wholeLine, text, at, longest)).trimEnd().length,
    };
    return isSecret(text, { ...name, ...rest, from, at }, true) ? rest : undefined;
  }
  elementText.lastIndex = at;
  const element = isElement && elementText.exec(text)?.[0];
  if (element) {
    const whole = { start: at, end: at + element.length };
    return isSecret(text, { ...name, ...whole, from, at }, true) ? whole : undefined;
  }
  const isLine = toLineEnd === true && startsLine.test(before);
  const short = readValue(text, at, isLine, peek);
  if (!isSecret(text, { ...name, ...short, from, at }, isLine)) {
    mask.lastIndex = at;
    arrow.lastIndex = at + (mask.exec(text)?.[0].length ?? 0);
    const change = arrow.lastIndex > at ? arrow.exec(text) : null;
    if (!change) return undefined;
    const next = readValue(text, arrow.lastIndex, false);
    return isSecret(text, { ...name, ...next, from, at: next.start }, false) ? next : undefined;
  }
  const value = short.end - short.start < peek ? short : readValue(text, at, isLine);
  arrow.lastIndex = value.end;
  if (!arrow.test(text)) return value;
  const next = readValue(text, arrow.lastIndex, false);
  return isSecret(text, { ...name, ...next, from, at: next.start }, false) ? next : value;
}

/** Values longer than this are cut into pieces by the next look; longer than any key file. */
const longest = 1_000_000;

const bounded = (body: string, limit: number): RegExp => new RegExp(`(?:${body}){0,${limit}}`, "y");

/** A quoted value up to its closing quote, over escapes; never over a line end. */
const quoted: Readonly<Record<string, string>> = {
  // A backslash joins the next line.
  '"': String.raw`[^"\\\r\n]|\\[^\r\n]|\\\r?\n[ \t]{0,40}`,
  // A shell closes the quote, escapes one and opens again.
  "'": String.raw`[^'\\\r\n]|'\\''|'"'"'|\\[^\n]|''(?=[^'\n]*')`,
  "`": String.raw`[^\x60\r\n]`,
  '"""': '[^"]|"(?!"")',
  "'''": "[^']|'(?!'')",
};

/**
 * A value without quotes: up to a blank, a quote or angle bracket; a list's or address' separator ends it only where the next
 * entry follows, since passwords hold such characters too.
 */
const bare = String.raw`[^\s"'\x60<>,;&|)\]}\\]|[,;|)\]}](?!:?(?:[\s,;&|)\]}"'\x60<]|$)|[\w.%-]{1,40}["']?[=:])|&(?![\s,;&|)\]}"'\x60<]|$|(?:amp;)?[A-Za-z][A-Za-z._%-]{0,39}\d{0,3}=[^\s"'])|\\(?!["'nrt\\])|(?<=[^\s:=,;&|(\[{])[<>'](?=[^\s"'<>,;&|)\]}])(?!/)`;

/** A bracket that was opened within a value closes there. */
const openers: Readonly<Record<string, string>> = { ")": "(", "]": "[", "}": "{" };

const wholeLine = String.raw`[^\n]`;

/** By limit, then by body. */
const matchers = new Map<number, Map<string, RegExp>>();

function run(body: string, text: string, at: number, limit: number): number {
  const ofLimit = matchers.get(limit) ?? new Map<string, RegExp>();
  const matcher = ofLimit.get(body) ?? bounded(body, limit);
  matchers.set(limit, ofLimit.set(body, matcher));
  matcher.lastIndex = at;
  return at + (matcher.exec(text)?.[0].length ?? 0);
}

/** A string's opening quote behind the prefixes of many languages: `N'`, `b"`. */
const opening = /(?:[bBuUrRfFNLE@$]{0,2}(?!`))("""|'''|["'`])/y;

/** The same as the argument of a constructor: `String::from("`. */
const construction = /([A-Za-z_][\w.:]{0,50})(?:<[A-Za-z][\w ,.|&?[\]<>]{0,80}>)?!?\((?:[bBrNu]|&)?("""|'''|["'`])/y;

/** Functions whose argument says where a value is, not what it is. */
const getter =
  /(?:^|[.:])(?:get|env|look|read|load|file|fetch|find|var|param|secret|config|prompt|input|ask|require|import|i18n|translate|print|log|format|header|query|cookie|value|s?printf|[tf]$)|Get|Env/;

function openingAt(text: string, at: number): { readonly end: number; readonly quote: string } | undefined {
  opening.lastIndex = at;
  const plain = opening.exec(text);
  if (plain) return { end: at + plain[0].length, quote: plain[1] ?? "" };
  construction.lastIndex = at;
  const built = construction.exec(text);
  if (!built || getter.test(built[1] ?? "")) return undefined;
  return { end: at + built[0].length, quote: built[2] ?? "" };
}

/** A word whose bracket has blanks and closes: `ENC(see the vault)`. */
const inBrackets = /[\w.-]{1,40}\([^()\n"'`=]{1,80}\)[^\s"'`()<>,;]{0,40}/y;

/** More settings follow on the line: `user=1`, `port: 2`. */
const nextSetting = /[\s;&][\w.-]{1,60}["']?\s?[=:]/;

/**
 * The value that begins at `at`: what is inside its quotes, or the bare word; where `toLineEnd` allows it and nothing else
 * is set on the line, the rest of the line. Reads at most `limit` characters.
 */
function readValue(text: string, at: number, toLineEnd: boolean, limit = longest): Span {
  const escaped = /\\{1,8}["']/y;
  escaped.lastIndex = at;
  const mark = escaped.exec(text)?.[0];
  if (mark) {
    const value = readEscaped(text, at + mark.length, mark, limit);
    const drawn = text.startsWith(mark, value.end) ? at : drawnEnd(text, at);
    return drawn > at ? { start: at, end: drawn } : value;
  }
  const open = openingAt(text, at);
  const body = quoted[open?.quote ?? ""];
  if (open && body) {
    const { end: start, quote } = open;
    const end = run(body, text, start, limit);
    if (end - start >= limit) return { start, end };
    // Some languages know no backslash: what it seems to escape closes.
    const closing = text.startsWith(quote, end) ? end : text.slice(start, end).lastIndexOf(`\\${quote}`) + start + 1;
    const after = text.charAt(closing + quote.length);
    const isClosed =
      closing === end ? !/[\w$#@!^~*]/.test(after) : /[\s>/]|^$/.test(after) || (quote === "'" && /[,;)]/.test(after));
    if (closing > start && isClosed) return { start, end: closing };
    // `read -p "Password: " password`: the quote ends what began before the name.
    if (text[start] === " ") return { start, end: start };
    // Where no closing quote comes, the quote stands for itself and the word is what it is.
    const drawn = drawnEnd(text, at);
    return { start: at, end: drawn > at ? drawn : end };
  }
  let end = run(bare, text, at, limit);
  const drawn = /\s|^$/.test(text.charAt(end)) ? end : drawnEnd(text, at);
  if (drawn > end) return { start: at, end: drawn };
  const opening = openers[text[end] ?? ""];
  const read = text.slice(at, end);
  if (opening && read.lastIndexOf(opening) > read.lastIndexOf(text[end] ?? "") && /^\s|^$/.test(text.charAt(end + 1)))
    end++;
  inBrackets.lastIndex = at;
  if (text[end] === " " && read.includes("(")) end = Math.max(end, at + (inBrackets.exec(text)?.[0].length ?? 0));
  // An authenticator's seed is shown in groups of four.
  if (end - at === 4)
    end = Math.max(
      end,
      run(String.raw`(?:[A-Z2-7]{4} ){3,16}[A-Z2-7]{4}(?![\w])|(?:[a-z2-7]{4} ){3,16}[a-z2-7]{4}(?![\w])`, text, at, 1),
    );
  // Behind a colon the line is no query, and a password may read like the next of its settings.
  if (text[end] === "&" && text.startsWith(": ", at - 2)) end = run(String.raw`\S`, text, at, limit);
  if (text[end] === " ") end += /^(?: [a-z]{3,9}){11,23}(?=\s*$)/m.exec(text.slice(end, end + 256))?.[0].length ?? 0;
  if (!toLineEnd) return { start: at, end };
  const lineEnd = run(wholeLine, text, at, Math.min(limit, 400));
  const rest = text.slice(end, lineEnd);
  if (/\p{L}.*[^\p{L}'-]|[^\p{L}\p{N}_'-]|\d\p{L}/u.test(text.slice(at, end)) || /^\s*[,;)\]}]*\s*$/.test(rest))
    return { start: at, end };
  const isOneValue =
    !nextSetting.test(rest) &&
    !/\s-{1,2}[A-Za-z]/.test(rest) &&
    !/^\s+(?:#|\/\/|--|->|=>)/.test(rest) &&
    rest.split(/\s+/).length <= 6;
  return { start: at, end: isOneValue ? at + text.slice(at, lineEnd).trimEnd().length : end };
}

/** Behind a separator the next setting's name: of a query, or of others, with a blank in it if the line has parted others so before. */
const nextField = /&(?:amp;)?[A-Za-z][\w.%-]{0,40}=/y;

const nextName = /[,;&|]["']?(?:[A-Za-z]{4,40}|[A-Za-z]{1,20}_)[\w.%-]{0,40}["']?[=:]/y;

const nextLabel = /[,;] ?["']?[A-Za-z]{2,40}(?: [\w.%-]{1,40}){0,2}["']?[=:]/y;

/** Cookies and their attributes: `sid=…; Path=/`. */
const nextMember = /; [A-Za-z][\w-]{1,40}(?:=|;|$)/my;
const isNextMember = (text: string, at: number): boolean => {
  nextMember.lastIndex = at;
  return nextMember.test(text);
};

const entity = /&(?:amp|lt|gt|quot|apos|#\d{1,5});/y;

const structural = /[\s,;.:)\]}"'\x60]|$/y;

/** What may end a drawn password, and what is more than one sign of it. */
const special = /\s|["'\x60\\<&,;|()[\]{}]/g;

/**
 * The end of a drawn password without quotes of its own, whose signs mean nothing: only a blank ends it, and what closes the quotes
 * and brackets that were open before it on its line. Where it is no such password, its beginning.
 */
function drawnEnd(text: string, at: number): number {
  const most = Math.min(text.length, at + mostDrawn);
  const value = text.slice(at, most);
  if (/^(?:\S{0,7}(?:\s|$)|[{[(]+["'])/.test(value)) return at;
  const near = text.slice(Math.max(0, at - 300), at);
  // JSON without blanks: `"secret":true,"ttl":1`.
  if (/"\s{0,2}:\s{0,2}$/.test(near) && /^(?:true|false|null|-?\d+(?:\.\d+)?)[,}\]]/.test(value)) return at;
  const line = near.slice(near.lastIndexOf("\n") + 1);
  const next = /[?&][\w.%-]{1,80}=$/.test(line) ? nextField : /[,;]/.test(line) ? nextLabel : nextName;
  let open: ReturnType<typeof openIn> | undefined;
  let [end, depth] = [most, 0];
  special.lastIndex = 0;
  for (let found = special.exec(value); found; found = special.exec(value)) {
    const [sign] = found;
    end = at + found.index;
    if (/\s/.test(sign)) break;
    entity.lastIndex = next.lastIndex = end;
    const isEntity = sign === "&" && entity.test(text);
    if (isEntity) special.lastIndex = entity.lastIndex - at;
    else if (found.index > 0 && /[,;&|]/.test(sign) && (next.test(text) || isNextMember(text, end))) break;
    else if (sign === "<" && text[end + 1] === "/" && /<[A-Za-z]/.test(line)) break;
    else if (/[\\"'\x60()[\]{}]/.test(sign)) {
      open ??= openIn(line);
      structural.lastIndex = end + 1;
      if (sign === "\\" && (open.quote === '"' || isEscaped(near, text, end))) {
        if (/[nrt]/.test(text.charAt(end + 1))) break;
        special.lastIndex++;
      } else if (sign === open.quote) {
        if (!text.startsWith("'\\''", end)) break;
        special.lastIndex += 3;
      } else if (/[([{]/.test(sign)) depth++;
      else if (openers[sign] !== undefined && depth > 0) depth--;
      else if (open.brackets.includes(openers[sign] ?? "") && structural.test(text)) break;
    }
    end = most;
  }
  return (end < most || most === text.length) && isDrawnPassword(text.slice(at, end)) ? end : at;
}

/** Whether the text stands in a string whose beginning is far away, as in a payload on one line: others of its escapes tell. */
const isEscaped = (near: string, text: string, at: number): boolean => {
  escapedLine.lastIndex = at;
  return /\\[nrt"]/.test(near) || escapedLine.test(text);
};

const escapedLine = /\\[nrt]\s*[\w.-]{2,40}\s?[=:]/y;

/** What a line's beginning opens and does not close. */
function openIn(line: string): { readonly quote: string | undefined; readonly brackets: readonly string[] } {
  let quote: string | undefined;
  const brackets: string[] = [];
  for (const { 0: sign } of line.matchAll(/\\.|["\x60()[\]{}]|(?<!\w)'|'(?!\w)/g)) {
    if (sign === quote) quote = undefined;
    else if (quote !== undefined || sign.startsWith("\\")) continue;
    else if (/["'\x60]/.test(sign)) quote = sign;
    else if (openers[sign] === undefined) brackets.push(sign);
    else if (openers[sign] === brackets.at(-1)) brackets.pop();
  }
  return { quote, brackets };
}

/** JSON inside JSON: the value ends where the same escaped quote comes again; its own signs are escaped once more. */
function readEscaped(text: string, start: number, mark: string, limit: number): Span {
  const [quote, slashes] = [RegExp.escape(mark), String.raw`\\`.repeat(mark.length)];
  const end = run(
    String.raw`[^"'\n\\]|${slashes}(?:${quote}|${slashes}|[^"'\\])|\\(?!\\*["'])|(?!${quote})["']`,
    text,
    start,
    limit,
  );
  return { start, end };
}

/** Nothing but indentation, a list mark or `export` stands before the name. */
const startsLine = /^[ \t]*(?:[-+~*>|] {0,4}|export |set |setx |declare -x |ENV |ARG |\$env:|["'])*$/;

/** Values in one list, and how far into an object its value is looked for. */
const mostItems = 200;

/** The name under which an object of one value keeps it. */
const valueName =
  /(?:\{[^{}]{0,400}?|\n[ \t]+(?:[^\s][^\n]{0,199}\n[ \t]+){0,3}?)(?<![\w.:-])["']?(?:value|default|plaintext|plain|content|data|text|string|s|secret|secure|raw)["']?[ \t]{0,4}(?:=>|[:=])[ \t]{0,4}(?=[^\s{[])/iy;

const flatObject = /\{[^{}]{0,4000}/y;
const member =
  /([A-Za-z_][\w.-]{0,80})\\{0,4}["']?\s{0,4}(?:=>|[:=])\s{0,4}\\{0,4}["']([^"'\\\n]{1,2000})(?=\\{0,4}["'])/g;

const nextItem = /[\s,]*(?=["'])/y;

/**
 * The values of a secret name whose value is a list, an object with a `value`, or stands on the lines below: `at` is where
 * the value would begin, `nameAt` where the name does. Empty where it is none of these.
 */
function nestedValues(text: string, at: number, nameAt: number): readonly Span[] {
  if (/[[(]\s{0,20}["']/y.test(text.slice(at, at + 24))) return items(text, at + 1);
  if (text[at] === "{") return named(text, at);
  return text[at] === "\n" || text.startsWith("\r\n", at)
    ? below(text, text.indexOf("\n", at), text.lastIndexOf("\n", nameAt) + 1)
    : [];
}

/** A flat object's members, with what each is called. */
function membersOf(text: string, at: number): readonly { readonly name: string; readonly value: Span }[] {
  flatObject.lastIndex = at;
  const body = flatObject.exec(text)?.[0] ?? "";
  return [...body.matchAll(member)].map((match) => {
    const start = at + match.index + match[0].length - (match[2]?.length ?? 0);
    return { name: match[1] ?? "", value: { start, end: start + (match[2]?.length ?? 0) } };
  });
}

function items(text: string, start: number): Span[] {
  const spans: Span[] = [];
  for (let at = start; spans.length < mostItems; ) {
    nextItem.lastIndex = at;
    const gap = nextItem.exec(text);
    if (!gap) break;
    const span = readValue(text, at + gap[0].length, false);
    // A list with names of its own: what stands first is one.
    if (span.end <= at || /^["']?\s{0,4}=>/.test(text.slice(span.end, span.end + 8))) break;
    spans.push(span);
    at = span.end + (/["']/.test(text[span.end] ?? "") ? 1 : 0);
    if (!/[\s,]/.test(text[at] ?? "")) break;
  }
  return spans;
}

function named(text: string, at: number): Span[] {
  valueName.lastIndex = at;
  const match = valueName.exec(text);
  return match ? [readValue(text, at + match[0].length, false)] : [];
}

const indent = (text: string, lineStart: number): number => {
  let at = lineStart;
  while (text[at] === " " || text[at] === "\t") at++;
  return at - lineStart;
};

/** A list, an object with a `value`, or one plain word further in than the name. */
function below(text: string, newline: number, nameLine: number): Span[] {
  const depth = indent(text, nameLine);
  const lineStart = newline + 1;
  const own = indent(text, lineStart);
  const first = lineStart + own;
  if (text.startsWith("- ", first) && own >= depth) return listItems(text, lineStart, own);
  if (own <= depth) return [];
  const word =
    /(?:"[^"\n]{3,400}"|'[^'\n]{3,400}'|(?![A-Za-z_][\w.-]{0,80}=[^=\s])[^\s:"'{}[\]#,<>-][^\s:"'{}[\],]{5,400})(?=,?[ \t]*(?:\r?\n|$))/y;
  word.lastIndex = first;
  if (word.test(text)) return [readValue(text, first, false)];
  return named(text, newline);
}

function listItems(text: string, start: number, column: number): Span[] {
  const spans: Span[] = [];
  const item = new RegExp(`[ \\t]{${column}}- (?![A-Za-z]+ [^\\s#])(?![^\\n]{0,80}:[ \\n])`, "y");
  for (let at = start; spans.length < mostItems; ) {
    item.lastIndex = at;
    const match = item.exec(text);
    if (!match) break;
    spans.push(readValue(text, at + match[0].length, false));
    const newline = text.indexOf("\n", at);
    if (newline === -1) break;
    at = newline + 1;
  }
  return spans;
}

/** By indentation: the lines that stand further in, and empty ones. */
const linesWithin = new Map<number, RegExp>();

function linesFurtherIn(depth: number): RegExp {
  const lines = linesWithin.get(depth) ?? new RegExp(`(?:[ \\t]{${depth + 1},}[^\\n]*(?:\\n|$)|[ \\t]*\\n)*`, "y");
  linesWithin.set(depth, lines);
  return lines;
}

/** Where the next line begins that holds only this word. */
type FindEnd = (word: string, from: number) => number | undefined;

const lineWord = /\n[ \t]*(\w{1,40})(?!\w)/g;

/** For rising places. The lines are read once, and only if a here-document is met: a search for each would cost their square. */
function createFindEnd(text: string): FindEnd {
  let places: Map<string, number[]> | undefined;
  return (word, from) => {
    if (!places) {
      places = new Map();
      for (const { 1: found = "", index } of text.matchAll(lineWord)) {
        const known = places.get(found);
        if (known) known.push(index);
        else places.set(found, [index]);
      }
      for (const all of places.values()) all.reverse();
    }
    const left = places.get(word) ?? [];
    while ((left.at(-1) ?? from) < from) left.pop();
    return left.at(-1);
  };
}

/**
 * Returns what stands below `name: |`, further in than the name, or in a here-document; undefined if nothing does. The end of one may
 * stand beyond what is seen.
 */
function blockBelow(text: string, nameAt: number, at: number, endOf: FindEnd): Span | undefined {
  const head = /(?:[|>][-+]?\d?|(?:"?\$\(cat )?<<[-~]?\\?["']?(\w{1,40})["']?)[ \t]*\n/y;
  head.lastIndex = at;
  const match = head.exec(text);
  if (!match) return undefined;
  if (match[1] !== undefined) {
    const start = at + match[0].length;
    const end = endOf(match[1], start - 1);
    return end === undefined
      ? { start: at, end: Math.min(text.length, at + longestHere), isExtent: true }
      : { start, end: Math.max(start, end) };
  }
  const lineStart = text.lastIndexOf("\n", nameAt) + 1;
  const depth = /^[ \t]*/.exec(text.slice(lineStart, lineStart + 200))?.[0].length ?? 0;
  const start = at + match[0].length;
  const line = linesFurtherIn(depth);
  line.lastIndex = start;
  const body = line.exec(text)?.[0] ?? "";
  const inner = body.trim();
  if (inner === "" || /^-----BEGIN (?!.*PRIVATE)/.test(inner)) return undefined;
  const from = start + body.indexOf(inner);
  return { start: from, end: from + inner.length };
}

/** What a person reads on a form: words with their punctuation, places for values, nothing drawn. */
const isPhrase = (value: string): boolean =>
  /^(?:[\p{L}\p{M} '’"“”„«»‹›.,;:!?¿¡…()/、。，！？ー–—-]|%\d?\$?[a-z@]|%?\{\{?[\w.]{0,40}\}?\})+$/u.test(value) &&
  /\p{L}{2}/u.test(value) &&
  !/\p{Ll}\p{Lu}|^[a-z]+(?:[-.][a-z]+)+$|^\p{L}+(?:\.\p{L}+)+$/u.test(value) &&
  !isDrawnPassword(value);

/** A setting on a line of its own, or an element with a name: what it says. */
const settingOfForm =
  /^[ \t]*(?:(?:["'][^"'\n]{1,80}["']|[a-z][\w-]{0,40}[._][\w.-]{1,80}|(?<=[ \t])[a-z]\w{0,80})[ \t]{0,8}(?::|=>?)[ \t]{0,8}|<[a-z]+ name="[\w.-]{1,80}">)(["']?)([^\n]{1,300}?)\1(?:<\/[a-z]+>)?[,;]?[ \t]*\r?$/gmu;

/** This many settings tell what a text is. */
const leastSettings = 4;
const mostSettings = 200;

/** A phrase that no one word in small letters is: such a word is a password as well. */
const isLabel = (value: string): boolean =>
  isPhrase(value) && /^\P{Ll}/u.test(value) && (/\p{L} \p{L}/u.test(value) || /[^\x20-\x7e]/.test(value));

/** Whether nearly all settings of a text are phrases and none is a machine's: a number, a switch, an address, a path. */
function isForPeople(text: string): boolean {
  let [all, phrases] = [0, 0];
  for (const [, , value = ""] of text.matchAll(settingOfForm)) {
    if (/^(?:\d[\d.]*|true|false|null|yes|no|on|off)$|:\/\/|^[.~]?\/|^[\w-]+(?:\.[\w-]+)+$|:\d{2,5}$|@/.test(value))
      return false;
    if (/^[[{|>]/.test(value)) continue;
    all++;
    if (isLabel(value)) phrases++;
    if (all === mostSettings) break;
  }
  return all >= leastSettings && phrases * 4 >= all * 3;
}
