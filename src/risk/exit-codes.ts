/** What an exit code other than 0 means where a program answers by it: data, and who said it last in a line of shell. Pure. */
import { isUsageError } from "../base/run.ts";
import { literal } from "./engine/arg.ts";
import { words as split } from "./engine/options.ts";
import type { Row } from "./program.ts";
import { type Assignment, parseShell, type SyntaxNode, type Word } from "./shell/parse.ts";
import { countOwn } from "./shell/unwrap.ts";
import { builtInTable, programFacts } from "./table.ts";

/** What runs another command and ends as that does. */
const wrappers = split("sudo doas env nice ionice nohup command time timeout stdbuf setsid chrt taskset");

/** How `sudo` and `doas` say that they did not run the command, with an exit code that its program may answer with. */
const notRun = /^(?:sudo|doas): (?!unable to resolve host)|not in the sudoers file|^Sorry, user /;

/**
 * Returns what the program that ended a command means by its exit code: "no match"; undefined if that is not certain. `trouble` is
 * the line of its output that tells most of trouble.
 */
export function exitMeaning(command: string, code: number, trouble = ""): string | undefined {
  if (command.includes("pipefail") || notRun.test(trouble) || isUsageError(trouble)) return undefined;
  const script = parseShell(command);
  if (script.errors && script.errors.length > 0) return undefined;
  const words = lastWords(script.commands.at(-1)?.command);
  const name = words[0]?.split("/").at(-1) ?? "";
  const codes = programFacts(name, builtInTable.get(name)).exits;
  const fits = (row: Row): boolean =>
    row.words === undefined || split(row.words).some((word) => words.includes(word.replace(/^~/, "")));
  return codes.find((row) => fits(row) && row.exit?.[code] !== undefined)?.exit?.[code];
}

/** The words of the simple command whose exit code is the whole one's; none where another one's may be. */
function lastWords(node: SyntaxNode | undefined): readonly string[] {
  switch (node?.type) {
    case "Command":
      return unwrapped([...(node.name ? [node.name] : []), ...node.args].flatMap((word) => textOf(word)));
    case "TestCommand":
      return ["[["];
    case "Pipeline":
      return node.prefixes.some(({ type }) => type !== "Time") ? [] : lastWords(node.commands.at(-1));
    case "Redirected":
    case "Statement":
      return lastWords(node.command);
    case "AndOr":
      // After a `||` only the last can have failed; before an `&&` any of them.
      return node.operators.every((operator) => operator === "||") ? lastWords(node.commands.at(-1)) : [];
    default:
      return [];
  }
}

const textOf = (word: Word | Assignment): readonly string[] => (word.type === "Word" ? [word.value] : [word.text]);

function unwrapped(words: readonly string[]): readonly string[] {
  const [first = "", ...rest] = words;
  const isLookUp = first === "command" && /^-[vV]$/.test(rest[0] ?? "");
  if (!wrappers.includes(first) || isLookUp) return words;
  const own = countOwn(rest.map(literal), builtInTable.get(first));
  return own === undefined ? [] : unwrapped(rest.slice(own));
}
