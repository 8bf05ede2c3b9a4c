import { type Selectable, sql } from "kysely";
import { isRecord } from "../../base/json.ts";
import { beforeCommit, countOf } from "../database/commit.ts";
import type { Db, Tx } from "../database/connection.ts";
import type { Tables } from "../database/tables.ts";

type Delivery = Selectable<Tables["delivery"]>;

export async function findDelivery(db: Db, guid: string): Promise<Delivery | undefined> {
  return db.selectFrom("delivery").selectAll().where("guid", "=", guid).executeTakeFirst();
}

/** `payload` is the part that is kept. */
export const endDelivery = beforeCommit<{ readonly guid: string; readonly payload: string }>("deliveries", (all) => ({
  steps: all.map(
    ({ guid, payload }, index) => sql`${sql.raw(`delivery_${index}`)} as (
      update delivery set state = 'done', payload = ${payload} where guid = ${guid} returning guid)`,
  ),
  outcome: countOf("delivery", all),
}));

export async function setDeliveryOutcome(tx: Tx, guid: string, outcome: string): Promise<void> {
  await tx.updateTable("delivery").set({ outcome }).where("guid", "=", guid).execute();
}

/** Keeps the payload that `keep` returns; returns the delivery as it was. */
export async function quarantineDelivery(
  tx: Tx,
  guid: string,
  outcome: string,
  keep: (payload: string) => string,
): Promise<Delivery | undefined> {
  const delivery = await tx.selectFrom("delivery").selectAll().where("guid", "=", guid).forUpdate().executeTakeFirst();
  if (!delivery) return undefined;
  const change = { state: "quarantined", outcome, payload: keep(delivery.payload) } as const;
  await tx.updateTable("delivery").set(change).where("guid", "=", guid).execute();
  return delivery;
}

export async function arrivedGuids(db: Db, guids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await db.selectFrom("delivery").select("guid").where("guid", "in", guids).execute();
  return new Set(rows.map(({ guid }) => guid));
}

/** Those that have arrived (RR-02). */
export async function broughtKeys(db: Db, keys: readonly string[]): Promise<ReadonlySet<string | null>> {
  const rows = await db.selectFrom("delivery").select("semanticKey").where("semanticKey", "in", keys).execute();
  return new Set(rows.map(({ semanticKey }) => semanticKey));
}

/** Sent by GitHub itself, not read by polling. */
export async function sentAboutIssue(
  db: Db,
  line: string,
  event: string,
): Promise<readonly Pick<Delivery, "action" | "payload">[]> {
  return db
    .selectFrom("delivery")
    .select(["action", "payload"])
    .where("event", "=", event)
    .where("line", "=", line)
    .where("guid", "not like", "poll-%")
    .execute();
}

export async function isClosingHeard(db: Db, line: string): Promise<boolean> {
  const { rows } = await sql`
    select from delivery where event = 'issues' and action = 'closed' and line = ${line} limit 1`.execute(db);
  return rows.length > 0;
}

/** Ids; `lines` are the issue's. */
export async function broughtComments(db: Db, lines: readonly string[]): Promise<readonly number[]> {
  const rows = await db
    .selectFrom("delivery")
    .select("semanticKey")
    .where("line", "in", lines)
    .where("semanticKey", "like", "issue_comment:created:%")
    .execute();
  return rows.map(({ semanticKey }) => Number(semanticKey?.split(":")[2]));
}

/** As delivered; undefined if it is not kept. */
export async function broughtBody(db: Db, semanticKey: string): Promise<string | undefined> {
  const row = await db
    .selectFrom("delivery")
    .select("payload")
    .where("semanticKey", "=", semanticKey)
    .executeTakeFirst();
  const payload: unknown = row ? JSON.parse(row.payload) : undefined;
  const comment = isRecord(payload) ? payload.comment : undefined;
  return isRecord(comment) && typeof comment.body === "string" ? comment.body : undefined;
}
