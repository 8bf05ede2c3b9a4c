/** Denied requests in the audit (SR-67). */
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

/** Per person; one more row says that further ones are left out. */
export const denialLimit = { rows: 20, windowMs: 600_000 } as const;

const deniedTo = async (tx: Tx, by: number, now: Date) => {
  await writeNow(tx, "audit");
  return tx
    .selectFrom("audit")
    .select(sql<boolean>`coalesce((body::jsonb ->> 'told')::boolean, false)`.as("told"))
    .where("kind", "in", [...kinds, "denials_muted"])
    .where("at", ">", new Date(now.getTime() - denialLimit.windowMs).toISOString())
    .where(sql<string>`body::jsonb #>> '{by,id}'`, "=", String(by))
    .execute();
};

export async function toldLately(
  tx: Tx,
  by: number,
  now: Date,
): Promise<{ readonly atLength: boolean; readonly tooOften: boolean }> {
  const rows = await deniedTo(tx, by, now);
  return { atLength: rows.some(({ told }) => told), tooOften: rows.length >= denialLimit.rows };
}

/**
 * Limits denials per person over all repositories, so that people cannot grow the audit at will. One `denials_muted` row stands for the
 * rest.
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

interface RepositoryRefusal {
  /** Listed in the operator's file; strangers cannot use up its share. */
  readonly listed: boolean;
  readonly now: Date;
  readonly body: Omit<AuditEvent<"repository_refused">["body"], "scope">;
}

/**
 * Appends an unserved repository's refusal (SR-07) once per window, kind of event and reason. A listed repository has one person's limit;
 * all strangers share one. One `denials_muted` stands for the rest. Returns false if nothing was appended.
 */
export async function appendRefusal(tx: Tx, { listed, now, body }: RepositoryRefusal): Promise<boolean> {
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

const sameness = ({ event, repoId, installationId, reason }: RepositoryRefusal["body"]): string =>
  JSON.stringify([event, repoId, installationId, reason]);
