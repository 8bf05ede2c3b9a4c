import { readValue } from "./read-value.ts";
import type { Span } from "./span.ts";

/** Values in one list, and how far into an object its value is looked for. */
const mostItems = 200;

/** The name under which an object of one value keeps it. */
const valueName =
  /(?:\{[^{}]{0,400}?|\n[ \t]+(?:[^\s][^\n]{0,199}\n[ \t]+){0,3}?)(?<![\w.-])["']?(?:value|default|plaintext|plain|content|data|text|string|s|secret|raw)["']?[ \t]{0,4}(?:=>|[:=])[ \t]{0,4}(?=[^\s{[])/iy;

const flatObject = /\{[^{}]{0,4000}/y;
const member =
  /([A-Za-z_][\w.-]{0,80})\\{0,4}["']?\s{0,4}(?:=>|[:=])\s{0,4}\\{0,4}["']([^"'\\\n]{1,2000})(?=\\{0,4}["'])/g;

const nextItem = /[\s,]*(?=["'])/y;

/**
 * The values of a secret name whose value is a list, an object with a `value`, or stands on the lines below: `at` is where
 * the value would begin, `nameAt` where the name does. Empty where it is none of these.
 */
export function nestedValues(text: string, at: number, nameAt: number): readonly Span[] {
  if (/[[(]\s{0,20}["']/y.test(text.slice(at, at + 24))) return items(text, at + 1);
  if (text[at] === "{") return named(text, at);
  return text[at] === "\n" || text.startsWith("\r\n", at)
    ? below(text, text.indexOf("\n", at), text.lastIndexOf("\n", nameAt) + 1)
    : [];
}

/** A flat object's members, with what each is called. */
export function membersOf(text: string, at: number): readonly { readonly name: string; readonly value: Span }[] {
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
    if (span.end <= at) break;
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
  const word = /(?:"[^"\n]{3,400}"|'[^'\n]{3,400}'|[^\s:"'{}[\]#,<>-][^\s:"'{}[\],]{5,400})(?=,?[ \t]*(?:\r?\n|$))/y;
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

/** Returns what stands below `name: |`, further in than the name; undefined where nothing does. */
export function blockBelow(text: string, nameAt: number, at: number): Span | undefined {
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
