import type { Skill } from "../../base/github.ts";
import { adviceOf, shellLinesOf } from "../sections.ts";

/** A value that whoever runs it fills in: `<unit>`, `{{unit}}`, `$UNIT`. */
const gap = /<[a-z][\w-]*>|\{\{[^{}\s]*\}\}|\$\{?[A-Z][A-Z0-9_]+\}?/gi;

const wordsOf = (command: string): readonly string[] =>
  command
    .trim()
    .replace(/^sudo\s+/, "")
    .split(/\s+/);

/** Whether a word is the runbook's, whatever stands in its gap. */
function isSame(written: string, word: string): boolean {
  const parts = written.split(gap);
  const [first = "", last = ""] = [parts[0], parts.at(-1)];
  if (parts.length === 1) return written === word;
  return word.length > first.length + last.length && word.startsWith(first) && word.endsWith(last);
}

/**
 * Tells whether a runbook has a command, under whatever heading or as an act's `# check:` or `# undo:`: in the same words, but
 * for blanks, `sudo` and the values that it leaves open. A script has to have each of its lines in one.
 */
export function createKnows(skills: readonly Pick<Skill, "body">[]): (command: string) => boolean {
  const known = skills.flatMap(({ body }) => {
    const advised = [...adviceOf(body).values()].flatMap(({ check, undo }) =>
      [check, undo].flatMap((text) => text ?? []),
    );
    return [...shellLinesOf(body), ...advised].map(wordsOf);
  });
  const has = (line: string): boolean => {
    const words = wordsOf(line);
    return known.some((one) => one.length === words.length && one.every((word, at) => isSame(word, words[at] ?? "")));
  };
  return (command) =>
    command
      .split("\n")
      .filter((line) => line.trim() !== "")
      .every(has);
}
