import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { signerSetup } from "../../../src/cli/signer.ts";
import { startSigner } from "../../../src/service/signer.ts";
import type { SignerAnswer } from "../../../src/signer/protocol.ts";
import { jobRequestLine } from "../../../src/ssh/wrap.ts";
import { missing } from "../../harness/missing.ts";
import { until } from "../../harness/until.ts";
import { type SignerWorld, startSignerWorld, word } from "./signer-world.ts";

const started = await startSignerWorld();
if ("missing" in started) missing("sshd", `test/features/signer/killed.long.test.ts was left out: ${started.missing}`);

const main = fileURLToPath(new URL("../../../src/main.ts", import.meta.url));

describe.runIf(!("missing" in started))("a signer", () => {
  const world = started as SignerWorld;
  afterAll(() => world.close());

  const approved = async (commandOf = (mark: string) => `echo ${mark} >>"$HOME/ran.log"`) => {
    const issue = await world.issueOf(word());
    const mark = word();
    const spec = world.specOf(issue, { command: commandOf(mark) });
    await world.post(issue.number, world.cardOf(spec));
    const comment = await world.say("lee", issue.number, "/approve 1");
    return { issue, spec, mark, request: world.requestOf(issue, spec, [comment]) };
  };

  it("SR-71 sshd's own log tells who approved what, as the signer's record does", async () => {
    const all = [await approved(), await approved()];
    for (const { request } of all) {
      const said = await world.ask(request);
      expect(said).toMatchObject({ ok: true });
      if (said.ok) await world.ssh(said.certificate, "x");
    }
    const logged = world
      .sshdLog()
      .split("\n")
      .flatMap((line) => {
        const [, issue = "", number = "", digest = "", who = ""] =
          /Accepted publickey .* ID countersign:(\S+)#(\d+):([0-9a-f]{64}):(\S+) \(serial/.exec(line) ?? [];
        return digest === "" ? [] : [{ issue, number: Number(number), digest, who }];
      });
    const recorded = world
      .record()
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line).signed)
      .map(({ issue, number, digest, approvals }) => ({
        issue: issue.replace("#", "/"),
        number,
        digest,
        who: approvals.map(({ login }: { login: string }) => login).join(","),
      }));
    expect(logged).toEqual(recorded);
    expect(logged).toHaveLength(2);
    expect(world.ran()).toHaveLength(2);
  });

  it("SR-71 a job that it let begin is followed and ended by the fixed scripts", async () => {
    const { request, spec } = await approved();
    const said = await world.ask(request);
    if (!said.ok) throw new Error(said.reason);
    await world.ssh(said.certificate, "x");
    const jobId = spec.targets[0]?.jobId ?? "";
    for (const [job, said] of [
      [{ act: "follow", jobId, offset: 0 }, "ended exit.0"],
      [{ act: "settle", jobId, offset: 0 }, "ended exit.0"],
      [{ act: "kill", jobId, graceMs: 1_000 }, "absent"],
      [{ act: "status", jobId }, "ended exit.0"],
    ] as const) {
      const bytes = jobRequestLine(world.serverOf("web-1"), job);
      const answer = await world.ask({ v: 1, ask: "job", server: "web-1", job, bytes, publicKey: world.publicKey });
      if (!answer.ok) throw new Error(answer.reason);
      expect((await world.ssh(answer.certificate, "x")).out).toContain(`@countersign:${jobId} ${said}`);
    }
  });

  it("SR-71 sshd takes what `signer setup` prints, and a server that is none is refused", () => {
    const printed = signerSetup({ config: world.at("signer.yml") }, "web-1");
    const [ca = "", principals = "", block = ""] = printed.split(/^# \S+.*\n/m).slice(1);
    expect(ca.trim()).toBe(
      readFileSync(world.at("ca.pub"), "utf8").trim().split(" ").slice(0, 2).join(" ") +
        ca.trim().replace(/^\S+ \S+/, ""),
    );
    expect(principals.trim()).toBe("countersign:web-1");
    writeFileSync(world.at("sshd_config"), `HostKey ${world.at("ca")}\n${block}\n`);
    const effective = execFileSync(
      "/usr/sbin/sshd",
      ["-T", "-C", `user=${world.sshd.user},host=x,addr=127.0.0.1`, "-f", world.at("sshd_config")],
      { encoding: "utf8" },
    );
    expect(effective).toContain("trustedusercakeys /etc/ssh/countersign_ca.pub");
    expect(effective).toContain("authorizedprincipalsfile /etc/ssh/countersign_principals");
    expect(effective).toContain("authorizedkeysfile none");
    expect(effective).toContain("permituserrc no");
    expect(() => signerSetup({ config: world.at("signer.yml") }, "db-1")).toThrow(/no such server/);
  });

  it("a long command goes whole into its certificate", async () => {
    const { request, spec, mark } = await approved((mark) => `echo ${mark} >>"$HOME/ran.log" # ${"é".repeat(15_000)}`);
    const said = await world.ask(request);
    if (!said.ok) throw new Error(said.reason);
    expect((await world.ssh(said.certificate, "x")).out).toContain(`${spec.targets[0]?.jobId} ended exit.0`);
    expect(world.ran()).toContain(mark);
  });

  it("SR-71 an answer that is lost is not given again: the command is signed, and never runs", async () => {
    const { issue, request } = await approved();
    // It leaves as soon as it has asked.
    const socket = connect(world.at("door"), () => socket.end(`${JSON.stringify(request)}\n`, () => socket.destroy()));
    await once(socket, "close");
    await until(() => expect(world.record()).toContain(issue.nodeId));
    expect(await world.ask(request)).toMatchObject({ ok: false, reason: expect.stringContaining("signed once") });
  });

  it("SR-71 a key that only an ssh-agent holds signs as well", async () => {
    const socket = world.at("agent");
    const agent = spawn("ssh-agent", ["-D", "-a", socket], { stdio: "ignore" });
    onTestFinished(() => void agent.kill());
    await until(() => expect(existsSync(socket)).toBe(true));
    execFileSync("ssh-add", ["-q", world.at("ca")], { env: { SSH_AUTH_SOCK: socket }, stdio: "ignore" });
    const signing = { ...world.config.signing, caKeyFile: world.at("ca.pub"), agentSocket: socket };
    const own = { ...signing, socket: world.at("door-2"), recordFile: world.at("record-2.jsonl") };
    const signer = await startSigner({ ...world.config, signing: own });
    onTestFinished(signer.close);
    const { request, spec } = await approved();
    const said = await world.ask(request, "door-2");
    if (!said.ok) throw new Error(said.reason);
    expect((await world.ssh(said.certificate, "x")).out).toContain(`${spec.targets[0]?.jobId} ended exit.0`);
    agent.kill();
    await once(agent, "exit");
    const other = await approved();
    expect(await world.ask(other.request, "door-2")).toMatchObject({
      ok: false,
      reason: expect.stringContaining("could not sign"),
    });
  });

  /** The real process; it answers once its socket does. */
  const spawnSigner = () =>
    spawn(process.execPath, [main, "signer", "start", "--config", world.at("signer.yml")], { stdio: "ignore" });
  const untilUp = async (): Promise<void> => {
    for (let tries = 0; tries < 600; tries++) {
      if (
        await world.ask("up?").then(
          () => true,
          () => false,
        )
      )
        return;
      await sleep(50);
    }
    throw new Error("the signer does not come up");
  };

  it("SR-71 killed at any moment, it hands out one certificate for an action", async () => {
    await world.stop();
    const { request } = await approved();
    const got: SignerAnswer[] = [];
    for (const killAfterMs of [20, 120, 250, 350, 450, 600, 900, 1_500]) {
      const child = spawnSigner();
      await untilUp();
      const asked = world.ask(request).catch((): undefined => undefined);
      await sleep(killAfterMs);
      child.kill("SIGKILL");
      await once(child, "exit");
      const said = await asked;
      if (said) got.push(said);
    }
    const signed = world
      .record()
      .split("\n")
      .filter((line) => line.includes(request.spec.issueNodeId));
    expect(signed).toHaveLength(1);
    expect(got.filter(({ ok }) => ok).length).toBeLessThanOrEqual(1);
    expect(got.at(-1)).toMatchObject({ ok: false, reason: expect.stringContaining("signed once") });
  });
});
