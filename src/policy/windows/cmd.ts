/** cmd.exe: carets, quotes, `%VAR%`, `for … do`, `if …`, then each command as a program call. */
import { shown } from "../arg.ts";
import type { Scan } from "../scan.ts";
import { baseName, judgeNative, type Languages } from "./native.ts";
import { readWindows, writeWindows } from "./paths.ts";

interface CmdCommand {
  readonly words: readonly string[];
  readonly writes: readonly string[];
  readonly reads: readonly string[];
  /** True where it reads from the command before it. */
  readonly isPiped: boolean;
}

/** Splits a line at `&`, `|`, newlines and parentheses outside of quotes; a caret escapes the next character. */
function lexCmd(text: string): CmdCommand[] {
  const commands: CmdCommand[] = [];
  let words: string[] = [];
  let writes: string[] = [];
  let reads: string[] = [];
  let word: string | undefined;
  let target: "word" | "write" | "read" = "word";
  let isQuoted = false;
  let isPiped = false;
  const endWord = (): void => {
    if (word === undefined) return;
    if (target === "write") writes.push(word);
    else if (target === "read") reads.push(word);
    else words.push(word);
    word = undefined;
    target = "word";
  };
  const endCommand = (pipes: boolean): void => {
    endWord();
    if (words.length + writes.length > 0) commands.push({ words, writes, reads, isPiped });
    words = [];
    writes = [];
    reads = [];
    isPiped = pipes;
  };
  for (let i = 0; i < text.length; i++) {
    const char = text[i] ?? "";
    if (char === '"') {
      isQuoted = !isQuoted;
      word ??= "";
    } else if (isQuoted && char !== "\n") word = (word ?? "") + char;
    else if (char === "^") {
      i++;
      if (text[i] !== "\n") word = (word ?? "") + (text[i] ?? "");
    } else if (char === "&" || char === "\n" || char === "(" || char === ")") endCommand(false);
    else if (char === "|") {
      endCommand(text[i + 1] !== "|");
      if (text[i + 1] === "|") i++;
    } else if (char === ">" || char === "<") {
      if (word !== undefined && /^\d$/.test(word)) word = undefined;
      endWord();
      while (text[i + 1] === ">") i++;
      if (text[i + 1] === "&") i += 2;
      else target = char === ">" ? "write" : "read";
    } else if (/[\s,;=]/.test(char) && !(char === "=" && words[0]?.toLowerCase() === "set")) endWord();
    else word = (word ?? "") + char;
  }
  endCommand(false);
  return commands;
}

/** `%X%`, `%X:~0,1%` and `!X!` with what this line set. */
function fillVariables(text: string, variables: ReadonlyMap<string, string>): string {
  return text.replace(
    /[%!](\w+)(?::~(-?\d+)(?:,(-?\d+))?)?[%!]/g,
    (whole, name: string, from?: string, length?: string) => {
      const value = variables.get(name.toLowerCase());
      if (value === undefined) return whole;
      if (from === undefined) return value;
      const start = Number(from) < 0 ? Math.max(0, value.length + Number(from)) : Number(from);
      return length === undefined
        ? value.slice(start)
        : value.slice(start, Number(length) < 0 ? Number(length) : start + Number(length));
    },
  );
}

/** Judges a cmd line; adds findings. */
export function walkCmd(text: string, scan: Scan, languages: Languages) {
  const variables = new Map<string, string>();
  for (const match of text.matchAll(/\bset\s+"?(\w+)=([^"&|\n]*)"?/gi))
    variables.set((match[1] ?? "").toLowerCase(), (match[2] ?? "").trim());
  const filled = fillVariables(fillVariables(text, variables), variables);
  if (/^\s*@?(\w+)\s*\|\s*\1\s*&\s*\1|%0\s*\|\s*%0/.test(filled))
    scan.report("block", "windows.fork-bomb", "starts itself again and again: a fork bomb");
  if (Math.abs(text.split("(").length - text.split(")").length) > 3)
    scan.report("high", "windows.unreadable", "cannot be read as a command: its parentheses do not match");
  let isFetched = false;
  for (const line of unrollLoops(filled, languages)) isFetched = walkLine(line, isFetched, { scan, languages });
}

/** `for %i in (a b) do …` becomes its body once for each value; `for /f %i in ('cmd')` has its command judged. */
function unrollLoops(text: string, languages: Languages): string[] {
  const head = /\bfor\s+(?:\/\w\s+(?:"[^"]*"\s+)?)?%%?(\w)\s+in\s*\(([^)]*)\)\s*do\s+/i.exec(text);
  if (!head) return [text];
  const [whole, name = "", set = ""] = head;
  const command = /^\s*['`](.*)['`]\s*$/s.exec(set)?.[1];
  if (command) languages.cmd(command, "in for");
  const values = command
    ? ["%unknown%"]
    : set
        .split(/[\s,;]+/)
        .filter(Boolean)
        .slice(0, 20);
  const before = text.slice(0, head.index);
  const body = text.slice(head.index + whole.length);
  const bodies = values.map((value) => body.replace(new RegExp(`%%?${name}`, "gi"), () => value));
  return before.trim() === "" ? bodies : [before, ...bodies];
}

interface Tools {
  readonly scan: Scan;
  readonly languages: Languages;
}

/** Judges the commands of a line without loops; gives back whether anything was fetched. */
function walkLine(filled: string, fetchedBefore: boolean, { scan, languages }: Tools): boolean {
  let isFetched = fetchedBefore;
  for (const command of lexCmd(filled)) {
    if (!scan.spend()) return isFetched;
    for (const file of command.writes) writeWindows(file, scan);
    for (const file of command.reads) readWindows(file, scan);
    const words = inner(command.words, languages);
    if (words.length === 0) continue;
    const name = (words[0] ?? "").toLowerCase();
    if (command.isPiped && isFetched && /^(cmd|powershell|pwsh)(\.exe)?$/.test(name))
      scan.report("block", "windows.download", "runs what was downloaded");
    if (/^(curl|bitsadmin|certutil|wget)(\.exe)?$/.test(name))
      for (const word of words.slice(1))
        if (/\.\w{2,4}$/.test(word) && !/:\/\//.test(word))
          scan.files.set(`cmd:${baseName(word)}`, { present: true, taint: "network" });
    if (scan.files.has(`cmd:${baseName(words[0] ?? "")}`))
      scan.report("block", "windows.download", `runs ${words[0] ?? ""}, which was downloaded just before`);
    isFetched = /^(curl|bitsadmin|certutil|wget)(\.exe)?$/.test(name) || (isFetched && command.isPiped);
    if (command.isPiped && words.length === 1 && /^(cmd|powershell|pwsh|diskpart)(\.exe)?$/.test(name))
      scan.report("high", "windows.stdin", `${name} runs what comes through a pipe`);
    judgeWords(words, scan, languages);
  }
  return isFetched;
}

/** Takes `if exist x`, `for %i in (…) do`, `@`, `else` away from a command. */
function inner(words: readonly string[], languages: Languages): readonly string[] {
  let rest = words
    .map((word, i) => (i === 0 ? word.replace(/^@+/, "") : word))
    .filter((word, i) => word !== "" || i > 0);
  for (let n = 0; n < 8; n++) {
    const [first = "", second = ""] = rest.map((word) => word.toLowerCase());
    if (first === "else" || first === "do") rest = rest.slice(1);
    else if (first === "if") {
      const isNot = second === "not" || second === "/i";
      const at = isNot ? 2 : 1;
      const kind = rest[at]?.toLowerCase() ?? "";
      rest = rest.slice(
        at +
          (/^(exist|defined|errorlevel)$/.test(kind)
            ? 2
            : /^(==|equ|neq|lss|leq|gtr|geq)$/i.test(rest[at + 1] ?? "")
              ? 3
              : 2),
      );
    } else if (first === "for") {
      const at = rest.findIndex((word) => word.toLowerCase() === "do");
      const command = /^['`](.*)['`]$/.exec(rest.join(" "))?.[1];
      if (command) languages.cmd(command, "in for");
      rest = at < 0 ? [] : rest.slice(at + 1);
    } else if (/^'/.test(first))
      rest = [first.replace(/^'|'$/g, ""), ...rest.slice(1).map((word) => word.replace(/'$/, ""))];
    else break;
  }
  return rest;
}

function judgeWords(words: readonly string[], scan: Scan, languages: Languages) {
  const [name = "", ...args] = words;
  const lower = name.toLowerCase();
  if (/[%!]/.test(name)) {
    scan.markUnknown();
    return scan.report("high", "windows.dynamic", `the program ${shown(name)} is known only when it runs`);
  }
  if (
    /^(set|rem|echo|echo\.|title|color|cd|chdir|cls|ver|exit|pause|goto|setlocal|endlocal|path|prompt|date|time|vol)$/.test(
      lower,
    ) ||
    lower.startsWith("::") ||
    lower.startsWith("echo.")
  ) {
    const isRisky = /^(date|time)$/.test(lower) && args.length > 0 && !/^\/t$/i.test(args[0] ?? "");
    return scan.report(
      isRisky ? "high" : "low",
      "windows.builtin",
      `${lower}: ${isRisky ? "sets the clock" : "changes nothing"}`,
    );
  }
  if (lower === "type" || lower === "dir" || lower === "more") {
    if (lower !== "dir") for (const arg of args) readWindows(arg, scan);
    return scan.report("low", "windows.read", `${lower}: only reads`);
  }
  const attached = /^(del|erase|rd|rmdir|dir|cd|type|copy|move|echo)([\\/.].*)$/i.exec(name);
  judgeNative(attached ? [attached[1] ?? "", attached[2] ?? "", ...args] : words, scan, languages);
}
