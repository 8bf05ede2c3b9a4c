/** `python -c`, `perl -e`, `node -e`: where an interpreter finds its program text. */

import { judgeCode } from "../code/judge-code.ts";
import type { Check, ProgramCall } from "../engine/apply.ts";
import { type Arg, type Flow, isForeign, literal, shown, unknownFlow } from "../engine/arg.ts";
import { readPath, writePath } from "../engine/effects.ts";
import { normalise } from "../engine/paths.ts";
import { keeping } from "../engine/variables.ts";
import { findWritten } from "../engine/written.ts";
import { findRule, isKnown, programFacts } from "../table.ts";

const readingModule = /^(json\.tool|platform|site|sysconfig|calendar)$/;

/** An interpreter: inline text, a module, a script file, or stdin. */
export const interpreter: Check = (call) => {
  const { program, args, report, scan, stdin } = call;
  const base = program.replace(/[\d.]+$/, "");
  const pattern = new RegExp(
    programFacts(base, findRule(program, scan)).traits.find(({ is }) => is === "inline")?.if ?? "^-[ec]$",
  );
  const at = args.findIndex((a) => pattern.test(a.text));
  if (at >= 0) {
    const [code, ...rest] = args.slice(at + 1);
    const flow = judgeInline(call, code, rest);
    const isPlace = args.some((a) => /^-(?![MmI])\w*i/.test(a.text));
    if (base === "perl" || base === "ruby")
      for (const file of rest) {
        readPath(file, scan);
        if (isPlace && !file.text.startsWith("-")) writePath(file, "replace", scan);
      }
    if (isPlace && (base === "perl" || base === "ruby")) report("medium", `${program} edits files in place`);
    return { ...flow, taint: flow.taint ?? stdin.taint };
  }
  const attached = args.find(
    (a) => /^(-c|-e|-r|--eval=).+/s.test(a.text) && a.text.length > 3 && /[\s(;]/.test(a.text),
  );
  const flow = attached && judgeInline(call, { ...attached, text: attached.text.replace(/^(--eval=|-[cer])/, "") }, []);
  const module = args.findIndex((a) => a.text === "-m");
  if (module >= 0 && base === "python") {
    const name = args[module + 1]?.text ?? "";
    const [from, to] = args.slice(module + 2).filter(({ text }) => !text.startsWith("--"));
    if (name === "json.tool" && from) readPath(from, scan);
    if (name === "json.tool" && to) writePath(to, "overwrite", scan);
    if (name === "pip") return scan.runArgs([literal("pip"), ...args.slice(module + 2)], stdin);
    const [first, second] = args.slice(module + 2).filter(({ text }) => !/^-|^\d+$/.test(text));
    if (name === "json.tool") {
      if (first) readPath(first, scan);
      if (second) writePath(second, "overwrite", scan);
    }
    report(
      readingModule.test(name) ? "low" : name === "http.server" ? "high" : "medium",
      `python runs the module ${shown(name)}`,
    );
    return { present: true, taint: stdin.taint };
  }
  if (flow) return flow;
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

function judgeInline(call: ProgramCall, code: Arg | undefined, rest: readonly Arg[]): Flow {
  if (isForeign(code)) call.report("block", `${call.program} runs what was downloaded or decoded`, code);
  if (code?.dynamic) call.report("high", `${call.program} runs program text that is known only when it runs`, code);
  return judgeCode(
    code?.text ?? "",
    call,
    rest.map((arg) => arg.text),
  );
}

function judgeStdin(call: ProgramCall): ReturnType<Check> {
  const { stdin, report, program } = call;
  if (isForeign(stdin))
    report("block", `${program} runs what was ${stdin.taint === "network" ? "downloaded" : "decoded"}`);
  else if (stdin.text !== undefined) return judgeCode(stdin.text, call);
  else
    report(
      stdin.present ? "high" : "medium",
      stdin.present ? `${program} runs program text from a pipe` : `${program} waits for input`,
    );
  return unknownFlow;
}

/** Stands for a script while it is read: one that runs itself never ends. */
const itself: Flow = { present: true, from: "itself" };

function runWritten(text: string, path: string, { scan, stdin }: Pick<ProgramCall, "scan" | "stdin">): void {
  const before = scan.files.get(path);
  scan.files.set(path, itself);
  keeping(scan.variables, ["0"], () => {
    scan.variables.set("0", { values: [path] });
    scan.runShell(text, stdin, `in ${shown(path)}`);
  });
  if (before) scan.files.set(path, before);
}

/** A script file: fetched or written by this very command is known; from a folder anybody may write to is high. */
export function judgeFile({ program, report, scan, stdin, args }: ProgramCall, file: Arg): ReturnType<Check> {
  const path = normalise(file.text, scan.cwd);
  const written = findWritten(file, scan);
  if (written === itself) {
    report("block", `${shown(path)} starts itself again and again: a fork bomb`, file);
    return unknownFlow;
  }
  if (isForeign(file) || written?.taint)
    report("block", `${program} runs ${shown(path)}, which was downloaded or decoded`, file);
  else if (written?.text !== undefined && /^(ba|da|z|k|a)?sh$|^source$|^\.$/.test(program))
    runWritten(written.text, path, { scan, stdin });
  else if (written?.text !== undefined)
    judgeCode(
      written.text,
      { report, scan, program },
      args.slice(1).map((arg) => arg.text),
    );
  else if (written) report("high", `${program} runs ${shown(path)}, whose content is known only when it runs`, file);
  else if (file.dynamic) report("high", `${program} runs a file that is known only when it runs`, file);
  else if (/^\/(dev|proc\/[^/]+)\/fd\//.test(path))
    report("high", `${program} runs what an open file holds (${shown(path)}), known only when it runs`, file);
  else if (/^\/(tmp|var\/tmp|dev\/shm)\//.test(path))
    report("high", `${program} runs ${shown(path)}, from a folder anybody may write to`, file);
  // What stands behind the script is the script's.
  const isCheck =
    args.slice(0, args.indexOf(file)).some((a) => /^(-n|--check|-l|-c)$/.test(a.text)) &&
    /^(bash|sh|php|ruby|node)$/.test(program);
  // With the name of a program the rules know it does at least what that does (`php artisan …`), never less: a name is no proof.
  const namesake = path.split("/").pop() ?? "";
  const isKnownName = !isCheck && !/^(source|\.)$/.test(program) && isKnown(namesake, scan.table);
  if (isKnownName) scan.runArgs([literal(namesake), ...args.slice(args.indexOf(file) + 1)], { present: true });
  report(isCheck ? "low" : "medium", `${program} ${isCheck ? "checks" : "runs"} the script ${shown(path)}`, file);
  return { present: true, taint: stdin.taint };
}
