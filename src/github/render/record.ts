import * as z from "zod";
import { placeOfRun } from "../../base/action.ts";
import { parseJson } from "../../base/json.ts";
import type { Ending } from "../../base/run.ts";
import type { Action, Approval } from "../../store/actions.ts";
import type { Run } from "../../store/runs.ts";

/**
 * What a reader of the issue alone needs and people do not want to see stands in hidden lines at the end of a card: who
 * proposed which digest, whose comments approved it, how each run ended and the SHA-256 of its redacted output (DC-6). The
 * hash of what was not redacted is kept off the issue: whoever can guess a short secret could prove it by that.
 */
const proposalSchema = z.object({
  action: z.number(),
  digest: z.string(),
  /** `model`, `runbook`, or a person's `@login`. */
  by: z.string(),
});
const runsSchema = z.object({
  action: z.number(),
  /** Login, and the comment that said it. */
  approvals: z.array(z.tuple([z.string(), z.number()])),
  /** Server, and which command of a set; exit code, or in a word how else it ended; SHA-256 of the output, or null where it stays off the issue. */
  runs: z.array(z.tuple([z.string(), z.union([z.number(), z.string()]), z.string().nullable()])),
  /** So many further runs had no room. */
  more: z.number().optional(),
});
const lineSchema = z.union([runsSchema, proposalSchema]);

export type RunsRecord = z.infer<typeof runsSchema>;
export type RecordLine = z.infer<typeof lineSchema>;

/** How a run ended, as short as it can be told: its exit code, or the word for what happened instead. */
export const endOf = (ending: Ending): number | string => (ending.kind === "exited" ? ending.code : ending.kind);

/** Who proposed an action: the person who wrote it, else the model or a runbook. */
export const proposerOf = ({ origin, authorLogin }: Pick<Action, "origin" | "authorLogin">): string =>
  origin === "person" ? `@${authorLogin ?? "ghost"}` : origin === "model" ? "model" : "runbook";

/** What the hidden lines of a run card hold of an action's rows. */
export interface RecordedAction extends Pick<Action, "number"> {
  readonly verdicts: readonly Pick<Approval, "verdict" | "login" | "commentId">[];
  readonly runs: readonly Pick<Run, "server" | "step" | "ending" | "redactedSha256">[];
}

/** The hidden lines of a proposal card, one an action. */
export const renderProposalRecords = (
  actions: readonly Pick<Action, "number" | "digest" | "origin" | "authorLogin">[],
): string =>
  actions.map((action) => line({ action: action.number, digest: action.digest, by: proposerOf(action) })).join("\n");

/** A comment holds no more; what a batch on hundreds of servers says is cut before this is. */
const maxRunsCharacters = 16_000;

/** The hidden lines of a run card, one for each action of which a run has ended. On a public issue no output's hash is told. */
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

/** Inside of JSON's strings alone: nothing may end the HTML comment, or be read as its end. */
const inComment = (json: string): string => json.replaceAll(">", "\\u003e").replaceAll("--", "-\\u002d");

/** The records of a comment of ours: the hidden lines at its end, and no others, whatever an output above may print. */
export function readRecords(body: string): readonly RecordLine[] {
  const lines = body.trimEnd().split(/\r?\n/);
  const first = lines.findLastIndex((text) => !text.startsWith("<!-- countersign-record ")) + 1;
  return lines.slice(first).flatMap((text) => {
    const json = /^<!-- countersign-record (.*) -->$/.exec(text)?.[1] ?? "";
    // One that somebody changed tells nothing.
    const record = lineSchema.safeParse(parseJson(json));
    return record.success ? [record.data] : [];
  });
}

/** The records of a card below its text. */
export const withRecords = (body: string, records: string): string => (records === "" ? body : `${body}\n\n${records}`);
