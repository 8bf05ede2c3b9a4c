import { nameKind } from "../names.ts";
import type { Find, Span, Watch } from "../span.ts";
import { decodedText, isPlainSetting } from "../values.ts";

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
