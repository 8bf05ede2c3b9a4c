import { isDeepStrictEqual } from "node:util";
import { type ExecOrder, type ExecResult, type Reservation, type ScheduledStep, wentWell } from "../../base/run.ts";
import type { Server } from "../../base/server.ts";
import { outcomeOf } from "../../runbooks/expect.ts";
import { appendAudit } from "../../store/audit/chain.ts";
import type { Job } from "../../store/queue/queue.ts";
import { lockScheduleRun, setScheduleRun } from "../../store/schedules.ts";
import { bareEnding } from "../../text/bare.ts";
import type { Deps } from "../context.ts";
import { mayRun } from "../incident/hold.ts";
import { isStale } from "../run/preflight.ts";
import { presentExcerpt } from "../run/present-output.ts";
import type { RegisteredRun } from "../run/run-registry.ts";
import { settleAll } from "../settle-all.ts";
import { sealIntent } from "../verify/checkpoint-file.ts";
import type { Checked, Due, DueStep, Go } from "./check.ts";
import { drawRecord, type Ended, keepEnds } from "./record.ts";

/** One command of a due time, checked. */
export interface ScheduledSending {
  readonly due: Due;
  readonly step: DueStep;
  readonly go: Go;
}

export type Sent =
  | { readonly kind: "well" | "failed" }
  /** The rest of it was not sent. */
  | { readonly kind: "stopped"; readonly why: string };

interface Look {
  /** When it was looked at last, in ms by the clock on the wall. */
  at: number;
  readonly again: () => Promise<Checked>;
}

/**
 * Sends a checked step to its servers, as many at once as the operator allows, with its intent durable before (SR-63), and
 * records how each has ended. After the first that did not go well no further one is begun, and none on a look that is old.
 */
export async function sendStep(deps: Deps, job: Job, sending: ScheduledSending, look: Look): Promise<Sent> {
  const { due, go } = sending;
  const watched = deps.running.add(due.run.id, go.at);
  try {
    for (let from = 0; from < go.servers.length; from += deps.config.execution.atOnce) {
      const some = go.servers.slice(from, from + deps.config.execution.atOnce);
      const ended = await sendTo(deps, job, sending, { servers: some, watched, look });
      if (!Array.isArray(ended)) return ended;
      await deps.store.transaction((tx) => keepEnds(tx, deps, due, ended));
      if (!ended.every(({ ending, outcome }) => wentWell({ ending, outcome }))) return { kind: "failed" };
    }
    return { kind: "well" };
  } finally {
    watched.release();
  }
}

/**
 * Acquires a session on each server, looks once more at what the operator's permission rests on, and sends: between that look and the
 * send nothing is waited for but the intent's own commit (SR-24).
 */
async function sendTo(
  deps: Deps,
  job: Job,
  sending: ScheduledSending,
  {
    servers,
    watched,
    look,
  }: { readonly servers: readonly Server[]; readonly watched: RegisteredRun; readonly look: Look },
): Promise<Ended[] | Extract<Sent, { kind: "stopped" }>> {
  const reservations = await settleAll(
    servers.map((server) => deps.reserve(orderFor(sending, server), watched.signalOn(server.name))),
  );
  try {
    const sent: Promise<Ended>[] = [];
    let waiting: readonly Reservation[] = reservations;
    let intended = false;
    let fault: string | undefined;
    for (let looks = 0; waiting.length > 0; looks++) {
      const [why, ...refusals] = await Promise.all([
        lookAgain(look, sending.go),
        ...waiting.map(({ prove }) => prove()),
      ]);
      fault = why ?? refusals.find((refusal) => refusal !== undefined) ?? (looks < maxLooks ? undefined : tooSlow);
      if (fault !== undefined) break;
      if (!intended) {
        if (!(await intend(deps, job, sending, servers)))
          return { kind: "stopped", why: "the bot is halted, or held here" };
        intended = true;
        fault = await sealIntent(deps);
        if (fault !== undefined) break;
      }
      waiting = waiting.filter((reservation) => {
        const going = send(deps, sending, { reservation, watched, asOf: look.at });
        if (going !== "stale") sent.push(going);
        return going === "stale";
      });
    }
    if (!intended) return { kind: "stopped", why: fault ?? tooSlow };
    return await settleAll([...sent, ...waiting.map(({ server }) => notSent(sending, server, fault ?? tooSlow))]);
  } finally {
    for (const { release } of reservations) release();
  }
}

/** How often it is looked again at once, where the answer took so long that nothing may be sent on it. */
const maxLooks = 4;
const tooSlow = "GitHub answers too slowly to send anything on what it says";

/** Looks again where the last look is old; what speaks against sending what was reserved then, where something does. */
async function lookAgain(look: Look, { spec }: Go): Promise<string | undefined> {
  if (!isStale(look.at)) return undefined;
  const at = Date.now();
  const now = await look.again();
  look.at = at;
  if (now.kind !== "go") return now.reason;
  return isDeepStrictEqual(now.spec.targets, spec.targets) ? undefined : "its servers were changed while it waited";
}

/** The intent, with holds and the kill switch looked at once more in its transaction. False where they say no. */
async function intend(deps: Deps, job: Job, sending: ScheduledSending, servers: readonly Server[]): Promise<boolean> {
  const { due, step, go } = sending;
  const { run, schedule, sha256 } = due;
  const { spec } = go;
  return deps.store.transaction(async (tx) => {
    await job.fence(tx);
    if ((await mayRun(deps, tx, go.at)).kind !== "yes") return false;
    const begun = servers.map((server) => beginOf(sending, server));
    if (!(await setScheduleRun(tx, run.id, { steps: [...(await lockScheduleRun(tx, run.id)).steps, ...begun] })))
      return false;
    await appendAudit(tx, {
      kind: "schedule_command_dispatched",
      body: {
        schedule: schedule.key,
        run: run.id,
        due: run.dueAt.toISOString(),
        sha256,
        step: step.number,
        place: spec.place,
        targets: spec.targets.filter((target) => servers.some(({ name }) => name === target.server)),
        command: spec.command,
        risk: spec.risk,
        rulesVersion: spec.rulesVersion,
      },
    });
    await drawRecord(tx, deps, schedule);
    return true;
  });
}

const beginOf = ({ step, go }: ScheduledSending, server: Server): ScheduledStep => ({
  step: step.number,
  title: step.proposal.title,
  place: go.spec.place,
  server: server.name,
  command: go.spec.command,
});

/** The intent was recorded, and nothing was sent. */
const notSent = async (sending: ScheduledSending, server: Server, why: string): Promise<Ended> => ({
  ...beginOf(sending, server),
  ending: { kind: "unreachable", reason: `Not started: ${why}.` },
  outcome: null,
  durationMs: null,
  proof: {},
});

/** What goes to a server, in its session: it only reads. */
function orderFor({ go }: ScheduledSending, server: Server): ExecOrder {
  const target = go.spec.targets.find((one) => one.server === server.name);
  if (!target) throw new Error(`${server.name} is no server of the step`);
  const { wrapped, hostKeys } = target;
  return { server, wrapped, hostKeys, mode: "direct" };
}

/** Sends it to one server. However it ends is data. */
function send(
  deps: Deps,
  sending: ScheduledSending,
  { reservation, watched, asOf }: { reservation: Reservation; watched: RegisteredRun; asOf: number },
): Promise<Ended> | "stale" {
  const { server } = reservation;
  const sent = reservation.send(asOf, { runId: sending.due.run.id, onSent: () => watched.sent(server.name) });
  return sent === "stale" ? sent : sent.then((result) => endedAs(deps, sending, server, result));
}

async function endedAs(deps: Deps, sending: ScheduledSending, server: Server, result: ExecResult): Promise<Ended> {
  const { command, expect } = sending.go.spec;
  const { capture, durationMs, outputNote } = result;
  const ending = bareEnding(deps.redact, result.ending);
  const shown = await presentExcerpt(deps, { command, server: server.name, expect }, { capture, outputNote });
  capture.release?.();
  return {
    ...beginOf(sending, server),
    ending,
    outcome: expect ? outcomeOf(expect, { ending, durationMs, has: shown.has }) : null,
    durationMs,
    excerpt: shown.excerpt,
    ...(shown.trouble === undefined ? {} : { trouble: shown.trouble }),
    proof: {
      hostKey: result.hostKey ?? null,
      housekeeping: result.housekeeping,
      bytes: capture.bytes,
      outputSha256: capture.sha256,
      redactedSha256: shown.sha256,
    },
  };
}
