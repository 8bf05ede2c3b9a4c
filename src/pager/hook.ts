import { createHmac, randomUUID } from "node:crypto";
import { request } from "node:http";
import { request as requestTls } from "node:https";
import type { Risk } from "../base/risk.ts";
import { reasonOf } from "./fetch.ts";

/** The operator's one outgoing hook. */
export interface Hook {
  readonly kind: "slack" | "teams" | "ntfy" | "pagerduty" | "webhook";
  readonly url: string;
  /** The routing key of PagerDuty, the key of a plain POST's signature, the token of ntfy where it wants one. */
  readonly secret: string | undefined;
}

/** What leaves: what waits, where, and who has not answered. No command, no output, no title: others wrote those. */
export interface Alarm {
  readonly repo: string;
  readonly issue: number;
  /** Where people decide. */
  readonly link: string;
  readonly actions: readonly {
    readonly number: number;
    readonly server: string;
    readonly risk: Risk;
    readonly expiresAt: Date;
  }[];
  /** Logins of those who were called before and have not approved. */
  readonly called: readonly string[];
}

/** How a hook was called: `unsure` where it may have arrived. */
export type HookOutcome = { readonly kind: "done" } | { readonly kind: "failed" | "unsure"; readonly fault: string };

const timeoutMs = 10_000;

/** Calls the hook, once. Never throws; no fault carries an address or a secret. */
export async function callHook(hook: Hook, alarm: Alarm, now: Date, limitMs = timeoutMs): Promise<HookOutcome> {
  const { url, body, headers } = hookRequest(hook, alarm, now);
  const signal = AbortSignal.timeout(limitMs);
  let isConnected = false;
  try {
    const status = await post({ url, body, headers, signal }, () => {
      isConnected = true;
    });
    return status >= 200 && status < 300 ? { kind: "done" } : { kind: "failed", fault: `HTTP ${status}` };
  } catch (error) {
    const fault = signal.aborted ? `no answer within ${limitMs / 1000} s` : reasonOf(error);
    // A connection that was never made carried nothing.
    return { kind: isConnected ? "unsure" : "failed", fault };
  }
}

/** Posts it, and tells when there is a connection: unlike `fetch`, this knows whether anything can have left. Follows no redirect. */
function post(
  { url, body, headers, signal }: HookRequest & { readonly signal: AbortSignal },
  connected: () => void,
): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const isTls = url.startsWith("https:");
  const given = { method: "POST", headers: { "content-type": "application/json", ...headers }, signal };
  const asked = (isTls ? requestTls : request)(url, given, (response) => {
    response.destroy();
    resolve(response.statusCode ?? 0);
  });
  asked.once("socket", (socket) => {
    if (socket.connecting) socket.once(isTls ? "secureConnect" : "connect", connected);
    // One that was kept, or that a proxy has opened.
    else connected();
  });
  asked.on("error", reject);
  asked.end(body);
  return promise;
}

interface HookRequest {
  readonly url: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** What is sent to a hook, by its kind. */
function hookRequest({ kind, url, secret = "" }: Hook, alarm: Alarm, now: Date): HookRequest {
  const json = (value: unknown, headers: HookRequest["headers"] = {}): HookRequest => ({
    url,
    body: JSON.stringify(value),
    headers,
  });
  const place = `${alarm.repo}#${alarm.issue}`;
  const words = wordsOf(alarm);
  switch (kind) {
    case "slack":
      return json({ text: `${escapeSlack(words)} <${alarm.link}|${escapeSlack(place)}>` });
    case "teams":
      return json({ type: "message", attachments: [teamsCard(words, `[${place}](${alarm.link})`)] });
    case "ntfy": {
      // JSON goes to the server itself and names the topic.
      const topic = new URL(url).pathname.split("/").filter(Boolean).at(-1) ?? "";
      const server = url.slice(0, url.lastIndexOf(topic));
      const body = { topic, title: `Approval needed: ${place}`, message: words, priority: 5, click: alarm.link };
      return { ...json(body, secret === "" ? {} : { authorization: `Bearer ${secret}` }), url: server };
    }
    case "pagerduty":
      return json(pagerDutyEvent(alarm, { words, place, routingKey: secret }));
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

/** Slack's three characters that mean something. */
const escapeSlack = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

const teamsCard = (...lines: readonly string[]) => ({
  contentType: "application/vnd.microsoft.card.adaptive",
  content: {
    $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
    type: "AdaptiveCard",
    version: "1.4",
    body: lines.map((text) => ({ type: "TextBlock", text, wrap: true })),
  },
});

/** Events API v2. All of an incident are one alert there: the key is the issue's. */
function pagerDutyEvent(
  { repo, link, actions }: Alarm,
  { words, place, routingKey }: { readonly words: string; readonly place: string; readonly routingKey: string },
) {
  const severity = actions.some(({ risk }) => risk === "high") ? "critical" : "warning";
  return {
    routing_key: routingKey,
    event_action: "trigger",
    dedup_key: `countersign/${place}`,
    payload: { summary: `${place}: ${words}`.slice(0, 1024), source: repo, severity },
    links: [{ href: link, text: place }],
  };
}
