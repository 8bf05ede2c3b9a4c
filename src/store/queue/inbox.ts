import { sql } from "kysely";
import { reached } from "../../base/crash-point.ts";
import type { Db, Store } from "../database/open.ts";
import { type Arrival, shareOf } from "./arrival.ts";
import { waitingBy } from "./waiting.ts";

export { type Arrival, arrivalOf } from "./arrival.ts";

const turnOfTheLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Bounds one transaction: a burst beyond it waits for the next. */
const maxPerCommit = 200;

/** One repository's part of what is stored and not served: whoever floods it is answered 503, and GitHub keeps it (SR-62). */
const mostPerShare = 5_000;
/** Old enough that counting costs nothing, young enough that a flood is seen. */
const countedForMs = 1_000;

export interface Inbox {
  /**
   * Resolves when the delivery and its job are durable (RR-01), or when it turns out to be known by its GUID or by
   * what it is about (RR-02). Throws where neither is so, also for a repository of which too much waits already; then nothing of
   * it is kept.
   */
  readonly receive: (arrival: Arrival) => Promise<"stored" | "duplicate">;
}

type InboxStore = Pick<Store, "db" | "queue">;

interface Waiting {
  readonly arrival: Arrival;
  readonly done: PromiseWithResolvers<"stored" | "duplicate">;
}

/** The durable inbox. All that arrived while the last commit ran go into the next one together: group commit. */
export function createInbox(store: InboxStore, most = mostPerShare): Inbox {
  const fullShares = createFullShares(store.db, most);
  let waiting: Waiting[] = [];
  let committing = false;

  const commitAll = async (): Promise<void> => {
    committing = true;
    while (waiting.length > 0) {
      // The embedded database runs in this thread and would commit the first before the next is even read.
      await turnOfTheLoop();
      const group = waiting.slice(0, maxPerCommit);
      waiting = waiting.slice(maxPerCommit);
      await commitGroup(group);
    }
    committing = false;
  };

  const commitGroup = async (group: readonly Waiting[]): Promise<void> => {
    try {
      const stored = await insert(
        store,
        group.map(({ arrival }) => arrival),
      );
      for (const { arrival, done } of group) {
        // Of two equal ones in a group the first is the stored one.
        done.resolve(stored.delete(arrival.guid) ? "stored" : "duplicate");
      }
    } catch (error) {
      if (group.length === 1) group[0]?.done.reject(error);
      // One that the database refuses must not take the others with it.
      else for (const one of group) await commitGroup([one]);
    }
  };

  return {
    receive: async (arrival) => {
      if ((await fullShares()).has(shareOf(arrival.line))) throw new Error("too much of this repository waits already");
      const done = Promise.withResolvers<"stored" | "duplicate">();
      waiting.push({ arrival, done });
      if (!committing) void commitAll();
      return done.promise;
    },
  };
}

/** The repositories of which too much waits, counted by one at a time. */
function createFullShares(db: Db, most: number): () => Promise<ReadonlyMap<string, number>> {
  let full: Promise<ReadonlyMap<string, number>> | undefined;
  return () => {
    full ??= waitingBy(db, "delivery", most).finally(() => {
      setTimeout(() => {
        full = undefined;
      }, countedForMs).unref();
    });
    return full;
  };
}

/** Stores deliveries and their jobs in one statement; returns the GUIDs of those that were not known. */
async function insert({ db, queue }: InboxStore, arrivals: readonly Arrival[]): Promise<Set<string>> {
  reached("CP01");
  const known = new Set<string>();
  // Of two equal ones the first is the stored one.
  const jobs = arrivals.filter(({ guid }) => known.size < known.add(guid).size);
  const rows = jobs.map(({ guid, line }) => ({ guid, line, share: shareOf(line) }));
  const { rows: stored } = await sql<{ guid: string }>`
    with arrived as (${db
      .insertInto("delivery")
      .values(arrivals.map((arrival) => ({ ...arrival, outcome: null })))
      .onConflict((conflict) => conflict.doNothing())
      .returning("guid")}
    ), added as (
      insert into job (queue, key, share, data)
      select 'delivery', line, share, json_build_object('guid', guid) from rows from (
        jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as (guid text, line text, share text)
      ) with ordinality as job (guid, line, share, n) join arrived using (guid) order by n
    )
    select guid from arrived`.execute(db);
  if (stored.length > 0) queue.wake("delivery");
  return new Set(stored.map(({ guid }) => guid));
}
