import type { SlashCommand } from "../../slash/grammar.ts";
import { takesNumbers, type Verb } from "../../slash/verbs.ts";
import { nothingRun } from "../answer/refusals.ts";

/** Also where a phone made one dash of two. */
const dashes = /^[-\u2010-\u2015\u2212]{1,2}/;
/** Looks like a flag to whoever typed it, also where a value was joined to it. */
const flagLike = new RegExp(`${dashes.source}[a-z]`, "i");

const span = (text: string): string => `\`${text.replace(/[^\w=.-]/g, "")}\``;

/**
 * What is wrong with the flags of a slash command: one that it does not take, one without its value, and one in a place where it
 * would only be a word of the reason: one of its own, and, where its line is strict, any. Returns undefined if nothing is wrong. Pure.
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
