/**
 * Program text of another language (`python3 -c`, `perl -e`) is not evaluated: it is high, save what plainly only prints, and is searched
 * for signs of what must never run and for strings that would do so.
 */
import type { ProgramCall } from "../engine/apply.ts";
import { type Flow, hole, literal, nothing, shown } from "../engine/arg.ts";
import { readPath, writePath } from "../engine/effects.ts";
import { classesOf, isRootTarget } from "../engine/paths.ts";
import { type CodeSign, codeSigns, printing } from "../knowledge/languages/code.ts";
import { joinedStrings, printedBy, stringsOf, suspects } from "./strings.ts";

type Reader = Pick<ProgramCall, "report" | "scan" | "program">;

/** Program text inside program text is followed so deep. */
const maxInner = 3;

/** Statements that are looked at one by one. */
const maxStatements = 200;

const signOf = (kind: CodeSign["kind"]): RegExp | undefined => codeSigns.find((sign) => sign.kind === kind)?.pattern;

/** Whether program text plainly only prints: nothing in it but such words, numbers, strings and patterns, and nothing put into a string. */
const isPrinting = (code: string): boolean =>
  !/[`@#\\]|\$[({]|<|\bsys\s*[^.\s;,]|%[xqw]/.test(code) &&
  (code.replace(/(["'])[^"']*\1|\bs\/[^/]*\/[^/]*\/[gi]*|\/[^/]*\//g, " ").match(/[A-Za-z_]\w*/g) ?? []).every((word) =>
    printing.test(word),
  );

/** Judges program text by its signs and strings; `given` are its arguments. What it prints, where that is constant. */
export function judgeCode(code: string, reader: Reader, given: readonly string[] = [], depth = 0): Flow {
  const { report, scan, program } = reader;
  const plain = code.replaceAll(hole, "x");
  const joined = joinedStrings(plain);
  const both = `${code}\n${joined}`;
  const strings = [...new Set([...stringsOf(plain), ...stringsOf(joined), ...(/argv|\$\d/i.test(code) ? given : [])])];
  const tried = scan.spend(1 + (code.length >> 6)) ? suspects(stringsOf(joined)) : [];
  const signs = codeSigns.filter(({ pattern }) => pattern.test(both));
  const kinds = new Set(signs.map(({ kind }) => kind));
  // What a sign says is said alone.
  const isClear = isPrinting(code) || signs.some(({ risk }) => risk !== "medium");
  report(isClear ? "medium" : "high", `${program} runs program text: ${shown(code)}`);
  for (const sign of signs) report(sign.risk, `${program} ${sign.why}`);
  if (kinds.has("socket") && /\/bin\/(ba|da|z)?sh|cmd\.exe|powershell/.test(both))
    report("block", `${program} connects a shell to the network: a reverse shell`);
  if (kinds.has("socket") && (kinds.has("duplicate") || kinds.has("run")))
    report("block", `${program} connects a shell to the network: a reverse shell`);
  if (kinds.has("fetch") && (kinds.has("run") || kinds.has("eval")))
    report("block", `${program} runs what it downloads`);
  const use = (["run", "eval", "delete", "move"] as const).find((kind) => kinds.has("decode") && kinds.has(kind));
  if (use)
    report("block", `${program} decodes text and ${use === "eval" ? "run" : use}s it: nobody can read what it does`);
  if (kinds.has("forkloop")) report("block", `${program} starts itself again and again: a fork bomb`);
  judgePaths(kinds, /join|implode|concat/i.test(code) ? [...strings, ...tried] : strings, reader);
  for (const statement of joined.split(/[;\n]/).slice(0, maxStatements)) judgeStatement(statement, reader);
  if (kinds.has("run")) {
    // Every string may be a command, every list of strings its words, and what is made of them either.
    for (const text of strings) scan.runShell(text, nothing, `in ${program}`);
    for (const text of tried) scan.attempt(() => scan.runShell(text, nothing, `in ${program}`));
    for (const [, open, list = ""] of both.matchAll(/([[(]\s*)?((?:(["'])(?:[^"'\\]|\\.)*\3[\s,[\](]*){2,})/g)) {
      const words = stringsOf(list).map(literal);
      if (open) scan.runArgs(words, nothing);
      else scan.attempt(() => scan.runArgs(words, nothing));
      // Its name may be given twice.
      if (words[1]?.text.endsWith(words[0]?.text ?? "/")) scan.attempt(() => scan.runArgs(words.slice(1), nothing));
    }
    for (const [, command = ""] of both.matchAll(/(?:%x|qx|system|exec)\s*[({[]\s*([^"'(){}[\]]+)[)}\]]/g))
      scan.runShell(command, nothing, `in ${program}`);
  }
  for (const [, command = ""] of code.matchAll(/\b(?:spawn|exec)\s+([^;\n"'(){}]+)/g))
    scan.attempt(() => scan.runShell(command, nothing, `in ${program}`));
  if (/^(tclsh|expect|wish|jimsh)/.test(program)) {
    // In Tcl braces are quotes, and a command's words need none at all.
    const quoted = plain.replace(/\{([^{}]*)\}/g, "'$1'");
    for (const [, command = ""] of quoted.matchAll(/\b(?:exec|spawn|system)\s+(?:-\w+\s+)*([^\]\n;]+)/g))
      scan.runShell(command, nothing, `in ${program}`);
    for (const [, verb = "", rest = ""] of plain.matchAll(/\bfile\s+(delete|rename)\s+([^\]\n;]+)/g)) {
      const first = rest.split(/\s+/).find((word) => word.startsWith("/"));
      report("high", `${program} ${verb}s files`);
      if (first && isRootTarget(literal(first), scan.cwd, scan.protectedPaths))
        report("block", `${program} ${verb}s ${shown(first)}, a root of the system`);
    }
  }
  if (kinds.has("eval") && depth < maxInner)
    for (const text of [...strings, ...tried].filter((one) => /[(;=]/.test(one) && one !== code))
      scan.attempt(() => judgeCode(text, { ...reader, report: quietly(reader) }, given, depth + 1));
  return { present: true, text: printedBy(joined), taint: kinds.has("decode") ? "decoded" : undefined };
}

/** What is found while something is only tried: the scan drops all but a block. */
const quietly =
  ({ scan }: Reader): Reader["report"] =>
  (risk, text, at) =>
    scan.report(risk, "call.code", text, at);

function judgePaths(
  kinds: ReadonlySet<CodeSign["kind"]>,
  strings: readonly string[],
  { report, scan, program }: Reader,
): void {
  for (const text of strings) {
    const isRoot = kinds.has("delete") && isRootTarget(literal(text), scan.cwd, scan.protectedPaths);
    if (isRoot || (kinds.has("delete") && kinds.has("write") && text.startsWith("/dev/")))
      report("block", `${program} deletes ${shown(text)}, a root of the system`);
    const device = /^[+<>|\s]*(\/dev\/(?:sd|nvme|vd|xvd|hd|mapper|mem)\S*)/.exec(text)?.[1];
    if (kinds.has("write") && kinds.has("decode") && text.startsWith("/dev/"))
      report("block", `${program} writes below /dev under a name that nobody can read`);
    if (kinds.has("write") && device) report("block", `${program} writes the raw disk ${shown(device)}`);
    else if (kinds.has("write") && /^\/(etc|root|boot|usr|lib|bin|sbin)\//.test(text))
      writePath(literal(text), "replace", scan);
    if (/^[/~.]/.test(text) && !/\s/.test(text)) readPath(literal(text), scan);
  }
}

/** What one statement does with the paths named in it: a log written, a root moved. */
function judgeStatement(statement: string, { report, scan, program }: Reader): void {
  const paths = stringsOf(statement)
    .map((text) => text.replace(/^[+<>|\s]+/, ""))
    .filter((text) => text.startsWith("/"));
  const [first] = paths;
  if (first === undefined) return;
  if (signOf("move")?.test(statement) && isRootTarget(literal(first), scan.cwd, scan.protectedPaths))
    report("block", `${program} moves ${shown(first)} away, a root of the system`);
  const isWrite = signOf("write")?.test(statement) || signOf("delete")?.test(statement);
  if (!isWrite) return;
  for (const path of paths)
    if (classesOf(literal(path), scan.cwd).has("core-log")) report("block", `${program} wipes the log ${shown(path)}`);
}
