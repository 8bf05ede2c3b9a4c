import { isUnfinished } from "../../base/action.ts";
import type { SlashCommand } from "../../slash/grammar.ts";
import { takesNumbers, verbNamed } from "../../slash/verbs.ts";
import type { Action } from "../../store/actions.ts";
import { nothingRun, openOnes } from "../answer/refusals.ts";

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

const mayHoldMore = (slash: SlashCommand): boolean => isAllBut(slash) || strayNumbers(slash).length > 0;

/** Whether only the incident's actions can tell. If the command takes one number, what follows belongs to the command. */
export const maybeWrong = (slash: SlashCommand, takesSeveral: boolean | undefined): boolean => {
  const command = verbNamed(slash.verb);
  const isLacking = command !== undefined && takesNumbers(command) && slash.ids.length === 0;
  return (takesSeveral || isLacking) && mayHoldMore(slash);
};

/** Reports numbers that would be words of the reason, `#2` or `2.` instead of 2, and `all but 3`, which would do all. Pure. */
export function numberMistake(slash: SlashCommand, verb: string, actions: readonly Action[]): string | undefined {
  const read = slash.ids === "all" ? [] : slash.ids.map(({ number }) => number);
  const stray = new Set(strayNumbers(slash).filter((number) => !read.includes(number) && isLive(actions, number)));
  if (isAllBut(slash) || (slash.ids === "all" && stray.size > 0))
    return nothingRun(
      `\`/${verb} all\` means all of them. Name the numbers that you want; a reason goes on the next line. ${openOnes(actions)}`,
    );
  if (slash.ids.length === 0) return wrongForm(slash, verb, actions);
  if (stray.size === 0) return undefined;
  const right = `/${verb} ${[...read, ...stray].join(" ")}`;
  return nothingRun(
    `Did you mean **${[...stray].join("**, **")}**, too? Write \`${right}\`; what is only a reason goes on the next line.`,
  );
}

function wrongForm(slash: SlashCommand, verb: string, actions: readonly Action[]): string | undefined {
  const meant = new Set(strayNumbers(slash).filter((number) => actions.some((action) => action.number === number)));
  if (meant.size === 0) return undefined;
  const more = slash.words.some((word) => numbersOf(word).length === 0 && !between.test(word)) ? " …" : "";
  return nothingRun(
    `Did you mean \`/${verb} ${[...meant].join(" ")}${more}\`? A number stands alone, in plain digits.`,
  );
}

const isLive = (actions: readonly Action[], number: number): boolean =>
  actions.some((action) => action.number === number && isUnfinished(action));
