import { createHash } from "node:crypto";
import { performance } from "node:perf_hooks";
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
import type { Source } from "../base/server.ts";
import { openSource, postForm, type SourceConnection, type SourceReply } from "./connect.ts";
import type { QueryPlan } from "./parse-query.ts";
import { readSeries } from "./read-series.ts";
import { renderAnswer } from "./render.ts";

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
export const writeQuery = (plan: QueryPlan): string => JSON.stringify(plan);
const readQuery = (wrapped: string): QueryPlan => JSON.parse(wrapped);

/** Makes the runner of sources. */
export function createSources(options: SourcesOptions): SourceRunner {
  const closing = new AbortController();
  return {
    reserve: (order, signal) => reserveOn(options, order, AbortSignal.any([signal, closing.signal])),
    close: () => closing.abort({ by: "the bot, which stops,", operator: true } satisfies Stopper),
  };
}

type Ready =
  | (SourceConnection & { readonly ok: true; readonly token: string | undefined })
  | (SourceConnection & { readonly ok: false });

async function reserveOn(options: SourcesOptions, order: ExecOrder, signal: AbortSignal): Promise<Reservation> {
  const { server } = order;
  let ready = await readyFor(options, order, signal);
  let isOver = false;
  return {
    server,
    prove: async () => {
      if (!ready.ok || ready.socket.destroyed) ready = await readyFor(options, order, signal);
      if (isOver && ready.ok) ready.socket.destroy();
      return ready.ok || signal.aborted ? undefined : ready.reason;
    },
    send: (asOf, watch) => {
      if (Date.now() - asOf > options.freshMs) return "stale";
      isOver = true;
      const started = performance.now();
      const end = (ending: Ending, text = ""): ExecResult => {
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
      if (!ready.ok) return Promise.resolve(end({ kind: "unreachable", reason: ready.reason }));
      if (ready.socket.destroyed)
        return Promise.resolve(
          end({ kind: "unreachable", reason: `${server.name} ended the connection before the query` }),
        );
      return ask({ order, signal, ready }, watch, end);
    },
    release: () => {
      if (!isOver && ready.ok) ready.socket.destroy();
      isOver = true;
    },
  };
}

/** Opens a connection where what was approved is what is there. */
async function readyFor(
  { readToken }: SourcesOptions,
  { server, hostKeys }: ExecOrder,
  signal: AbortSignal,
): Promise<Ready> {
  const { name, source } = server;
  if (!source) return { ok: false, reason: `${name} is no source` };
  if (hostKeys && !hostKeys.includes(pinOfSource(source)))
    return { ok: false, reason: `the certificate authority of ${name} is not the one that was approved` };
  try {
    const token = source.tokenFile === undefined ? undefined : readToken(source.tokenFile);
    if (token !== undefined && !/^[\x21-\x7e]+$/.test(token))
      return { ok: false, reason: `the token file of ${name} holds no token` };
    const opened = await openSource(source, signal);
    return opened.ok ? { ...opened, token } : { ok: false, reason: `${name} cannot be reached: ${opened.reason}` };
  } catch (thrown) {
    return { ok: false, reason: `the token of ${name} cannot be read: ${messageOf(thrown)}` };
  }
}

interface Asking {
  readonly order: ExecOrder;
  readonly signal: AbortSignal;
  readonly ready: Extract<Ready, { ok: true }>;
}

/** Sends the query within this very tick. Never rejects. */
async function ask(
  { order, signal, ready }: Asking,
  watch: Omit<ExecWatch, "signal">,
  end: (ending: Ending, text?: string) => ExecResult,
): Promise<ExecResult> {
  const { server, wrapped } = order;
  const { source, hardTimeoutMs } = server;
  if (!source) return end({ kind: "unreachable", reason: `${server.name} is no source` });
  const plan = readQuery(wrapped);
  const now = plan.until === undefined ? new Date() : new Date(plan.until);
  const { socket, token } = ready;
  const path = `${source.kind === "loki" ? "/loki" : ""}/api/v1/${plan.call}`;
  const replied = postForm(source, { socket, path, form: formOf(plan, source, now, hardTimeoutMs), token });
  shielded(watch.onSent)();
  let stopped: Ending | undefined;
  const stop = (why: Ending): void => {
    stopped ??= why;
    socket.destroy();
  };
  const onAbort = (): void => stop({ kind: "cancelled", ...stopperIn(signal) });
  signal.addEventListener("abort", onAbort, { once: true });
  const limit = setTimeout(() => stop({ kind: "timed-out", afterMs: hardTimeoutMs }), hardTimeoutMs);
  const reply = await replied;
  clearTimeout(limit);
  signal.removeEventListener("abort", onAbort);
  if (stopped) return end(stopped);
  const { isRefused, text } = textOf(reply, plan, source, now);
  return end({ kind: "exited", code: isRefused ? 1 : 0 }, text);
}

function formOf(plan: QueryPlan, source: Source, now: Date, timeoutMs: number): URLSearchParams {
  const { call, query, sinceMs = 0, stepMs = 0, limit } = plan;
  const times: Record<string, string> =
    call === "query"
      ? { time: now.toISOString() }
      : {
          start: new Date(now.getTime() - sinceMs).toISOString(),
          end: now.toISOString(),
          step: String(stepMs / 1000),
        };
  // A Prometheus before 3 knows no limit of series; what it answers is counted all the same.
  const own: Record<string, string> =
    source.kind === "loki"
      ? { limit: String(limit), direction: "backward" }
      : { limit: String(source.maxSeries + 1), timeout: `${Math.ceil(timeoutMs / 1000)}s` };
  return new URLSearchParams({ query, ...times, ...own });
}

function textOf(
  reply: SourceReply,
  plan: QueryPlan,
  source: Source,
  now: Date,
): { readonly isRefused: boolean; readonly text: string } {
  const refused = (why: string) => ({ isRefused: true, text: `${why}\n` });
  if (reply.kind === "lost") return refused(`The answer did not come: ${reply.why}`);
  if (reply.kind === "too-large")
    return refused(
      `The answer is longer than ${source.maxBytes} bytes, so it is not shown. Write \`topk(10, …)\`, \`sum by (job) (…)\`, a shorter range or a longer step.`,
    );
  const read = readSeries(reply.text, reply.status, source);
  return read.ok ? { isRefused: false, text: renderAnswer(read.answer, plan, now) } : refused(read.why);
}
