import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";

/** How a source shows that it is who it says. */
export interface AlertAccess {
  readonly kind: "alertmanager" | "grafana" | "pagerduty" | "json";
  readonly auth: "bearer" | "basic" | "hmac";
  /** One, or two while it is being changed. */
  readonly secrets: readonly string[];
  /** Where the time is that is signed with the body. */
  readonly timestampHeader?: string | undefined;
}

/** So far may a signed time be from ours: a message that was recorded is worth nothing later. */
const freshMs = 5 * 60_000;

/** Whether the headers alone carry the source's secret; nothing of the body is read for those who do not know it. */
export function knowsSecret({ auth, secrets }: AlertAccess, { authorization = "" }: IncomingHttpHeaders): boolean {
  const [, scheme = "", text = ""] = /^(bearer|basic) +(\S+) *$/i.exec(authorization) ?? [];
  if (scheme.toLowerCase() !== auth) return false;
  if (auth === "bearer") return isOneOf(secrets, text);
  const [, password = ""] = /^[^:]*:(.*)$/s.exec(Buffer.from(text, "base64").toString("utf8")) ?? [];
  return isOneOf(secrets, password);
}

/** Whether the body is signed as the product does it: SHA-256, over the bytes as they came. */
export function isAlertSigned(
  { kind, secrets, timestampHeader }: AlertAccess,
  { headers, body, now }: { readonly headers: IncomingHttpHeaders; readonly body: Buffer; readonly now: Date },
): boolean {
  const header = (name: string): string => [headers[name.toLowerCase()] ?? []].flat().join(",");
  if (kind === "pagerduty") {
    const given = header("x-pagerduty-signature").split(",");
    return given.slice(0, 8).some((one) => isMac(/^ *v1=([0-9a-f]{64}) *$/i.exec(one)?.[1], secrets, [body]));
  }
  if (kind === "json") {
    return isMac(/^sha256=([0-9a-f]{64})$/i.exec(header("x-countersign-signature"))?.[1], secrets, [body]);
  }
  const hex = /^([0-9a-f]{64})$/i.exec(header("x-grafana-alerting-signature"))?.[1];
  if (timestampHeader === undefined) return isMac(hex, secrets, [body]);
  const time = header(timestampHeader);
  const isFresh = /^\d{1,12}$/.test(time) && Math.abs(Number(time) * 1000 - now.getTime()) <= freshMs;
  return isFresh && isMac(hex, secrets, [`${time}:`, body]);
}

/** In constant time, and always against every secret. */
function isMac(hex: string | undefined, secrets: readonly string[], parts: readonly (string | Buffer)[]): boolean {
  if (hex === undefined) return false;
  const given = Buffer.from(hex, "hex");
  const macOf = (secret: string): Buffer => {
    const mac = createHmac("sha256", secret);
    for (const part of parts) mac.update(part);
    return mac.digest();
  };
  return secrets.map((secret) => timingSafeEqual(given, macOf(secret))).includes(true);
}

const sha256 = (text: string): Buffer => createHash("sha256").update(text).digest();

/** By their hashes, which have one length whatever is guessed. */
const isOneOf = (secrets: readonly string[], given: string): boolean =>
  secrets.map((secret) => timingSafeEqual(sha256(secret), sha256(given))).includes(true);
