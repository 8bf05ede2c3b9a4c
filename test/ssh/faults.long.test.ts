import { existsSync, readFileSync } from "node:fs";
import net from "node:net";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ExecResult, ExecWatch } from "../../src/base/run.ts";
import type { Server } from "../../src/base/server.ts";
import type { SshLimits } from "../../src/ssh/limits.ts";
import type { Ssh } from "../../src/ssh/run.ts";
import { wrap } from "../../src/ssh/wrap.ts";
import type { Sshd } from "../harness/sshd.ts";
import {
  drip,
  type Link,
  type Rule,
  reset,
  resetAtBytesFrom,
  startFaultProxy,
  startSynHole,
  swallow,
} from "./fault-proxy.ts";
import { folderFor, jobSshd, runJob } from "./job-host.ts";
import { ed25519Pair } from "./keys.ts";
import { createClients, entryOf, text } from "./real-host.ts";

const file = "test/ssh/faults.long.test.ts";
const folder = folderFor();
const started = await jobSshd(file, folder);
const { client, cleanUp } = createClients();

type Mode = "direct" | "job";
const modes: readonly Mode[] = ["direct", "job"];
type How = { readonly ssh: Ssh; readonly entry: Server } & Partial<ExecWatch>;

function execute(mode: Mode, how: How, command: string): Promise<ExecResult> {
  if (mode === "job") return runJob(how, command);
  const { ssh, entry, ...watch } = how;
  const order = { server: entry, wrapped: wrap(entry, command, "linux") };
  return ssh.exec(order, { signal: new AbortController().signal, ...watch });
}

let commands = 0;
/** A command that leaves a line each time it runs. */
function counted() {
  const mark = join(folder, `ran-${commands++}`);
  const runs = (): number => (existsSync(mark) ? readFileSync(mark, "utf8").length / 2 : 0);
  return { command: `echo x >>${mark}; echo before; sleep 0.5; echo after; exit 7`, runs };
}

const whole = { ending: { kind: "exited", code: 7 }, says: "before\nafter\n" };
const ends =
  (kind: "unreachable" | "unknown") =>
  (reason: string, says = "") => ({ ending: { kind, reason: expect.stringContaining(reason) }, says });
const unreachable = ends("unreachable");
const unknown = ends("unknown");
const shown = (result: ExecResult) => ({ ending: result.ending, says: text(result) });

const quick: Partial<SshLimits> = { retryBaseMs: 10, attachBaseMs: 20, attachMostMs: 100 };

describe.runIf(started !== undefined).each(modes)("faults on the way to a real sshd, %s mode", (mode) => {
  const sshd = started as Sshd;
  const reach = (port: number, limits: Partial<SshLimits> = {}, given: Partial<Server> = {}) => {
    const entry = entryOf(sshd, { port, hostKey: sshd.hostKey, ...given });
    return { entry, ssh: client([entry], { ...quick, ...limits }) };
  };
  const proxied = async (rule?: Rule) => {
    const proxy = await startFaultProxy(sshd.port, rule);
    cleanUp(proxy.close);
    return proxy;
  };

  it("F-24 a black hole that drops every SYN: it could not be reached, and nothing was sent", async () => {
    const hole = await startSynHole();
    cleanUp(hole.close);
    let sent = 0;
    const how = { ...reach(hole.port, { connectMs: 400 }), onSent: () => sent++ };
    expect(shown(await execute(mode, how, "true"))).toEqual({
      ending: {
        kind: "unreachable",
        reason: "web-1 did not answer",
        remedy: "check that it is up and that no firewall drops us",
      },
      says: "",
    });
    expect(sent).toBe(0);
  });

  it.each<[string, Rule]>([
    ["a black hole behind an open port", swallow],
    ["a drip slower than the handshake may take", drip(1, 50)],
  ])("F-24 %s: given up after the handshake's time, and nothing was sent", async (_what, rule) => {
    const { command, runs } = counted();
    const proxy = await proxied(rule);
    const result = await execute(mode, reach(proxy.port, { handshakeMs: 600 }), command);
    expect(shown(result)).toMatchObject(unreachable("did not finish the handshake in time"));
    expect([proxy.links.length, runs()]).toEqual([1, 0]);
  });

  it("F-28 a slow drip all the way: the whole output, and run once", async () => {
    const { command, runs } = counted();
    const proxy = await proxied(drip(16, 1));
    expect(shown(await execute(mode, reach(proxy.port), command))).toEqual(whole);
    expect([proxy.links.length, runs()]).toEqual([1, 1]);
  });

  interface Fault {
    readonly what: string;
    /** On the idle connection, once the request goes out, or once its first output has come. */
    readonly at: "idle" | "sent" | "output";
    readonly strike: (link: Link) => void;
    readonly told: Readonly<Record<Mode, object>>;
    readonly runs: number;
  }
  const ruled =
    (rule: Rule) =>
    (link: Link): void => {
      link.rule = rule;
    };
  const lostOnTheWay = (reason: string) => ({ direct: unknown(reason, "before\n"), job: whole });
  const nothingSent = unreachable("before the command was sent");
  it.each<Fault>([
    {
      what: "F-27 reset before the request",
      at: "idle",
      strike: ruled(resetAtBytesFrom("client")),
      told: { direct: nothingSent, job: nothingSent },
      runs: 0,
    },
    {
      what: "F-27 reset with the request on its way",
      at: "sent",
      strike: ruled(resetAtBytesFrom("client")),
      told: { direct: unknown("before it confirmed"), job: unreachable("it was never started, and now cannot be") },
      runs: 0,
    },
    {
      what: "F-27 reset after the request, before its reply",
      at: "sent",
      strike: ruled(resetAtBytesFrom("server")),
      told: { direct: unknown("before it confirmed"), job: whole },
      runs: 1,
    },
    { what: "F-28 reset mid-output", at: "output", strike: reset, told: lostOnTheWay("ECONNRESET"), runs: 1 },
    {
      what: "F-28 half-closed by the server's side mid-output",
      at: "output",
      strike: ({ near }) => near.end(),
      told: lostOnTheWay("the server closed it"),
      runs: 1,
    },
    {
      what: "F-28 half-closed by our side, as the server sees it, mid-output",
      at: "output",
      strike: ({ far }) => far.end(),
      told: lostOnTheWay("the server closed it"),
      runs: 1,
    },
    {
      what: "F-28 dark mid-output",
      at: "output",
      strike: ruled(swallow),
      told: lostOnTheWay("it stopped answering"),
      runs: 1,
    },
  ])("$what", async ({ at, strike, told, runs: expected }) => {
    const { command, runs } = counted();
    const proxy = await proxied();
    const how = reach(proxy.port, { keepaliveMs: 150, keepaliveCount: 3 });
    await execute("direct", how, "true");
    const [link] = proxy.links;
    let struck = false;
    const strikeAt = (moment: Fault["at"]) => (): void => {
      if (moment !== at || link === undefined || struck) return;
      struck = true;
      strike(link);
    };
    strikeAt("idle")();
    const result = await execute(mode, { ...how, onSent: strikeAt("sent"), onOutput: strikeAt("output") }, command);
    expect(shown(result)).toMatchObject(told[mode]);
    await expect.poll(runs).toBe(expected);
    expect((await execute("direct", how, "exit 4")).ending).toEqual({ kind: "exited", code: 4 });
    expect(runs()).toBe(expected);
    // The connection that was struck carried nothing more.
    expect(proxy.links.length).toBeGreaterThan(1);
  });

  it.each<[string, () => Partial<Server>, string]>([
    ["F-25 a changed host key", () => ({ hostKey: ed25519Pair().public }), "the host key of web-1 changed"],
    ["F-26 a refused login", () => ({ user: "nobody-here" }), "web-1 refused our login"],
  ])("%s: one connection, nothing sent", async (_what, given, reason) => {
    const { command, runs } = counted();
    const proxy = await proxied();
    expect(shown(await execute(mode, reach(proxy.port, {}, given()), command))).toMatchObject(unreachable(reason));
    expect([proxy.links.length, runs()]).toEqual([1, 0]);
  });

  const special = async (...extra: string[]) => {
    const other = await jobSshd(file, folder, extra);
    if (other === undefined) throw new Error("sshd did not start again");
    const entry = entryOf(other);
    return { port: other.port, entry, ssh: client([entry], quick) };
  };

  it("F-27 MaxSessions 1: what is asked at once runs one after the other, each once", async () => {
    const how = await special("MaxSessions 1");
    const all = [counted(), counted(), counted()];
    const results = await Promise.all(all.map(({ command }) => execute(mode, how, command)));
    expect(results.map(shown)).toEqual([whole, whole, whole]);
    expect(all.map(({ runs }) => runs())).toEqual([1, 1, 1]);
  });

  it("F-27 MaxSessions 0: nothing was sent, and the setting is named", async () => {
    const { ending } = await execute(mode, await special("MaxSessions 0"), "true");
    expect(ending).toMatchObject({ kind: "unreachable", remedy: expect.stringContaining("MaxSessions") });
  });

  it("F-27 MaxStartups all taken: tried again, then told with the setting; once one is free it runs, once", async () => {
    const { port, ...how } = await special("PerSourceMaxStartups 1");
    const { command, runs } = counted();
    const held: net.Socket[] = [];
    cleanUp(async () => void held.at(-1)?.destroy());
    // sshd may count the connection that found it up for a moment longer.
    const hold = async (): Promise<string> => {
      const socket = net.connect(port, "127.0.0.1").on("error", () => undefined);
      held.push(socket);
      return new Promise((resolve) => socket.once("data", (said: Buffer) => resolve(said.toString())));
    };
    await expect.poll(hold).toMatch(/^SSH-/);
    const { ending } = await execute(mode, how, command);
    expect(ending).toMatchObject({ kind: "unreachable", remedy: expect.stringContaining("MaxStartups") });
    expect(runs()).toBe(0);
    held.at(-1)?.destroy();
    await expect.poll(async () => shown(await execute(mode, how, command))).toEqual(whole);
    expect(runs()).toBe(1);
  });

  /** Files may grow to so many kilobytes: what writes more is told so, as on a full disk. */
  const disk = (kilobytes: number): string =>
    `ForceCommand exec bash -c 'ulimit -f ${kilobytes}; trap "" XFSZ; eval "$SSH_ORIGINAL_COMMAND"'`;

  it("F-33 a disk full before: a job is not started, a direct command needs none", async () => {
    const result = await execute(mode, await special(disk(0)), "echo ran; exit 7");
    expect(shown(result)).toMatchObject(
      mode === "job" ? unreachable("nothing was started") : { ending: whole.ending, says: "ran\n" },
    );
  });

  it("F-33 a disk full during: the exit is known, and what a job has lost is said", async () => {
    const result = await execute(mode, await special(disk(8)), "head -c 100000 /dev/zero; exit 7");
    expect(result.ending).toEqual(whole.ending);
    if (mode === "job") expect(result.outputNote).toMatch(/^The server's disk was full: output after byte \d+ is lost/);
    else expect(result.capture.bytes).toBe(100_000);
  });
});
