import { clock } from "../github/render/ink.ts";
import type { Incident } from "../store/incidents.ts";
import type { Before } from "../store/server-line.ts";

/** `web-1 is busy with 3 since 14:02Z`; of another repository no more than that. */
export function busyWords({ server, number, incidentId, repoId, issue, since }: Before, incident: Incident): string {
  const other = repoId === incident.repoId ? `${number} of issue ${issue}` : "a command of another repository";
  return `${server} is busy with ${incidentId === incident.id ? number : other}, in line since ${clock(since)}`;
}
