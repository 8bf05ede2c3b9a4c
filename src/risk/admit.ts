/** Whether a command may become an action at all (SR-32, SR-34): what a person cannot see is never on a card. */

import { codePoint, unseen } from "../base/invisible.ts";
import { placeholdersIn } from "./placeholders.ts";

/** An action's command: at most this many bytes of UTF-8. */
export const maxCommandBytes = 2000;

export type Admission =
  | {
      readonly ok: true;
      /** What is judged, digested, shown and sent, byte for byte. */
      readonly command: string;
      /** What was made of the given one for that, in words; empty where it is the given one. */
      readonly tidied: readonly string[];
    }
  | Refusal;
type Refusal = { readonly ok: false; readonly reason: string };

const refuse = (reason: string): Refusal => ({ ok: false, reason });

/**
 * Decides whether a command may be put on a card, and as which bytes; a refusal names the code points. A lone newline is a
 * person's right only. What is admitted is admitted again as it is. A form is shown with its open places, and never sent.
 */
export function admit(given: string, from: "model" | "person", isForm = false): Admission {
  if (given.trim() === "") return refuse("the command is empty");
  const lines = given.replaceAll("\r\n", "\n");
  const start = lines.search(/[^ \t\n]/);
  // By hand: the pattern for it takes quadratic time.
  let end = lines.length;
  while (" \t\n".includes(lines.charAt(end - 1))) end--;
  const command = lines.slice(start, end);
  const refusal = refusalOf(command, from, isForm) ?? refusalOfEnd(command, lines.slice(end));
  if (refusal) return refusal;
  const tidied = [
    ...(command === lines ? [] : ["spaces around it removed"]),
    ...(lines === given ? [] : ["line ends changed to LF"]),
  ];
  return { ok: true, command, tidied };
}

function refusalOf(command: string, from: "model" | "person", isForm: boolean): Refusal | undefined {
  const bytes = Buffer.byteLength(command, "utf8");
  if (bytes > maxCommandBytes)
    return refuse(
      `the command has ${bytes.toLocaleString("en")} bytes; at most ${maxCommandBytes.toLocaleString("en")} can be shown whole. Split it, or put it into a script on the server and run that`,
    );
  // A newline is a person's right; what the shell would get beside it must be what the card shows, so CR and tab are none.
  const hidden = placesOf(command, blankOrUnseen, (char) => char !== "\n");
  if (hidden !== "")
    return refuse(
      `the command holds characters that nobody sees: ${hidden.replaceAll("U+0009", "U+0009 (a tab)")}. Write blanks or line breaks in their place, or an escape such as $'\\t'`,
    );
  const places = isForm ? [] : placeholdersIn(command);
  if (places.length > 0)
    return refuse(
      `fill in ${places.map((place) => `\`${place}\``).join(", ")}: as it stands a shell reads it as redirections`,
    );
  if (from === "model" && command.includes("\n")) {
    return refuse("the command has more than one line (U+000A); the model may propose one line only");
  }
  if (ownMarker.test(command))
    return refuse("the command holds the sign by which I know my own comments. Write it in two quoted parts");
  return admitGaps(command) ?? admitNames(command) ?? admitSigns(command);
}

/** A blank that is none of ASCII's, or one of braille, is none to a shell. */
const blankOrUnseen = new RegExp(`${unseen.source}|(?! )\\p{Zs}|\\p{Variation_Selector}|\\u2800`, "gu");

const mostPlaces = 5;

/** Each character that matches, with its place, counted in characters from 1. */
function placesOf(text: string, pattern: RegExp, counts: (char: string) => boolean = () => true): string {
  const found = [...text.matchAll(pattern)].filter(([char]) => counts(char));
  const places = found.slice(0, mostPlaces).map(({ 0: char, index }) => {
    return `${codePoint(char)} at character ${[...text.slice(0, index)].length + 1}`;
  });
  return [...places, ...(found.length > mostPlaces ? [`${found.length - mostPlaces} more`] : [])].join(", ");
}

/** Dashes, quotation marks, primes and full-width forms that are none of ASCII's, and to a shell are letters. */
const signLike =
  /(?!-)\p{Pd}|\p{Pi}|\p{Pf}|[\u2212\u201a\u201e\u2032-\u2037\u02b9-\u02bc\u02ee\uff01-\uff5e\u2044\u2215\u037e\u2223\u01c0]/gu;
const textOnly = /'[^']*'|"(?:\\.|[^"\\])*"|(?<=^|\s)#[^\n]*/gs;

/** In quotes, comments and here-documents they are text. */
function admitSigns(command: string): Refusal | undefined {
  if (/<<(?!<)[\s\S]*\n/.test(command)) return undefined;
  const signs = placesOf(
    command.replace(textOnly, (part) => "x".repeat(part.length)),
    signLike,
  );
  if (signs === "") return undefined;
  return refuse(
    `the command has signs that look like quotation marks, dashes or letters of ASCII and are none: ${signs}. Write those of ASCII; what is meant as text belongs within quotes`,
  );
}

/** It stands hidden at the end of each comment of ours, and nothing on a card may look like it. */
const ownMarker = /<!--\s*countersign/i;

/** What is left out at the end must mean nothing: not escaped, and no part of a here-document. */
function refusalOfEnd(command: string, blank: string): Refusal | undefined {
  if (blank === "") return undefined;
  const end = /[\\^]$|(?:^|\s)`$/.exec(command)?.[0].trim();
  if (end !== undefined)
    return refuse(`the command ends in ${end} and blank space, which a shell reads together. Leave both out`);
  return command.includes("<<") && blank !== "\n"
    ? refuse("the command ends in blank space, which its here-document may count. Leave it out")
    : undefined;
}

/** Where a reader expects blanks, and sees that more follows. A wrong guess, as at an apostrophe in a comment, lets 40 pass. */
const indentedOrQuoted = /^ {1,40}|\\.|'[^']*'|"(?:\\.|[^"\\])*"/gms;

/** So much of nothing looks like the command's end, and on a phone what stands behind it is out of sight. */
function admitGaps(command: string): Refusal | undefined {
  const masked = command.replace(indentedOrQuoted, (part) => "x".repeat(part.length));
  const blanks = / {41,}/.exec(command) ?? / {9,}/.exec(masked);
  if (blanks) {
    return refuse(
      `the command has ${blanks[0].length} blanks in a row from character ${blanks.index + 1} on, and what follows them is easily missed; at most 8, or 40 within quotes and before a line`,
    );
  }
  const lines = /^(?: *\n){3,}/m.exec(command);
  if (!lines) return undefined;
  const from = command.slice(0, lines.index).split("\n").length;
  return refuse(
    `the command has ${lines[0].split("\n").length - 1} empty lines in a row from line ${from} on, and what follows them is easily missed; at most 2`,
  );
}

/**
 * A program's name must not mix scripts, nor be written in look-alike letters. A wrapper's operand is a name too, so that
 * outside of quotes no part of any word may stand in ASCII and another script at once.
 */
function admitNames(text: string): Refusal | undefined {
  const { names, others } = bareWords(text);
  const parts = others.flatMap((word) => word.split(/[^\p{L}\p{M}\p{N}]+/u));
  const words = text.match(/[\p{L}\p{M}\p{N}_]+/gu) ?? [];
  const mixed =
    names.flatMap((name) => name.split("/")).find(isLookAlike) ?? parts.find(mixesScripts) ?? words.find(isDisguised);
  if (mixed === undefined) return undefined;
  const before = text.slice(0, text.indexOf(mixed));
  const foreign = placesOf(`${before}${mixed}`, /[^\0-\x7f]/gu, (char) => mixed.includes(char));
  return refuse(`the name ${JSON.stringify(mixed)} mixes scripts: ${foreign}`);
}

/** Letters that are drawn as ASCII's in common fonts (Unicode's confusables, of scripts with such letters). */
const lookAlikes = new Set(
  "аеорсухіјѕԁԛԝһӏґүѵАВЕЅІЈКМНОРСТХҮԚԜՕօոսցհյԼΑΒΕΖΗΙΚΜΝΟΡΤΥΧοανικρτυχγᎠᎡᎢᎪᎫᎬᎳᎷᎻᏀᏃᏎᏒᏔᏚᏞᏟᏢᏦɑɡɩıⅰⅼⅽⅾⅿ",
);

/** A word of ASCII in which each foreign letter looks like one of ASCII: also within quotes, it passes for another word. */
function isDisguised(word: string): boolean {
  const foreign = [...word].filter((char) => char > "\u007f");
  return foreign.length > 0 && /[A-Za-z]/.test(word) && foreign.every((char) => lookAlikes.has(char));
}

/** As a command's name: foreign letters beside ASCII ones, of two scripts, or that a shorter form would change. */
function isLookAlike(word: string): boolean {
  const foreign = [...word].filter((char) => char > "\u007f" && /\p{L}/u.test(char));
  if (foreign.length === 0) return false;
  return /[A-Za-z]/.test(word) || new Set(foreign.map(scriptOf)).size > 1 || word.normalize("NFKC") !== word;
}

const mixesScripts = (part: string): boolean =>
  /[A-Za-z]/.test(part) && [...part].some((char) => /\p{L}/u.test(char) && scriptOf(char) !== "Latin");

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
].map((script) => [script, new RegExp(`\\p{Script=${script}}`, "u")] as const);
const scriptOf = (char: string): string => scripts.find(([, pattern]) => pattern.test(char))?.[0] ?? "other";

/** Words that stand before a command's name. */
const beforeName = /^(sudo|env|nohup|time|exec|command|nice|then|do|else|if|while|until|!|\{|\w+=.*)$/s;

/** The words in command position (at the start, after an operator, in a substitution), and all others outside of quotes. */
function bareWords(text: string): { readonly names: readonly string[]; readonly others: readonly string[] } {
  const names: string[] = [];
  const others: string[] = [];
  /** The ends of what is open: quotes, a comment's newline, parentheses, backticks. */
  const open: string[] = [];
  let isStart = true;
  let word = "";
  const end = (): void => {
    if (word !== "" && !isStart) others.push(word);
    else if (word !== "" && !beforeName.test(word)) {
      names.push(word);
      isStart = false;
    }
    word = "";
  };
  const start = (): void => {
    end();
    isStart = true;
  };
  let before = "";
  for (const char of `${text}\n`) {
    const inside = open.at(-1) ?? "";
    const isData = inside !== "" && "'\"\n".includes(inside);
    const isEscaped = before === "\\" && inside !== "'";
    before = isEscaped ? "" : `${before}${char}`.slice(-2) === "$(" ? "$(" : char;
    if (isEscaped) word += char;
    else if (char === inside) {
      open.pop();
      if (char === "\n") start();
      else if (!isData) end();
    } else if (isData && !(inside === '"' && (before === "$(" || char === "`")))
      word += isStart && inside !== "\n" ? char : "";
    else if (char === "'" || char === '"') open.push(char);
    else if (char === "#" && word === "") open.push("\n");
    else if (char === "(" || char === "`") {
      start();
      open.push(char === "(" ? ")" : char);
    } else if (/[;&|\n)]/.test(char)) start();
    else if (/\s/.test(char)) end();
    else if (char !== "\\") word += char;
  }
  end();
  // A quote that never ends hides nothing.
  return { names, others: open.length > 0 ? text.split(/\s+/) : others };
}
