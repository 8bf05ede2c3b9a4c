import type { Find, Span } from "./span.ts";

const entry = /^([ \t]*)(?:- )?["']?([\w.-]+)["']?:[ \t]+(?!\|?[ \t]*$)(["']?)([^\n]*)/;
const emptyValues = new Set(["", "{}", "null", '""', "''"]);

/** Everything under `data` of a Kubernetes Secret, whatever its name: in YAML, and in JSON (escaped too). */
export const findKubernetesSecrets: Find = (text) =>
  /\bkind\\*["']?:\s?\\*["']?Secret\b/.test(text) ? [...inYaml(text), ...inJson(text)] : [];

function inYaml(text: string): Span[] {
  const spans: Span[] = [];
  for (const document of text.matchAll(/(?:^|\n)(?!---)[\s\S]*?(?=\n---|$)/g)) {
    const columns = secretColumns(document[0]);
    if (columns.size > 0) spans.push(...dataOf(document[0], document.index, columns));
  }
  return spans;
}

/** The columns at which `kind: Secret` stands; `data` of the same object stands at the same one. */
function secretColumns(document: string): ReadonlySet<number> {
  const columns = new Set<number>();
  for (const match of document.matchAll(/^([ \t]*(?:- )?)kind: ["']?Secret["']?[ \t]*$/gm))
    columns.add(match[1]?.length ?? 0);
  return columns;
}

function dataOf(document: string, offset: number, columns: ReadonlySet<number>): Span[] {
  const spans: Span[] = [];
  let at = offset;
  let within: number | undefined;
  for (const line of document.split("\n")) {
    const indent = /^[ \t]*(?:- )?/.exec(line)?.[0].length ?? 0;
    if (within !== undefined && indent <= within && line.trim() !== "") within = undefined;
    if (/^[ \t]*(?:- )?(?:data|stringData):[ \t]*$/.test(line) && columns.has(indent)) within = indent;
    else if (within !== undefined) {
      const found = entry.exec(line);
      const value = found?.[4]?.replace(/["'][ \t]*$/, "").trimEnd() ?? "";
      if (found && !emptyValues.has(value)) {
        const start = at + line.length - (found[4]?.length ?? 0);
        spans.push({ start, end: start + value.length });
      }
    }
    at += line.length + 1;
  }
  return spans;
}

function inJson(text: string): Span[] {
  const spans: Span[] = [];
  for (const data of text.matchAll(/"(?:data|stringData)\\*":\s{0,4}\{([^{}]*)\}/g)) {
    const start = data.index + data[0].length - 1 - (data[1]?.length ?? 0);
    for (const pair of (data[1] ?? "").matchAll(/(\\*"[\w.-]+\\*"\s?:\s?\\*")([^"\\]+)/g)) {
      const from = start + pair.index + (pair[1]?.length ?? 0);
      spans.push({ start: from, end: from + (pair[2]?.length ?? 0) });
    }
  }
  return spans;
}
