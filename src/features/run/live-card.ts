import { memberOf } from "../../base/action.ts";
import type { Server } from "../../base/server.ts";
import { type Action, moveAction } from "../../store/actions.ts";
import type { Tx } from "../../store/database/open.ts";
import { type Incident, lockIncident } from "../../store/incidents.ts";
import { type Run, runsOfAction, setProgress } from "../../store/runs.ts";
import type { Deps } from "../context.ts";
import { show } from "../thread/show.ts";
import type { At } from "./execute.ts";
import type { RegisteredRun } from "./run-registry.ts";
import { createSoFar, presentSoFar, type SeenSoFar, type SoFar } from "./so-far.ts";
import { asksAt, type Late, sayOverdue } from "./soft-limit.ts";

/** The first look: what has ended by then is told by its result alone, and a request has left before anything is drawn. */
const firstMs = 500;
/** Every 5 s in the first minute, then every 30 s: an edit costs as much as a comment (PRODUCT). */
const eagerMs = 5_000;
const calmMs = 30_000;
const eagerForMs = 60_000;
/** A store that does not answer is not asked without a pause. */
const leastMs = 500;

/** The run card of one action while its command runs on one or several servers: all are drawn together. */
export interface LiveCard {
  /** Shows a run until `stop`. `push` takes its output and never throws. */
  readonly follow: (
    run: Run,
    server: Server,
  ) => { readonly push: (chunk: Uint8Array) => void; readonly stop: () => Promise<void> };
  /** Resolves when nothing is drawn any more. */
  readonly stop: () => Promise<void>;
}

interface Followed {
  readonly run: Run;
  readonly softTimeoutMs: number;
  readonly said: SoFar;
  /** What was presented last, and at how many bytes. */
  seen: SeenSoFar & { readonly bytes: number };
  /** When it asks next, as of the last look at its row. */
  asksAt: Date | undefined;
}

/**
 * Shows on the run card for how long a command has run and what it has said so far, and asks what to do with it at its soft limit
 * (AR-12). What it needs for that is on the run's row, so the next process goes on with it.
 */
export function createLiveCard(at: At, action: Action, watched: RegisteredRun): LiveCard {
  const { deps, batch } = at;
  const followed = new Set<Followed>();
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
      if (bytes !== one.seen.bytes) one.seen = { ...presentOne(deps, action, one), bytes };
    }
    await deps.store.transaction(async (tx) => {
      const incident = await lockIncident(tx, batch.incidentId);
      await noteProgress(tx, deps, { incident, action, followed, now });
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

const presentOne = (deps: Deps, { spec }: Action, { run, said }: Followed): SeenSoFar =>
  presentSoFar(deps, { command: memberOf(spec, run).command, server: run.server }, said);

/** Keeps that it runs, and on their rows what is seen of runs that go on, and asks about those that have passed their soft limit. */
async function noteProgress(
  tx: Tx,
  deps: Deps,
  given: {
    readonly incident: Incident;
    readonly action: Action;
    readonly followed: ReadonlySet<Followed>;
    readonly now: Date;
  },
): Promise<void> {
  const { incident, action, followed, now } = given;
  await moveAction(tx, action, { from: "dispatching", to: "running" });
  const rows = await runsOfAction(tx, action.id);
  const late: Late[] = [];
  for (const one of followed) {
    const row = rows.find(({ id }) => id === one.run.id);
    if (!row || row.endedAt !== null) continue;
    const due = asksAt(row, one.softTimeoutMs);
    const asks = due !== undefined && due <= now;
    if (asks) late.push({ run: row, due });
    one.asksAt = asks ? undefined : due;
    // SR-11: on a public issue nothing of an output is shown.
    const excerpt = incident.public ? "" : one.seen.lines;
    const asked = asks ? { askedAt: now } : {};
    await setProgress(tx, row.id, { excerpt, soFar: one.seen.soFar, seenAt: now, ...asked });
  }
  const isFirst = rows.every(({ askedAt }) => askedAt === null);
  await sayOverdue(tx, deps, incident, { action, late, isFirst, now });
}

/** How long after one edit the next may come, by how long the command has run (PRODUCT). Pure. */
export const paceMs = (ranMs: number): number => (ranMs < eagerForMs ? eagerMs : calmMs);

/** By how long the eldest has run: a command that was found again has had its eager minute. */
function paceOf(followed: ReadonlySet<Followed>): number {
  const since = Math.min(...[...followed].map(({ run }) => run.startedAt?.getTime() ?? Date.now()));
  return paceMs(Date.now() - since);
}
