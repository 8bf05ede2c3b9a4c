import { isUnfinished } from "../../base/action.ts";
import type { SlashCommand } from "../../slash/grammar.ts";
import type { Action } from "../../store/actions.ts";
import { nothingRun, openOnes } from "../answer/refusals.ts";

/** Looks like a number, or some, to whoever typed it: `#2`, `2.`, `2-4`, `2;3`, `２`, `2@1a`. */
const numberLike = /^[#–—-]*\d{1,6}(?:(?:[;+&/–-]|\.\.)#?\d{1,6})*(?:@\w*)?[.,:;!?]*$/;
/** What stands between two numbers, in the languages that people on call write. */
const between = /^(?:and|to|till|through|thru|[-–—&+/;.]+|und|bis|et|a|y|e|en|och|и|до|和|到)$/iu;
const beginsWith = (words: string): RegExp =>
  new RegExp(String.raw`^[\p{P}\p{S}\s]*(?:(?:${words})(?![\p{L}\p{N}])|除)`, "iu");
const exceptions =
  "but|except|excepting|excluding|excl|besides|apart|minus|skip|ausser|außer|sauf|hors|salvo|excepto|menos|tranne|кроме";
/** What surely takes something out of all. */
const surelyExcept = beginsWith(exceptions);
/** The same, and what can also begin a reason: `only reads`, `not during the sale`. */
const except = beginsWith(`${exceptions}|without|w\\/o|not|only|other|leave|ohne|nicht|bis|nur|pas`);

/** The numbers that a word is read as by people. */
function numbersOf(word: string): readonly number[] {
  const plain = word.normalize("NFKC").replace(/\p{Default_Ignorable_Code_Point}|["'`*_“”‘’()[\]<>]/gu, "");
  return numberLike.test(plain) ? (plain.replace(/@.*/, "").match(/\d+/g) ?? []).map(Number) : [];
}

/** The numbers that stand right behind those that are read, as words of the reason; behind `all` every number of the line. */
function strayNumbers({ ids, words }: SlashCommand): readonly number[] {
  if (ids === "all") return words.flatMap(numbersOf);
  // Without any, the answer names the open ones.
  if (ids.length === 0) return [];
  const found: number[] = [];
  let isJoined = false;
  for (const word of words) {
    const numbers = numbersOf(word);
    found.push(...numbers);
    if (numbers.length === 0 && (isJoined || !between.test(word))) break;
    isJoined = numbers.length === 0;
  }
  return found;
}

/** Whether `all` is followed by what takes some of it out again; on the next line a reason may begin with more words. */
function isAllBut({ ids, words, rest }: SlashCommand): boolean {
  if (ids !== "all") return false;
  if (words.length > 0) return except.test(words.join(" "));
  const [below = ""] = rest.split("\n", 1);
  return (
    surelyExcept.test(below) || (except.test(below) && below.split(/\s+/).some((word) => numbersOf(word).length > 0))
  );
}

/** Whether the incident's actions have to be looked at before anybody can say. */
export const mayHoldMore = (slash: SlashCommand): boolean => isAllBut(slash) || strayNumbers(slash).length > 0;

/**
 * What is wrong with the numbers of a command that takes several: one that was meant and would only be a word of the reason,
 * so that a part of what was asked for would happen, or `all but 3`, where all would. Nothing where all is well. Pure.
 */
export function numberMistake(slash: SlashCommand, verb: string, actions: readonly Action[]): string | undefined {
  const read = slash.ids === "all" ? [] : slash.ids.map(({ number }) => number);
  const stray = new Set(strayNumbers(slash).filter((number) => !read.includes(number) && isLive(actions, number)));
  if (isAllBut(slash) || (slash.ids === "all" && stray.size > 0))
    return nothingRun(
      `\`/${verb} all\` means all of them. Name the numbers that you want; a reason goes on the next line. ${openOnes(actions)}`,
    );
  if (stray.size === 0) return undefined;
  const right = `/${verb} ${[...read, ...stray].join(" ")}`;
  return nothingRun(
    `Did you mean **${[...stray].join("**, **")}**, too? Write \`${right}\`; what is only a reason goes on the next line.`,
  );
}

const isLive = (actions: readonly Action[], number: number): boolean =>
  actions.some((action) => action.number === number && isUnfinished(action));
