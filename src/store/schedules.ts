import type { Selectable } from "kysely";
import type { ScheduledStep } from "../base/run.ts";
import { type Db, hasChanged, type Tx } from "./database/connection.ts";
import type { Tables } from "./database/tables.ts";
import { newId } from "./ids.ts";

export type Schedule = Selectable<Tables["schedule"]>;
export type ScheduleRun = Selectable<Tables["scheduleRun"]>;

export const scheduleKey = (repo: string, workflow: string): string => `${repo.toLowerCase()} ${workflow}`;

/** Adds a missing row, so that later steps can compare-and-set it. */
export async function keepSchedule(
  db: Db | Tx,
  given: { readonly repo: string; readonly workflow: string; readonly installationId: number },
): Promise<Schedule> {
  const key = scheduleKey(given.repo, given.workflow);
  const fresh = {
    ...given,
    key,
    marker: newId(),
    repoId: null,
    issue: null,
    seenDue: null,
    suspended: null,
    incidentId: null,
  };
  return db
    .insertInto("schedule")
    .values(fresh)
    .onConflict((conflict) => conflict.column("key").doUpdateSet({ installationId: given.installationId }))
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function findSchedule(db: Db | Tx, key: string): Promise<Schedule | undefined> {
  return db.selectFrom("schedule").selectAll().where("key", "=", key).executeTakeFirst();
}

export async function scheduleOf(db: Db | Tx, key: string): Promise<Schedule> {
  return db.selectFrom("schedule").selectAll().where("key", "=", key).executeTakeFirstOrThrow();
}

export async function lockSchedule(tx: Tx, key: string): Promise<Schedule> {
  return tx.selectFrom("schedule").selectAll().where("key", "=", key).forUpdate().executeTakeFirstOrThrow();
}

/** Once over all processes. Returns false if another was first or a later time is claimed. */
export async function claimDue(tx: Tx, { key, seenDue }: Schedule, due: Date): Promise<boolean> {
  return hasChanged(
    tx
      .updateTable("schedule")
      .set({ seenDue: due })
      .where("key", "=", key)
      .where((eb) => (seenDue === null ? eb("seenDue", "is", null) : eb("seenDue", "=", seenDue))),
  );
}

/** Returns undefined if the schedule has a run of that time. */
export async function addScheduleRun(
  tx: Tx,
  run: Pick<ScheduleRun, "key" | "dueAt" | "cron" | "state" | "why">,
): Promise<ScheduleRun | undefined> {
  const endedAt = run.state === "missed" ? run.dueAt : null;
  return tx
    .insertInto("scheduleRun")
    .values({ ...run, id: newId(), startedAt: null, endedAt, incidentId: null })
    .onConflict((conflict) => conflict.columns(["key", "dueAt"]).doNothing())
    .returningAll()
    .executeTakeFirst();
}

export async function scheduleRunOf(db: Db | Tx, id: string): Promise<ScheduleRun> {
  return db.selectFrom("scheduleRun").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
}

export async function lockScheduleRun(tx: Tx, id: string): Promise<ScheduleRun> {
  return tx.selectFrom("scheduleRun").selectAll().where("id", "=", id).forUpdate().executeTakeFirstOrThrow();
}

/** The run's failure has opened an incident, even after the run's end. */
export async function setOpened(
  tx: Tx,
  { id, key }: Pick<ScheduleRun, "id" | "key">,
  incidentId: string,
): Promise<void> {
  await tx.updateTable("scheduleRun").set({ incidentId }).where("id", "=", id).execute();
  await tx.updateTable("schedule").set({ incidentId }).where("key", "=", key).execute();
}

/** Returns undefined if people opened the incident. */
export async function openerOf(
  db: Db | Tx,
  incidentId: string,
): Promise<Pick<Schedule, "workflow" | "issue"> | undefined> {
  return db
    .selectFrom("scheduleRun")
    .innerJoin("schedule", "schedule.key", "scheduleRun.key")
    .select(["schedule.workflow", "schedule.issue"])
    .where("scheduleRun.incidentId", "=", incidentId)
    .executeTakeFirst();
}

export async function passOverDue(tx: Tx, { why, at }: { readonly why: string; readonly at: Date }): Promise<void> {
  const missed = { state: "missed", why, endedAt: at } as const;
  await tx.updateTable("scheduleRun").set(missed).where("state", "=", "claimed").execute();
  await tx.updateTable("schedule").set({ seenDue: at }).where("seenDue", "<", at).execute();
}

/** Newest first. */
export async function latestRuns(db: Db | Tx, key: string, most: number): Promise<readonly ScheduleRun[]> {
  return db.selectFrom("scheduleRun").selectAll().where("key", "=", key).orderBy("dueAt", "desc").limit(most).execute();
}

/** Once over all processes (RR-05). Returns false if the run has begun or ended. */
export async function beginScheduleRun(tx: Tx, id: string, startedAt: Date): Promise<boolean> {
  return hasChanged(
    tx
      .updateTable("scheduleRun")
      .set({ state: "running", startedAt })
      .where("id", "=", id)
      .where("state", "=", "claimed"),
  );
}

/** Returns false if the run has ended. */
export async function setScheduleRun(
  tx: Tx,
  id: string,
  change: Partial<Pick<ScheduleRun, "state" | "why" | "endedAt">> & {
    readonly steps?: readonly ScheduledStep[];
  },
): Promise<boolean> {
  const { steps, ...rest } = change;
  return hasChanged(
    tx
      .updateTable("scheduleRun")
      .set({ ...rest, ...(steps ? { steps: JSON.stringify(steps) } : {}) })
      .where("id", "=", id)
      .where("endedAt", "is", null),
  );
}

export async function setSchedule(
  tx: Tx | Db,
  key: string,
  change: Partial<Pick<Schedule, "repoId" | "issue" | "suspended" | "failures">>,
): Promise<void> {
  await tx.updateTable("schedule").set(change).where("key", "=", key).execute();
}
