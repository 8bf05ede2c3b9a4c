import { isUnfinished } from "../base/action.ts";
import { parseDuration } from "../base/duration.ts";
import { duration } from "../github/render/ink.ts";
import type { SlashCommand } from "../slash/grammar.ts";
import { takesNumbers, type Verb, verbNamed } from "../slash/verbs.ts";
import type { Action } from "../store/actions.ts";
import { nothingRun, openOnes } from "./answers.ts";

/** Phones turn two hyphens into one long dash. */
const dashes = /^[-\u2010-\u2015\u2212]{1,2}/;
const flagLike = new RegExp(`${dashes.source}[a-z]`, "i");

const span = (text: string): string => `\`${text.replace(/[^\w=.-]/g, "")}\``;

/**
 * Names a flag that is unknown, lacks its value, or would be a word of the reason (any flag if the line is strict, otherwise its own).
 * Pure.
 */
export function flagMistake(command: Verb, slash: SlashCommand): string | undefined {
  const { verb, flags = {}, line = "free" } = command;
  if (line === "any") return undefined;
  const taken = Object.entries(flags).map(([flag, { example }]) =>
    example ? `\`${flag} ${example}\`` : `\`${flag}\``,
  );
  const takes = `\`/${verb}\` takes ${taken.length === 0 ? "no flags" : taken.join(" and ")}`;
  const unknown = [...slash.flags.keys()].filter((flag) => !Object.hasOwn(flags, flag));
  if (unknown.length > 0) return nothingRun(`${unknown.map(span).join(", ")} is not known here; ${takes}.`);
  for (const [flag, value] of slash.flags) {
    const example = flags[flag]?.example;
    if (example && value === "") return nothingRun(`${span(flag)} needs a value: \`${flag} ${example}\`.`);
  }
  const isOwn = (word: string): boolean => Object.hasOwn(flags, word.toLowerCase().replace(dashes, "--"));
  const late = slash.words.filter((word) => flagLike.test(word) && (line === "strict" || isOwn(word)));
  if (late.length === 0) return undefined;
  if (!takesNumbers(command))
    return nothingRun(`${late.map(span).join(", ")} does not count there; ${takes}, right after \`/${verb}\`.`);
  return nothingRun(
    `${late.map(span).join(", ")} does not count there; ${takes}, right after the numbers. A reason goes on the next line.`,
  );
}

/** `#2`, `2.`, `2-4`, `2;3`, `２`, `2@1a`. */
const numberLike = /^[#–—-]*\d{1,6}(?:(?:[;+&/–-]|\.\.)#?\d{1,6})*(?:@\w*)?[.,:;!?]*$/;
/** In the languages of people on call. */
const between = /^(?:and|to|till|through|thru|[-–—&+/;.]+|und|bis|et|a|y|e|en|och|и|до|和|到)$/iu;
const through = /^(?:to|till|through|thru|[-–—]|\.{2,}|bis|до|到)$/iu;
const beginsWith = (words: string): RegExp =>
  new RegExp(String.raw`^[\p{P}\p{S}\s]*(?:(?:${words})(?![\p{L}\p{N}])|除)`, "iu");
const exceptions =
  "but|except|excepting|excluding|excl|besides|apart|minus|skip|ausser|außer|sauf|hors|salvo|excepto|menos|tranne|кроме";
const surelyExcept = beginsWith(exceptions);
/** An exception, or the start of a reason: `only reads`, `not during the sale`. */
const except = beginsWith(`${exceptions}|without|w\\/o|not|only|other|leave|ohne|nicht|bis|nur|pas`);

function numbersOf(word: string): readonly number[] {
  const plain = word.normalize("NFKC").replace(/\p{Default_Ignorable_Code_Point}|["'`*_“”‘’()[\]<>]/gu, "");
  if (!numberLike.test(plain)) return [];
  const numbers = (plain.replace(/@.*/, "").match(/\d+/g) ?? []).map(Number);
  const [from, to] = /^#?\d+(?:[–-]|\.\.)#?\d+\D*$/.test(plain) ? numbers : [];
  return from === undefined || to === undefined ? numbers : [from, ...upTo(from, to)];
}

/** A longer range is not meant as a list. */
const longestRange = 20;

/** `2 to 4` adds 3 and 4. */
const upTo = (from: number, to: number): readonly number[] =>
  to > from && to - from <= longestRange ? Array.from({ length: to - from }, (_, at) => from + at + 1) : [to];

/** Numbers that would be words of the reason; after `all`, every number of the line. */
function strayNumbers({ ids, words }: SlashCommand): readonly number[] {
  if (ids === "all") return words.flatMap(numbersOf);
  const found: number[] = [];
  let joined: string | undefined;
  for (const word of words) {
    const numbers = numbersOf(word);
    const last = found.at(-1) ?? ids.at(-1)?.number;
    const [first] = numbers;
    if (joined !== undefined && through.test(joined) && last !== undefined && first !== undefined)
      found.push(...upTo(last, first));
    found.push(...numbers);
    if (numbers.length === 0 && (joined !== undefined || !between.test(word))) break;
    joined = numbers.length === 0 ? word : undefined;
  }
  return found;
}

/** On the next line, more words can begin a reason. */
function isAllBut({ ids, words, rest }: SlashCommand): boolean {
  if (ids !== "all") return false;
  if (words.length > 0) return except.test(words.join(" "));
  const [below = ""] = rest.split("\n", 1);
  return (
    surelyExcept.test(below) || (except.test(below) && below.split(/\s+/).some((word) => numbersOf(word).length > 0))
  );
}

/** Whether only the incident's actions can tell. If the command takes one number, what follows belongs to the command. */
export const maybeWrong = (slash: SlashCommand, takesSeveral: boolean | undefined): boolean => {
  const command = verbNamed(slash.verb);
  const isLacking = command !== undefined && takesNumbers(command) && slash.ids.length === 0;
  return (takesSeveral || isLacking) && (isAllBut(slash) || strayNumbers(slash).length > 0);
};

/** Reports numbers that would be words of the reason, `#2` or `2.` instead of 2, and `all but 3`, which would do all. Pure. */
export function numberMistake(slash: SlashCommand, verb: string, actions: readonly Action[]): string | undefined {
  const read = slash.ids === "all" ? [] : slash.ids.map(({ number }) => number);
  const stray = new Set(
    strayNumbers(slash).filter(
      (number) => !read.includes(number) && actions.some((action) => action.number === number && isUnfinished(action)),
    ),
  );
  if (isAllBut(slash) || (slash.ids === "all" && stray.size > 0))
    return nothingRun(
      `\`/${verb} all\` means all of them. Name the numbers you want; a reason goes on the next line. ${openOnes(actions)}`,
    );
  if (slash.ids.length === 0) {
    const meant = new Set(strayNumbers(slash).filter((number) => actions.some((action) => action.number === number)));
    if (meant.size === 0) return undefined;
    const more = slash.words.some((word) => numbersOf(word).length === 0 && !between.test(word)) ? " …" : "";
    return nothingRun(
      `Did you mean \`/${verb} ${[...meant].join(" ")}${more}\`? A number stands alone, in plain digits.`,
    );
  }
  if (stray.size === 0) return undefined;
  const right = `/${verb} ${[...read, ...stray].join(" ")}`;
  return nothingRun(
    `Did you mean **${[...stray].join("**, **")}**, too? Write \`${right}\`; what is only a reason goes on the next line.`,
  );
}

type Parameters =
  | { readonly ok: true; readonly values: Readonly<Record<string, string>> }
  | { readonly ok: false; readonly refusals: readonly string[] };

/** Phones write curly quotes. */
const quoted = /^([A-Za-z][\w-]*)=(?:"([^"]*)"|'([^']*)'|[“”„]([^“”„]*)[“”]|[‘’‚]([^‘’‚]*)[‘’])(?=\s|$)/;
const bare = /^([A-Za-z][\w-]*)=([^\s"'“”„‘’‚]*)(?=\s|$)/;

/**
 * Reads `key=value key="several words"`; in quotes everything is literal, but several spaces count as one. Names all mistakes at once.
 * Pure.
 */
export function parseParameters(words: readonly string[]): Parameters {
  const refusals: string[] = [];
  const values = new Map<string, string>();
  for (let left = words.join(" ").trim(); left !== ""; ) {
    const match = quoted.exec(left) ?? bare.exec(left);
    const [whole = "", key = "", ...texts] = match ?? [];
    if (match) {
      if (values.has(key)) refusals.push(`\`${key}\` is given twice`);
      values.set(key, texts.find((text) => text !== undefined) ?? "");
      left = left.slice(whole.length).trimStart();
      continue;
    }
    const [word = ""] = /^\S+/.exec(left) ?? [];
    refusals.push(
      `\`${word.replace(/`/g, "'").slice(0, 80)}\` is not \`key=value\`; put a value of several words in quotes: \`key="two words"\``,
    );
    left = left.slice(word.length).trimStart();
  }
  return refusals.length > 0 ? { ok: false, refusals } : { ok: true, values: Object.fromEntries(values) };
}

type TimeRead = { readonly ms: number } | { readonly mistake: string };

/** Reads `10m`, `90s` or `1h`, at most the actions' hard limit, because the server ends them then. Pure. */
export function readTime(text: string, actions: readonly Action[]): TimeRead {
  const ms = parseDuration(text.toLowerCase());
  if (ms === undefined || ms <= 0) return { mistake: "Write the time as `10m`, `90s` or `1h`." };
  const over = actions.find((action) => ms > hardLimitOf(action));
  if (!over) return { ms };
  return {
    mistake: `**${over.number}** is ended after ${duration(hardLimitOf(over))} in any case; name a shorter time.`,
  };
}

const hardLimitOf = ({ spec }: Action): number => Math.min(...spec.targets.map(({ hardTimeoutMs }) => hardTimeoutMs));
