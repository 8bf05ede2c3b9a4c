import type { Risk } from "../../base/risk.ts";
import { shown } from "../engine/arg.ts";
import { checkRounds } from "../engine/bounds.ts";
import { namesSecret } from "../knowledge/variables.ts";
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
} from "../knowledge/windows/classes.ts";
import { revealing } from "../knowledge/windows/rules.ts";
import type { Context } from "./command.ts";
import { judgeNative, runLine, splitLine } from "./native.ts";
import { deleteWindows, noteDownload, readWindows, writeWindows } from "./paths.ts";
import { argsOf, reachHosts, reachWritten } from "./reach.ts";
import type { Token } from "./stage.ts";
import { readPipeline, readTokens, type Value } from "./words.ts";

/** The types, members and methods that stand in a PowerShell text. */

/** `System.Collections.Generic.List[string]` is `collections.generic.list`. */
const typeOf = (text: string): string =>
  text
    .toLowerCase()
    .replace(/^system\./, "")
    .replace(/[[`(].*$/s, "");
export const isHarmlessCall = (type: string): boolean => harmlessTypes.has(typeOf(type));

/** Without what texts are split and glued with. */
export const squeeze = (text: string): string => text.replace(/["'`]\s*\+\s*["'`]|["'`^]/g, "").toLowerCase();

const maxChain = 12;

/** What stands before a call, in lower case; for a variable that which made it, where that is told. */
const chainOf = (tokens: readonly Token[], { state }: Context, isNamed = false): string =>
  tokens
    .slice(-maxChain)
    .map((token) => {
      const said = token.kind === "variable" && !isNamed && state.variables.get(token.text.slice(1, -1))?.said;
      return (token.gap ? " " : "") + (said || (token.kind === "bare" ? token.text : token.source));
    })
    .join("")
    .slice(-300)
    .replace(/^.*[=;|]\s*(?=\$|\[)/s, "")
    .trim()
    .toLowerCase();

/** Looks at all types, members and calls of a stage. */
export function checkStage(tokens: readonly Token[], isCommand: boolean, context: Context) {
  const { scan, state } = context;
  const signs = squeeze(tokens.map(({ source }) => source).join(""));
  if (/\.\w+\(|::/.test(signs) && codeSigns.test(signs))
    scan.report("block", "windows.inject", `loads code into memory: ${shown(signs)}`);
  for (const [i, token] of tokens.entries()) {
    const [before, next] = [tokens[i - 1], tokens[i + 1]];
    const isGlued = !token.gap && before !== undefined;
    // The arguments of a call; what stands behind a command's bare word is none.
    const isWord = isCommand && before?.gap && !before.text.includes("]::");
    if (token.kind === "group" && isGlued && before.kind === "bare" && !isWord && /(\.|::)\w*$/.test(before.text))
      checkCall(tokens, i, context);
    if (token.kind === "group" && isGlued && before.kind !== "bare" && /(\.|::)$/.test(tokens[i - 2]?.text ?? ""))
      scan.report("high", "windows.dynamic", `calls a method known only when it runs: ${shown(before.source)}`);
    for (const [, variable = ""] of token.text.matchAll(/\ue000env:([^\ue001]*)\ue001/g))
      if (namesSecret(variable))
        scan.report("high", "windows.reveals", `shows ${variable}, whose name says that it is a secret`);
    const text = token.text.toLowerCase();
    if (token.kind === "text" && isGlued && before.text.endsWith("[") && revealing.test(text))
      scan.report("medium", "windows.reveals", `picks ${text}, which may reveal secrets`);
    if (token.kind !== "bare") continue;
    if (text.includes("getenvironmentvariable")) scan.reveal("prints an environment");
    if (
      (isGlued || !isCommand) &&
      (revealing.test(text) || /\.\w+/g.exec(text)?.some((one) => revealing.test(one.slice(1))))
    )
      scan.report("medium", "windows.reveals", `reads ${text}, which may reveal secrets`);
    const isCast = next !== undefined && !next.gap && next.kind !== "bare";
    if ((!isGlued || before.kind === "bare") && (!isCommand || isCast || text.includes("]::")))
      for (const [, written = ""] of text.matchAll(/\[([a-z_][\w.]*)(?=[\][,`])/g)) {
        const type = typeOf(written);
        if (codeSigns.test(type))
          scan.report("block", "windows.inject", `names ${shown(type)}, which loads code into memory`);
        if (isHarmlessCall(type)) continue;
        scan.markUnknown();
        scan.report("medium", "windows.type", `uses [${shown(type)}], a type that the rules do not know`);
      }
    if (/\[(wmi\w*|adsi)\]$/.test(text) && next) reachWritten(argsOf(readTokens([next], state)), scan);
    const [, from, to] = /(?<!\d)(\d+)\.\.(\d+)/.exec(text) ?? [];
    if (from !== undefined) checkRounds(Math.abs(Number(from) - Number(to)), scan);
  }
}

function checkCall(tokens: readonly Token[], at: number, context: Context) {
  const { scan, state } = context;
  const before = tokens.slice(0, at);
  const chain = chainOf(before, context);
  const named = chainOf(before, context, true);
  const name = /\w*$/.exec(named)?.[0] ?? "";
  const [inner, other] = tokens[at]?.nested[0] ?? [];
  const value = inner && !other ? readPipeline(inner, state) : undefined;
  const args = value?.texts ?? [];
  if (name === "") {
    scan.markUnknown();
    return scan.report("high", "windows.dynamic", `calls a method known only when it runs: ${shown(named)}`);
  }
  if (fetchMethods.test(name)) {
    state.fetched = true;
    for (const arg of args) noteDownload(arg, scan);
  }
  if (inner && !other) noteReach(name, inner[0] ?? [], named, context);
  const type = /\[([a-z_][\w.]*)[^\]]*\]+::\w+$/.exec(named)?.[1];
  if (type !== undefined || named.endsWith(`::${name}`))
    return checkStatic(typeOf(type ?? ""), name, { args, value }, context);
  const [of] = at === 2 && /^\.\w+$/.test(tokens[1]?.text ?? "") ? tokens : [];
  checkMethod({ name, args, chains: [named, chain], of: of && readTokens([of], state) }, context);
}

/** Notes the host that a method asks, and whether it is given anything. */
function noteReach(name: string, inner: readonly Token[], chain: string, { scan, state }: Context) {
  const end = inner.findIndex(({ text }) => text === ",");
  const [first] = argsOf(readTokens(end < 0 ? inner : inner.slice(0, end), state));
  if (!first) return;
  if (connectMethods.test(name) || /sockets\.\w+client\]::new$/.test(chain)) {
    const isSending = /send/.test(name) && inner.filter(({ text }) => text === ",").length > 1;
    reachHosts([first], "lookup", scan, isSending ? "data" : undefined);
    if (isSending) scan.report("medium", "windows.method", `sends data by ${shown(chain)}`);
  } else if (uploadMethods.test(name) || fetchMethods.test(name) || /webrequest\]::create/.test(chain))
    reachHosts([first], "request", scan, uploadMethods.test(name) ? "what it uploads" : undefined);
}

interface GivenArguments {
  readonly args: readonly string[];
  readonly value: Value | undefined;
}

function checkStatic(type: string, name: string, { args, value }: GivenArguments, { scan, state, languages }: Context) {
  const said = `[${type}]::${name}`;
  const [path = "$unknown", to = "$unknown"] = args;
  if (type === "") {
    scan.markUnknown();
    if (/^delete/.test(name)) deleteWindows(path, scan);
    return scan.report("high", "windows.static", `calls ${name} of a type known only when it runs`);
  }
  if (type === "scriptblock" && name === "create") {
    // A text that stands there in full is judged as such; one that is put together hides something.
    scan.report(value?.origin === "literal" ? "high" : "block", "windows.eval", "makes a program of a text");
    return languages.powershell(path, "in a script block");
  }
  if (/^io\.(file|directory)$/.test(type)) {
    if (/^delete/.test(name)) return deleteWindows(path, scan);
    if (/^(read|exists|get|enumerate|open(read|text))/.test(name)) {
      if (/^(read|open)/.test(name) && value?.origin !== "literal")
        scan.report("high", "windows.read", `${said} reads a file known only when it runs`);
      return readWindows(path, scan);
    }
    if (/^(copy|move|replace)$/.test(name)) {
      readWindows(path, scan);
      if (name === "move" && /^[a-z]:\\[^\\]*\\?$/i.test(path)) deleteWindows(path, scan, "moves away");
      return writeWindows(to, scan);
    }
    writeWindows(path, scan);
    if (state.fetched) noteDownload(path, scan);
    return scan.report("medium", "windows.static", `calls ${said}`);
  }
  if (/^io\.(stream|file)\w*$/.test(type)) readWindows(path, scan);
  if (type === "diagnostics.process" && name === "start") {
    const words = args.flatMap(splitLine);
    scan.report(words.length === 0 ? "high" : "medium", "windows.static", `${said} starts a program`);
    return words.length === 0 ? undefined : judgeNative(words, scan, languages);
  }
  const level = staticLevels.find(([, pattern]) => pattern.test(`${type}.${name}`))?.[0];
  if (level !== undefined) return scan.report(level, "windows.static", `calls ${said}`);
  if (pureTypes.test(type) || name === "new" || state.functions.has(name)) return;
  if (!isHarmlessCall(type)) return scan.report("high", "windows.static", `calls ${said}, which the rules do not know`);
  if (levelOf([`.${name}`]) !== "low") scan.report("medium", "windows.static", `calls ${said}`);
}

interface Method {
  readonly name: string;
  readonly args: readonly string[];
  /** Its members in a row, by the names of variables and by what made them. */
  readonly chains: readonly string[];
  readonly of?: Value | undefined;
}

const levelOf = (chains: readonly string[]): Risk =>
  methodLevels.find(([, pattern]) => chains.some((chain) => pattern.test(chain)))?.[0] ?? "medium";

/** A text that is cast to what stands outside of the script: an object of WMI, a file, a service, a document that can be saved. */
const castsToState = /\[(system\.)?(wmi|adsi|xml|io\.|serviceprocess\.)/;

/** A method of a value that is not a type; the first row of the table that its chain of members fits decides. */
export function checkMethod({ name, args, chains, of }: Method, context: Context) {
  const { scan, languages } = context;
  const [named = ""] = chains;
  if (chains.some((chain) => /invokecommand\.(invokescript|newscriptblock)$|\.addscript$/.test(chain)))
    return scan.report("block", "windows.eval", "runs text as a program");
  const line = args.slice(0, 2).join(" ");
  if (name === "addcommand") languages.powershell(line, "in a command");
  const isRun = /^(run|exec|shellexecute|executeshellcommand)$/.test(name);
  if (isRun || (/^(create|spawninstance)$/.test(name) && chains.some((chain) => chain.includes("process")))) {
    scan.report("high", "windows.com", `runs a program: ${shown(line)}`);
    return runLine(line, scan, languages);
  }
  if (/^delete(file|folder)$/.test(name)) for (const path of args) deleteWindows(path, scan);
  if (of?.origin === "listed" && /^open/.test(name)) for (const path of of.texts) readWindows(path, scan);
  if (of?.origin === "listed" && /^delete/.test(name)) for (const path of of.texts) deleteWindows(path, scan);
  // Texts, lists and tables of this very script are no state.
  if (of && !/listed|open/.test(of.origin) && !castsToState.test(named)) return;
  const level = levelOf(chains);
  if (level === "low") return;
  const does = level === "medium" ? "may change something" : "destroys";
  scan.report(level, "windows.method", `calls a method that ${does}: ${shown(named)}`);
}

/** `$x.Name = …`: of this script's own tables it is nothing, of anything else a change. */
export function checkProperty(target: readonly Token[], context: Context) {
  const [first] = target;
  if (target.length <= 1 && first?.kind === "variable") return;
  if (first?.kind === "variable" && !/listed|open/.test(readTokens([first], context.state).origin)) return;
  const chain = chainOf(target, context, true);
  if (/^(\[[^\]]*\])*(\$\w+,?)+$/.test(chain.replace(/\s/g, ""))) return;
  context.scan.report(harmlessProperties.test(chain) ? "low" : "medium", "windows.property", `sets ${shown(chain)}`);
}
