/** The words of a command as the checks ask for them. */
import type { Value } from "./values.ts";

/** A word of a command. */
export interface Argument extends Value {
  /** `-Name`, in lower case. */
  readonly parameter?: string | undefined;
  readonly attached: boolean;
  readonly source: string;
}

/** Words that are no parameter and no value of one; a switch takes none, but the text does not say which are switches. */
export const operandsOf = (words: readonly Argument[]): readonly Argument[] =>
  words.filter(
    ({ parameter: name }, i) =>
      name === undefined && (words[i - 1]?.parameter === undefined || words[i - 1]?.attached === true),
  );

/** Operands and values: whatever is no parameter's name. */
export const values = (words: readonly Argument[]): string[] =>
  words.filter((word) => word.parameter === undefined || word.attached).flatMap(({ texts }) => texts);

const indexOf = (words: readonly Argument[], whole: string, least: number): number =>
  words.findIndex(({ parameter: name }) => name !== undefined && name.length >= least && whole.startsWith(name));

/** True where a parameter is given, by any prefix of at least `least` letters. */
export const has = (words: readonly Argument[], whole: string, least = 1): boolean => indexOf(words, whole, least) >= 0;

/** The value of a parameter, by any prefix of at least `least` letters. */
export function valueAt(words: readonly Argument[], whole: string, least = 1): Argument | undefined {
  const at = indexOf(words, whole, least);
  return words[at]?.attached ? words[at] : at < 0 ? undefined : words[at + 1];
}

/** All words of a call as one text, for patterns. */
export const textOf = (words: readonly Argument[]): string =>
  words
    .map(({ parameter: name, attached, texts, entries, source }) =>
      name !== undefined && !attached ? `-${name}` : `${name ? `-${name} ` : ""}${entries ? source : texts.join(",")}`,
    )
    .join(" ");
