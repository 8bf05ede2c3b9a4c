/** cmd.exe: carets, quotes, `%VAR%`, `for … do`, `if …`, then each command as a program call. */
import { shown } from "../engine/arg.ts";
import type { Scan } from "../engine/scan.ts";
import { loadingVariables } from "../knowledge/windows.ts";
import { unrollLoops } from "./cmd-loops.ts";
import { fillVariables, readAssignments } from "./cmd-variables.ts";
import { noteDownload } from "./downloads.ts";
import { baseName, judgeNative, type Languages } from "./native.ts";
import { enterFolder, readWindows, writeWindows } from "./paths.ts";

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

/** Judges a cmd line; adds findings. */
export function walkCmd(text: string, scan: Scan, languages: Languages) {
  const variables = readAssignments(text);
  // `call echo %%x%%` is filled in a second time.
  const once = fillVariables(text, variables).replace(/%%(?=\w+(?::[^%]*)?%%)|(?<=%%\w[^%]*)%%/g, "%");
  const filled = fillVariables(once, variables);
  if (/^\s*@?(\w+)\s*\|\s*\1\s*&\s*\1|%0\s*\|\s*%0/.test(filled))
    scan.report("block", "windows.fork-bomb", "starts itself again and again: a fork bomb");
  if (Math.abs(text.split("(").length - text.split(")").length) > 3)
    scan.report("high", "windows.unreadable", "cannot be read as a command: its parentheses do not match");
  let isFetched = false;
  for (const line of unrollLoops(filled, languages, scan))
    isFetched = walkLine(line, isFetched, { scan, languages, variables });
}

interface Tools {
  readonly variables: ReadonlyMap<string, string>;
  readonly scan: Scan;
  readonly languages: Languages;
}

/** Judges the commands of a line without loops; gives back whether anything was fetched. */
function walkLine(filled: string, fetchedBefore: boolean, { scan, languages, variables }: Tools): boolean {
  let isFetched = fetchedBefore;
  let printed = "";
  for (const command of lexCmd(filled)) {
    if (!scan.spend()) return isFetched;
    for (const file of command.writes) writeWindows(file, scan);
    for (const file of command.reads) readWindows(file, scan);
    const words = inner(command.words, languages);
    if (words.length === 0) continue;
    const name = (words[0] ?? "").toLowerCase();
    const shell = baseName(name);
    const isShell =
      command.isPiped &&
      /^(cmd|powershell|pwsh)$/.test(shell) &&
      !words.some((word) => /^[-/](c|command|k|file|enc\w*|ec?)$/i.test(word));
    if (isShell && isFetched) scan.report("block", "windows.download", "runs what was downloaded");
    else if (isShell) {
      scan.report("high", "windows.stdin", `${name} runs what comes through a pipe`);
      if (shell === "cmd") languages.cmd(printed, "in a pipe");
      else languages.powershell(printed, "in a pipe");
    }
    isFetched = /^(curl|bitsadmin|certutil|wget)$/.test(shell) || (isFetched && command.isPiped);
    if (isFetched) for (const file of command.writes) noteDownload(file, scan);
    printed = /^echo\.?$/.test(name) ? words.slice(1).join(" ") : "";
    // `call` fills in variables once more, after the carets are gone.
    const again = name === "call" ? fillVariables(words.slice(1).join(" "), variables) : "";
    if (again !== words.slice(1).join(" ") && again !== "") languages.cmd(again, "in call");
    else judgeWords(command, words, { scan, languages });
  }
  return isFetched;
}

/** Takes `if exist x`, `for %i in (…) do`, `@`, `else` away from a command. */
function inner(words: readonly string[], languages: Languages): readonly string[] {
  let rest = words.filter((word, i) => word !== "" || i > 0);
  for (let n = 0; n < 8; n++) {
    if (/^@+/.test(rest[0] ?? ""))
      rest = [(rest[0] ?? "").replace(/^@+/, ""), ...rest.slice(1)].filter((word, i) => word !== "" || i > 0);
    const [first = "", second = ""] = rest.map((word) => word.toLowerCase());
    if (first === "else" || first === "do") rest = rest.slice(1);
    else if (first === "if") {
      const at = /^(not|\/i)$/.test(second) ? (/^(not|\/i)$/i.test(rest[2] ?? "") ? 3 : 2) : 1;
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

function judgeWords(
  { isPiped }: CmdCommand,
  words: readonly string[],
  { scan, languages }: Pick<Tools, "scan" | "languages">,
) {
  const [name = "", ...args] = words;
  const lower = name.toLowerCase();
  if (/[%!]/.test(name)) {
    scan.markUnknown();
    return scan.report("high", "windows.dynamic", `the program ${shown(name)} is known only when it runs`);
  }
  if (/^(cd|chdir|pushd)$/.test(lower))
    enterFolder(
      args.find((arg) => !/^\/d$/i.test(arg)),
      scan,
    );
  else if (/^[a-z]:$/.test(lower)) {
    enterFolder(`${lower}\\`, scan);
    return scan.report("low", "windows.builtin", `goes to the drive ${lower}`);
  }
  if (lower === "set") {
    const isLoading = loadingVariables.test(/^"?([^="]*)=/.exec(args.join(" "))?.[1]?.trim() ?? "");
    return scan.report(isLoading ? "medium" : "low", "windows.variable", `set ${shown(args.join(" "))}`);
  }
  if (
    /^(rem|echo|echo\.|cd|chdir|pushd|date|time)$/.test(lower) ||
    lower.startsWith(":") ||
    lower.startsWith("echo.")
  ) {
    const isRisky = /^(date|time)$/.test(lower) && args.length > 0 && !/^\/t$/i.test(args[0] ?? "");
    return scan.report(
      isRisky ? "high" : "low",
      "windows.builtin",
      `${lower}: ${isRisky ? "sets the clock" : "changes nothing"}`,
    );
  }
  const attached = /^(del|erase|rd|rmdir|dir|cd|type|copy|move|echo)([\\/.].*)$/i.exec(name);
  judgeNative(attached ? [attached[1] ?? "", attached[2] ?? "", ...args] : words, scan, languages, isPiped);
}
