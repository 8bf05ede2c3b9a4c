import { type ParsedAction, readActionList, readActions, singleTools, toListItem } from "../../agent/reply/actions.ts";
import { parseReply } from "../../agent/reply/protocol.ts";
import { readArguments } from "../../agent/tools.ts";
import { checksIn, isUnfinished } from "../../base/action.ts";
import type { ChatMessage } from "../../base/agent.ts";
import { type Risk, risks } from "../../base/risk.ts";
import { type Ending, stopsRest } from "../../base/run.ts";
import { exitWords } from "../../github/render/ending.ts";
import type { Approval } from "../../store/actions.ts";
import { type AuditFilter, auditRows } from "../../store/audit/chain.ts";
import { factsOf, readEvent } from "../../store/audit/events.ts";
import type { Lease } from "../../store/leases.ts";
import type { Batch, Run } from "../../store/runs.ts";
import { redactText } from "../../text/bare.ts";
import { delimit, visible } from "../../text/read/visible.ts";
import type { Deps } from "../context.ts";
import { policyInForce } from "../proposal/in-force.ts";
import { type DrawnAction, joinViews } from "../thread/views.ts";
import type { AgentTurn } from "./turn-message.ts";

type ChangedAction = Pick<
  DrawnAction,
  "number" | "state" | "stateReason" | "supersededBy" | "origin" | "authorLogin"
> & {
  readonly findings: readonly { readonly text: string }[];
  readonly spec: {
    readonly command: string;
    readonly place: string;
    readonly set?: readonly { readonly command: string }[] | undefined;
    readonly risk: Risk;
    readonly open?: readonly { readonly name: string }[] | undefined;
  };
  /** If more approvals are needed there than elsewhere. */
  readonly people?: number | undefined;
  readonly verdicts: readonly Pick<Approval, "login" | "verdict" | "via" | "reason">[];
  readonly runs: readonly Pick<Run, "ending" | "outcome">[];
};

/** By the actions' numbers. */
interface AuditChanges {
  readonly touched: ReadonlySet<number>;
  readonly added: ReadonlySet<number>;
  readonly leaseEnded: boolean;
}

interface ChangesInput {
  readonly actions: readonly ChangedAction[];
  /** Undefined before the first reply. */
  readonly since: AuditChanges | undefined;
  readonly batches: readonly Pick<Batch, "numbers" | "keepGoing">[];
  /** Approvals by risk. */
  readonly needed: Readonly<Record<"low" | "medium" | "high", number>>;
  readonly labels: ReplyLabels;
  readonly notes: readonly string[];
  /** Their results stand in the same message. */
  readonly shown?: ReadonlySet<number>;
  readonly lease: Pick<Lease, "login" | "servers" | "endsAt" | "maxCommands" | "used" | "offAt" | "offWhy"> | undefined;
  /** The servers of the repository. */
  readonly servedHere?: readonly string[];
}

/**
 * What became of the actions since the agent's last reply, in a line that replaces the slash comments: `1 exit 3 · 2, 3 not run (stopped at
 * 1), open · 8–10 turned down by mona: "not now"`. Empty if nothing changed but what the results say.
 */
export function describeChanges(input: ChangesInput): string {
  const { actions, since } = input;
  const isNew = ({ number }: ChangedAction): boolean => since?.added.has(number) ?? true;
  const changed = actions.filter((action) => isUnfinished(action) || (since?.touched.has(action.number) ?? true));
  const described = changed
    .map((action) => ({
      number: action.number,
      // A result is introduced beside its output.
      words: `${isNew(action) && action.state !== "done" ? introduce(action, input) : ""}${wordsOf(action, input)}`,
    }))
    .filter(({ words }) => words !== "");
  const raised = changed.flatMap((action) => {
    const { number, origin, spec } = action;
    const label = origin === "model" && isNew(action) ? input.labels.get(spec.command) : undefined;
    const isRaised = label !== undefined && risks.indexOf(spec.risk) > risks.indexOf(label);
    return isRaised ? [`${number} ${label} → ${spec.risk}`] : [];
  });
  return [
    ...[...Map.groupBy(described, ({ words }) => words)].map(
      ([words, same]) => `${rangesOf(same.map(({ number }) => number))} ${words}`,
    ),
    ...(raised.length > 0 ? [`raised: ${raised.join(", ")}`] : []),
    ...input.notes.map((note) => `people were told: ${quote(note, reasonCharacters)}`),
    ...leaseWords(input),
  ].join(" · ");
}

/** `1, 2, 5–7`. */
function rangesOf(numbers: readonly number[]): string {
  const runs: number[][] = [];
  for (const number of numbers) {
    const last = runs.at(-1);
    if (last && number === (last.at(-1) ?? 0) + 1) last.push(number);
    else runs.push([number]);
  }
  return runs.map((run) => (run.length > 2 ? `${run[0]}–${run.at(-1)}` : run.join(", "))).join(", ");
}

const commandCharacters = 60;

/** The agent has not written them, and what tells two alike apart may stand at their end. */
const othersCharacters = 300;

const reasonCharacters = 200;

/** People's text must not seem to end early. */
const quote = (text: string, most: number): string => {
  const line = text.replace(/\s+/g, " ").trim();
  return JSON.stringify(line.length > most ? `${line.slice(0, most)}…` : line);
};

const peopleFor = ({ spec: { risk }, people }: ChangedAction, { needed }: Pick<ChangesInput, "needed">): number =>
  risk === "block" ? 0 : (people ?? needed[risk]);

function introduce(action: ChangedAction, input: ChangesInput): string {
  const { origin, authorLogin, spec } = action;
  const whose = { person: `by ${authorLogin ?? "somebody"} `, offline: "of the runbook ", model: "" }[origin];
  const people = peopleFor(action, input);
  const risk = spec.risk === "block" ? "" : `, ${spec.risk}${people > 1 ? `, needs ${people} approvals` : ""}`;
  const most = origin === "model" ? commandCharacters : othersCharacters;
  const all = checksIn(spec).map(({ command }) => quote(command, most));
  const place = origin === "model" ? "" : ` on ${spec.place}`;
  return `${whose}${spec.set ? `${all.length} checks${place}: ` : ""}${all.join(", ")}${spec.set ? "" : place}${risk}, `;
}

function wordsOf(action: ChangedAction, { batches, actions, needed, shown }: ChangesInput): string {
  const { state, stateReason, verdicts, spec, supersededBy } = action;
  const approvals = verdicts.filter(({ verdict }) => verdict === "approve");
  const reasons = approvals
    .filter(({ reason, via }) => via === "comment" && reason.trim() !== "")
    .map(({ login, reason }) => `, ${login}: ${quote(reason, reasonCharacters)}`)
    .join("");
  switch (state) {
    case "proposed": {
      if (approvals.length > 0) return `waits, ${approvals.length} of ${peopleFor(action, { needed })}${reasons}`;
      if (stateReason === null) return "open";
      // The failed action that stopped the batch before this one.
      const batch = batches.findLast(({ numbers, keepGoing }) => !keepGoing && numbers.includes(action.number));
      const before = batch?.numbers.slice(0, batch.numbers.indexOf(action.number)) ?? [];
      const failed = (at: number): boolean =>
        actions.some(
          ({ number: other, spec, runs }) =>
            other === at && runs.some((run) => run.ending !== null && stopsRest(spec.risk, run)),
        );
      const stopped = before.findLast(failed);
      return stopped === undefined ? `open again: ${stateReason}` : `not run (stopped at ${stopped}), open`;
    }
    case "incomplete":
      return `waits for people's values: ${(spec.open ?? []).map(({ name }) => name).join(", ")}`;
    case "approved":
      return `approved, next in line${reasons}`;
    case "dispatching":
    case "running":
      return `running${reasons}`;
    case "done":
      if (!shown?.has(action.number)) return `${endingsOf(action)}${reasons}`;
      return reasons === "" ? "" : `approved${reasons}`;
    case "rejected": {
      const no = verdicts.find(({ verdict }) => verdict === "reject");
      const why = no && no.reason.trim() !== "" ? `: ${quote(no.reason, reasonCharacters)}` : "";
      return `turned down by ${no?.login ?? "somebody"}${why}`;
    }
    case "superseded":
      return supersededBy === null ? "taken back" : `replaced by ${supersededBy}`;
    case "blocked":
      return `blocked: ${action.findings[0]?.text ?? "by the rules"}`;
    default:
      return stateReason === null ? state : `${state}: ${stateReason}`;
  }
}

const endingsOf = ({ runs, spec }: Pick<ChangedAction, "runs" | "spec">): string => {
  const words = runs.map(({ ending }) => (ending ? endingOf(ending) : "unknown"));
  if (words.length < 2) return words[0] ?? "unknown";
  return [...Map.groupBy(words, (word) => word)]
    .map(([word, { length }]) => `${word} ${spec.set ? "in" : "on"} ${length}`)
    .join(", ");
};

function endingOf(ending: Ending): string {
  switch (ending.kind) {
    case "exited":
      return exitWords(ending);
    case "signalled":
      return `ended by ${ending.signal}`;
    case "cancelled":
      return `cancelled by ${ending.by}`;
    case "waiting-for-input":
      return "stopped: it asked for input";
    case "unreachable":
      return "not started: server not reached";
    case "timed-out":
      return "timed out";
    case "unknown":
      return "unknown whether it ran";
  }
}

function leaseWords({ lease, since, servedHere = [] }: ChangesInput): readonly string[] {
  if (!lease) return [];
  const { login, servers, endsAt, maxCommands, used, offAt, offWhy } = lease;
  // The environment section names them already.
  const isEverywhere = servedHere.length > 1 && servedHere.every((name) => servers.includes(name));
  if (offAt === null)
    return [
      `lease on (${login}) until ${endsAt.toISOString().slice(11, 16)}Z: what only reads on ${isEverywhere ? "every server here" : servers.join(", ")} runs at once, ${maxCommands - used} more`,
    ];
  return since?.leaseEnded ? [`lease ended (${offWhy ?? "by a person"})`] : [];
}

/** `describeChanges` from the rows, visible text only, delimited because people wrote parts (SR-37). */
export async function describeChangesSince(
  deps: Deps,
  { incident, session, repoContext, rows, runs, told }: AgentTurn,
  history: readonly ChatMessage[],
): Promise<string | undefined> {
  const last = rows.turns.findLast(({ offline }) => !offline);
  // It has read the audit up to its last message: what came while it thought is new to it.
  const heard = history.findLast((message) => message.role === "user" && message.auditSeq !== undefined);
  const from = heard?.role === "user" ? { after: heard.auditSeq } : { since: last?.createdAt };
  const { low, medium, high } = repoContext.rules.policy;
  const line = describeChanges({
    actions: joinViews(rows).map((action) => ({
      ...action,
      people:
        action.spec.risk === "block"
          ? undefined
          : policyInForce(repoContext, action, deps.now())[action.spec.risk].approvals,
      // Each by itself: hidden text in one must not hide the others.
      verdicts: action.verdicts.map((verdict) => ({ ...verdict, reason: visible(verdict.reason).trim() })),
    })),
    since: last && (await readAuditChanges(deps, incident.id, from)),
    batches: rows.batches,
    needed: { low: low.approvals, medium: medium.approvals, high: high.approvals },
    labels: labelsIn(history),
    notes: last?.notes ?? [],
    shown: new Set(
      runs.map(({ number }) => number).filter((number) => told.some(({ numbers }) => numbers.includes(number))),
    ),
    lease: rows.lease ?? undefined,
    servedHere: repoContext.rules.servers.map(({ name }) => name),
  });
  if (line === "") return undefined;
  const intro = last ? "What became of the actions since your last reply:" : "What stands here already:";
  return `${intro}\n${delimit(redactText(deps.redact, line), "actions", session.nonce)}`;
}

/** By command. */
type ReplyLabels = ReadonlyMap<string, Risk>;

const newest = 12;

/** Enough, because only commands that were taken are looked up. */
const most = 20;

/** Reads the risks in the newest replies' blocks and tool calls. Never throws. */
function labelsIn(history: readonly ChatMessage[]): ReplyLabels {
  const named = history
    .slice(-newest)
    .flatMap((message) => (message.role === "assistant" ? actionsIn(message) : []))
    .flatMap(({ params, risk }) => (params.command && risk ? [[params.command.trim(), risk] as const] : []));
  return new Map(named);
}

function actionsIn({ content, toolCalls = [] }: ChatMessage & { role: "assistant" }): readonly ParsedAction[] {
  const called = toolCalls.flatMap(({ name, arguments: json }) => {
    if (name === "propose_actions") return readActions(json, { maxActions: most }).actions;
    const single = singleTools.has(name) ? [toListItem(name, readArguments(json) ?? {})] : [];
    return readActionList(single, { maxActions: 1 }).actions;
  });
  return [...parseReply(content, { maxActions: most }).actions, ...called];
}

async function readAuditChanges(
  { store }: Deps,
  incidentId: string,
  from: Pick<AuditFilter, "after" | "since">,
): Promise<AuditChanges> {
  const [touched, added] = [new Set<number>(), new Set<number>()];
  let leaseEnded = false;
  for await (const rows of auditRows(store.db, { incidentId, ...from }))
    for (const event of rows.map(readEvent)) {
      const { number, digest } = factsOf(event);
      leaseEnded ||= event.kind === "lease_ended";
      // Only actions have a digest.
      if (number === undefined || digest === undefined) continue;
      touched.add(number);
      if (event.kind === "command_proposed" || event.kind === "command_blocked") added.add(number);
    }
  return { touched, added, leaseEnded };
}
