import { createHash } from "node:crypto";
import { performance } from "node:perf_hooks";
import { messageOf } from "../base/errors.ts";
import {
  type Capture,
  type Ending,
  type ExecResult,
  type Reserve,
  type Stopper,
  shielded,
  stopperIn,
} from "../base/run.ts";
import { createReserve, describeStopReason, followToEnd, type StopReason } from "../base/runner.ts";
import type { Server, Source } from "../base/server.ts";
import { endUnknown } from "../base/unknown.ts";
import type { QueryPlan } from "./parse-query.ts";
import { openQuery } from "./query.ts";
import type { ToolPlan } from "./tool-call.ts";

interface SourcesOptions {
  /** Throws if the file is unreadable. */
  readonly readToken: (tokenFile: string) => string;
  readonly createCapture: () => { readonly push: (chunk: Uint8Array) => void; readonly finish: () => Capture };
  /** Maximum age of the last check when a query is sent. */
  readonly freshMs: number;
}

export interface SourceRunner {
  readonly reserve: Reserve;
  readonly close: () => void;
}

/** Identifies a source, as host keys do for SSH. */
export const pinOfSource = ({ url, ca }: Pick<Source, "url" | "ca">): string => {
  if (url.startsWith("http:")) return "no TLS";
  return ca === undefined ? "the system's CAs" : `CA SHA256:${createHash("sha256").update(ca).digest("hex")}`;
};

/** Writes a plan as an approval binds it. */
export const writeQuery = (plan: QueryPlan | ToolPlan): string => JSON.stringify(plan);

/** Makes the runner of sources. */
export function createSources(options: SourcesOptions): SourceRunner {
  const { readToken, createCapture, freshMs } = options;
  const closing = new AbortController();
  const reserve = createReserve<WayResult>({
    freshMs,
    open: async ({ server, hostKeys, wrapped }, signal) => {
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
    },
    isCurrent: (opened) => opened.ok && opened.way.isFresh(),
    whyRefused: async (opened, _, signal) => (opened.ok || signal.aborted ? undefined : opened.reason),
    start: async (opened, { order: { server, wrapped }, watch }) => {
      const { signal } = watch;
      const { hardTimeoutMs } = server;
      const started = performance.now();
      const end = (ending: Ending, text = ""): ExecResult => {
        if (opened.ok) opened.way.close();
        const capture = createCapture();
        const output = Buffer.from(text);
        capture.push(output);
        shielded(watch.onOutput)(output);
        const durationMs = Math.round(performance.now() - started);
        const pin = server.source && pinOfSource(server.source);
        return { ending, capture: capture.finish(), durationMs, ...(pin && { hostKey: pin }), housekeeping: [] };
      };
      if (signal.aborted) return end({ kind: "cancelled", ...stopperIn(signal), note: "it had not been started" });
      if (!opened.ok) return end({ kind: "unreachable", reason: opened.reason });
      const { way } = opened;
      if (!way.isOpen())
        return end({ kind: "unreachable", reason: `${server.name} ended the connection before the query` });
      const done = way.ask(hardTimeoutMs);
      shielded(watch.onSent)();
      const { answer, stopped } = await followToEnd({ done, stop: way.close }, { signal, hardTimeoutMs });
      return end(endingOf(answer, stopped, isRead(server, wrapped)), stopped ? "" : `${answer.text.trimEnd()}\n`);
    },
    close: (opened) => {
      if (opened.ok) opened.way.close();
    },
  });
  return {
    reserve: (order, signal) => reserve(order, AbortSignal.any([signal, closing.signal])),
    close: () => closing.abort({ by: "the bot, which stops,", operator: true } satisfies Stopper),
  };
}

const prepareMs = 10_000;

/** Limit in ms for all before the request. */
export const withinMs = ({ hardTimeoutMs }: Server): number => Math.min(prepareMs, hardTimeoutMs);

function isRead({ source }: Server, wrapped: string): boolean {
  const { call }: QueryPlan | ToolPlan = JSON.parse(wrapped);
  return source?.levels[call] === "low";
}

/** A call that may change something is unknown without an answer; a read never is. */
function endingOf({ kind, text }: SourceAnswer, stopped: StopReason | undefined, reads: boolean): Ending {
  if (reads || (stopped === undefined && kind !== "lost"))
    return stopped ?? { kind: "exited", code: kind === "answered" ? 0 : 1 };
  return endUnknown("call-not-confirmed", { what: stopped === undefined ? text : describeStopReason(stopped) });
}

/** `lost`: it was sent, and its effect is unknown. */
export interface SourceAnswer {
  readonly kind: "answered" | "refused" | "lost";
  readonly text: string;
}

/** A connection to a verified source, for one request. */
interface Way {
  readonly isOpen: () => boolean;
  /** False if the verification is too old. */
  readonly isFresh: () => boolean;
  /** Sends within this tick. Never rejects; `close` ends it. */
  readonly ask: (timeoutMs: number) => Promise<SourceAnswer>;
  readonly close: () => void;
}

export interface WayOptions {
  readonly wrapped: string;
  readonly token: string | undefined;
  readonly signal: AbortSignal;
  /** Maximum age of the verification. */
  readonly freshMs: number;
  readonly withinMs: number;
}

export type WayResult =
  | { readonly ok: true; readonly way: Way }
  /** Continues a sentence after the source's name. */
  | { readonly ok: false; readonly reason: string };
