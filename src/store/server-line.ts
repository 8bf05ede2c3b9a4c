/** An action that changes something has its servers to itself, in the order of asking. */
import { sql } from "kysely";
import type { Action } from "./actions.ts";
import { beforeCommit, writeNow } from "./database/commit.ts";
import type { Tx } from "./database/connection.ts";

/** A waiting action asks every 15 s; after so long a silence others pass it. */
const patienceMs = 40_000;

export interface LinePredecessor {
  readonly server: string;
  readonly number: number;
  readonly incidentId: string;
  readonly repoId: number;
  readonly issue: number;
  readonly since: Date;
}

/** Over all processes one asks for servers at a time. */
const lockKey = 7_203_114;

/**
 * Puts an action in line for its servers, once, and returns the one ahead: it runs, or asked earlier. Undefined if the servers are free.
 * One order over all servers prevents deadlocks.
 */
export async function queueUp(tx: Tx, action: Action): Promise<LinePredecessor | undefined> {
  await writeNow(tx, "actions", "server line");
  await sql`select pg_advisory_xact_lock(${lockKey})`.execute(tx);
  await tx
    .insertInto("serverLine")
    .values({ actionId: action.id, servers: JSON.stringify(serversOf(action)), seenAt: new Date() })
    .onConflict((conflict) => conflict.column("actionId").doUpdateSet({ seenAt: new Date() }))
    .execute();
  return firstBefore(tx, action);
}

/** Returns undefined if the action is next, or not in line. */
export async function stillBefore(tx: Tx, action: Action): Promise<LinePredecessor | undefined> {
  const inLine = await tx
    .updateTable("serverLine")
    .set({ seenAt: new Date() })
    .where("actionId", "=", action.id)
    .returning("actionId")
    .executeTakeFirst();
  return inLine && firstBefore(tx, action);
}

const serversOf = (action: Action): readonly string[] => action.spec.targets.map(({ server }) => server);

async function firstBefore(tx: Tx, action: Action): Promise<LinePredecessor | undefined> {
  const servers = serversOf(action);
  const ahead = await waiting(tx, servers)
    .where("action.id", "<>", action.id)
    .where("position", "<", (eb) => eb.selectFrom("serverLine").select("position").where("actionId", "=", action.id))
    .orderBy("position")
    .limit(1)
    .executeTakeFirst();
  if (!ahead) return undefined;
  const { servers: theirs, ...before } = ahead;
  return { ...before, server: servers.find((server) => theirs.includes(server)) ?? "" };
}

/** For an action that cannot run now; if it asks again, it is last. */
export const leaveLine = beforeCommit<string>("server line", (actionIds) => ({
  steps: [sql`gone as (delete from server_line where action_id = any (${[...actionIds]}::uuid[]) returning action_id)`],
  outcome: sql`(select count(*) from gone)`,
}));

/** Incidents that wait for this action's servers. Sorted, so that all lock them in one order. */
export async function nextInLine(tx: Tx, action: Action): Promise<readonly string[]> {
  const rows = await waiting(tx, serversOf(action)).where("action.id", "<>", action.id).execute();
  return [...new Set(rows.map(({ incidentId }) => incidentId))].toSorted();
}

/** In other states they need no server. */
const waiting = (tx: Tx, servers: readonly string[]) =>
  tx
    .selectFrom("serverLine")
    .innerJoin("action", "action.id", "serverLine.actionId")
    .innerJoin("incident", "incident.id", "action.incidentId")
    .select([
      "action.number as number",
      "incident.id as incidentId",
      "incident.repoId as repoId",
      "incident.number as issue",
      "serverLine.servers as servers",
      "serverLine.askedAt as since",
    ])
    .where((eb) =>
      eb.or([
        eb("action.state", "in", ["dispatching", "running"]),
        eb.and([eb("action.state", "=", "approved"), eb("seenAt", ">", new Date(Date.now() - patienceMs))]),
      ]),
    )
    .where(sql<boolean>`jsonb_exists_any(server_line.servers, ${[...servers]}::text[])`);
