import * as z from "zod";
import { actionsOf } from "../../store/actions.ts";
import type { Tx } from "../../store/database/open.ts";
import { findIncidents, type Incident, lockIncident } from "../../store/incidents.ts";
import { setDeliveryOutcome } from "../../store/queue/deliveries.ts";
import type { Job } from "../../store/queue/queue.ts";
import { redactText } from "../../text/bare.ts";
import { visible } from "../../text/read/visible.ts";
import { type Deps, loadRepoContext, type RepoContext } from "../context.ts";
import { tenancyOf } from "../intake/tenancy.ts";
import { type DraftResult, draftAction } from "../proposal/draft.ts";
import { addProposal } from "../proposal/propose.ts";
import { isLiveAction, repeatedBy } from "../proposal/same-action.ts";
import { show } from "../thread/show.ts";
import { authorOf, callerNamed, isBy, repositoryFor, serversOf } from "./caller.ts";
import { whyTooMany } from "./caps.ts";

/** What became of a proposal, as its delivery keeps it. */
export const outcomeSchema = z.union([
  z.object({ incidentId: z.string(), number: z.number() }),
  z.object({ refused: z.string() }),
]);
type Outcome = z.output<typeof outcomeSchema>;

const payloadSchema = z.object({
  guid: z.string(),
  agent: z.string(),
  repository: z.string(),
  issue: z.number(),
  server: z.string(),
  command: z.string(),
  why: z.string(),
});
type Asked = z.output<typeof payloadSchema>;

/** What was found for a proposal before the transaction that makes an action of it. */
interface Found {
  readonly incident: Incident;
  readonly repoContext: RepoContext;
  readonly draft: Extract<DraftResult, { kind: "draft" }>["draft"];
}

/**
 * Makes an agent's proposal an action, judged, numbered and shown as a person's `/run` is, and leaves the answer with its delivery,
 * all in one transaction (AG-4). Where the agent has the same command open already, that is the answer: it may ask again.
 */
export async function takeProposal(deps: Deps, job: Job, payload: unknown): Promise<void> {
  const asked = payloadSchema.parse(payload);
  const found = await find(deps, asked);
  await deps.store.transaction(async (tx) => {
    const outcome = "refused" in found ? found : await add(tx, deps, asked.agent, found);
    await setDeliveryOutcome(tx, asked.guid, JSON.stringify(outcome));
    await job.settle(tx);
    const failed = "refused" in outcome;
    deps.log.info({
      module: "agent",
      event: "agent_proposal",
      agent: asked.agent,
      outcome: failed ? "refused" : "open",
    });
  });
}

const refuse = (refused: string): { readonly refused: string } => ({ refused });
const maxWhyCharacters = 300;

async function find(deps: Deps, asked: Asked): Promise<Found | { readonly refused: string }> {
  const caller = callerNamed(deps.config, asked.agent);
  const repo = caller && repositoryFor(deps.config, caller, asked.repository);
  if (!caller || repo === undefined) return refuse("The operator has taken this agent or its repository out.");
  const { db } = deps.store;
  const known = (await findIncidents(db, asked.issue)).find((one) => one.repo.toLowerCase() === repo.toLowerCase());
  if (!known) return refuse(`Issue ${asked.issue} of ${repo} is not an incident.`);
  const tenancy = await tenancyOf(deps, db, { ...known, private: !known.public });
  if (tenancy.kind !== "served") return refuse(`Countersign does not work in ${repo}.`);
  const repoContext = await loadRepoContext(deps, known);
  const reach = {
    ...repoContext,
    rules: { ...repoContext.rules, servers: serversOf(caller, repoContext.rules.servers) },
  };
  const why = redactText(deps.redact, visible(redactText(deps.redact, asked.why)));
  const drafted = draftAction(
    deps,
    reach,
    {
      title: `Proposed by the agent ${asked.agent} (MCP)`,
      description: why.replace(/\s+/g, " ").trim().slice(0, maxWhyCharacters),
      server: asked.server,
      command: asked.command,
    },
    { origin: "person", author: authorOf(asked.agent), isAgent: true, model: null, promptSha256: null },
  );
  return drafted.kind === "refused"
    ? refuse(`${drafted.why.replace(/(?<![.!?])$/, ".")}`)
    : { incident: known, repoContext, draft: drafted.draft };
}

async function add(
  tx: Tx,
  deps: Deps,
  agent: string,
  { incident: known, repoContext, draft }: Found,
): Promise<Outcome> {
  const incident = await lockIncident(tx, known.id);
  if (incident.state === "closed") return refuse("This incident is closed.");
  const own = (await actionsOf(tx, incident.id)).filter((action) => isBy(agent, action));
  const live = own.filter((action) => isLiveAction(deps, repoContext, action));
  const [same] = repeatedBy(repoContext, live, draft);
  if (same) return { incidentId: incident.id, number: same.number };
  const by = authorOf(agent);
  const caps = callerNamed(deps.config, agent) ?? deps.config.policy.proposers;
  const tooMany = await whyTooMany(tx, by, { caps, now: deps.now() });
  if (tooMany !== undefined) return refuse(tooMany);
  const { number } = await addProposal(tx, incident, draft, { by });
  await show(tx, deps, incident);
  return { incidentId: incident.id, number };
}
