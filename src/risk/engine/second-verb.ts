/** What the second word of `TOOL NOUN VERB` says, where the first only names what it is about, or is not known. */
import type { Risk } from "../../base/risk.ts";
import { knownVerbs } from "../knowledge/verbs.ts";
import type { Compiled } from "../table.ts";
import type { Arg } from "./arg.ts";
import { levelsOf, words } from "./options.ts";

/** Of a program whose unknown words start programs of their own, no word behind one lowers anything. */
export const verbBehind = (rule: Compiled, second: Arg | undefined): Risk | undefined => {
  const level = verbSecond(rule, second);
  return level === "low" && rule.detail.otherSub === "medium" ? undefined : level;
};

/** What changes something behind a word that only names what it is about: `npm audit fix`, `brew services start`. */
const changing = new Map(levelsOf(knownVerbs).filter(([, risk]) => risk !== "low"));
const naming =
  /^(audit|services?|config|conf|settings|cache|history|logs?|status|stats|state|health|doctor|plugins?|users?|session|sessions|context|contexts|alarms?|repos|remotes|hosts?|env|info)$/;

/** The level of what a word that only names something hides; undefined where it hides nothing. */
export function hiddenVerb(rule: Compiled, first: Arg, second: Arg | undefined): Risk | undefined {
  if (!second || !naming.test(first.text) || rule.names.has("git")) return undefined;
  return rule.sub.get(second.text) ?? changing.get(second.text);
}

const readVerbs = new Set(words("list ls get show describe status info view inspect history lookup read ps tree"));

/** `TOOL NOUN VERB`: a noun that is not listed leaves the decision to a verb that is. */
function verbSecond(rule: Compiled, second: Arg | undefined): Risk | undefined {
  const level = second ? rule.sub.get(second.text) : undefined;
  if (level === "high" || level === "block") return level;
  return second && readVerbs.has(second.text) ? "low" : undefined;
}
