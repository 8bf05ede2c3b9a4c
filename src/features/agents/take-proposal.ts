import * as z from "zod";
import { actionsOf } from "../../store/actions.ts";
import type { Tx } from "../../store/database/open.ts";
import { findIncidents, lockIncident } from "../../store/incidents.ts";
import { setDeliveryOutcome } from "../../store/queue/deliveries.ts";
import type { Job } from "../../store/queue/queue.ts";
import { redactText } from "../../text/bare.ts";
import { visible } from "../../text/read/visible.ts";
import { type Deps, loadRepoContext } from "../context.ts";
import { tenancyOf } from "../intake/tenancy.ts";
import { readEarlier } from "../proposal/earlier.ts";
import { preparePatches } from "../proposal/prepare-patch.ts";
import { addProposal, draftAction } from "../proposal/propose.ts";
import { isLiveAction, repeatedBy } from "../proposal/same-action.ts";
import { show } from "../thread/show.ts";
import { authorOf, callerNamed, isBy, repositoryFor, serversOf, whyTooMany } from "./caller.ts";

/** Stored with the proposal's delivery. */
export const outcomeSchema = z.union([
  z.object({ incidentId: z.string(), number: z.number() }),
  z.object({ refused: z.string() }),
]);
type ProposalOutcome = z.output<typeof outcomeSchema>;

const payloadSchema = z.object({
  guid: z.string(),
  agent: z.string(),
  repository: z.string(),
  issue: z.number(),
  server: z.string(),
  command: z.string(),
  why: z.string(),
});

const maxWhyCharacters = 300;

/**
 * Makes it an action like a person's `/run`, with the stored answer in one transaction (AG-4). An equal open command is the answer too,
 * because the agent may call again.
 */
export async function takeProposal(deps: Deps, job: Job, payload: unknown): Promise<void> {
  const proposal = payloadSchema.parse(payload);
  const end = (work: (tx: Tx) => Promise<ProposalOutcome>): Promise<void> =>
    deps.store.transaction(async (tx) => {
      const result = await work(tx);
      await setDeliveryOutcome(tx, proposal.guid, JSON.stringify(result));
      await job.settle(tx);
      const outcome = "refused" in result ? "refused" : "open";
      deps.log.info({ module: "agent", event: "agent_proposal", agent: proposal.agent, outcome });
    });
  const refuse = (refused: string): Promise<void> => end(async () => ({ refused }));
  const caller = callerNamed(deps.config, proposal.agent);
  const repo = caller && repositoryFor(deps.config, caller, proposal.repository);
  if (!caller || repo === undefined) return refuse("The operator has taken this agent or its repository out.");
  const { db } = deps.store;
  const known = (await findIncidents(db, proposal.issue)).find((one) => one.repo.toLowerCase() === repo.toLowerCase());
  if (!known) return refuse(`Issue ${proposal.issue} of ${repo} is not an incident.`);
  const tenancy = await tenancyOf(deps, db, { ...known, private: !known.public });
  if (tenancy.kind !== "served") return refuse(`Countersign does not work in ${repo}.`);
  const repoContext = await loadRepoContext(deps, known);
  const reach = {
    ...repoContext,
    rules: { ...repoContext.rules, servers: serversOf(caller, repoContext.rules.servers) },
  };
  const why = redactText(deps.redact, visible(redactText(deps.redact, proposal.why)));
  const written = {
    title: `Proposed by the agent ${proposal.agent} (MCP)`,
    description: why.replace(/\s+/g, " ").trim().slice(0, maxWhyCharacters),
    server: proposal.server,
    command: proposal.command,
  };
  const [prepared = written] = await preparePatches(deps, reach, [written], known);
  const drafted = draftAction(deps, reach, prepared, {
    origin: "person",
    author: authorOf(proposal.agent),
    isAgent: true,
    model: null,
    promptSha256: null,
    earlier: await readEarlier(db, known.id),
  });
  if (drafted.kind === "refused") return refuse(`${drafted.why.replace(/(?<![.!?])$/, ".")}`);
  const { draft } = drafted;

  return end(async (tx) => {
    const incident = await lockIncident(tx, known.id);
    if (incident.state === "closed") return { refused: "This incident is closed." };
    const own = (await actionsOf(tx, incident.id)).filter((action) => isBy(proposal.agent, action));
    const live = own.filter((action) => isLiveAction(deps, repoContext, action));
    const [same] = repeatedBy(repoContext, live, draft);
    if (same) return { incidentId: incident.id, number: same.number };
    const by = authorOf(proposal.agent);
    const caps = callerNamed(deps.config, proposal.agent) ?? deps.config.policy.proposers;
    const tooMany = await whyTooMany(tx, by, { caps, now: deps.now() });
    if (tooMany !== undefined) return { refused: tooMany };
    const { number } = await addProposal(tx, incident, draft, { by });
    await show(tx, deps, incident);
    return { incidentId: incident.id, number };
  });
}
