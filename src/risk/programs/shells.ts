/** Shells and what feeds them: `sh -c`, scripts, `source`, `crontab`, `git`, `xargs`. */
import type { Check, ProgramCall } from "../engine/apply.ts";
import { type Arg, type Flow, hole, isForeign, literal, nothing, shown, unknownFlow } from "../engine/arg.ts";
import { readPath } from "../engine/effects.ts";
import { words as split } from "../engine/options.ts";
import { normalise } from "../engine/paths.ts";
import { keeping } from "../engine/variables.ts";
import { findWritten } from "../engine/written.ts";
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

// `xargs`: what it is given on its input becomes arguments, parted as its options say.

const takes = new Set(
  split(
    "-I -i -n -P -L -l -s -d -E -a -S -J -R --max-args --max-procs --max-lines --max-chars --delimiter --replace --eof --arg-file",
  ),
);
const flags = /^(-0|-r|-t|-p|-x|-o|--(null|no-run-if-empty|verbose|interactive|exit|open-tty|show-limits))$/;
const maxTwoLooks = 4;
/** Programs that take a text in a language as an argument. */
const textRunner =
  /(^|\/)(((ba|da|z|k|a)?sh|busybox|env|eval|su|sudo|ssh|awk|gawk|mawk|python|perl|ruby|node|php|psql|mysql|sqlite|xargs)[\d.]*)$/;

/** `xargs`: its stdin becomes arguments. */
export const xargs: Check = (call) => {
  const { args, scan, report } = call;
  const { count, placeholder } = readOwn(call);
  const own = args.slice(0, count);
  const command = args.slice(count);
  const stdin = inputOf(own, call);
  if (command.length === 0) {
    report("low", "xargs: only echoes");
    return stdin;
  }
  const unknown: Arg = { text: hole, dynamic: true, glob: false, taint: stdin.taint };
  const words = wordsOf(stdin, own, placeholder) ?? [unknown];
  if (!placeholder) {
    // It may be given nothing at all, and then the last operand is the command's own. An xargs in an xargs in an xargs
    // is looked at once only: two looks at each level would double the work with every one of them.
    if (words.length === 1 && words[0] === unknown && scan.calls <= maxTwoLooks)
      scan.attempt(() => scan.runArgs(command, nothing));
    return scan.runArgs([...command, ...words], nothing);
  }
  const isCode = command.some(
    (arg) => arg.text !== placeholder && arg.text.includes(placeholder) && /\s/.test(arg.text),
  );
  if (isCode && words.some(({ dynamic, glob }) => dynamic || glob) && textRunner.test(command[0]?.text ?? ""))
    report("medium", "xargs makes program text of what it is given", command[0]);
  let flow = nothing;
  for (const word of words.slice(0, 20)) {
    const put = (arg: Arg): Arg => ({
      ...arg,
      text: arg.text.replaceAll(placeholder, word.text),
      dynamic: arg.dynamic || word.dynamic,
      glob: arg.glob || word.glob,
      taint: word.taint,
    });
    const given = command.map((arg) => (arg.text.includes(placeholder) ? put(arg) : arg));
    flow = scan.runArgs(given, nothing);
  }
  return flow;
};

/** How many words are its own options, and what stands for each line in the command. */
function readOwn({ args, scan, report }: ProgramCall): { readonly count: number; readonly placeholder: string } {
  let placeholder = "";
  let count = 0;
  for (let arg = args[0]; arg?.text.startsWith("-"); arg = args[count]) {
    const { text } = arg;
    const next = args[++count]?.text;
    if (text === "--") break;
    const name = text.startsWith("--") ? (text.split("=")[0] ?? "") : text.slice(0, 2);
    const isWhole = text === name;
    const isCluster = /^-[0rtpxo]+[nPLId]$/.test(text);
    if (/^(-I|-i|--replace)$/.test(name) && !isWhole) placeholder = text.slice(name.length).replace(/^=/, "");
    else if (name === "-I" || (isCluster && text.endsWith("I"))) placeholder = next ?? "{}";
    else if (/^(-i|--replace)$/.test(name)) placeholder = "{}";
    if (isCluster || (takes.has(name) && isWhole && !/^(-i|-l|--replace)$/.test(name))) count++;
    else if (!takes.has(name) && !flags.test(text) && !/^-[0rtpxo]+([nPLId]\S*)?$/.test(text)) {
      scan.markUnknown();
      report("high", `xargs has the option ${shown(text)}, which the rules do not know`, arg);
    }
  }
  return { count, placeholder };
}

/** What it reads: the file of `-a`, else its stdin. */
function inputOf(own: readonly Arg[], { args, stdin, scan }: ProgramCall): Flow {
  const at = own.findIndex(({ text }) => /^-a|^--arg-file(=|$)/.test(text));
  const attached = /^(?:-a|--arg-file=)(.+)$/s.exec(own[at]?.text ?? "")?.[1];
  const file = attached === undefined ? args[at + 1] : literal(attached);
  if (at < 0 || !file) return stdin;
  readPath(file, scan);
  return findWritten(file, scan) ?? { present: true, taint: file.taint };
}

/** The arguments that it makes of its input; undefined if that is known only when it runs. */
function wordsOf(stdin: Flow, own: readonly Arg[], placeholder: string): readonly Arg[] | undefined {
  const isNul = own.some(({ text }) => /^-[rtpxo]*0|^--null$/.test(text));
  const separator = isNul ? "\0" : (delimiterOf(own) ?? (placeholder ? "\n" : /[\s\0]+/));
  const words = stdin.text?.split(separator).filter(Boolean).slice(0, 50);
  // A star in them was expanded by the shell that printed them (`echo /etc/s*`).
  if (words) return words.map((text) => ({ ...literal(text), glob: /[*?[]/.test(text) }));
  return stdin.lists?.map((text): Arg => ({ text, dynamic: false, glob: true }));
}

/** The one character that parts the arguments, where `-d` names it: `,`, `\n`, `\x2c`, `\054`. */
function delimiterOf(options: readonly Arg[]): string | undefined {
  const at = options.findIndex(({ text }) => /^(-[rtpxo]*d|--delimiter)/.test(text));
  if (at < 0) return undefined;
  const value = options[at]?.text.replace(/^(-[rtpxo]*d|--delimiter=?)/, "") || (options[at + 1]?.text ?? "");
  const code = /^\\x([0-9a-f]{1,2})$/i.exec(value)?.[1];
  const octal = /^\\0?([0-7]{1,3})$/.exec(value)?.[1];
  if (code !== undefined || octal !== undefined)
    return String.fromCharCode(code ? Number.parseInt(code, 16) : Number.parseInt(octal ?? "", 8));
  return { "\\n": "\n", "\\t": "\t", "\\0": "\0" }[value] ?? value.charAt(0);
}
