import type { SlashCommand } from "../../slash/grammar.ts";
import { takesNumbers, type Verb } from "../../slash/verbs.ts";
import { nothingRun } from "../answer/refusals.ts";

/** Phones turn two hyphens into one long dash. */
const dashes = /^[-\u2010-\u2015\u2212]{1,2}/;
const flagLike = new RegExp(`${dashes.source}[a-z]`, "i");

const span = (text: string): string => `\`${text.replace(/[^\w=.-]/g, "")}\``;

/**
 * Names a flag that is unknown, lacks its value, or would be a word of the reason (any flag if the line is strict, otherwise its own).
 * Pure.
 */
export function flagMistake(command: Verb, slash: SlashCommand): string | undefined {
  const { verb, flags = {}, line = "free" } = command;
  if (line === "any") return undefined;
  const taken = Object.entries(flags).map(([flag, { example }]) =>
    example ? `\`${flag} ${example}\`` : `\`${flag}\``,
  );
  const takes = `\`/${verb}\` takes ${taken.length === 0 ? "no flags" : taken.join(" and ")}`;
  const unknown = [...slash.flags.keys()].filter((flag) => !Object.hasOwn(flags, flag));
  if (unknown.length > 0) return nothingRun(`${unknown.map(span).join(", ")} is not known here; ${takes}.`);
  for (const [flag, value] of slash.flags) {
    const example = flags[flag]?.example;
    if (example && value === "") return nothingRun(`${span(flag)} needs a value: \`${flag} ${example}\`.`);
  }
  const isOwn = (word: string): boolean => Object.hasOwn(flags, word.toLowerCase().replace(dashes, "--"));
  const late = slash.words.filter((word) => flagLike.test(word) && (line === "strict" || isOwn(word)));
  if (late.length === 0) return undefined;
  if (!takesNumbers(command))
    return nothingRun(`${late.map(span).join(", ")} does not count there; ${takes}, right after \`/${verb}\`.`);
  return nothingRun(
    `${late.map(span).join(", ")} does not count there; ${takes}, right after the numbers. A reason goes on the next line.`,
  );
}
