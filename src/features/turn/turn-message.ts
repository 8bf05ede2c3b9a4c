import * as z from "zod";
import { type ParsedAction, readActionList, readActions, singleTools, toListItem } from "../../agent/reply/actions.ts";
import { parseReply } from "../../agent/reply/protocol.ts";
import { readArguments } from "../../agent/tools.ts";
import { checksIn, isUnfinished, memberOf, type NamedValue } from "../../base/action.ts";
import { type ChatMessage, type Hypothesis, phases } from "../../base/agent.ts";
import { type Risk, risks } from "../../base/risk.ts";
import { type Ending, stopsRest, wentWell } from "../../base/run.ts";
import { endingWords, exitWords } from "../../github/render/ending.ts";
import { inTellingOrder } from "../../github/render/hypotheses.ts";
import { duration } from "../../github/render/ink.ts";
import type { Approval } from "../../store/actions.ts";
import type { AlertRow } from "../../store/alerts.ts";
import { type AuditFilter, auditRows } from "../../store/audit/chain.ts";
import { factsOf, readEvent } from "../../store/audit/events.ts";
import type { Db, Tx } from "../../store/database/open.ts";
import { type EarlierRun, rowsOf, type TurnRows } from "../../store/incident-rows.ts";
import type { Incident, IncidentChanges, Session } from "../../store/incidents.ts";
import type { Lease } from "../../store/leases.ts";
import { outputsOf } from "../../store/outputs.ts";
import type { SimilarIncident } from "../../store/past-incidents.ts";
import type { PullRequestRow } from "../../store/pull-requests.ts";
import { type Question, questionId } from "../../store/questions.ts";
import type { Job } from "../../store/queue/queue.ts";
import type { Batch, Run } from "../../store/runs.ts";
import { redactText } from "../../text/bare.ts";
import { delimit, visible } from "../../text/read/visible.ts";
import { findTrouble } from "../../text/trouble.ts";
import { changesForModel } from "../changes/read-changes.ts";
import type { Deps, RepoContext } from "../context.ts";
import { policyInForce } from "../proposal/in-force.ts";
import type { AskedTurn } from "../proposal/same-action.ts";
import { type DrawnAction, joinViews, offIssue } from "../thread/views.ts";
import type { NewComments } from "./conversation.ts";
import type { Records, Runbooks } from "./runbooks.ts";

/** What a turn starts from, and its message to the model (AR-13, AR-15, PA-2, SR-36, SR-39). */

/** A running command's output when a person gave it to the agent, for all servers with the same. */
const soFarSchema = z.object({
  number: z.number(),
  servers: z.array(z.string()).readonly(),
  command: z.string(),
  /** Cleaned, redacted and cut. */
  output: z.string(),
  ranMs: z.number(),
});
export type RunSoFar = Readonly<z.output<typeof soFarSchema>>;

/** The comment that says only this, so that the agent does not read it twice. */
const told = z.number().optional();

export const causeSchema = z.discriminatedUnion("kind", [
  /** Fresh issues have no comments. */
  z.object({ kind: z.literal("opened"), fresh: z.boolean().optional() }),
  z.object({ kind: z.literal("asked"), personId: z.number(), login: z.string(), text: z.string(), told }),
  z.object({ kind: z.literal("batch-ended"), numbers: z.array(z.number()) }),
  z.object({
    kind: z.literal("continued"),
    personId: z.number(),
    login: z.string(),
    runs: z.array(soFarSchema).readonly(),
  }),
  /** The note is in the session's instructions. */
  z.object({ kind: z.literal("investigated"), personId: z.number(), login: z.string(), noted: z.boolean() }),
  z.object({
    kind: z.literal("rejected"),
    personId: z.number(),
    login: z.string(),
    numbers: z.array(z.number()),
    reason: z.string(),
    told,
  }),
  z.object({ kind: z.literal("answered"), personId: z.number(), number: z.number(), told }),
]);
export type Cause = z.output<typeof causeSchema>;

/** An ended run, for all servers with the same end and output. */
export interface RunResult extends Pick<Run, "outcome" | "trouble" | "startedAt" | "durationMs"> {
  readonly number: number;
  readonly servers: readonly string[];
  readonly command: string;
  /** It changes nothing. */
  readonly reads: boolean;
  /** The change it probed. */
  readonly probes?: number | undefined;
  readonly output: string;
  readonly ending: Ending;
}

export interface AgentTurn {
  readonly incident: Incident;
  readonly session: Session;
  /** Read again after each wait. */
  rows: TurnRows;
  readonly repoContext: RepoContext;
  readonly runbooks: Runbooks;
  readonly records: Records;
  /** From alert, form and people. */
  readonly values: readonly NamedValue[];
  /** Those that the model knows, with what it reads in this turn. */
  runs: readonly RunResult[];
  /** The batches whose results it reads in this turn. */
  told: readonly Batch[];
  /** What `effectOf` says of riskier proposals of this turn that count against the lease already. */
  readonly raised: Set<string>;
  /** Reads that a lease did not run after all and left to people. */
  readonly handedBack: Set<number>;
  /** Similar earlier incidents, unless people or the agent have read of them. */
  readonly similar: readonly SimilarIncident[];
  /** Undefined if the agent knows them. */
  repoChanges: IncidentChanges | undefined;
  /** Undefined if people opened the issue. */
  readonly alert?: AlertNow | undefined;
  readonly cause: Cause;
  readonly personId: number | undefined;
  /** Later events are the next turn's. */
  readonly askedAt: Date;
  readonly signal: AbortSignal;
  /** Throws if another process has the turn. */
  readonly fence: Job["fence"];
  readonly onStatus: (doing: string) => void;
}

/** A person, or an alert that fires again, asks how it is now. */
export const askedOf = ({ cause, askedAt }: Pick<AgentTurn, "cause" | "askedAt">): AskedTurn => ({
  isAsked:
    ["asked", "answered", "investigated"].includes(cause.kind) || (cause.kind === "opened" && cause.fresh === false),
  askedAt,
});

const byId = (one: Pick<EarlierRun, "id">, other: Pick<EarlierRun, "id">): number => (one.id < other.id ? -1 : 1);

/** The ended runs, oldest first, with outputs as people see them. */
export async function pastRuns(
  deps: { readonly store: { readonly db: Db | Tx } },
  incident: Pick<Incident, "public">,
  { actions, pastActions, ...rows }: Pick<TurnRows, "actions" | "runs" | "pastActions" | "pastRuns">,
): Promise<readonly RunResult[]> {
  const all = new Map([...pastActions, ...actions].map((action) => [action.id, action]));
  const ended = [...rows.pastRuns, ...rows.runs].filter(({ ending }) => ending).sort(byId);
  const outputs = await outputsOf(
    deps.store.db,
    ended.map(({ id }) => id),
  );
  const past: RunResult[] = [];
  for (const run of ended) {
    const action = all.get(run.actionId);
    if (!action || !run.ending) continue;
    const kept = outputs.get(run.id);
    const output = incident.public && !kept?.withheld ? offIssue(run) : (kept?.excerpt ?? "");
    past.push({
      number: action.number,
      servers: [run.server],
      command: memberOf(action.spec, run).command,
      reads: action.spec.risk === "low",
      probes: action.spec.probes,
      output,
      ending: run.ending,
      outcome: run.outcome,
      trouble: run.trouble,
      startedAt: run.startedAt,
      durationMs: run.durationMs,
    });
  }
  const alike = Map.groupBy(past, ({ number, command, output, ending, outcome, trouble }) =>
    JSON.stringify([number, command, output, ending, outcome, trouble]),
  );
  return [...alike.values()].flatMap(([first, ...same]) =>
    first
      ? [
          {
            ...first,
            servers: [first, ...same].flatMap(({ servers }) => servers),
            durationMs: Math.max(...[first, ...same].map(({ durationMs }) => durationMs ?? 0)),
          },
        ]
      : [],
  );
}

interface MessageInput
  extends Pick<AgentTurn, "cause" | "runs">,
    Partial<Pick<AgentTurn, "similar" | "repoChanges" | "alert">> {
  readonly pullRequests?: readonly PullRequestRow[];
  /** Whose results it tells, by number. */
  readonly told: readonly number[];
  readonly incident: Pick<Incident, "phase" | "confidence" | "title" | "body" | "number">;
  readonly session: Pick<Session, "nonce" | "steps" | "stepLimit">;
  readonly heard: NewComments;
  readonly changes?: string | undefined;
  /** The surely fitting runbook, delimited; only before the first reply. */
  readonly runbook?: { readonly name: string; readonly text: string } | undefined;
  /** Runbooks that fit alike, so that none is loaded; only before the first reply. */
  readonly rivals?: readonly string[];
  /** Oldest first. */
  readonly questions: readonly Question[];
  readonly hypotheses?: readonly Hypothesis[];
  /** Of what the model can use from now on. */
  readonly rules?: readonly string[];
  readonly now: Date;
}

/**
 * Tells the model what happened since its last turn; others' words are delimited. Time, step and phase are here and not in the system
 * prompt, because they always change.
 */
export function turnMessage(input: MessageInput): string {
  const {
    incident,
    session,
    heard,
    changes,
    runbook,
    rivals = [],
    questions,
    hypotheses = [],
    similar = [],
    rules = [],
    now,
  } = input;
  const head = `It is ${now.toISOString().slice(0, 16)}Z, step ${session.steps + 1} of ${session.stepLimit}, phase ${phases.indexOf(incident.phase) + 1} (${incident.phase}).`;
  const waiting = questions.filter(({ answeredAt }) => answeredAt === null).map(questionId);
  return [
    head,
    ...(input.alert ? [alertWords(input.alert, now)] : []),
    ...(input.pullRequests ?? []).map(pullRequestForModel),
    ...(changes === undefined ? [] : [changes]),
    ...(heard.comments.length > 0 ? ["People have written on the issue:", ...heard.comments] : []),
    ...(heard.rights === "" ? [] : [`Of those who wrote, ${heard.rights}.`]),
    ...(waiting.length > 0 ? [`Not answered yet: your ${waiting.join(", ")}. Do not ask it again.`] : []),
    ...(hypotheses.length > 0 ? [hypothesesForModel(hypotheses, input)] : []),
    ...describeCause(input),
    ...(input.cause.kind === "batch-ended" || input.told.length === 0
      ? []
      : ["Commands have run since your last reply:", ...resultsOf(input)]),
    ...(runbook
      ? [
          `The runbook ${runbook.name} fits, so it is loaded. Its checks stand open above, beside what you propose: do not repeat them.\n${runbook.text}`,
        ]
      : []),
    ...(rivals.length > 0
      ? [
          `${rivals.length} runbooks list this alert: ${rivals.join(", ")}. So none is loaded and no check of theirs stands open: \`use_skill\` loads the one that fits.`,
        ]
      : []),
    ...similarForModel(similar, session.nonce),
    ...changesForModel(input.repoChanges, session.nonce),
    ...rules,
  ].join("\n\n");
}

/** Renders them for the model, marked as others' data. */
function similarForModel(similar: readonly SimilarIncident[], nonce: string): readonly string[] {
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

/** `- disk, likely, for run 3, against run 5: the debug log fills /var` */
function hypothesesForModel(
  hypotheses: readonly Hypothesis[],
  { incident: { confidence }, session: { nonce } }: MessageInput,
): string {
  const runs = (side: string, numbers: readonly number[]): string =>
    numbers.length === 0 ? "" : `, ${side} run ${numbers.join(", ")}`;
  const lines = inTellingOrder(hypotheses).map(
    ({ id, says, status, forRuns, againstRuns }) =>
      `- ${id}, ${status}${runs("for", forRuns)}${runs("against", againstRuns)}: ${says}`,
  );
  const isUnsaid = confidence === "CONFIRMED" && !hypotheses.some(({ status }) => status === "confirmed");
  return [
    `Your hypotheses so far; name those that have changed${isUnsaid ? ", and which of them your CONFIRMED was about, if any" : ""}:`,
    delimit(lines.join("\n"), "your hypotheses", nonce),
  ].join("\n");
}

/** `Pull request 12 of your patch is open, a draft; of its checks 3 passed, 1 failed.` */
function pullRequestForModel({ number, state, seen }: PullRequestRow): string {
  const { passed = 0, failed = 0, pending = 0 } = seen?.checks ?? {};
  const checks =
    passed + failed + pending === 0 ? "" : `; of its checks ${passed} passed, ${failed} failed, ${pending} go on`;
  const asked = seen?.changesRequested.length ? "; a reviewer asked for changes" : "";
  return `Pull request ${number} of a patch is ${state}${state === "open" ? `${checks}${asked}` : ""}.`;
}

type AlertNow = Pick<AlertRow, "source" | "state" | "severity" | "firedAt" | "startedAt" | "resolvedAt">;

/** `The alert of alertmanager is firing, since 12:04Z (8min ago).` */
function alertWords({ source, state, severity, firedAt, startedAt, resolvedAt }: AlertNow, now: Date): string {
  const since = state === "resolved" ? resolvedAt : (startedAt ?? firedAt);
  const grade = severity ? `, ${severity}` : "";
  const ago = (at: Date): string =>
    `${at.toISOString().slice(0, 16)}Z (${duration(Math.max(0, now.getTime() - at.getTime()))} ago)`;
  const began = startedAt && state === "resolved" ? `; it had begun at ${ago(new Date(startedAt))}` : "";
  return `The alert of ${source}${grade} is ${state}${since ? ` since ${ago(new Date(since))}` : ""}${began}.`;
}

function describeCause(input: MessageInput): readonly string[] {
  const { session, questions, cause } = input;
  const { nonce } = session;
  switch (cause.kind) {
    case "opened":
      return ["An incident was opened. Say what you think and propose what to look at first.", issueOf(input)];
    case "investigated":
      return [
        session.steps === 0
          ? `${cause.login} has taken this issue in as an incident. Say what you think and propose what to look at first.`
          : `${cause.login} asks you to look at this incident again. Say what you think now and propose what comes next.`,
        ...(cause.noted ? ["What they tell you for it stands at the end of the session instructions."] : []),
        ...(session.steps === 0 ? [issueOf(input)] : []),
      ];
    case "asked":
      return ["A person asks:", delimit(cause.text, `comment by ${cause.login}`, nonce)];
    case "batch-ended":
      return [
        ...(session.steps === 0
          ? [
              "An incident was opened. Reads have run under a lease; say what they show and propose what comes next.",
              issueOf(input),
            ]
          : []),
        "Commands have run:",
        ...resultsOf(input),
      ];
    case "continued":
      return [
        `${cause.login} asks you to read what a command that still runs has said so far. Say what it shows; its end will be told to you too.`,
        ...cause.runs.map((run) => soFarOf(run, nonce)),
      ];
    case "rejected":
      return [
        `${cause.login} has turned down all that was open: ${cause.numbers.join(", ")}. Think again, by the reason they give, and say what comes next.`,
        delimit(cause.reason, `reason by ${cause.login}`, nonce),
      ];
    case "answered":
      return questions.filter(({ number }) => number === cause.number).flatMap((question) => answerTo(question, nonce));
  }
}

const issueOf = ({ incident, session, heard }: MessageInput): string =>
  heard.opener
    ? delimit(`${incident.title}\n\n${incident.body}`, `issue #${incident.number}`, session.nonce)
    : "[the issue's own text is by an outsider and omitted]";

function answerTo({ number, text, answer, answeredByLogin }: Question, nonce: string): readonly string[] {
  const who = answeredByLogin ?? "somebody";
  if (answer?.toLowerCase() === "skip")
    return [`${who} skips your question q${number}. Go on without an answer to it.`];
  return [
    `${who} answers your question q${number} (${text}). Go on with it.`,
    delimit(answer ?? "", `answer to q${number} by ${who}`, nonce),
  ];
}

/** Whether the run went wrong or its output reports trouble. */
export const isTroubled = (run: RunResult): boolean => !wentWell(run) || run.trouble !== null;

/** A person types `/output 3 2 web-1`; the model has a tool. */
const forModel = (output: string): string =>
  output.replace(/ · \/output (\d+)(?: (\d+))?(?: ([\w.-]+))? ⋯/g, (_mark, action, check, server) => {
    const of = [`action ${action}`, ...(check ? [`check ${check}`] : []), ...(server ? [`server ${server}`] : [])];
    return ` · read_output shows it: ${of.join(", ")} ⋯`;
  });

/** The results of the actions told, delimited. */
export const resultsOf = ({
  runs,
  told,
  session: { nonce },
}: Pick<MessageInput, "runs" | "told"> & { readonly session: Pick<Session, "nonce"> }): readonly string[] =>
  runs.filter(({ number }) => told.includes(number)).map((run) => resultOf(run, nonce));

/** In so few lines the one with the trouble is not said again. */
const shortLines = 8;

function resultOf(run: RunResult, nonce: string): string {
  const { number, servers, command, probes, output, ending, outcome, trouble, startedAt, durationMs } = run;
  const probe = probes === undefined ? "" : `, a probe of what ${probes} would do,`;
  // Lets the model find it in a log.
  const took = startedAt === null ? "" : `, ${startedAt.toISOString().slice(11, 19)}Z, ${duration(durationMs ?? 0)}`;
  const surprise = outcome?.kind === "surprise" ? ` (a surprise: ${outcome.why})` : "";
  const lines = output.trimEnd().split("\n");
  const isPlain = lines.length <= shortLines && lines.some((line) => line.includes(trouble ?? ""));
  const troubleLine = trouble === null || isPlain ? "" : `\n  ⋯ trouble in it: ${trouble} ⋯`;
  return [
    `Run of ${number}${probe} on ${servers.join(", ")}${took}: ${endingWords(ending, outcome)}${surprise}${isTroubled(run) ? ". It reports trouble: address it." : "."}`,
    delimit(`$ ${command}\n${forModel(output) || "(no output)"}${troubleLine}`, `output of ${number}`, nonce),
  ].join("\n");
}

function soFarOf({ number, servers, command, output, ranMs }: RunSoFar, nonce: string): string {
  const trouble = findTrouble(output).length > 0 ? " It reports trouble: address it." : "";
  return [
    `Run of ${number} on ${servers.join(", ")}: still running after ${duration(ranMs)}, not ended.${trouble}`,
    delimit(`$ ${command}\n${output === "" ? "(nothing so far)" : output}`, `output of ${number} so far`, nonce),
  ].join("\n");
}

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
  const since = last && (await readAuditChanges(deps, incident.id, from));
  const known = new Set(rows.actions.map(({ number }) => number));
  // What was settled meanwhile is told as well.
  const isWhole = since === undefined ? rows.pastActions.length === 0 : since.touched.isSubsetOf(known);
  const line = describeChanges({
    actions: joinViews(isWhole ? rows : await rowsOf(deps.store.db, incident.id)).map((action) => ({
      ...action,
      people:
        action.spec.risk === "block"
          ? undefined
          : policyInForce(repoContext, action, deps.now())[action.spec.risk].approvals,
      // Each by itself: hidden text in one must not hide the others.
      verdicts: action.verdicts.map((verdict) => ({ ...verdict, reason: visible(verdict.reason).trim() })),
    })),
    since,
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
  const intro = last ? "Actions since your last reply:" : "Actions so far:";
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
