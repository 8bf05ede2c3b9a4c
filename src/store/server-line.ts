/** The line of actions that wait for servers: an action that changes something has its servers to itself, in the order of asking. */
import { sql } from "kysely";
import type { Action } from "./actions.ts";
import { beforeCommit, writeNow } from "./database/commit.ts";
import type { Tx } from "./database/connection.ts";

/** A waiting action asks again every 15 s; if it has not for this long, something else keeps it, and others pass. */
const patienceMs = 40_000;

/** The action that is ahead of another on one of its servers. */
export interface LinePredecessor {
  readonly server: string;
  readonly number: number;
  readonly incidentId: string;
  readonly repoId: number;
  readonly issue: number;
  /** When it asked for the server. */
  readonly since: Date;
}

/** Any number, the same in every process: one asks for servers at a time, so that none is overlooked. */
const lockKey = 7_203_114;

/**
 * Puts an action in line for all of its servers, once, and returns the action ahead of it: one that runs, or that waits and asked
 * earlier; undefined if the servers are its own now. The order is one over all servers, so no two wait for each other.
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

/** The same for an action that is in line already; undefined if it is not, or if it is next. */
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

/** Takes an action out of the line because something else keeps it from running; if it asks again, it is last. */
export const leaveLine = beforeCommit<string>("server line", (actionIds) => ({
  steps: [sql`gone as (delete from server_line where action_id = any (${[...actionIds]}::uuid[]) returning action_id)`],
  outcome: sql`(select count(*) from gone)`,
}));

/** The incidents whose actions wait for a server that this one had. Sorted, so that all who wake them lock them in one order. */
export async function nextInLine(tx: Tx, action: Action): Promise<readonly string[]> {
  const rows = await waiting(tx, serversOf(action)).where("action.id", "<>", action.id).execute();
  return [...new Set(rows.map(({ incidentId }) => incidentId))].toSorted();
}

/** The actions in line for any of these servers; in any other state they need no server any more. */
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
