/** What one PowerShell classification carries along, and a cmdlet call as the checks see it. */
import type { Scan } from "../scan.ts";
import type { PsWord } from "./lex.ts";
import type { Languages } from "./native.ts";

export interface PsState {
  /** Constants assigned in this script, lower-case names. */
  readonly variables: Map<string, string>;
  readonly aliases: Map<string, string>;
  readonly functions: Set<string>;
  /** Set once anything was fetched from the network. */
  fetched: boolean;
}

export const createPsState = (): PsState => ({
  variables: new Map(),
  aliases: new Map(),
  functions: new Set(),
  fetched: false,
});

export interface Context {
  readonly scan: Scan;
  readonly languages: Languages;
  readonly state: PsState;
}

export interface Named {
  readonly name: string;
  /** Without the name. */
  readonly words: readonly PsWord[];
  readonly isPiped: boolean;
}

export const has = (words: readonly PsWord[], prefix: string, whole: string): boolean =>
  words.some(({ text, quoted }) => {
    const name = /^[-\u2013\u2014](\w+)/.exec(text)?.[1]?.toLowerCase();
    return !quoted && name !== undefined && name.startsWith(prefix) && whole.startsWith(name);
  });

/** Operands and values: whatever is no parameter name. */
export const values = (words: readonly PsWord[]): string[] =>
  words
    .filter((word) => word.quoted || !/^[-\u2013][a-z]+:?$/i.test(word.text))
    .map((word) => word.text.replace(/^-\w+:/, ""));
