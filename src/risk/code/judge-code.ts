/** Program text of another language is searched for what it would do, as it stands and with its constants evaluated; never low. */
import type { Call } from "../engine/apply.ts";
import { type Flow, hole, literal, nothing, shown } from "../engine/arg.ts";
import { readPath, writePath } from "../engine/effects.ts";
import { classesOf, isRootTarget } from "../engine/paths.ts";
import { type CodeSign, codeSigns } from "../knowledge/code.ts";
import { fold, type Given, printedBy } from "./fold.ts";
import { render, type Token } from "./tokens.ts";

type Reader = Pick<Call, "report" | "scan" | "program">;

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

/** Program text inside program text is followed so deep. */
const maxInner = 3;

/** Statements that are looked at one by one. */
const maxStatements = 200;

const signOf = (kind: CodeSign["kind"]): RegExp | undefined => codeSigns.find((sign) => sign.kind === kind)?.pattern;

/** Judges program text: signs of deleting, running, sending; its strings as paths and as commands. What it prints, if constant. */
export function judgeCode(code: string, reader: Reader, given: Given, depth = 0): Flow {
  const { report, scan, program } = reader;
  const plain = code.replaceAll(hole, "x");
  const tokens = fold(plain, given, scan);
  const folded = render(tokens);
  const strings = [
    ...new Set([...stringsOf(plain), ...tokens.flatMap((token) => (token.type === "string" ? [token.value] : []))]),
  ];
  const signs = codeSigns.filter((sign) => sign.pattern.test(code) || sign.pattern.test(folded));
  report("medium", `${program} runs program text: ${shown(code)}`);
  for (const sign of signs) report(sign.risk, `${program} ${sign.why}`);
  const kinds = new Set(signs.map((sign) => sign.kind));
  judgeKinds(kinds, `${code}\n${folded}`, reader);
  judgePaths(kinds, strings, reader);
  for (const statement of folded.split(/[;\n]/).slice(0, maxStatements)) judgeStatement(statement, reader);
  if (kinds.has("run")) {
    runStrings(strings, `${code}\n${folded}`, reader);
    for (const words of enumerations(tokens)) scan.attempt(() => scan.runArgs(words.map(literal), nothing));
  }
  for (const [, command = ""] of code.matchAll(/\b(?:spawn|exec)\s+([^;\n"'(){}]+)/g))
    scan.attempt(() => scan.runShell(command, nothing, `in ${program}`));
  if (/^(tclsh|expect|wish|jimsh)/.test(program)) judgeTcl(plain, reader);
  if (kinds.has("eval") && depth < maxInner)
    for (const text of strings)
      if (/[(;=]/.test(text) && text !== code)
        scan.attempt(() => judgeCode(text, { ...reader, report: quietly(reader) }, given, depth + 1));
  return { present: true, text: printedBy(tokens), taint: kinds.has("decode") ? "decoded" : undefined };
}

/** What is found while something is only tried: the scan drops all but a block. */
const quietly =
  ({ scan }: Reader): Reader["report"] =>
  (risk, text, at) =>
    scan.report(risk, "call.code", text, at);

function judgeKinds(kinds: ReadonlySet<CodeSign["kind"]>, code: string, { report, program }: Reader): void {
  if (kinds.has("socket") && /\/bin\/(ba|da|z)?sh|cmd\.exe|powershell/.test(code))
    report("block", `${program} connects a shell to the network: a reverse shell`);
  if (kinds.has("socket") && (kinds.has("duplicate") || kinds.has("run")))
    report("block", `${program} connects a shell to the network: a reverse shell`);
  if (kinds.has("fetch") && (kinds.has("run") || kinds.has("eval")))
    report("block", `${program} runs what it downloads`);
  if (kinds.has("decode") && (kinds.has("run") || kinds.has("eval")))
    report("block", `${program} runs what it decodes`);
  if (kinds.has("forkloop")) report("block", `${program} starts itself again and again: a fork bomb`);
}

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

/** Strings with commas between them: a program and its arguments, with or without its name given twice. */
function enumerations(tokens: readonly Token[]): readonly (readonly string[])[] {
  const found: string[][] = [];
  let current: string[] = [];
  for (const [i, token] of tokens.entries()) {
    if (token.type === "list") found.push(token.items.map(String));
    if (token.type === "string") current.push(token.value);
    else if (token.type !== "sign" || token.text !== "," || tokens[i - 1]?.type !== "string") {
      found.push(current);
      current = [];
    }
  }
  return [...found, current]
    .filter((words) => words.length > 1)
    .slice(0, maxStatements)
    .flatMap((words) => (words[0] === words[1]?.slice(-(words[0]?.length ?? 0)) ? [words, words.slice(1)] : [words]));
}

/** Every string may be a command, and every list of strings its words. */
function runStrings(strings: readonly string[], code: string, { scan, program }: Reader): void {
  for (const text of strings) scan.runShell(text, nothing, `in ${program}`);
  for (const list of code.matchAll(/[[(]\s*((?:(["'])(?:[^"'\\]|\\.)*\2\s*,?\s*){2,})[\])]/g))
    scan.runArgs(stringsOf(list[1] ?? "").map(literal), nothing);
  for (const [, , name = "", list = ""] of code.matchAll(/(["'])([\w/.-]+)\1\s*,\s*\[([^\]]*)\]/g))
    scan.runArgs([name, ...stringsOf(list)].map(literal), nothing);
  for (const quoted of code.matchAll(/(?:%x|qx|system|exec)\s*[({[]\s*([^"'(){}[\]]+)[)}\]]/g))
    scan.runShell(quoted[1] ?? "", nothing, `in ${program}`);
}

/** In Tcl braces are quotes, and a command's words need none at all. */
function judgeTcl(code: string, { report, scan, program }: Reader): void {
  const quoted = code.replace(/\{([^{}]*)\}/g, "'$1'");
  for (const [, command = ""] of quoted.matchAll(/\b(?:exec|spawn|system)\s+(?:-\w+\s+)*([^\]\n;]+)/g))
    scan.runShell(command, nothing, `in ${program}`);
  for (const [, verb = "", rest = ""] of code.matchAll(/\bfile\s+(delete|rename)\s+([^\]\n;]+)/g)) {
    const first = rest.split(/\s+/).find((word) => word.startsWith("/"));
    report("high", `${program} ${verb}s files`);
    if (first && isRootTarget(literal(first), scan.cwd, scan.protectedPaths))
      report("block", `${program} ${verb}s ${shown(first)}, a root of the system`);
  }
}
