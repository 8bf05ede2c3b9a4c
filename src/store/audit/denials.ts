/** What was asked of the bot and not granted, for the audit (SR-67). */
import { sql } from "kysely";
import { writeNow } from "../database/commit.ts";
import type { Tx } from "../database/connection.ts";
import { type AuditEntry, appendAudit } from "./chain.ts";
import { type AuditEvent, readEvent } from "./events.ts";

const kinds = [
  "command_denied",
  "command_ignored",
  "command_unverified",
  "approval_refused",
  "incident_refused",
] as const;

/** How many one person can fill the audit with in a window; the window's next one says that more are not written down. */
export const denialLimit = { rows: 20, windowMs: 600_000 } as const;

/** What a person was denied within the window; an older version wrote them as a number. */
const deniedTo = async (tx: Tx, by: number, now: Date) => {
  await writeNow(tx, "audit");
  return tx
    .selectFrom("audit")
    .select(sql<boolean>`coalesce((body::jsonb ->> 'told')::boolean, false)`.as("told"))
    .where("kind", "in", [...kinds, "denials_muted"])
    .where("at", ">", new Date(now.getTime() - denialLimit.windowMs).toISOString())
    .where(sql<string>`coalesce(body::jsonb #>> '{by,id}', body::jsonb ->> 'by')`, "=", String(by))
    .execute();
};

/** Whether somebody was told at length within the window that they may not, and whether they were denied so often that nobody counts any more. */
export async function toldLately(
  tx: Tx,
  by: number,
  now: Date,
): Promise<{ readonly atLength: boolean; readonly tooOften: boolean }> {
  const rows = await deniedTo(tx, by, now);
  return { atLength: rows.some(({ told }) => told), tooOften: rows.length >= denialLimit.rows };
}

/**
 * Appends a denial, rate-limited by person over all repositories, so that nobody can grow the audit at will. What was left
 * out is told by one `denials_muted` row in its place.
 */
export async function appendDenial(
  tx: Tx,
  denial: Extract<AuditEntry, { readonly kind: (typeof kinds)[number] }>,
  now: Date,
): Promise<void> {
  const { by } = denial.body;
  const { length: written } = await deniedTo(tx, by.id, now);
  if (written < denialLimit.rows) return appendAudit(tx, denial);
  if (written > denialLimit.rows) return;
  const body = { by, rows: written, windowMs: denialLimit.windowMs };
  await appendAudit(tx, { kind: "denials_muted", incidentId: denial.incidentId ?? null, body });
}

/** An event of a repository for which the bot does not work. */
interface Refusal {
  /** Whether the operator's file names the repository: then it is no stranger's, and strangers cannot have it left out. */
  readonly listed: boolean;
  readonly now: Date;
  readonly body: Omit<AuditEvent<"repository_refused">["body"], "scope">;
}

/**
 * Appends a refusal (SR-07): within a window one line for each kind of event and reason of a repository, and of all strangers together no more
 * than a person may have denied; what was left out is told by one `denials_muted`. False where nothing was appended.
 */
export async function appendRefusal(tx: Tx, { listed, now, body }: Refusal): Promise<boolean> {
  const since = new Date(now.getTime() - denialLimit.windowMs).toISOString();
  await writeNow(tx, "audit");
  const scope = listed ? body.repo.toLowerCase() : "strangers";
  const rows = await tx
    .selectFrom("audit")
    .select(["kind", "body"])
    .where("kind", "in", ["repository_refused", "denials_muted"])
    .where("at", ">", since)
    .where(sql<string>`body::jsonb ->> 'scope'`, "=", scope)
    .execute();
  const said = rows
    .map((row) => readEvent({ kind: row.kind, body: JSON.parse(row.body) }))
    .some((event) => event.kind === "repository_refused" && sameness(event.body) === sameness(body));
  if (rows.length > denialLimit.rows || said) return false;
  const muted = { scope, rows: rows.length, windowMs: denialLimit.windowMs };
  if (rows.length === denialLimit.rows) await appendAudit(tx, { kind: "denials_muted", body: muted });
  else await appendAudit(tx, { kind: "repository_refused", body: { ...body, scope } });
  return true;
}

const sameness = ({ event, repoId, installationId, reason }: Refusal["body"]): string =>
  JSON.stringify([event, repoId, installationId, reason]);
