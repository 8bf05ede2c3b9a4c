import { describe, expect, it } from "vitest";
import type { Alert } from "../../src/alert/alert.ts";
import { type AlertKind, parseAlert } from "../../src/alert/sources.ts";
import { alertmanagerBody, grafanaBody, member, pagerDutyBody } from "./payloads.ts";

function read(kind: AlertKind, body: object): Alert {
  const parsed = parseAlert(kind, JSON.stringify(body));
  if (parsed.kind !== "alert") throw new Error(parsed.why);
  return parsed.alert;
}

describe("a body of a source of alerts", () => {
  it("AL-5 fires as long as one alert of its group does, since the first of these began", () => {
    const alerts = [
      member({ status: "resolved", startsAt: "2026-11-24T01:00:00Z", labels: { pod: "a" } }),
      member({ startsAt: "2026-11-24T03:00:00Z", labels: { pod: "b" } }),
      member({ startsAt: "2026-11-24T02:00:00Z", labels: { pod: "c" } }),
    ];
    const alert = read("alertmanager", alertmanagerBody({ alerts }));
    expect(alert).toMatchObject({
      key: '{}:{alertname="SpoolAlmostFull"}',
      state: "firing",
      firing: 2,
      total: 3,
      startedAt: "2026-11-24T02:00:00.000Z",
      severity: "critical",
    });
    expect(alert.alerts.map(({ labels }) => labels.pod)).toEqual(["b", "c"]);
    expect(alert.labels).toEqual({
      alertname: "SpoolAlmostFull",
      instance: "web-1:9100",
      namespace: "shop",
      severity: "critical",
    });
  });

  it("AL-5 names in its title the alerts of a group with several names, and no summary that only one of them has", () => {
    const titled = (...names: readonly string[]) => {
      const alerts = names.map((alertname) =>
        member({ labels: { alertname }, annotations: { summary: `${alertname} is ill` } }),
      );
      return read("alertmanager", {
        ...alertmanagerBody({ alerts }),
        groupLabels: {},
        commonLabels: {},
        commonAnnotations: {},
      }).title;
    };
    expect(titled("Disk", "Certificate")).toBe("Disk, Certificate");
    expect(titled("A", "B", "A", "C", "D", "E")).toBe("A, B, C and 2 more");
    expect(titled("Disk", "Disk")).toBe("Disk: Disk is ill");
  });

  it("AL-5 is known again when it is sent again, and not when it tells something else", () => {
    const digest = (given: Parameters<typeof alertmanagerBody>[0]) =>
      read("alertmanager", alertmanagerBody(given)).digest;
    const first = digest({});
    expect(digest({ annotations: { value: "98 %" } })).toBe(first);
    expect(digest({ startsAt: "2026-11-24T02:00:01Z" })).not.toBe(first);
    expect(digest({ status: "resolved" })).not.toBe(first);
    const pair = [member({ labels: { pod: "a" } }), member({ labels: { pod: "b" } })];
    expect(digest({ alerts: pair })).toBe(digest({ alerts: pair.toReversed() }));
  });

  it("AL-5 of Grafana and of PagerDuty is read as their documentation has it, and what else they send is kept", () => {
    const graph = read("grafana", grafanaBody());
    expect(graph.links.map(({ words }) => words)).toEqual(["Runbook", "Source", "Silence", "Grafana"]);
    expect(graph.startedAt).toBe("2026-11-24T00:51:03.157Z");
    expect(graph.rest).toMatchObject({ orgId: 1, alerts: [{ values: { B: 44.23943737541908, C: 1 } }] });
    const page = read("pagerduty", pagerDutyBody());
    expect(page).toMatchObject({
      key: "PGR0VU2",
      messageId: "5ac64822-4adc-4fda-ade0-410becf0de4f",
      at: "2026-11-24T02:45:22.169Z",
      severity: "P1",
      labels: { service: "API Service", priority: "P1", urgency: "high" },
    });
    expect(page.rest).toHaveProperty("conference_bridge");
    expect(read("pagerduty", pagerDutyBody("incident.reopened")).state).toBe("firing");
    expect(read("pagerduty", pagerDutyBody("incident.resolved")).state).toBe("resolved");
    expect(parseAlert("pagerduty", JSON.stringify(pagerDutyBody("incident.annotated"))).kind).toBe("ignored");
  });

  it("AL-4 that has fields of every object, or more of everything than anybody reads, is bounded", () => {
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`l${n}`, "v"]));
    const text = JSON.stringify(alertmanagerBody({ labels: many })).replace(
      '"l0":',
      '"__proto__":"p","constructor":"c","l0":',
    );
    const parsed = parseAlert("alertmanager", text);
    if (parsed.kind !== "alert") throw new Error(parsed.why);
    expect(Object.keys(parsed.alert.labels).length).toBeLessThanOrEqual(64);
    expect(Object.getPrototypeOf(parsed.alert.labels)).toBe(Object.prototype);
    const alerts = Array.from({ length: 300 }, (_, n) => member({ labels: { pod: `p${n}` } }));
    const alert = read("alertmanager", alertmanagerBody({ alerts }));
    expect([alert.alerts.length, alert.firing, alert.rest.alertsNotShown]).toEqual([20, 300, 280]);
  });
});
