/** Consoles that take a command a line (`bconsole`, `dgmgrl`): a call is judged by its lines. */
import type { ProgramCall } from "../engine/apply.ts";
import { type Flow, nothing, shown, unknownFlow } from "../engine/arg.ts";
import type { ConsoleReads } from "../knowledge/consoles.ts";
import { isDestroyingText } from "./sql.ts";

/** Lines from its words, else from its input; without either it waits. */
export function judgeLines(
  { program, operands, options, stdin, report, scan }: ProgramCall,
  known: ConsoleReads,
): Flow | undefined {
  const words = operands.map(({ text }) => text).filter((text) => !known.signIn?.test(text));
  const given = known.takesWords ? words.join(" ") : "";
  const text = given === "" ? stdin.text : given;
  const [extra] = known.takesWords ? [] : words;
  if (extra !== undefined) report("medium", `${program} is given ${shown(extra)}`);
  if (text === undefined) {
    const isHelp = options.some(({ name }) => /^(-V|-h|-\?|--version|--help|-version|-help)$/.test(name));
    report(isHelp && !stdin.present ? "low" : "medium", `${program} waits for commands`);
    return undefined;
  }
  const lines = known.isWhole === true ? [text.replaceAll(/\s+/g, " ")] : text.split(/[\n;]/);
  for (const line of lines.map((one) => one.trim())) {
    if (line === "" || known.reads.test(line)) continue;
    const isDestroying = known.destroys?.test(line) === true || isDestroyingText(line);
    report(isDestroying ? "high" : "medium", `${program}: ${shown(line)}`);
    const command = known.toShell?.exec(line)?.[1];
    if (command !== undefined) scan.runShell(command, nothing, `in ${program}`);
  }
  return unknownFlow;
}
