import { backoffMs } from "../../base/sleep.ts";
import { type CommentTurn, rankOf, type Urgency } from "../../store/outbox/urgency.ts";
import type { OutboxComment, Thread } from "../../store/outbox/wanted.ts";
import { longRefused, pauseWrites, takeWrite, type Write, writeTaken } from "../../store/outbox/write-budget.ts";
import type { Deps } from "../context.ts";
import type { Poster } from "./cosmetic.ts";

const shortWaitMs = 2_000;

type Taken = Awaited<ReturnType<typeof takeWrite>>;

/** How fast a thread is written to, and when it is to be served again. */
export interface WritePace extends Omit<Poster, "mayWrite"> {
  /** Whether this may be written now; if not, the thread comes back when it may. */
  readonly mayWrite: (installationId: number, urgency: Urgency, share?: string | null) => Promise<boolean>;
  /** Begins to write a comment if it may be written now, and counts the attempts; `gone` if it must be posted or drawn again. */
  readonly begin: (turn: CommentTurn<OutboxComment>, isDrawn: boolean) => Promise<Taken>;
  /** GitHub has taken a write. If it had refused everything for so long that it was told, the end of that is told too. */
  readonly tellTaken: (installationId: number) => Promise<void>;
  /** GitHub, or its limits, do not take something that others would be behind. */
  readonly isStuck: () => boolean;
  /** Its limits bind: what may be left out is. */
  readonly isTight: () => boolean;
  /** In how many ms it is to come back at the earliest. */
  readonly nextMs: () => number | undefined;
}

export function createWritePace(
  {
    store: { db },
    log,
    config,
  }: Pick<Deps, "store" | "log"> & {
    readonly config: { readonly github: Pick<Deps["config"]["github"], "writesPerMinute"> };
  },
  { repo, issue }: Pick<Thread, "repo" | "issue">,
): WritePace {
  /** By the clock that nobody sets. */
  let nextAt = Number.POSITIVE_INFINITY;
  let isStuck = false;
  let isTight = false;
  let wasRefused = false;
  /** Whether this service has written what can wait: then the rest of it lets what has come meanwhile go first. */
  let hasTakenLess = false;
  const comeBack = (afterMs: number): void => {
    nextAt = Math.min(nextAt, performance.now() + afterMs);
  };
  const getStuck = (milliseconds: number): void => {
    isStuck = true;
    comeBack(milliseconds);
  };
  const take = async (
    write: Pick<Write, "installationId" | "urgency" | "share" | "asDrawn">,
    comment?: OutboxComment,
  ): Promise<Taken> => {
    const canWait = rankOf(write.urgency) > rankOf("decision");
    const perMinute = config.github.writesPerMinute;
    const taken = await takeWrite(db, { ...write, repo, issue, perMinute, yields: canWait && hasTakenLess }, comment);
    if (taken.kind === "go") {
      wasRefused ||= taken.refused;
      hasTakenLess ||= canWait;
    }
    if (taken.kind === "yield") isStuck = true;
    if (taken.kind !== "wait") return taken;
    isTight ||= taken.by === "minute" || taken.by === "hour";
    // What waits because somebody has used up their share keeps nothing else waiting.
    if (taken.isSpent && taken.by !== "pause") comeBack(taken.ms);
    else getStuck(taken.ms);
    return taken;
  };
  return {
    mayWrite: async (installationId, urgency, share = null) =>
      (await take({ installationId, urgency, share })).kind === "go",
    begin: ({ comment, urgency, share }, asDrawn) =>
      take({ installationId: comment.installationId, urgency, share, asDrawn }, comment),
    tellTaken: async (installationId) => {
      if (!wasRefused || !(await writeTaken(db, installationId))) return;
      log.info({ module: "outbox", event: "writes_taken", installationId });
    },
    // GitHub's own word on when to go on holds for all threads of the installation (F-10).
    retry: async (installationId, failure, attempts) => {
      if (failure.kind !== "later")
        return getStuck(backoffMs(attempts, { baseMs: shortWaitMs, mostMs: 60_000, spread: 1 / 4 }));
      getStuck(await pauseWrites(db, { installationId, ...failure }));
      const since = await longRefused(db, installationId);
      if (since) log.error({ module: "outbox", event: "writes_refused", installationId, since, reason: failure.why });
    },
    comeBack,
    isStuck: () => isStuck,
    isTight: () => isTight,
    nextMs: () => (nextAt === Number.POSITIVE_INFINITY ? undefined : nextAt - performance.now()),
  };
}
