import type { Deps } from "../../features/context.ts";
import { heldWords, liftOf } from "../../features/incident/hold.ts";
import type { Tx } from "../../store/database/open.ts";
import { holdsOn, isStanding } from "../../store/holds.ts";
import { type Incident, sessionOf } from "../../store/incidents.ts";

/** Why the agent takes no turn on an incident now and what to type next, as a sentence; nothing where it takes one. */
export async function whyNoTurn(
  tx: Tx,
  { markdown }: Pick<Deps, "markdown">,
  incident: Incident,
): Promise<string | undefined> {
  const hold = (await holdsOn(tx, incident)).find(isStanding);
  if (hold) return `The agent is paused: ${markdown.plain(heldWords(hold))}. \`${liftOf(hold)}\` lifts that.`;
  const { steps, stepLimit } = await sessionOf(tx, incident.id);
  return steps < stepLimit ? undefined : `The agent has used up its ${stepLimit} steps; \`/resume\` grants more.`;
}
