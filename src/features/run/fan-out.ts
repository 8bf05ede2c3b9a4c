import { isDeepStrictEqual } from "node:util";
import { placeOfRun, type RunPlace, targetOfRun } from "../../base/action.ts";
import { reached } from "../../base/crash-point.ts";
import { type Ending, type ExecOrder, type HowToRun, type Reservation, stopsRest } from "../../base/run.ts";
import type { Server } from "../../base/server.ts";
import { sleep } from "../../base/sleep.ts";
import { endUnknown } from "../../base/unknown.ts";
import type { Action, Target } from "../../store/actions.ts";
import { incidentOf, lockIncident } from "../../store/incidents.ts";
import { beginRun, type Run } from "../../store/runs.ts";
import { inSpan } from "../../telemetry/trace.ts";
import type { Deps } from "../context.ts";
import { mayRun } from "../incident/hold.ts";
import { settleAll } from "../settle-all.ts";
import { sealIntent } from "../verify/checkpoint-file.ts";
import { isSetBackSince } from "../verify/restored.ts";
import { isStale } from "./check-dispatch.ts";
import type { ActionRun, BatchRun, ClaimedAction, Dispatch } from "./execute.ts";
import { finishRun, type RunOutcome, type RunResult } from "./finish-run.ts";
import { createLiveCard, type LiveCard } from "./live-card.ts";
import type { RegisteredRun } from "./run-registry.ts";
import { sameServer, settledBy } from "./target.ts";

/** How an approved action reaches its servers (SR-24, SR-63, RR-06). */

/** An action's sessions, opened early so that nothing waits between final check and send. */
export interface Reservations {
  /** The first session or failure; undefined if there is none. */
  readonly first: () => Promise<Reservation | undefined>;
  /** The caller releases it. */
  readonly take: (server: Server, run: Pick<Run, "server" | "step">) => Promise<Reservation>;
  /** Releases those not taken. */
  readonly release: () => Promise<void>;
}

/** Opens sessions on today's first servers; `take` opens the others. */
export function reserveFor(deps: Deps, action: Action, watched: RegisteredRun): Reservations {
  const ask = (server: Server, at: RunPlace): Promise<Reservation> =>
    deps.reserve(orderFor(action, server, at), watched.signalOn(placeOfRun(at)));
  const asked = new Map<string, { readonly server: Server; readonly reservation: Promise<Reservation> }>();
  for (const target of action.spec.targets.slice(0, deps.config.execution.atOnce)) {
    const server = deps.config.servers.get(target.server);
    if (server) asked.set(placeOfRun(target), { server, reservation: ask(server, target) });
  }
  const dropOne = async (reservation: Promise<Reservation>): Promise<void> => (await reservation).release();
  return {
    first: async () =>
      asked.size === 0 ? undefined : Promise.race([...asked.values()].map(({ reservation }) => reservation)),
    take: async (server, run) => {
      const own = asked.get(placeOfRun(run));
      asked.delete(placeOfRun(run));
      if (own && isDeepStrictEqual(own.server, server)) return own.reservation;
      if (own) await dropOne(own.reservation);
      return ask(server, run);
    },
    release: async () => {
      const left = [...asked.values()];
      asked.clear();
      await Promise.all(left.map(({ reservation }) => dropOne(reservation)));
    },
  };
}

/** The bytes approved for this server. `sent`: they may be there, so they are found, never sent again. */
function orderFor({ spec }: Action, server: Server, at: RunPlace, sent?: Pick<Run, "startedAt">): ExecOrder {
  const target = targetOfRun(spec.targets, at);
  if (target?.server !== server.name) throw new Error(`${server.name} is no server of the action`);
  const { wrapped, jobId, hostKeys } = target;
  const how: HowToRun =
    jobId === null
      ? { mode: "direct" }
      : { mode: "job", jobId, ...(sent?.startedAt ? { resume: { sentAt: sent.startedAt } } : {}) };
  return { server, wrapped, hostKeys, ...how };
}

/**
 * Runs a claimed action on its servers in order, up to `atOnce` in parallel. After a failure the rest ends as never started, except with
 * `--keep-going`. Returns true if all went well.
 */
export async function runFanOut(dispatch: Dispatch, { runs, servers, lookedAt }: ClaimedAction): Promise<boolean> {
  const { deps, batch, action, reservations } = dispatch;
  const waiting = [...runs];
  const live = createLiveCard(dispatch);
  // Once for all servers: the claim's audit row names every run, and a store copy with that row claims none again.
  const gate = createGate(dispatch, lookedAt, await sealIntent(deps));
  let allWell = true;
  const runInTurn = async (): Promise<void> => {
    for (let run = waiting.shift(); run !== undefined; run = waiting.shift()) {
      const { server: name } = run;
      const server = servers.find((candidate) => candidate.name === name);
      if (!server || gate.stopped() !== undefined) {
        await leave(dispatch, run, gate.stopped() ?? "the server is gone");
        continue;
      }
      const reservation = await reservations.take(server, run);
      const went = await sendTo(dispatch, { run, reservation, live, gate }).finally(reservation.release);
      if (went === "taken") continue;
      if (went === "over") {
        waiting.push(run);
        return;
      }
      if ("not" in went) await leave(dispatch, run, went.not);
      else if (!stopsRest(action.spec.risk, went)) continue;
      allWell = false;
      // A set's checks are independent.
      if (!batch.keepGoing && action.spec.set === undefined) gate.stop(`it failed on ${name} before`);
    }
  };
  const lane = (): Promise<void> =>
    runInTurn().catch((error) => {
      gate.breakOff();
      throw error;
    });
  const lanes = Math.min(deps.config.execution.atOnce, runs.length);
  // All lanes end first, even if one broke.
  await settleAll(Array.from({ length: lanes }, lane)).finally(live.stop);
  if (waiting.length > 0) throw new Error("the bot stops; what was not begun is settled by the next attempt");
  return allWell && gate.stopped() === undefined;
}

/** Pause if GitHub does not answer (RR-11). */
const laterMs = 5_000;
const laterStepMs = 250;

interface Gate {
  /** Why no further run begins. */
  readonly stopped: () => string | undefined;
  /** The first reason stands. */
  readonly stop: (why: string) => void;
  /** The bot ends or a lane broke. Runs not begun were never sent; the next attempt settles them. */
  readonly isOver: () => boolean;
  readonly breakOff: () => void;
  /** Repeats an outdated final check. */
  readonly lookAgain: () => Promise<void>;
  readonly lookedAt: () => number;
}

function createGate({ job, look, watched }: Dispatch, claimedAt: number, stoppedBefore: string | undefined): Gate {
  let stopped = stoppedBefore;
  let broken = false;
  let lookedAt = claimedAt;
  /** Lanes share one look. */
  let looking: Promise<void> | undefined;

  const stop = (why: string): void => {
    stopped ??= why;
  };
  const isOver = (): boolean => broken || job.signal.aborted;
  const goesOn = (): boolean => stopped === undefined && !watched.signal.aborted && !isOver();
  const lookOnce = async (): Promise<void> => {
    const check = await look();
    if (check.kind === "go") lookedAt = check.lookedAt;
    else if (check.kind === "ask-later")
      for (let waited = 0; waited < laterMs && goesOn(); waited += laterStepMs) await sleep(laterStepMs);
    else stop(check.reason);
  };
  return {
    stopped: () => stopped,
    stop,
    isOver,
    breakOff: () => {
      broken = true;
    },
    lookAgain: async () => {
      while (isStale(lookedAt) && goesOn()) {
        looking ??= lookOnce().finally(() => {
          looking = undefined;
        });
        await looking;
      }
    },
    lookedAt: () => lookedAt,
  };
}

/** Sends a run once all it rests on is recent, or returns what prevents that. */
async function sendTo(
  dispatch: Dispatch,
  { run, reservation, live, gate }: { run: Run; reservation: Reservation; live: LiveCard; gate: Gate },
): Promise<RunOutcome | "over" | "taken" | { readonly not: string }> {
  let begun = run;
  for (let isLate = false; ; isLate = true) {
    const [refusal] = await Promise.all([reservation.prove(), gate.lookAgain()]);
    if (gate.isOver()) return "over";
    if (dispatch.watched.signal.aborted) gate.stop("it was cancelled before");
    const not = gate.stopped() ?? refusal;
    if (not !== undefined) return { not };
    const intent = await begin(dispatch, begun, isLate);
    if (intent.kind === "taken") return "taken";
    if (intent.kind === "stopped") {
      gate.stop(intent.words);
      return { not: gate.stopped() ?? intent.words };
    }
    begun = intent.run;
    const went = await runAction(dispatch, { run: begun, reservation, live, asOf: gate.lookedAt() });
    if (went !== "stale") return went;
  }
}

/**
 * Commits the intent to send; the claim covers the first runs. `isLate`: the process may have stalled while another took the job and
 * reported the run (F-35).
 */
async function begin(
  { deps, batch, job }: BatchRun,
  run: Run,
  isLate: boolean,
): Promise<
  | { readonly kind: "begun"; readonly run: Run }
  | { readonly kind: "stopped"; readonly words: string }
  | { readonly kind: "taken" }
> {
  if (run.startedAt !== null && !isLate) return { kind: "begun", run };
  return deps.store.transaction(async (tx) => {
    await job.fence(tx);
    const incident = await lockIncident(tx, batch.incidentId);
    if (incident.state !== "open") return { kind: "stopped", words: "the issue is closed" };
    const may = await mayRun(deps, tx, incident);
    if (may.kind === "stopped") return { kind: "stopped", words: may.words };
    const begun = run.startedAt === null ? await beginRun(tx, run.id) : run;
    return begun ? { kind: "begun", run: begun } : { kind: "taken" };
  });
}

const leave = (at: ActionRun, run: Run, why: string): Promise<unknown> =>
  finishRun(at, run, { ending: { kind: "unreachable", reason: `Not started: ${why}.` }, durationMs: null });

interface ReadyRun {
  readonly run: Run;
  readonly reservation: Reservation;
  readonly live: LiveCard;
  /** When the final check was made (ms of the wall clock). */
  readonly asOf: number;
  /** It may be there already: it is only found, never started. */
  readonly again?: boolean;
}

/** Sends a run, follows and records it. An ending is data and not thrown. "stale": the check is too old, nothing was sent. */
async function runAction(
  at: ActionRun,
  { run, reservation, live, asOf, again = false }: ReadyRun,
): Promise<RunOutcome | "stale"> {
  const { deps, batch, job, action, watched } = at;
  const { server } = reservation;
  const followed = live.follow(run, server);
  const sinceApprovedMs = run.startedAt ? run.startedAt.getTime() - batch.createdAt.getTime() : undefined;
  const line = { module: "ssh", run: run.id, number: action.number, server: server.name, risk: action.spec.risk };
  reached("CP09");
  const sent = reservation.send(asOf, {
    runId: run.id,
    onOutput: followed.push,
    onSent: () => watched.sent(placeOfRun(run)),
  });
  if (sent === "stale") {
    await followed.stop();
    return sent;
  }
  deps.log.info({ ...line, event: "run_start", ...(!again && { sinceApprovedMs }) });
  const ended = inSpan("run", { run: run.id, server: server.name, risk: action.spec.risk }, () => sent);
  const botStops = new Promise<"bot stops">((resolve) => {
    if (job.signal.aborted) resolve("bot stops");
    else job.signal.addEventListener("abort", () => resolve("bot stops"), { once: true });
  });
  const first = await Promise.race([ended, botStops]);
  await followed.stop();
  const target = targetOfRun(action.spec.targets, run);
  if (first === "bot stops" && target?.jobId) throw new Error("the bot stops; the job goes on and is found again");
  const result: RunResult = first === "bot stops" ? { ending: endLeft(target), durationMs: null } : first;
  if (result.ending.kind === "timed-out")
    deps.log.warn({ ...line, event: "tool_timeout", tool: "ssh", timeoutMs: result.ending.afterMs });
  deps.log.info({
    ...line,
    event: "run_end",
    tool: "ssh",
    ending: result.ending.kind,
    isError: result.ending.kind !== "exited" || result.ending.code !== 0,
    durationMs: result.durationMs,
    bytes: result.capture?.bytes ?? null,
  });
  reached("CP13");
  // The result is in memory, so a brief store failure must not make it UNKNOWN.
  for (const waitMs of [100, 1_000, 5_000, 15_000, 30_000]) {
    try {
      return await finishRun(at, run, result);
    } catch (error) {
      deps.log.error({ module: "ssh", event: "result_not_stored", run: run.id, waitMs, err: error });
      await sleep(waitMs);
    }
  }
  return finishRun(at, run, result);
}

function endLeft(target: Target | undefined): Ending {
  if (target?.source) return endUnknown("bot-stopped-question", {});
  return target?.cluster
    ? endUnknown("bot-stopped-kubectl", { check: settledBy(target) })
    : endUnknown("bot-stopped-command", {});
}

/** Claimed by an earlier process. */
export interface SentRun {
  readonly action: Action;
  readonly run: Run;
}

/**
 * Settles an earlier process's runs: follows a job to its end (CP11 to CP13), repeats nothing, ends the rest as unknown. Returns true if
 * all went well.
 */
export async function findAgain(at: BatchRun, open: readonly SentRun[]): Promise<boolean> {
  const byAction = Map.groupBy(open, ({ action }) => action.id);
  const all = [...byAction.values()].map(async (runs): Promise<boolean> => {
    const [first] = runs;
    if (!first) return true;
    const { action } = first;
    const incident = await incidentOf(at.deps.store.db, action.incidentId);
    const watched = at.deps.running.add(action.id, incident);
    for (const { run } of runs) watched.sent(placeOfRun(run));
    const actionRun: ActionRun = { ...at, action, watched };
    const live = createLiveCard(actionRun);
    let asked: Promise<boolean> | undefined;
    const isOlder = (): Promise<boolean> => {
      asked ??= isSetBackSince(at.deps, incident, at.batch.createdAt);
      return asked;
    };
    try {
      const ended = await settleAll(runs.map(({ run }) => findRunAgain(actionRun, run, { live, isOlder })));
      return ended.every((isGood) => isGood);
    } finally {
      await live.stop();
      watched.release();
    }
  });
  return (await settleAll(all)).every((isGood) => isGood);
}

async function findRunAgain(
  at: ActionRun,
  run: Run,
  { live, isOlder }: { live: LiveCard; isOlder: () => Promise<boolean> },
): Promise<boolean> {
  const { deps, action, watched } = at;
  const target = targetOfRun(action.spec.targets, run);
  const server = target && sameServer(deps, target);
  reached("CP19");
  // A process that this older store has not seen may have sent it (RR-24).
  if (run.startedAt === null && (await isOlder()))
    await finishRun(at, run, { ending: endUnknown("store-put-back", {}), durationMs: null });
  else if (run.startedAt === null) await leave(at, run, "the bot stopped before it was sent there");
  else if (!target?.jobId || !server)
    await finishRun(at, run, { ending: endUnknown("bot-stopped", { check: settledBy(target) }), durationMs: null });
  else {
    const reservation = await deps.reserve(orderFor(action, server, run, run), watched.signalOn(placeOfRun(run)));
    const went = await runAction(at, { run, reservation, live, asOf: Date.now(), again: true });
    return went !== "stale" && !stopsRest(action.spec.risk, went);
  }
  return false;
}
