import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { check } from "../../../src/cli/check/check.ts";
import { auditRows } from "../../../src/store/audit/chain.ts";
import { type ReadEvent, readEvent } from "../../../src/store/audit/events.ts";
import { missing } from "../../harness/missing.ts";
import { until } from "../../harness/until.ts";
import { type SignedWorld, startSignedWorld } from "./bot-world.ts";
import { word } from "./signer-world.ts";

const started = await startSignedWorld();
if ("missing" in started) missing("sshd", `test/features/signer/story.long.test.ts was left out: ${started.missing}`);

describe.runIf(!("missing" in started))("a bot with a signer", () => {
  const world = started as SignedWorld;
  let thread: Awaited<ReturnType<SignedWorld["world"]["open"]>>;
  beforeAll(async () => {
    thread = await world.begin();
  });
  afterAll(() => world.close());

  let last = 0;
  /** Has sam propose a command, and lee approve it; returns its number. */
  const run = async (server: string, command: string, approve = true): Promise<number> => {
    await thread.say("sam", `/run ${server}\n\n\`\`\`\n${command}\n\`\`\``);
    const number = ++last;
    await thread.waitFor((body) => body.includes(`- [ ] **${number}**`), `the card of ${number}`);
    if (approve) await thread.say("lee", `/approve ${number}`);
    return number;
  };
  const endOf = (number: number): Promise<{ readonly body: string }> =>
    thread.waitFor(
      (body) => new RegExp(`\\*\\*${number}\\*\\* (?:✅|❓|🔌|❌|🛑)`, "u").test(body),
      `the end of ${number}`,
    );

  it("SR-72 an approved change and a read run on certificates, beside a server with a key", async () => {
    const marks = [word(), word()];
    const change = await run("web-1", `echo ${marks[0]} >>"$HOME/ran.log" && echo did ${marks[0]}`);
    expect((await endOf(change)).body).toContain(`did ${marks[0]}`);
    const other = await run("web-2", `echo ${marks[1]} >>"$HOME/ran.log" && echo did ${marks[1]}`);
    expect((await endOf(other)).body).toContain(`did ${marks[1]}`);
    const read = await run("web-1", "uname -s");
    expect((await endOf(read)).body).toContain("Linux");
    expect(world.ranOn("web-1")).toEqual([marks[0]]);
    expect(world.ranOn("web-2")).toEqual([marks[1]]);
    expect(world.record()).toHaveLength(2);
  });

  it("SR-72 an approver's own read runs by its comment, and each command of a set by a certificate of its own", async () => {
    await thread.say("lee", "/run web-1\n\n```\nuname -m\n```");
    expect((await endOf(++last)).body).toContain("uname -m");
    await thread.say("lee", `/retry ${last}`);
    await endOf(++last);
    await thread.say("sam", "/run --each web-1\n\n```\nuname -s\nuname -n\n```");
    await thread.waitFor((body) => body.includes(`- [ ] **${last + 1}**`), "the set");
    await thread.say("lee", `/approve ${++last}`);
    expect((await endOf(last)).body).toMatch(/uname -s[\s\S]*uname -n/);
    const signed = world.record().map((line) => JSON.parse(line).signed);
    // The commands of a set run side by side.
    const own = signed
      .filter(({ command }) => command.startsWith("uname -m") || command.includes("\n"))
      .toSorted((a, b) => a.number - b.number || (a.step ?? 0) - (b.step ?? 0));
    expect(own.map(({ number, step, ownWord }) => [number, step, ownWord?.split(" ")[1]])).toEqual([
      [last - 2, undefined, "run"],
      [last - 1, undefined, "retry"],
      [last, 0, undefined],
      [last, 1, undefined],
    ]);
  });

  it("SR-72 a running command is cancelled by a certificate of its own", async () => {
    const mark = word();
    const number = await run("web-1", `echo ${mark} >>"$HOME/ran.log" && sleep 300`);
    await until(() => expect(world.ranOn("web-1")).toContain(mark));
    await thread.say("lee", `/cancel ${number}`);
    expect((await endOf(number)).body).toContain("stopped by TERM; no process left");
    expect(world.sshdLog()).toContain(":job-kill");
  });

  it("SR-72 a refusal of the signer, and its silence, stand on the card, and nothing was run", async () => {
    const mark = word();
    await world.stopSigner();
    const away = await run("web-1", `echo ${mark} >>"$HOME/ran.log"`);
    expect((await endOf(away)).body).toMatch(
      /The signer gave no certificate for web-1: the signer cannot be reached \(\w+\); nothing was run/,
    );
    await world.startSigner({ policy: { approvers: { teams: ["acme/oncall"] }, medium: { approvals: 2 } } });
    const refused = await run("web-1", `echo ${mark} >>"$HOME/ran.log"`);
    expect((await endOf(refused)).body).toContain(
      "The signer gave no certificate for web-1: it has 1 of 2 approvals; nothing was run",
    );
    expect(world.ranOn("web-1")).not.toContain(mark);
    await world.stopSigner();
    await thread.say("lee", "/run web-1\n\n```\nuname -r\n```");
    expect((await endOf(++last)).body).toContain("the signer cannot be reached");
    await world.startSigner();
    // The signer does not know what it did not sign, so its own number is approved.
    await thread.say("lee", `/retry ${last}`);
    await thread.waitFor((body) => body.includes(`- [ ] **${last + 1}**`), "the card of the retry");
    await thread.say("lee", `/approve ${++last}`);
    expect((await endOf(last)).body).toContain("✅");
    const number = await run("web-1", `echo ${mark} >>"$HOME/ran.log"`);
    await endOf(number);
    expect(world.ranOn("web-1").filter((one) => one === mark)).toHaveLength(1);
  });

  it("SR-72 a probe waits for its own number, and says so", async () => {
    const change = await run("web-1", "systemctl restart nginx", false);
    await thread.say("lee", `/probe ${change}`);
    last += 1;
    await thread.waitFor(
      (body) => body.includes(`web-1 runs only what a comment approves by its number: \`/approve ${last}\``),
      "why the probe waits",
    );
    await thread.say("lee", `/approve ${last}`);
    await endOf(last);
  });

  it("SR-72 `countersign check` proves that no key opens the server, and that both files agree on it", async () => {
    const look = async () => {
      const lines: string[] = [];
      const findings = await check({ config: world.world.configFile }, (line) => lines.push(line));
      const own = findings.filter(({ place }) => /^servers\.web-1(?!\.user)/.test(place)).map(({ message }) => message);
      return { own, lines: lines.filter((line) => line.includes("web-1")).join("\n") };
    };
    expect(await look()).toEqual({
      own: [],
      lines: expect.stringContaining("takes only certificates, host key SHA256:"),
    });
    await world.stopSigner();
    expect((await look()).own).toEqual([expect.stringContaining("the signer cannot be reached")]);
    await world.startSigner({ servers: { "web-1": { ...world.entry, hard_timeout: "5m", port: 1 } } });
    expect((await look()).own).toEqual(["the signer's file says something else: port, hard_timeout"]);
    await world.stopSigner();
    await world.startSigner();
    world.letIn(readFileSync(`${world.pooled.clientKeyFile}.pub`, "utf8"));
    expect((await look()).own).toEqual(["web-1 lets in the key client without a certificate"]);
    world.letIn("");
    // Set up as another server, it refuses every certificate of its own.
    world.takeCertificatesOf("web-9");
    expect((await look()).own).toEqual([expect.stringContaining("web-1 refused the signer's certificate")]);
    world.takeCertificatesOf("web-1");
    expect((await look()).own).toEqual([]);
  });

  it("SR-72 sshd's log alone tells who approved what ran when, as the audit does", async () => {
    const logged = [
      ...world
        .sshdLog()
        .matchAll(/Accepted publickey for .* ID countersign:(\S+)#(\d+):([0-9a-f]{64}):(?!job-)(\S+) \(serial \d+\)/g),
    ].map(([, issue, number, digest, who]) => ({ issue, number: Number(number), digest, who }));
    await world.world.end("SIGTERM");
    const rows = await world.world.look(async ({ db }) => {
      const all: ReadEvent[] = [];
      for await (const part of auditRows(db, {})) all.push(...part.map(readEvent));
      return all;
    });
    const by = new Map<string, string[]>();
    const ran: { number: number; digest: string; targets: readonly object[] }[] = [];
    for (const event of rows) {
      if (event.kind === "command_approved")
        by.set(event.body.digest, [...(by.get(event.body.digest) ?? []), event.body.by?.login ?? ""]);
      if (event.kind === "command_dispatched" && event.body.targets.some(({ server }) => server === "web-1"))
        ran.push(event.body);
    }
    const audited = ran.map(({ number, digest, targets }) => ({
      runs: targets.length,
      issue: `acme/web/${thread.number}`,
      number,
      digest,
      who: by.get(digest)?.join(","),
    }));
    const unsigned = audited.filter(({ digest }) => !logged.some((one) => one.digest === digest));
    // Those that the signer did not sign.
    expect(unsigned).toHaveLength(3);
    const each = audited
      .filter((one) => !unsigned.includes(one))
      .flatMap((one) => Array.from({ length: one.runs }, () => one));
    expect(logged).toEqual(each.map(({ runs: _, ...one }) => one));
  });
});
