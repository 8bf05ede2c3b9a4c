import * as z from "zod";
import { placeOfRun } from "../../base/action.ts";
import { parseJson } from "../../base/json.ts";
import type { Ending } from "../../base/run.ts";
import type { Action, Approval } from "../../store/actions.ts";
import type { Run } from "../../store/runs.ts";

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
