/** Whether a command may become an action at all (SR-32, SR-34): what a person cannot see is never on a card. */
import { codePoint, codePoints, controls, invisible } from "./text.ts";

/** An action's command: at most this many bytes of UTF-8 (SR-34). */
export const maxCommandBytes = 2000;

export type Admission = { readonly ok: true } | { readonly ok: false; readonly reason: string };

/** Tags, variation selectors, private use, unassigned, lone surrogates: nothing a command needs. */
const odd = /\p{Co}|\p{Cn}|\p{Cs}|\p{Cf}|\p{Zl}|\p{Zp}|(?! )\p{Zs}/gu;

const refuse = (reason: string): Admission => ({ ok: false, reason });

/** Decides whether a command may be put on a card; a refusal names the code points. A lone newline is a person's right only. */
export function admit(command: string, from: "model" | "person"): Admission {
  const text = command.replaceAll("\r\n", "\n");
  if (text.trim() === "") return refuse("the command is empty");
  const bytes = Buffer.byteLength(command, "utf8");
  if (bytes > maxCommandBytes)
    return refuse(`the command has ${bytes} bytes; at most ${maxCommandBytes} can be shown whole`);
  const hidden = [
    ...new Set([...codePoints(text, controls), ...codePoints(text, invisible), ...codePoints(text, odd)]),
  ];
  if (hidden.length > 0)
    return refuse(`the command holds characters that cannot be seen or controls: ${hidden.join(", ")}`);
  if (from === "model" && text.includes("\n")) {
    return refuse("the command has more than one line (U+000A); the model may propose one line only");
  }
  return admitNames(text);
}

/** A word that could be a program's name must not mix scripts, nor be written in look-alike letters. */
function admitNames(text: string): Admission {
  for (const word of nameWords(text)) {
    const foreign = [...word].filter((char) => char > "\u007f" && /\p{L}/u.test(char));
    if (foreign.length === 0) continue;
    const isMixed = /[A-Za-z]/.test(word) || new Set(foreign.map(scriptOf)).size > 1 || word.normalize("NFKC") !== word;
    if (isMixed)
      return refuse(
        `the name ${JSON.stringify(word)} mixes scripts: ${[...new Set(foreign.map(codePoint))].join(", ")}`,
      );
  }
  return { ok: true };
}

const scripts = [
  "Latin",
  "Cyrillic",
  "Greek",
  "Armenian",
  "Hebrew",
  "Arabic",
  "Han",
  "Hiragana",
  "Katakana",
  "Hangul",
  "Cherokee",
];
const scriptOf = (char: string): string =>
  scripts.find((script) => new RegExp(`\\p{Script=${script}}`, "u").test(char)) ?? "other";

/** The words in command position: at the start and after an operator, outside of quotes. */
function nameWords(text: string): string[] {
  const found: string[] = [];
  let quote = "";
  let isStart = true;
  let word = "";
  const end = (): void => {
    if (word === "") return;
    if (isStart) found.push(word);
    if (!/^(sudo|env|nohup|time|exec|command|nice|then|do|else|if|while|until|!|\{)$/.test(word) && !/^\w+=/.test(word))
      isStart = false;
    word = "";
  };
  for (const char of text) {
    if (quote) {
      if (char === quote) quote = "";
      else if (isStart) word += char;
    } else if (char === "'" || char === '"') quote = char;
    else if (/[;&|\n()`]/.test(char)) {
      end();
      isStart = true;
    } else if (/\s/.test(char)) end();
    else word += char;
  }
  end();
  return found;
}
