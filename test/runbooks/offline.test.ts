import { describe, expect, test } from "vitest";
import { type OfflineInput, offlineReading, type PastRun } from "../../src/runbooks/offline.ts";
import { commandsOf } from "../../src/runbooks/sections.ts";
import { chooseTarget } from "../../src/runbooks/target.ts";
import type { ServerSummary } from "../../src/types.ts";
import { incidents, ownIncidents, skills } from "./labelled.ts";

const server = (name: string, groups: readonly string[] = []): ServerSummary => ({
  name,
  os: "linux",
  groups,
  description: "",
});
const servers = [server("web-1", ["edge"]), server("web-12", ["edge"]), server("db-03")];
const diskFull = { title: "[FIRING:1] HostOutOfDiskSpace", body: "Host out of disk space (instance db-03:9100)" };
const read = (more: Partial<OfflineInput> = {}) =>
  offlineReading({ skills, incident: diskFull, servers, reason: "no-model", ...more });
const commands = (reading: ReturnType<typeof read>) => reading.proposals.map(({ command }) => command);
const exited = (command: string, code = 0, output = "/dev/sda2 100%"): PastRun => ({
  command,
  output,
  ending: { kind: "exited", code },
});

const verify = ["df -hT -x tmpfs -x overlay", "du -xh --max-depth=2 /var | sort -rh | head -20", "lsof +L1 | head -20"];
const act = [
  "journalctl --vacuum-size=500M",
  "logrotate -f /etc/logrotate.conf",
  "find /tmp -xdev -type f -mtime +7 -delete",
];

describe("OFF-1 a runbook that certainly fits", () => {
  test("OFF-1 is named and linked, and its checks are proposed on the server that the incident names", () => {
    const reading = read();
    expect(commands(reading)).toEqual(verify);
    expect(new Set(reading.proposals.map((it) => it.server))).toEqual(new Set(["db-03"]));
    expect(reading).toMatchObject({
      confidence: "LIKELY",
      phase: "investigate",
      runbooks: [{ label: "host-disk-full" }],
    });
    expect(reading.runbooks[0]?.url).toMatch(/^https:\/\/runbooks\./);
    expect(reading.prose).toContain("host-disk-full");
  });

  test("OFF-1 says that no model was at work, and which of the two reasons it had", () => {
    expect(read().notes[0]).toContain("no model is configured");
    expect(read({ reason: "model-down" }).notes[0]).toContain("cannot be reached");
  });

  test("OFF-1 its acts wait for a check that succeeded and showed something, and then come one at a time", () => {
    const [first = "", second = ""] = verify;
    expect(commands(read({ runs: [exited(first, 1)] }))).toEqual(verify.slice(1));
    expect(commands(read({ runs: [exited(first, 0, "  \n")] }))).toEqual(verify.slice(1));
    expect(
      commands(read({ runs: [{ command: first, output: "x", ending: { kind: "unknown", reason: "lost" } }] })),
    ).toEqual(verify.slice(1));
    const reading = read({ runs: [exited(first), exited(second)] });
    expect(reading.proposals).toMatchObject([{ command: act[0], risk: "medium", server: "db-03" }]);
    expect(reading.phase).toBe("act");
    expect(commands(read({ runs: [exited(first), exited(act[0] ?? "")] }))).toEqual([act[1]]);
  });

  test("OFF-1 after an act that failed, or after the last one, it looks again", () => {
    const first = exited(verify[0] ?? "");
    expect(commands(read({ runs: [first, exited(act[0] ?? "", 1)] }))).toEqual(verify);
    expect(commands(read({ runs: [first, ...act.map((command) => exited(command))] }))).toEqual(verify);
  });

  test("OFF-1 a Verify command that the policy says changes something is left out, and that is said", () => {
    const reading = read({ readsOnly: (command) => !command.startsWith("du") });
    expect(commands(reading)).toEqual([verify[0], verify[2]]);
    expect(reading.notes.at(-1)).toContain("du -xh");
  });

  test("OFF-1 a command with a value that only a person can give is named, never proposed", () => {
    const incident = { title: "KubePodCrashLooping", body: "Pod payments/ledger on web-1" };
    const reading = read({ incident });
    expect(reading.proposals.filter(({ command }) => command.includes("$"))).toEqual([]);
    expect(reading.prose).toContain("$NS");
  });
});

describe("OFF-1 where it is not sure", () => {
  test("OFF-1 several that may fit are listed without a proposal", () => {
    const reading = read({ incident: { title: "files-2 out of space", body: "cannot write" } });
    expect(reading).toMatchObject({ proposals: [], confidence: "INCONCLUSIVE" });
    expect(reading.prose).toContain("host-disk-full");
    expect(reading.prose.match(/^- /gm)?.length).toBeLessThanOrEqual(3);
  });

  test("OFF-1 nothing that fits is said as such", () => {
    const reading = read({ incident: { title: "The coffee machine is broken", body: "" } });
    expect(reading).toMatchObject({ proposals: [], runbooks: [], confidence: "INCONCLUSIVE" });
    expect(reading.prose).toContain("No runbook fits");
  });

  test("OFF-1 it asks which server where the incident names none of several", () => {
    const reading = read({ incident: { ...diskFull, body: "Host out of disk space" } });
    expect(reading.proposals).toEqual([]);
    expect(reading.prose).toContain("On which server?");
  });

  test("OFF-1 before a check has run no incident whatever gets an act proposed", () => {
    const acts = new Set(skills.flatMap(({ body }) => commandsOf(body).act));
    const proposed = [...incidents, ...ownIncidents].flatMap((incident) =>
      commands(read({ incident, servers: [server("web-1")] })),
    );
    expect(proposed.length).toBeGreaterThan(100);
    expect(proposed.filter((command) => acts.has(command))).toEqual([]);
  });
});

describe("the server that an incident names", () => {
  const target = (body: string, among = servers) => chooseTarget({ title: "down", body }, among);

  test("is a whole word, with a port or domain behind it; web-1 is not in web-12", () => {
    expect(target("instance web-12:9100 is full")).toMatchObject({ server: "web-12" });
    expect(target("web-1.example.com, then DB-03")).toMatchObject({
      server: "web-1",
      note: "The incident also names `db-03`.",
    });
    expect(target("myweb-1 and web-123")).toMatchObject({ kind: "ask" });
  });

  test("may be a group where no server is named, and is the only server where there is one", () => {
    expect(target("the edge is slow")).toMatchObject({ server: "edge" });
    expect(target("slow", [server("one")])).toMatchObject({ server: "one" });
    expect(target("slow", [])).toMatchObject({ kind: "ask" });
  });
});

test("a runbook's commands are those under Verify and Act, in shell blocks, joined at backslashes", () => {
  const body =
    "## 1. Überprüfen\n```\n$ df -h \\\n  /var\n# a remark\n```\n### Diagnose\n```python\nprint()\n```\n## Fix it\n~~~sh\nreboot\n~~~\n## Notes\n```sh\nls\n```\n";
  expect(commandsOf(body)).toEqual({ verify: [], act: ["reboot"] });
  expect(commandsOf(body.replace("Überprüfen", "Prüfen"))).toEqual({ verify: ["df -h /var"], act: ["reboot"] });
});
