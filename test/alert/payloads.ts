import { createHmac, randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

/** What each product sends, after its documentation; times and names are ours. */

const zeroTime = "0001-01-01T00:00:00Z";

interface Given {
  readonly status?: "firing" | "resolved";
  readonly name?: string;
  readonly group?: string;
  readonly alerts?: readonly object[];
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly startsAt?: string;
  readonly endsAt?: string;
}

/** One alert of a group, as Alertmanager writes it. */
export const member = ({ status = "firing", labels = {}, annotations = {}, startsAt, endsAt }: Given = {}) => ({
  status,
  labels: { alertname: "SpoolAlmostFull", instance: "web-1:9100", ...labels },
  annotations: { summary: "The spool of web-1 is at 97 %", ...annotations },
  startsAt: startsAt ?? "2026-11-24T02:00:00.123Z",
  endsAt: endsAt ?? (status === "firing" ? zeroTime : "2026-11-24T02:30:00.123Z"),
  generatorURL: "http://prometheus.example.com:9090/graph?g0.expr=spool+%3E+0.9&g0.tab=1",
  fingerprint: createHmac("sha256", "f").update(JSON.stringify(labels)).digest("hex").slice(0, 16),
});

/** The body that Alertmanager posts to a webhook receiver, version 4. */
export const alertmanagerBody = (given: Given = {}) => {
  const { status = "firing", group = "SpoolAlmostFull", labels = {}, annotations = {} } = given;
  const own = member({ ...given, status, labels: { alertname: group, ...labels } });
  return {
    receiver: "countersign",
    status,
    alerts: given.alerts ?? [own],
    groupLabels: { alertname: group },
    commonLabels: { alertname: group, instance: "web-1:9100", namespace: "shop", severity: "critical", ...labels },
    commonAnnotations: { summary: "The spool of web-1 is at 97 %", ...annotations },
    externalURL: "http://alertmanager.example.com:9093",
    version: "4",
    groupKey: `{}:{alertname="${group}"}`,
    truncatedAlerts: 0,
  };
};

/** The body of Grafana's unified alerting. */
export const grafanaBody = (given: Given = {}) => {
  const { status = "firing" } = given;
  return {
    receiver: "My Super Webhook",
    status,
    orgId: 1,
    alerts: [
      {
        status,
        labels: { alertname: "High memory usage", team: "blue", zone: "us-1", ...given.labels },
        annotations: {
          description: "The system has high memory usage",
          runbook_url: "https://myrunbook.example.com/runbook/1234",
          summary: "This alert was triggered for zone us-1",
        },
        startsAt: given.startsAt ?? "2026-11-24T02:51:03.157076+02:00",
        endsAt: status === "firing" ? zeroTime : "2026-11-24T03:10:03.157076+02:00",
        generatorURL: "https://play.grafana.example.com/alerting/1afz29v7z/edit",
        fingerprint: "c6eadffa33fcdf37",
        silenceURL:
          "https://play.grafana.example.com/alerting/silence/new?alertmanager=grafana&matchers=alertname%3DT2",
        dashboardURL: "",
        panelURL: "",
        values: { B: 44.23943737541908, C: 1 },
      },
    ],
    groupLabels: {},
    commonLabels: { alertname: "High memory usage", team: "blue", zone: "us-1" },
    commonAnnotations: {},
    externalURL: "https://play.grafana.example.com/",
    version: "1",
    groupKey: "{}:{}",
    truncatedAlerts: 0,
    title: "[FIRING:1]  (blue)",
    state: "alerting",
    message: "**Firing**\n\nLabels:\n - alertname = T2\n",
  };
};

/** A PagerDuty V3 webhook about an incident. */
export const pagerDutyBody = (type = "incident.triggered", more: object = {}, data: object = {}) => ({
  event: {
    id: "5ac64822-4adc-4fda-ade0-410becf0de4f",
    event_type: type,
    resource_type: "incident",
    occurred_at: "2026-11-24T02:45:22.169Z",
    agent: { html_url: "https://acme.pagerduty.example.com/users/PLH1HKV", id: "PLH1HKV", type: "user_reference" },
    client: { name: "PagerDuty" },
    ...more,
    data: {
      id: "PGR0VU2",
      type: "incident",
      self: "https://api.pagerduty.example.com/incidents/PGR0VU2",
      html_url: "https://acme.pagerduty.example.com/incidents/PGR0VU2",
      number: 2,
      status: "triggered",
      incident_key: "d3640fbd41094207a1c11e58e46b1662",
      created_at: "2026-11-24T02:45:20Z",
      title: "A little bump in the road",
      service: {
        html_url: "https://acme.pagerduty.example.com/services/PF9KMXH",
        id: "PF9KMXH",
        summary: "API Service",
      },
      priority: { id: "PSO75BM", summary: "P1", type: "priority_reference" },
      urgency: "high",
      conference_bridge: { conference_number: "+1 1234123412,,987654321#", conference_url: "https://example.com" },
      resolve_reason: null,
      ...data,
    },
  },
});

export const secrets = {
  production: randomBytes(24).toString("hex"),
  graphs: randomBytes(24).toString("hex"),
  pages: randomBytes(24).toString("hex"),
  script: randomBytes(24).toString("hex"),
} as const;

/** `alerts` of an operator's file, with a source of each kind, all for one repository; their secrets are written into `folder`. */
export function alertSources(folder: string, repository: string, more: object = {}) {
  const fileOf = (name: keyof typeof secrets): string => {
    const file = join(folder, `${name}.secret`);
    writeFileSync(file, `${secrets[name]}\n`, { mode: 0o600 });
    return file;
  };
  const source = (name: keyof typeof secrets, kind: string, own: object = {}) => ({
    kind,
    repository,
    secret_file: fileOf(name),
    ...own,
    ...more,
  });
  return {
    sources: {
      production: source("production", "alertmanager"),
      graphs: source("graphs", "grafana", { auth: "hmac", timestamp_header: "X-Grafana-Alerting-Timestamp" }),
      pages: source("pages", "pagerduty"),
      script: source("script", "json"),
    },
  };
}

const mac = (secret: string, text: string): string => createHmac("sha256", secret).update(text).digest("hex");

/** The headers with which each source signs, or sends its secret. */
export const headersFor = {
  production: () => ({ authorization: `Bearer ${secrets.production}` }),
  graphs: (text: string, at = Date.now()) => {
    const time = String(Math.floor(at / 1000));
    return {
      "x-grafana-alerting-timestamp": time,
      "x-grafana-alerting-signature": mac(secrets.graphs, `${time}:${text}`),
    };
  },
  pages: (text: string) => ({
    "x-pagerduty-signature": `v1=${mac("an older one", text)},v1=${mac(secrets.pages, text)}`,
  }),
  script: () => ({ authorization: `Bearer ${secrets.script}` }),
} as const satisfies Record<keyof typeof secrets, (text: string, at?: number) => Record<string, string>>;
