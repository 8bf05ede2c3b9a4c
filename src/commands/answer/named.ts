import type { SlashCommand } from "../../slash/grammar.ts";
import type { Action } from "../../store/actions.ts";
import { alone, missingNumber, nothingRun, unknownNumber } from "./refusals.ts";

/** What a slash command about one action means, or what to say instead. */
export type NamedAction =
  | { readonly kind: "found"; readonly action: Action }
  | { readonly kind: "mistake"; readonly body: string };

/** The one action whose number stands behind the verb. Pure. */
export function oneNamed({ verb, ids }: Pick<SlashCommand, "verb" | "ids">, actions: readonly Action[]): NamedAction {
  const [id, ...more] = ids === "all" ? [] : ids;
  if (!id) return { kind: "mistake", body: nothingRun(missingNumber(verb, actions)) };
  if (more.length > 0) return { kind: "mistake", body: nothingRun(`One number at a time: \`/${verb} ${id.number}\`.`) };
  const action = actions.find(({ number }) => number === id.number);
  return action ? { kind: "found", action } : { kind: "mistake", body: alone(unknownNumber(id.number), actions) };
}
