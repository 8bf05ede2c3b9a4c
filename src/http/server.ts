import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { reached } from "../base/crash-point.ts";
import { OperatorError } from "../base/errors.ts";
import { listenAt } from "../base/listen.ts";
import type { Caller } from "../base/networks.ts";
import { type Arrival, readWebhook, shareOf } from "../store/queue/arrival.ts";
import { type EndedConnections, keepPlaces, markVerified, readBody } from "./places.ts";

export type Receive = (arrival: Arrival) => Promise<"stored" | "duplicate">;
type DeliveryOutcome = Awaited<ReturnType<Receive>> | "echo";

export interface FrontOptions {
  readonly host: string;
  /** 0 for any free one. */
  readonly port: number;
  /** Two during a rotation. */
  readonly secrets: () => readonly string[];
  /** Undefined if another process takes the webhooks. */
  readonly receive: Receive | undefined;
  readonly ready: () => Promise<Readiness>;
  /** Everyone by default. */
  readonly admits?: (caller: Caller) => boolean;
  /** None by default. */
  readonly trustedProxies?: () => number;
  /** The bot's own App: deliveries about its acts are accepted and not stored. */
  readonly appId?: number;
  /** Replaces `/` and `/api/github/webhooks`. */
  readonly path?: string;
  readonly bodyCapBytes?: number;
  readonly bodyTimeoutMs?: number;
  readonly storeTimeoutMs?: number;
  readonly log: (event: FrontEvent) => void;
  /** The caller got a 500. */
  readonly onFault: (error: unknown) => void;
  /** For GET /metrics; 404 if missing. */
  readonly metrics?: (() => Promise<{ readonly contentType: string; readonly text: string }>) | undefined;
  /** Serves other paths; returns whether it did. */
  readonly extra?: (request: IncomingMessage, response: ServerResponse) => Promise<boolean>;
}

interface Readiness {
  readonly ok: boolean;
  /** Not part of the status, because a probe must not cut off a bot that takes webhooks. */
  readonly able: boolean;
  readonly checks: Readonly<Record<string, string>>;
}

/** A refused call carries no text of its sender. */
export type FrontEvent =
  | {
      readonly kind: "accepted";
      readonly guid: string;
      readonly event: string;
      readonly outcome: DeliveryOutcome;
    }
  | { readonly kind: "refused"; readonly status: number; readonly reason: FrontRefusal }
  | ({ readonly kind: "ended" } & EndedConnections)
  /** GitHub can deliver it again. */
  | { readonly kind: "not-stored"; readonly guid: string; readonly event: string; readonly reason: string };

const refusals = {
  "not an allowed address": 403,
  "bad signature": 401,
  "body too large": 413,
  "no GUID": 400,
  "no event": 400,
  "no JSON object": 400,
  "too many at once": 503,
  "not stored": 503,
} as const;
type FrontRefusal = keyof typeof refusals;

/** Names the App that listens. */
export const appHeader = "countersign-app";

const megabyte = 1024 * 1024;
const maxWaitingBytes = 64 * megabyte;
const maxWaiting = 2_000;
/** A busy repository must not shut out others. */
const maxWaitingPerRepository = maxWaiting / 4;
const minSecretLength = 32;
const readyTimeoutMs = 5_000;
const closeGraceMs = 10_000;

/**
 * Verifies a webhook, stores it, answers; never calls GitHub. 2xx means durable. Throws an `OperatorError` for a missing or short secret
 * (RR-01, SR-01 to SR-05, SR-55, SR-62, F-07).
 */
export async function startFront(
  options: FrontOptions,
): Promise<{ readonly url: string; readonly close: () => Promise<void> }> {
  const { receive } = options;
  const secrets = options.secrets();
  if (receive && (secrets.length === 0 || secrets.some((secret) => secret.length < minSecretLength))) {
    const message = `the webhook secret is missing or shorter than ${minSecretLength} characters`;
    throw new OperatorError([{ place: "github.webhook_secret_file", message, remedy: "openssl rand -hex 32" }]);
  }
  const paths = options.path ? [options.path] : ["/", "/api/github/webhooks"];
  const capBytes = options.bodyCapBytes ?? 25 * megabyte;
  const intake = receive && createIntake({ ...options, receive, capBytes });
  const ready = shareWhileUnderWay(options.ready);
  const metrics = options.metrics && shareWhileUnderWay(options.metrics);

  const route = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = (request.url ?? "/").split("?", 1)[0] ?? "/";
    if (request.method === "POST" && paths.includes(path) && intake) return intake(request, response);
    if (request.method === "GET" && (path === "/livez" || path === "/readyz")) {
      response.setHeader(appHeader, options.appId ?? "");
      if (path === "/livez") return sendAnswer(response, 200, "ok");
      const readiness = await withDeadline(ready(), readyTimeoutMs).catch(
        (error: unknown): Readiness => ({ ok: false, able: false, checks: { ready: String(error) } }),
      );
      const text = JSON.stringify(readiness);
      return answerPage(response, { contentType: "application/json", text }, readiness.ok ? 200 : 503);
    }
    if (request.method === "GET" && path === "/metrics" && metrics) return answerPage(response, await metrics());
    if (!(await options.extra?.(request, response))) sendAnswer(response, 404, "not found");
  };

  const server = createServer({ connectionsCheckingInterval: 1_000 });
  // Node itself answers 408 to slow headers, and to bodies that no handler reads.
  const bodyBaseMs = options.bodyTimeoutMs ?? 10_000;
  server.headersTimeout = Math.min(10_000, bodyBaseMs);
  server.requestTimeout = server.headersTimeout + bodyBaseMs + (capBytes / megabyte) * 1_000;
  server.keepAliveTimeout = 60_000;
  keepPlaces(server, {
    trustedProxies: options.trustedProxies ?? (() => 0),
    bodyBaseMs,
    onEnded: (ended) => options.log({ kind: "ended", ...ended }),
  });
  server.on("request", (request, response) => {
    if (request.destroyed) return;
    response.once("finish", () => {
      if (request.complete) return;
      // Lets the sender read the answer, then cuts off the rest.
      request.resume();
      const cut = setTimeout(() => request.socket.destroy(), lingerMs).unref();
      request.on("end", () => clearTimeout(cut));
    });
    route(request, response).catch((error: unknown) => {
      options.onFault(error);
      if (!response.headersSent) sendAnswer(response, 500, "internal error");
    });
  });
  const remedy = "`countersign check` says whether it is this bot; if not, end it or set another `server.port`";
  const port = await listenAt(server, { ...options, place: "server.port", remedy });
  return {
    url: `http://${options.host.includes(":") ? `[${options.host}]` : options.host}:${port}`,
    close: async () => {
      const cut = setTimeout(() => server.closeAllConnections(), closeGraceMs);
      await new Promise((resolve) => server.close(resolve));
      clearTimeout(cut);
    },
  };
}

const lingerMs = 2_000;

function createIntake(options: FrontOptions & { readonly receive: Receive; readonly capBytes: number }) {
  const { secrets, log, receive, capBytes, storeTimeoutMs = 8_000 } = options;
  const waiting = createWaitingRoom();

  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const refuse = (reason: FrontRefusal): void => {
      const status = refusals[reason];
      log({ kind: "refused", status, reason });
      sendAnswer(response, status, reason);
    };
    const { socket, headers } = request;
    const caller = { remote: socket.remoteAddress, forwarded: [headers["x-forwarded-for"] ?? []].flat().join(",") };
    if (options.admits?.(caller) === false) return refuse("not an allowed address");
    const body = await readBody(request, capBytes);
    if (body === "cut off") return;
    if (typeof body === "string") return refuse(body);
    if (!isSigned(body, request.headers["x-hub-signature-256"], secrets())) return refuse("bad signature");
    markVerified(request);

    const guid = nameIn(request, "x-github-delivery");
    if (!guid) return refuse("no GUID");
    const event = nameIn(request, "x-github-event");
    if (!event) return refuse("no event");
    const webhook = readWebhook(event, guid, body.toString("utf8"));
    if (!webhook) return refuse("no JSON object");
    const accept = (outcome: DeliveryOutcome): void => {
      log({ kind: "accepted", guid, event, outcome });
      sendAnswer(response, 202, outcome);
    };
    const { arrival, echoOf } = webhook;
    if (echoOf !== undefined && echoOf === options.appId) return accept("echo");

    const leave = waiting.enter(arrival, body.length);
    if (!leave) return refuse("too many at once");
    // It may still be stored after the time-out, so it keeps its place.
    const stored = receive(arrival).finally(leave);
    try {
      const outcome = await withDeadline(stored, storeTimeoutMs);
      reached("CP02");
      response.once("finish", () => reached("CP03"));
      accept(outcome);
    } catch (error) {
      log({ kind: "not-stored", guid, event, reason: error instanceof Error ? error.message : String(error) });
      sendAnswer(response, refusals["not stored"], "not stored");
    }
  };
}

/** Bounds the deliveries that wait for the store. `enter` returns the function to leave; undefined without room. */
export function createWaitingRoom() {
  const perRepository = new Map<string, number>();
  let count = 0;
  let bytes = 0;

  return {
    enter: ({ line }: Arrival, size: number): (() => void) | undefined => {
      const repository = shareOf(line);
      const theirs = perRepository.get(repository) ?? 0;
      if (count >= maxWaiting || bytes + size > maxWaitingBytes || theirs >= maxWaitingPerRepository) return undefined;
      count++;
      bytes += size;
      perRepository.set(repository, theirs + 1);
      return () => {
        count--;
        bytes -= size;
        const left = (perRepository.get(repository) ?? 1) - 1;
        if (left > 0) perRepository.set(repository, left);
        else perRepository.delete(repository);
      };
    },
  };
}

/** Over the raw bytes, in constant time, always against every secret. */
function isSigned(body: Buffer, header: string | string[] | undefined, secrets: readonly string[]): boolean {
  const hex = /^sha256=([0-9a-f]{64})$/.exec(typeof header === "string" ? header : "")?.[1];
  if (!hex) return false;
  const given = Buffer.from(hex, "hex");
  return secrets
    .map((secret) => timingSafeEqual(given, createHmac("sha256", secret).update(body).digest()))
    .includes(true);
}

/** The signature does not cover headers. */
function nameIn(request: IncomingMessage, header: string): string | undefined {
  const value = request.headers[header];
  return typeof value === "string" && /^[\w-]{1,128}$/.test(value) ? value : undefined;
}

/** Throws if there is no answer in time. */
export async function withDeadline<T>(promise: Promise<T>, ms: number): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error(`no answer within ${ms} ms`)), ms);
  try {
    return await Promise.race([promise, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Anyone can call at any rate. */
function shareWhileUnderWay<T>(ask: () => Promise<T>): () => Promise<T> {
  let asking: Promise<T> | undefined;
  return () => {
    asking ??= ask().finally(() => {
      asking = undefined;
    });
    return asking;
  };
}

function answerPage(
  response: ServerResponse,
  page: { readonly contentType: string; readonly text: string },
  status = 200,
): void {
  response.setHeader("content-type", page.contentType);
  sendAnswer(response, status, page.text);
}

export function sendAnswer(response: ServerResponse, status: number, text: string): void {
  response.statusCode = status;
  response.end(text);
}
