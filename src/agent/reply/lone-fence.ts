import { isRecord, parseJson } from "../../base/json.ts";
import { type CitedLine, isQuoted } from "./cited.ts";
import { findCallOpening, readCallRegion, toolFence, type WrittenCall } from "./written-calls.ts";

/** Of Gemini and others a tool's fence is a call; another is one only if it is the only one with proposals. */
const opening = /^ {0,3}(`{3,}|~{3,})\s*(\w*)\s*$/;
const other = /^(?:json\w*|python|xml)?$/i;
const closing = /^ {0,3}(`{3,}|~{3,})\s*$/;

export interface LoneFence {
  readonly body?: string | undefined;
  readonly calls: readonly WrittenCall[];
  readonly lost: readonly string[];
  readonly rest: readonly CitedLine[];
}

const holdsList = (body: string): boolean => {
  const value = /"(?:actions|hypotheses)"/.test(body) ? parseJson(body) : undefined;
  return isRecord(value) && Array.isArray(value.actions ?? value.hypotheses);
};

/** More is a flood. */
const mostFences = 16;

/**
 * Finds fences that propose: those of tools, and the only one with JSON that has `actions` or `hypotheses`, or with a call, because weak models leave out the
 * markers. One whose text stands in `shown` only quotes it. Linear in the reply.
 */
export function findLoneFence(lines: readonly CitedLine[], shown: string): LoneFence | undefined {
  const found: (LoneFence & { readonly from: number; readonly to: number; readonly isTool: boolean })[] = [];
  let candidates = 0;
  for (let from = 0; from < lines.length && candidates < mostFences; from += 1) {
    const [, fence, info = ""] = opening.exec(lines[from]?.text ?? "") ?? [];
    if (!fence || !lines[from]?.cited) continue;
    const isTool = toolFence.test(info);
    let to = from + 1;
    while (to < lines.length && lines[to]?.cited && !closes(lines[to]?.text ?? "", fence)) to += 1;
    const inner = lines.slice(from + 1, to).map(({ text }) => text);
    const body = inner.join("\n");
    const at = { from, to, isTool, lost: [], calls: [], rest: [] };
    const begins = inner.find((line) => line.trim() !== "") ?? "";
    const region = isTool || findCallOpening(begins) ? readCallRegion(isTool ? `${info}\n${body}` : body) : undefined;
    from = to;
    if (!isTool && !other.test(info)) continue;
    const isList = holdsList(body);
    if (!isList && !region) continue;
    candidates += 1;
    if (isQuoted(body, shown)) continue;
    if (isList) found.push({ ...at, body });
    else if (region && region.calls.length > 0) found.push({ ...at, calls: region.calls });
    else if (region?.lost !== undefined && (isTool || region.unknown)) found.push({ ...at, lost: [region.lost] });
  }
  const tools = found.filter(({ isTool }) => isTool);
  const taken = tools.length > 0 ? tools : found.length === 1 ? found : [];
  if (taken.length === 0) return undefined;
  const isTaken = (at: number): boolean =>
    taken.some(({ from, to, lost }) => lost.length === 0 && from <= at && at <= to);
  return {
    body: taken.find(({ body }) => body !== undefined)?.body,
    calls: taken.flatMap(({ calls }) => calls),
    lost: taken.flatMap(({ lost }) => lost),
    rest: lines.filter((_, at) => !isTaken(at)),
  };
}

function closes(line: string, fence: string): boolean {
  const [, end = ""] = closing.exec(line) ?? [];
  return end.startsWith(fence);
}
