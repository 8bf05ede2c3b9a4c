import { placeOfRun, targetOfRun } from "../../base/action.ts";
import { reached } from "../../base/crash-point.ts";
import { type Ending, type Reservation, stopsRest } from "../../base/run.ts";
import type { Server } from "../../base/server.ts";
import type { Action, Target } from "../../store/actions.ts";
import { incidentOf, lockIncident } from "../../store/incidents.ts";
import { beginRun, type Run } from "../../store/runs.ts";
import { mayRun } from "../incident/hold.ts";
import { settleAll } from "../settle-all.ts";
import { sealIntent } from "../verify/checkpoint-file.ts";
import { isSetBackSince } from "../verify/restored.ts";
import type { At } from "./execute.ts";
import { createGate, type Gate } from "./fan-out-gate.ts";
import { finishRun, type HowItWent } from "./finish-run.ts";
import { createLiveCard, type LiveCard } from "./live-card.ts";
import type { Dispatch } from "./preflight.ts";
import { type Reservations, reserveAgain } from "./reserve.ts";
import { runAction } from "./run-action.ts";
import type { RegisteredRun } from "./run-registry.ts";
import { sameServer, settledBy } from "./target.ts";

/** A claimed action with a run for each of its servers. */
export interface FanOut {
  readonly action: Action;
  readonly runs: readonly Run[];
  readonly servers: readonly Server[];
  readonly reservations: Reservations;
  readonly watched: RegisteredRun;
  /** Reads again all that the approval rests on (SR-24), and how old that was at the claim. */
  readonly look: () => Promise<Dispatch>;
  readonly lookedAt: number;
}

/**
 * Runs a claimed action on its servers, in order, as many at once as the operator allows. After the first failure no further one
 * is begun, unless `--keep-going` said so; those not begun end as never started. True where all went well.
 */
export async function runFanOut(at: At, fanOut: FanOut): Promise<boolean> {
  const { action, runs, servers, reservations, watched } = fanOut;
  const waiting = [...runs];
  const live = createLiveCard(at, action, watched);
  // Once for all servers: the claim's row in the audit names every run, and a copy of the store that has the row claims none anew.
  const gate = createGate(at, fanOut, await sealIntent(at.deps));
  let allWell = true;
  const goOn = async (): Promise<void> => {
    for (let run = waiting.shift(); run !== undefined; run = waiting.shift()) {
      const { server: name } = run;
      const server = servers.find((candidate) => candidate.name === name);
      if (!server || gate.stopped() !== undefined) {
        await leave(at, action, run, gate.stopped() ?? "the server is gone");
        continue;
      }
      const reservation = await reservations.take(server, run);
      const went = await sendTo(at, { action, watched, live, gate }, run, reservation).finally(reservation.release);
      if (went === "taken") continue;
      if (went === "over") {
        waiting.push(run);
        return;
      }
      if ("not" in went) await leave(at, action, run, went.not);
      else if (!stopsRest(action.spec.risk, went)) continue;
      allWell = false;
      // The checks of a set do not hang on one another.
      if (!at.batch.keepGoing && action.spec.set === undefined) gate.stop(`it failed on ${name} before`);
    }
  };
  const lane = (): Promise<void> =>
    goOn().catch((error) => {
      gate.breakOff();
      throw error;
    });
  const lanes = Math.min(at.deps.config.execution.atOnce, runs.length);
  // All lanes have ended before anything else is done about the action, also where one of them broke.
  await settleAll(Array.from({ length: lanes }, lane)).finally(live.stop);
  if (waiting.length > 0) throw new Error("the bot stops; what was not begun is settled by the next attempt");
  return allWell && gate.stopped() === undefined;
}

/** Sends it as soon as all that it rests on is of this moment; what speaks against that, where something does. */
async function sendTo(
  at: At,
  { gate, ...seen }: { action: Action; watched: RegisteredRun; live: LiveCard; gate: Gate },
  run: Run,
  reservation: Reservation,
): Promise<HowItWent | "over" | "taken" | { readonly not: string }> {
  let now = run;
  for (let isLate = false; ; isLate = true) {
    const [refusal] = await Promise.all([reservation.prove(), gate.lookAgain()]);
    if (gate.isOver()) return "over";
    if (seen.watched.signal.aborted) gate.stop("it was cancelled before");
    const not = gate.stopped() ?? refusal;
    if (not !== undefined) return { not };
    const begun = await begin(at, now, isLate);
    if (begun.kind === "taken") return "taken";
    if (begun.kind === "stopped") {
      gate.stop(begun.words);
      return { not: gate.stopped() ?? begun.words };
    }
    now = begun.run;
    const went = await runAction(at, { ...seen, run: now, reservation, asOf: gate.lookedAt() });
    if (went !== "stale") return went;
  }
}

type Begun =
  | { readonly kind: "begun"; readonly run: Run }
  | { readonly kind: "stopped"; readonly words: string }
  /** Ended or begun by somebody else meanwhile. */
  | { readonly kind: "taken" };

/**
 * The intent to send it there, durable before anything is sent (SR-63); the first of them were begun with the claim. Where what that
 * rests on has grown too old meanwhile, this process may have stood still, and another one have the job and have told of the run (F-35).
 */
async function begin({ deps, batch, job }: At, run: Run, isLate: boolean): Promise<Begun> {
  if (run.startedAt !== null && !isLate) return { kind: "begun", run };
  return deps.store.transaction(async (tx): Promise<Begun> => {
    await job.fence(tx);
    const incident = await lockIncident(tx, batch.incidentId);
    if (incident.state !== "open") return { kind: "stopped", words: "the issue is closed" };
    const may = await mayRun(deps, tx, incident);
    if (may.kind === "stopped") return { kind: "stopped", words: may.words };
    const begun = run.startedAt === null ? await beginRun(tx, run.id) : run;
    return begun ? { kind: "begun", run: begun } : { kind: "taken" };
  });
}

/** A server to which nothing was sent. */
const leave = (at: At, action: Action, run: Run, why: string): Promise<unknown> =>
  finishRun(at, action, run, { ending: { kind: "unreachable", reason: `Not started: ${why}.` }, durationMs: null });

/** A run that an earlier process had claimed and not ended. */
export interface Open {
  readonly action: Action;
  readonly run: Run;
}

/**
 * Settles what a process that is no more had under way: a job is found again on its server and followed to its end (CP11 to
 * CP13), nothing else is repeated, and what cannot be known is told as unknown (RR-06). True where all of it went well.
 */
export async function findAgain(at: At, open: readonly Open[]): Promise<boolean> {
  const byAction = Map.groupBy(open, ({ action }) => action.id);
  const all = [...byAction.values()].map(async (runs): Promise<boolean> => {
    const [first] = runs;
    if (!first) return true;
    const incident = await incidentOf(at.deps.store.db, first.action.incidentId);
    const watched = at.deps.running.add(first.action.id, incident);
    for (const { run } of runs) watched.sent(placeOfRun(run));
    const live = createLiveCard(at, first.action, watched);
    let asked: Promise<boolean> | undefined;
    const isOlder = (): Promise<boolean> => {
      asked ??= isSetBackSince(at.deps, incident, at.batch.createdAt);
      return asked;
    };
    try {
      const ended = await settleAll(runs.map((one) => findRunAgain(at, one, { watched, live, isOlder })));
      return ended.every((isGood) => isGood);
    } finally {
      await live.stop();
      watched.release();
    }
  });
  return (await settleAll(all)).every((isGood) => isGood);
}

async function findRunAgain(
  at: At,
  { action, run }: Open,
  { isOlder, ...seen }: { watched: RegisteredRun; live: LiveCard; isOlder: () => Promise<boolean> },
): Promise<boolean> {
  const target = targetOfRun(action.spec.targets, run);
  const server = target && sameServer(at.deps, target);
  const isJob = target !== undefined && target.jobId !== null;
  reached("CP19");
  if (run.startedAt === null && (await isOlder()))
    await finishRun(at, action, run, { ending: lostTime, durationMs: null });
  else if (run.startedAt === null) await leave(at, action, run, "the bot stopped before it was sent there");
  else if (!isJob || !server) await finishRun(at, action, run, { ending: lostTrackOf(target), durationMs: null });
  else {
    const reservation = await reserveAgain(at.deps, action, run, { server, watched: seen.watched });
    const went = await runAction(at, { action, run, reservation, ...seen, asOf: Date.now(), again: true });
    return went !== "stale" && !stopsRest(action.spec.risk, went);
  }
  return false;
}

const lostTrackOf = (target: Target | undefined): Ending => ({
  kind: "unknown",
  reason: `The bot stopped while this was on its way, so its result is unknown.${settledBy(target)}`,
});

/** It was sent there, or not, by a process of whose time this store knows nothing (RR-24). */
const lostTime: Ending = {
  kind: "unknown",
  reason: "An older copy of the bot's store was put back, so it is not known whether this was sent there.",
};
