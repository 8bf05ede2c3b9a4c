import type { IncomingMessage, ServerResponse } from "node:http";
import { parseAlert } from "../alert/parse.ts";
import type { AlertSource } from "../config/load.ts";
import { alertArrival } from "../store/queue/alert-arrival.ts";
import { isAlertSigned, knowsSecret } from "./alert-auth.ts";
import { createBodyReader, discardRest } from "./body.ts";
import { answer, createWaitingRoom, type Receive, withDeadline } from "./server.ts";

interface AlertDoorOptions {
  readonly sources: () => Readonly<Record<string, AlertSource>>;
  readonly receive: Receive;
  readonly log: (event: AlertEvent) => void;
  readonly now?: () => Date;
  readonly storeTimeoutMs?: number;
}

/** What became of a call. Of what its sender wrote it carries nothing but the name of a source that the operator's file has. */
export type AlertEvent = {
  readonly source?: string;
  readonly status: number;
} & (
  | { readonly kind: "accepted"; readonly outcome: "stored" | "duplicate" | "ignored" }
  | { readonly kind: "refused"; readonly reason: AlertRefusal }
  | { readonly kind: "not-stored"; readonly reason: string }
);

const refusals = {
  "unknown source": 404,
  "not a POST": 405,
  "wrong secret": 401,
  "body too large": 413,
  "no such alert": 400,
  // Not 429: Alertmanager and Grafana send again after a 5xx alone.
  "too many at once": 503,
} as const;
type AlertRefusal = keyof typeof refusals;

const path = /^\/api\/alerts\/([^/?]*)$/;
const minuteMs = 60_000;

/** Serves `POST /api/alerts/<source>` (docs/alerts.md): 202 only when the alert is durable. Tells whether the address was its own. */
export function createAlertDoor(
  options: AlertDoorOptions,
): (request: IncomingMessage, response: ServerResponse) => Promise<boolean> {
  const { sources, receive, log, now = () => new Date(), storeTimeoutMs = 8_000 } = options;
  const waiting = createWaitingRoom();
  const mayCall = createBudget(now);
  const readers = new Map<number, ReturnType<typeof createBodyReader>>();
  const readerOf = (kilobytes: number) => {
    const reader = readers.get(kilobytes) ?? createBodyReader(kilobytes * 1024);
    readers.set(kilobytes, reader);
    return reader;
  };

  const serve = async (name: string, request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const source = Object.hasOwn(sources(), name) ? sources()[name] : undefined;
    const known = source ? { source: name } : {};
    const refuse = (reason: AlertRefusal, why: string = reason): void => {
      const status = refusals[reason];
      log({ kind: "refused", status, reason, ...known });
      if (status === 503) response.setHeader("retry-after", "60");
      if (status === 405) response.setHeader("allow", "POST");
      answer(response, status, why);
      if (!request.complete) discardRest(request);
    };
    if (!source) return refuse("unknown source");
    if (request.method !== "POST") return refuse("not a POST");
    if (source.auth !== "hmac" && !knowsSecret(source, request.headers)) return refuse("wrong secret");
    const body = await readerOf(source.maxBodyKb)(request);
    if (body === "cut off") return;
    if (typeof body === "string") return refuse(body);
    if (source.auth === "hmac" && !isAlertSigned(source, { headers: request.headers, body, now: now() }))
      return refuse("wrong secret");
    if (!mayCall(name, source.messagesPerMinute)) return refuse("too many at once");

    const parsed = parseAlert(source.kind, body.toString("utf8"));
    if (parsed.kind === "refused") return refuse("no such alert", `This is no ${source.kind} alert: ${parsed.why}.`);
    const accept = (outcome: "stored" | "duplicate" | "ignored"): void => {
      log({ kind: "accepted", status: 202, outcome, source: name });
      answer(response, 202, outcome);
    };
    if (parsed.kind === "ignored") return accept("ignored");

    const arrival = alertArrival(name, parsed.alert);
    const leave = waiting.enter(arrival, body.length);
    if (!leave) return refuse("too many at once");
    // What is given up here may still be stored later: it keeps its place until the store has answered.
    const stored = receive(arrival).finally(leave);
    try {
      accept(await withDeadline(stored, storeTimeoutMs));
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      log({ kind: "not-stored", status: 503, reason, source: name });
      response.setHeader("retry-after", "60");
      answer(response, 503, "not stored");
    }
  };

  return async (request, response) => {
    const [, name] = path.exec((request.url ?? "/").split("?", 1)[0] ?? "/") ?? [];
    if (name === undefined) return false;
    await serve(name, request, response);
    return true;
  };
}

/** How many messages of a source are read in a minute, counted by those that knew its secret alone. */
function createBudget(now: () => Date): (name: string, perMinute: number) => boolean {
  const counts = new Map<string, { readonly since: number; count: number }>();
  return (name, perMinute) => {
    const at = now().getTime();
    const before = counts.get(name);
    const current = before && at - before.since < minuteMs && at >= before.since ? before : { since: at, count: 0 };
    counts.set(name, current);
    return ++current.count <= perMinute;
  };
}
