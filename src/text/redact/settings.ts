import { type Assignment, createReadAssignment } from "./assignment.ts";
import { matchLines } from "./lines.ts";
import { isHarmless, type NameKind, nameKind } from "./names.ts";
import { isDrawn, isUuid } from "./randomness.ts";
import { readValue } from "./read-value.ts";
import type { Find, Span, Watch } from "./span.ts";
import { membersOf, nestedValues } from "./structures/nested.ts";
import { yamlBlock } from "./structures/yaml-block.ts";
import { isPlainCell } from "./tables/words.ts";
import { isCount, isIdentifier, isSecretValue } from "./values.ts";

/** How much of a value decides whether it is a secret; the whole is read only if it is. */
const peek = 512;

/** `<name attribute>value</name>`, also with an element for the value in between. */
const element =
  /<([A-Za-z][\w.:-]{1,79})(?:\s[^<>]{0,200})?>(?:\s{0,40}<(?:value|string|plain|text|content)(?:\s[^<>]{0,60})?>)?(?=[^<\s])(?!["'](?:\s|$))/gi;

/** What Jenkins keeps encrypted stands in braces: no template, whose braces hold a name. */
const encrypted = /\{((?=[^{}<>\n]{0,400}\d)(?:[\w+/=.:-]{1,400} ){0,3}[\w+/=.:-]{16,400})\}(?=<)/y;

/** An element whose text stands on lines of its own. What follows the indentation is no blank: each line reads one way only. */
const elementLines = /<([A-Za-z][\w.:-]{1,79})>[ \t]*\r?\n((?:[ \t]*[^<>\s][^<>\n]{0,199}\n){1,6})[ \t]*<\//g;

/** `--name value`, `-Name value`; also as arguments of a JSON array, and as auditd tells them. */
const flag =
  /(?<=[\s"'`,[(]|^)-{1,2}([A-Za-z][\w-]{1,60})(" a\d{1,3}=|["']?\r?\n[ \t]{0,40}- |["']?,?[ \t]{1,4}(?:[\\`^]\r?\n[ \t]{0,20})?|["'],\s{0,20})(?=[^-\s|&;<>\\])/g;

/** A line of two words: netrc, redis.conf, tables; also as `grep -n` tells it. */
const twoWords =
  /^((?:(?:[\w./-]{1,120}:)?\d{1,6}[:-])?[ \t]*(?:[#%]define[ \t]{1,8})?)([A-Za-z_][\w.-]{1,60})([ \t]{1,60}(?:REG_\w{1,12}[ \t]{1,20})?)(?=[^\s=:|])/my;

/** Secrets known by the name they are set under. */
export const findSettings: Find = (text, watch) => [
  ...assigned(text, watch),
  ...inElements(text),
  ...inElementLines(text),
  ...behindFlags(text),
  ...inLinesOfTwoWords(text),
];

/** The value at a place, where it is a secret by what its name says. */
function secretAt(text: string, name: string, kind: NameKind, at: number, toLineEnd = false): Span | undefined {
  if ((kind === "weak" || kind === "identifier") && !startsLikeKey(text, at)) return undefined;
  const short = readValue(text, at, toLineEnd, peek);
  const value = text.slice(short.start, short.end);
  if (isLabelled(text, at) || !isSecretValue(value, kind) || isCount(name, value) || isReference(name, value))
    return undefined;
  // A session or ticket by its number is no key.
  if (kind === "weak" && isUuid(value) && !/(?:key|pat|auth|api)$/i.test(name)) return undefined;
  // XML's `<add key="name" value="…">`.
  if (kind === "weak" && /^["']\s{1,4}value=/.test(text.slice(short.end, short.end + 12))) return undefined;
  if (toLineEnd ? isReport(value) : isProse(text, short)) return undefined;
  return short.end - short.start < peek ? short : readValue(text, at, toLineEnd);
}

function* assigned(text: string, watch: Watch | undefined): Generator<Span> {
  const assignmentFrom = createReadAssignment(text);
  for (let from = 0; ; ) {
    const found = assignmentFrom(from);
    if (!found) return;
    watch?.();
    from = (yield* takeAssigned(text, found)) ?? found.valueAt;
  }
}

/** Takes what is assigned; returns from where to go on. */
function* takeAssigned(text: string, { name, kind, nameAt, valueAt }: Assignment): Generator<Span, number | undefined> {
  // `user:password@` of an address has a rule of its own.
  if (text.startsWith("://", nameAt - 3) || isInResourceName(text, nameAt)) return undefined;
  if (text.startsWith("checksum/", nameAt - 9) || isLabel(text, nameAt, name.length)) return undefined;
  const block = yamlBlock(text, nameAt, valueAt);
  if (block) {
    yield block;
    return block.end;
  }
  if (kind === "strong") {
    for (const inner of nestedValues(text, valueAt, nameAt)) {
      if (isSecretValue(text.slice(inner.start, Math.min(inner.end, inner.start + peek)), kind)) yield inner;
    }
  }
  if (/s$/i.test(name)) {
    for (const { name: own, value } of membersOf(text, valueAt)) {
      const said = text.slice(value.start, value.end);
      if (!isHarmless(own) && (isUuid(said) || isSecretValue(said, "weak"))) yield value;
    }
  }
  const secret = secretAt(text, name, kind, valueAt, startsLine(text, nameAt));
  if (!secret) return undefined;
  yield secret;
  const changed = changedTo(text, secret.end);
  if (changed) yield changed;
  return (changed ?? secret).end;
}

function* inElements(text: string): Generator<Span> {
  for (const match of text.matchAll(element)) {
    const [whole, name = ""] = match;
    const kind = nameKind(name);
    const at = match.index + whole.length;
    const secret = kind && secretAt(text, name, kind, at);
    if (secret) yield secret;
    else if (kind === "strong") {
      encrypted.lastIndex = at;
      const inner = encrypted.exec(text)?.[1];
      if (inner !== undefined) yield { start: at + 1, end: at + 1 + inner.length };
    }
  }
}

function* inElementLines(text: string): Generator<Span> {
  for (const match of text.matchAll(elementLines)) {
    const [whole, name = "", lines = ""] = match;
    if (nameKind(name) !== "strong") continue;
    const from = match.index + whole.lastIndexOf(lines);
    for (const line of lines.matchAll(/\S+/g))
      if (isDrawn(line[0])) yield { start: from + line.index, end: from + line.index + line[0].length };
  }
}

function* behindFlags(text: string): Generator<Span> {
  for (const match of text.matchAll(flag)) {
    const [whole, name = ""] = match;
    const kind = nameKind(name);
    const secret = kind && secretAt(text, name, kind, match.index + whole.length);
    if (secret) yield secret;
  }
}

function inLinesOfTwoWords(text: string): readonly Span[] {
  const spans: Span[] = [];
  matchLines(text, [twoWords], (match) => {
    const name = match[2] ?? "";
    // Test runners write `PASS file`.
    if (nameKind(name) !== "strong" || name === "PASS") return;
    const at = match.index + match[0].length;
    const { start, end } = readValue(text, at, false, peek);
    const value = text.slice(start, end);
    const after = text.slice(end, end + 80);
    // A directive's semicolon; behind one plain word of code it ends a declaration.
    const isDirective =
      /[_.-]/.test(name) &&
      !/(?:proxy|cgi|wsgi|grpc|memcached)_pass$/.test(name) &&
      value.length >= 6 &&
      /^;[ \t]*(?:\n|$)/.test(after);
    const isLast = isDirective || /^(?:["'];?)?[ \t]*\|?[ \t]*(?:\n|$)/.test(after);
    if (!isLast) return;
    if (!ofRedis.test(name) && !isDrawnWord(value) && !(/pass|pwd/i.test(name) && isOfWords(value))) return;
    const secret = secretAt(text, name, "strong", at);
    if (secret) spans.push(secret);
  });
  return spans;
}

/** `"Password: " + value`: the quote behind the sign closes what began before the name. */
function isLabelled(text: string, at: number): boolean {
  const quote = text[at] ?? "";
  if (!/^["'] ?[+.,)]/.test(text.slice(at, at + 3))) return false;
  const before = text.slice(Math.max(text.lastIndexOf("\n", at) + 1, at - 400), at);
  return (before.split(quote).length - 1) % 2 === 1;
}

const keyStart = /\\{0,8}[bu]?["'`]?[\w+/.~%-]{12}/y;

/** Saves reading the values of common names that cannot be keys. */
const startsLikeKey = (text: string, at: number): boolean => {
  keyStart.lastIndex = at;
  return keyStart.test(text);
};

/** `arn:aws:secretsmanager:…:secret:name` names a secret and holds none. */
const isInResourceName = (text: string, at: number): boolean =>
  text[at - 1] === ":" && /\b(?:arn|urn|resolve):\S*$/.test(text.slice(Math.max(0, at - 100), at));

/** `pam_unix(passwd:chauthtok)`, `login(password:given)`: a word behind a label. */
const isLabel = (text: string, at: number, length: number): boolean =>
  /^\w\($/.test(text.slice(Math.max(0, at - 2), at)) &&
  /^:[a-z]{2,20}\)/.test(text.slice(at + length, at + length + 22));

/** `secret: shop-db` names an object of that kind, `req.body.password` a variable. */
const isReference = (name: string, value: string): boolean =>
  isIdentifier(name, value) ||
  (/^[A-Za-z_$]\w*(?:\??\.[A-Za-z_$]\w*){1,8};?$/.test(value) && nameKind(value.replace(";", "")) === "strong") ||
  // PowerShell asks for the password of `-Credential DOMAIN\user`.
  (/credentials?$/i.test(name) && /^[A-Za-z][\w.-]*[\\/@][\w.-]+\**$|^[A-Z][a-z]+\d{1,2}$/.test(value)) ||
  // Terraform's `random_password.db.result`.
  /^[a-z][a-z0-9]*(?:_[a-z0-9]+)+\.[a-z_][\w-]*(?:\[\w+\])?(?:\.[a-z_]+){1,3}$/.test(value) ||
  (/^(?:secrets?|credentials?|secret_?(?:id|key|name)|auth(?:-tls)?-secret)$/i.test(name) &&
    !/^SECRET_KEY$/.test(name) &&
    (/^[a-z]{2,20}(?:[-/.][a-z0-9]{1,20}){0,6}$/.test(value) ||
      (/^[A-Za-z]+(?:_[A-Za-z]+)+$/.test(value) && nameKind(value) === "strong")));

/** `secret: key "a" not found`: the sentence goes on after a common word. */
const isProse = (text: string, { start, end }: Span): boolean =>
  text[start - 1] === " " &&
  /^[a-z]{2,14}$/.test(text.slice(start, Math.min(end, start + 15))) &&
  /^ ["'\w]/.test(text.slice(end, end + 2));

/** `passwd: password updated successfully`: a program's name before what it says. */
const isReport = (value: string): boolean =>
  /^[a-z]+(?: [a-z]+){2,}\.?$/.test(value) &&
  /\b(?:updated|successfully|changed|failed|expired|invalid|unchanged|denied)\b/.test(value);

/** A passphrase such as people are given: `lagoon-saffron-lagoon`. */
const isOfWords = (value: string): boolean => /^[a-z]{4,12}(?:-[a-z]{4,12}){2,}$/i.test(value);

/** Directives that no sentence or table has for a word. */
const ofRedis = /^(?:requirepass|masterauth)$/;

/** In a line of two words the second is a secret only if no word of a language or table. */
const isDrawnWord = (word: string): boolean =>
  !isPlainCell(word) &&
  !/^[A-Za-z]+(?:,[A-Za-z]+)+$/.test(word) &&
  /\d|[^\w.-]|[a-z][A-Z]/.test(word) &&
  !/^\d{1,6}$/.test(word);

/** Whether nothing but indentation, a list mark or `export` stands before `at` on its line. */
function startsLine(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - 40), at);
  return /(?:^|\n)[ \t]*(?:[-+~*>|] {0,4}|export |set |setx |declare -x |ENV |ARG |\$env:|["'])*$/.test(before);
}

/** Terraform's `"old" -> "new"`: the second is a secret as well. */
function changedTo(text: string, end: number): Span | undefined {
  const arrow = /["']?[ \t]{0,4}(?:->|=>|\|)[ \t]{0,4}(?=["'])/y;
  arrow.lastIndex = end;
  const match = arrow.exec(text);
  if (!match) return undefined;
  const next = readValue(text, end + match[0].length, false);
  return isSecretValue(text.slice(next.start, next.start + peek), "strong") ? next : undefined;
}
