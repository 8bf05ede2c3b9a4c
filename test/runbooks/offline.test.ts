import { describe, expect, test } from "vitest";
import type { ServerSummary } from "../../src/base/server.ts";
import type { PastRun } from "../../src/runbooks/next-step.ts";
import {
  type OfflineInput,
  offlineReading,
  purposeOf,
  purposesOf,
  rivalRunbooks,
  sureRunbook,
} from "../../src/runbooks/offline.ts";
import { chooseTarget } from "../../src/runbooks/target.ts";
import { bySection } from "./by-section.ts";
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
const disk = () => {
  const found = skills.find(({ name }) => name === "host-disk-full");
  if (!found) throw new Error("no such skill");
  return found;
};
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

test("OFF-1 runbooks that list the same alert are named, unless one of them surely fits", () => {
  const skill = (name: string, description: string) => ({
    ...disk(),
    name,
    description,
    metadata: { alerts: "EdgeCertificateWillExpireSoon" },
  });
  const two = [
    skill("renewal-fails", "Certbot cannot renew: the challenge fails."),
    skill("certificate-expires", "A certificate of a listener expires."),
  ];
  const incident = { title: "[FIRING:1] EdgeCertificateWillExpireSoon", body: "" };
  expect(sureRunbook({ skills: two }, incident)).toBeUndefined();
  expect(rivalRunbooks({ skills: [...two, disk()] }, incident).toSorted()).toEqual([
    "certificate-expires",
    "renewal-fails",
  ]);
  expect(rivalRunbooks({ skills: two.slice(1) }, incident)).toEqual([]);
  expect(rivalRunbooks({ skills: two }, { title: "Please renew the certificate", body: "" })).toEqual([]);
});

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
  });

  test("OFF-1 names the runbook once, says of each check in five words what it is for, and prints no description written for a model", {
    tags: ["long"],
  }, () => {
    for (const incident of [...incidents, ...ownIncidents]) {
      const { prose, proposals, runbooks, notes } = read({ incident, servers: [server("web-1")] });
      const said = [prose, ...notes, ...proposals.flatMap(({ title, description }) => [title, description])].join("\n");
      expect(said).not.toMatch(/Use when|Use for/);
      for (const { label } of runbooks) expect(said).not.toContain(label);
      for (const { title } of proposals) expect(title.length).toBeLessThanOrEqual(82);
    }
    expect(read().proposals.map(({ title }) => title)).toEqual([
      "How full the disks are",
      "What takes up the space",
      "Which deleted files stay open",
    ]);
  });

  test("OFF-1 a remark above a command is its purpose, whole; a name keeps its case", () => {
    const body = "## Verify\n```sh\n# is the queue growing, or is it only slow?\nqstat\n# expect: 9\nqlist\n```";
    expect([...purposesOf(body)]).toEqual([["qstat", "Is the queue growing, or is it only slow?"]]);
    const titleOf = (remark: string, command: string) =>
      [...purposesOf(`\`\`\`sh\n# ${remark}\n${command}\n\`\`\``).values()][0];
    expect(titleOf("go back to the release before", "helm rollback web")).toBe("Go back to the release before");
    expect(titleOf("mail-worker on mail-1", "systemctl status mail-worker")).toBe("mail-worker on mail-1");
    expect(titleOf("nginx: is it up", "systemctl status nginx")).toBe("nginx: is it up");
    const long =
      "restart the worker; it takes a minute, in which no mail is sent, and after that the queue shrinks again";
    expect(titleOf(long, "systemctl restart w")).toBe("Restart the worker");
    expect(purposeOf("sudo -n systemctl status nginx")).toBe("Is nginx running");
    expect(purposeOf("frobnicate --all")).toBeUndefined();
  });

  test("OFF-1 a check goes to the server that the remark above it names, in any language, and counts as run only there", () => {
    const block = (...lines: readonly string[]) => `## Verify\n\`\`\`sh\n${lines.join("\n")}\n\`\`\``;
    const body = block(
      "# how full is it",
      "df -h",
      "# on web-1: does the consumer run",
      "systemctl is-active consumer",
      "# expect: active",
      "journalctl -u consumer -n 15",
      "# Auf web-12:",
      "uptime",
      "# is web-1 or web-12 busy: look",
      "free -m",
      "# the address that web-1 asks for in the log: see below",
      "ss -s",
    );
    const own = [{ ...disk(), body }];
    const reading = read({ skills: own });
    expect(reading.proposals.map(({ command, server }) => [command, server])).toEqual([
      ["df -h", "db-03"],
      ["systemctl is-active consumer", "web-1"],
      ["journalctl -u consumer -n 15", "web-1"],
      ["uptime", "web-12"],
      ["free -m", "db-03"],
      ["ss -s", "db-03"],
    ]);
    const proposed = reading.proposals.map(({ command, server }) => ({
      command,
      place: server,
      by: "agent" as const,
      state: "ended" as const,
    }));
    // The last one stood on another server than the incident's.
    const ordered = proposed.toSorted((one) => (one.place === "web-12" ? 1 : 0));
    const on = (name: string) => ({ ...exited("uptime"), servers: [name] });
    const next = (name: string) =>
      read({ skills: own, proposed: ordered, following: own[0]?.name, runs: [on(name)] }).proposals;
    expect(next("web-12").map(({ command }) => command)).not.toContain("uptime");
    expect(next("web-12")[0]).toMatchObject({ command: "df -h", server: "db-03" });
    expect(next("db-03")).toContainEqual(expect.objectContaining({ command: "uptime", server: "web-12" }));
  });

  test("OFF-1 all checks stand on the card, up to what a set holds; what is left is named", () => {
    const many = Array.from({ length: 10 }, (_, at) => `df -h /srv/${at}`);
    const bodyOf = (lines: readonly string[]) => `## Verify\n\`\`\`sh\n${lines.join("\n")}\n\`\`\``;
    const four = read({ skills: [{ ...disk(), body: bodyOf(many.slice(0, 4)) }] });
    expect(commands(four)).toEqual(many.slice(0, 4));
    const ten = read({ skills: [{ ...disk(), body: bodyOf(many) }] });
    expect(commands(ten)).toEqual(many.slice(0, 8));
    expect(ten.prose).toContain("Left for the next card: `df -h /srv/8`, `df -h /srv/9`.");
  });

  test("OFF-1 says that no model was at work, and which of the two reasons it had", () => {
    expect(read().notes[0]).toBe("No model: steps from the matching runbook.");
    expect(read({ following: read().runbooks[0]?.label }).notes).toEqual([]);
    expect(read({ reason: "model-down" }).notes[0]).toContain("cannot be reached");
  });

  test("OFF-1 a server that the title names goes before the one that the alert's labels name", () => {
    const on = (title: string) =>
      read({ incident: { ...diskFull, title }, serverNamed: "web-12" }).proposals.map((it) => it.server)[0];
    expect(on("HostOutOfDiskSpace")).toBe("web-12");
    expect(on("HostOutOfDiskSpace on web-1")).toBe("web-1");
    expect(on("HostOutOfDiskSpace on web-1, not on web-12")).toBe("web-12");
  });

  test("OFF-1 a runbook that does not say what to expect has its acts proposed only when a person says /ask act, one at a time", () => {
    const [first = "", second = "", third = ""] = verify;
    expect(commands(read({ runs: [exited(first, 1)] }))).toEqual(verify.slice(1));
    expect(
      commands(read({ runs: [{ command: first, output: "x", ending: { kind: "unknown", reason: "lost" } }] })),
    ).toEqual(verify);
    const looked = [exited(first), exited(second), exited(third)];
    const reading = read({ runs: looked });
    expect(reading).toMatchObject({ proposals: [], phase: "investigate" });
    expect(reading.prose).toContain("If it is the fault: `/ask act`");
    const asked = read({ runs: looked, asked: "act" });
    expect(asked.proposals).toMatchObject([{ command: act[0], risk: "medium", server: "db-03" }]);
    expect(asked.phase).toBe("act");
    const again = [...looked, exited(act[0] ?? "")];
    expect(commands(read({ runs: again }))).toEqual(verify);
    expect(commands(read({ runs: [...again, ...looked] }))).toEqual([]);
    expect(commands(read({ runs: [...again, ...looked], asked: "act" }))).toEqual([act[1]]);
  });

  test("OFF-1 after an act that failed it looks once and goes on only when a person says so; after the last one it ends", () => {
    const looked = verify.map((command) => exited(command));
    const failed = [...looked, exited(act[0] ?? "", 1)];
    expect(commands(read({ runs: failed }))).toEqual(verify);
    const stopped = read({ runs: [...failed, ...looked] });
    expect(stopped.proposals).toEqual([]);
    expect(stopped.prose).toContain("did not succeed, so nothing else is changed. To go on all the same: `/ask act`");
    const done = read({ runs: [...looked, ...act.map((command) => exited(command)), ...looked] });
    expect(done).toMatchObject({ proposals: [], phase: "act" });
    expect(done.prose).toBe("Done. If it is healthy: `/close <cause>`");
  });

  test("OFF-1 a Verify command that the policy says changes something is left out, and that is said", () => {
    const reading = read({ readsOnly: (command) => !command.startsWith("du") });
    expect(commands(reading)).toEqual([verify[0], verify[2]]);
    expect(reading.notes.at(-1)).toContain("du -xh");
  });

  test("OFF-1 WF-3 a command with a value that only a person can give is a form that asks for it", () => {
    const incident = { title: "KubePodCrashLooping", body: "Pod payments/ledger on web-1" };
    const reading = read({ incident });
    const forms = reading.proposals.filter(({ command }) => command.includes("$"));
    expect(forms.length).toBeGreaterThan(0);
    expect(forms.filter(({ open = [] }) => open.length === 0)).toEqual([]);
    expect(reading.prose).toContain("`/fill`");
  });

  test("OFF-1 where every check was rejected it does not say that a check shows nothing", () => {
    const rejected = verify.map((command) => ({ command, place: "db-03", by: "agent", state: "rejected" }) as const);
    const body = "## Verify\n```sh\ndf -h\n# expect: 100%\n```\n## Act\n```sh\nlogrotate -f x\n```";
    const own = skills.map((skill) => (skill.name === "host-disk-full" ? { ...skill, body } : skill));
    const one = { command: "df -h", place: "db-03", by: "agent", state: "rejected" } as const;
    for (const { prose, proposals } of [read({ proposed: rejected }), read({ skills: own, proposed: [one] })]) {
      expect(prose).toBe("No check has shown anything, so nothing is changed. For the runbook's next step: `/ask act`");
      expect(proposals).toEqual([]);
    }
  });

  test("OFF-1 WF-3 a form that somebody rejected is not proposed again", () => {
    const incident = { title: "[FIRING:1] KubePodCrashLooping", body: "" };
    const input = { incident, servers: [server("web-1")] } as const;
    const [first, ...others] = commands(read(input));
    expect(others.length).toBeGreaterThan(0);
    const rejected = { command: first ?? "", place: "web-1", by: "agent", state: "rejected" } as const;
    expect(commands(read({ ...input, proposed: [rejected] }))).not.toContain(first);
  });

  test("OFF-1 WF-3 with the values of its alert it is proposed as they complete it, on the server that the alert names", () => {
    const incident = { title: "KubePodCrashLooping", body: "A pod restarts again and again" };
    const values = Object.entries({ namespace: "payments", ns: "payments", pod: "ledger-0" }).map(
      ([name, value]) => ({ source: "alert", name, value }) as const,
    );
    const reading = read({ incident, values, serverNamed: "web-12" });
    expect(reading.proposals.length).toBeGreaterThan(0);
    expect(reading.proposals.filter(({ command, server: on }) => command.includes("$NS") || on !== "web-12")).toEqual(
      [],
    );
    expect(commands(reading).join("\n")).toContain("payments");
    const [first] = reading.proposals;
    const ran = read({ incident, values, serverNamed: "web-12", runs: [exited(first?.command ?? "")] });
    expect(commands(ran)).not.toContain(first?.command);
  });
});

describe("OFF-1 where it is not sure", () => {
  test("OFF-1 several that may fit are listed without a proposal", () => {
    const reading = read({ incident: { title: "files-2: writes fail", body: "space?" } });
    expect(reading).toMatchObject({ proposals: [], confidence: "INCONCLUSIVE" });
    expect(reading.runbooks.map(({ label }) => label)).toContain("host-disk-full");
    expect(reading.runbooks.length).toBeLessThanOrEqual(3);
    expect(reading.suggestions).toContain("Follow the runbook host-disk-full");
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

  test("OFF-1 before a check has run no incident whatever gets an act proposed", { tags: ["long"] }, () => {
    const acts = new Set(skills.flatMap(({ body }) => bySection(body).act));
    const proposed = [...incidents, ...ownIncidents].flatMap((incident) =>
      commands(read({ incident, servers: [server("web-1")] })),
    );
    expect(proposed.length).toBeGreaterThan(100);
    expect(proposed.filter((command) => acts.has(command))).toEqual([]);
  });
});

describe("AR-21 follow-ups without a model", () => {
  const all = [...incidents, ...ownIncidents];

  test("AR-21 DC-5 there are at most four, and none of another fault, whatever the incident and however far it has come, and each can be taken", {
    tags: ["long"],
  }, () => {
    for (const incident of all) {
      const runs = skills.flatMap(({ body }) => bySection(body).verify).map((command) => exited(command));
      for (const so of [{}, { runs }, { asked: "Why is it slow?" }, { asked: "act" }]) {
        const input = { incident, servers: [server("web-1")], ...so };
        const { suggestions } = read(input);
        expect(suggestions.length).toBeLessThanOrEqual(4);
        const isSure = sureRunbook({ skills }, incident) !== undefined;
        expect(suggestions.filter((one) => /^List |^Follow /.test(one) && (isSure || one.startsWith("List")))).toEqual(
          [],
        );
        for (const asked of suggestions) expect(read({ ...input, asked }).prose).not.toContain("without a model");
      }
    }
  });

  test("AR-21 they are the runbook's next step, its other checks, and whom to call", () => {
    const body = `${skills.find(({ name }) => name === "host-disk-full")?.body}\n## Escalation\n\nThe storage team, +1 555 0100.\n`;
    const own = skills.map((skill) => (skill.name === "host-disk-full" ? { ...skill, body } : skill));
    const input = { skills: own, proposed: [openOn(verify[0] ?? "")], runs: [exited(verify[1] ?? "")] };
    const { suggestions } = read(input);
    // Another runbook that fits worse is no suggestion.
    const also = `${diskFull.body}. PostgreSQL on it says: sorry, too many clients already`;
    expect(read({ ...input, incident: { ...diskFull, body: also } }).suggestions).toEqual(suggestions);
    expect(suggestions).toEqual([
      `Next step: ${act[0]}`,
      `Check: ${verify[1]}`,
      "Escalate: The storage team, +1 555 0100.",
    ]);
    const [step = "", check = "", escalate = ""] = suggestions;
    expect(commands(read({ ...input, asked: step }))).toEqual([act[0]]);
    expect(commands(read({ ...input, asked: check }))).toEqual([verify[1]]);
    expect(read({ ...input, asked: escalate }).prose).toBe("The storage team, +1 555 0100.");
  });

  test("AR-21 a runbook that a person chose is followed from then on", () => {
    const asked = "postgres-too-many-connections";
    expect(read({ asked }).runbooks).toMatchObject([{ label: asked }]);
    expect(read({ following: asked }).runbooks).toMatchObject([{ label: asked }]);
  });
});

const openOn = (command: string, state: "open" | "rejected" = "open", place = "db-03") =>
  ({ command, place, by: "agent", state }) as const;

describe("OFF-1 what people say to it", () => {
  test("OFF-1 a question that only a model could answer is told so, and nothing is proposed", () => {
    for (const asked of ["Why is it full?", "what changed since 14:00", "is db-03 or host-disk-full to blame?"]) {
      expect(read({ asked })).toMatchObject({ proposals: [], prose: expect.stringContaining("needs a model") });
    }
  });

  test("OFF-1 who names a server is answered with the checks on that one, and it stays with it", () => {
    expect(read({ asked: "look at web-1" }).proposals.map((it) => it.server)).toEqual(["web-1", "web-1", "web-1"]);
    expect(read({ proposed: [openOn("df", "open", "web-1")] }).proposals[0]?.server).toBe("web-1");
    const elsewhere = { ...exited(verify[0] ?? ""), servers: ["web-1"] };
    expect(commands(read({ runs: [elsewhere] }))).toEqual(verify);
  });

  test("OFF-1 while a check is open nothing that changes something is proposed, unless a person says /ask act; a rejected one does not count", () => {
    const body =
      "## Verify\n```sh\ndf -h\n# expect: 100%\ndu -x\n```\n## Act\n```sh\nlogrotate -f x\n# check: df -h\n```";
    const own = skills.map((skill) => (skill.name === "host-disk-full" ? { ...skill, body } : skill));
    const input = { skills: own, runs: [exited("df -h")] };
    const waiting = read({ ...input, proposed: [openOn("du -x")] });
    expect(commands(waiting)).toEqual(["du -x"]);
    expect(waiting.prose).toBe("`df -h` showed `100%`. Some checks are still open; `/ask act` goes on without them.");
    const step = ["logrotate -f x", "df -h"];
    expect(commands(read({ ...input, proposed: [openOn("du -x")], asked: "act" }))).toEqual(step);
    const asked = read({ ...input, proposed: step.map((command) => openOn(command)), asked: "act" });
    expect(asked.prose).toBe("The runbook's next step is open already.");
    expect(commands(read({ ...input, proposed: [openOn("du -x", "rejected")] }))).toEqual(step);
    expect(commands(read({ ...input, proposed: step.map((command) => openOn(command, "rejected")) }))).toEqual([
      "du -x",
    ]);
  });

  test("OFF-1 where outputs may not be read it says so and leaves the next step to a person", () => {
    const body = "## Verify\n```sh\ndf -h\n# expect: 100%\n```\n## Act\n```sh\nlogrotate -f x\n```";
    const own = skills.map((skill) => (skill.name === "host-disk-full" ? { ...skill, body } : skill));
    const reading = read({ skills: own, runs: [exited("df -h")], unread: true });
    expect(reading).toMatchObject({ proposals: [], prose: expect.stringContaining("kept off this public issue") });
  });
});

describe("the server that an incident names", () => {
  const target = (body: string, among = servers) => chooseTarget({ title: "down", body }, among);

  test("is a whole word, with a port or domain behind it; web-1 is not in web-12", () => {
    expect(target("instance web-12:9100 is full")).toMatchObject({ server: "web-12" });
    expect(target("web-1.example.com, then DB-03")).toMatchObject({
      server: "web-1",
      others: ["db-03"],
    });
    expect(target("myweb-1 and web-123")).toMatchObject({ kind: "ask" });
  });

  test("PRODUCT another is named in a note, unless something is proposed on it or the agent reads the incident next", () => {
    const body = "## Verify\n```sh\ndf -h\n# on web-1\nuptime\n```";
    const notesOf = (text: string, reason: OfflineInput["reason"] = "no-model") =>
      read({
        skills: skills.map((skill) => (skill.name === "host-disk-full" ? { ...skill, body } : skill)),
        incident: { ...diskFull, body: `${diskFull.body} ${text}` },
        reason,
      }).notes.filter((note) => note.includes("also names"));
    expect(notesOf("and web-12")).toEqual(["The incident also names `web-12`."]);
    expect(notesOf("and web-12 and web-1")).toEqual(["The incident also names `web-12`."]);
    expect(notesOf("and web-1")).toEqual([]);
    expect(notesOf("and web-12", "model-reads")).toEqual([]);
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
  expect(bySection(body)).toEqual({ verify: [], act: ["reboot"], other: ["df -h /var"] });
  expect(bySection(body.replace("Überprüfen", "Prüfen"))).toEqual({ verify: ["df -h /var"], act: ["reboot"] });
});
