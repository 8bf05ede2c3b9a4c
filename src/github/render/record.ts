import * as z from "zod";
import { placeOfRun } from "../../base/action.ts";
import { parseJson } from "../../base/json.ts";
import type { Ending, ScheduledStep } from "../../base/run.ts";
import type { Action, Approval } from "../../store/actions.ts";
import type { Run } from "../../store/runs.ts";
import type { Schedule, ScheduleRun } from "../../store/schedules.ts";
import { endingNote, resultWords } from "./ending.ts";
import { duration, type Markdown, paragraphs, renderCommand, utcMinute } from "./ink.ts";

/**
 * Hidden lines for programs without the store (DC-6): who proposed which digest, which comments approved it, each run's end and the SHA-256
 * of its redacted output. The raw output's hash stays off the issue, because it would prove a guess of a short secret.
 */
const proposalSchema = z.object({
  action: z.number(),
  digest: z.string(),
  /** `model`, `runbook`, or a person's `@login`. */
  by: z.string(),
});
const runsSchema = z.object({
  action: z.number(),
  /** Login and comment. */
  approvals: z.array(z.tuple([z.string(), z.number()])),
  /** Server, command of a set; exit code or a word; SHA-256 of the output, null if it stays off the issue. */
  runs: z.array(z.tuple([z.string(), z.union([z.number(), z.string()]), z.string().nullable()])),
  /** Further runs, without room. */
  more: z.number().optional(),
});
const lineSchema = z.union([runsSchema, proposalSchema]);

export type RunsRecord = z.infer<typeof runsSchema>;
export type RecordLine = z.infer<typeof lineSchema>;

/** The exit code, or a word. */
export const endOf = (ending: Ending): number | string => (ending.kind === "exited" ? ending.code : ending.kind);

/** The author, else the model or a runbook. */
export const proposerOf = ({ origin, authorLogin }: Pick<Action, "origin" | "authorLogin">): string =>
  origin === "person" ? `@${authorLogin ?? "ghost"}` : origin === "model" ? "model" : "runbook";

export interface RecordedAction extends Pick<Action, "number"> {
  readonly verdicts: readonly Pick<Approval, "verdict" | "login" | "commentId">[];
  readonly runs: readonly Pick<Run, "server" | "step" | "ending" | "redactedSha256">[];
}

export const renderProposalRecords = (
  actions: readonly Pick<Action, "number" | "digest" | "origin" | "authorLogin">[],
): string =>
  actions.map((action) => line({ action: action.number, digest: action.digest, by: proposerOf(action) })).join("\n");

/** On hundreds of servers outputs are cut first. */
const maxRunsCharacters = 16_000;

/** Without output hashes on a public issue. */
export function renderRunRecords(actions: readonly RecordedAction[], isPublic: boolean): string {
  let room = maxRunsCharacters;
  const lines = actions.flatMap(({ number, verdicts, runs }) => {
    const all = runs.flatMap(({ ending, redactedSha256, ...run }): RunsRecord["runs"] =>
      ending ? [[placeOfRun(run), endOf(ending), isPublic ? null : redactedSha256]] : [],
    );
    if (all.length === 0) return [];
    const fit = all.filter((run) => {
      room -= JSON.stringify(run).length + 1;
      return room > 0;
    });
    const approvals = verdicts
      .filter(({ verdict }) => verdict === "approve")
      .map(({ login, commentId }): [string, number] => [login, commentId]);
    const more = all.length - fit.length;
    return [line({ action: number, approvals, runs: fit, ...(more > 0 ? { more } : {}) })];
  });
  return lines.join("\n");
}

const line = (record: RecordLine): string => `<!-- countersign-record ${inComment(JSON.stringify(record))} -->`;

/** Escapes what could end the HTML comment. */
const inComment = (json: string): string => json.replaceAll(">", "\\u003e").replaceAll("--", "-\\u002d");

/** Reads only the end of our comment, because an output may print the same. */
export function readRecords(body: string): readonly RecordLine[] {
  const lines = body.trimEnd().split(/\r?\n/);
  const first = lines.findLastIndex((text) => !text.startsWith("<!-- countersign-record ")) + 1;
  return lines.slice(first).flatMap((text) => {
    const json = /^<!-- countersign-record (.*) -->$/.exec(text)?.[1] ?? "";
    // A changed one counts for nothing.
    const record = lineSchema.safeParse(parseJson(json));
    return record.success ? [record.data] : [];
  });
}

export const withRecords = (body: string, records: string): string => (records === "" ? body : `${body}\n\n${records}`);

type ScheduleRunView = Pick<ScheduleRun, "dueAt" | "state" | "why" | "steps">;

interface ScheduleView extends Pick<Schedule, "failures"> {
  /** Undefined if not, or if said before. */
  readonly suspended: string | undefined;
  /** The newest first. */
  readonly runs: readonly ScheduleRunView[];
}

const states = {
  claimed: "⏳ about to begin",
  running: "▶️ running",
  ok: "✅ went well",
  failed: "❌ failed",
  "not-run": "⏸️ not run",
  missed: "⏭️ missed",
} as const satisfies Record<ScheduleRunView["state"], string>;

/** Of a comment's 65,536 characters. */
const outputRoom = 30_000;

/** The newest with its outputs, a line for each earlier one (AR-08). */
export function renderRecord({ failures, suspended, runs }: ScheduleView, markdown: Markdown): string {
  const [latest, ...before] = runs;
  return [
    ...(suspended === undefined ? [] : [`⏸️ **Suspended:** ${markdown.note(suspended)}`]),
    ...(failures > 1 ? [`❌ **${failures} failures in a row**`] : []),
    ...(latest
      ? [`**${headOf(latest, markdown)}**`, ...latest.steps.map((step) => stepOf(step, latest.steps.length, markdown))]
      : []),
    ...(before.length > 0
      ? [["**Before that**", "", ...before.map((run) => `- ${headOf(run, markdown)}`)].join("\n")]
      : []),
  ].join("\n\n");
}

const headOf = ({ dueAt, state, why }: ScheduleRunView, markdown: Markdown): string =>
  `${utcMinute(dueAt)} · ${states[state]}${why === null ? "" : ` · ${markdown.note(why)}`}`;

export function stepOf(step: ScheduledStep, of: number, markdown: Markdown): string {
  const { skipped, ending, outcome = null, durationMs, excerpt = "" } = step;
  const words = skipped !== undefined ? "⏸️ left out" : ending ? resultWords(step, markdown) : "▶️ running";
  const took = ending && durationMs ? ` · ${duration(durationMs)}` : "";
  const note = ending ? endingNote({ ending, outcome }, markdown.note) : markdown.note(skipped ?? "");
  const room = Math.floor(outputRoom / Math.max(of, 1));
  const shown =
    excerpt.length > room ? `${excerpt.slice(0, room)}\n  ⋯ cut here, since this comment is full ⋯` : excerpt;
  return paragraphs(
    `${step.step}. ${words}${took} · ${markdown.code(step.server)} · ${markdown.plain(step.title)}`,
    note,
    renderCommand(step.command, markdown),
    shown === "" ? "" : `<details><summary>output</summary>\n\n${markdown.fence(shown, "text")}\n\n</details>`,
  );
}
