import { createHash } from "node:crypto";
import { performance } from "node:perf_hooks";
import { isOlderThan } from "../base/clock.ts";
import { messageOf } from "../base/errors.ts";
import {
  type Capture,
  type Ending,
  type ExecOrder,
  type ExecResult,
  type ExecWatch,
  type Reservation,
  type Reserve,
  type Stopper,
  shielded,
  stopperIn,
} from "../base/run.ts";
import type { Server, Source } from "../base/server.ts";
import type { QueryPlan } from "./parse-query.ts";
import { openQuery } from "./query.ts";
import type { ToolPlan } from "./tool-call.ts";
import type { OpenedWay, SourceAnswer, Way } from "./way.ts";

export interface SourcesOptions {
  /** Reads the token as it is now; throws where its file cannot be read. */
  readonly readToken: (tokenFile: string) => string;
  readonly createCapture: () => { readonly push: (chunk: Uint8Array) => void; readonly finish: () => Capture };
  /** How old the last look may be when a query is sent. */
  readonly freshMs: number;
}

export interface SourceRunner {
  readonly reserve: Reserve;
  /** Ends what is asked just now. */
  readonly close: () => void;
}

/** How a source proves itself, where SSH has host keys. */
export const pinOfSource = ({ url, ca }: Pick<Source, "url" | "ca">): string => {
  if (url.startsWith("http:")) return "no TLS";
  return ca === undefined ? "the system's CAs" : `CA SHA256:${createHash("sha256").update(ca).digest("hex")}`;
};

/** The plan as an approval binds it. */
export const writeQuery = (plan: QueryPlan | ToolPlan): string => JSON.stringify(plan);

/** Makes the runner of sources. */
export function createSources(options: SourcesOptions): SourceRunner {
  const closing = new AbortController();
  return {
    reserve: (order, signal) => reserveOn(options, order, AbortSignal.any([signal, closing.signal])),
    close: () => closing.abort({ by: "the bot, which stops,", operator: true } satisfies Stopper),
  };
}

/** For all that comes before the question. */
const prepareMs = 10_000;

async function reserveOn(options: SourcesOptions, order: ExecOrder, signal: AbortSignal): Promise<Reservation> {
  const { server } = order;
  let opened = await openFor(options, order, signal);
  let isOver = false;
  return {
    server,
    prove: async () => {
      if (!opened.ok || !opened.way.isFresh()) {
        if (opened.ok) opened.way.close();
        opened = await openFor(options, order, signal);
      }
      if (isOver && opened.ok) opened.way.close();
      return opened.ok || signal.aborted ? undefined : opened.reason;
    },
    send: (asOf, watch) => {
      if (isOlderThan(options.freshMs, asOf)) return "stale";
      isOver = true;
      const started = performance.now();
      const end = (ending: Ending, text = ""): ExecResult => {
        if (opened.ok) opened.way.close();
        const capture = options.createCapture();
        const output = Buffer.from(text);
        capture.push(output);
        shielded(watch.onOutput)(output);
        const durationMs = Math.round(performance.now() - started);
        const pin = server.source && pinOfSource(server.source);
        return { ending, capture: capture.finish(), durationMs, ...(pin && { hostKey: pin }), housekeeping: [] };
      };
      if (signal.aborted)
        return Promise.resolve(end({ kind: "cancelled", ...stopperIn(signal), note: "it had not been started" }));
      if (!opened.ok) return Promise.resolve(end({ kind: "unreachable", reason: opened.reason }));
      if (!opened.way.isOpen())
        return Promise.resolve(
          end({ kind: "unreachable", reason: `${server.name} ended the connection before the query` }),
        );
      return ask({ order, signal, way: opened.way }, watch, end);
    },
    release: () => {
      if (!isOver && opened.ok) opened.way.close();
      isOver = true;
    },
  };
}

/** Opens the way to a source where what was approved is what is there. */
async function openFor(
  { readToken, freshMs }: SourcesOptions,
  { server, hostKeys, wrapped }: ExecOrder,
  signal: AbortSignal,
): Promise<OpenedWay> {
  const { name, source } = server;
  if (!source) return { ok: false, reason: `${name} is no source` };
  if (hostKeys && !hostKeys.includes(pinOfSource(source)))
    return { ok: false, reason: `the certificate authority of ${name} is not the one that was approved` };
  let token: string | undefined;
  try {
    token = source.tokenFile === undefined ? undefined : readToken(source.tokenFile);
  } catch (thrown) {
    return { ok: false, reason: `the token of ${name} cannot be read: ${messageOf(thrown)}` };
  }
  if (token !== undefined && !/^[\x21-\x7e]+$/.test(token))
    return { ok: false, reason: `the token file of ${name} holds no token` };
  const open = source.kind === "mcp" ? (await import("./mcp.ts")).openToolCall : openQuery;
  const opened = await open(source, { wrapped, token, signal, freshMs, withinMs: withinMs(server) });
  return opened.ok ? opened : { ok: false, reason: `${name} ${opened.reason}` };
}

/** For all that comes before the question. */
export const withinMs = ({ hardTimeoutMs }: Server): number => Math.min(prepareMs, hardTimeoutMs);

interface Asking {
  readonly order: ExecOrder;
  readonly signal: AbortSignal;
  readonly way: Way;
}

/** Sends the question within this very tick. Never rejects. */
async function ask(
  { order: { server, wrapped }, signal, way }: Asking,
  watch: Omit<ExecWatch, "signal">,
  end: (ending: Ending, text?: string) => ExecResult,
): Promise<ExecResult> {
  const { hardTimeoutMs } = server;
  const asked = way.ask(hardTimeoutMs);
  shielded(watch.onSent)();
  let stopped: Stopped | undefined;
  const stop = (why: Stopped): void => {
    stopped ??= why;
    way.close();
  };
  const onAbort = (): void => stop({ kind: "cancelled", ...stopperIn(signal) });
  signal.addEventListener("abort", onAbort, { once: true });
  const limit = setTimeout(() => stop({ kind: "timed-out", afterMs: hardTimeoutMs }), hardTimeoutMs);
  const answer = await asked;
  clearTimeout(limit);
  signal.removeEventListener("abort", onAbort);
  return end(endingOf(answer, stopped, isRead(server, wrapped)), stopped ? "" : `${answer.text.trimEnd()}\n`);
}

/** Whether a plan only reads, by the level of its first word. */
function isRead({ source }: Server, wrapped: string): boolean {
  const { call }: QueryPlan | ToolPlan = JSON.parse(wrapped);
  return source?.levels[call] === "low";
}

type Stopped = Extract<Ending, { kind: "cancelled" | "timed-out" }>;

/** At most once: of what may change something, anything but an answer is unknown; what only reads never is. */
function endingOf({ kind, text }: SourceAnswer, stopped: Stopped | undefined, reads: boolean): Ending {
  if (reads || (stopped === undefined && kind !== "lost"))
    return stopped ?? { kind: "exited", code: kind === "answered" ? 0 : 1 };
  const what =
    stopped === undefined
      ? text
      : stopped.kind === "timed-out"
        ? "It took too long and was stopped"
        : `${stopped.operator ? stopped.by : `\`@${stopped.by}\``} cancelled it while it ran`;
  return { kind: "unknown", reason: `${what}, so it is not known what it did.` };
}
