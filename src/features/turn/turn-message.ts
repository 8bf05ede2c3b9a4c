import * as z from "zod";
import { memberOf } from "../../base/action.ts";
import { phases } from "../../base/agent.ts";
import { type Ending, type Outcome, wentWell } from "../../base/run.ts";
import { endingWords } from "../../github/render/ending.ts";
import { duration } from "../../github/render/ink.ts";
import type { IncidentRows } from "../../store/incident-rows.ts";
import type { Incident, IncidentChanges, Session } from "../../store/incidents.ts";
import { outputsOf } from "../../store/outputs.ts";
import type { Similar } from "../../store/past-incidents.ts";
import { type Question, questionId } from "../../store/questions.ts";
import { delimit } from "../../text/read/visible.ts";
import { findTrouble } from "../../text/trouble.ts";
import { changesForModel } from "../changes/read-changes.ts";
import type { Deps } from "../context.ts";
import { similarForModel } from "../incident/similar.ts";
import { offIssue } from "../run/off-issue.ts";
import type { NewComments } from "./conversation.ts";

/** What a running command had said when somebody gave it to the agent; servers that said the same are one. */
const soFarSchema = z.object({
  number: z.number(),
  servers: z.array(z.string()).readonly(),
  command: z.string(),
  /** Cleaned, redacted and cut, as outputs are. */
  output: z.string(),
  ranMs: z.number(),
});
export type RunSoFar = Readonly<z.output<typeof soFarSchema>>;

/** The comment that said it, where it says nothing else: it is not heard a second time among the others. */
const told = z.number().optional();

/** Why the agent takes a turn. */
export const causeSchema = z.discriminatedUnion("kind", [
  /** Fresh: opened as an incident, so that nobody can have commented on it before. */
  z.object({ kind: z.literal("opened"), fresh: z.boolean().optional() }),
  z.object({ kind: z.literal("asked"), personId: z.number(), login: z.string(), text: z.string(), told }),
  z.object({ kind: z.literal("batch-ended"), numbers: z.array(z.number()) }),
  z.object({
    kind: z.literal("continued"),
    personId: z.number(),
    login: z.string(),
    runs: z.array(soFarSchema).readonly(),
  }),
  /** Somebody has taken the issue in by hand, or wants it looked at again; what they said of it is in the session's instructions. */
  z.object({ kind: z.literal("investigated"), personId: z.number(), login: z.string(), noted: z.boolean() }),
  /** Somebody has turned down all that was open, and said why. */
  z.object({
    kind: z.literal("rejected"),
    personId: z.number(),
    login: z.string(),
    numbers: z.array(z.number()),
    reason: z.string(),
    told,
  }),
  /** Somebody has answered the question of this number (AR-13). */
  z.object({ kind: z.literal("answered"), personId: z.number(), number: z.number(), told }),
]);
export type Cause = z.output<typeof causeSchema>;

/** Whose own comment starts the turn: their part 1 of the prompt holds in it (PA-2). */
export const commenterOf = (cause: Cause): number | undefined => ("personId" in cause ? cause.personId : undefined);

/** A run that has ended, with as much of its output as is read at once. */
export interface ToldRun {
  readonly number: number;
  /** Where it ran; several servers that ended alike and said the same are one. */
  readonly servers: readonly string[];
  readonly command: string;
  /** The number of the change that it was a probe of. */
  readonly probes?: number | undefined;
  readonly output: string;
  readonly ending: Ending;
  /** What came of what was expected of it, where something was. */
  readonly outcome: Outcome | null;
  /** The line of all of its output that tells most of trouble. */
  readonly trouble: string | null;
  /** When it began, and how long it took; of several servers the first of them, and the longest. */
  readonly startedAt: Date | null;
  readonly durationMs: number | null;
}

/** The runs of an incident that have ended, oldest first, their outputs cut as people see them on its issue. */
export async function pastRuns(
  deps: Deps,
  incident: Incident,
  { actions, runs }: Pick<IncidentRows, "actions" | "runs">,
): Promise<readonly ToldRun[]> {
  const ended = runs.filter(({ ending }) => ending);
  const outputs = await outputsOf(
    deps.store.db,
    ended.map(({ id }) => id),
  );
  const past: ToldRun[] = [];
  for (const run of ended) {
    const action = actions.find((candidate) => candidate.id === run.actionId);
    if (!action || !run.ending) continue;
    const kept = outputs.get(run.id);
    const output = incident.public && !kept?.withheld ? offIssue(run) : (kept?.excerpt ?? "");
    past.push({
      number: action.number,
      servers: [run.server],
      command: memberOf(action.spec, run).command,
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

/**
 * The newest message to the model: what happened since its last turn, with the time, step and phase, which change every
 * time and so stand here and not in the system prompt. Everything that others wrote stands between delimiters (SR-39).
 */
export function turnMessage(input: {
  readonly incident: Pick<Incident, "phase" | "title" | "body" | "number">;
  readonly session: Pick<Session, "nonce" | "steps" | "stepLimit">;
  readonly cause: Cause;
  readonly runs: readonly ToldRun[];
  readonly heard: NewComments;
  /** What became of the actions since the last reply. */
  readonly changes?: string | undefined;
  /** The runbook that surely fits, before the first reply. */
  readonly runbook?: string | undefined;
  /** The agent's own questions to people, oldest first. */
  readonly questions: readonly Question[];
  /** Incidents of before that read like this one, and that it has not heard of. */
  readonly similar?: readonly Similar[];
  readonly repoChanges?: IncidentChanges | undefined;
  readonly now: Date;
}): string {
  const { incident, session, cause, heard, changes, runbook, questions, similar = [], now } = input;
  const head = `It is ${now.toISOString().slice(0, 16)}Z, step ${session.steps + 1} of ${session.stepLimit}, phase ${phases.indexOf(incident.phase) + 1} (${incident.phase}).`;
  const talk = heard.comments.length > 0 ? ["People have written on the issue:", ...heard.comments] : [];
  const who = heard.rights === "" ? [] : [`Of them: ${heard.rights}.`];
  const waiting = questions.filter(({ answeredAt }) => answeredAt === null).map(questionId);
  const open = waiting.length > 0 ? [`Not answered yet: your ${waiting.join(", ")}. Do not ask it again.`] : [];
  return [
    head,
    ...(changes === undefined ? [] : [changes]),
    ...talk,
    ...who,
    ...open,
    ...happened(input, cause),
    ...(runbook === undefined ? [] : [runbook]),
    ...similarForModel(similar, session.nonce),
    ...changesForModel(input.repoChanges, session.nonce),
  ].join("\n\n");
}

function happened(input: Parameters<typeof turnMessage>[0], cause: Cause): readonly string[] {
  const { session, runs, questions } = input;
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
        "Commands have run. Read each result, say what it shows, and propose what comes next.",
        ...runs.filter((run) => cause.numbers.includes(run.number)).map((run) => resultOf(run, nonce)),
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

const issueOf = ({ incident, session, heard }: Parameters<typeof turnMessage>[0]): string =>
  heard.opener
    ? delimit(`${incident.title}\n\n${incident.body}`, `issue #${incident.number}`, session.nonce)
    : "[the issue's own text is by an outsider and omitted]";

/** AR-13: the words of the answer, or that people pass the question by. */
function answerTo({ number, text, answer, answeredByLogin }: Question, nonce: string): readonly string[] {
  const who = answeredByLogin ?? "somebody";
  if (answer?.toLowerCase() === "skip")
    return [`${who} skips your question q${number}. Go on without an answer to it.`];
  return [
    `${who} answers your question q${number} (${text}). Go on with it.`,
    delimit(answer ?? "", `answer to q${number} by ${who}`, nonce),
  ];
}

/** AR-15: it did not go well, or its output says that something is wrong. */
export const isTroubled = (run: ToldRun): boolean => !wentWell(run) || run.trouble !== null;

/** The line of it that tells most of trouble, wherever it stands. */
const troubleIn = ({ trouble }: ToldRun): string => (trouble === null ? "" : `\n  ⋯ trouble in it: ${trouble} ⋯`);

const surpriseOf = ({ outcome }: ToldRun): string =>
  outcome?.kind === "surprise" ? ` (a surprise: ${outcome.why})` : "";

function resultOf(run: ToldRun, nonce: string): string {
  return [
    `Run of ${run.number}${run.probes === undefined ? "" : `, a probe of what ${run.probes} would do,`} on ${run.servers.join(", ")}${tookOf(run)}: ${endingWords(run.ending, run.outcome)}${surpriseOf(run)}${isTroubled(run) ? ". It reports trouble: address it." : "."}`,
    delimit(`$ ${run.command}\n${run.output || "(no output)"}${troubleIn(run)}`, `output of ${run.number}`, nonce),
  ].join("\n");
}

/** `, 14:02:11Z, 0.3 s`: when, to hold it against a log, and how long. */
const tookOf = ({ startedAt, durationMs }: ToldRun): string =>
  startedAt === null ? "" : `, ${startedAt.toISOString().slice(11, 19)}Z, ${duration(durationMs ?? 0)}`;

function soFarOf({ number, servers, command, output, ranMs }: RunSoFar, nonce: string): string {
  const trouble = findTrouble(output).length > 0 ? " It reports trouble: address it." : "";
  return [
    `Run of ${number} on ${servers.join(", ")}: still running after ${duration(ranMs)}, not ended.${trouble}`,
    delimit(`$ ${command}\n${output === "" ? "(nothing so far)" : output}`, `output of ${number} so far`, nonce),
  ].join("\n");
}
