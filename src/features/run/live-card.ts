import { memberOf } from "../../base/action.ts";
import type { Server } from "../../base/server.ts";
import { loadTemplate } from "../../base/template.ts";
import { duration } from "../../github/render/ink.ts";
import { moveAction } from "../../store/actions.ts";
import { lockIncident } from "../../store/incidents.ts";
import { slots } from "../../store/outbox/slots.ts";
import { wantComments } from "../../store/outbox/wanted.ts";
import { markRuns, type Run, runsOfAction } from "../../store/runs.ts";
import { show, threadOf } from "../thread/show.ts";
import type { ActionRun } from "./execute.ts";
import { createSoFar, presentSoFar, type SeenSoFar, type SoFar } from "./present-output.ts";

/** A run that ends before shows only its result. */
const firstMs = 500;
/** Every 5 s in the first minute, then every 30 s: for GitHub an edit costs as much as a comment. */
const eagerMs = 5_000;
const calmMs = 30_000;
const eagerForMs = 60_000;
/** If the store does not answer. */
const leastMs = 500;

export interface LiveCard {
  /** Shows a run until `stop`. `push` never throws. */
  readonly follow: (
    run: Run,
    server: Server,
  ) => { readonly push: (chunk: Uint8Array) => void; readonly stop: () => Promise<void> };
  /** Resolves after the last drawing. */
  readonly stop: () => Promise<void>;
}

interface FollowedRun {
  readonly run: Run;
  readonly softTimeoutMs: number;
  readonly said: SoFar;
  seen: SeenSoFar & { readonly bytes: number };
  /** As of its last row. */
  asksAt: Date | undefined;
}

const overdue = loadTemplate("comments/soft-limit.md");

/**
 * Shows a run's time and output so far, and asks at its soft limit (AR-12). The run's row keeps the state for the next process. A public
 * issue shows no output (SR-11).
 */
export function createLiveCard({ deps, batch, action, watched }: ActionRun): LiveCard {
  const followed = new Set<FollowedRun>();
  let drawnAt = Date.now() - eagerMs + firstMs;
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  let drawing: Promise<void> = Promise.resolve();

  const draw = async (): Promise<void> => {
    drawnAt = Date.now();
    const now = new Date(drawnAt);
    if (followed.size === 0) return;
    for (const one of followed) {
      const bytes = one.said.bytes();
      if (bytes === one.seen.bytes) continue;
      const ran = { command: memberOf(action.spec, one.run).command, server: one.run.server };
      one.seen = { ...presentSoFar(deps, ran, one.said), bytes };
    }
    await deps.store.transaction(async (tx) => {
      const incident = await lockIncident(tx, batch.incidentId);
      await moveAction(tx, action, { from: "dispatching", to: "running" });
      const rows = await runsOfAction(tx, action.id);
      const isFirst = rows.every(({ askedAt }) => askedAt === null);
      const late: Run[] = [];
      for (const one of followed) {
        const row = rows.find(({ id }) => id === one.run.id);
        if (!row || row.endedAt !== null) continue;
        const due = asksAt(row, one.softTimeoutMs);
        const asks = due !== undefined && due <= now;
        // Comments at the first soft limit and after each `/wait`; the action's other servers are only on the card.
        if (asks && (isFirst || row.waitUntil !== null)) late.push(row);
        one.asksAt = asks ? undefined : due;
        const excerpt = incident.public ? "" : one.seen.lines;
        const asked = asks ? { askedAt: now } : {};
        await markRuns(tx, [row], { excerpt, soFar: one.seen.soFar, seenAt: now, ...asked });
      }
      const [first] = late;
      if (first) {
        const ranMs = Math.max(...late.map(({ startedAt }) => now.getTime() - (startedAt ?? now).getTime()));
        const body = overdue({
          number: String(action.number),
          where: late.map(({ server }) => deps.markdown.code(server)).join(", "),
          elapsed: duration(ranMs),
        });
        // A comment, because GitHub sends no notification for edits.
        const slot = slots.softLimit(action.number, first.waitUntil);
        await wantComments(tx, threadOf(incident), [{ slot, body }]);
      }
      await show(tx, deps, incident);
    });
  };
  const drawNow = (): Promise<void> => {
    clearTimeout(timer);
    drawing = drawing
      .then(draw)
      .catch((error) => deps.log.warn({ module: "ssh", event: "live_card_late", number: action.number, err: error }))
      .finally(schedule);
    return drawing;
  };
  const schedule = (): void => {
    clearTimeout(timer);
    if (stopped || followed.size === 0) return;
    const asked = [...followed].map((one) => one.asksAt?.getTime() ?? Number.POSITIVE_INFINITY);
    const nextAt = Math.max(drawnAt + leastMs, Math.min(drawnAt + paceOf(followed), ...asked));
    timer = setTimeout(() => void drawNow(), Math.max(0, nextAt - Date.now()));
  };
  watched.drawnBy(drawNow);
  return {
    follow: (run, server) => {
      const softTimeoutMs = batch.softTimeoutMs ?? server.softTimeoutMs;
      const seen = { lines: "", soFar: "", bytes: 0 };
      const one = { run, softTimeoutMs, said: createSoFar(), seen, asksAt: asksAt(run, softTimeoutMs) };
      followed.add(one);
      schedule();
      return {
        push: one.said.push,
        stop: async () => {
          followed.delete(one);
          await drawing;
        },
      };
    },
    stop: async () => {
      stopped = true;
      clearTimeout(timer);
      await drawing;
    },
  };
}

/** The pause after an edit, in ms. */
export const paceMs = (ranMs: number): number => (ranMs < eagerForMs ? eagerMs : calmMs);

/** The oldest decides: a run found again has had its first minute. */
function paceOf(followed: ReadonlySet<FollowedRun>): number {
  const since = Math.min(...[...followed].map(({ run }) => run.startedAt?.getTime() ?? Date.now()));
  return paceMs(Date.now() - since);
}

/** When a run next asks: at its soft limit, or after `/wait`. Undefined if it has asked or not begun. */
export function asksAt(
  { startedAt, askedAt, waitUntil }: Pick<Run, "startedAt" | "askedAt" | "waitUntil">,
  softTimeoutMs: number,
): Date | undefined {
  if (startedAt === null) return undefined;
  const at = waitUntil ?? new Date(startedAt.getTime() + softTimeoutMs);
  return askedAt !== null && askedAt.getTime() >= at.getTime() ? undefined : at;
}
