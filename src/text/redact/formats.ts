import * as z from "zod";
import builds from "./formats/builds.json" with { type: "json" };
import clouds from "./formats/clouds.json" with { type: "json" };
import general from "./formats/general.json" with { type: "json" };
import messages from "./formats/messages.json" with { type: "json" };
import models from "./formats/models.json" with { type: "json" };
import monitoring from "./formats/monitoring.json" with { type: "json" };
import payments from "./formats/payments.json" with { type: "json" };
import work from "./formats/work.json" with { type: "json" };
import { isStandIn } from "./randomness.ts";
import type { Find, Span } from "./span.ts";
import { unitsOf } from "./units.ts";

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
