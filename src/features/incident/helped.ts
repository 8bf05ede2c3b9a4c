import { memberOf } from "../../base/action.ts";
import { wentWell } from "../../base/run.ts";
import type { Action } from "../../store/actions.ts";
import type { Run } from "../../store/runs.ts";

interface Acts {
  readonly actions: readonly Action[];
  readonly runs: readonly Run[];
}

/** Returns the actions above low risk that succeeded on all servers, by start. */
export function fixesOf({ actions, runs }: Acts): readonly (Action & { readonly at: number })[] {
  return actions
    .flatMap((action) => {
      const own = runs.filter(({ actionId }) => actionId === action.id);
      const at = Math.min(
        ...own.map(({ startedAt, endedAt }) => (startedAt ?? endedAt)?.getTime() ?? Number.POSITIVE_INFINITY),
      );
      return action.spec.risk !== "low" && own.length > 0 && own.every(wentWell) ? [{ ...action, at }] : [];
    })
    .sort((a, b) => a.at - b.at);
}

/** What a read showed. */
interface Look {
  readonly server: string;
  readonly words: readonly string[];
  readonly from: number;
  readonly to: number;
  readonly isBad: boolean;
}

/** Whether it changes nothing that a check could show. `echo 3 > FILE` does. */
export const changesNothing = (command: string): boolean =>
  /^(?:sudo\s+)?(?:touch|sleep|echo|printf|true|:|date|mkdir|logger|sync)\b/.test(command) && !/[>|]/.test(command);

/** Pairs of words, the normal one first. */
const inverses: readonly (readonly [normal: string, interrupted: string])[] = [
  ["start", "stop"],
  ["enable", "disable"],
  ["up", "down"],
  ["unpause", "pause"],
  ["resume", "pause"],
  ["resume", "suspend"],
  ["uncordon", "cordon"],
  ["uncordon", "drain"],
  ["unmask", "mask"],
  ["unlock", "lock"],
  ["attach", "detach"],
  ["mount", "umount"],
  ["unhold", "hold"],
  ["on", "off"],
];
const additions: readonly (readonly [string, string])[] = [
  ["add", "remove"],
  ["add", "del"],
  ["add", "delete"],
  ["-A", "-D"],
  ["-I", "-D"],
];

/**
 * Returns how a command relates to an earlier one: `stop` undoes `start`, while `start` restores what `stop` interrupted, which may be a
 * fix; undefined if neither.
 */
export function undoing(
  command: string,
  before: { readonly command: string; readonly undo?: string | undefined },
): "undoes" | "restores" | undefined {
  if (before.undo?.trim() === command.trim()) return "undoes";
  const [words, earlier] = [quotedWordsOf(command), quotedWordsOf(before.command)];
  // A restart leaves the template as it was.
  if (words.includes("rollout") && words.includes("undo") && earlier.some((word) => /^(?:set|patch|edit)$/.test(word)))
    return words.some((word) => word.includes("/") && earlier.includes(word)) ? "undoes" : undefined;
  if (words.length !== earlier.length) return undefined;
  const [only, ...more] = earlier.flatMap((word, at) => (word === words[at] ? [] : [[word, words[at] ?? ""] as const]));
  if (only === undefined || more.length > 0) return undefined;
  const [was, is] = only;
  const has = (pairs: typeof inverses, one: string, other: string): boolean =>
    pairs.some(([a, b]) => a === one && b === other);
  if (has(inverses, is, was)) return "restores";
  return has(inverses, was, is) || has(additions, was, is) || has(additions, is, was) || isSwapped(was, is)
    ? "undoes"
    : undefined;
}

const quotedWordsOf = (command: string): readonly string[] =>
  command.replace(/^\s*sudo\s+/, "").match(/"[^"]*"|'[^']*'|[^\s"']+/g) ?? [];

/** `s/^a$/b/` and `s/^b$/a/` */
function isSwapped(one: string, other: string): boolean {
  const [a, b] = [one, other].map((script) => {
    const [, , from, to] = /^["']?s(.)(.+?)\1(.+?)\1[a-z]*["']?$/.exec(script) ?? [];
    return [from, to].map((text) => text?.replace(/[\\^$]/g, ""));
  });
  return a?.[0] !== undefined && a[0] === b?.[1] && a[1] === b?.[0];
}

/**
 * Returns the changes, by start, after which a fault was gone that a check had shown before. A fault counts once, from the first look at
 * it until it is gone for good, so that undoing one's own change helps nobody. Pure.
 */
export function helpedIn(past: Acts): ReturnType<typeof fixesOf> {
  const { actions, runs } = past;
  const byId = new Map(actions.map((action) => [action.id, action]));
  const looks = runs
    .flatMap((run): readonly Look[] => {
      const action = byId.get(run.actionId);
      const { startedAt, endedAt, ending, outcome, trouble, server } = run;
      if (action?.spec.risk !== "low" || action.spec.probes !== undefined) return [];
      if (!startedAt || !endedAt || ending?.kind !== "exited") return [];
      // `not active` is a fault, `no match` is none.
      const isBad =
        trouble !== null || (outcome?.kind === "answer" ? !/^no\b/.test(outcome.says) : !wentWell({ ending, outcome }));
      const words = wordsOf(memberOf(action.spec, run).command);
      return [{ server, words, from: startedAt.getTime(), to: endedAt.getTime(), isBad }];
    })
    .toSorted((a, b) => a.from - b.from);
  const spans = looks.flatMap((first, at): readonly { readonly from: number; readonly to: number }[] => {
    const isFirst = !looks.slice(0, at).some((before) => isSameLook(before, first));
    if (!first.isBad || !isFirst) return [];
    const series = looks.slice(at).filter((later) => isSameLook(first, later));
    const good = series.findIndex(({ isBad }) => !isBad);
    const [lastBad, firstGood] = [series[good - 1], series[good]];
    if (!lastBad || !firstGood || series.at(-1)?.isBad) return [];
    return [{ from: lastBad.from, to: firstGood.to }];
  });
  const acts = fixesOf(past);
  return acts.filter(
    (act, index) =>
      act.spec.probes === undefined &&
      !changesNothing(act.spec.command) &&
      !acts.slice(0, index).some((before) => undoing(act.spec.command, before.spec) !== undefined) &&
      spans.some(({ from, to }) => from <= act.at && act.at <= to),
  );
}

const wordsOf = (command: string): readonly string[] =>
  command
    .trim()
    .replace(/^sudo\s+/, "")
    .split(/\s+/);

/** The same program on the same server, asked about the same thing: `systemctl status web` and `systemctl is-active web`. */
function isSameLook(one: Look, other: Look): boolean {
  if (one.server !== other.server || one.words[0] !== other.words[0]) return false;
  const [own, others] = [one.words.join(" "), other.words.join(" ")];
  if (own === others) return true;
  // A query's words stand in any other's.
  if (/["']/.test(own + others)) return false;
  const operandsOf = ({ words }: Look): readonly string[] => words.slice(1).filter((word) => !word.startsWith("-"));
  const [a, b] = [operandsOf(one), operandsOf(other)];
  // A lone operand is the thing, the first of several is often a verb.
  const thingsOf = (words: readonly string[]): readonly string[] => (words.length > 1 ? words.slice(1) : words);
  return a.length === 0 || b.length === 0 || thingsOf(a).some((word) => thingsOf(b).includes(word));
}
