import type { Person } from "../../base/github.ts";
import { appendAudit } from "../../store/audit/chain.ts";
import type { Tx } from "../../store/database/open.ts";
import { type Incident, type Pillar, pillars, sessionOf, setSession } from "../../store/incidents.ts";

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
