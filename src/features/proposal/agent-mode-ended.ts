import { autoModeOf } from "../../store/auto-mode.ts";
import type { Tx } from "../../store/database/open.ts";
import type { Incident } from "../../store/incidents.ts";
import { slots } from "../../store/outbox/slots.ts";
import { wantComments } from "../../store/outbox/wanted.ts";
import type { Deps, RepoContext } from "../context.ts";
import { threadOf } from "../thread/show.ts";
import { autoStandingOf, endAuto } from "./agent-mode.ts";

/** Ends agent mode where nobody said `/auto off`, and says so in a comment of its own: from now on people have to decide. */
export async function endAutoAloud(
  tx: Tx,
  { markdown }: Pick<Deps, "markdown">,
  incident: Incident,
  why: string,
): Promise<void> {
  const mode = await autoModeOf(tx, incident.id);
  if (!mode || !(await endAuto(tx, incident, why))) return;
  const body = `🤖 **Agent mode has ended**: ${markdown.plain(why)}. Every step waits for an \`/approve\` again; \`/auto on\` switches it on again.`;
  await wantComments(tx, threadOf(incident), [{ slot: slots.agentMode(mode.commentId), body }]);
}

/** Ends it where its steps are used up, or a hold or a failure came since; nothing where it goes on or is off for now. */
export async function endAutoIfOver(tx: Tx, deps: Deps, repoContext: RepoContext, incident: Incident): Promise<void> {
  const standing = await autoStandingOf(deps, tx, repoContext, incident);
  if (standing.kind === "off" && standing.isOver) await endAutoAloud(tx, deps, incident, standing.reason);
}
