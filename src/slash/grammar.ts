import { parseDuration } from "../base/duration.ts";
import { firstBlock, linesWithEnds, talkLines, withoutEnd } from "./talk.ts";
import { type Audience, type Verb, valuedFlags, verbs } from "./verbs.ts";

/** A number as typed, with the beginning of its digest if typed too (SR-20). */
export interface Id {
  readonly number: number;
  readonly pin?: string;
}

export interface SlashCommand {
  readonly kind: "command";
  /** Lower case, without slash and prefix; may be unknown. */
  readonly verb: string;
  readonly ids: readonly Id[] | "all";
  /** `--keep-going` → "", `--timeout 10m` → "10m". */
  readonly flags: ReadonlyMap<string, string>;
  readonly words: readonly string[];
  readonly rest: string;
  readonly block: string | undefined;
}

/** Nearly a slash command; the answer says how to write it. */
export interface Hint {
  readonly kind: "hint";
  /** In code, below the first line, in another form, without a slash; or plain words that agree. */
  readonly why: "code" | "place" | "form" | "slash" | "consent";
  readonly verb: string;
  readonly ids: readonly Id[] | "all";
}

const valuePattern = /^[0-9a-z]+$/i;

const flagPattern = /^--[a-z][a-z-]*$/i;
const idPattern = /^(\d{1,6})(?:@([0-9a-fA-F]{8,64}))?$/g;
const verbPattern = /^\/([A-Za-z][A-Za-z-]*)$/;
/** A no-break or zero-width space separates no words, because people cannot see which it is. */
const blank = /[ \t]/;
const linePattern = /^ {0,3}\//;
const hintPattern = /^ {0,3}`+[ \t]*(\/[A-Za-z][^`]*)/;

/**
 * Reads a slash command (SR-22): the first line outside quotes, code and HTML comments must begin with it, in ASCII. In backticks it is a
 * hint, unless a command stands below. Linear in the comment.
 */
export function parseSlashCommand(body: string, prefixes: readonly string[]): SlashCommand | Hint | undefined {
  const written = linesWithEnds(body);
  const lines = written.map(withoutEnd);
  let hint: Hint | undefined;
  for (const { index, text, onlyCode } of talkLines(lines)) {
    const line = hintPattern.exec(text)?.[1];
    if (!hint && line !== undefined) {
      const firstWord = line.slice(1).replace(/[^A-Za-z-].*/s, "");
      const { verb, ids } = readCommand(line, [], prefixes) ?? { verb: firstWord.toLowerCase(), ids: [] };
      hint = { kind: "hint", why: "code", verb, ids };
    }
    if (!onlyCode) return readCommand(text, written.slice(index + 1), prefixes) ?? hint;
  }
  return hint;
}

/** `/verb [flags] [numbers or all] [flags] words`. A later flag is a word of the reason. */
function readCommand(text: string, below: readonly string[], prefixes: readonly string[]): SlashCommand | undefined {
  if (!linePattern.test(text)) return undefined;
  const words = text.split(blank).filter((word) => word !== "");
  if (prefixes.some((prefix) => words[0]?.toLowerCase() === `/${prefix.toLowerCase()}`)) {
    words.shift();
    words[0] = `/${(words[0] ?? "").replace(/^\//, "")}`;
  }
  const verb = verbPattern.exec(words.shift() ?? "")?.[1];
  if (!verb) return undefined;
  const before = takeFlags(words);
  const { ids, after } = takeIds(before.words);
  const behind = takeFlags(after);
  const lines = firstBlock(below);
  // GitHub ends lines typed into a browser with CRLF.
  const isTyped = below.slice(0, -1).every((line) => line.endsWith("\r\n"));
  const ends = isTyped ? lines?.map((line) => line.replace("\r\n", "\n")) : lines;
  return {
    kind: "command",
    verb: verb.toLowerCase(),
    ids,
    flags: new Map([...before.flags, ...behind.flags]),
    words: behind.words,
    rest: below.map(withoutEnd).join("\n").trim(),
    block: ends && [...ends.slice(0, -1), withoutEnd(ends.at(-1) ?? "")].join(""),
  };
}

/** Returns the words after the numbers, and all that follows. */
export const noteOf = (slash: SlashCommand, from = 0): string =>
  [slash.words.slice(from).join(" "), slash.rest].filter((part) => part !== "").join("\n");

function takeIds(words: readonly string[]): { readonly ids: readonly Id[] | "all"; readonly after: readonly string[] } {
  if (words[0]?.toLowerCase() === "all") return { ids: "all", after: words.slice(1) };
  const ids: Id[] = [];
  let taken = 0;
  for (const [at, word] of words.entries()) {
    const numbers = word.split(",").filter((part) => part !== "");
    const found = numbers.flatMap((part) => [...part.matchAll(idPattern)]);
    if (found.length < numbers.length) break;
    for (const [, number, pin] of found)
      ids.push({ number: Number(number), ...(pin ? { pin: pin.toLowerCase() } : {}) });
    // With none behind it, a lone comma belongs to the words.
    if (numbers.length > 0) taken = at + 1;
    else if (taken === 0) break;
  }
  return { ids, after: words.slice(taken) };
}

function takeFlags(words: readonly string[]): {
  readonly flags: Map<string, string>;
  readonly words: readonly string[];
} {
  const flags = new Map<string, string>();
  let taken = 0;
  for (let flag = words[0]; flag && flagPattern.test(flag); flag = words[taken]) {
    const name = flag.toLowerCase();
    const value = valuedFlags.has(name) ? words[taken + 1] : undefined;
    const fits = value !== undefined && valuePattern.test(value);
    flags.set(name, fits ? value : "");
    taken += fits ? 2 : 1;
  }
  return { flags, words: words.slice(taken) };
}

type SwitchLine = Pick<SlashCommand, "ids" | "words" | "flags">;

const switchIn = ({ ids, words, flags }: SwitchLine): string | undefined =>
  flags.size === 0 && ids.length === 0 && words.length === 1 ? words[0]?.toLowerCase() : undefined;

/** Returns who may give a command as written here. */
export const audienceOf = ({ may, mayOff = may }: Pick<Verb, "may" | "mayOff">, line: SwitchLine): Audience =>
  switchIn(line) === "off" ? mayOff : may;

/** Each line of the block becomes a command of one set of checks. */
export const eachFlag = "--each";

export const linesIn = (block: string): readonly string[] =>
  block
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");

/** Times in ms. */
export type LeaseWord =
  | { readonly kind: "off" }
  | { readonly kind: "on"; readonly timeMs?: number; readonly places?: string; readonly commands?: number };

/** Reads `/lease 15m web-1 [20]`, `/lease off`, `/auto on`, `/auto off`; undefined for anything else. */
export function leaseIn(slash: SwitchLine & Pick<SlashCommand, "verb">): LeaseWord | undefined {
  if (slash.flags.size > 0) return undefined;
  const one = switchIn(slash);
  if (one === "off") return { kind: "off" };
  if (slash.verb === verbs.auto.verb) return one === "on" ? { kind: "on" } : undefined;
  const [time = "", ...rest] = slash.words;
  const timeMs = parseDuration(time.toLowerCase());
  const last = rest.length > 1 ? /^\[?(\d{1,4})\]?$/.exec(rest.at(-1) ?? "")?.[1] : undefined;
  const places = rest.slice(0, last === undefined ? undefined : -1).join(",");
  if (slash.ids.length > 0 || timeMs === undefined || !/[^\s,]/.test(places)) return undefined;
  return { kind: "on", timeMs, places, ...(last === undefined ? {} : { commands: Number(last) }) };
}
