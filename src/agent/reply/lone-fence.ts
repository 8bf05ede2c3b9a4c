import { isRecord, parseJson } from "../../base/json.ts";
import type { CitedLine } from "./cited.ts";

const opening = /^ {0,3}(`{3,}|~{3,})\s*(?:json\w*)?\s*$/i;
const closing = /^ {0,3}(`{3,}|~{3,})\s*$/;

export interface LoneFence {
  readonly body: string;
  readonly rest: readonly CitedLine[];
}

const holdsActions = (body: string): boolean => {
  const value = body.includes('"actions"') ? parseJson(body) : undefined;
  return isRecord(value) && Array.isArray(value.actions);
};

/**
 * Finds the only fence with JSON that has `actions`, because weak models leave out the markers. Undefined if none or several. Linear in the
 * reply.
 */
export function findLoneFence(lines: readonly CitedLine[]): LoneFence | undefined {
  const found: { readonly from: number; readonly to: number; readonly body: string }[] = [];
  for (let from = 0; from < lines.length; from += 1) {
    const [, fence] = opening.exec(lines[from]?.text ?? "") ?? [];
    if (!fence || !lines[from]?.cited) continue;
    let to = from + 1;
    while (to < lines.length && lines[to]?.cited && !closes(lines[to]?.text ?? "", fence)) to += 1;
    const body = lines.slice(from + 1, to).map(({ text }) => text);
    if (holdsActions(body.join("\n"))) found.push({ from, to, body: body.join("\n") });
    from = to;
  }
  const [only] = found;
  if (!only || found.length > 1) return undefined;
  return { body: only.body, rest: [...lines.slice(0, only.from), ...lines.slice(only.to + 1)] };
}

function closes(line: string, fence: string): boolean {
  const [, end = ""] = closing.exec(line) ?? [];
  return end.startsWith(fence);
}
