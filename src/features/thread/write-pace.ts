import { backoffMs } from "../../base/sleep.ts";
import type { OutboxComment } from "../../store/outbox/wanted.ts";
import { longRefused, pauseWrites, takeWrite, type Urgency, writeTaken } from "../../store/outbox/write-budget.ts";
import type { Deps } from "../context.ts";
import type { Poster } from "./cosmetic.ts";

const shortWaitMs = 2_000;

/** How fast a thread is written to, and when it is to be served again. */
export interface WritePace extends Omit<Poster, "mayWrite"> {
  /** Whether this may be written now; if not, the thread comes back when it may. */
  readonly mayWrite: (installationId: number, urgency: Urgency) => Promise<boolean>;
  /** Begins to write a comment where it may be written now, and counts the attempts; `gone` where it is to be made anew meanwhile. */
  readonly begin: (comment: OutboxComment) => Promise<"wait" | "gone" | { readonly attempts: number }>;
  /** GitHub has taken a write. Where it had refused everything for so long that it was told, the end of that is told too. */
  readonly tellTaken: (installationId: number) => Promise<void>;
  /** GitHub, or its limits, do not take something that others would be behind. */
  readonly isStuck: () => boolean;
  /** In how many ms it is to come back at the earliest. */
  readonly nextMs: () => number | undefined;
}

export function createWritePace({
  store: { db },
  log,
  config,
}: Pick<Deps, "store" | "log"> & {
  readonly config: { readonly github: Pick<Deps["config"]["github"], "writesPerMinute"> };
}): WritePace {
  /** By the clock that nobody sets. */
  let nextAt = Number.POSITIVE_INFINITY;
  let isStuck = false;
  let wasRefused = false;
  const comeBack = (afterMs: number): void => {
    nextAt = Math.min(nextAt, performance.now() + afterMs);
  };
  const comeBackIn = (milliseconds: number): void => {
    isStuck = true;
    comeBack(milliseconds);
  };
  const take = async (installationId: number, urgency: Urgency, comment?: OutboxComment) => {
    const write = { installationId, perMinute: config.github.writesPerMinute, urgency };
    const taken = await takeWrite(db, write, comment);
    if (taken.kind === "wait") comeBackIn(taken.ms);
    if (taken.kind === "go") wasRefused ||= taken.refused;
    return taken;
  };
  return {
    mayWrite: async (installationId, urgency) => (await take(installationId, urgency)).kind === "go",
    begin: async (comment) => {
      const taken = await take(comment.installationId, comment.githubId === null ? "news" : "upkeep", comment);
      return taken.kind === "go" ? taken : taken.kind;
    },
    tellTaken: async (installationId) => {
      if (!wasRefused || !(await writeTaken(db, installationId))) return;
      log.info({ module: "outbox", event: "writes_taken", installationId });
    },
    // GitHub's own word on when to go on holds for all threads of the installation (F-10).
    retry: async (installationId, failure, attempts) => {
      if (failure.kind !== "later")
        return comeBackIn(backoffMs(attempts, { baseMs: shortWaitMs, mostMs: 60_000, spread: 1 / 4 }));
      comeBackIn(await pauseWrites(db, { installationId, ...failure }));
      const since = await longRefused(db, installationId);
      if (since) log.error({ module: "outbox", event: "writes_refused", installationId, since, reason: failure.why });
    },
    comeBack,
    isStuck: () => isStuck,
    nextMs: () => (nextAt === Number.POSITIVE_INFINITY ? undefined : nextAt - performance.now()),
  };
}
