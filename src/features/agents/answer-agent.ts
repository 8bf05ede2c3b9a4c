import * as z from "zod";
import { placeOfRun } from "../../base/action.ts";
import { sleep } from "../../base/clock.ts";
import { stricter } from "../../base/risk.ts";
import { type McpCaller, serversFor } from "../../config/values.ts";
import { endingWords } from "../../github/render/ending.ts";
import { issueUrl } from "../../github/web.ts";
import { admit, maxCommandBytes } from "../../risk/admit.ts";
import { type Action, actionOf, approvalsOfAction } from "../../store/actions.ts";
import { partsOf } from "../../store/incident-rows.ts";
import { findIncidents, type Incident, incidentOf } from "../../store/incidents.ts";
import { outputOf, outputParts } from "../../store/outputs.ts";
import { agentArrival, createInbox } from "../../store/queue/arrival.ts";
import { findDelivery } from "../../store/queue/deliveries.ts";
import { runsOf } from "../../store/runs.ts";
import { readOutput } from "../../text/page.ts";
import type { Deps } from "../context.ts";
import { targetServersOf } from "../proposal/target-servers.ts";
import { osOf, whyUnfit } from "../run/target.ts";
import { callerNamed, isBy, repositoryFor, serversOf } from "./caller.ts";
import { outcomeSchema } from "./take-proposal.ts";

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
