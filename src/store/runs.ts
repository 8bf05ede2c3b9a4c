import { type Selectable, sql } from "kysely";
import type { Person } from "../base/github.ts";
import type { Capture, Ending, Outcome } from "../base/run.ts";
import type { Action } from "./actions.ts";
import { beforeCommit, countOf } from "./database/commit.ts";
import type { Db, Tx } from "./database/connection.ts";
import type { Tables } from "./database/tables.ts";
import { newId } from "./ids.ts";

export type Batch = Selectable<Tables["batch"]>;
export type Run = Selectable<Tables["run"]>;

/** Records the actions of one `/approve`, or of one step under a lease, in running order. */
export async function addBatch(
  tx: Tx,
  batch: {
    readonly incidentId: string;
    readonly commentId: number | null;
    readonly person: Person;
    readonly numbers: readonly number[];
    readonly keepGoing: boolean;
    readonly softTimeoutMs?: number | undefined;
  },
): Promise<Batch> {
  return tx
    .insertInto("batch")
    .values({
      id: newId(),
      incidentId: batch.incidentId,
      commentId: batch.commentId,
      personId: batch.person.id,
      login: batch.person.login,
      numbers: JSON.stringify(batch.numbers),
      keepGoing: batch.keepGoing,
      softTimeoutMs: batch.softTimeoutMs ?? null,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function batchOf(db: Db | Tx, id: string): Promise<Batch> {
  return db.selectFrom("batch").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
}

export async function addNote(tx: Tx, id: string, text: string): Promise<void> {
  const note = sql<string>`concat_ws(' ', note, ${text}::text)`;
  await tx.updateTable("batch").set({ note }).where("id", "=", id).execute();
}

/** `news`: what is said of its end beside its run card. `waitsFor`: null if it goes on. */
export async function setBatch(tx: Tx, id: string, change: Partial<Pick<Batch, "news" | "waitsFor">>): Promise<void> {
  await tx.updateTable("batch").set(change).where("id", "=", id).execute();
}

/** Puts a number right before another one of its batch. */
export async function putBefore(
  tx: Tx,
  id: string,
  { number, before }: { readonly number: number; readonly before: number },
): Promise<void> {
  const { numbers } = await tx.selectFrom("batch").select("numbers").where("id", "=", id).executeTakeFirstOrThrow();
  const changed = numbers.flatMap((one) => (one === before ? [number, one] : [one]));
  await tx
    .updateTable("batch")
    .set({ numbers: JSON.stringify(changed) })
    .where("id", "=", id)
    .execute();
}

/** When the transaction ends; a `note` replaces the earlier one. */
export const endBatch = (tx: Tx, id: string, note?: string): Promise<void> =>
  change(tx, { id, endedAt: new Date(), ...(note !== undefined && { note }) });

type BatchChange = Pick<Batch, "id"> & Partial<Pick<Batch, "endedAt" | "note" | "readAt">>;

const change = beforeCommit<BatchChange>("batches", (all) => {
  // A statement changes a row once.
  const changed = new Map<string, BatchChange>();
  for (const one of all) changed.set(one.id, { ...changed.get(one.id), ...one });
  const batches = [...changed.values()];
  return {
    steps: batches.map(
      ({ id, endedAt = null, note = null, readAt = null }, index) => sql`${sql.raw(`batch_${index}`)} as (
      update batch set ended_at = coalesce(${endedAt}, ended_at), note = coalesce(${note}, note),
        waits_for = case when ${endedAt}::timestamptz is null then waits_for end, read_at = coalesce(${readAt}, read_at)
      where id = ${id}::uuid returning id)`,
    ),
    outcome: countOf("batch", batches),
  };
});

export async function runsOfBatch(db: Db | Tx, batchId: string): Promise<readonly Run[]> {
  return db.selectFrom("run").selectAll().where("batchId", "=", batchId).orderBy("id").execute();
}

/**
 * Records a run for each server or command of a set, before anything is sent (SR-63, RR-06). The first `begun` may be sent after the
 * commit; the others need `beginRun`.
 */
export async function startRuns(tx: Tx, action: Action, batchId: string, begun: number): Promise<readonly Run[]> {
  const now = new Date();
  const rows = action.spec.targets.map(({ server, step = null }, index) => ({
    id: newId(),
    actionId: action.id,
    batchId,
    server,
    step,
    startedAt: index < begun ? now : null,
  }));
  return tx.insertInto("run").values(rows).returningAll().execute();
}

/** The run may be sent after the commit. Returns undefined if it has begun or ended. */
export async function beginRun(tx: Tx, runId: string): Promise<Run | undefined> {
  return tx
    .updateTable("run")
    .set({ startedAt: new Date() })
    .where("id", "=", runId)
    .where("startedAt", "is", null)
    .where("endedAt", "is", null)
    .returningAll()
    .executeTakeFirst();
}

export interface Progress {
  /** The last lines, for its card. */
  readonly excerpt: string;
  /** The output so far, cut for the model. */
  readonly soFar: string;
  readonly seenAt: Date;
  /** Set on reaching the soft limit. */
  readonly askedAt?: Date;
}

/** In the order of the action's servers. */
export async function runsOfAction(db: Db | Tx, actionId: string): Promise<readonly Run[]> {
  return db.selectFrom("run").selectAll().where("actionId", "=", actionId).orderBy("id").execute();
}

/** Runs that have ended stay as they are. */
export async function markRuns(
  tx: Tx,
  runs: readonly Pick<Run, "id">[],
  mark: Progress | { readonly waitUntil: Date } | { readonly continuedAt: Date } | { readonly cancelledBy: string },
): Promise<void> {
  if (runs.length === 0) return;
  const ids = runs.map(({ id }) => id);
  await tx.updateTable("run").set(mark).where("id", "in", ids).where("endedAt", "is", null).execute();
}

export async function cancelledRuns(
  db: Db,
  actionIds: readonly string[],
): Promise<readonly Pick<Run, "actionId" | "server" | "step" | "cancelledBy">[]> {
  return db
    .selectFrom("run")
    .select(["actionId", "server", "step", "cancelledBy"])
    .where("actionId", "in", actionIds)
    .where("endedAt", "is", null)
    .where("cancelledBy", "is not", null)
    .execute();
}

export interface RunEnd {
  readonly ending: Ending;
  readonly outcome?: Outcome | undefined;
  readonly trouble?: string | undefined;
  readonly durationMs: number | null;
  readonly capture?: Pick<Capture, "bytes" | "dropped" | "sha256"> | undefined;
  readonly redactedSha256?: string | undefined;
  readonly hostKey?: string | undefined;
  readonly excerpt: string;
}

/** Returns undefined if the run had ended. */
export async function endRun(tx: Tx, runId: string, end: RunEnd): Promise<{ readonly isLast: boolean } | undefined> {
  return tx
    .updateTable("run")
    .set({
      endedAt: new Date(),
      durationMs: end.durationMs,
      ending: JSON.stringify(end.ending),
      ...(end.outcome ? { outcome: JSON.stringify(end.outcome) } : {}),
      trouble: end.trouble ?? null,
      bytes: end.capture?.bytes ?? null,
      dropped: end.capture?.dropped ?? null,
      outputSha256: end.capture?.sha256 ?? null,
      redactedSha256: end.redactedSha256 ?? null,
      hostKey: end.hostKey ?? null,
      excerpt: end.excerpt,
      soFar: null,
    })
    .where("id", "=", runId)
    .where("endedAt", "is", null)
    .returning(
      sql<boolean>`not exists (
        select from run other where other.action_id = run.action_id and other.ended_at is null and other.id <> run.id)`.as(
        "isLast",
      ),
    )
    .executeTakeFirst();
}

export async function runsOf(db: Db | Tx, incidentId: string): Promise<readonly Run[]> {
  return db
    .selectFrom("run")
    .innerJoin("action", "action.id", "run.actionId")
    .selectAll("run")
    .where("action.incidentId", "=", incidentId)
    .orderBy("run.id")
    .execute();
}

/** The ended batches whose results the agent has not read. */
export const unreadIn = ({
  batches,
  runs,
}: {
  readonly batches: readonly Batch[];
  readonly runs: readonly Pick<Run, "batchId">[];
}): readonly Batch[] =>
  batches.filter(
    ({ id, endedAt, readAt }) => endedAt !== null && readAt === null && runs.some(({ batchId }) => batchId === id),
  );

/** Records that the agent has read these batches' results, when the transaction that stores its turn ends. */
export async function markRead(tx: Tx, ids: readonly string[], readAt: Date): Promise<void> {
  for (const id of ids) await change(tx, { id, readAt });
}

/** After a second approval the later batch has the number. */
export const hasNumber = (batches: readonly Batch[], { id }: Pick<Batch, "id">, number: number): boolean =>
  batches.findLast(({ endedAt, numbers }) => endedAt === null && numbers.includes(number))?.id === id;
