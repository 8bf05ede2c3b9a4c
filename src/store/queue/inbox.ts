import { sql } from "kysely";
import { reached } from "../../base/crash-point.ts";
import type { Store } from "../database/open.ts";
import { type Arrival, shareOf } from "./arrival.ts";
import { waitingBy } from "./table.ts";

/** A larger burst waits for the next transaction. */
const maxPerCommit = 200;

/** Unserved deliveries of a repository; beyond, the answer is 503, and GitHub keeps the delivery. */
const mostPerShare = 5_000;
/** Counting stays cheap, and a flood is seen. */
const countedForMs = 1_000;

export interface Inbox {
  /**
   * Resolves if delivery and job are durable, or known by GUID or semantic key. Throws and stores nothing if storing fails, or too much of
   * the repository waits.
   */
  readonly receive: (arrival: Arrival) => Promise<"stored" | "duplicate">;
}

interface WaitingArrival {
  readonly arrival: Arrival;
  readonly done: PromiseWithResolvers<"stored" | "duplicate">;
}

/** The durable inbox (RR-01, RR-02, SR-62), with group commit. */
export function createInbox({ db, queue }: Pick<Store, "db" | "queue">, most = mostPerShare): Inbox {
  let waiting: WaitingArrival[] = [];
  let committing = false;
  let fullShares: Promise<ReadonlyMap<string, number>> | undefined;

  const commitAll = async (): Promise<void> => {
    committing = true;
    while (waiting.length > 0) {
      // The embedded database would commit the first before the next is read.
      await new Promise((resolve) => setImmediate(resolve));
      const group = waiting.slice(0, maxPerCommit);
      waiting = waiting.slice(maxPerCommit);
      await commitGroup(group);
    }
    committing = false;
  };

  const commitGroup = async (group: readonly WaitingArrival[]): Promise<void> => {
    try {
      reached("CP01");
      const known = new Set<string>();
      const jobs = group
        .filter(({ arrival: { guid } }) => known.size < known.add(guid).size)
        .map(({ arrival: { guid, line } }) => ({ guid, line, share: shareOf(line) }));
      const { rows } = await sql<{ guid: string }>`
        with arrived as (${db
          .insertInto("delivery")
          .values(group.map(({ arrival }) => ({ ...arrival, outcome: null })))
          .onConflict((conflict) => conflict.doNothing())
          .returning("guid")}
        ), added as (
          insert into job (queue, key, share, data)
          select 'delivery', line, share, json_build_object('guid', guid) from rows from (
            jsonb_to_recordset(${JSON.stringify(jobs)}::jsonb) as (guid text, line text, share text)
          ) with ordinality as job (guid, line, share, n) join arrived using (guid) order by n
        )
        select guid from arrived`.execute(db);
      if (rows.length > 0) queue.wake("delivery");
      const stored = new Set(rows.map(({ guid }) => guid));
      for (const { arrival, done } of group) done.resolve(stored.delete(arrival.guid) ? "stored" : "duplicate");
    } catch (error) {
      if (group.length === 1) group[0]?.done.reject(error);
      // An arrival that the database refuses must not fail the others.
      else for (const one of group) await commitGroup([one]);
    }
  };

  return {
    receive: async (arrival) => {
      fullShares ??= waitingBy(db, "delivery", most).finally(() => {
        setTimeout(() => {
          fullShares = undefined;
        }, countedForMs).unref();
      });
      if ((await fullShares).has(shareOf(arrival.line))) throw new Error("too much of this repository waits already");
      const done = Promise.withResolvers<"stored" | "duplicate">();
      waiting.push({ arrival, done });
      if (!committing) void commitAll();
      return done.promise;
    },
  };
}
