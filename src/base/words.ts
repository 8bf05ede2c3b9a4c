import { type Refusal, refuse } from "./errors.ts";

type Stages = { readonly ok: true; readonly stages: readonly (readonly string[])[] } | Refusal;

const quote = "put it in single quotes";
const apart = "make each command its own action";
const innerFirst = "run the inner command first, then write what it printed";

/** Refused, because there is no shell. */
const shellSigns: Readonly<Record<string, readonly [reason: string, remedy: string]>> = {
  $: ["there is no shell to expand `$`", "write the value itself, or what the inner command printed"],
  "`": ["there is no shell to run what is between backticks", innerFirst],
  ";": ["there is no shell for a second command after `;`", apart],
  "&": ["there is no shell for `&`", apart],
  "\n": ["there is no shell for a second line", apart],
  "<": ["there is no shell to read from a file", "leave the redirection out"],
  ">": ["there is no shell to redirect output", "leave the redirection out: output and errors are both shown"],
  "(": ["there is no shell for `(`", quote],
  ")": ["there is no shell for `)`", quote],
  "*": ["there is no shell to expand `*`", quote],
  "?": ["there is no shell to expand `?`", quote],
  "{": ["there is no shell to expand `{`", quote],
};

/** A shell leaves `[*]` as it is if no file matches, as in this empty folder, and braces without a comma or two dots. */
const literalSigns = /^(?:\[\*\]|\{(?=(?:[^\s{},;&|<>()$`'"\\.]|\.(?!\.))*\}))/;

const signRefusal = (sign: string): Refusal | undefined => {
  const found = shellSigns[sign];
  return found && refuse(...found);
};

/** Splits pipes and words as a shell does. Refuses what only a shell can do, so that what runs is what was judged. Pure. */
export function splitPipeline(text: string): Stages {
  const stages: string[][] = [[]];
  let word: string | undefined;
  const endWord = (): void => {
    if (word !== undefined) stages.at(-1)?.push(word);
    word = undefined;
  };
  // Errors are shown anyway; before a pipe, `2>&1` would change the command.
  const line = text.trim().replace(/(?<!\\)[ \t]+2>&1$/, "");
  for (let at = 0; at < line.length; at++) {
    const sign = line.charAt(at);
    if (sign === "'") {
      const end = line.indexOf("'", at + 1);
      if (end < 0) return unclosed("'");
      word = (word ?? "") + line.slice(at + 1, end);
      at = end;
    } else if (sign === '"') {
      const quoted = readDoubleQuoted(line, at + 1);
      if (!quoted.ok) return quoted;
      word = (word ?? "") + quoted.text;
      at = quoted.end;
    } else if (sign === "\\") {
      at++;
      // A backslash joins the next line.
      if (line.charAt(at) === "\n") continue;
      if (at === line.length) return refuse("the line ends in a backslash", "leave it out");
      word = (word ?? "") + line.charAt(at);
    } else if (sign === "|") {
      if (/[|&]/.test(line.charAt(at + 1))) return refuse(`there is no shell for \`|${line.charAt(at + 1)}\``, apart);
      endWord();
      stages.push([]);
    } else if (/[ \t]/.test(sign)) endWord();
    else if (word === undefined && sign === "#") return refuse("a comment is no part of a command", "leave it out");
    else if (word === undefined && sign === "~") return refuse("there is no shell to expand `~`", quote);
    else {
      const blank = /^<[A-Za-z][\w .-]*>/.exec(line.slice(at))?.[0];
      if (blank) return refuse(`\`${blank}\` is not filled in`, "write the value itself");
      const literal = literalSigns.exec(line.slice(at))?.[0];
      if (literal !== undefined) {
        word = (word ?? "") + literal;
        at += literal.length - 1;
        continue;
      }
      const refused = signRefusal(sign);
      if (refused) return refused;
      word = (word ?? "") + sign;
    }
  }
  endWord();
  if (stages.some((words) => words.length === 0))
    return refuse("a command is missing", "write one on each side of `|`");
  return { ok: true, stages };
}

const unclosed = (mark: string): Refusal => refuse(`a ${mark} is not closed`, "close it");

function readDoubleQuoted(
  line: string,
  from: number,
): { readonly ok: true; readonly text: string; readonly end: number } | Refusal {
  let text = "";
  for (let at = from; at < line.length; at++) {
    const sign = line.charAt(at);
    if (sign === '"') return { ok: true, text, end: at };
    if (sign === "$" || sign === "`") return signRefusal(sign) ?? unclosed('"');
    if (sign === "\\" && /["\\$`\n]/.test(line.charAt(at + 1))) at++;
    if (sign !== "\\" || line.charAt(at) !== "\n") text += line.charAt(at);
  }
  return unclosed('"');
}

/** `1 server`, `2 servers`, `0 servers`. */
export const counted = (count: number, word: string, plural = `${word}s`): string =>
  `${count.toLocaleString("en")} ${count === 1 ? word : plural}`;
