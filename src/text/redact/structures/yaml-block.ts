import type { Span } from "../span.ts";

/** By indentation: the lines that stand further in, and empty ones. */
const linesWithin = new Map<number, RegExp>();

function linesFurtherIn(depth: number): RegExp {
  const lines = linesWithin.get(depth) ?? new RegExp(`(?:[ \\t]{${depth + 1},}[^\\n]*(?:\\n|$)|[ \\t]*\\n)*`, "y");
  linesWithin.set(depth, lines);
  return lines;
}

/** Returns what stands below `name: |`, further in than the name; undefined where nothing does. */
export function yamlBlock(text: string, nameAt: number, at: number): Span | undefined {
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
