/** What a check is for, in a few words. Pure. */

import * as z from "zod";
import { capital } from "../../base/errors.ts";
import { shellBlocks } from "../sections.ts";
import purposes from "./vocabulary/purposes.json" with { type: "json" };

const maxCharacters = 80;

/** Returns, by command, the remark right above it. */
export function purposesOf(body: string): ReadonlyMap<string, string> {
  const purposes = new Map<string, string>();
  for (const { lines } of shellBlocks(body)) {
    for (const [index, command] of lines.entries()) {
      const remark = /^#+\s*(?!(?:expect(?:ed|s)?|check|undo)\s*:)(\S.*)$/i.exec(lines[index - 1] ?? "")?.[1];
      if (remark !== undefined && !command.startsWith("#")) purposes.set(command, titleOf(remark, command));
    }
  }
  return purposes;
}

/** Returns what a command's first program is used for; undefined if unknown. */
export function purposeOf(command: string): string | undefined {
  const plain = command.replace(/^sudo\s+(?:-\S+\s+)*/, "");
  for (const [pattern, words] of programs) {
    const match = pattern.exec(plain);
    if (match)
      return titleOf(
        words.replace("$1", () => match[1] ?? "it"),
        plain,
      );
  }
  return undefined;
}

/** Cut at a clause, because a part of one may say the opposite; a name that the command has keeps its case. */
function titleOf(text: string, command: string): string {
  const whole = text.trim().replace(/\s+/g, " ");
  const [clause = whole] = whole.length <= maxCharacters ? [] : whole.split(/[.;:](?=\s)|, |\s[(–—-](?=\s?\w)/);
  const short = clause.length <= maxCharacters ? clause : `${clause.slice(0, maxCharacters).replace(/\s\S*$/, "")} …`;
  const [first = ""] = short.split(/[\s,:;]/);
  return (
    command
      .split(/[^\w-]+/)
      .slice(2)
      .includes(first)
      ? short
      : capital(short)
  ).replace(/[\s.,:;]+$/, "");
}

/** The first match counts; `$1` is its group. Throws at start if malformed. */
const programs = z
  .array(z.strictObject({ words: z.string(), pattern: z.string().startsWith("^") }))
  .parse(purposes)
  .map(({ words, pattern }) => [new RegExp(pattern), words] as const);
