/** What the second word of `TOOL NOUN VERB` says, where the first only names what it is about, or is not known. */
import type { Risk } from "../../base/risk.ts";
import { knownVerbs } from "../knowledge/verbs.ts";
import type { CompiledRule } from "../table.ts";
import type { Arg } from "./arg.ts";
import { levelsOf, words } from "./options.ts";

/** The operator's word for a program stands as it is: nothing is read into the names of what it does not list. */
export const isOperators = ({ id }: Pick<CompiledRule, "id">): boolean => id.startsWith("operator.");

/** What changes something behind a word that only names what it is about: `npm audit fix`, `nmcli connection import`. */
const changing = new Map(levelsOf(knownVerbs).filter(([, risk]) => risk !== "low"));
/** Whether a word says by itself, or by its first part, that it changes something. */
export const isChanging = (word: string): boolean =>
  changing.has(word) || (/^[a-z]{3,}[-_]/.test(word) && changing.has(word.split(/[-_]/)[0] ?? ""));

/** Words that read what stands behind them, so that it is a name, whatever it says: `apt show update`. */
const reading = new Set(
  words(`${knownVerbs.low} policy depends rdepends deps uses provides which why log diff grep warnings cat wait`),
);

/** The level of what a word that only names something hides; undefined where it hides nothing. */
export function hiddenVerb(rule: CompiledRule, word: Arg, next: Arg | undefined): Risk | undefined {
  const isReading = reading.has(word.text) || reading.has(word.text.split("-")[0] ?? "");
  if (!next || isReading || rule.names.has("git")) return undefined;
  return rule.sub.get(next.text)?.level ?? (isOperators(rule) ? undefined : changing.get(next.text));
}
