/** The words of the one call that a command makes, each as it may be written again: literals quoted again, patterns as they are. */
import { type Arg, literal } from "./engine/arg.ts";
import { type Command, parseShell, type Redirection, type Word, type WordPart } from "./shell/parse.ts";

/** A word as it is written, and as the program gets it; a pattern is for the shell to expand. */
export interface CallWord extends Arg {
  readonly written: string;
}

export type CallWords =
  /** `before`: what stands before the call and stays, a `cd` or variables. */
  | { readonly ok: true; readonly before: string; readonly words: readonly CallWord[] }
  | { readonly ok: false; readonly why: string };

/** Takes a command apart that is one call of one program, behind a `cd` or not. Returns why it is not one. */
export function callWordsOf(text: string): CallWords {
  const script = parseShell(text);
  const [statement, ...others] = script.commands;
  if (!statement || script.errors?.length) return refuse("it cannot be read as a shell command");
  if (others.length > 0 || statement.background) return refuse(several);
  const { command } = statement;
  if (command.type === "Command") return callOf(command);
  if (command.type !== "AndOr" || command.commands.length !== 2 || command.operators[0] !== "&&")
    return refuse(several);
  const [first, second] = command.commands;
  if (first?.type !== "Command" || second?.type !== "Command" || first.name?.value !== "cd") return refuse(several);
  const moved = callOf(first);
  const called = callOf(second);
  if (!moved.ok || !called.ok) return moved.ok ? called : moved;
  return { ...called, before: `${writtenOf(moved.words)} && ${called.before}` };
}

export const writtenOf = (words: readonly Pick<CallWord, "written">[]): string =>
  words.map(({ written }) => written).join(" ");

/** A literal for the shell: as it is where nothing in it means anything there, else in single quotes. */
export const quoteWord = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

const several = "it is more than one command; propose the change by itself to probe it";
const unknown = "a part of it is known only when it runs";
const refuse = (why: string) => ({ ok: false, why }) as const;

function callOf(command: Command): CallWords {
  const { name, args, prefix, redirects } = command;
  if (!name) return refuse("it calls no program");
  if (!redirects.every(isHarmless)) return refuse("it also reads or writes a file by a redirection");
  const words: CallWord[] = [];
  for (const arg of [name, ...args]) {
    const word = arg.type === "Word" ? wordOf(arg) : undefined;
    if (!word) return refuse(unknown);
    words.push(word);
  }
  const variables: string[] = [];
  for (const part of prefix) {
    if (part.type !== "Assignment") continue;
    const value = part.value?.type === "Word" ? wordOf(part.value) : undefined;
    if (!value || value.glob || !part.name || part.append || part.index) return refuse(unknown);
    variables.push(`${part.name}=${value.written} `);
  }
  return { ok: true, before: variables.join(""), words };
}

/** What it prints goes nowhere else than to who reads it. */
const isHarmless = (redirection: Redirection): boolean =>
  redirection.type === "Redirect" &&
  ((redirection.operator === ">&" && /^[12]$/.test(redirection.target?.value ?? "")) ||
    redirection.target?.value === "/dev/null");

/** Returns undefined where the word depends on what is known only when it runs. */
function wordOf(word: Word): CallWord | undefined {
  const home = /^~[\w-]*(?=\/|$)/.exec(word.text)?.[0];
  if (!word.parts) {
    const rest = home === undefined ? word.value : word.value.slice(home.length);
    const written = home === undefined ? quoteWord(rest) : `${home}${rest === "" ? "" : quoteWord(rest)}`;
    return { ...literal(word.value), written };
  }
  let text = "";
  let written = "";
  let glob = false;
  for (const [index, part] of word.parts.entries()) {
    const value = literalOf(part);
    if (value !== undefined) {
      const start = index === 0 && home !== undefined && part.type === "Literal" ? home : "";
      written += start + (value === start ? "" : quoteWord(value.slice(start.length)));
      text += value;
    } else if (part.type === "Glob" || (part.type === "BraceExpansion" && /^[\w.,{}/-]+$/.test(part.text))) {
      written += part.text;
      text += part.text;
      glob = true;
    } else return undefined;
  }
  return { text, written: written === "" ? "''" : written, dynamic: false, glob };
}

/** The text that a part stands for, in any state of the shell. */
function literalOf(part: WordPart): string | undefined {
  switch (part.type) {
    case "Literal":
    case "SingleQuoted":
    case "AnsiCQuoted":
      return part.value;
    case "DoubleQuoted": {
      const inner = part.parts.map(literalOf);
      return inner.every((text) => text !== undefined) ? inner.join("") : undefined;
    }
    default:
      return undefined;
  }
}
