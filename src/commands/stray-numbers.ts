import type { Action } from "../store/actions.ts";
import { noteOf, type SlashCommand } from "./grammar.ts";
import { openOnes } from "./refusals.ts";

/** Looks like a number, or some, to whoever typed it: `#2`, `2.`, `2-4`, `2;3`, `２`, `2@1a`. */
const numberLike = /^[#–—-]*\d{1,6}(?:(?:[;+&/–-]|\.\.)#?\d{1,6})*(?:@\w*)?[.,:;!?]*$/;
/** What stands between two numbers, in the languages that people on call write. */
const between = /^(?:and|to|till|through|thru|[-–—&+/;.]+|und|bis|et|a|y|e|en|och|и|до|和|到)$/iu;
/** What takes something out of all. */
const except =
  /^[\p{P}\p{S}\s]*(?:(?:but|except|excepting|excluding|excl|besides|apart|minus|without|w\/o|not|only|other|skip|leave|ausser|außer|ohne|nicht|bis|nur|sauf|hors|pas|salvo|excepto|menos|tranne|кроме)(?![\p{L}\p{N}])|除)/iu;

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

/** Whether `all` is followed by what takes some of it out again. */
const isAllBut = (slash: SlashCommand): boolean => slash.ids === "all" && except.test(noteOf(slash));

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
    return `\`/${verb} all\` means all of them: name the numbers that you want, or write the reason on the next line. ${openOnes(actions)} Nothing was run.`;
  if (stray.size === 0) return undefined;
  const right = `/${verb} ${[...read, ...stray].join(" ")}`;
  return `That names **${[...stray].join("**, **")}** in a way that I do not read, and I do nothing by halves: write \`${right}\` if you mean that, and what is only a reason on the next line. Nothing was run.`;
}

const isLive = (actions: readonly Action[], number: number): boolean =>
  actions.some(
    (action) => action.number === number && ["proposed", "approved", "dispatching", "running"].includes(action.state),
  );
