import { expect, test } from "vitest";
import { createMatcher } from "../../src/runbooks/match.ts";
import { incidents, type LabelledIncident, nearMisses, ownIncidents, rounds, skills } from "./labelled.ts";

const match = createMatcher(skills);

/** Shares and the ids of those that are wrong, so that a failure names them. */
function judge(list: readonly LabelledIncident[], find = match) {
  const judged = list.map(({ id, right, ...incident }) => {
    const { ranked, band } = find(incident);
    const rank = ranked.findIndex(({ name }) => right.includes(name));
    return { id, fits: right.length > 0, rank, band };
  });
  const fitting = judged.filter(({ fits }) => fits);
  const high = judged.filter(({ band }) => band === "high");
  return {
    top1: fitting.filter(({ rank }) => rank === 0).length / fitting.length,
    top3: fitting.filter(({ rank }) => rank >= 0 && rank < 3).length / fitting.length,
    highShare: high.length / fitting.length,
    wrongHigh: high.filter(({ fits, rank }) => !fits || rank !== 0).map(({ id }) => id),
    high: high.length,
  };
}

test.each([
  ["the labelled incidents", incidents],
  ["incidents in other words and languages", ownIncidents],
])(
  "OFF-1 the right runbook of %s is first in 90 %% and among three in 95 %%, and HIGH is hardly ever wrong",
  (_, list) => {
    const result = judge(list);
    expect(result.top1).toBeGreaterThanOrEqual(0.9);
    expect(result.top3).toBeGreaterThanOrEqual(0.95);
    expect(result.wrongHigh.length / result.high).toBeLessThanOrEqual(0.03);
    expect(result.highShare).toBeGreaterThan(0.6);
  },
);

test("OFF-1 nothing that no runbook fits is ever HIGH", () => {
  const none = [...incidents, ...ownIncidents, ...nearMisses].filter(({ right }) => right.length === 0);
  expect(none.length).toBeGreaterThan(40);
  expect(none.filter((incident) => match(incident).band === "high")).toEqual([]);
});

test.each(rounds)("OFF-1 as much holds for incidents of other people: $title", ({ skills, incidents }) => {
  const result = judge(incidents, createMatcher(skills));
  expect(result.top1).toBeGreaterThanOrEqual(0.9);
  expect(result.top3).toBeGreaterThanOrEqual(0.95);
  expect(result.highShare).toBeGreaterThan(0.5);
  expect(result.wrongHigh).toEqual([]);
});

test("OFF-1 what a long log says in its middle or in its last line counts as if it stood first", () => {
  const routine = Array.from({ length: 900 }, (_, at) => `level=info msg="served ${"abcdefghij"[at % 10]}" n=${at}`);
  const varied = Array.from(
    { length: 900 },
    (_, at) => `level=info user=${at.toString(2).replace(/0/g, "x").replace(/1/g, "y")}`,
  );
  const telling = 'level=error msg="write failed: no space left on device /var"';
  for (const lines of [
    [...routine, telling],
    [...varied.slice(0, 450), telling, ...varied.slice(450)],
    [...varied, telling],
  ])
    expect(match({ title: "log of files-2", body: lines.join("\n") }).ranked[0]?.name).toBe("host-disk-full");
});

test.each([
  "[RESOLVED] HostOutOfDiskSpace",
  "Resolved: HostOutOfDiskSpace files-2",
  "[Recovered] HostOutOfDiskSpace",
  "OK: HostOutOfDiskSpace",
  "Behoben: HostOutOfDiskSpace",
])("OFF-1 a notice that all is well again is never HIGH: %s", (title) =>
  expect(match({ title, body: "disk full" }).band).not.toBe("high"),
);

test("OFF-1 what a monitoring service's mail says around every alert attracts nothing", () => {
  const mail =
    "You are receiving this email because your Amazon CloudWatch Alarm has entered the ALARM state, because Threshold Crossed: 1 datapoint\nSource: https://grafana.example.com/alerting/kafka/postgres/view\n[Monitor Status] [Edit Monitor]";
  expect(match({ title: "", body: mail }).band).toBe("none");
});

test.each([
  ["Windows file server: drive D: is full", "WIN-FS1: disk full, no space left, 0 bytes free"],
  ["USB disk of a guest is full", "no space left on device, free space 0 on the filesystem"],
  ["HostOutOfInodes", "Disk is almost running out of available inodes (< 10% left)"],
])("OFF-1 a fault of another world, or of another kind by its alert's name, is never HIGH: %s", (title, body) =>
  expect(match({ title, body }).band).not.toBe("high"),
);

test("OFF-1 an alert's name in a label table is enough, whatever stands around it", () => {
  const body =
    "| Label | Value |\n|---|---|\n| alertname | KubeNodeNotReady |\n| severity | critical |\n| job | mysql redis kafka |";
  const { band, ranked } = match({ title: "[FIRING:1] (prod)", body });
  expect([band, ranked[0]?.name]).toEqual(["high", "k8s-node-not-ready"]);
});

test("OFF-1 a request, a question or a task is never HIGH, however many words it shares", () => {
  const body = "Kafka consumer group lag on topic orders: offsets do not advance, messages arrive with a long delay.";
  expect(match({ title: "Consumers fall behind", body }).band).toBe("high");
  expect(match({ title: "Plan: dashboards", body }).band).toBe("none");
  expect(match({ title: "[Question] dashboards", body }).band).toBe("none");
  expect(match({ title: "Rename the panels", body }).band).toBe("possible");
});

test("OFF-1 what a description excludes does not attract", () => {
  const skill = (name: string, description: string) => ({
    name,
    description,
    path: name,
    source: "acme",
    body: "",
    metadata: {},
  });
  const two = createMatcher([
    skill("printer-jam", "Clear the printer. Do not use for a full filesystem or disk."),
    skill("disk", "Free space when a filesystem is full."),
  ]);
  expect(two({ title: "filesystem full", body: "disk full" }).ranked[0]?.name).toBe("disk");
  expect(two({ title: "filesystem full", body: "disk full" }).ranked).toHaveLength(1);
});

test("OFF-1 an empty issue, no runbooks, and 65,536 letters without a space all come to NONE", () => {
  expect(match({ title: "", body: "" })).toEqual({ ranked: [], band: "none" });
  expect(createMatcher([])({ title: "disk full", body: "" })).toEqual({ ranked: [], band: "none" });
  expect(match({ title: "x", body: "a".repeat(65_536) }).band).toBe("none");
});

test("OFF-1 no text keeps the matcher busy: nested patterns, endless words, unclosed brackets", () => {
  for (const part of ["A", "aA", "<a ", "[x](", "<!--", "severity: ", "| a ", "1.2.3.", "deadbeef", "磁", "{{", "a-"]) {
    const text = `${part.repeat(30_000)}_`;
    expect(match({ title: text, body: text }).band).not.toBe("high");
  }
});

test("OFF-1 workflows are matched beside skills", () => {
  const workflow = { name: "rotate-logs", description: "Rotate the web server's access logs when they grow too large" };
  expect(
    createMatcher(skills, [workflow])({ title: "access logs of the web server grow too large", body: "rotate them" })
      .ranked[0]?.name,
  ).toBe("rotate-logs");
});
