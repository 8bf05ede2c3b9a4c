import type { IncomingMessage, ServerResponse } from "node:http";
import { createRate } from "../base/clock.ts";
import type { Arrival } from "../store/queue/arrival.ts";
import { type AlertAccess, isAlertSigned, knowsSecret } from "./alert-auth.ts";
import { readBody } from "./body.ts";
import { markVerified } from "./places.ts";
import { createWaitingRoom, type Receive, sendAnswer, withDeadline } from "./server.ts";

/** What the door needs to know of a source. */
export interface AlertDoorSource extends AlertAccess {
  readonly messagesPerMinute: number;
  readonly maxBodyKb: number;
}

/** What a body of a source is. `why` carries nothing that its sender wrote. */
export type ReadAlert =
  | { readonly kind: "arrival"; readonly arrival: Arrival }
  | { readonly kind: "ignored" }
  | { readonly kind: "refused"; readonly why: string };

interface AlertDoorOptions {
  readonly source: (name: string) => AlertDoorSource | undefined;
  readonly read: (name: string, text: string) => ReadAlert;
  readonly receive: Receive;
  readonly log: (event: AlertDoorEvent) => void;
  readonly now: () => Date;
  readonly storeTimeoutMs?: number;
}

/** What became of a call. Of what its sender wrote it carries nothing but the name of a source that the operator's file has. */
export type AlertDoorEvent = { readonly source?: string; readonly status: number } & (
  | { readonly kind: "accepted"; readonly outcome: Outcome }
  | { readonly kind: "refused"; readonly reason: AlertRefusal }
  | { readonly kind: "not-stored"; readonly reason: string }
);
type Outcome = "stored" | "duplicate" | "ignored";

const refusals = {
  "unknown source": 404,
  "not a POST": 405,
  "wrong secret": 401,
  "body too large": 413,
  "no such alert": 400,
  // Not 429: Alertmanager and Grafana send again after a 5xx alone.
  "too many at once": 503,
  "not stored": 503,
} as const;
type AlertRefusal = keyof typeof refusals;

/** One call, and how it is answered. */
interface Call {
  readonly name: string;
  readonly request: IncomingMessage;
  readonly refuse: (reason: AlertRefusal, why?: string) => void;
  readonly accept: (outcome: Outcome) => void;
}

const path = /^\/api\/alerts\/([^/?]*)$/;

/** Serves `POST /api/alerts/<source>` (docs/alerts.md): 202 only when the alert is durable. Tells whether the address was its own. */
export function createAlertDoor(
  options: AlertDoorOptions,
): (request: IncomingMessage, response: ServerResponse) => Promise<boolean> {
  const { log, now } = options;
  const mayCall = createRate(now);
  const store = createStoring(options);

  const serve = async ({ name, request, refuse, accept }: Call): Promise<void> => {
    const source = options.source(name);
    if (!source) return refuse("unknown source");
    if (request.method !== "POST") return refuse("not a POST");
    if (source.auth !== "hmac") {
      if (!knowsSecret(source, request.headers)) return refuse("wrong secret");
      markVerified(request);
    }
    const body = await readBody(request, source.maxBodyKb * 1024);
    if (body === "cut off") return;
    if (typeof body === "string") return refuse(body);
    if (source.auth === "hmac" && !isAlertSigned(source, { headers: request.headers, body, now: now() }))
      return refuse("wrong secret");
    markVerified(request);
    if (!mayCall(name, source.messagesPerMinute)) return refuse("too many at once");
    const read = options.read(name, body.toString("utf8"));
    if (read.kind === "refused") return refuse("no such alert", `This is no ${source.kind} alert: ${read.why}.`);
    if (read.kind === "ignored") return accept("ignored");
    const stored = await store(name, read.arrival, body.length);
    if (stored === "too many at once" || stored === "not stored") refuse(stored);
    else accept(stored);
  };

  return async (request, response) => {
    const [, name] = path.exec((request.url ?? "/").split("?", 1)[0] ?? "/") ?? [];
    if (name === undefined) return false;
    const known = options.source(name) ? { source: name } : {};
    const refuse: Call["refuse"] = (reason, why = reason) => {
      const status = refusals[reason];
      if (reason !== "not stored") log({ kind: "refused", status, reason, ...known });
      if (status === 503) response.setHeader("retry-after", "60");
      if (status === 405) response.setHeader("allow", "POST");
      sendAnswer(response, status, why);
    };
    const accept: Call["accept"] = (outcome) => {
      log({ kind: "accepted", status: 202, outcome, source: name });
      sendAnswer(response, 202, outcome);
    };
    await serve({ name, request, refuse, accept });
    return true;
  };
}

/** Stores an arrival, with a bound on all that wait for the store. */
function createStoring({ receive, log, storeTimeoutMs = 8_000 }: AlertDoorOptions) {
  const waiting = createWaitingRoom();
  return async (name: string, arrival: Arrival, bytes: number) => {
    const leave = waiting.enter(arrival, bytes);
    if (!leave) return "too many at once";
    // What is given up here may still be stored later: it keeps its place until the store has answered.
    const stored = receive(arrival).finally(leave);
    try {
      return await withDeadline(stored, storeTimeoutMs);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      log({ kind: "not-stored", status: 503, reason, source: name });
      return "not stored";
    }
  };
}
