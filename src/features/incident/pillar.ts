import type { Person } from "../../base/github.ts";
import type { IssueEvent } from "../../github/events.ts";
import { appendAudit } from "../../store/audit/chain.ts";
import type { Tx } from "../../store/database/open.ts";
import {
  findIncident,
  type Incident,
  lockIncident,
  type Pillar,
  pillars,
  sessionOf,
  setSession,
} from "../../store/incidents.ts";
import type { Deps } from "../context.ts";

const usual: Pillar = "troubleshoot";

/** Returns the pillar in a label, e.g. `pillar: revive`. Pure. */
export function pillarNamed(label: string, prefix: string): Pillar | undefined {
  const name = label.toLowerCase();
  const start = prefix.toLowerCase();
  return name.startsWith(start) ? pillars.find((pillar) => pillar === name.slice(start.length).trim()) : undefined;
}

/** Returns the pillar by labels; the default if none names one or two contradict. Pure. */
export function pillarOf(labels: readonly string[], prefix: string): Pillar {
  const named = new Set(labels.flatMap((label) => pillarNamed(label, prefix) ?? []));
  const [only = usual] = named;
  return named.size === 1 ? only : usual;
}

/** Sets the session's pillar and audits who did, if it changes (AR-16). */
export async function changePillar(
  tx: Tx,
  incident: Pick<Incident, "id">,
  to: Pillar,
  by: { readonly person: Person; readonly means: { readonly commentId: number } | { readonly label: string } },
): Promise<void> {
  const { pillar: from } = await sessionOf(tx, incident.id);
  if (from === to) return;
  const { id, login } = by.person;
  await setSession(tx, incident.id, { pillar: to });
  await appendAudit(tx, {
    kind: "pillar_changed",
    incidentId: incident.id,
    body: { from, to, by: { id, login }, ...by.means },
  });
}

/** Follows a pillar label. Safe, because GitHub requires triage rights, and only the prompt changes. */
export async function pillarByLabel(deps: Pick<Deps, "store" | "config">, event: IssueEvent): Promise<void> {
  const { action, issue, label, labels, sender } = event;
  const prefix = deps.config.incident.pillarLabel;
  const named = label === undefined ? undefined : pillarNamed(label, prefix);
  if (label === undefined || named === undefined || (action !== "labeled" && action !== "unlabeled")) return;
  const to = action === "labeled" ? named : pillarOf(labels, prefix);
  await deps.store.transaction(async (tx) => {
    const incident = await findIncident(tx, issue.repoId, issue.number);
    if (!incident) return;
    await changePillar(tx, await lockIncident(tx, incident.id), to, { person: sender, means: { label } });
  });
}
