import { findSimilar } from "../../runbooks/match/similar.ts";
import { actionsOf } from "../../store/actions.ts";
import type { Incident } from "../../store/incidents.ts";
import { type PastIncident, pastIncidents, type Similar } from "../../store/past-incidents.ts";
import { runsOf } from "../../store/runs.ts";
import { type Turn, turnsOf } from "../../store/turns.ts";
import { redactText } from "../../text/bare.ts";
import { delimit } from "../../text/read/visible.ts";
import type { Deps, RepoContext } from "../context.ts";
import { daysAgo } from "../proposal/track-record.ts";
import { agentsCause, fixesOf } from "./cause.ts";

const most = 3;
const maxHelped = 5;
const maxCharacters = 300;

/**
 * The closed incidents of this very repository that read like this one, with what they were and what helped; none where that is
 * unknown, or a turn was taken that has told of them.
 */
export async function similarTo(
  deps: Pick<Deps, "store" | "redact" | "now" | "ask">,
  { incident, turns }: { readonly incident: Incident; readonly turns: readonly Turn[] },
  { rules }: Pick<RepoContext, "rules">,
): Promise<readonly Similar[]> {
  if (turns.some(({ offline }) => !offline || !deps.ask)) return [];
  const now = deps.now();
  const past = await pastIncidents(deps.store.db, { repoId: incident.repoId, asOf: now });
  const servers = rules.servers.map(({ name }) => name);
  const found = findSimilar(incident, past, { servers, most });
  const told = await Promise.all(found.map((one) => tell(deps, one, { now, isPublic: incident.public })));
  return told.filter(({ cause, helped }) => cause !== null || helped.length > 0);
}

async function tell(
  { store: { db }, redact }: Pick<Deps, "store" | "redact">,
  { id, number, cause, closedAt }: PastIncident,
  { now, isPublic }: { readonly now: Date; readonly isPublic: boolean },
): Promise<Similar> {
  const past = { actions: await actionsOf(db, id), runs: await runsOf(db, id), turns: await turnsOf(db, id) };
  const agents = agentsCause(past);
  // The agent has read outputs, and quotes them: nothing of these may stand on a public issue (SR-11).
  const confirmed = agents?.isConfirmed && !isPublic ? agents.words : null;
  const line = (text: string): string =>
    redactText(redact, text).replace(/\s+/g, " ").trim().replace(/\.$/, "").slice(0, maxCharacters);
  return {
    number,
    closed: daysAgo(closedAt, now),
    cause: cause === null ? confirmed && line(confirmed) : line(cause),
    byAgent: cause === null,
    helped: fixesOf(past)
      .slice(-maxHelped)
      .map(({ spec }) => line(spec.command)),
  };
}

/** The same for the model, as data of others (SR-39). */
export const similarForModel = (similar: readonly Similar[], nonce: string): readonly string[] =>
  similar.length === 0
    ? []
    : [
        "Closed incidents of this repository that read like this one. Their cause need not be the cause now: look first.",
        delimit(similar.map(lineOf).join("\n"), "similar incidents", nonce),
      ];

const lineOf = ({ number, closed, cause, byAgent, helped }: Similar): string =>
  [
    `#${number}, closed ${closed}${cause === null ? "" : `: ${cause}${byAgent ? " (the agent's words, not verified)" : ""}`}`,
    ...(helped.length === 0 ? [] : [`helped: ${helped.join(", ")}`]),
  ].join("; ");
