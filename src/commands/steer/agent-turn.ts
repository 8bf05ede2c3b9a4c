import type { Deps } from "../../features/context.ts";
import { heldWords, liftOf } from "../../features/incident/hold.ts";
import type { Tx } from "../../store/database/open.ts";
import { holdsOn, isStanding } from "../../store/holds.ts";
import { type Incident, sessionOf } from "../../store/incidents.ts";
import type { Call } from "../command.ts";

/** Says why the agent takes no turn on an incident now, and what to type next; undefined if it takes one. */
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

/**
 * The comment of a command whose words reach the agent with the command itself, so that it does not hear them twice. Undefined if
 * more stands above the line, such as a quote or a pasted output.
 */
export function toldBy({ slash, event: { comment } }: Pick<Call, "slash" | "event">): number | undefined {
  const isMention = slash.rest === comment.body;
  return isMention || comment.body.trimStart().startsWith("/") ? comment.id : undefined;
}
