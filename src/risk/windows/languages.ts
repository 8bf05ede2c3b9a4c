/** PowerShell and cmd call each other: this ties the two together, with the nesting bounded. */

import { shown } from "../engine/arg.ts";
import { checkRounds } from "../engine/bounds.ts";
import { maxDepth, type Scan } from "../engine/scan.ts";
import { isReading } from "../engine/variables.ts";
import { namesSecret } from "../knowledge/variables.ts";
import { automaticVariables, loadingVariables } from "../knowledge/windows/rules.ts";
import type { Languages } from "./native.ts";
import { baseName, judgeNative } from "./native.ts";
import { enterFolder, noteDownload, noteScript, readWindows, writeWindows } from "./paths.ts";
import { walkPowerShell } from "./powershell.ts";
import { reachNative } from "./reach.ts";
import type { State } from "./words.ts";

/** The Windows languages over one scan; what is nested too deeply is high. */
export function createWindows(scan: Scan): Languages {
  const state: State = { variables: new Map(), aliases: new Map(), functions: new Set(), fetched: false, nesting: 0 };
  const nested = (text: string, seen: string, walk: () => void): void => {
    if (scan.depth >= maxDepth) {
      scan.refuse("evaluate.depth", "nests commands too deeply to be classified");
      return;
    }
    const [outer, whole] = [scan.seen, scan.text];
    scan.depth++;
    // What it holds may be used by what stands around it, and the other way about.
    if (!whole.includes(text)) scan.text = `${whole}\n${text}`;
    scan.seen = seen || outer;
    walk();
    scan.seen = outer;
    scan.text = whole;
    scan.depth--;
  };
  const languages: Languages = {
    powershell: (text, seen) => nested(text, seen, () => walkPowerShell(text, { scan, languages, state })),
    cmd: (text, seen) => nested(text, seen, () => walkCmd(text, scan, languages)),
  };
  return languages;
}

// cmd.exe: carets, quotes, `%VAR%`, `for … do`, `if …`, then each command as a program call.

interface CmdCommand {
  readonly words: string[];
  readonly writes: string[];
  readonly reads: string[];
  /** True where it reads from the command before it. */
  readonly isPiped: boolean;
}

const pieces =
  /"(?<quoted>[^"\n]*)"?|\^(?<escaped>\r?\n|[\s\S]|$)|(?<end>&|\n|[()]|\|\|?)|(?<into>\d?(?:>{1,2}|<)(?:&\d)?)|(?<space>[\s,;=])|(?<bare>(?:[%!][\w()]+:[^%!\n]*[%!]|[^"^&|()<>\s,;=])+?(?=\d[<>]|["^&|()<>\s,;=]|$))/g;

/** Splits a line at `&`, `|`, line ends and parentheses outside of quotes; a caret escapes the next character. */
function lexCmd(text: string): CmdCommand[] {
  const commands: CmdCommand[] = [];
  let command: CmdCommand = { words: [], writes: [], reads: [], isPiped: false };
  let list = command.words;
  let isOpen = false;
  for (const { groups = {} } of text.matchAll(pieces)) {
    const { end, into, space } = groups;
    const part = groups.quoted ?? groups.escaped?.replace(/\r?\n/, "") ?? groups.bare;
    const isSign = space === "=" && command.words[0]?.toLowerCase() === "set";
    if (part !== undefined || isSign) {
      if (isOpen) list[list.length - 1] += part ?? "=";
      else list.push(part ?? "=");
      isOpen = true;
      continue;
    }
    if (isOpen) list = command.words;
    isOpen = false;
    if (into !== undefined && !into.includes("&")) list = into.endsWith("<") ? command.reads : command.writes;
    else if (end !== undefined) {
      commands.push(command);
      command = { words: [], writes: [], reads: [], isPiped: end === "|" };
      list = command.words;
    }
  }
  return [...commands, command].filter(({ words, writes }) => words.length + writes.length > 0);
}

const maxText = 20_000;

/** Fills in what is known; a part of a variable is not worked out. */
function fillVariables(text: string, variables: ReadonlyMap<string, string>): string {
  const filled = text.replace(/([%!])([\w()#$@.^-]+)\1/g, (whole, _sign, name: string) => {
    const lower = name.replaceAll("^", "").toLowerCase();
    return variables.get(lower) ?? automaticVariables[`env:${lower}`] ?? whole;
  });
  return filled.length > maxText ? text : filled;
}

const loop =
  /\bfor\s+(?:\/(\w)\s+)?(?:"[^"]*"\s+|[^\s%(]+\s+)?%%?(\w)\s+in\s*\(((?:[^()"']|"[^"]*"|'[^']*')*)\)\s*do\s+/i;
const maxValues = 20;
const maxNesting = 4;

interface Tools {
  readonly scan: Scan;
  readonly languages: Languages;
}

/** Walks a line; a loop's body once for each literal, and as what may be for each word of what is read. */
function walkLoops(text: string, isFetched: boolean, tools: Tools, nesting = 0): boolean {
  const head = loop.exec(text);
  if (!head || nesting > maxNesting) return walkLine(text, isFetched, tools);
  const [whole, kind = "", name = "", set = ""] = head;
  const body = text.slice(head.index + whole.length);
  const isRead = /f/i.test(kind);
  const command = isRead ? /^\s*['`]([\s\S]*)['`]\s*$/.exec(set)?.[1]?.replace(/\^([|&<>^])/g, "$1") : undefined;
  if (command !== undefined) tools.languages.cmd(command, "in for");
  const [from = 0, step = 0, to = 0] = /l/i.test(kind) ? set.split(",").map(Number) : [0, 1];
  if (/r/i.test(kind) && /\/r\s+"?[a-z]:\\?"?\s/i.test(whole))
    tools.scan.unbound("it goes through a whole drive", "for /r FOLDER …");
  checkRounds(step === 0 ? Number.POSITIVE_INFINITY : Math.abs((to - from) / step), tools.scan);
  const letters = isRead
    ? [0, 1, 2]
        .map((i) => String.fromCharCode(name.charCodeAt(0) + i))
        .join("")
        .replace(/\W/g, "")
    : name;
  const filled = (value: string): string =>
    body.replace(new RegExp(`%%?(~[a-z$:]*)?[${letters}](?![a-z0-9_]*%)`, "g"), () => value);
  const values = [...set.matchAll(isRead ? /[^\s,;'"`=]+/g : /"[^"]*"|[^\s,;]+/g)]
    .slice(0, maxValues)
    .map(([one]) => one);
  let fetched = head.index > 0 ? walkLine(text.slice(0, head.index), isFetched, tools) : isFetched;
  for (const value of isRead ? ["%unknown%"] : values) fetched = walkLoops(filled(value), fetched, tools, nesting + 1);
  if (isRead)
    for (const value of [...values, /"(.*)"/s.exec(set)?.[1] ?? ""])
      tools.scan.attempt(() => walkLoops(filled(value), fetched, tools, nesting + 1));
  return fetched;
}

/** Judges a cmd line; adds findings. */
function walkCmd(text: string, scan: Scan, languages: Languages) {
  // What `set x=…` in this text gives its variables; the last one counts.
  const variables = new Map<string, string>();
  for (const match of text.matchAll(/\bset\s+(?:\/p\s+)?(?:"([^"=\s]+)=([^"\n]*)"|([^"=\s/]+)=([^"&|\n]*))/gi)) {
    const value = fillVariables((match[2] ?? match[4] ?? "").replace(/\^(.)/g, "$1"), variables);
    variables.set((match[1] ?? match[3] ?? "").toLowerCase(), match[1] === undefined ? value.trimEnd() : value);
  }
  // `call echo %%x%% %^x%` fills in a second time.
  const filled = fillVariables(fillVariables(text, variables).replaceAll("%%", "%"), variables);
  if (/^\s*@?(\w+)\s*\|\s*\1\s*&\s*\1|%0\s*\|\s*%0/.test(filled))
    scan.report("block", "windows.fork-bomb", "starts itself again and again: a fork bomb");
  if (Math.abs(text.split("(").length - text.split(")").length) > 3)
    scan.refuse("windows.unreadable", "cannot be read as a command: its parentheses do not match");
  walkLoops(filled, false, { scan, languages });
}

/** Judges the commands of a line without loops; gives back whether anything was fetched. */
function walkLine(line: string, fetchedBefore: boolean, { scan, languages }: Tools): boolean {
  let isFetched = fetchedBefore;
  let printed = "";
  const echoed: string[] = [];
  for (const command of lexCmd(line)) {
    if (!scan.spend()) return isFetched;
    for (const file of command.writes) writeWindows(file, scan);
    for (const file of command.reads) readWindows(file, scan);
    const words = inner(command.words);
    // `(echo … & echo …) > file`: all that was printed before.
    if (words.length === 0) {
      for (const file of command.writes) noteScript(file, echoed.join("\n"), scan);
      continue;
    }
    const name = (words[0] ?? "").toLowerCase();
    const shell = baseName(name);
    const isShell =
      command.isPiped &&
      /^(cmd|powershell|pwsh)$/.test(shell) &&
      !words.some((word) => /^[-/](c|command|k|file|enc\w*|ec?)$/i.test(word));
    if (isShell) {
      scan.report(isFetched ? "block" : "high", "windows.stdin", `${name} runs what comes through a pipe`);
      languages[shell === "cmd" ? "cmd" : "powershell"](printed, "in a pipe");
    }
    if (command.isPiped && /^(iex|invoke-expression)$/.test(shell))
      scan.report("block", "windows.stdin", `${name} runs what comes through a pipe`);
    isFetched = /^(curl|bitsadmin|certutil|wget)$/.test(shell) || (isFetched && command.isPiped);
    if (isFetched) for (const file of command.writes) noteDownload(file, scan);
    const rest = words.slice(1).join(" ");
    const [, first] = /^echo(?:[.:(,;]?(.*))$/i.exec(words[0] ?? "") ?? [];
    printed = first === undefined ? "" : `${first} ${rest}`.trim();
    if (printed !== "") {
      echoed.push(printed);
      for (const file of command.writes) noteScript(file, printed, scan);
    }
    judgeWords(words, command.isPiped, scan, languages);
  }
  return isFetched;
}

/** Takes `if exist x`, `for … do`, `@`, `else` away from a command. */
function inner(words: readonly string[]): readonly string[] {
  const [first = "", ...rest] = words.filter((word, i) => word !== "" || i > 0);
  if (/^@/.test(first)) return inner([first.replace(/^@+/, ""), ...rest]);
  if (/^(else|do)$/i.test(first)) return inner(rest);
  if (/^for$/i.test(first)) {
    const at = rest.findIndex((word) => /^do$/i.test(word));
    return at < 0 ? [] : inner(rest.slice(at + 1));
  }
  if (!/^if$/i.test(first)) return first === "" ? [] : [first, ...rest];
  const at = rest.findIndex((word) => !/^(not|\/i)$/i.test(word));
  const isTest = /^(exist|defined|errorlevel)$/i.test(rest[at] ?? "");
  const isCompared = /^(==|equ|neq|lss|leq|gtr|geq)$/i.test(rest[at + 1] ?? "");
  return inner(rest.slice(at + (!isTest && isCompared ? 3 : 2)));
}

/** A part of a variable, or one with letters replaced; of the date and the time it is every day's. */
const cut = /[%!](?!date:|time:)[\w()]+:[^%!]+[%!]/i;

function judgeWords(words: readonly string[], isPiped: boolean, scan: Scan, languages: Languages) {
  const [name = "", ...args] = words;
  const lower = name.toLowerCase();
  const line = shown(args.join(" "));
  if (/[%!]/.test(name)) {
    scan.markUnknown();
    scan.report("high", "windows.dynamic", `the program ${shown(name)} is known only when it runs`);
  }
  const isHidden = words.slice(0, /^(call|start)$/.test(lower) ? 2 : 1).some((word) => cut.test(word));
  if (words.some((word) => cut.test(word))) {
    const risk = isHidden || /^(del|erase|rd|rmdir)$/.test(lower) ? "block" : "high";
    scan.report(risk, "windows.hidden", `hides a part of what it runs: ${line}`);
  }
  for (const [, variable = ""] of words.join(" ").matchAll(/[%!](\w+)(?::[^%!]*)?[%!]/g))
    if (namesSecret(variable))
      scan.report("high", "windows.reveals", `shows ${variable}, whose name says that it is a secret`);
  if (/[%!]/.test(baseName(name))) return;
  // A caret before a space joins words that cmd.exe, or who reads it, may take apart again.
  if (/^\w+\s/.test(name)) return languages.cmd(words.join(" "), "with its spaces as they stand");
  const isFolder = /^(cd|chdir|pushd)$/.test(lower);
  if (isFolder) {
    reachNative(lower, args, false, scan);
    enterFolder(
      args.find((arg) => !/^\/d$/i.test(arg)),
      scan,
    );
  } else if (/^[a-z]:$/.test(lower)) enterFolder(`${lower}\\`, scan);
  if (lower === "set") {
    // What is set here every program is given that follows.
    const [, variable = "", value = ""] = /^"?([^="]*)=(.*?)"?$/.exec(args.join(" ")) ?? [];
    if (!/=/.test(line)) scan.reveal("prints an environment");
    const isLow = variable === "" || (!loadingVariables.test(variable.trim()) && isReading(variable.trim(), value));
    return scan.report(isLow ? "low" : "medium", "windows.variable", `set ${line}`);
  }
  if (/^(date|time)$/.test(lower) && args.length > 0 && !/^\/t$/i.test(args[0] ?? ""))
    return scan.report("high", "windows.builtin", `${lower}: sets the clock`);
  if (isFolder || /^(rem|echo|date|time|[a-z]:)$|^(:|echo\.)/.test(lower))
    return scan.report("low", "windows.builtin", `${lower}: changes nothing`);
  const attached = /^(del|erase|rd|rmdir|dir|cd|type|copy|move|echo)([\\/.].*)$/i.exec(name);
  judgeNative(attached ? [attached[1] ?? "", attached[2] ?? "", ...args] : words, scan, languages, isPiped);
}
