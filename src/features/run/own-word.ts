import { eachFlag, linesIn } from "../../slash/arguments.ts";
import type { SlashCommand } from "../../slash/grammar.ts";
import type { Action } from "../../store/actions.ts";

/**
 * Whether a comment that proposes a command says itself what would run, so that an approver's own is an approval too: a `/run` with
 * these very words for this place, a `/retry` of the number it repeats, or
 * a `/probe` of the number it looks at. Of low risk alone: more is read on its card first.
 */
export function isOwnWord(
  { verb, words, block, ids, flags }: Pick<SlashCommand, "verb" | "words" | "block" | "ids" | "flags">,
  { origin, spec }: Pick<Action, "origin" | "spec">,
): boolean {
  if (spec.risk !== "low" || spec.checks !== undefined) return false;
  if (verb === "retry") return ids !== "all" && ids.some(({ number }) => number === spec.again);
  if (verb === "probe") return ids !== "all" && ids.some(({ number }) => number === spec.probes);
  const isEach = flags.has(eachFlag);
  const said = isEach ? linesIn(block ?? "").join("\n") : block?.trim();
  return (
    verb === "run" &&
    origin === "person" &&
    words[0] === spec.place &&
    isEach === (spec.set !== undefined) &&
    said === spec.command
  );
}
