import { type IncidentText, skillMatcher } from "../../runbooks/match/matcher.ts";
import { findSimilar } from "../../runbooks/match/similar.ts";
import { actionsOf } from "../../store/actions.ts";
import { hypothesesOf } from "../../store/hypotheses.ts";
import { type Incident, incidentOf } from "../../store/incidents.ts";
import { pastIncidents, type SimilarIncident } from "../../store/past-incidents.ts";
import { runsOf } from "../../store/runs.ts";
import { type Turn, turnsOf } from "../../store/turns.ts";
import { redactText } from "../../text/bare.ts";
import { delimit } from "../../text/read/visible.ts";
import { findTrouble } from "../../text/trouble.ts";
import type { Deps, RepoContext } from "../context.ts";
import { daysAgo } from "../proposal/track-record.ts";
import { readRunbooks } from "../turn/runbooks.ts";
import { agentsCause, foreignTexts } from "./cause.ts";
import { helpedIn } from "./helped.ts";

const most = 3;
const maxHelped = 5;
const maxCharacters = 300;

/** Finds the repository's similar closed incidents with a known cause or fix (SR-11, SR-39), until a turn has shown them. */
export async function similarTo(
  deps: Pick<Deps, "config" | "log" | "store" | "redact" | "now" | "ask">,
  { incident, turns }: { readonly incident: Incident; readonly turns: readonly Turn[] },
  repoContext: Pick<RepoContext, "rules" | "context">,
): Promise<readonly SimilarIncident[]> {
  if (turns.some(({ offline }) => !offline || !deps.ask)) return [];
  const now = deps.now();
  const past = await pastIncidents(deps.store.db, { repoId: incident.repoId, asOf: now });
  const servers = repoContext.rules.servers.map(({ name }) => name);
  const { skills, workflows } = readRunbooks(deps, repoContext);
  const match = skillMatcher(skills, workflows);
  const runbookOf = (text: IncidentText): string | undefined => {
    const { ranked, band } = match(text);
    return band === "high" ? ranked[0]?.name : undefined;
  };
  const found = findSimilar(incident, past, { servers, most, runbookOf, errorsIn });
  const { db } = deps.store;
  const line = (text: string): string =>
    redactText(deps.redact, text).replace(/\s+/g, " ").trim().replace(/\.$/, "").slice(0, maxCharacters);
  const similar = await Promise.all(
    found.map(async ({ id, number, cause, closedAt }): Promise<SimilarIncident> => {
      const history = {
        actions: await actionsOf(db, id),
        runs: await runsOf(db, id),
        turns: await turnsOf(db, id),
        hypotheses: await hypothesesOf(db, id),
      };
      // The hit has only the beginning of its text.
      const foreign = await foreignTexts(db, { ...history, incident: await incidentOf(db, id) });
      const agents = agentsCause({ ...history, foreign });
      // The agent quotes outputs, which a public issue must not show.
      const confirmed = agents?.isConfirmed && agents.words !== "" && !incident.public ? agents.words : null;
      const fixes = helpedIn(history).slice(-maxHelped);
      return {
        number,
        closed: daysAgo(closedAt, now),
        cause: cause === null ? confirmed && line(confirmed) : line(cause),
        byAgent: cause === null,
        helped: fixes.map(({ spec }) => line(spec.command)),
      };
    }),
  );
  return similar.filter(({ cause, helped }) => cause !== null || helped.length > 0);
}

const quoted = /```[^\n]*\n([\s\S]*?)```|`([^`\n]{12,300})`/g;

/** What programs said, in any language: all that is quoted, and what reads as trouble. */
function errorsIn({ title, body }: IncidentText): readonly string[] {
  const blocks = [...body.matchAll(quoted)].map(([, block, span]) => block ?? span ?? "");
  const told = findTrouble(`${title}\n${body}`).map(({ text }) => text);
  return [...blocks.flatMap((block) => block.split("\n")), ...told];
}

/** Renders them for the model, marked as others' data. */
export function similarForModel(similar: readonly SimilarIncident[], nonce: string): readonly string[] {
  if (similar.length === 0) return [];
  const lines = similar.map(({ number, closed, cause, byAgent, helped }) =>
    [
      `#${number}, closed ${closed}${cause === null ? "" : `: ${cause}${byAgent ? " (the agent's words, not verified)" : ""}`}`,
      ...(helped.length === 0 ? [] : [`helped: ${helped.join(", ")}`]),
    ].join("; "),
  );
  return [
    "Closed incidents of this repository that read like this one. Their cause need not be the cause now: look first.",
    delimit(lines.join("\n"), "similar incidents", nonce),
  ];
}
