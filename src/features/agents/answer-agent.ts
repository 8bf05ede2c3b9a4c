import * as z from "zod";
import { placeOfRun } from "../../base/action.ts";
import { sleep } from "../../base/clock.ts";
import type { Person } from "../../base/github.ts";
import { stricter } from "../../base/risk.ts";
import type { Server } from "../../base/server.ts";
import { type Config, type McpCaller, repositoryIn, selectServers, serversFor } from "../../config/values.ts";
import { endingWords } from "../../github/render/ending.ts";
import { issueUrl } from "../../github/web.ts";
import { admit, maxCommandBytes } from "../../risk/admit.ts";
import { type Action, actionOf, actionsOf, approvalsOfAction, proposalsBy } from "../../store/actions.ts";
import type { Tx } from "../../store/database/open.ts";
import { partsOf } from "../../store/incident-rows.ts";
import { findIncidents, type Incident, incidentOf, lockIncident } from "../../store/incidents.ts";
import { outputOf, outputParts } from "../../store/outputs.ts";
import { agentArrival, createInbox, findDelivery, setDeliveryOutcome } from "../../store/queue/arrival.ts";
import type { Job } from "../../store/queue/queue.ts";
import { runsOf } from "../../store/runs.ts";
import { redactText } from "../../text/bare.ts";
import { readOutput } from "../../text/page.ts";
import { visible } from "../../text/read/visible.ts";
import { type Deps, loadRepoContext } from "../context.ts";
import { tenancyOf } from "../intake/tenancy.ts";
import { readEarlier, targetServersOf } from "../proposal/in-force.ts";
import { addProposal, draftAction, preparePatches } from "../proposal/propose.ts";
import { isLiveAction, repeatedBy } from "../proposal/same-action.ts";
import { osOf, whyUnfit } from "../run/target.ts";
import { show } from "../thread/post.ts";

const repository = z.string().max(200).optional().describe("owner/name; may be left out where you have one repository");
const issue = z.int().positive().describe("the number of the incident's issue");
const number = z.int().positive().describe("the proposal's number on that issue");
const server = z.string().min(1).max(500).describe("a server or group, or several with commas");
const command = z.string().min(1).max(maxCommandBytes).describe("the exact shell command");

const inputs = {
  propose: z.strictObject({ repository, issue, server, command, why: z.string().max(4_000).default("") }),
  status: z.strictObject({ repository, issue, number }),
  output: z.strictObject({ repository, issue, number, page: z.int().positive().default(1) }),
  explain: z.strictObject({ repository, command, server: server.optional() }),
};
type Tool = keyof typeof inputs;
type Input<T extends Tool> = z.output<(typeof inputs)[T]>;

const descriptions: Readonly<Record<Tool, string>> = {
  propose:
    "Proposes a command on an incident. Nothing runs until a person approves it on the issue. Calling again with the same arguments returns the same open proposal.",
  status: "How a proposal of yours stands: waiting, who approved, how its run ended.",
  output: "The redacted output of a proposal of yours that has run, page by page.",
  explain: "The risk of a command and the reasons, without proposing it.",
};

/** An agent's calls. None approves, rejects or stops anything (AG-3, AG-4, AG-5). */
export const agentTools = (Object.keys(inputs) as readonly Tool[]).map((name) => ({
  name,
  description: descriptions[name],
  inputSchema: z.toJSONSchema(inputs[name], { io: "input" }),
}));

/** From the operator's command line to a running bot. */
export const agentAskSchema = z.strictObject({
  ask: z.literal("agent"),
  agent: z.string(),
  tool: z.string(),
  input: z.unknown(),
});
export type AgentAsk = z.output<typeof agentAskSchema>;

/** `why` is for the agent. */
export type AgentAnswer = { readonly ok: true; readonly data: object } | { readonly ok: false; readonly why: string };

type AgentDeps = Pick<Deps, "store" | "config" | "evaluate">;
interface AgentCall {
  readonly outside: AgentDeps;
  readonly agent: string;
  readonly caller: McpCaller;
}

const no = (why: string): AgentAnswer => ({ ok: false, why });
const yes = (data: object): AgentAnswer => ({ ok: true, data });

/** Answers a call by store, policy and the agent's limits. Throws if the store fails. */
export async function answerAgent(outside: AgentDeps, { agent, tool, input }: AgentAsk): Promise<AgentAnswer> {
  const caller = callerNamed(outside.config, agent);
  if (!caller) return no("This agent is not in policy.proposers.mcp.");
  const asking = { outside, agent, caller };
  const given = <T extends Tool>(name: T, answer: (asking: AgentCall, input: Input<T>) => Promise<AgentAnswer>) => {
    const parsed = inputs[name].safeParse(input);
    return parsed.success ? answer(asking, parsed.data as Input<T>) : no(z.prettifyError(parsed.error).slice(0, 500));
  };
  switch (tool) {
    case "propose":
      return given(tool, propose);
    case "status":
      return given(tool, status);
    case "output":
      return given(tool, output);
    case "explain":
      return given(tool, explain);
    default:
      return no("There is no such tool.");
  }
}

const noRepository = ({ caller }: AgentCall) => no(`Name one of your repositories: ${caller.repositories.join(", ")}.`);

const waitMs = 20_000;
const lookEveryMs = 100;

/** If a process ends, the proposal is neither lost nor doubled. */
async function propose(asking: AgentCall, input: Input<"propose">): Promise<AgentAnswer> {
  const { outside, agent, caller } = asking;
  const { store, config } = outside;
  const repo = repositoryFor(config, caller, input.repository);
  if (repo === undefined) return noRepository(asking);
  const arrival = agentArrival(agent, { ...input, repository: repo });
  await createInbox(store).receive(arrival);
  const until = performance.now() + waitMs;
  for (;;) {
    const delivery = await findDelivery(store.db, arrival.guid);
    if (delivery?.state === "quarantined")
      return no("Countersign could not propose it. The operator finds why in the log.");
    if (delivery?.state === "done") {
      const outcome = outcomeSchema.parse(JSON.parse(delivery.outcome ?? "{}"));
      if ("refused" in outcome) return no(`Nothing was proposed. ${outcome.refused}`);
      const action = await actionOf(store.db, outcome.incidentId, outcome.number);
      if (!action) throw new Error(`there is no action ${outcome.number}`);
      return yes(await describe(outside, await incidentOf(store.db, outcome.incidentId), action));
    }
    if (performance.now() > until)
      return no("It is stored and not proposed yet. Call again with the same arguments to learn its number.");
    await sleep(lookEveryMs);
  }
}

async function status(asking: AgentCall, input: Input<"status">): Promise<AgentAnswer> {
  const found = await findOwn(asking, input);
  return "ok" in found ? found : yes(await describe(asking.outside, found.incident, found.action));
}

async function describe({ store, config }: AgentDeps, incident: Incident, action: Action): Promise<object> {
  const { number, digest, state, stateReason, spec, findings } = action;
  const rows = await partsOf(store.db, incident.id, "approvals", "runs");
  const runs = rows.runs.filter(({ actionId }) => actionId === action.id);
  return {
    repository: incident.repo,
    issue: incident.number,
    number,
    state,
    ...(stateReason === null ? {} : { stateReason }),
    risk: spec.risk,
    reasons: findings.map(({ text }) => text),
    digest,
    command: spec.command,
    servers: [...new Set(spec.targets.map((target) => target.server))],
    approvedBy: approvalsOfAction(rows.approvals, action).map(({ login }) => login),
    expiresAt: spec.expiresAt,
    runs: runs.map((run) => ({
      server: placeOfRun(run),
      result: run.ending === null ? "running" : endingWords(run.ending, run.outcome),
    })),
    url: issueUrl(config.github.apiUrl, { repo: incident.repo, issue: incident.number }),
    ...(state === "proposed" ? { next: `A person has to comment /approve ${number} on the issue.` } : {}),
  };
}

/** An agent does not learn that others' proposals exist. */
async function findOwn(
  asking: AgentCall,
  input: Input<"status">,
): Promise<AgentAnswer | { readonly incident: Incident; readonly action: Action }> {
  const { outside, agent, caller } = asking;
  const { db } = outside.store;
  const repo = repositoryFor(outside.config, caller, input.repository);
  if (repo === undefined) return noRepository(asking);
  const incidents = await findIncidents(db, input.issue);
  const incident = incidents.find((one) => one.repo.toLowerCase() === repo.toLowerCase());
  const action = incident && (await actionOf(db, incident.id, input.number));
  if (!incident || !action || !isBy(agent, action))
    return no(`You have no proposal ${input.number} on issue ${input.issue} of ${repo}.`);
  return { incident, action };
}

async function output(asking: AgentCall, input: Input<"output">): Promise<AgentAnswer> {
  const found = await findOwn(asking, input);
  if ("ok" in found) return found;
  const { store, config } = asking.outside;
  if (found.incident.public) return no("This repository is public, so outputs stay with the operator.");
  const runs = (await runsOf(store.db, found.incident.id)).filter(({ actionId }) => actionId === found.action.id);
  const ended = runs.filter(({ ending }) => ending !== null);
  if (ended.length === 0) return no(`Proposal ${input.number} has no output: it is ${found.action.state}.`);
  const outputs: object[] = [];
  for (const run of ended) {
    const kept = await outputOf(store.db, run.id);
    const part = { server: placeOfRun(run) };
    if (!kept) outputs.push({ ...part, withheld: "nothing is stored of it any more" });
    else if (kept.withheld !== null) outputs.push({ ...part, withheld: kept.withheld });
    else {
      const how = { kind: "page", page: input.page } as const;
      outputs.push({
        ...part,
        ...(await readOutput(outputParts(store.db, run.id), how, config.agent.outputCharacters)),
      });
    }
  }
  return yes({ number: input.number, outputs });
}

/** The strictest risk over the servers that can take the command; a named server must. */
async function explain(asking: AgentCall, input: Input<"explain">): Promise<AgentAnswer> {
  const { outside, caller } = asking;
  const repo = repositoryFor(outside.config, caller, input.repository);
  if (repo === undefined) return noRepository(asking);
  const admitted = admit(input.command, "model");
  if (!admitted.ok) return no(`It could not be proposed: ${admitted.reason}.`);
  const own = serversOf(caller, serversFor(outside.config, repo));
  const placed = input.server === undefined ? undefined : targetServersOf(own, input.server);
  if (placed !== undefined && placed.kind !== "placed") return no(`There is no such server. Yours: ${namesIn(own)}.`);
  const named = placed?.servers ?? own;
  if (named.length === 0) return no("You have no server in this repository.");
  const [unfit] = named.flatMap((one) => whyUnfit(one, admitted.command) ?? []);
  const servers = named.filter((one) => whyUnfit(one, admitted.command) === undefined);
  if (unfit && (placed !== undefined || servers.length === 0))
    return no(`It could not be proposed: ${unfit.reason}. Instead: ${unfit.remedy}.`);
  const verdicts = servers.map((one) => outside.evaluate(admitted.command, { ...one, os: osOf(one) }));
  const risk = verdicts.map((verdict) => verdict.risk).reduce(stricter, "low");
  const verdict = verdicts.find((one) => one.risk === risk);
  return yes({
    risk,
    reasons: verdict?.findings.map(({ text }) => text) ?? [],
    servers: servers.map(({ name }) => name),
  });
}

const namesIn = (servers: readonly { readonly name: string }[]): string =>
  servers.map(({ name }) => name).join(", ") || "none";

/** Calling again is safe. */
export const failed = {
  ok: false,
  why: "Countersign could not answer, and nothing was run. Call again with the same arguments.",
} as const satisfies AgentAnswer;

/** Answers and logs a call. Never throws. */
export async function answerAloud(deps: Deps, ask: AgentAsk): Promise<AgentAnswer> {
  const { agent } = ask;
  const tool = agentTools.find(({ name }) => name === ask.tool)?.name ?? "unknown";
  try {
    const answer = await answerAgent(deps, ask);
    deps.log.info({ module: "front", event: "agent_call", agent, tool, ok: answer.ok });
    return answer;
  } catch (error) {
    deps.log.error({ module: "front", event: "agent_call_failed", agent, tool, err: error });
    return failed;
  }
}

/** Stored with the proposal's delivery. */
const outcomeSchema = z.union([
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
 * Makes it an action like a person's `/run`, with the stored answer in one transaction. An equal open command is the answer too,
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

/** The agent of this name; undefined if the operator does not list it. */
export function callerNamed({ policy }: Pick<Config, "policy">, name: string): McpCaller | undefined {
  const { mcp } = policy.proposers;
  return Object.hasOwn(mcp, name) ? mcp[name] : undefined;
}

/** No account has the id 0, and no login has a colon. */
const authorOf = (agent: string): Person => ({ id: 0, login: `mcp:${agent}` });

/** Whether the agent made this proposal. */
const isBy = (agent: string, { authorId, authorLogin }: Action): boolean =>
  authorId === authorOf(agent).id && authorLogin === authorOf(agent).login;

/** The named repository, or the agent's only one, as in the operator's file. */
function repositoryFor(config: Config, { repositories }: McpCaller, named: string | undefined) {
  const [only, ...others] = repositories;
  const wanted = named ?? (others.length === 0 ? only : undefined);
  const isOwn = repositories.some((one) => one.toLowerCase() === wanted?.toLowerCase());
  return wanted !== undefined && isOwn ? repositoryIn(config, wanted)?.name : undefined;
}

/** The repository's servers that the agent may name. */
const serversOf = ({ servers: names }: McpCaller, servers: readonly Server[]): readonly Server[] =>
  selectServers(servers, names);

interface ProposalCaps {
  readonly openProposals: number;
  readonly proposalsPerHour: number;
}

const hourMs = 3_600_000;

/** Why an agent may propose no more now, in words for it. */
export async function whyTooMany(
  tx: Tx,
  agent: Person,
  { caps, now }: { readonly caps: ProposalCaps; readonly now: Date },
): Promise<string | undefined> {
  const { open, recent } = await proposalsBy(tx, agent, new Date(now.getTime() - hourMs));
  if (open >= caps.openProposals)
    return `You have ${open} proposals open, and an agent may have ${caps.openProposals}. Wait until people have decided.`;
  if (recent >= caps.proposalsPerHour)
    return `You have made ${recent} proposals within an hour, and an agent may make ${caps.proposalsPerHour}. Try again later.`;
  return undefined;
}
