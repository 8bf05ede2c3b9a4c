/** PowerShell expressions: what the types, static members and methods in them do. */
import type { Risk } from "../../base/types.ts";
import { shown } from "../engine/arg.ts";
import {
  codeSigns,
  connectMethods,
  fetchMethods,
  harmlessProperties,
  harmlessTypes,
  methodLevels,
  pureTypes,
  staticLevels,
  uploadMethods,
} from "../knowledge/windows-classes.ts";
import { type Context, resolveWords } from "./context.ts";
import { noteDownload } from "./downloads.ts";
import { fold } from "./fold.ts";
import { judgeNative, runLine, splitLine } from "./native.ts";
import { deleteWindows, readWindows, writeWindows } from "./paths.ts";
import { argsOf, reachHosts } from "./reach.ts";
import type { Expr } from "./syntax.ts";
import { isList, isThing, listOf, toText, type Value } from "./values.ts";

type Call = Extract<Expr, { kind: "call" }>;
type Member = Extract<Expr, { kind: "member" }>;

/** A type as such: some are named only to load code. */
export function checkType(name: string, { scan }: Context) {
  if (codeSigns.test(name))
    scan.report("block", "windows.inject", `names ${shown(name)}, which loads code into memory`);
  if (isHarmless(name)) return;
  scan.markUnknown();
  scan.report("medium", "windows.type", `uses [${shown(name)}], a type that the rules do not know`);
}

/** `System.Collections.Generic.List[string]` is `collections.generic.list`. */
export const isHarmless = (type: string): boolean =>
  harmlessTypes.has(
    type
      .toLowerCase()
      .replace(/^system\./, "")
      .replace(/[[`(].*$/s, ""),
  );

/** What an expression is, for the reader and for patterns: its members in a row, lower case. */
function chainOf(expr: Expr, context: Context): string {
  const { state } = context;
  switch (expr.kind) {
    case "member":
    case "call": {
      const name = fold(expr.name, state);
      return `${chainOf(expr.of, context)}${expr.isStatic ? "::" : "."}${name === undefined ? "?" : toText(name).toLowerCase()}`;
    }
    case "type":
      return `[${expr.name}]`;
    case "cast":
      return `[${expr.type}]${chainOf(expr.of, context)}`;
    case "variable": {
      const value = state.variables.get(expr.name);
      return isThing(value) && value.is === "object" ? value.type : `$${expr.name}`;
    }
    case "index":
      return chainOf(expr.of, context);
    case "text":
      return expr.value.toLowerCase();
    case "group": {
      const value = fold(expr, state);
      if (isThing(value) && value.is === "object")
        return `${value.type}${value.args.map((arg) => (typeof arg === "string" ? ` ${arg.toLowerCase()}` : "")).join("")}`;
      if (isThing(value)) return value.is === "type" ? `[${value.name}]` : "";
      const [statement] = expr.script.statements;
      if (statement?.kind === "assign") return "";
      const [stage] = statement?.kind === "pipeline" ? statement.stages : [];
      return (stage?.words ?? []).map((word) => chainOf(word.expr, context) || word.source.toLowerCase()).join(" ");
    }
    default:
      return "";
  }
}

export function checkCall(call: Call, context: Context) {
  const { scan, state } = context;
  const of = fold(call.of, state);
  const folded = fold(call.name, state);
  const chain = chainOf(call, context);
  const args = call.args.map((arg) => fold(arg, state));
  if (folded === undefined) {
    scan.markUnknown();
    return scan.report("high", "windows.dynamic", `calls a method known only when it runs: ${shown(chain)}`);
  }
  const name = toText(folded).toLowerCase();
  const said = [chain, ...args.map((arg) => (arg === undefined ? "" : toText(arg)))].join(" ");
  if (codeSigns.test(said)) scan.report("block", "windows.inject", `loads code into memory: ${shown(said)}`);
  if (fetchMethods.test(name)) noteFetch(args, context);
  noteCall(call, name, chain, context);
  if (call.isStatic) return checkStatic({ of, name, args, call }, context);
  checkMethod({ of, name, args, chain }, context);
}

/** Notes the host that a method asks, and whether it is given anything. */
function noteCall(call: Call, name: string, chain: string, { scan, state }: Context) {
  const [to, ...others] = resolveWords(
    call.args.map((expr) => ({ expr, source: "$()" })),
    state,
  );
  if (!to) return;
  if (connectMethods.test(name) || /sockets\.\w+client\]::new$/.test(chain)) {
    const isSending = /send/.test(name) && others.length > 1;
    reachHosts(argsOf(to), "lookup", scan, isSending ? "data" : undefined);
    if (isSending) scan.report("medium", "windows.method", `sends data by ${shown(chain)}`);
    return;
  }
  const sends = uploadMethods.test(name);
  if (sends || fetchMethods.test(name) || /webrequest\]::create/.test(chain))
    reachHosts(argsOf(to), "request", scan, sends ? "what it uploads" : undefined);
}

function noteFetch(args: readonly (Value | undefined)[], { scan, state }: Context) {
  state.fetched = true;
  for (const arg of args) if (typeof arg === "string") noteDownload(arg, scan);
}

interface Static {
  readonly of: Value | undefined;
  readonly name: string;
  readonly args: readonly (Value | undefined)[];
  readonly call: Call;
}

const first = (args: readonly (Value | undefined)[]): string | undefined => {
  const [value] = args;
  return value === undefined ? undefined : toText(value);
};

function checkStatic({ of, name, args, call }: Static, context: Context) {
  const { scan, state, languages } = context;
  if (!isThing(of) || of.is !== "type") {
    scan.markUnknown();
    return scan.report("high", "windows.static", `calls ${name} of a type known only when it runs`);
  }
  const said = `[${of.name}]::${name}`;
  const path = first(args);
  if (of.name === "scriptblock" && name === "create") {
    // A text that stands there in full is judged as such; one that is put together hides something.
    const isPlain = call.args[0]?.kind === "text";
    scan.report(isPlain ? "high" : "block", "windows.eval", "makes a program of a text");
    if (path !== undefined) languages.powershell(path, "in a script block");
    return;
  }
  if (/^io\.(file|directory)$/.test(of.name)) return checkFile({ name, said, args }, context);
  if (of.name === "diagnostics.process" && name === "start") {
    scan.report("medium", "windows.static", `${said} starts a program`);
    const words = args.flatMap((arg) => (arg === undefined ? [] : splitLine(toText(arg))));
    if (words.length === 0)
      return scan.report("high", "windows.static", `${said} starts what is known only when it runs`);
    return judgeNative(words, scan, languages);
  }
  const level = staticLevels.find(([, pattern]) => pattern.test(`${of.name}.${name}`))?.[0];
  if (level !== undefined) return scan.report(level, "windows.static", `calls ${said}`);
  if (pureTypes.test(of.name) || name === "new" || state.functions.has(name)) return;
  if (isHarmless(of.name))
    return levelOf(`.${name}`) === "low" ? undefined : scan.report("medium", "windows.static", `calls ${said}`);
  scan.report("high", "windows.static", `calls ${said}, which the rules do not know`);
}

function checkFile(
  { name, said, args }: Omit<Static, "of" | "call"> & { readonly said: string },
  { scan, state }: Context,
) {
  const path = first(args) ?? "$()";
  if (/^delete/.test(name)) return deleteWindows(path, scan);
  if (/^(read|exists|get|enumerate|open(read|text))/.test(name)) return readWindows(path, scan);
  if (/^(copy|move|replace)$/.test(name)) {
    readWindows(path, scan);
    if (name === "move" && /^[a-z]:\\[^\\]*\\?$/i.test(path)) deleteWindows(path, scan, "moves away");
    return writeWindows(first(args.slice(1)) ?? "$()", scan);
  }
  writeWindows(path, scan);
  if (state.fetched) noteDownload(path, scan);
  scan.report("medium", "windows.static", `calls ${said}`);
}

interface Method {
  readonly of: Value | undefined;
  readonly name: string;
  readonly args: readonly (Value | undefined)[];
  readonly chain: string;
}

const levelOf = (chain: string): Risk => methodLevels.find(([, pattern]) => pattern.test(chain))?.[0] ?? "medium";

/** A method of a value that is not a type; the first row of the table that its chain of members fits decides. */
export function checkMethod({ of, name, args, chain }: Method, context: Context) {
  const { scan, languages } = context;
  if (/invokecommand\.(invokescript|newscriptblock)$|\.addscript$/.test(chain)) {
    scan.report("block", "windows.eval", "runs text as a program");
    return;
  }
  if (name === "addcommand") {
    const text = first(args);
    if (text !== undefined) context.run({ name: text, words: [], isPiped: false, input: undefined }, context);
  }
  if (/^(run|exec|shellexecute|create|spawninstance|executeshellcommand|navigate2?|execquery)$/.test(name)) {
    const line = args
      .slice(0, 2)
      .flatMap((arg) => (arg === undefined || isThing(arg) ? [] : listOf(arg).map(toText)))
      .join(" ");
    if (/^(run|exec|shellexecute|executeshellcommand)$/.test(name) || /process/.test(chain)) {
      scan.report("high", "windows.com", `runs a program: ${shown(line)}`);
      return runLine(line, scan, languages);
    }
  }
  const isPath = isThing(of) && of.is === "found" && !of.narrow;
  if (isPath && /^delete/.test(name)) return deleteWindows(toText(of), scan);
  // Texts, lists and tables of this very script are nobody's state.
  const isOwn = of !== undefined && (!isThing(of) || of.is === "hash" || of.is === "char" || of.is === "block");
  if (isOwn && !(isList(of) && of.some(isThing))) return;
  const level: Risk = levelOf(chain);
  if (level !== "low")
    scan.report(
      level,
      "windows.method",
      `calls a method that ${level === "medium" ? "may change something" : "destroys"}: ${shown(chain)}`,
    );
}

/** `$x.Name = …`: of this script's own tables it is nothing, of anything else a change. */
export function checkMember(member: Member, _value: Value | undefined, context: Context) {
  const { scan, state } = context;
  const of = fold(member.of, state);
  if (of !== undefined && (!isThing(of) || of.is === "hash")) return;
  const chain = chainOf(member, context);
  scan.report(harmlessProperties.test(chain) ? "low" : "medium", "windows.property", `sets ${shown(chain)}`);
}
