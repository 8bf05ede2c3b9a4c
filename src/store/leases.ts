import { type Selectable, sql } from "kysely";
import type { Person } from "../base/github.ts";
import { type Db, hasChanged, type Tx } from "./database/connection.ts";
import type { Tables } from "./database/tables.ts";

export type Lease = Selectable<Tables["lease"]>;

/** The last one, even if ended. */
export async function leaseOf(db: Db | Tx, incidentId: string): Promise<Lease | undefined> {
  return db.selectFrom("lease").selectAll().where("incidentId", "=", incidentId).executeTakeFirst();
}

interface LeaseComment {
  readonly incidentId: string;
  readonly person: Person;
  readonly role: string;
  readonly comment: { readonly id: number; readonly nodeId: string; readonly sha256: string };
}

export async function giveLease(
  tx: Tx,
  given: LeaseComment & {
    readonly via?: Lease["via"];
    /** The newest comment about leases and holds at that time, if no comment gave it. */
    readonly lastComment?: number;
    readonly servers: readonly string[];
    readonly endsAt: Date;
    readonly maxCommands: number;
    readonly now: Date;
  },
): Promise<Lease> {
  const { incidentId, via = "lease", endsAt, maxCommands, now } = given;
  const servers = JSON.stringify(given.servers);
  const columns = columnsOf(given);
  const lastComment = given.lastComment ?? columns.lastComment;
  const said = {
    ...columns,
    lastComment,
    via,
    servers,
    endsAt,
    maxCommands,
    used: 0,
    raised: 0,
    seenAt: now,
    offAt: null,
    offWhy: null,
  };
  return tx
    .insertInto("lease")
    .values({ incidentId, ...said })
    .onConflict((conflict) => conflict.column("incidentId").doUpdateSet({ ...said, onAt: sql<Date>`now()` }))
    .returningAll()
    .executeTakeFirstOrThrow();
}

const columnsOf = ({ person, role, comment }: LeaseComment) => ({
  personId: person.id,
  login: person.login,
  role,
  commentId: comment.id,
  commentNodeId: comment.nodeId,
  commentSha256: comment.sha256,
  lastComment: comment.id,
});

/** Records that a comment ended leases, even without one; a lease that is on stays on. */
export async function hearOff(tx: Tx, given: LeaseComment & { readonly now: Date }): Promise<void> {
  const { incidentId, comment, now } = given;
  const none = { servers: "[]", endsAt: now, maxCommands: 0, used: 0, seenAt: now };
  await tx
    .insertInto("lease")
    .values({ incidentId, ...columnsOf(given), ...none, offAt: sql<Date>`now()`, offWhy: "it was ended" })
    .onConflict((conflict) =>
      conflict
        .column("incidentId")
        .doUpdateSet({ lastComment: sql<number>`greatest(lease.last_comment, ${comment.id})` }),
    )
    .execute();
}

/** Counts proposals of the agent in which policy found more risk. */
export async function countRaised(tx: Tx, incidentId: string, proposals: number): Promise<void> {
  await tx
    .updateTable("lease")
    .set((eb) => ({ raised: eb("raised", "+", proposals) }))
    .where("incidentId", "=", incidentId)
    .where("offAt", "is", null)
    .execute();
}

/**
 * Takes commands off a lease by compare-and-set. Returns false if it is off or over, the clock stands more than `clockBackMs` before its
 * last use, or too few are left. Spent commands never come back, even if they did not run.
 */
export async function spendLease(
  tx: Tx,
  spent: {
    readonly incidentId: string;
    readonly commentId: number;
    readonly commands: number;
    readonly now: Date;
    readonly clockBackMs: number;
  },
): Promise<boolean> {
  const { incidentId, commentId, commands, now, clockBackMs } = spent;
  return hasChanged(
    tx
      .updateTable("lease")
      .set((eb) => ({ used: eb("used", "+", commands), seenAt: sql<Date>`greatest(seen_at, ${now}::timestamptz)` }))
      .where("incidentId", "=", incidentId)
      .where("commentId", "=", commentId)
      .where("offAt", "is", null)
      .where("endsAt", ">", now)
      .where("seenAt", "<=", new Date(now.getTime() + clockBackMs))
      .where((eb) => eb(eb("used", "+", commands), "<=", eb.ref("maxCommands"))),
  );
}

/** On although their time is over. */
export async function leasesOver(db: Db | Tx, now: Date): Promise<readonly string[]> {
  const over = await db
    .selectFrom("lease")
    .select("incidentId")
    .where("offAt", "is", null)
    .where("endsAt", "<=", now)
    .execute();
  return over.map(({ incidentId }) => incidentId);
}

/** Returns undefined if none was on. */
export async function stopLease(tx: Tx, incidentId: string, why: string): Promise<Lease | undefined> {
  return tx
    .updateTable("lease")
    .set({ offAt: sql<Date>`now()`, offWhy: why })
    .where("incidentId", "=", incidentId)
    .where("offAt", "is", null)
    .returningAll()
    .executeTakeFirst();
}
