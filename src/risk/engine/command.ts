/** One simple command: its assignments, its words, its redirections, then the judgement of the program. */

import { stricter } from "../../base/risk.ts";
import { requestLine, riskOfRequest } from "../programs/requests.ts";
import { egressOf } from "../reach/egress.ts";
import type { HostKind } from "../reach/hosts.ts";
import { evaluateNames, evaluateText } from "../shell/evaluated.ts";
import type { Command } from "../shell/parse.ts";
import { type Arg, type Flow, hole, nothing, shown } from "./arg.ts";
import { judge, programName } from "./judge.ts";
import { echo, printf } from "./output.ts";
import { normalise } from "./paths.ts";
import { applyRedirects, type RedirectedFlow } from "./redirects.ts";
import type { Scan } from "./scan.ts";
import { assign, exportVariables, setForProgram, setPositional, setVariable } from "./variables.ts";
import { resolveOne, resolveWord } from "./words.ts";

/** Judges a simple command; gives back what it would print. */
export function runCommand(command: Command, stdin: Flow, scan: Scan): Flow {
  scan.tracer?.open(scan.seen);
  const flow = runParts(command, stdin, scan);
  if (flow.taint === "network" && flow.from) scan.tracer?.network(shown(flow.from));
  scan.tracer?.close();
  return flow;
}

function runParts(command: Command, stdin: Flow, scan: Scan): Flow {
  const args = wordsOf(command, scan);
  scan.tracer?.words(
    args.length > 0 ? visible(args) : command.prefix.flatMap((part) => (part.type === "Assignment" ? [part.text] : [])),
  );
  const isOnlyAssignment = args.length === 0;
  for (const part of command.prefix) {
    if (part.type !== "Assignment") continue;
    if (isOnlyAssignment) assign(part, scan);
    else if (part.value.type === "Word")
      setForProgram(
        {
          name: part.name,
          value: resolveOne(part.value, scan).text,
          program: programName(args[0]?.text ?? ""),
        },
        scan,
      );
  }
  const redirected = applyRedirects(command.redirects, stdin, scan);
  if (isOnlyAssignment) {
    if (redirected.socket) scan.reach(egressOf[socketKind(redirected.socket, scan)], false);
    redirected.finish({ present: true, text: "" });
    // `$(<file)` is what stands in the file.
    return redirected.stdin === stdin ? { present: true, text: "" } : redirected.stdin;
  }
  checkSocket(args, redirected, scan);
  const flow = judge(args, redirected.stdin, scan);
  redirected.finish(flow);
  follow(args, redirected.stdin, scan);
  return flow;
}

function wordsOf(command: Command, scan: Scan): Arg[] {
  const args = command.name ? resolveWord(command.name, scan) : [];
  for (const part of command.suffix) {
    if (part.type === "Word") args.push(...resolveWord(part, scan));
    else if (part.type === "Assignment") {
      assign(part, scan);
      const value = part.value.type === "Word" ? resolveOne(part.value, scan) : undefined;
      args.push({
        text: `${part.name}${part.append ? "+" : ""}=${value?.text ?? ""}`,
        dynamic: value?.dynamic ?? true,
        glob: value?.glob ?? false,
        taint: value?.taint,
      });
    }
  }
  return args;
}

const silent = new Set(["true", ":"]);
const shells = new Set(["bash", "sh", "dash", "zsh", "ksh", "ash", "exec", "python", "python3", "perl", "ruby", "php"]);

const socketKind = ({ text }: Arg, scan: Scan): HostKind => scan.kindOfHost(text.split("/")[3] ?? "");

/** `/dev/tcp/…`: a port check sends nothing of ours; a shell on a socket is a reverse shell. */
function checkSocket(given: readonly Arg[], redirected: RedirectedFlow, scan: Scan): void {
  if (!redirected.socket) return;
  const called = programName(given[0]?.text ?? "") === "timeout" ? behindTimeout(given) : given;
  const args = called.length > 0 ? called : given;
  const program = programName(args[0]?.text ?? "");
  const target = shown(redirected.socket.text);
  const isLiteral = !args.some(({ dynamic, taint, text }) => dynamic || taint !== undefined || text.includes(hole));
  const kind = socketKind(redirected.socket, scan);
  scan.reach(egressOf[kind], !isLiteral || kind === "unseen");
  if (!isLiteral && kind !== "own" && kind !== "known")
    scan.report("high", "reach.data", `sends what only the server knows to ${target}`, redirected.socket);
  if (shells.has(program) || redirected.opensDescriptor) {
    scan.report("block", "shell.reverse", `connects a shell to ${target}: a reverse shell`, redirected.socket);
  } else if (program === "echo" || program === "printf") {
    const { text } = program === "echo" ? echo(args.slice(1)) : printf(args.slice(1));
    const isOut = kind === "outside" && text?.trim() !== "";
    const risk = text === undefined ? "medium" : stricter(riskOfRequest(text), isOut ? "medium" : "low");
    if (risk !== "low")
      scan.report(risk, "shell.socket", `sends ${requestLine(text ?? "…")} to ${target}`, redirected.socket);
  } else if (!silent.has(program) && !(program === "cat" && args.length === 1 && redirected.stdin.text === "")) {
    scan.report("high", "shell.socket", `connects ${program} to ${target}`, redirected.socket);
  }
}

/** A group, a loop or a subshell on a socket: all that any part of it prints goes there. */
export function checkGroupSocket(printed: Flow, { socket, isSocketRead }: RedirectedFlow, scan: Scan): void {
  if (!socket) return;
  const kind = socketKind(socket, scan);
  const isLiteral = isSocketRead || (printed.text !== undefined && printed.taint === undefined);
  scan.reach(egressOf[kind], !isLiteral);
  if (kind !== "own" && !isLiteral)
    scan.report("high", "reach.data", `sends what only the server knows to ${shown(socket.text)}`, socket);
  else if (kind === "outside" && !isSocketRead)
    scan.report("medium", "reach.outside", `reaches ${shown(socket.text)}, which policy.egress does not list`, socket);
}

/** Returns what `timeout [-k 1] 5` runs; nothing if that is not plain. */
const behindTimeout = (args: readonly Arg[]): readonly Arg[] =>
  args.slice(args.findIndex(({ text }, i) => i > 0 && !/^-|^[\d.]+[smhd]?$/.test(text)));

const declaring = new Set(["declare", "typeset", "local"]);

/** Builtins that evaluate the index of `a[…]` in a word once more, however it was quoted. */
const evaluating = new Set([
  ..."printf read unset test [ export readonly wait getopts mapfile readarray".split(" "),
  ...declaring,
]);
/** Builtins whose words that are no options are names, so that one from outside may be an index. */
const naming = new Set(["unset", "read", "mapfile", "readarray", "getopts"]);

/** `let`, and what is given to a variable of numbers (`declare -i`), is arithmetic. */
function evaluateArithmetic(name: string, args: readonly Arg[], scan: Scan): void {
  if (name === "let") for (const arg of args) evaluateText(arg, scan);
  if (!(declaring.has(name) || name === "readonly" || name === "export") || !hasLetter(args, "i")) return;
  for (const arg of args) {
    const [, variable = arg.text, value] = /^(\w+)\+?=(.*)$/s.exec(arg.text) ?? [];
    if (!/^\w+$/.test(variable)) continue;
    if (value !== undefined) evaluateText({ ...arg, text: value }, scan);
    evaluateNames(variable, scan);
    scan.variables.set(variable, { values: [], ...scan.variables.get(variable), isInteger: true });
  }
}

/** Options by which a builtin is given a text to run (`C`) or to expand (`W`) later. */
const callbacks: Readonly<Record<string, string>> = { mapfile: "C", readarray: "C", complete: "CW", compgen: "CW" };

function runCallbacks(name: string, args: readonly Arg[], scan: Scan): void {
  args.forEach((arg, i) => {
    const [, letter, attached = ""] =
      new RegExp(`^-[a-zA-Z]*?([${callbacks[name] ?? "-"}])(.*)$`, "s").exec(arg.text) ?? [];
    const text = letter === undefined ? undefined : attached || args[i + 1]?.text;
    if (text === undefined) return;
    scan.runShell(letter === "W" ? `cat <<__words\n${text}\n__words` : text, nothing, `in ${name}`);
  });
}

/** What a builtin changes for the commands after it. */
function follow([name, ...rest]: readonly Arg[], stdin: Flow, scan: Scan): void {
  if (!name) return;
  if (evaluating.has(name.text)) {
    rest.forEach((arg, i) => {
      const isName = naming.has(name.text) || /^-[vpR]$/.test(rest[i - 1]?.text ?? "");
      if (/\[.*(\$\(|`)/s.test(arg.text) || (isName && arg.dynamic)) evaluateText(arg, scan);
    });
  }
  evaluateArithmetic(name.text, rest, scan);
  if (Object.hasOwn(callbacks, name.text)) runCallbacks(name.text, rest, scan);
  if (declaring.has(name.text)) referTo(rest, scan);
  const isExporting = name.text === "export" ? !hasLetter(rest, "n") : hasLetter(rest, "x");
  if (isExporting && exporting.has(name.text)) exportVariables(rest, scan);
  if (Object.hasOwn(builtins, name.text)) builtins[name.text]?.(rest, stdin, scan);
}

const exporting = new Set(["export", "readonly", ...declaring]);

/** Whether one of the options is a cluster that has a letter. */
const hasLetter = (args: readonly Arg[], letter: string): boolean =>
  args.some(({ text }) => /^-[a-zA-Z]+$/.test(text) && text.includes(letter));

/** `declare -n alias=variable`. */
function referTo(args: readonly Arg[], scan: Scan): void {
  if (!/^-[a-zA-Z]*n/.test(args[0]?.text ?? "")) return;
  for (const [, alias = "", target = ""] of args.map(({ text }) => /^(\w+)=(\w+)$/.exec(text) ?? []))
    if (alias !== "") scan.variables.set(alias, { values: [hole], refersTo: target });
}

type BuiltinCommand = (args: readonly Arg[], stdin: Flow, scan: Scan) => void;

const changeFolder: BuiltinCommand = (args, _stdin, scan) => {
  const target = args.find((a) => !/^-[LPe@]+$/.test(a.text));
  if (!target) scan.cwd = "/home/~";
  else if (target.dynamic || target.text === "-") scan.cwd = undefined;
  else if (/^[/~]/.test(target.text) || scan.cwd !== undefined) scan.cwd = normalise(target.text, scan.cwd);
};

const readLines: BuiltinCommand = (args, stdin, scan) => {
  const delimiter = args
    .map(
      ({ text }, i) =>
        /^-[a-zA-Z]*d(.?)/s.exec(text)?.[1] || (/^-[a-zA-Z]*d$/.test(args[i - 1]?.text ?? "") ? text : ""),
    )
    .find(Boolean);
  const list = stdin.text
    ?.replace(/\n$/, "")
    .split(delimiter ?? "\n")
    .filter(Boolean) ??
    stdin.lists ?? [hole];
  const target = args.findLast((arg) => /^[A-Za-z_]\w*$/.test(arg.text))?.text ?? "MAPFILE";
  const listed = stdin.text === undefined && stdin.lists !== undefined;
  setVariable(scan, target, { values: [list[0] ?? ""], list, taint: stdin.taint, listed });
};

const builtins: Readonly<Record<string, BuiltinCommand>> = {
  hash: ([option, path, name], _stdin, scan) => {
    if (option?.text === "-p" && path && name) scan.aliases.set(name.text, path.text);
  },
  jobs: ([option, ...command], _stdin, scan) => {
    if (option?.text === "-x") scan.runArgs(command, nothing);
  },
  bind: (args, _stdin, scan) => {
    if (!args.some(({ text }) => /^-[a-zA-Z]*x/.test(text))) return;
    const text = args.find(({ text: one }) => one.includes(":"))?.text ?? "";
    scan.runShell(text.replace(/^\s*("(\\.|[^"])*"|[^:]*)\s*:\s*/s, "").replace(/^"(.*)"$/s, "$1"), nothing, "in bind");
  },
  cd: changeFolder,
  pushd: changeFolder,
  set: (args, _stdin, scan) => {
    const at = args.findIndex(
      ({ text }, i) => text === "--" || (!/^[-+]/.test(text) && !/^[-+]\w*o$/.test(args[i - 1]?.text ?? "")),
    );
    const options = at < 0 ? args : args.slice(0, at);
    if (hasLetter(options, "a") || options.some(({ text }) => text === "allexport"))
      scan.report("medium", "shell.environment", "set -a gives each variable that follows to every program");
    if (at >= 0) setPositional(args.slice(args[at]?.text === "--" ? at + 1 : at), scan);
  },
  read: readInto,
  mapfile: readLines,
  readarray: readLines,
  printf: ([option, name, ...rest], _stdin, scan) => {
    if (option?.text !== "-v" || !name) return;
    setVariable(scan, name.text, { values: [printf(rest).text ?? hole], taint: rest.find((arg) => arg.taint)?.taint });
  },
  alias: (args, _stdin, scan) => {
    for (const [, name = "", text = ""] of args.map(({ text }) => /^([^=]+)=(.*)$/s.exec(text) ?? []))
      if (name !== "") scan.aliases.set(name, text);
  },
};

const readTakes = /^-[ers]*[adinNptu]$/;
const maxLines = 40;

/** `read a b`: each variable may hold its field of any line, since `read` mostly stands in a loop. */
function readInto(args: readonly Arg[], stdin: Flow, scan: Scan): void {
  const names: string[] = [];
  for (let i = 0; i < args.length; i++) {
    const text = args[i]?.text ?? "";
    if (/^-[ers]*a$/.test(text)) continue;
    if (readTakes.test(text)) i++;
    else if (/^[A-Za-z_]\w*$/.test(text)) names.push(text);
  }
  if (names.length === 0) names.push("REPLY");
  if (args.some(({ text }) => /^-[ers]*a$/.test(text)) && names[0] && stdin.text !== undefined) {
    // What parts them is IFS, which may stand before `read` only.
    const fields = (stdin.text.split("\n")[0] ?? "").trim().split(/\s+/);
    const list = fields.length > 1 ? fields : (fields[0] ?? "").split(/[,:;|]+/);
    setVariable(scan, names[0], { values: [list[0] ?? ""], list, taint: stdin.taint });
    return;
  }
  const isListed = stdin.text === undefined && stdin.lists !== undefined && names.length === 1;
  const lines = isListed ? stdin.lists : stdin.text?.split("\n").filter(Boolean).slice(0, maxLines);
  names.forEach((name, i) => {
    const isLast = i === names.length - 1;
    const values = lines?.map((line) => {
      if (names.length === 1) return line.trim();
      const fields = line.trim().split(/[\s:]+/);
      return isLast ? fields.slice(i).join(" ") : (fields[i] ?? "");
    });
    if (scan.variables.get(name)?.isInteger)
      for (const text of values ?? [hole]) evaluateText({ text, isTame: stdin.isTame }, scan);
    scan.variables.delete(name);
    setVariable(scan, name, {
      values: values && values.length > 0 ? values : [hole],
      taint: stdin.taint,
      listed: isListed || values?.some((value) => /^[\w./-]*[*?][\w./*?-]*$/.test(value)),
      isTame: stdin.isTame,
    });
  });
}

/** A command given as arguments rather than as text (the rest of a wrapper). */
export function runWords(args: readonly Arg[], stdin: Flow, scan: Scan): Flow {
  if (args.length === 0) return nothing;
  scan.tracer?.open("");
  scan.tracer?.words(visible(args));
  const flow = judge(args, stdin, scan);
  // `builtin export …` and `command cd …` change the same shell.
  follow(args, stdin, scan);
  scan.tracer?.close();
  return flow;
}

const visible = (args: readonly Arg[]): string[] => args.map(({ text }) => text.replaceAll(hole, "…"));
