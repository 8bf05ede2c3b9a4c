import * as z from "zod";
import builds from "./formats/builds.json" with { type: "json" };
import clouds from "./formats/clouds.json" with { type: "json" };
import general from "./formats/general.json" with { type: "json" };
import messages from "./formats/messages.json" with { type: "json" };
import models from "./formats/models.json" with { type: "json" };
import monitoring from "./formats/monitoring.json" with { type: "json" };
import payments from "./formats/payments.json" with { type: "json" };
import work from "./formats/work.json" with { type: "json" };
import { nameKind } from "./names.ts";
import { isStandIn } from "./randomness.ts";
import { unitsOf } from "./scanner.ts";
import type { Find, Span, Watch } from "./span.ts";
import { decodedText, isPlainSetting } from "./values.ts";

/**
 * A token that is known by its shape alone. Its pattern starts where no word character stands before it, is linear (bounded, or
 * a run that always matches once its least length is reached) and matches nothing but the secret. `sign`: by what it
 * is told where it can begin like any word.
 */
const formatSchema = z.strictObject({
  name: z.string(),
  pattern: z.string(),
  sign: z.string().optional(),
});

/** Throws at start where a family's table has not this form. */
export const formats = z
  .array(formatSchema)
  .parse([clouds, builds, messages, models, monitoring, payments, work, general].flat());

/** Password hashes open with a sign, so no word boundary stands before them. */
const hashes = [
  "\\$(?:1|2[abxy]?|[5-9]|y|gy|apr1|sha1|P|H)\\$[A-Za-z0-9./$=+_-]{16,}",
  "\\$(?:argon2(?:id|i|d)|scrypt|bcrypt-sha256|pbkdf2(?:-sha(?:1|256|512))?)\\$[A-Za-z0-9./$=,+_-]{16,}",
  "pbkdf2_sha(?:1|256|512)\\$[0-9]+\\$[A-Za-z0-9./$=+_-]{16,}",
  "grub\\.pbkdf2\\.sha(?:256|512)\\.[0-9]+\\.[A-F0-9.]{32,}",
  "SCRAM-SHA-(?:1|256|512)\\$[0-9]+:[A-Za-z0-9./$=+:_-]{16,}",
];

const leastToken = 12;
const separator = 1;
const wordPart = 2;

/** What ASCII characters are to a token; no other ends one or is a part of its first characters. */
const roles = Uint8Array.from({ length: 128 }, (_, unit) => {
  const character = String.fromCharCode(unit);
  return /[\s"',;<>]/.test(character) ? separator : /[A-Za-z0-9_]/.test(character) ? wordPart : 0;
});

const roleOf = (unit: number): number => (unit < 128 ? (roles[unit] ?? 0) : 0);

const allAscii = Array.from({ length: 128 }, (_, unit) => unit);
/** How many characters of a beginning are told. */
const depth = 3;

const ascii = Array.from({ length: 128 }, (_, unit) => String.fromCharCode(unit));

/** For each of the first characters of a match, the codes it can have; fewer than three where their number varies. */
type Beginning = readonly ReadonlySet<number>[];

/**
 * What the matches of a pattern can begin with. Knows literals, classes, groups, lookaheads and counts; throws for what it
 * does not know, so that no pattern is lost in silence.
 */
export function beginningsOf(source: string): readonly Beginning[] {
  return pathsOf(source).map(({ atoms }) => {
    if (atoms.length === 0) throw new Error(`cannot tell where ${source} begins`);
    return atoms.slice(0, depth).map((atom) => {
      const able = new RegExp(`^${atom}$`);
      return new Set(ascii.filter((character) => able.test(character)).map((character) => character.charCodeAt(0)));
    });
  });
}

/** The atoms of one character that stand first; `isOpen` where what follows them is not known. */
type Path = { readonly atoms: readonly string[]; readonly isOpen: boolean };

const noPath: Path = { atoms: [], isOpen: false };

const pathsOf = (source: string): Path[] => alternativesOf(source).flatMap((one) => pathsFrom(noPath, one));

function pathsFrom(path: Path, source: string): Path[] {
  if (source === "" || path.isOpen || path.atoms.length >= depth) return [path];
  if (/^\(\?[=!]/.test(source)) return pathsFrom(path, source.slice(groupEnd(source)));
  const isGroup = source.startsWith("(?:");
  const atom = isGroup
    ? source.slice(0, groupEnd(source))
    : (/^(?:\[(?:\\.|[^\]\\])*\]|\\.|[\w~/:-])/.exec(source)?.[0] ?? "");
  const [count = "", sign, least = "1", comma] = /^(?:([?*+])|\{(\d+)(,)?\d*\})/.exec(source.slice(atom.length)) ?? [];
  if (atom === "") throw new Error(`cannot tell where ${source} begins`);
  const times = sign === "?" || sign === "*" ? 0 : Number(least);
  const once = isGroup ? pathsOf(atom.slice(3, -1)) : [{ atoms: [atom], isOpen: false }];
  let begun: Path[] = [path];
  for (let time = 0; time < Math.min(times, depth); time++)
    begun = begun.flatMap((first) => once.map((next) => joined(first, next)));
  if (sign !== undefined || comma !== undefined) return begun.map((one) => ({ ...one, isOpen: true }));
  return begun.flatMap((one) => pathsFrom(one, source.slice(atom.length + count.length)));
}

const joined = (first: Path, next: Path): Path =>
  first.isOpen ? first : { atoms: [...first.atoms, ...next.atoms], isOpen: next.isOpen };

/** The end of the group that the source begins with. */
function groupEnd(source: string): number {
  let depth = 0;
  for (const { 0: token, index } of source.matchAll(/\\.|\[(?:\\.|[^\]\\])*\]|[()]/g)) {
    if (token === "(") depth++;
    if (token === ")" && --depth === 0) return index + 1;
  }
  throw new Error(`a group of ${source} is not closed`);
}

function alternativesOf(source: string): string[] {
  const parts: string[] = [];
  let [depth, start] = [0, 0];
  for (const { 0: token, index } of source.matchAll(/\\.|\[(?:\\.|[^\]\\])*\]|[()|]/g)) {
    if (token === "(") depth++;
    if (token === ")") depth--;
    if (token !== "|" || depth > 0) continue;
    parts.push(source.slice(start, index));
    start = index + 1;
  }
  return [...parts, source.slice(start)];
}

const begun = formats.map(({ pattern, sign }) => ({ pattern, sign, beginnings: beginningsOf(pattern) }));

/** By the code of the first character: what may begin with it. A pattern of all alternatives tries each at each word. */
const tokensFrom: readonly (RegExp | undefined)[] = Array.from({ length: 128 }, (_, unit) => {
  const able = begun
    .filter(({ beginnings }) => beginnings.some(([first]) => first?.has(unit)))
    .map(({ pattern }) => pattern);
  return able.length === 0 ? undefined : new RegExp(`(?=[^\\s"',;<>]{${leastToken}})(?:${able.join("|")})`, "y");
});

/** By the codes of the first two characters: a bit for each third one, as far as five bits tell, of what may begin so. */
const thirds = new Int32Array(128 * 128);
for (const { sign, beginnings } of begun) {
  for (const [first = [], second = allAscii, third] of sign === undefined ? beginnings : []) {
    const bits = [...(third ?? [])].reduce((sum, unit) => sum | (1 << (unit & 31)), third ? 0 : -1);
    for (const one of first)
      for (const other of second) thirds[one * 128 + other] = (thirds[one * 128 + other] ?? 0) | bits;
  }
}

const mayBegin = (first: number, second: number, third: number): boolean =>
  first < 128 && second < 128 && (((thirds[first * 128 + second] ?? 0) >>> (third & 31)) & 1) === 1;

const anyWithin = new RegExp(formats.flatMap(({ sign }) => sign ?? []).join("|"), "g");

/** One of these stands in each. */
const anySign = /[$]|pbkdf2\./;
const anyHash = new RegExp(hashes.join("|"), "g");

/** Secrets known by their own shape, in any context. */
export const findFormats: Find = (text, watch) => {
  const spans: Span[] = [];
  const take = (start: number, token: string): void => {
    // The end of a sentence is no part of a token, though a full stop inside may be.
    const length = token.replace(/[.=-]+$/, (end) => (end.includes("=") ? end.replace(/[.-]+$/, "") : "")).length;
    spans.push({ start, end: start + length });
  };
  const units = unitsOf(text);
  const unitAt = (at: number): number => units[at] ?? 0;
  // Where the next sign stands of a token that can begin like any word.
  let sign = -1;
  for (let start = 0, end = 0; start < text.length; start = end + 1) {
    for (end = start; end < text.length && roleOf(unitAt(end)) !== separator; ) end++;
    for (let at = start, previous = 0; at <= end - leastToken; at++) {
      const isStart = previous !== wordPart;
      previous = roleOf(unitAt(at));
      if (!isStart) continue;
      if (sign < at) sign = nextWithin(text, at);
      if (sign >= end && !mayBegin(unitAt(at), unitAt(at + 1), unitAt(at + 2))) continue;
      const tokens = tokensFrom[unitAt(at)];
      if (!tokens) continue;
      watch?.();
      tokens.lastIndex = at;
      const token = tokens.exec(text)?.[0];
      if (token === undefined || isStandIn(token)) continue;
      take(at, token);
      at += token.length - 1;
      previous = roleOf(unitAt(at));
    }
  }
  if (anySign.test(text)) for (const match of text.matchAll(anyHash)) take(match.index, match[0]);
  return spans;
};

function nextWithin(text: string, from: number): number {
  anyWithin.lastIndex = from;
  return anyWithin.exec(text)?.index ?? text.length;
}

/** Heads and feet of private keys; certificates and public keys are not secret. A newline may be written `\n`. */
const edge =
  /-{4,6} ?(BEGIN|END) (?:[A-Z0-9]+ ){0,3}(?:PRIVATE KEY(?: BLOCK)?|SECRET KEY|NKEY SEED|STATIC KEY[^-\n]{0,4})[^-\n]{0,20}-{4,6}/gi;

/** Without dashes round it, PuTTY's head and Borg's: lines of base64 follow. */
const plainHeads =
  /^(?:Private-Lines: \d+|[A-Z]{2,12}_KEY [0-9a-f]{16,128})\r?\n((?:[A-Za-z0-9+/=]{1,70}(?:\r?\n|$(?![\s\S])))+)|^Private-(?:MAC|Hash): ([0-9a-f]{20,})/gm;

/** What may stand between a newline and a body line: indentation, quote and diff marks, log or grep prefixes. */
const linePrefix = String.raw`[ \t>|+"'#-]*`;
const lineBreak = String.raw`(?:\\r|\r)?(?:\n|\\+n)`;
const bodyLine = String.raw`(?:[A-Za-z0-9+/=]+|(?:Proc-Type|DEK-Info|Version|Comment|Charset|Hash)[:][^\n\\]{0,120}|\[REDACTED\])?["',;+\\ \t]{0,4}`;
const afterHead = new RegExp(
  `(?:${lineBreak}${linePrefix}${bodyLine}(?=${lineBreak}|-----|$)|[ \\t]+[A-Za-z0-9+/=]{16,})`,
  "y",
);

/** What an armour says of itself before its body. */
const armourHeaders = /^\s{0,4}(?:[A-Z][A-Za-z-]{2,20}: [^\n]{0,120}(?:\n|$))+/;

const blanks = /[\s"'>|+]/;

/** So far on a foot is looked for where a text is read in windows; larger than any key with its log prefixes. */
const longestKey = 64 * 1024;

/** Private keys in PEM and PGP armour: with and without an end, with and without a head, on one line or many. */
export const findPrivateKeys: Find = (text) => {
  const spans: Span[] = [];
  let openedAt: number | undefined;
  for (const match of text.matchAll(edge)) {
    const after = match.index + match[0].length;
    if (match[1]?.toUpperCase() === "BEGIN") {
      if (openedAt !== undefined) spans.push(...bodyBetween(text, openedAt, bodyEnd(text, openedAt)));
      openedAt = after;
      continue;
    }
    if (openedAt === undefined) spans.push(...bodyBehindPrefixes(text, match.index));
    if (openedAt === undefined) spans.push(trimmed(text, bodyStart(text, match.index), match.index));
    else spans.push(...bodyBetween(text, openedAt, match.index));
    openedAt = undefined;
  }
  if (openedAt !== undefined) {
    spans.push(...bodyBetween(text, openedAt, bodyEnd(text, openedAt)));
    // Its foot may come yet, behind lines that look like no key's.
    spans.push({ start: openedAt, end: Math.min(text.length, openedAt + longestKey), isExtent: true });
  }
  for (const match of text.matchAll(plainHeads)) {
    const body = match[1] ?? match[2] ?? "";
    const start = match.index + match[0].length - body.length;
    spans.push({ start, end: start + body.trimEnd().length });
  }
  return spans;
};

/** What stands between a head and a foot, if it has anything of a key: no mask, no dots, no pattern. */
const bodyBetween = (text: string, from: number, to: number): readonly Span[] =>
  /[A-Za-z0-9+/]{12}/.test(text.slice(from, to)) ? [trimmed(text, from, to)] : [];

/** Where the body that starts at `start` stops looking like one; the foot was cut off. */
function bodyEnd(text: string, start: number): number {
  let end = start;
  for (;;) {
    afterHead.lastIndex = end;
    const match = afterHead.exec(text);
    if (!match || match[0] === "") return end;
    end += match[0].length;
  }
}

/** Where the body that ends at `end` began; the head was cut off. */
function bodyStart(text: string, end: number): number {
  let start = end;
  if (text[end - 1] !== "\n") {
    // On one line with `\n` written out, or a foot behind its indentation.
    while (start > 0 && /[A-Za-z0-9+/=\\ \t]/.test(text[start - 1] ?? "")) start--;
    if (text[start - 1] !== "\n") return start;
  }
  for (let least = 1; start > 0; least = 16) {
    const lineStart = text.lastIndexOf("\n", start - 2) + 1;
    const line = text.slice(lineStart, start).trim();
    if (line.length < least || !/^[A-Za-z0-9+/=]+$/.test(line)) break;
    start = lineStart;
  }
  return start;
}

/** What a log or grep writes before each line: alike in all but its numbers. */
const shapeOf = (prefix: string): string => prefix.replace(/\d+/g, "0");

/** The body lines above a foot whose head was cut off, where each line of the text has a prefix of the log's. */
function bodyBehindPrefixes(text: string, footAt: number): Span[] {
  const spans: Span[] = [];
  const footLine = text.lastIndexOf("\n", footAt - 1) + 1;
  const shape = shapeOf(text.slice(footLine, footAt));
  if (shape.trim() === "") return spans;
  for (let end = footLine - 1, least = 1; end > 0; least = 16) {
    const start = text.lastIndexOf("\n", end - 1) + 1;
    const line = text.slice(start, Math.min(end, start + 2_000)).trimEnd();
    const body = /[A-Za-z0-9+/]*={0,2}$/.exec(line)?.[0] ?? "";
    const prefix = line.slice(0, line.length - body.length);
    if (body.length < least || shapeOf(prefix) !== shape) break;
    spans.push({ start: start + prefix.length, end: start + line.length });
    end = start - 1;
  }
  return spans;
}

/** Line breaks and indentation at both ends stay, so that the lines around keep their shape. */
function trimmed(text: string, from: number, to: number): Span {
  let start = from + (armourHeaders.exec(text.slice(from, Math.min(to, from + 400)))?.[0].length ?? 0);
  let end = to;
  for (;;) {
    const escaped = /^\\+[nr]/.exec(text.slice(start, start + 6));
    if (escaped && start + escaped[0].length <= end) start += escaped[0].length;
    else if (start < end && blanks.test(text[start] ?? "")) start++;
    else break;
  }
  for (;;) {
    const escaped = /\\+[nr]$/.exec(text.slice(Math.max(start, end - 6), end));
    if (escaped) end -= escaped[0].length;
    else if (end > start && blanks.test(text[end - 1] ?? "")) end--;
    else break;
  }
  return { start, end };
}

const entry = /^([ \t]*)(?:- )?["']?([\w.-]+)["']?:[ \t]+(["']?)([^\n]*)/;
const blockHead = /^[|>][-+\d]{0,2}[ \t]*(?:#.*)?\r?$/;
const emptyValues = new Set(["", "{}", "null", '""', "''"]);

const hostName = /(?:^|[_.-])(?:host(?:name)?|server|endpoint|addr(?:ess)?|domain|service)$/i;

/** Whether an entry of a Secret opens nothing, as its value says and its name does not deny. */
const isPlain = (name: string, written: string): boolean =>
  nameKind(name) !== "strong" &&
  [written, decodedText(written)].some(
    (value) => isPlainSetting(value) || (hostName.test(name) && /^[a-z][a-z\d-]{0,62}$/.test(value)),
  );

const anyData = /\b(?:data|stringData)\\*["']?:/;
/** What only a Secret says of itself: its kind, or its type. */
const saysSecret = String.raw`(?:kind\\*["']?:\s?\\*["']?Secret|type\\*["']?:\s?\\*["']?(?:Opaque|kubernetes\.io\/(?:dockerc\w+|basic-auth|ssh-auth|tls|service-account-token)|bootstrap\.kubernetes\.io\/token|helm\.sh\/release\.v1))\b`;
const anySecret = new RegExp(String.raw`\b${saysSecret}`, "i");
const secretLine = new RegExp(String.raw`^[ \t]*(?:- )?${saysSecret}`, "i");

/**
 * Everything under `data` of a Kubernetes Secret, under any name: in YAML, and in JSON (escaped too). What the object is
 * may stand behind its data, so these are extents even where nothing says so yet.
 */
export const findKubernetesSecrets: Find = (text, watch) => {
  if (!anyData.test(text)) return [];
  const isAny = anySecret.test(text);
  return [...inYaml(text, isAny, watch), ...inJson(text, isAny)];
};

/** A line of YAML: where its key begins, and whether it opens a list's entry there. */
type Line = { readonly text: string; readonly at: number; readonly column: number; readonly opens: boolean };

const dataLine = /^[ \t]*(?:- )?(?:data|stringData):[ \t]*$/;

function inYaml(text: string, isAny: boolean, watch: Watch | undefined): Span[] {
  if (!new RegExp(dataLine, "m").test(text)) return [];
  const lines = linesOf(text);
  const spans: Span[] = [];
  for (const [index, line] of lines.entries()) {
    if (!dataLine.test(line.text)) continue;
    watch?.();
    const isSecret = isAny && isInSecret(lines, index);
    let end = index + 1;
    for (let block = 0; isWithin(lines[end], line.column); end++) {
      const own = lines[end] as Line;
      if (block > 0 && (isBlank(own) || own.column >= block)) {
        if (isSecret && !isBlank(own))
          spans.push({ start: own.at + own.column, end: own.at + own.text.trimEnd().length });
        continue;
      }
      block = blockHead.test(entry.exec(own.text)?.[4] ?? "") ? own.column + 1 : 0;
      if (isSecret && block === 0) spans.push(...secretOn(own));
    }
    spans.push({ start: line.at, end: lines[end]?.at ?? text.length, isExtent: true });
  }
  return spans;
}

function linesOf(text: string): Line[] {
  let at = 0;
  return text.split("\n").map((line) => {
    const [, blanks = "", dash = ""] = /^([ \t]*)(- )?/.exec(line) ?? [];
    const read = { text: line, at, column: blanks.length + dash.length, opens: dash !== "" };
    at += line.length + 1;
    return read;
  });
}

const isBlank = (line: Line): boolean => line.text.trim() === "";
const isWithin = (line: Line | undefined, column: number): line is Line =>
  line !== undefined && (isBlank(line) || line.column > column);

/** Whether the object whose `data` is line `index` says `kind: Secret`, above or below, at the same column. */
function isInSecret(lines: readonly Line[], index: number): boolean {
  const { column = 0, opens = false } = lines[index] ?? {};
  const says = (line: Line): boolean => line.column === column && secretLine.test(line.text);
  const isOutside = (line: Line): boolean => line.text.startsWith("---") || (!isBlank(line) && line.column < column);
  const isNextData = (line: Line): boolean => line.column === column && /^[ \t]*(?:- )?data:/.test(line.text);
  for (let at = index + 1; at < lines.length; at++) {
    const line = lines[at];
    if (!line || isOutside(line) || (line.opens && line.column === column) || isNextData(line)) break;
    if (says(line)) return true;
  }
  for (let at = index - 1; at >= 0 && !opens; at--) {
    const line = lines[at];
    if (!line || isOutside(line) || isNextData(line)) break;
    if (says(line)) return true;
    if (line.opens && line.column === column) break;
  }
  return false;
}

function secretOn(line: Line | undefined): Span[] {
  const found = line && entry.exec(line.text);
  const value = found?.[4]?.replace(/["'][ \t]*$/, "").trimEnd() ?? "";
  if (
    !line ||
    !found ||
    emptyValues.has(value) ||
    /^["']?(?:\$\{[^}]*\}|\{\{.*\}\})$/.test(value) ||
    isPlain(found[2] ?? "", value)
  )
    return [];
  const start = line.at + line.text.length - (found[4]?.length ?? 0);
  return [{ start, end: start + value.length }];
}

function inJson(text: string, isAny: boolean): Span[] {
  const spans: Span[] = [];
  for (const data of text.matchAll(/"(?:data|stringData)\\*":\s{0,4}\{([^{}]*)(?:\}|$)/g)) {
    spans.push({ start: data.index, end: data.index + data[0].length, isExtent: true });
    if (!isAny) continue;
    const start = data.index + data[0].indexOf("{") + 1;
    for (const pair of (data[1] ?? "").matchAll(/(\\*"([\w.-]+)\\*"\s?:\s?\\*")([^"\\\r\n]+)/g)) {
      if (isPlain(pair[2] ?? "", pair[3] ?? "")) continue;
      const from = start + pair.index + (pair[1]?.length ?? 0);
      spans.push({ start: from, end: from + (pair[3]?.length ?? 0) });
    }
  }
  return spans;
}
