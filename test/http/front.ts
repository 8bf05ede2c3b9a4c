import { createHmac } from "node:crypto";
import { afterEach } from "vitest";
import { type FrontEvent, type FrontOptions, startFront } from "../../src/http/server.ts";
import type { Arrival } from "../../src/store/queue/arrival.ts";

export const secrets = ["0123456789abcdefghijABCDEFGHIJ-old", "0123456789abcdefghijABCDEFGHIJ-new"] as const;
export const payload = JSON.stringify({ action: "opened", issue: { number: 42 }, repository: { id: 7 }, text: "ü" });

export const sign = (body: string | Uint8Array, secret: string = secrets[0], algorithm = "sha256"): string =>
  `${algorithm}=${createHmac(algorithm, secret).update(body).digest("hex")}`;

export const headersFor = (body: string | Uint8Array): Record<string, string> => ({
  "x-github-delivery": "72d3162e-cc78-11e3-81ab-4c9367dc0958",
  "x-github-event": "issues",
  "x-hub-signature-256": sign(body),
});

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** A front that stores nothing; it is closed after the test. */
export async function start(options: Partial<FrontOptions> = {}) {
  const arrivals: Arrival[] = [];
  const events: FrontEvent[] = [];
  const failed: unknown[] = [];
  const front = await startFront({
    host: "127.0.0.1",
    port: 0,
    secrets: () => secrets,
    receive: async (arrival) => {
      arrivals.push(arrival);
      return "stored";
    },
    ready: async () => ({ ok: true, able: true, checks: { store: "ok" } }),
    log: (event) => events.push(event),
    onFault: (error) => failed.push(error),
    ...options,
  });
  closing.push(front.close);
  const post = async (body: string | Uint8Array<ArrayBuffer>, headers = headersFor(body), path = "/") =>
    (await fetch(front.url + path, { method: "POST", body, headers })).status;
  return { url: front.url, arrivals, events, failed, post };
}
