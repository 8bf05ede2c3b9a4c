import type { ActionDraft } from "../../store/actions.ts";
import { effectOf, type ListedDraft } from "./same-action.ts";

/** The numbers that the model was told during a turn. One that was given to a command is never given to another (PA-6). */
export interface ToldNumbers {
  /** Returns the numbers of a list's drafts. What was told before keeps its number if the order of the list allows it. */
  readonly give: (list: readonly ListedDraft[]) => Promise<readonly number[]>;
  /** Returns the number that the newest list gave to this draft, once; undefined if it gave none. */
  readonly take: (draft: ActionDraft) => number | undefined;
}

/** `reserve` takes as many of the incident's next numbers and returns the first. */
export function createToldNumbers(reserve: (count: number) => Promise<number>): ToldNumbers {
  const told = new Map<string, number[]>();
  let current = new Map<string, number[]>();
  return {
    give: async (list) => {
      const kept = keepNumbers(told, list);
      const missing = kept.filter((number) => number === undefined).length;
      let next = missing === 0 ? 0 : await reserve(missing);
      const given = kept.map((number) => number ?? next++);
      current = new Map();
      for (const [index, { draft }] of list.entries()) {
        const number = given[index] ?? 0;
        const key = effectOf(draft.spec) ?? "";
        current.set(key, [...(current.get(key) ?? []), number]);
        if (kept[index] === undefined) told.set(key, [...(told.get(key) ?? []), number]);
      }
      return given;
    },
    take: ({ spec }) => current.get(effectOf(spec) ?? "")?.shift(),
  };
}

/** People decide in the order of the numbers, so only what stays in order keeps its own; what is blocked never runs, and always does. */
function keepNumbers(
  told: ReadonlyMap<string, readonly number[]>,
  list: readonly ListedDraft[],
): readonly (number | undefined)[] {
  const used = new Set<number>();
  // A workflow's steps are one sequence, and the model's own list is another.
  const last = { steps: 0, own: 0 };
  return list.map(({ draft, isStep }) => {
    const sequence = isStep ? "steps" : "own";
    const isBlocked = draft.state === "blocked";
    const number = told
      .get(effectOf(draft.spec) ?? "")
      ?.find((one) => !used.has(one) && (isBlocked || one > last[sequence]));
    if (number !== undefined) used.add(number);
    if (!isBlocked) last[sequence] = number ?? Number.POSITIVE_INFINITY;
    return number;
  });
}
