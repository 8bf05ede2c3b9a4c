import { sql } from "kysely";
import type { TokenUsage } from "../base/agent.ts";
import { type Db, hasAdded, type Tx } from "./database/connection.ts";
import { newId } from "./ids.ts";
import type { Incident } from "./incidents.ts";

export interface Account {
  readonly incident: Pick<Incident, "id" | "repoId" | "installationId">;
  readonly sessionId: string;
  readonly personId: number | undefined;
  readonly step: number;
}

/** Cost in the currency of the endpoints' prices. */
export interface Spending {
  readonly tokens: number;
  readonly cost: number;
}

/** The incident's total; all others since `since`. */
export type SpendingByScope = Readonly<
  Record<"incident" | "person" | "repository" | "installation" | "everything", Spending>
>;

/** Open requests count with what they may cost. Locks out other reservations between this sum and its row (SR-58). */
export async function spentOn(tx: Tx, { incident, personId }: Account, since: Date): Promise<SpendingByScope> {
  await sql`lock table usage in share row exclusive mode`.execute(tx);
  const recent = sql<boolean>`at >= ${since}`;
  const whose = {
    incident: sql<boolean>`incident_id = ${incident.id}`,
    person: sql<boolean>`${recent} and person_id = ${personId ?? null}::bigint`,
    repository: sql<boolean>`${recent} and repo_id = ${incident.repoId}`,
    installation: sql<boolean>`${recent} and installation_id = ${incident.installationId}`,
    everything: recent,
  } as const;
  const sums = Object.entries(whose).flatMap(([name, which]) => [
    sql<string>`coalesce(sum(input_tokens + output_tokens) filter (where ${which}), 0)`.as(`${name}Tokens`),
    sql<number>`coalesce(sum(cost) filter (where ${which}), 0)`.as(`${name}Cost`),
  ]);
  const row: Readonly<Record<string, string | number>> = await tx
    .selectFrom("usage")
    .select(sums)
    .where((eb) => eb.or([whose.incident, recent]))
    .executeTakeFirstOrThrow();
  const spent = (name: keyof SpendingByScope): Spending => ({
    tokens: Number(row[`${name}Tokens`]),
    cost: Number(row[`${name}Cost`]),
  });
  return {
    incident: spent("incident"),
    person: spent("person"),
    repository: spent("repository"),
    installation: spent("installation"),
    everything: spent("everything"),
  };
}

/** Before the request is sent, with what it may cost; returns its id. */
export async function reserveUsage(
  tx: Tx,
  { incident, sessionId, personId, step }: Account,
  may: { readonly inputTokens: number; readonly outputTokens: number; readonly cost: number; readonly at: Date },
): Promise<string> {
  const id = newId();
  await tx
    .insertInto("usage")
    .values({
      id,
      sessionId,
      incidentId: incident.id,
      repoId: incident.repoId,
      installationId: incident.installationId,
      personId: personId ?? null,
      step,
      model: null,
      ...may,
    })
    .execute();
  return id;
}

/** A request without an answer costs nothing. */
export async function settleUsage(
  db: Db | Tx,
  id: string,
  did: (TokenUsage & { readonly model: string; readonly cost: number }) | undefined,
): Promise<void> {
  if (!did) return void (await db.deleteFrom("usage").where("id", "=", id).execute());
  const { inputTokens, cachedTokens, outputTokens, estimated, model, cost } = did;
  await db
    .updateTable("usage")
    .set({ inputTokens, cachedTokens, outputTokens, estimated, model, cost })
    .where("id", "=", id)
    .execute();
}

/** Oldest first; turns after an approval do not count (SR-60). */
export async function turnsStartedBy(db: Db | Tx, personId: number, since: Date): Promise<readonly Date[]> {
  const rows = await db
    .selectFrom("turn")
    .select("createdAt")
    .where("personId", "=", personId)
    .where("offline", "=", false)
    .where("cause", "!=", "batch-ended")
    .where("createdAt", ">=", since)
    .orderBy("createdAt")
    .execute();
  return rows.map(({ createdAt }) => createdAt);
}

/** Returns true only the first time for `about`. */
export async function isFirstNotice(tx: Tx, about: string): Promise<boolean> {
  return hasAdded(
    tx
      .insertInto("notice")
      .values({ about })
      .onConflict((conflict) => conflict.column("about").doNothing()),
  );
}
