import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import type { AlertKind, AlertSourceKind } from "../alert/sources.ts";
import { createRate } from "../base/clock.ts";
import type { Arrival } from "../store/queue/arrival.ts";
import { markVerified, readBody } from "./places.ts";
import { createWaitingRoom, type Receive, sendAnswer, withDeadline } from "./server.ts";

interface AlertDoorSource extends Pick<AlertSourceKind, "signature"> {
  readonly kind: AlertKind;
  readonly auth: AlertSourceKind["auth"][number];
  /** One, or two during a rotation. */
  readonly secrets: readonly string[];
  /** Its time is signed with the body. */
  readonly timestampHeader?: string | undefined;
  readonly messagesPerMinute: number;
  readonly maxBodyKb: number;
}

/** `why` holds no text of the sender. */
type ReadAlert =
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

/** Of the sender's text it holds only a known source's name. */
type AlertDoorEvent = { readonly source?: string; readonly status: number } & (
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
  // Not 429, because Alertmanager and Grafana retry only after a 5xx.
  "too many at once": 503,
  "not stored": 503,
} as const;
type AlertRefusal = keyof typeof refusals;

interface DoorCall {
  readonly name: string;
  readonly request: IncomingMessage;
  readonly refuse: (reason: AlertRefusal, why?: string) => void;
  readonly accept: (outcome: Outcome) => void;
}

const path = /^\/api\/alerts\/([^/?]*)$/;

/** Serves `POST /api/alerts/<source>` (docs/alerts.md); answers 202 only after the alert is durable. Returns false for other addresses. */
export function createAlertDoor(
  options: AlertDoorOptions,
): (request: IncomingMessage, response: ServerResponse) => Promise<boolean> {
  const { log, now } = options;
  const mayCall = createRate(now);
  const waiting = createWaitingRoom();

  const store = async (name: string, arrival: Arrival, bytes: number) => {
    const leave = waiting.enter(arrival, bytes);
    if (!leave) return "too many at once";
    // It may still be stored after the deadline, so it keeps its place.
    const stored = options.receive(arrival).finally(leave);
    try {
      return await withDeadline(stored, options.storeTimeoutMs ?? 8_000);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      log({ kind: "not-stored", status: 503, reason, source: name });
      return "not stored";
    }
  };

  const serve = async ({ name, request, refuse, accept }: DoorCall): Promise<void> => {
    const source = options.source(name);
    if (!source) return refuse("unknown source");
    if (request.method !== "POST") return refuse("not a POST");
    // Reads no body without the secret.
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
    const refuse: DoorCall["refuse"] = (reason, why = reason) => {
      const status = refusals[reason];
      if (reason !== "not stored") log({ kind: "refused", status, reason, ...known });
      if (status === 503) response.setHeader("retry-after", "60");
      if (status === 405) response.setHeader("allow", "POST");
      sendAnswer(response, status, why);
    };
    const accept: DoorCall["accept"] = (outcome) => {
      log({ kind: "accepted", status: 202, outcome, source: name });
      sendAnswer(response, 202, outcome);
    };
    await serve({ name, request, refuse, accept });
    return true;
  };
}

/** A recorded message must be worthless later. */
const freshMs = 5 * 60_000;

function knowsSecret({ auth, secrets }: AlertDoorSource, { authorization = "" }: IncomingHttpHeaders): boolean {
  const [, scheme = "", text = ""] = /^(bearer|basic) +(\S+) *$/i.exec(authorization) ?? [];
  if (scheme.toLowerCase() !== auth) return false;
  if (auth === "bearer") return isOneOf(secrets, text);
  const [, password = ""] = /^[^:]*:(.*)$/s.exec(Buffer.from(text, "base64").toString("utf8")) ?? [];
  return isOneOf(secrets, password);
}

function isAlertSigned(
  { secrets, signature, timestampHeader }: AlertDoorSource,
  { headers, body, now }: { readonly headers: IncomingHttpHeaders; readonly body: Buffer; readonly now: Date },
): boolean {
  if (signature === undefined) return false;
  const header = (name: string): string => [headers[name.toLowerCase()] ?? []].flat().join(",");
  const text = header(signature.header);
  const given = signature.isList ? text.split(",", 8).map((one) => one.replace(/^ +| +$/g, "")) : [text];
  const form = new RegExp(`^${RegExp.escape(signature.prefix)}([0-9a-f]{64})$`, "i");
  const isMacOf = (parts: readonly (string | Buffer)[]): boolean =>
    given.some((one) => {
      // In constant time, always with every secret.
      const hex = form.exec(one)?.[1];
      if (hex === undefined) return false;
      const mac = Buffer.from(hex, "hex");
      const macOf = (secret: string): Buffer => {
        const mac = createHmac("sha256", secret);
        for (const part of parts) mac.update(part);
        return mac.digest();
      };
      return secrets.map((secret) => timingSafeEqual(mac, macOf(secret))).includes(true);
    });
  if (!signature.isTimed || timestampHeader === undefined) return isMacOf([body]);
  const time = header(timestampHeader);
  const isFresh = /^\d{1,12}$/.test(time) && Math.abs(Number(time) * 1000 - now.getTime()) <= freshMs;
  return isFresh && isMacOf([`${time}:`, body]);
}

const sha256 = (text: string): Buffer => createHash("sha256").update(text).digest();

/** Hashes have one length for every guess. */
const isOneOf = (secrets: readonly string[], given: string): boolean =>
  secrets.map((secret) => timingSafeEqual(sha256(secret), sha256(given))).includes(true);
