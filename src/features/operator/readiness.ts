import { statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname } from "node:path";
import { type Clock, every, ofSystem, type TimeSource } from "../../base/clock.ts";
import { queues } from "../../base/queues.ts";
import type { AppReach } from "../../github/app/reach.ts";
import { databaseTime, isAnythingAhead, setClockRight } from "../../store/clock.ts";
import { readGauges } from "../../store/gauges.ts";
import type { GaugeValues } from "../../telemetry/metrics.ts";
import type { Deps } from "../context.ts";
import { readSwitch } from "../incident/halt.ts";

export interface Inability {
  readonly place: string;
  readonly what: string;
  readonly remedy: string;
}

export interface Setup {
  readonly checks: Readonly<Record<string, string>>;
  readonly reasons: readonly Inability[];
}

interface Readiness {
  /** It accepts webhooks, and with them `/hold`. */
  readonly ok: boolean;
  /** It can also work; otherwise `reasons` say why not. */
  readonly able: boolean;
  readonly reasons: readonly Inability[];
  readonly checks: Readonly<Record<string, string>>;
}

/**
 * Answers `/readyz` (RR-11, RR-20, F-11). Not ok only if the store takes nothing, because a probe that cut the bot off would cut off
 * `/hold`. An unasked GitHub is no fault: a new bot has nothing to ask.
 */
export async function readiness(
  deps: Pick<Deps, "store" | "config">,
  github: string,
  { checks, reasons }: Setup,
): Promise<Readiness> {
  try {
    await deps.store.writable();
  } catch {
    const what = "cannot be written, so nothing is accepted and nothing is run";
    const full = { place: "store", what, remedy: "make room on its disk, or look whether its database is up" };
    return { ok: false, able: false, reasons: [full, ...reasons], checks: { store: what, github } };
  }
  const state = await readSwitch(deps, deps.store.db);
  const halts = state.kind === "read" ? state.entries.filter(({ halted }) => halted) : [];
  return {
    ok: true,
    able: reasons.length === 0,
    reasons,
    checks: {
      store: "writable",
      halted:
        state.kind === "unreadable"
          ? "everything: the switch cannot be read"
          : halts.map(({ scope, by, at }) => `${scope} by ${by} since ${at}`).join("; ") || "no",
      disk: await diskSummary(deps.config),
      github,
      ...checks,
    },
  };
}

const minFreeMb = 64;

/** For running outputs, the log and the checkpoint. A full disk does not stop webhooks. */
async function diskSummary({ logging, audit }: Deps["config"]): Promise<string> {
  const files = [logging.file, audit.checkpointFile].flatMap((file) => file ?? []);
  for (const folder of new Set([tmpdir(), ...files.map((file) => dirname(file))])) {
    const room = await statfs(folder).catch(() => undefined);
    if (!room) return `${folder} cannot be looked at`;
    if (room.bavail * room.bsize < minFreeMb * 1024 * 1024) return `less than ${minFreeMb} MB left in ${folder}`;
  }
  return "has room";
}

const lookEveryMs = 3_600_000;
const againMs = 5 * 60_000;

/** Tries the App's key at the start and hourly, to notice a revoked key before an incident. Ignores GitHub's outages. */
export function keepAppLook({ log }: Pick<Deps, "log">, look: AppReach["look"]): { readonly stop: () => void } {
  let next: NodeJS.Timeout | undefined;
  let stopped = false;
  let refused = false;
  const once = async (): Promise<void> => {
    const found = await look();
    if (found.kind === "refused" && !refused) log.error({ module: "github", event: "app_refused", reason: found.why });
    if (found.kind === "taken" && refused) log.info({ module: "github", event: "app_taken" });
    if (found.kind !== "silent") refused = found.kind === "refused";
    if (!stopped) next = setTimeout(once, found.kind === "taken" ? lookEveryMs : againMs).unref();
  };
  void once();
  return {
    stop: () => {
      stopped = true;
      clearTimeout(next);
    },
  };
}

/** Reads the metrics' values. Throws if the store cannot be read. */
export async function gaugesOf(deps: Deps, { reasons }: Setup): Promise<GaugeValues> {
  const { db } = deps.store;
  const store = await readGauges(db);
  const state = await readSwitch(deps, db);
  const perQueue = (field: "waiting" | "oldestSeconds") =>
    queues.map((queue) => ({
      labels: { queue },
      value: store.queues.find((one) => one.queue === queue)?.[field] ?? 0,
    }));
  return {
    countersign_queue_waiting: perQueue("waiting"),
    countersign_queue_oldest_seconds: perQueue("oldestSeconds"),
    countersign_outbox_waiting: store.outboxWaiting,
    countersign_outbox_oldest_seconds: store.outboxOldestSeconds,
    countersign_outbox_parked: store.outboxParked,
    countersign_writes_refused_seconds: store.refusedSeconds,
    countersign_runs_unknown: store.runsUnknown,
    countersign_runs_open: store.runsOpen,
    countersign_incidents_open: store.incidentsOpen,
    countersign_budget_spent_tokens: store.spentTokens,
    countersign_budget_limit_tokens: deps.config.model.budget.tokensPerDay,
    countersign_budget_spent_cost: store.spentCost,
    countersign_able: reasons.length === 0 ? 1 : 0,
    countersign_halted: state.kind === "unreadable" || state.entries.some(({ halted }) => halted) ? 1 : 0,
  };
}

const everyMs = 5_000;
/** Every ten minutes. */
const wholeEvery = 120;
/** Smaller corrections of a clock are no jump. */
const toleranceMs = 2_000;
const behindMs = 60_000;

type ClockDeps = Pick<Deps, "store" | "log"> & { readonly clock: Pick<Clock, "now" | "isTold"> };

/**
 * Moves back stored times that a fast clock wrote; only waiting jobs until GitHub shows that the clock is not behind. Returns whether it
 * moved all.
 */
export async function setStoreRight({ store, log, clock }: ClockDeps): Promise<boolean> {
  const isBehind = !clock.isTold() || (await databaseTime(store.db)) < clock.now().getTime() - behindMs;
  const moved = await setClockRight(store.db, isBehind);
  if (moved) log.warn({ module: "store", event: "clock_set_right", ...moved });
  return !isBehind;
}

/** Corrects stored times after a jump of the machine's or the store's clock. */
export function keepClock(deps: ClockDeps, time: TimeSource = ofSystem): { readonly stop: () => Promise<void> } {
  const clocks = {
    system: createJumpLook(time.elapsed, async () => time.shown()),
    store: createJumpLook(time.elapsed, () => databaseTime(deps.store.db)),
  };
  /** From before the start, or because the store was away or its clock behind. */
  let isLeft = true;
  let looks = 0;
  const look = async (): Promise<void> => {
    for (const [clock, jumped] of Object.entries(clocks)) {
      const byMs = await jumped();
      if (byMs === 0) continue;
      deps.log.warn({ module: "store", event: "clock_jumped", clock, byMs });
      isLeft = true;
    }
    const isWhole = ++looks % wholeEvery === 0;
    if (isLeft || isWhole || (await isAnythingAhead(deps.store.db))) isLeft = !(await setStoreRight(deps));
  };
  return every(everyMs, look, (err) => deps.log.warn({ module: "store", event: "clock_not_read", err }));
}

/** Returns the clock's jump since the last look in ms; 0 the first time. */
function createJumpLook(elapsed: () => number, shown: () => Promise<number>): () => Promise<number> {
  let before: number | undefined;
  return async () => {
    const askedAt = elapsed();
    const now = await shown();
    const answeredAt = elapsed();
    const offset = now - (askedAt + answeredAt) / 2;
    const byMs = before === undefined ? 0 : offset - before;
    before = offset;
    return Math.abs(byMs) > toleranceMs + (answeredAt - askedAt) ? Math.round(byMs) : 0;
  };
}
