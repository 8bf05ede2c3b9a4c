/** Shells and what feeds them: `sh -c`, scripts, `source`, `crontab`, `git`. */
import type { Check, ProgramCall } from "../engine/apply.ts";
import { type Arg, hole, isForeign, nothing, shown, unknownFlow } from "../engine/arg.ts";
import { normalise } from "../engine/paths.ts";
import { keeping } from "../engine/variables.ts";
import { createWindows } from "../windows/languages.ts";
import { judgeNative } from "../windows/native.ts";
import { judgeFile } from "./interpreters.ts";

/** `sh`, `bash`, …: `-c` text, a script file, or stdin. */
export const shell: Check = (call) => {
  const { args, report, program, scan, stdin } = call;
  let i = 0;
  let isCommand = false;
  for (; i < args.length; i++) {
    const text = args[i]?.text ?? "";
    if (text === "--") {
      i++;
      break;
    }
    if (!/^[-+]./.test(text)) break;
    if (/^(--rcfile|--init-file|-O|\+O|-o|\+o)$/.test(text)) {
      if (/file$/.test(text))
        report("high", `${program} reads commands from ${shown(args[i + 1]?.text ?? "")}`, args[i + 1]);
      i++;
    } else if (/^-[a-zA-Z]*c/.test(text) && !text.startsWith("--")) {
      isCommand = true;
      if (/^-[a-zA-Z]*c[a-zA-Z]*o$/.test(text)) i++;
    } else if (/^(--version|--help)$/.test(text)) {
      report("low", `${program}: version or help`);
      return unknownFlow;
    }
  }
  const [first, ...rest] = args.slice(i);
  if (isCommand) return runText(call, first, rest);
  const isStdin =
    !first ||
    first.text === "-" ||
    isOwnInput.test(first.text) ||
    args.slice(0, i).some((a) => /^-[a-z]*s/.test(a.text) && !a.text.startsWith("--"));
  if (!isStdin && first) return judgeFile(call, first);
  if (isForeign(stdin)) {
    report(
      "block",
      `${program} runs what was ${stdin.taint === "network" ? `downloaded${stdin.from ? ` (${stdin.from})` : ""}` : "decoded"}`,
    );
    return unknownFlow;
  }
  if (stdin.text !== undefined) return scan.runShell(stdin.text, nothing, `on the input of ${program}`);
  if (stdin.pieces) scan.runShell(stdin.pieces, nothing, `on the input of ${program}`);
  report(
    stdin.present ? "high" : "medium",
    stdin.present ? `${program} runs what comes through a pipe, known only when it runs` : `${program} opens a shell`,
  );
  return { present: true, from: "a shell" };
};

/** The names under which a program finds what it is given on its input. */
const isOwnInput = /^\/(dev\/(stdin|fd\/0)|proc\/(self|thread-self|\$\$)\/fd\/0)$/;

/** PowerShell on Linux: its own language, in which the programs of Linux are called, too. */
export const pwsh: Check = ({ args, scan, program, stdin, report }) => {
  if (args.length === 0 && stdin.present) report("high", "pwsh runs what comes through a pipe");
  if (isForeign(stdin)) report("block", "pwsh runs what was downloaded or decoded");
  judgeNative([program, ...args.map((arg) => arg.text)], scan, createWindows(scan));
  const at = args.findIndex((arg) => /^-c(ommand)?$/i.test(arg.text));
  const [text] = args.slice(at + 1);
  if (text) scan.attempt(() => scan.runShell(text.text, nothing, "in pwsh"));
  return unknownFlow;
};

function runText(
  { program, report, scan, stdin }: ProgramCall,
  text: Arg | undefined,
  rest: readonly Arg[],
): ReturnType<Check> {
  if (isForeign(text)) {
    report("block", `${program} runs what was downloaded or decoded`, text);
    return unknownFlow;
  }
  if (!text || text.text.trim() === hole || text.text.startsWith(hole))
    report("high", `${program} runs a text that is known only when it runs`, text);
  return keeping(scan.variables, ["0", "1", "2", "3", "@", "*"], () => {
    rest.forEach((arg, i) => {
      scan.variables.set(String(i), { values: [arg.text], taint: arg.taint });
    });
    const list = rest.slice(1).map((a) => a.text);
    if (rest.length > 0) {
      scan.variables.set("@", { values: [list.join(" ")], list });
      scan.variables.set("*", { values: [list.join(" ")] });
    }
    return scan.runShell(text?.text ?? "", stdin, `in ${program} -c`);
  });
}

/** `source FILE`, `. FILE`. */
export const sourceFile: Check = (call) => {
  const [file] = call.args;
  if (!file) return undefined;
  if (isOwnInput.test(file.text)) return shell({ ...call, args: [] });
  const path = normalise(file.text, call.scan.cwd);
  const isOwn =
    /^\/etc\/(os-release|profile|default\/|environment|lsb-release)|\/(venv|\.venv|env)\/bin\/activate$|\/\.(bashrc|profile|bash_profile)$/.test(
      path,
    );
  if (isOwn && !call.scan.files.has(path)) {
    call.report(/os-release|lsb-release/.test(path) ? "low" : "medium", `reads settings from ${shown(path)}`, file);
    return nothing;
  }
  return judgeFile({ ...call, program: "source" }, file);
};

/** Programs whose operands are each a shell text (`parallel`, `entr`), or one after `:::`. */
export const runsText: Check = ({ args, scan, report, stdin, program }) => {
  const split = args.findIndex((a) => /^:::/.test(a.text));
  const words = args.slice(0, split < 0 ? args.length : split);
  const values =
    split < 0 ? (stdin.text?.split("\n").filter(Boolean) ?? [hole]) : args.slice(split + 1).map((a) => a.text);
  let i = 0;
  while (words[i]?.text.startsWith("-"))
    i += /^(-j|-S|-a|-C|-d|-n|-N|-I|--jobs|--joblog|--results|--delay|--timeout|--colsep)$/.test(words[i]?.text ?? "")
      ? 2
      : 1;
  const command = words
    .slice(i)
    .map((a) => a.text)
    .join(" ");
  report("medium", `${program} runs commands in parallel`);
  for (const value of values.slice(0, 20)) {
    const shownValue = value === hole ? "$__unknown" : value;
    const text =
      command === ""
        ? shownValue
        : command.includes("{}")
          ? command.replaceAll("{}", shownValue)
          : `${command} ${shownValue}`;
    if (command === "" && value === hole) report("high", `${program} runs what comes through a pipe`);
    scan.runShell(text, nothing, `in ${program}`);
  }
  return unknownFlow;
};
