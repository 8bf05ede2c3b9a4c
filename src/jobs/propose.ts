import { type Action, actionsOf, approvalsOf, moveAction } from "../store/actions.ts";
import { appendAudit } from "../store/audit.ts";
import type { Tx } from "../store/database.ts";
import type { Incident } from "../store/incidents.ts";
import { slots } from "../store/slots.ts";
import type { Turn } from "../store/turns.ts";
import type { Reading } from "../types.ts";
import { addProposal } from "./add-proposal.ts";
import { startAuto } from "./auto.ts";
import { draftAction } from "./draft.ts";
import { isUnderWay, repeatedBy } from "./same-action.ts";
import type { Ground, World } from "./world.ts";

/**
 * Makes a reading's proposals into numbered actions; what is open already keeps its number and its card. They replace what else
 * the agent proposed before and nobody has decided on yet; what a person wrote, and what has an approval, stays (PA-6). What
 * cannot be an action is said on the card (PA-4).
 */
export async function propose(
  tx: Tx,
  world: World,
  ground: Ground,
  given: {
    readonly incident: Incident;
    readonly turn: Turn;
    readonly reading: Reading;
    readonly origin: "model" | "offline";
    readonly promptSha256: string | null;
    readonly replaces: boolean;
  },
): Promise<void> {
  const { incident, turn, reading, origin } = given;
  const open = (await actionsOf(tx, incident.id)).filter((action) => isUnderWay(world, ground, action));
  const undecided = await undecidedOn(tx, incident, open);
  const refused: string[] = [];
  const made: Action[] = [];
  const kept = new Set<Action>();
  for (const proposal of reading.proposals) {
    const drafted = draftAction(world, ground, proposal, {
      origin,
      card: slots.card(turn.step),
      model: origin === "model" ? modelName(world) : null,
      promptSha256: given.promptSha256,
    });
    if (drafted.kind === "refused") {
      refused.push(drafted.why);
      continue;
    }
    const repeated = repeatedBy(ground, [...open, ...made], drafted.draft);
    if (repeated) {
      kept.add(repeated);
      if (repeated.state !== "proposed" && repeated.state !== "blocked")
        refused.push(`${repeated.number} is the same command and under way, so it is not proposed again.`);
      continue;
    }
    const action = await addProposal(tx, incident, drafted.draft, {
      origin,
      rulesVersion: drafted.draft.spec.rulesVersion,
    });
    made.push(action);
    logProposal(world, incident, action);
  }
  const firstNew = made[0]?.number;
  for (const action of given.replaces ? undecided.filter((one) => !kept.has(one)) : []) {
    const moved = await moveAction(tx, action, {
      from: "proposed",
      to: "superseded",
      ...(firstNew === undefined ? {} : { supersededBy: firstNew }),
    });
    if (!moved) continue;
    await appendAudit(tx, {
      kind: "command_superseded",
      incidentId: incident.id,
      body: { number: action.number, digest: action.digest, by: firstNew ?? null },
    });
  }
  const again = undecided.filter((action) => kept.has(action));
  await startAuto(tx, world, ground, { incident, actions: [...again, ...made] });
  if (refused.length === 0) return;
  const notes = [...reading.notes, ...refused];
  await tx
    .updateTable("turn")
    .set({ notes: JSON.stringify(notes) })
    .where("id", "=", turn.id)
    .execute();
}

/** S14.8 for what is blocked; for the rest how long people waited for it. */
function logProposal(world: World, { createdAt }: Incident, { number, state, origin, spec, findings }: Action): void {
  const line = { module: "agent", number, risk: spec.risk, origin, place: spec.place };
  if (state === "blocked") {
    const reason = findings[0]?.text;
    world.log.warn({ ...line, event: "tool_blocked", tool: "propose_actions", command: spec.command, reason });
    return;
  }
  const sinceOpenedMs = world.now().getTime() - createdAt.getTime();
  world.log.info({ ...line, event: "command_proposed", sinceOpenedMs });
}

const modelName = (world: World): string | null => world.config.model.endpoints[0]?.model ?? null;

/** What the agent has proposed and nobody has said anything to. */
async function undecidedOn(tx: Tx, { id }: Incident, open: readonly Action[]): Promise<readonly Action[]> {
  const approved = new Set((await approvalsOf(tx, id)).map(({ actionId }) => actionId));
  return open.filter((action) => action.state === "proposed" && action.origin !== "person" && !approved.has(action.id));
}
