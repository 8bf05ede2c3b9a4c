import type { Deps } from "../../features/context.ts";
import { heldWords, liftOf } from "../../features/incident/hold.ts";
import type { Tx } from "../../store/database/open.ts";
import { holdsOn, isStanding } from "../../store/holds.ts";
import { type Incident, sessionOf } from "../../store/incidents.ts";
import type { Call } from "../command.ts";

/** Undefined if the agent takes a turn; otherwise says what to type next. */
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

/** The comment that reaches the agent with the command, so that it reads it once. Undefined if more stands above the line, e.g. a quote. */
export function toldBy({ slash, event: { comment } }: Pick<Call, "slash" | "event">): number | undefined {
  const isMention = slash.rest === comment.body;
  return isMention || comment.body.trimStart().startsWith("/") ? comment.id : undefined;
}
