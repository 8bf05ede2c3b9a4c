import type { Ending, ExecOrder, ExecResult, ExecWatch, Reserve } from "../../src/base/run.ts";
import { stopperIn } from "../../src/base/run.ts";
import { createCapture } from "../../src/ssh/capture.ts";
import type { Wire } from "./github.ts";

/** `connect`: no connection; `reset`: it is lost after the command was sent; `fail`: exit 1; `hang`: runs until it is ended. */
export type HostFault = "connect" | "reset" | "fail" | "hang";

export interface Start {
  readonly runId: string;
  readonly wrapped: string;
  readonly server: string;
}

export interface Host {
  /** What has begun on the servers, in order. */
  readonly starts: readonly Start[];
  readonly faults: HostFault[];
  /** Commands that run until somebody ends them, go on to their end from now on. */
  readonly relent: () => void;
  /** A bot's way to the servers. */
  readonly door: (wire: Wire) => Reserve;
}

interface Job {
  ending: Ending | undefined;
}

/**
 * The servers behind SSH, as the bot's door to them has it by contract: a command in its session is lost with the session; a
 * job runs once for its id, goes on without a session, and is found again.
 */
export function createHost(output: string, onStart: (start: Start) => Promise<void>): Host {
  const starts: Start[] = [];
  const faults: HostFault[] = [];
  const jobs = new Map<string, Job>();
  let relented = false;
  const result = (ending: Ending): ExecResult => {
    const capture = createCapture(10_000);
    if (ending.kind === "exited") capture.push(Buffer.from(output));
    return { ending, capture: capture.finish(), durationMs: 10, hostKey: "SHA256:host", housekeeping: [] };
  };
  return {
    starts,
    faults,
    relent: () => {
      relented = true;
    },
    door: (wire) => async (order, signal) => ({
      server: order.server,
      prove: async () => undefined,
      send: (asOf, watch) => (Date.now() - asOf > 1_000 ? "stale" : play(wire, order, { ...watch, signal })),
      release: () => {},
      over: Promise.resolve(),
    }),
  };

  async function play(wire: Wire, order: ExecOrder, watch: ExecWatch): Promise<ExecResult> {
    const { signal } = watch;
    const isAgain = order.mode === "job" && order.resume !== undefined;
    const fault = await wire(isAgain ? "job →" : "exec →", () => faults.shift());
    if (fault === "connect")
      return wire("exec ←", () =>
        result(
          isAgain
            ? { kind: "unknown", reason: "web-1 cannot be reached" }
            : { kind: "unreachable", reason: "web-1 cannot be reached" },
        ),
      );
    if (order.mode === "job" && order.resume) {
      const job = jobs.get(order.jobId);
      // Where it never began it is made sure that it never will.
      if (!job) jobs.set(order.jobId, { ending: { kind: "unreachable", reason: "it never began" } });
      return wire("job ←", () => result(jobs.get(order.jobId)?.ending ?? { kind: "exited", code: 0 }));
    }
    if (signal.aborted) {
      const stopper = stopperIn(signal);
      return wire("exec ←", () => result({ kind: "cancelled", ...stopper, note: "it had not been started" }));
    }
    const job: Job = { ending: undefined };
    const known = order.mode === "job" ? jobs.get(order.jobId) : undefined;
    if (known?.ending) return wire("exec ←", () => result(known.ending ?? { kind: "exited", code: 0 }));
    if (order.mode === "job") jobs.set(order.jobId, job);
    const start = { runId: watch.runId ?? "", wrapped: order.wrapped, server: order.server.name };
    starts.push(start);
    await onStart(start);
    watch.onSent?.();
    if (fault === "hang" && !relented) await untilAborted(signal, () => relented);
    return wire("exec ←", () => {
      if (signal.aborted) job.ending = { kind: "cancelled", ...stopperIn(signal) };
      else job.ending = { kind: "exited", code: fault === "fail" ? 1 : 0 };
      if (fault === "reset") return result({ kind: "unknown", reason: "the connection was lost" });
      if (job.ending.kind === "exited") watch.onOutput?.(Buffer.from(output));
      return result(job.ending);
    });
  }
}

async function untilAborted(signal: AbortSignal, isOver: () => boolean): Promise<void> {
  while (!signal.aborted && !isOver()) await new Promise((resolve) => setTimeout(resolve, 1_000));
}
