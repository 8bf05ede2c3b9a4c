import { type Assignment, createReadAssignment } from "./assignment.ts";
import { matchLines } from "./lines.ts";
import { isHarmless, type NameKind, nameKind } from "./names.ts";
import { isDrawn, isUuid } from "./randomness.ts";
import { readValue } from "./read-value.ts";
import type { Find, Span } from "./span.ts";
import { membersOf, nestedValues } from "./structures/nested.ts";
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
export const findSettings: Find = (text, watch) => {
  const spans: Span[] = [];
  const take = (name: string, kind: NameKind, at: number, toLineEnd: boolean): number | undefined => {
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
    const span = short.end - short.start < peek ? short : readValue(text, at, toLineEnd);
    spans.push(span);
    return span.end;
  };

  /** Takes what is assigned; tells from where to go on. */
  const takeAssigned = ({ name, kind, nameAt, valueAt }: Assignment): number | undefined => {
    // `user:password@` of an address has a rule of its own.
    if (text.startsWith("://", nameAt - 3) || isInResourceName(text, nameAt)) return undefined;
    if (text.startsWith("checksum/", nameAt - 9) || isLabel(text, nameAt, name.length)) return undefined;
    const block = yamlBlock(text, nameAt, valueAt);
    if (block) {
      spans.push(block);
      return block.end;
    }
    if (kind === "strong") {
      for (const inner of nestedValues(text, valueAt, nameAt)) {
        if (isSecretValue(text.slice(inner.start, Math.min(inner.end, inner.start + peek)), kind)) spans.push(inner);
      }
    }
    if (/s$/i.test(name)) {
      for (const { name: own, value } of membersOf(text, valueAt)) {
        const said = text.slice(value.start, value.end);
        if (!isHarmless(own) && (isUuid(said) || isSecretValue(said, "weak"))) spans.push(value);
      }
    }
    const end = take(name, kind, valueAt, startsLine(text, nameAt));
    return end === undefined ? undefined : (changedTo(text, end, spans) ?? end);
  };

  const assignmentFrom = createReadAssignment(text);
  for (let from = 0; ; ) {
    const found = assignmentFrom(from);
    if (!found) break;
    watch?.();
    from = takeAssigned(found) ?? found.valueAt;
  }
  for (const match of text.matchAll(element)) {
    const kind = nameKind(match[1] ?? "");
    const at = match.index + match[0].length;
    if (kind && take(match[1] ?? "", kind, at, false) === undefined && kind === "strong") {
      encrypted.lastIndex = at;
      const [whole, inner = ""] = encrypted.exec(text) ?? [];
      if (whole !== undefined) spans.push({ start: at + 1, end: at + 1 + inner.length });
    }
  }
  for (const match of text.matchAll(elementLines)) {
    if (nameKind(match[1] ?? "") !== "strong") continue;
    const from = match.index + match[0].lastIndexOf(match[2] ?? "");
    for (const line of (match[2] ?? "").matchAll(/\S+/g))
      if (isDrawn(line[0])) spans.push({ start: from + line.index, end: from + line.index + line[0].length });
  }
  for (const match of text.matchAll(flag)) {
    const kind = nameKind(match[1] ?? "");
    if (kind) take(match[1] ?? "", kind, match.index + match[0].length, false);
  }
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
    if (isLast && (ofRedis.test(name) || isDrawnWord(value) || (/pass|pwd/i.test(name) && isOfWords(value)))) {
      take(name, "strong", at, false);
    }
  });
  return spans;
};

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
function changedTo(text: string, end: number, spans: Span[]): number | undefined {
  const arrow = /["']?[ \t]{0,4}(?:->|=>|\|)[ \t]{0,4}(?=["'])/y;
  arrow.lastIndex = end;
  const match = arrow.exec(text);
  if (!match) return undefined;
  const next = readValue(text, end + match[0].length, false);
  if (!isSecretValue(text.slice(next.start, next.start + peek), "strong")) return undefined;
  spans.push(next);
  return next.end;
}

/** By indentation: the lines that stand further in, and empty ones. */
const linesWithin = new Map<number, RegExp>();

function linesFurtherIn(depth: number): RegExp {
  const lines = linesWithin.get(depth) ?? new RegExp(`(?:[ \\t]{${depth + 1},}[^\\n]*(?:\\n|$)|[ \\t]*\\n)*`, "y");
  linesWithin.set(depth, lines);
  return lines;
}

/** `name: |` with its lines below, further in than the name. */
function yamlBlock(text: string, nameAt: number, at: number): Span | undefined {
  const head = /[|>][-+]?\d?[ \t]*\n/y;
  head.lastIndex = at;
  const match = head.exec(text);
  if (!match) return undefined;
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
