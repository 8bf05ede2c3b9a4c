import { type Action, type ActionDraft, addAction } from "../../store/actions.ts";
import { appendAudit } from "../../store/audit/chain.ts";
import type { AuditEvent } from "../../store/audit/events.ts";
import type { Tx } from "../../store/database/open.ts";
import type { Incident } from "../../store/incidents.ts";

type Told = Omit<AuditEvent<"command_proposed">["body"], "number" | "digest" | "place" | "risk">;

/** Makes a draft an action of the incident, under its reserved number or the next, and says so in the audit with what else is `told` (AR-02). */
export async function addProposal(
  tx: Tx,
  incident: Incident,
  draft: ActionDraft,
  told: Told,
  reserved?: number,
): Promise<Action> {
  const action = await addAction(tx, incident, draft, reserved);
  const { number, digest, spec } = action;
  await appendAudit(tx, {
    kind: action.state === "blocked" ? "command_blocked" : "command_proposed",
    incidentId: incident.id,
    body: { number, digest, place: spec.place, risk: spec.risk, ...told },
  });
  return action;
}
