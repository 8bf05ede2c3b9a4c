import * as z from "zod";
import { memberOf, type NamedValue } from "../../base/action.ts";
import { type Hypothesis, phases } from "../../base/agent.ts";
import { type Ending, wentWell } from "../../base/run.ts";
import { endingWords } from "../../github/render/ending.ts";
import { inTellingOrder } from "../../github/render/hypotheses.ts";
import { duration } from "../../github/render/ink.ts";
import type { AlertRow } from "../../store/alerts.ts";
import type { IncidentRows } from "../../store/incident-rows.ts";
import type { Incident, IncidentChanges, Session } from "../../store/incidents.ts";
import { outputsOf } from "../../store/outputs.ts";
import type { SimilarIncident } from "../../store/past-incidents.ts";
import type { PullRequestRow } from "../../store/pull-requests.ts";
import { type Question, questionId } from "../../store/questions.ts";
import type { Job } from "../../store/queue/queue.ts";
import type { Batch, Run } from "../../store/runs.ts";
import { delimit } from "../../text/read/visible.ts";
import { findTrouble } from "../../text/trouble.ts";
import { changesForModel } from "../changes/read-changes.ts";
import type { Deps, RepoContext } from "../context.ts";
import type { AskedTurn } from "../proposal/same-action.ts";
import { offIssue } from "../thread/views.ts";
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
  rows: IncidentRows;
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

/** The ended runs, oldest first, with outputs as people see them. */
export async function pastRuns(
  deps: Deps,
  incident: Incident,
  { actions, runs }: Pick<IncidentRows, "actions" | "runs">,
): Promise<readonly RunResult[]> {
  const ended = runs.filter(({ ending }) => ending);
  const outputs = await outputsOf(
    deps.store.db,
    ended.map(({ id }) => id),
  );
  const past: RunResult[] = [];
  for (const run of ended) {
    const action = actions.find((candidate) => candidate.id === run.actionId);
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
          `The runbook ${runbook.name} fits by its text, so it is loaded already. What you propose now comes beside its checks that stand open above: do not repeat them.\n${runbook.text}`,
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
