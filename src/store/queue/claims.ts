import { messageOf } from "../../base/errors.ts";
import { every, type RepeatedWork } from "../../base/every.ts";
import { databaseTime } from "../clock.ts";
import type { JobAttempt } from "./job.ts";
import type { PumpOptions } from "./pump.ts";
import { claimJobs, putBack, reclaim, touchAll } from "./table.ts";

const heartbeatIntervalMs = 5_000;
const lapsedAfterMs = 15_000;
/** The store's clock and this process's go apart by less than this between two signs of life. */
const apartMs = 2_000;

/** A job that this process has claimed; until it is begun it waits for a slot, or in the line of jobs that may have ended a process. */
export interface Claim extends JobAttempt {
  readonly abort: AbortController;
  done?: Promise<void>;
}

/** What this process has claimed of one queue. */
export function createClaims({ connection, queue, warn }: Pick<PumpOptions, "connection" | "queue" | "warn">) {
  const { db, relaxed } = connection;
  const mine = new Set<Claim>();
  /** Those that wait for a slot, so that a backlog costs one fetch for many jobs. Each is of another key. */
  let ahead: Claim[] = [];

  const lose = (one: Claim): void => {
    if (one.done !== undefined) one.abort.abort(new Error("another process took this job over"));
    else {
      mine.delete(one);
      ahead = ahead.filter((other) => other !== one);
    }
  };
  let keptAliveAt = performance.now();
  /** How far the store's clock is from this process's, which nobody sets, and since when. */
  let clock: { readonly offset: number; readonly since: number } | undefined;
  /** A jump makes whoever lives look as if it had died: until each has given another sign of life nobody is taken for dead. */
  const hasJumped = async (): Promise<boolean> => {
    const askedAt = performance.now();
    const shown = await databaseTime(db);
    const now = performance.now();
    const offset = shown - (askedAt + now) / 2;
    clock ??= { offset, since: Number.NEGATIVE_INFINITY };
    if (Math.abs(offset - clock.offset) > apartMs + now - askedAt) clock = { offset, since: now };
    return now - clock.since < lapsedAfterMs;
  };
  const keepAlive = async (): Promise<void> => {
    const isBack = performance.now() - keptAliveAt >= lapsedAfterMs;
    const all = [...mine];
    // Not to wait: one transaction that does would have all of them taken over.
    const ours = await touchAll(relaxed, all);
    for (const one of all) if (!ours.has(one)) lose(one);
    keptAliveAt = performance.now();
    // Where this process stood still, or the store was away, the others have had no chance either to say that they are there.
    if (!(await hasJumped()) && !isBack) await reclaim(relaxed, { queue, idleMs: lapsedAfterMs });
  };

  return {
    has: (one: Claim): boolean => mine.has(one),
    isEmpty: (): boolean => mine.size === 0,
    served: (): readonly Claim[] => [...mine].filter(({ done }) => done),
    serves: (key: string): boolean => [...mine].some((one) => one.key === key && one.done),
    /** The first of those that wait for a slot. */
    next: (): Claim | undefined => ahead[0],
    leaveLine: (): void => void ahead.shift(),
    fetch: async (limits: { readonly most: number; readonly perShare: number }): Promise<void> => {
      ahead = (await claimJobs(relaxed, queue, limits)).map((claim) => ({ ...claim, abort: new AbortController() }));
      for (const one of ahead) mine.add(one);
    },
    end: (one: Claim): void => void mine.delete(one),
    /** Puts back what is not begun: it is the next process's at once. */
    putBackUnbegun: async (): Promise<void> => {
      const notBegun = [...mine].filter(({ done }) => !done);
      for (const one of notBegun) mine.delete(one);
      await Promise.all(notBegun.map((one) => putBack(db, one, { ...one, delayMs: 0 }))).catch((error) =>
        warn(`queue ${queue}: cannot put jobs back: ${messageOf(error)}`),
      );
    },
    /** Says every few seconds that this process is at its claims, and hears which were given to another. */
    keepAlive: (): RepeatedWork =>
      every(
        heartbeatIntervalMs,
        keepAlive,
        (error) => warn(`queue ${queue}: cannot keep jobs alive: ${messageOf(error)}`),
        { first: "later" },
      ),
  };
}
