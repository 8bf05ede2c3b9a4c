/** What a check is for, in at most five words. Pure. */

import * as z from "zod";
import { shellBlocks } from "../sections.ts";
import purposes from "./vocabulary/purposes.json" with { type: "json" };

const maxWords = 5;

/** Returns, by command, the first words of the remark right above it. */
export function purposesOf(body: string): ReadonlyMap<string, string> {
  const purposes = new Map<string, string>();
  for (const { lines } of shellBlocks(body)) {
    for (const [index, command] of lines.entries()) {
      const remark = /^#+\s*(?!(?:expect(?:ed|s)?|check|undo)\s*:)(\S.*)$/i.exec(lines[index - 1] ?? "")?.[1];
      if (remark !== undefined && !command.startsWith("#")) purposes.set(command, inWords(remark));
    }
  }
  return purposes;
}

/** Returns what a command's first program is used for; undefined if unknown. */
export function purposeOf(command: string): string | undefined {
  const plain = command.replace(/^sudo\s+(?:-\S+\s+)*/, "");
  for (const [pattern, words] of programs) {
    const match = pattern.exec(plain);
    if (match) return inWords(words.replace("$1", () => match[1] ?? "it"));
  }
  return undefined;
}

const inWords = (text: string): string => {
  const few = text.trim().split(/\s+/).slice(0, maxWords).join(" ");
  return (few.charAt(0).toUpperCase() + few.slice(1)).replace(/[\s.,:;]+$/, "");
};

/** The first match counts; `$1` is its group. Throws at start if malformed. */
const programs = z
  .array(z.strictObject({ words: z.string(), pattern: z.string().startsWith("^") }))
  .parse(purposes)
  .map(({ words, pattern }) => [new RegExp(pattern), words] as const);
