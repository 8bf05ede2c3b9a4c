/** A conservative lexer for PowerShell: statements → pipelines → commands → words, with the nested scripts of each word. */

export interface PsWord {
  readonly text: string;
  /** Written in quotes, so that it is never a command name by itself. */
  readonly quoted: boolean;
  /** Holds a variable or sub-expression. */
  readonly dynamic: boolean;
  /** The inside of `(…)`, `$(…)`, `{…}`, `@(…)`, `@{…}` in this word. */
  readonly nested: readonly string[];
}

/** One command of a pipeline; `redirects` are the targets of `>` and `>>`. */
export interface PsCommand {
  readonly words: readonly PsWord[];
  readonly redirects: readonly string[];
}
export type PsPipeline = readonly PsCommand[];

const openers: Readonly<Record<string, string>> = { "(": ")", "{": "}", "[": "]" };
const isSingle = (char: string): boolean => char === "'" || char === "\u2018" || char === "\u2019" || char === "\u201b";
const isDouble = (char: string): boolean => char === '"' || char === "\u201c" || char === "\u201d" || char === "\u201e";

/** Where the bracket at `start` closes; the end of the text if never. Quotes and backticks are stepped over. */
function closing(text: string, start: number): number {
  const stack: string[] = [];
  for (let i = start; i < text.length; i++) {
    const char = text[i] ?? "";
    if (char === "`") i++;
    else if (isSingle(char)) {
      do i++;
      while (i < text.length && !isSingle(text[i] ?? ""));
    } else if (isDouble(char)) {
      do i += text[i + 1] === "`" ? 2 : 1;
      while (i < text.length && !isDouble(text[i] ?? ""));
    } else if (openers[char]) stack.push(openers[char] ?? "");
    else if (char === stack.at(-1)) {
      stack.pop();
      if (stack.length === 0) return i;
    }
  }
  return text.length;
}

const escapes: Readonly<Record<string, string>> = {
  n: "\n",
  r: "\r",
  t: "\t",
  "0": "",
  a: "",
  b: "",
  e: "",
  f: "",
  v: "",
};

/** Splits a script. Never throws; an open quote or bracket reaches to the end, and `unclosed` is told. */
export function lexPowerShell(text: string, unclosed: () => void = () => {}): PsPipeline[] {
  const pipelines: PsPipeline[] = [];
  let commands: PsCommand[] = [];
  let words: PsWord[] = [];
  let redirects: string[] = [];
  let isRedirect = false;
  let word: { text: string; quoted: boolean; dynamic: boolean; nested: string[] } | undefined;
  const current = () => {
    word ??= { text: "", quoted: false, dynamic: false, nested: [] };
    return word;
  };
  const endWord = (): void => {
    if (!word) return;
    if (isRedirect) redirects.push(word.text);
    else words.push(word);
    isRedirect = false;
    word = undefined;
  };
  const endCommand = (): void => {
    endWord();
    if (words.length > 0 || redirects.length > 0) commands.push({ words, redirects });
    words = [];
    redirects = [];
  };
  const endPipeline = (): void => {
    endCommand();
    if (commands.length > 0) pipelines.push(commands);
    commands = [];
  };
  for (let i = 0; i < text.length; i++) {
    const char = text[i] ?? "";
    const next = text[i + 1] ?? "";
    if (char === "`") {
      i++;
      if (next !== "\n") current().text += next;
    } else if (char === "<" && next === "#") {
      const end = text.indexOf("#>", i);
      i = end < 0 ? text.length : end + 1;
    } else if (char === "#" && !word) {
      const end = text.indexOf("\n", i);
      i = end < 0 ? text.length : end - 1;
    } else if (char === "@" && (isSingle(next) || isDouble(next))) {
      const end = text.indexOf(`\n${next}@`, i);
      const target = current();
      target.text += text.slice(i + 2, end < 0 ? text.length : end).trim();
      target.quoted = true;
      target.dynamic ||= isDouble(next) && target.text.includes("$");
      i = end < 0 ? text.length : end + 2;
    } else if (isSingle(char)) {
      const target = current();
      target.quoted ||= target.text === "";
      for (i++; i < text.length; i++) {
        const inner = text[i] ?? "";
        if (isSingle(inner) && isSingle(text[i + 1] ?? "")) i++;
        else if (isSingle(inner)) break;
        target.text += inner;
      }
      if (i >= text.length) unclosed();
    } else if (isDouble(char)) {
      const target = current();
      target.quoted ||= target.text === "";
      i = readDouble(text, i + 1, target);
      if (i >= text.length) unclosed();
    } else if (char === "$" && next === "(") {
      const end = closing(text, i + 1);
      current().nested.push(text.slice(i + 2, end));
      current().text += text.slice(i, end + 1);
      current().dynamic = true;
      i = end;
    } else if (char === "(" || char === "{" || (char === "@" && (next === "(" || next === "{"))) {
      const start = char === "@" ? i + 1 : i;
      const end = closing(text, start);
      if (end === text.length) unclosed();
      if (char === "{" && word && !/[%?@$.]$|foreach$|where$/i.test(word.text)) endWord();
      const target = current();
      const inside = text.slice(start + 1, end);
      // The keys of a hash table are no commands.
      target.nested.push(
        char === "@" && next === "{" ? inside.replace(/(^|[;\n])\s*["']?[\w.]+["']?\s*=/g, "$1$key = ") : inside,
      );
      target.text += text.slice(i, end + 1);
      target.dynamic = true;
      i = end;
    } else if (char === "$") {
      current().dynamic = true;
      current().text += char;
    } else if (char === "\n" || char === ";") endPipeline();
    else if (char === "|" && next === "|") {
      endPipeline();
      i++;
    } else if (char === "&" && next === "&") {
      endPipeline();
      i++;
    } else if (char === "|") endCommand();
    else if (char === "&") {
      endWord();
      if (words.length === 0) words.push({ text: "&", quoted: false, dynamic: false, nested: [] });
      else endPipeline();
    } else if (char === ">") {
      if (word && /^([1-6*])$/.test(word.text)) word = undefined;
      endWord();
      while (text[i + 1] === ">" || text[i + 1] === "&") i++;
      if (/[0-9]/.test(text[i + 1] ?? "") && text[i] === "&") i++;
      else isRedirect = true;
    } else if (char === "=" && next !== "=" && /^\$[\w:]+[-+*/]?$/.test(word?.text ?? "")) {
      endWord();
      words.push({ text: "=", quoted: false, dynamic: false, nested: [] });
    } else if (/[\s,]/.test(char)) endWord();
    else current().text += char;
  }
  endPipeline();
  return pipelines;
}

/** Reads to the closing double quote; gives back its place. */
function readDouble(text: string, start: number, target: { text: string; dynamic: boolean; nested: string[] }): number {
  let i = start;
  for (; i < text.length; i++) {
    const char = text[i] ?? "";
    if (char === "`") {
      i++;
      target.text += escapes[text[i] ?? ""] ?? text[i] ?? "";
    } else if (isDouble(char)) {
      if (!isDouble(text[i + 1] ?? "")) return i;
      i++;
      target.text += char;
    } else if (char === "$" && text[i + 1] === "(") {
      const end = closing(text, i + 1);
      target.nested.push(text.slice(i + 2, end));
      target.text += text.slice(i, end + 1);
      target.dynamic = true;
      i = end;
    } else {
      if (char === "$" && /[\w{]/.test(text[i + 1] ?? "")) target.dynamic = true;
      target.text += char;
    }
  }
  return i;
}
