import * as z from "zod";
import type { Fields } from "../base/json.ts";
import type { Alert } from "./alert.ts";
import {
  addressedLinks,
  firstOf,
  keyText,
  labelTexts,
  messageDigest,
  most,
  type ParsedAlert,
  refusedBy,
  timeText,
  without,
} from "./reading.ts";

const state = z.enum(["firing", "resolved"]);
const optionalText = z.string().nullish();

const alertShape = {
  status: state,
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
  status: state,
  alerts: z.array(z.object(alertShape)).min(1).max(10_000),
  groupLabels: labelTexts.default({}),
  commonLabels: labelTexts.default({}),
  commonAnnotations: labelTexts.default({}),
  externalURL: optionalText,
};
const schemas = {
  alertmanager: z.object({ version: z.literal("4"), ...groupShape }),
  grafana: z.object(groupShape),
} as const;
type Group = z.output<(typeof schemas)["grafana"]>;
type Member = Group["alerts"][number];

const known = Object.keys({ ...groupShape, version: true });
const fields = [...known, ...Object.keys(alertShape)];

/** Reads what Alertmanager sends to a webhook receiver, and Grafana to a contact point, which sends the same and more. */
export function parseGroup(body: Fields, kind: keyof typeof schemas): ParsedAlert {
  const parsed = schemas[kind].safeParse(body);
  if (!parsed.success) return refusedBy(parsed.error, fields);
  const group = parsed.data;
  const { alerts, commonLabels: labels, commonAnnotations: annotations } = group;
  const firing = alerts.filter(({ status }) => status === "firing");
  // The group fires as long as one of its alerts does, whatever it says of itself.
  const isFiring = firing.length > 0;
  const shown = isFiring ? firing : alerts;
  const starts = shown.flatMap(({ startsAt }) => startsAt ?? []).toSorted();
  return {
    kind: "alert",
    alert: {
      key: group.groupKey,
      state: isFiring ? "firing" : "resolved",
      title: titleOf(group, shown),
      severity: labels.severity ?? labels.priority ?? shown[0]?.labels.severity ?? null,
      startedAt: starts[0] ?? null,
      eventId: null,
      at: null,
      digest: messageDigest([kind, alerts.map(momentOf).toSorted()]),
      labels: firstOf(labels, most.labels),
      annotations: firstOf(annotations, most.annotations),
      alerts: shown.slice(0, most.alerts).map((alert) => ownOf(alert, group)),
      firing: firing.length,
      total: alerts.length,
      links: groupLinks(group, shown, kind),
      rest: restOf(body, group),
    },
  };
}

function titleOf({ groupLabels, commonLabels, commonAnnotations }: Group, [first]: readonly Member[]): string {
  const name = commonLabels.alertname ?? groupLabels.alertname ?? first?.labels.alertname;
  const summary = commonAnnotations.summary ?? first?.annotations.summary;
  return [name, summary].filter((text) => text !== undefined && text.trim() !== "").join(": ") || "Alert firing";
}

/** Which alert it is, and how it stands: with it two messages are told apart that tell different things. */
const momentOf = ({ fingerprint, labels, status, startsAt, endsAt }: Member): string =>
  JSON.stringify([fingerprint ?? labels, status, startsAt, status === "resolved" ? endsAt : null]);

/** What one alert has and the others of its group have not. */
function ownOf({ status, startsAt, ...alert }: Member, group: Group): Alert["alerts"][number] {
  const own = (texts: Readonly<Record<string, string>>, common: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(texts).filter(([name, value]) => common[name] !== value));
  return {
    state: status,
    startedAt: startsAt ?? null,
    labels: firstOf(own(alert.labels, group.commonLabels), most.labels),
    annotations: firstOf(own(alert.annotations, group.commonAnnotations), most.annotations),
  };
}

function groupLinks(group: Group, shown: readonly Member[], kind: keyof typeof schemas): Alert["links"] {
  const { externalURL, groupLabels, commonAnnotations: common } = group;
  const silence = kind === "alertmanager" && externalURL ? silenceUrl(externalURL, groupLabels) : undefined;
  return addressedLinks([
    { words: "Runbook", url: common.runbook_url ?? shown[0]?.annotations.runbook_url },
    { words: "Silence", url: silence },
    ...shown.slice(0, 3).flatMap(({ generatorURL, silenceURL, dashboardURL, panelURL }) => [
      { words: "Source", url: generatorURL },
      { words: "Silence", url: silenceURL },
      { words: "Dashboard", url: dashboardURL },
      { words: "Panel", url: panelURL },
    ]),
    { words: kind === "grafana" ? "Grafana" : "Alertmanager", url: externalURL },
  ]);
}

/** The page of Alertmanager on which the whole group is silenced. */
function silenceUrl(externalURL: string, labels: Readonly<Record<string, string>>): string | undefined {
  const matchers = Object.entries(labels).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  if (matchers.length === 0) return undefined;
  return `${externalURL.replace(/\/+$/, "")}/#/silences/new?filter=${encodeURIComponent(`{${matchers.join(", ")}}`)}`;
}

function restOf(body: Fields, { alerts }: Group): Alert["rest"] {
  const members = Array.isArray(body.alerts) ? body.alerts.slice(0, most.alerts) : [];
  const unknown = members.map((alert: Fields) => without(alert, Object.keys(alertShape)));
  const own = unknown.some((fields) => Object.keys(fields).length > 0) ? { alerts: unknown } : {};
  const left = alerts.length > most.alerts ? { alertsNotShown: alerts.length - most.alerts } : {};
  return { ...without(body, known), ...own, ...left };
}
