import { createHmac, randomUUID } from "node:crypto";
import { request } from "node:http";
import { request as requestTls } from "node:https";
import type { Risk } from "../base/risk.ts";
import { reasonOf } from "./fetch.ts";

export interface Hook {
  readonly kind: "slack" | "teams" | "ntfy" | "pagerduty" | "webhook";
  readonly url: string;
  /** PagerDuty's routing key, a POST's signing key, or ntfy's optional token. */
  readonly secret: string | undefined;
}

/** Has no command, output or title, because others wrote those. */
export interface Alarm {
  readonly repo: string;
  readonly issue: number;
  /** The comment or issue on which people decide. */
  readonly link: string;
  readonly actions: readonly {
    readonly number: number;
    readonly server: string;
    readonly risk: Risk;
    readonly expiresAt: Date;
  }[];
  /** Logins that were called and have not approved. */
  readonly called: readonly string[];
}

/** `unsure` if it may have arrived. */
export type HookOutcome = { readonly kind: "done" } | { readonly kind: "failed" | "unsure"; readonly fault: string };

const timeoutMs = 10_000;

/** Calls the hook once. Never throws; no fault contains an address or a secret. */
export async function callHook(hook: Hook, alarm: Alarm, now: Date, limitMs = timeoutMs): Promise<HookOutcome> {
  const { url, body, headers } = hookRequest(hook, alarm, now);
  const signal = AbortSignal.timeout(limitMs);
  let isConnected = false;
  try {
    const { status } = await postOnce({ url, body, headers, signal }, () => {
      isConnected = true;
    });
    return status >= 200 && status < 300 ? { kind: "done" } : { kind: "failed", fault: `HTTP ${status}` };
  } catch (error) {
    const fault = signal.aborted ? `no answer within ${limitMs / 1000} s` : reasonOf(error);
    return { kind: isConnected ? "unsure" : "failed", fault };
  }
}

interface PostAnswer {
  readonly status: number;
  readonly retryAfter: string | undefined;
  /** As much as came and is kept. */
  readonly text: string;
}

/** Enough for a reason. */
const mostAnswer = 4_096;

/** Reports the connection, which `fetch` does not: before it nothing can have left. Follows no redirect. */
export function postOnce(
  { url, body, headers = {}, signal }: PostRequest & { readonly signal: AbortSignal },
  connected: () => void,
): Promise<PostAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<PostAnswer>();
  const isTls = url.startsWith("https:");
  const given = { method: "POST", headers: { "content-type": "application/json", ...headers }, signal };
  const asked = (isTls ? requestTls : request)(url, given, (response) => {
    let text = "";
    // The status is the answer, even if its text is lost.
    const end = (): void => {
      resolve({ status: response.statusCode ?? 0, retryAfter: response.headers["retry-after"], text });
      response.destroy();
    };
    response.setEncoding("utf8");
    response.on("data", (part: string) => {
      text += part.slice(0, mostAnswer - text.length);
      if (text.length >= mostAnswer) end();
    });
    for (const over of ["end", "error", "close"]) response.once(over, end);
  });
  asked.once("socket", (socket) => {
    if (socket.connecting) socket.once(isTls ? "secureConnect" : "connect", connected);
    // A kept connection, or one that a proxy opened.
    else connected();
  });
  asked.on("error", reject);
  asked.end(body);
  return promise;
}

interface PostRequest {
  readonly url: string;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

function hookRequest({ kind, url, secret = "" }: Hook, alarm: Alarm, now: Date): PostRequest {
  const json = (value: unknown, headers: Readonly<Record<string, string>> = {}): PostRequest => ({
    url,
    body: JSON.stringify(value),
    headers,
  });
  const place = `${alarm.repo}#${alarm.issue}`;
  const words = wordsOf(alarm);
  switch (kind) {
    case "slack": {
      const escapeSlack = (text: string): string =>
        text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
      return json({ text: `${escapeSlack(words)} <${alarm.link}|${escapeSlack(place)}>` });
    }
    case "teams": {
      const lines = [words, `[${place}](${alarm.link})`];
      const card = {
        contentType: "application/vnd.microsoft.card.adaptive",
        content: {
          $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
          type: "AdaptiveCard",
          version: "1.4",
          body: lines.map((text) => ({ type: "TextBlock", text, wrap: true })),
        },
      };
      return json({ type: "message", attachments: [card] });
    }
    case "ntfy": {
      // JSON goes to the server itself and names the topic.
      const topic = new URL(url).pathname.split("/").filter(Boolean).at(-1) ?? "";
      const server = url.slice(0, url.lastIndexOf(topic));
      const body = { topic, title: `Approval needed: ${place}`, message: words, priority: 5, click: alarm.link };
      return { ...json(body, secret === "" ? {} : { authorization: `Bearer ${secret}` }), url: server };
    }
    case "pagerduty": {
      // Events API v2; one key per issue makes one alert of an incident.
      const severity = alarm.actions.some(({ risk }) => risk === "high") ? "critical" : "warning";
      return json({
        routing_key: secret,
        event_action: "trigger",
        dedup_key: `countersign/${place}`,
        payload: { summary: `${place}: ${words}`.slice(0, 1024), source: alarm.repo, severity },
        links: [{ href: alarm.link, text: place }],
      });
    }
    case "webhook": {
      const { repo: repository, issue, link, actions, called } = alarm;
      const at = now.toISOString();
      const listed = actions.map(({ expiresAt, ...rest }) => ({ ...rest, expires_at: expiresAt.toISOString() }));
      const body = JSON.stringify({
        kind: actions.length === 0 ? "incident_waits" : "approval_needed",
        at,
        repository,
        issue,
        link,
        actions: listed,
        called,
      });
      const timestamp = String(Math.floor(now.getTime() / 1000));
      const signature = createHmac("sha256", secret).update(`${timestamp}.${body}`).digest("hex");
      const headers = {
        "x-countersign-delivery": randomUUID(),
        "x-countersign-timestamp": timestamp,
        "x-countersign-signature-256": `sha256=${signature}`,
      };
      return { url, body, headers };
    }
  }
}

/** `4 on web-1 (high risk, until 10:15Z) waits for an approval. No answer from lee, mona.` */
function wordsOf({ actions, called }: Alarm): string {
  const items = actions.map(
    ({ number, server, risk, expiresAt }) =>
      `${number} on ${server} (${risk} risk, until ${expiresAt.toISOString().slice(11, 16)}Z)`,
  );
  const silent = called.length === 0 ? "There is nobody left to call." : `No answer from ${called.join(", ")}.`;
  if (items.length === 0) return `The incident waits for people. ${silent}`;
  return `${items.join(", ")} ${actions.length === 1 ? "waits" : "wait"} for an approval. ${silent}`;
}
