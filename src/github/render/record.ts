import * as z from "zod";
import { placeOfRun } from "../../base/action.ts";
import { parseJson } from "../../base/json.ts";
import type { Ending } from "../../base/run.ts";
import type { Action, Approval } from "../../store/actions.ts";
import type { Run } from "../../store/runs.ts";

/**
 * Hidden lines at the end of a card, for a program that reads the issue without the store (DC-6): who proposed which digest, whose
 * comments approved it, how each run ended and the SHA-256 of its redacted output. The hash of the raw output stays off the issue,
 * because it would prove a guess of a short secret.
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
  /** Server, and which command of a set; exit code, or a word for another end; SHA-256 of the output, or null if it stays off the issue. */
  runs: z.array(z.tuple([z.string(), z.union([z.number(), z.string()]), z.string().nullable()])),
  /** The number of further runs, which had no room. */
  more: z.number().optional(),
});
const lineSchema = z.union([runsSchema, proposalSchema]);

export type RunsRecord = z.infer<typeof runsSchema>;
export type RecordLine = z.infer<typeof lineSchema>;

/** How a run ended: its exit code, or the word for what happened instead. */
export const endOf = (ending: Ending): number | string => (ending.kind === "exited" ? ending.code : ending.kind);

/** Who proposed an action: the person who wrote it, else the model or a runbook. */
export const proposerOf = ({ origin, authorLogin }: Pick<Action, "origin" | "authorLogin">): string =>
  origin === "person" ? `@${authorLogin ?? "ghost"}` : origin === "model" ? "model" : "runbook";

/** What the hidden lines of a run card hold of an action's rows. */
export interface RecordedAction extends Pick<Action, "number"> {
  readonly verdicts: readonly Pick<Approval, "verdict" | "login" | "commentId">[];
  readonly runs: readonly Pick<Run, "server" | "step" | "ending" | "redactedSha256">[];
}

export const renderProposalRecords = (
  actions: readonly Pick<Action, "number" | "digest" | "origin" | "authorLogin">[],
): string =>
  actions.map((action) => line({ action: action.number, digest: action.digest, by: proposerOf(action) })).join("\n");

/** The room for hidden lines. In a batch on hundreds of servers the outputs are cut first. */
const maxRunsCharacters = 16_000;

/** The hidden lines of a run card, one for each action with a run that has ended. On a public issue they hold no output's hash. */
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

/** Escapes, inside JSON's strings, what could end the HTML comment or be read as its end. */
const inComment = (json: string): string => json.replaceAll(">", "\\u003e").replaceAll("--", "-\\u002d");

/** Reads the records of a comment of ours: only the hidden lines at its end, because an output above may print the same. */
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
