import type { SlashCommand } from "./grammar.ts";

/** The one word that the command takes, where it has one. */
export const switchIn = ({ ids, words }: Pick<SlashCommand, "ids" | "words">): string | undefined =>
  ids.length === 0 && words.length === 1 ? words[0]?.toLowerCase() : undefined;

/** What stands where the server is to be named again: `web-1:`, `` `web-1` `` and `web-1,web-2` mean what they say. */
export const restatedIn = ({ words }: Pick<SlashCommand, "words">): string | undefined =>
  words[0]
    ?.replace(/[`:]/g, "")
    .split(",")
    .filter((name) => name !== "")
    .join(", ");
