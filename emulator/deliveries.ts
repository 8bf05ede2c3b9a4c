import { createHmac, randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { Faults } from "./faults.ts";
import type { WebhookTraffic } from "./interface.ts";
import { toSeconds } from "./wire/shapes.ts";

/** One delivery in the log that `GET /app/hook/deliveries` shows; a redelivery is an entry of its own. */
export interface Delivery {
  readonly id: number;
  readonly guid: string;
  readonly delivered_at: string;
  readonly redelivery: boolean;
  /** Seconds. */
  readonly duration: number;
  readonly status: string;
  readonly status_code: number;
  readonly event: string;
  readonly action: string | null;
  readonly installation_id: number | null;
  readonly repository_id: number | null;
  readonly throttled_at: null;
  readonly url: string;
  readonly request: { readonly headers: Readonly<Record<string, string>>; readonly payload: object };
  readonly response: { readonly headers: Readonly<Record<string, string>>; readonly payload: string };
}

interface Webhook {
  readonly event: string;
  readonly action: string | null;
  readonly installationId: number | null;
  readonly repositoryId: number | null;
  readonly payload: object;
}

export interface Deliveries {
  /** Sends without waiting; one attempt, as GitHub does. */
  readonly send: (webhook: Webhook) => void;
  /** Sends the delivery again under its GUID; false where there is none. */
  readonly redeliver: (of: { readonly id: number } | { readonly guid: string }) => Promise<boolean>;
  /** Newest first. */
  readonly log: () => readonly Delivery[];
  readonly settled: () => Promise<void>;
  /** Gives up what is underway. */
  readonly stop: () => Promise<void>;
}

export interface DeliveriesInput {
  readonly url: string;
  readonly secret: string;
  readonly active?: boolean;
  readonly appId: number;
  readonly faults: Faults;
  readonly onTraffic: (traffic: WebhookTraffic) => void;
}

const timeoutMs = 10_000;
const maxLogged = 5_000;

export function createDeliveries(input: DeliveriesInput): Deliveries {
  const log: Delivery[] = [];
  const underway = new Set<Promise<unknown>>();
  let lastId = 120_000_000_000;

  const stopped = new AbortController();

  const attempt = async (
    webhook: Webhook,
    guid: string,
    redelivery: boolean,
    drop?: "before" | "after",
  ): Promise<void> => {
    const body = JSON.stringify(webhook.payload);
    const headers = {
      "content-type": "application/json",
      "user-agent": "GitHub-Hookshot/emulated",
      "x-github-delivery": guid,
      "x-github-event": webhook.event,
      "x-github-hook-id": "1",
      "x-github-hook-installation-target-id": String(input.appId),
      "x-github-hook-installation-target-type": "integration",
      "x-hub-signature-256": `sha256=${createHmac("sha256", input.secret).update(body).digest("hex")}`,
    };
    const started = performance.now();
    const reached = drop === "before" ? undefined : await post(input.url, headers, body, stopped.signal);
    const answer = drop || !reached ? noAnswer("connection lost") : reached;
    const ms = performance.now() - started;
    const { event, action } = webhook;
    log.unshift({
      id: ++lastId,
      guid,
      delivered_at: toSeconds(new Date()),
      redelivery,
      duration: Math.round(ms / 10) / 100,
      status: answer.text,
      status_code: answer.status,
      event,
      action,
      installation_id: webhook.installationId,
      repository_id: webhook.repositoryId,
      throttled_at: null,
      url: input.url,
      request: { headers, payload: webhook.payload },
      response: { headers: answer.headers, payload: answer.body },
    });
    log.length = Math.min(log.length, maxLogged);
    const said = answer.body.slice(0, 100);
    input.onTraffic({ kind: "webhook", event, action, guid, status: answer.status, answer: said, ms });
  };

  const track = (work: Promise<void>): Promise<void> => {
    underway.add(work);
    return work.finally(() => underway.delete(work));
  };

  const deliver = async (webhook: Webhook, guid: string, redelivery: boolean): Promise<void> => {
    const fault = input.faults.forWebhook(webhook.event, webhook.action);
    if (fault?.delayMs) await delay(fault.delayMs, undefined, { signal: stopped.signal }).catch(() => undefined);
    if (stopped.signal.aborted) return;
    const copies = 1 + (fault?.duplicate ?? 0);
    const one = () => attempt(webhook, guid, redelivery, fault?.drop);
    await Promise.all(Array.from({ length: copies }, one));
  };

  return {
    send: (webhook) => {
      if (input.active !== false) void track(deliver(webhook, randomUUID(), false));
    },
    async redeliver(of) {
      const past = log.find((d) => ("id" in of ? d.id === of.id : d.guid === of.guid));
      if (!past) return false;
      await track(
        deliver(
          {
            ...past,
            installationId: past.installation_id,
            repositoryId: past.repository_id,
            payload: past.request.payload,
          },
          past.guid,
          true,
        ),
      );
      return true;
    },
    log: () => log,
    async settled() {
      while (underway.size > 0) await Promise.all(underway);
    },
    async stop() {
      stopped.abort();
      await Promise.all(underway);
    },
  };
}

interface HookAnswer {
  readonly status: number;
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const noAnswer = (text: string): HookAnswer => ({ status: 0, text, headers: {}, body: "" });

async function post(
  url: string,
  headers: Record<string, string>,
  body: string,
  stopped: AbortSignal,
): Promise<HookAnswer> {
  try {
    const response = await fetch(url, {
      method: "POST",
      headers,
      body,
      signal: AbortSignal.any([AbortSignal.timeout(timeoutMs), stopped]),
    });
    return {
      status: response.status,
      text: response.ok ? "OK" : response.statusText || "Invalid HTTP Response",
      headers: Object.fromEntries(response.headers),
      body: await response.text(),
    };
  } catch (error) {
    const timedOut = error instanceof DOMException && error.name === "TimeoutError";
    return noAnswer(timedOut ? "timed out" : "failed to connect to host");
  }
}
