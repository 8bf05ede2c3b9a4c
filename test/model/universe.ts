import type { Scheduler } from "fast-check";
import type { AskModel } from "../../src/agent/wire/model.ts";
import { type Clock, createClock } from "../../src/base/clock.ts";
import {
  type Ending,
  type ExecOrder,
  type ExecResult,
  type ExecWatch,
  type Reserve,
  stopperIn,
} from "../../src/base/run.ts";
import type { Config } from "../../src/config/values.ts";
import type { Deps } from "../../src/features/context.ts";
import { createCapture } from "../../src/ssh/capture.ts";
import { arrivalOf } from "../../src/store/queue/arrival.ts";
import { type Process, startProcess } from "./bot.ts";
import type { Database, StoreFault } from "./database.ts";
import { createGitHub, type GitHub, type Webhook, type Wire } from "./github.ts";
import { stillness, type Time } from "./time.ts";

/** What must not be read anywhere but on the servers: every command prints it. */
export const canary = "s3cr3t-canary-0123456789abcdef";

/** A start of a command with what was known at that moment. */
export interface Begun extends Start {
  /** Whether the intent stood in the store by then. */
  readonly intended: boolean;
  readonly truth: ReturnType<GitHub["truth"]>;
  /** As the bot was told last, and what it may still go by. */
  readonly seen: ReturnType<GitHub["seen"]>;
}

/** The bot with everything around it, in one process and in a time of its own. */
export interface Universe {
  readonly time: Time;
  readonly github: GitHub;
  readonly host: Host;
  readonly agent: Agent;
  readonly database: Database;
  readonly begun: readonly Begun[];
  readonly log: readonly string[];
  /** Commits of the store that are to fail, and rows of the audit. */
  readonly storeFaults: StoreFault[];
  readonly auditFaults: { count: number };
  readonly isUp: () => boolean;
  /** What its process works with; nothing while it is down. */
  readonly deps: () => Deps | undefined;
  /** The next `count` steps of requests and answers, in an order of the scheduler's choice; all there are without a count. */
  readonly steps: (count?: number) => Promise<void>;
  readonly deliver: (webhook: Webhook, guid?: string) => Promise<void>;
  /** The process is gone in the midst of what it does: now, or once it has asked the store so often. */
  readonly kill: (afterStatements?: number) => Promise<void>;
  readonly start: () => Promise<void>;
  /** As on SIGTERM. */
  readonly stop: () => Promise<void>;
}

interface Life {
  alive: boolean;
  statementsLeft: number;
}

export async function createUniverse(given: {
  readonly database: Database;
  readonly time: Time;
  readonly scheduler: Scheduler;
  readonly config: Config;
}): Promise<Universe> {
  const { database, time, scheduler, config } = given;
  const github = createGitHub(time);
  const agent = createAgent();
  const begun: Begun[] = [];
  const log: string[] = [];
  const storeFaults: StoreFault[] = [];
  const auditFaults = { count: 0 };
  let requests = 0;
  const still = () => stillness(() => database.asked() + requests);

  const host = createHost(`fine\ntoken=${canary}\n`, async (start) => {
    const [truth, seen] = [github.truth(), github.seen()];
    const run = await database.look.selectFrom("run").select("startedAt").where("id", "=", start.runId).execute();
    begun.push({ ...start, intended: run[0]?.startedAt != null, truth, seen });
  });

  let life: Life = { alive: false, statementsLeft: Number.POSITIVE_INFINITY };
  let process: Process | undefined;

  const wireOf =
    (own: Life, clock: Clock): Wire =>
    async (what, act) => {
      if (!own.alive) return never();
      requests++;
      await scheduler.schedule(Promise.resolve(), what);
      requests++;
      const done = await act();
      if (what.endsWith("←")) clock.hear(time.now().toUTCString());
      // What was on its way arrives; nobody is there to hear of it.
      return own.alive ? done : never();
    };

  const steps = async (count = Number.POSITIVE_INFINITY): Promise<void> => {
    await still();
    for (let left = count; left > 0 && scheduler.count() > 0; left--) {
      await scheduler.waitNext(1);
      await still();
    }
  };

  /** Whoever keeps the bot running starts it again where it refuses to. */
  const start = async (): Promise<void> => {
    // What the dead one had on its way has arrived by the time that another stands.
    if (!life.alive) await steps();
    while (!life.alive) await begin().catch(() => bury());
    await still();
  };
  const bury = (): void => {
    life.alive = false;
    process?.bury();
    process = undefined;
  };
  const begin = async (): Promise<void> => {
    const own: Life = { alive: true, statementsLeft: Number.POSITIVE_INFINITY };
    life = own;
    const clock = createClock({ shown: Date.now, elapsed: time.passed });
    const wire = wireOf(own, clock);
    const connection = database.connect({
      isAlive: () => {
        if (own.statementsLeft-- <= 0) own.alive = false;
        return own.alive;
      },
      takeFault: () => storeFaults.shift(),
      takeAuditFault: () => auditFaults.count > 0 && auditFaults.count-- > 0,
    });
    process = await startProcess(
      {
        ...github.doors(wire),
        connection,
        config,
        ask: agent.door(wire),
        reserve: host.door(wire),
        onLogLine: (line) => void log.push(line),
        clock: { now: clock.now, isTold: clock.isTold, passed: time.passed },
      },
      [canary],
    );
  };

  return {
    time,
    github,
    host,
    agent,
    database,
    begun,
    log,
    storeFaults,
    auditFaults,
    isUp: () => life.alive,
    deps: () => process?.deps,
    steps,
    deliver: async (webhook, guid = webhook.guid) => {
      const arrival = arrivalOf(webhook.event, guid, webhook.payload);
      if (!arrival) throw new Error("a webhook that is none");
      const accepted = process?.receive(arrival).then(
        () => true,
        () => false,
      );
      await still();
      const is2xx = life.alive && (await Promise.race([accepted, still().then(() => false)]));
      if (is2xx) webhook.acceptedAs.add(guid);
      if (guid !== webhook.guid) return;
      if (!is2xx) webhook.failedAt.unshift(time.now());
      if (webhook.state !== "accepted") webhook.state = is2xx ? "accepted" : "failed";
    },
    kill: async (afterStatements = 0) => {
      if (!life.alive) return;
      life.statementsLeft = afterStatements;
      await steps(afterStatements);
      bury();
      await still();
    },
    start,
    stop: async () => {
      if (!life.alive) return;
      let isOver = false;
      const over = process?.drain().finally(() => {
        isOver = true;
      });
      over?.catch(() => undefined);
      for (let turns = 0; !isOver && turns < 100; turns++) {
        await steps();
        time.pass(1_000);
      }
      if (!isOver) throw new Error("the bot does not stop");
      life.alive = false;
      process = undefined;
      await still();
    },
  };
}

const never = <T>(): Promise<T> => new Promise<T>(() => undefined);

/** `fail`: no endpoint answers; `junk`: what comes is no proposal. */
type ModelFault = "fail" | "junk";

/** What each turn proposes: one of each risk. */
export const commands = {
  low: "uptime",
  medium: "systemctl restart checkout",
  high: "rm -rf /var/tmp/checkout",
} as const;

const proposal = [
  "LIKELY: the disk fills up.",
  "---ACTIONS_JSON_START---",
  JSON.stringify({
    actions: Object.values(commands).map((command, index) => ({
      id: `${index + 1}`,
      api: "ssh.execute",
      title: "Look",
      description: "looks",
      params: { server: "web-1", command },
    })),
  }),
  "---ACTIONS_JSON_END---",
].join("\n");

interface Agent {
  readonly faults: ModelFault[];
  /** Everything it was ever told. */
  readonly told: readonly string[];
  readonly door: (wire: Wire) => AskModel;
}

/** A model that proposes the same whatever it reads: what is still open keeps its number, what has run comes under a new one. */
function createAgent(): Agent {
  const faults: ModelFault[] = [];
  const told: string[] = [];
  return {
    faults,
    told,
    door: (wire) => async (request) => {
      const fault = await wire("model →", () => {
        told.push(JSON.stringify(request.messages.at(-1)));
        return faults.shift();
      });
      return wire("model ←", () => {
        if (fault === "fail") return { kind: "failed", why: "unreachable", message: "the model does not answer" };
        const text = fault === "junk" ? "---ACTIONS_JSON_START---\n{" : proposal;
        const usage = { inputTokens: 1, outputTokens: 1, cachedTokens: 0, estimated: false };
        return { kind: "reply", text, toolCalls: [], finish: "stop", usage, model: "fake", cost: 0 };
      });
    },
  };
}

/** `connect`: no connection; `reset`: it is lost after the command was sent; `fail`: exit 1; `hang`: runs until it is ended. */
type HostFault = "connect" | "reset" | "fail" | "hang";

interface Start {
  readonly runId: string;
  readonly wrapped: string;
  readonly server: string;
}

interface Host {
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
function createHost(output: string, onStart: (start: Start) => Promise<void>): Host {
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
