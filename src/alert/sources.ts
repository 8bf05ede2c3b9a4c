import { createHash } from "node:crypto";
import * as z from "zod";
import { type Fields, isRecord, parseJson } from "../base/json.ts";
import type { Alert } from "./alert.ts";

/** A secret in a header, or a signature over the body. */
export type AlertAuth = "bearer" | "basic" | "hmac";

/** HMAC-SHA256 of the body, in hex. */
interface AlertSignature {
  readonly header: string;
  readonly prefix: string;
  /** Several signatures, separated by commas. */
  readonly isList?: boolean;
  /** The operator can name a header with a signed time: `<time>:<body>`. */
  readonly isTimed?: boolean;
}

/** Config, door, reader, tests and the table of docs/alerts.md derive from it (AL-5). */
export interface AlertSourceKind {
  /** The product, and its heading in docs/alerts.md. */
  readonly title: string;
  /** The product's name for what posts the alerts. */
  readonly sender: string;
  /** The first is the default. */
  readonly auth: readonly [AlertAuth, ...AlertAuth[]];
  /** Required for `hmac`. */
  readonly signature?: AlertSignature | undefined;
  /** Never throws. */
  readonly parse: (body: Fields) => ParsedAlert;
  /** A firing alert, for tests. */
  readonly example: Fields;
  /** The fields of `example` that differ once it is over. */
  readonly resolved: Fields;
}

/** `why` holds no text of the sender. */
export type ParsedAlert =
  | { readonly kind: "alert"; readonly alert: Alert }
  | { readonly kind: "ignored"; readonly why: string }
  | { readonly kind: "refused"; readonly why: string };

/** Reads a body. Never throws. */
export function parseAlert(kind: AlertKind, text: string): ParsedAlert {
  let [depth, reached, isString] = [0, 0, false];
  for (let at = 0; at < text.length; at++) {
    const sign = text[at];
    if (isString && sign === "\\") at++;
    else if (sign === '"') isString = !isString;
    else if (isString) continue;
    else if (sign === "{" || sign === "[") reached = Math.max(reached, ++depth);
    else if (sign === "}" || sign === "]") depth--;
  }

  if (reached > deepest) return { kind: "refused", why: `it is nested deeper than ${deepest}` };
  const body = parseJson(text);
  return isRecord(body) ? alertSources[kind].parse(body) : { kind: "refused", why: "it is no JSON object" };
}

/** No product nests deeper, and recursive readers manage it. */
const deepest = 32;

const most = { alerts: 20, labels: 64, annotations: 32, links: 12, names: 3 } as const;

const keyText = z.string().min(1).max(4_096);
/** Sources write "no time" as the year 1 or as an empty text. */
const timeText = z
  .string()
  .refine((text) => text === "" || !Number.isNaN(Date.parse(text)))
  .transform((text) => (text === "" || Date.parse(text) <= 0 ? null : new Date(text).toISOString()));
const labelTexts = z.record(z.string().max(1_024), z.string());
const alertState = z.enum(["firing", "resolved"]);

const firstOf = (texts: Readonly<Record<string, string>>, count: number): Record<string, string> =>
  Object.fromEntries(Object.entries(texts).slice(0, count));

const without = (body: Fields, known: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(Object.entries(body).filter(([name]) => !known.includes(name)));

const messageDigest = (parts: unknown): string => createHash("sha256").update(JSON.stringify(parts)).digest("hex");

const addressedLinks = (links: readonly { readonly words: string; readonly url: unknown }[]): Alert["links"] => {
  const named = links.flatMap(({ words, url }) => (typeof url === "string" && url !== "" ? [{ words, url }] : []));
  return [...new Map(named.map((link) => [link.url, link])).values()].slice(0, most.links);
};

/** Uses only our names for fields. */
function refusedBy(error: z.ZodError, fields: readonly string[]): ParsedAlert {
  const [issue] = error.issues;
  const path = (issue?.path ?? []).map((part) =>
    typeof part === "number" || fields.includes(String(part)) ? String(part) : "…",
  );
  const missing = issue?.code === "invalid_type" && issue.message.endsWith("received undefined");
  return { kind: "refused", why: `\`${path.join(".")}\` ${missing ? "is missing" : "is not what it should be"}` };
}

// Alertmanager's webhook; Grafana's contact point sends the same fields and more.

const optionalText = z.string().nullish();
const memberShape = {
  status: alertState,
  labels: labelTexts,
  annotations: labelTexts.default({}),
  startsAt: timeText.nullish(),
  endsAt: timeText.nullish(),
  generatorURL: optionalText,
  fingerprint: optionalText,
  silenceURL: optionalText,
  dashboardURL: optionalText,
  panelURL: optionalText,
};
const groupShape = {
  groupKey: keyText,
  status: alertState,
  alerts: z.array(z.object(memberShape)).min(1).max(10_000),
  groupLabels: labelTexts.default({}),
  commonLabels: labelTexts.default({}),
  commonAnnotations: labelTexts.default({}),
  externalURL: optionalText,
};
const groupSchemas = {
  alertmanager: z.object({ version: z.literal("4"), ...groupShape }),
  grafana: z.object(groupShape),
} as const;
type AlertGroup = z.output<(typeof groupSchemas)["grafana"]>;
type GroupMember = AlertGroup["alerts"][number];

const groupFields = Object.keys({ ...groupShape, version: true });

function parseGroup(body: Fields, kind: keyof typeof groupSchemas): ParsedAlert {
  const parsed = groupSchemas[kind].safeParse(body);
  if (!parsed.success) return refusedBy(parsed.error, [...groupFields, ...Object.keys(memberShape)]);
  const group = parsed.data;
  const { alerts, groupLabels, commonLabels: labels, commonAnnotations: annotations } = group;
  const firing = alerts.filter(({ status }) => status === "firing");
  // The group fires as long as one alert does, even if its status says otherwise.
  const isFiring = firing.length > 0;
  const shown = isFiring ? firing : alerts;
  const starts = shown.flatMap(({ startsAt }) => startsAt ?? []).toSorted();
  const shared = labels.alertname ?? groupLabels.alertname;
  const names = new Set(
    shared === undefined ? shown.flatMap((alert) => alert.labels.alertname?.trim() || []) : [shared],
  );
  const further = names.size > most.names ? ` and ${names.size - most.names} more` : "";
  // The summary of one alert does not speak for those of other names.
  const summary = annotations.summary ?? (names.size > 1 ? undefined : shown[0]?.annotations.summary);
  const title = [`${[...names].slice(0, most.names).join(", ")}${further}`, summary]
    .filter((text) => text !== undefined && text.trim() !== "")
    .join(": ");
  return {
    kind: "alert",
    alert: {
      key: group.groupKey,
      // Both name a group so at PagerDuty.
      pagerKey: createHash("sha256").update(group.groupKey).digest("hex"),
      state: isFiring ? "firing" : "resolved",
      title: title || "Alert firing",
      severity: labels.severity ?? labels.priority ?? shown[0]?.labels.severity ?? null,
      startedAt: starts[0] ?? null,
      messageId: null,
      at: null,
      digest: messageDigest([kind, alerts.map(momentOf).toSorted()]),
      labels: firstOf(labels, most.labels),
      annotations: firstOf(annotations, most.annotations),
      alerts: shown.slice(0, most.alerts).map(({ status, startsAt, ...alert }) => ({
        state: status,
        startedAt: startsAt ?? null,
        labels: firstOf(ownOf(alert.labels, labels), most.labels),
        annotations: firstOf(ownOf(alert.annotations, annotations), most.annotations),
      })),
      firing: firing.length,
      total: alerts.length,
      links: groupLinks(group, shown, kind),
      rest: restOf(body, group),
    },
  };
}

/** Without what the whole group has. */
const ownOf = (texts: Readonly<Record<string, string>>, common: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(texts).filter(([name, value]) => common[name] !== value));

const momentOf = ({ fingerprint, labels, status, startsAt, endsAt }: GroupMember): string =>
  JSON.stringify([fingerprint ?? labels, status, startsAt, status === "resolved" ? endsAt : null]);

function groupLinks(group: AlertGroup, shown: readonly GroupMember[], kind: keyof typeof groupSchemas): Alert["links"] {
  const { externalURL, groupLabels, commonAnnotations: common } = group;
  // Alertmanager's form that silences the whole group.
  const matchers = Object.entries(groupLabels).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  const silence =
    kind === "alertmanager" && externalURL && matchers.length > 0
      ? `${externalURL.replace(/\/+$/, "")}/#/silences/new?filter=${encodeURIComponent(`{${matchers.join(", ")}}`)}`
      : undefined;
  return addressedLinks([
    { words: "Runbook", url: common.runbook_url ?? shown[0]?.annotations.runbook_url },
    { words: "Silence", url: silence },
    ...shown.slice(0, 3).flatMap(({ generatorURL, silenceURL, dashboardURL, panelURL }) => [
      { words: "Source", url: generatorURL },
      { words: "Silence", url: silenceURL },
      { words: "Dashboard", url: dashboardURL },
      { words: "Panel", url: panelURL },
    ]),
    { words: alertSources[kind].title, url: externalURL },
  ]);
}

function restOf(body: Fields, { alerts }: AlertGroup): Alert["rest"] {
  const members = Array.isArray(body.alerts) ? body.alerts.slice(0, most.alerts) : [];
  const unknown = members.map((alert: Fields) => without(alert, Object.keys(memberShape)));
  const own = unknown.some((fields) => Object.keys(fields).length > 0) ? { alerts: unknown } : {};
  const left = alerts.length > most.alerts ? { alertsNotShown: alerts.length - most.alerts } : {};
  return { ...without(body, groupFields), ...own, ...left };
}

// PagerDuty's webhook, version 3.

const summarized = z.object({ summary: z.string().nullish() }).nullish();
const incidentShape = {
  id: keyText,
  title: z.string(),
  html_url: z.string().nullish(),
  created_at: timeText.nullish(),
  urgency: z.string().nullish(),
  incident_key: z.string().nullish(),
  service: summarized,
  priority: summarized,
};
const eventShape = { id: keyText, event_type: z.string(), occurred_at: timeText.nullish() };
const eventSchema = z.object({ event: z.object(eventShape) });
const incidentSchema = z.object({ event: z.object({ ...eventShape, data: z.object(incidentShape) }) });

/** Other events, such as an acknowledgment, change nothing here. */
const incidentStates: ReadonlyMap<string, "firing" | "resolved"> = new Map([
  ["incident.triggered", "firing"],
  ["incident.reopened", "firing"],
  ["incident.resolved", "resolved"],
]);

// Our own form.

const plainShape = {
  key: keyText,
  status: alertState,
  title: z.string().min(1),
  severity: z.string().nullish(),
  started: timeText.nullish(),
  id: keyText.nullish(),
  at: timeText.nullish(),
  labels: labelTexts.default({}),
  annotations: labelTexts.default({}),
  links: labelTexts.default({}),
};
const plainSchema = z.object(plainShape);

/** By the operator's `kind` (docs/alerts.md). */
export const alertSources = {
  alertmanager: {
    title: "Alertmanager",
    sender: "a receiver with `webhook_configs`",
    auth: ["bearer", "basic"],
    parse: (body) => parseGroup(body, "alertmanager"),
    example: {
      version: "4",
      groupKey: '{}:{alertname="SpoolAlmostFull"}',
      status: "firing",
      groupLabels: { alertname: "SpoolAlmostFull" },
      commonLabels: { alertname: "SpoolAlmostFull", severity: "critical" },
      alerts: [{ status: "firing", labels: { alertname: "SpoolAlmostFull" }, startsAt: "2026-11-24T02:00:00Z" }],
    },
    resolved: { status: "resolved", alerts: [{ status: "resolved", labels: { alertname: "SpoolAlmostFull" } }] },
  },
  grafana: {
    title: "Grafana",
    sender: "a contact point of the integration *Webhook*",
    auth: ["bearer", "basic", "hmac"],
    signature: { header: "X-Grafana-Alerting-Signature", prefix: "", isTimed: true },
    parse: (body) => parseGroup(body, "grafana"),
    example: {
      version: "1",
      groupKey: "{}:{}",
      status: "firing",
      commonLabels: { alertname: "High memory usage" },
      alerts: [{ status: "firing", labels: { alertname: "High memory usage" }, startsAt: "2026-11-24T02:00:00Z" }],
    },
    resolved: { status: "resolved", alerts: [{ status: "resolved", labels: { alertname: "High memory usage" } }] },
  },
  pagerduty: {
    title: "PagerDuty",
    sender: "a *Generic Webhook (v3)*",
    auth: ["hmac", "bearer", "basic"],
    signature: { header: "X-PagerDuty-Signature", prefix: "v1=", isList: true },
    parse: (body) => {
      const fields = ["event", "data", ...Object.keys(eventShape), ...Object.keys(incidentShape), "summary"];
      const typed = eventSchema.safeParse(body);
      if (!typed.success) return refusedBy(typed.error, fields);
      const state = incidentStates.get(typed.data.event.event_type);
      if (state === undefined) return { kind: "ignored", why: "this event type opens and resolves nothing" };
      const parsed = incidentSchema.safeParse(body);
      if (!parsed.success) return refusedBy(parsed.error, fields);
      const { event } = parsed.data;
      const { data } = event;
      const named = {
        service: data.service?.summary,
        priority: data.priority?.summary,
        urgency: data.urgency,
      };
      const labels = Object.entries(named).flatMap(([name, value]) => (value ? [[name, value] as const] : []));
      const { data: rest } = (body as { readonly event: { readonly data: Fields } }).event;
      return {
        kind: "alert",
        alert: {
          key: data.id,
          pagerKey: data.incident_key || null,
          state,
          title: data.title,
          severity: named.priority ?? named.urgency ?? null,
          startedAt: data.created_at ?? null,
          messageId: event.id,
          at: event.occurred_at ?? null,
          digest: messageDigest(["pagerduty", event.id]),
          labels: Object.fromEntries(labels),
          annotations: {},
          alerts: [],
          firing: state === "firing" ? 1 : 0,
          total: 1,
          links: addressedLinks([{ words: "PagerDuty", url: data.html_url }]),
          rest: without(rest, [...Object.keys(incidentShape), "type", "self"]),
        },
      };
    },
    example: {
      event: {
        id: "5ac64822-4adc-4fda-ade0-410becf0de4f",
        event_type: "incident.triggered",
        occurred_at: "2026-11-24T02:45:22Z",
        data: { id: "PGR0VU2", title: "A little bump in the road", service: { summary: "API Service" } },
      },
    },
    resolved: {
      event: {
        id: "01CFS2K7GN0QJH2YQ4R1Y1V3ZB",
        event_type: "incident.resolved",
        occurred_at: "2026-11-24T03:10:00Z",
        data: { id: "PGR0VU2", title: "A little bump in the road", service: { summary: "API Service" } },
      },
    },
  },
  json: {
    title: "Anything else",
    sender: "your own scripts",
    auth: ["bearer", "basic", "hmac"],
    signature: { header: "X-Countersign-Signature", prefix: "sha256=" },
    parse: (body) => {
      const known = Object.keys(plainShape);
      const parsed = plainSchema.safeParse(body);
      if (!parsed.success) return refusedBy(parsed.error, known);
      const { key, status, title, labels, annotations, id = null, at = null, started = null } = parsed.data;
      return {
        kind: "alert",
        alert: {
          key,
          pagerKey: key,
          state: status,
          title,
          severity: parsed.data.severity ?? labels.severity ?? null,
          startedAt: started,
          messageId: id,
          at,
          digest: messageDigest(["json", id ?? body]),
          labels: firstOf(labels, most.labels),
          annotations: firstOf(annotations, most.annotations),
          alerts: [],
          firing: status === "firing" ? 1 : 0,
          total: 1,
          links: addressedLinks(Object.entries(parsed.data.links).map(([words, url]) => ({ words, url }))),
          rest: without(body, known),
        },
      };
    },
    example: {
      key: "backup/db-1",
      status: "firing",
      title: "The backup of db-1 failed",
      severity: "high",
      started: "2026-11-24T02:00:00Z",
      labels: { host: "db-1" },
      annotations: { description: "pg_dump ended with 2" },
      links: { Log: "https://logs.example.com/backup" },
    },
    resolved: { status: "resolved" },
  },
} as const satisfies Readonly<Record<string, AlertSourceKind>>;

export type AlertKind = keyof typeof alertSources;

export const alertSourceOf = (kind: AlertKind): AlertSourceKind => alertSources[kind];
