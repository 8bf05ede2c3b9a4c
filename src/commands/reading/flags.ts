import type { SlashCommand } from "../../slash/grammar.ts";
import { nothingRun } from "../answer/refusals.ts";
import type { Command } from "../command.ts";

/** Looks like a flag to whoever typed it, also where a phone made one dash of two or a value was joined to it. */
const flagLike = /^[-\u2010-\u2015\u2212]{1,2}[a-z]/i;

const span = (text: string): string => `\`${text.replace(/[^\w=.-]/g, "")}\``;

/**
 * What is wrong with the flags of a slash command: one that it does not take, one without its value, and, where its line is
 * strict, one in a place where it would only be a word of the reason. Nothing where all is well. Pure.
 */
export function flagMistake(command: Command, slash: SlashCommand): string | undefined {
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
  const late = line === "strict" ? slash.words.filter((word) => flagLike.test(word)) : [];
  if (late.length === 0) return undefined;
  return nothingRun(
    `${late.map(span).join(", ")} does not count there; ${takes}, right after the numbers. A reason goes on the next line.`,
  );
}
