import { expect, test } from "vitest";
import type { Skill } from "../../../src/base/github.ts";
import { createMatcher } from "../../../src/runbooks/match/matcher.ts";
import { incidents, type LabelledIncident, nearMisses, neighbors, ownIncidents, rounds, skills } from "../labelled.ts";

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

test("OFF-1 another fault of a runbook's technology hardly ever makes it HIGH, not even where it denies the runbook's", () => {
  const find = createMatcher(neighbors.skills);
  const result = judge(neighbors.incidents, find);
  expect(result.top1).toBeGreaterThanOrEqual(0.95);
  expect(result.wrongHigh).toEqual([]);
  expect(result.highShare).toBeGreaterThan(0.3);
  const high = neighbors.nearMisses.filter((incident) => find(incident).band === "high");
  expect(high.length / neighbors.nearMisses.length, high.map(({ id }) => id).join(" ")).toBeLessThan(0.25);
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

const written = (name: string, description: string, more: { body?: string; alerts?: string } = {}): Skill => ({
  name,
  description,
  path: name,
  source: "acme",
  body: more.body ?? "",
  metadata: more.alerts === undefined ? {} : { alerts: more.alerts },
});
const few = written("virt-api-few", "Fewer virt-api pods are ready than were asked for.", {
  body: "When the last one stops, NoReadyVirtAPI fires.",
  alerts: "LowReadyVirtAPICount",
});
const missing = written("virt-api-missing", "No virt-api pod is ready, so no machine can be started.", {
  alerts: "NoReadyVirtAPI",
});
const codes = [
  few,
  missing,
  written("archiver-stuck", "The database waits for its archiver. Use when its log has ORA-00257."),
  written("listener-down", "The listener of the database does not answer: ORA-12541."),
  written("mail-relay", "The mail relay rejects what we send; it says `relay access was denied`."),
  written("volume-elsewhere", "A volume is still held by another node; the events say FailedVolumeAttachment."),
  written("browser-refuses", "Clients refuse us with ERR_CERT_DATE_INVALID."),
];

test.each([
  ["a consequence", "If that goes on, the next to come is NoReadyVirtAPI."],
  ["a cause", "It began after NoReadyVirtAPI was over."],
  ["an example", "As with other alerts, e.g. NoReadyVirtAPI, look at the nodes first."],
])("OFF-1 an alert that a text names as %s is not the one it is about", (_, body) => {
  const { ranked, band } = createMatcher(codes)({ title: "Fewer virt-api pods ready than were asked for", body });
  expect([ranked[0]?.name, band]).not.toEqual(["virt-api-missing", "high"]);
  expect(ranked[0]?.name).toBe("virt-api-few");
});

test.each([
  ["NoReadyVirtAPI", ""],
  ["[FIRING:1] NoReadyVirtAPI (prod)", "It may lead to LowReadyVirtAPICount or KubeNodeNotReady."],
  ["Pager", "- alertname: NoReadyVirtAPI\nUsers ask for documentation of LowReadyVirtAPICount."],
  ["cluster 3", "NoReadyVirtAPI (severity: critical)\nAn upgrade to 4.18 is planned."],
])("OFF-1 an alert in a title, a label or at the head of a line is what it is about: %s", (title, body) => {
  const { ranked, band } = createMatcher(codes)({ title, body });
  expect([ranked[0]?.name, band]).toEqual(["virt-api-missing", "high"]);
});

test.each([
  ["an error code", "nightly import stopped", "ORA-00257 since 03:10 on db-7", "archiver-stuck"],
  ["a word in CamelCase", "pods of the shop hang", "Warning FailedVolumeAttachment 2m", "volume-elsewhere"],
  ["a word in UPPER_SNAKE", "shop page broken", "it says ERR_CERT_DATE_INVALID", "browser-refuses"],
  ["a quoted message", "nothing goes out", "smtp said: Relay access was denied", "mail-relay"],
])("OFF-1 %s that stands in one runbook alone is enough, until a second has it", (_, title, body, name) => {
  const { ranked, band } = createMatcher(codes)({ title, body });
  expect([ranked[0]?.name, band]).toEqual([name, "high"]);
  const own = codes.find((skill) => skill.name === name);
  const twin = written("something-else", own?.description ?? "");
  expect(createMatcher([...codes, twin])({ title, body }).band).not.toBe("high");
});

test("OFF-1 a question about an error code, or what only shares a product's name, is no incident of it", () => {
  const match = createMatcher([...codes, written("forge", "GitHub refuses our runners' token.")]);
  expect(match({ title: "Question: what does ORA-00257 mean?", body: "" }).band).toBe("none");
  expect(match({ title: "GitHub is slow today", body: "their status page says so" }).band).not.toBe("high");
});

test("OFF-1 a runbook that has nearly all of an incident's rare words and is far ahead is HIGH, in whatever words", () => {
  const incident = {
    title: "Machines migrate too often",
    body: "One machine was live migrated 14 times within a day.",
  };
  const often = written("machine-migrates-too-often", "A machine is live migrated many times within one day.");
  const never = written("machine-cannot-migrate", "A machine cannot be live migrated within its time.");
  expect(createMatcher([...codes, often])(incident)).toMatchObject({ band: "high" });
  expect(createMatcher([...codes, never])(incident).band).not.toBe("high");
});

test("OFF-1 a short text of which one runbook has every word is not told that nothing fits", () => {
  const { ranked, band } = createMatcher(codes)({ title: "Machine not started", body: "" });
  expect([ranked[0]?.name, band]).toEqual(["virt-api-missing", "possible"]);
});

test("OFF-1 words of a request somewhere below do not hide a fault that a runbook tells of", () => {
  const body = "See our documentation; the last upgrade to 4.18 was a week ago.";
  const incident = { title: "Fewer virt-api pods are ready than were asked for", body };
  expect(createMatcher(codes)(incident).band).not.toBe("none");
  expect(createMatcher(codes)({ ...incident, title: "LowReadyVirtAPICount is too noisy" }).band).toBe("none");
});

test("OFF-1 what a description excludes does not attract", () => {
  const two = createMatcher([
    written("printer-jam", "Clear the printer. Do not use for a full filesystem or disk."),
    written("disk", "Free space when a filesystem is full."),
  ]);
  expect(two({ title: "filesystem full", body: "disk full" }).ranked[0]?.name).toBe("disk");
  expect(two({ title: "filesystem full", body: "disk full" }).ranked).toHaveLength(1);
});

test("OFF-1 an empty issue, no runbooks, and 65,536 letters without a space all come to NONE", () => {
  expect(match({ title: "", body: "" })).toEqual({ ranked: [], band: "none", listing: [] });
  expect(createMatcher([])({ title: "disk full", body: "" })).toEqual({ ranked: [], band: "none", listing: [] });
  expect(match({ title: "x", body: "a".repeat(65_536) }).band).toBe("none");
});

test("OFF-1 no text keeps the matcher busy: nested patterns, endless words, unclosed brackets", {
  tags: ["long"],
}, () => {
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

test("OFF-1 a runbook that lists its alerts is not HIGH for another alert, though both are about the same", () => {
  const description = "A file system is nearly full: no space left on device, disk usage grows.";
  const other = written("clock-off", "The clock of a node drifts.", { alerts: "NodeClockSkew" });
  const incident = { title: "[FIRING:1] HostDiskFillsWithinHours (prod)", body: description };
  const bandOf = (alerts?: string) =>
    createMatcher([written("disk-full", description, alerts === undefined ? {} : { alerts }), other])(incident).band;
  expect(bandOf("HostDiskFull")).toBe("possible");
  expect(bandOf("HostDiskFillsWithinHours")).toBe("high");
  expect(bandOf()).toBe("high");
});

test.each(["disk-nearly-full", "DiskNearlyFull", "disk_nearly_full", "Disk nearly full"])(
  "OFF-1 an alert's name is one in any spelling: %s",
  (alerts) => {
    const own = written("spool", "The spool of the relay.", { alerts: `${alerts}, SpoolGone` });
    for (const title of ["DiskNearlyFull", "[FIRING:1] disk-nearly-full (prod)", "Disk nearly full on web-1"]) {
      const { ranked, band } = createMatcher([...codes, own])({ title, body: "" });
      expect([title, ranked[0]?.name, band]).toEqual([title, "spool", "high"]);
    }
  },
);

test.each([
  ["“设备上没有空间”", "app: 设备上没有空间"],
  ["«На устройстве не осталось свободного места»", "cp: На устройстве не осталось свободного места"],
  ["„Zu viele offene Dateien im Spooler“", "ERR Zu viele offene Dateien im Spooler"],
  ["「サーバーに接続できません」", "log: サーバーに接続できません"],
])("OFF-1 a message in the quotes of any language leads to the runbook that quotes it: %s", (quote, body) => {
  const own = written("own-fault", `When the log says ${quote}.`);
  const { ranked, band } = createMatcher([...codes, own])({ title: "web-3", body });
  expect([ranked[0]?.name, band]).toEqual(["own-fault", "high"]);
});

test.each([
  ["a word that every text has", "Use when the server is not available.", "The server of the canteen is not available"],
  ["a word that is rare only here", "Use when a certificate expires.", "Certificate of attendance"],
  ["a product's name", "Use when Postgres lags.", "Postgres is upgraded by the new team"],
])("OFF-1 %s is no evidence, though only one runbook has it", (_, description, title) =>
  expect(createMatcher([...codes, written("own-fault", description)])({ title, body: "" }).band).not.toBe("high"),
);

test.each([
  ["the certificate store", "Certificate store moved", "the certificates are in another folder"],
  ["a queue's name", "Queue renamed", "the queue of mq-2 has another name since today"],
  ["the inodes", "Disk of files-2 was replaced", "inodes 5 %"],
])("OFF-1 a runbook's thing without its fault is never HIGH: %s", (_, title, body) =>
  expect(match({ title, body }).band).not.toBe("high"),
);

test.each([
  ["in a clause", "Orders are late. Redis evicts keys fine, memory ok", "Redis has reached maxmemory and evicts keys"],
  ["as used in part", "web-1 is slow, disk at 30 %, inodes 5 %", "web-1 is slow: disk full, no inodes"],
  ["in German", "Bestellungen spät; Kafka-Consumer läuft noch", "Kafka-Consumer Lag wächst"],
  [
    "as not having happened",
    "The shop is slow, the OOM killer killed nobody",
    "The shop is slow, the OOM killer killed java",
  ],
])("OFF-1 what a text says is well draws no runbook: %s", (_, fine, broken) => {
  const scoreOf = (title: string) => match({ title, body: "" }).ranked[0]?.score ?? 0;
  expect(match({ title: fine, body: "" }).band).not.toBe("high");
  expect(scoreOf(fine)).toBeLessThan(scoreOf(broken));
});

test("OFF-1 a range of addresses that is rare anywhere leads to the runbook that names it, a private one does not", () => {
  const own = written("metadata-refused", "Pods cannot reach 169.254.0.0/16 any more.");
  const other = written("gateway", "Pods cannot reach 10.1.0.0/16 any more.");
  const match = createMatcher([...codes, own, other]);
  expect(match({ title: "timeouts", body: "dial tcp 169.254.169.254:80: i/o timeout" }).ranked[0]?.name).toBe(
    "metadata-refused",
  );
  expect(match({ title: "x", body: "dial tcp 10.1.3.4:80" }).band).not.toBe("high");
});

const calmSkills = [
  ["kafka-consumer-lag", "Kafka consumer group falls behind: consumer lag grows on partitions of a topic."],
  ["redis-memory-full", "Redis reaches maxmemory and evicts keys or refuses writes with OOM command not allowed."],
  ["terraform-lock", "A terraform state lock is left behind and terraform plan or apply fails to acquire the lock."],
  ["replication-lag", "PostgreSQL replication lag: the standby falls behind the primary, replay delay grows."],
].map(
  ([name = "", description = ""]): Skill =>
    ({ ...skills[0], alerts: [], metadata: {}, body: "", name, description }) as Skill,
);

test.each([
  [
    "Kafka consumer group of billing gets 401",
    "Tokens have expired. Consumer lag is 0, the partitions of the topic are steady.",
  ],
  ["terraform apply deletes the wrong bucket", "The state lock is free. Somebody renamed the module."],
  [
    "PostgreSQL standby: Zertifikat abgelaufen",
    "Replication lag 0, der Standby ist aktuell, replay delay unverändert.",
  ],
  ["La réplica de PostgreSQL usa demasiada CPU", "No hay replication lag, el standby está al día con el primary."],
  ["Redis latency of checkout doubled", "Redis maxmemory is far below its limit, keys are not evicted: memory stable."],
])("OFF-1 what a text says is well makes no runbook HIGH: %s", (title, body) => {
  expect(createMatcher(calmSkills)({ title, body }).band).not.toBe("high");
});

const lag = {
  title: "Kafka consumer group falls behind",
  body: "Consumer lag of the billing group grows on all partitions of the topic.",
};

test.each([
  "There is no consumer lag on the brokers that we see.",
  "The other group is not behind.",
  "Kein Consumer Lag bei den anderen.",
  "Aucun lag sur ce groupe.",
  "Ningún lag en los demás.",
  "Nenhum lag no outro cluster.",
  "Без lag на остальных.",
  "Lag is flat.",
  "Lag: 3",
  "lag 2 ms",
  "Lag ist unauffällig.",
  "All partitions up.",
  "Partitions at 12 %.",
  "Partitions 40 of 9000 lag.",
  "lag正常",
])("OFF-1 a report that denies the runbook's fault makes it not HIGH: %s", (denial) => {
  const find = createMatcher(calmSkills);
  expect(find(lag).band).toBe("high");
  expect(find({ ...lag, body: `${lag.body} ${denial}` }).band).not.toBe("high");
});

test.each([
  "No room is left on disk of the second broker.",
  "The consumer does not commit, and nobody restarted it.",
  "Partition loss is 12 %.",
  "Lag is going up.",
  "2/6 consumers online.",
  "Kafka itself is not healthy.",
])("OFF-1 a lack that belongs to the fault denies nothing: %s", (more) =>
  expect(createMatcher(calmSkills)({ ...lag, body: `${lag.body} ${more}` }).band).toBe("high"),
);

test("OFF-1 a runbook about a lack is not denied by the lack, but by its presence", () => {
  const [first] = calmSkills;
  const gone = {
    ...first,
    name: "pool-empty",
    description: "A HAProxy pool has no server left for a frontend.",
  } as Skill;
  const find = createMatcher([gone, ...calmSkills]);
  const incident = { title: "HAProxy pool-empty", body: "HAProxy: frontend has no server left in the pool." };
  expect(find(incident).band).toBe("high");
  expect(find({ ...incident, body: `${incident.body} Each server is healthy.` }).band).not.toBe("high");
});

test.each([
  ["gives a cause that it does not know", { ...lag, title: `${lag.title} due to expired keytabs` }],
  ["names another product in its title", { ...lag, title: "RabbitMQ consumer falls behind" }],
  ["tells another fault in its title", { ...lag, title: "Certificate of the brokers expired" }],
])("OFF-1 a report that %s makes a runbook not HIGH", (_, incident) =>
  expect(createMatcher(calmSkills)(incident).band).not.toBe("high"),
);

test("OFF-1 a code in the title that a runbook lacks makes it not HIGH", () => {
  const [one, ...others] = ["ACCESS_REFUSED", "MEMORY_ALARM"].map((code) => ({
    title: `RabbitMQ blocks publishers: ${code}`,
    body: "RabbitMQ passed its memory threshold and blocks the publishers",
  }));
  const rabbit = {
    ...skills[0],
    alerts: [],
    metadata: {},
    body: "",
    name: "rabbit-memory",
    description: "RabbitMQ passes its memory threshold and blocks publishers, MEMORY_ALARM",
  } as Skill;
  const find = createMatcher([rabbit, ...calmSkills]);
  expect(one && find(one).band).not.toBe("high");
  expect(others.map((incident) => find(incident).band)).toEqual(["high"]);
});

test("OFF-1 a title in a known fault's words takes no HIGH from a runbook whose own fault has no such words", () => {
  const spool = {
    ...calmSkills[0],
    alerts: [],
    metadata: {},
    name: "spool-full",
    description: "The mail spool of a server is full. Use when mail is deferred because the spool is full.",
  } as Skill;
  const report = { title: "Disk full on web-1", body: "The spool of web-1 is at 97 %. Mail is deferred." };
  const { band, ranked } = createMatcher([spool, ...calmSkills])(report);
  expect([band, ranked[0]?.name]).toEqual(["high", "spool-full"]);
});

test.each([
  {
    what: "another kind of object",
    name: "ingress-stuck-terminating",
    description: "A Kubernetes ingress stays in Terminating since a finalizer is never removed",
    own: "Ingress web-2 stuck in Terminating since a finalizer is never removed",
    other: "Pod web-2 stuck in Terminating since a finalizer is never removed",
  },
  {
    what: "a product that the runbook has nowhere",
    name: "mosquitto-session-backlog",
    description: "The Mosquitto broker's memory fills with messages queued for sessions whose client never comes back",
    body: "The alarm says that memory grows; its queue has millions of ready messages.",
    own: "Mosquitto memory fills, messages queued for sessions whose client never comes back",
    other: "RabbitMQ memory alarm: queued messages fill the broker",
  },
  {
    what: "a quoted message that the runbook hardly has",
    name: "haproxy-queue-full",
    description: "Clients queue in HAProxy because all server connections are held by slow requests",
    own: "HAProxy clients queue, connections held by slow requests",
    other: 'HAProxy refuses clients: "no such backend: letters"',
  },
  {
    what: "what the runbook says it is not for",
    name: "registry-disk-full",
    description: "The container registry's disk is full of image layers that no tag uses",
    body: "# Full\nIf backups fill the disk, this is not the runbook.",
    own: "container registry disk full, layers without a tag",
    other: "container registry disk full, layers of backups without a tag",
  },
])("OFF-1 a title that has $what makes it not HIGH", ({ name, description, body = "", own, other }) => {
  const find = createMatcher([{ ...written(name, description), body }]);
  expect(find({ title: own, body: "" }).band).toBe("high");
  expect(find({ title: other, body: "" }).band).not.toBe("high");
});
