import type { Id } from "../../slash/grammar.ts";
import { actionElsewhere } from "../../store/actions.ts";
import type { Tx } from "../../store/database/open.ts";
import type { Incident } from "../../store/incidents.ts";
import type { CommandRefusal } from "./refusals.ts";

/**
 * Says where an action is whose digest was named, when it belongs to another issue of this repository: an approval counts in
 * its own issue alone (SR-25). Nothing where there is none, and never a word of another repository.
 */
export async function elsewhere(tx: Tx, incident: Incident, { number, pin }: Id): Promise<CommandRefusal | undefined> {
  if (pin === undefined) return undefined;
  const found = await actionElsewhere(tx, incident, pin);
  return found === undefined
    ? undefined
    : { what: `**${number}@${pin}** is **${found.number}** of issue ${found.issue} and is approved only there` };
}
