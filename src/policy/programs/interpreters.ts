/** `python -c`, `perl -e`, `node -e`: program text in another language is searched for what it would do; never low. */
import type { Call, Check } from "../apply.ts";
import { type Arg, type Flow, hole, literal, nothing, shown, unknownFlow } from "../arg.ts";
import { readPath, writePath } from "../effects.ts";
import { isRootTarget, normalise } from "../paths.ts";
import { codeSigns } from "../rules/code.ts";
import { findWritten } from "../written.ts";

/** String literals of most languages; neighbours joined by `+`, `.` or `..` become one. */
function stringsOf(code: string): string[] {
  const joined = code.replace(/(["'`])\s*(?:\+|\.\.?)\s*\1/g, "");
  const found = [...joined.matchAll(/"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|`((?:[^`\\]|\\.)*)`/gs)];
  return found.map((m) =>
    (m[1] ?? m[2] ?? m[3] ?? "")
      .replace(/\\x([0-9a-fA-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
      .replace(/\\(["'\\`/])/g, "$1"),
  );
}

/** Judges program text: signs of deleting, running, sending; its strings as paths and as commands. */
export function judgeCode(code: string, { report, scan, program }: Pick<Call, "report" | "scan" | "program">): void {
  const strings = stringsOf(code.replaceAll(hole, "x"));
  const signs = codeSigns.filter((sign) => sign.pattern.test(code));
  report("medium", `${program} runs program text: ${shown(code)}`);
  for (const sign of signs) report(sign.risk, `${program} ${sign.why}`);
  const kinds = new Set(signs.map((sign) => sign.kind));
  if (kinds.has("socket") && /\/bin\/(ba|da|z)?sh|cmd\.exe|powershell/.test(code)) {
    report("block", `${program} connects a shell to the network: a reverse shell`);
  }
  if (kinds.has("delete")) {
    for (const text of strings)
      if (
        isRootTarget(literal(text), scan.cwd, scan.protectedPaths) ||
        (text.startsWith("/dev/") && kinds.has("write"))
      )
        report("block", `${program} deletes ${shown(text)}, a root of the system`);
  }
  if (kinds.has("write")) {
    for (const text of strings)
      if (/^[+<>|\s]*\/dev\/(sd|nvme|vd|xvd|hd|mapper|mem)/.test(text))
        report("block", `${program} writes the raw disk ${shown(text)}`);
      else if (/^\/(etc|root|boot|usr|lib|bin|sbin)\//.test(text)) writePath(literal(text), "replace", scan);
  }
  if (kinds.has("socket") && (kinds.has("duplicate") || kinds.has("run")))
    report("block", `${program} connects a shell to the network: a reverse shell`);
  if (kinds.has("fetch") && (kinds.has("run") || kinds.has("eval")))
    report("block", `${program} runs what it downloads`);
  if (kinds.has("decode") && (kinds.has("run") || kinds.has("eval"))) {
    report("block", `${program} runs what it decodes`);
  }
  if (kinds.has("forkloop")) report("block", `${program} starts itself again and again: a fork bomb`);
  for (const text of strings) if (/^[/~.]/.test(text) && !/\s/.test(text)) readPath(literal(text), scan);
  for (const [, command = ""] of code.matchAll(/\b(?:spawn|exec)\s+([^;\n"'(){}]+)/g))
    scan.attempt(() => scan.runShell(command, nothing, `in ${program}`));
  if (!kinds.has("run")) return;
  for (const text of strings) scan.runShell(text, nothing, `in ${program}`);
  for (const list of code.matchAll(/[[(]\s*((?:(["'])(?:[^"'\\]|\\.)*\2\s*,?\s*){2,})[\])]/g))
    scan.runArgs(stringsOf(list[1] ?? "").map(literal), nothing);
  for (const [, , name = "", list = ""] of code.matchAll(/(["'])([\w/.-]+)\1\s*,\s*\[([^\]]*)\]/g))
    scan.runArgs([name, ...stringsOf(list)].map(literal), nothing);
  for (const quoted of code.matchAll(/(?:%x|qx|system|exec)\s*[({[]\s*([^"'(){}[\]]+)[)}\]]/g))
    scan.runShell(quoted[1] ?? "", nothing, `in ${program}`);
}

const codeOptions: Readonly<Record<string, RegExp>> = {
  python: /^-[a-zA-Z]*c$/,
  perl: /^-[a-zA-Z0-9]*[eE]$/,
  ruby: /^-[a-zA-Z]*e$/,
  node: /^(-e|-p|-pe|--eval|--print)$/,
  nodejs: /^(-e|-p|-pe|--eval|--print)$/,
  php: /^(-r|-R|-B|-E)$/,
  lua: /^-e$/,
  deno: /^eval$/,
  bun: /^-e$/,
  osascript: /^-e$/,
  tclsh: /^-c$/,
  expect: /^-c$/,
  Rscript: /^-e$/,
  julia: /^-e$/,
  groovy: /^-e$/,
};
const modules: Readonly<Record<string, "low" | "medium" | "high">> = {
  "json.tool": "low",
  platform: "low",
  site: "low",
  sysconfig: "low",
  calendar: "low",
  venv: "medium",
  "http.server": "high",
};

/** An interpreter: inline text, a module, a script file, or stdin. */
export const interpreter: Check = (call) => {
  const { program, args, report, scan, stdin } = call;
  const base = program.replace(/[\d.]+$/, "");
  const pattern = codeOptions[base] ?? /^-[ec]$/;
  const at = args.findIndex((a) => pattern.test(a.text));
  if (at >= 0) {
    const [code, ...rest] = args.slice(at + 1);
    judgeInline(call, code);
    const isPlace = args.some((a) => /^-\w*i/.test(a.text));
    if (base === "perl" || base === "ruby")
      for (const file of rest) {
        readPath(file, scan);
        if (isPlace && !file.text.startsWith("-")) writePath(file, "replace", scan);
      }
    if (isPlace && (base === "perl" || base === "ruby")) report("medium", `${program} edits files in place`);
    return { present: true, taint: stdin.taint };
  }
  const attached = args.find(
    (a) => /^(-c|-e|-r|--eval=).+/s.test(a.text) && a.text.length > 3 && /[\s(;]/.test(a.text),
  );
  if (attached) judgeInline(call, { ...attached, text: attached.text.replace(/^(--eval=|-[cer])/, "") });
  const module = args.findIndex((a) => a.text === "-m");
  if (module >= 0 && base === "python") {
    const name = args[module + 1]?.text ?? "";
    if (name === "pip") return scan.runArgs([literal("pip"), ...args.slice(module + 2)], stdin);
    report(modules[name] ?? "medium", `python runs the module ${shown(name)}`);
    return { present: true, taint: stdin.taint };
  }
  if (attached) return unknownFlow;
  const file = args.find((a) => !a.text.startsWith("-") || a.text === "-");
  if (
    args.some((a) => /^(-V|-v|-m|-i|--version|-version|-h|--help|--ini|--info|--modules|--ri|--re|-i$)/.test(a.text)) &&
    !file
  ) {
    report("low", `${program}: version or help`);
    return unknownFlow;
  }
  if (!file || file.text === "-" || file.text === "/dev/stdin") return judgeStdin(call);
  return judgeFile(call, file);
};

function judgeInline(call: Call, code: Arg | undefined): void {
  if (code?.taint === "network" || code?.taint === "decoded")
    call.report("block", `${call.program} runs what was downloaded or decoded`, code);
  if (code?.dynamic) call.report("high", `${call.program} runs program text that is known only when it runs`, code);
  judgeCode(code?.text ?? "", call);
}

function judgeStdin(call: Call): ReturnType<Check> {
  const { stdin, report, program } = call;
  if (stdin.taint === "network" || stdin.taint === "decoded")
    report("block", `${program} runs what was ${stdin.taint === "network" ? "downloaded" : "decoded"}`);
  else if (stdin.text !== undefined) judgeCode(stdin.text, call);
  else
    report(
      stdin.present ? "high" : "medium",
      stdin.present ? `${program} runs program text from a pipe` : `${program} waits for input`,
    );
  return unknownFlow;
}

/** Stands for a script while it is read: one that runs itself never ends. */
const itself: Flow = { present: true, from: "itself" };

function runWritten(text: string, path: string, { scan, stdin }: Pick<Call, "scan" | "stdin">): void {
  const before = scan.files.get(path);
  const zero = scan.variables.get("0");
  scan.files.set(path, itself);
  scan.variables.set("0", { values: [path] });
  scan.runShell(text, stdin, `in ${shown(path)}`);
  if (before) scan.files.set(path, before);
  if (zero) scan.variables.set("0", zero);
  else scan.variables.delete("0");
}

/** A script file: fetched or written by this very command is known; from a folder anybody may write to is high. */
export function judgeFile({ program, report, scan, stdin, args }: Call, file: Arg): ReturnType<Check> {
  const path = normalise(file.text, scan.cwd);
  const written = findWritten(file, scan);
  if (written === itself) {
    report("block", `${shown(path)} starts itself again and again: a fork bomb`, file);
    return unknownFlow;
  }
  if (file.taint === "network" || file.taint === "decoded" || written?.taint)
    report("block", `${program} runs ${shown(path)}, which was downloaded or decoded`, file);
  else if (written?.text !== undefined && /^(ba|da|z|k|a)?sh$|^source$|^\.$/.test(program))
    runWritten(written.text, path, { scan, stdin });
  else if (written?.text !== undefined) judgeCode(written.text, { report, scan, program });
  else if (written) report("high", `${program} runs ${shown(path)}, whose content is known only when it runs`, file);
  else if (file.dynamic) report("high", `${program} runs a file that is known only when it runs`, file);
  else if (/^\/(tmp|var\/tmp|dev\/shm)\//.test(path))
    report("high", `${program} runs ${shown(path)}, from a folder anybody may write to`, file);
  const isCheck = args.some((a) => /^(-n|--check|-l|-c)$/.test(a.text)) && /^(bash|sh|php|ruby|node)$/.test(program);
  report(isCheck ? "low" : "medium", `${program} ${isCheck ? "checks" : "runs"} the script ${shown(path)}`, file);
  return { present: true, taint: stdin.taint };
}
