import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, it, vi } from "vitest";
import { wrap } from "../../src/ssh/wrap.ts";
import { cleanBytes } from "../../src/text/read/clean.ts";
import type { Play } from "./fake-host.ts";
import { saying } from "./fake-host.ts";
import { cancelledJob } from "./job-host.ts";
import { createWorld, exits, noCancel, run } from "./world.ts";

const { host, client } = createWorld();

describe("what is sent", () => {
  it("SR-53 the server receives exactly the bytes that were wrapped", async () => {
    const fake = await host(exits(0));
    const command = "printf '%s' 'it''s' \"$HOME\" `x` \\\\ \t é 漢 🙂\nsecond line";
    const wrapped = wrap(fake.entry, command, "linux");
    await run(client([fake.entry]), fake.entry, wrapped);
    const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
    expect(fake.seen.commands.map(sha256)).toEqual([sha256(wrapped)]);
  });

  it("SR-52 asks for no terminal, no environment and no forwarding unless the entry says `tty: true`", async () => {
    const fake = await host(exits(0));
    const ssh = client([fake.entry]);
    await run(ssh, fake.entry);
    expect(fake.seen.requests).toEqual([]);
    await run(ssh, { ...fake.entry, tty: true });
    expect(fake.seen.requests).toEqual(["pty"]);
  });

  it("a connection is kept for the next command and its key's fingerprint stands in each result", async () => {
    const fake = await host(exits(0));
    const ssh = client([fake.entry]);
    const first = await run(ssh, fake.entry);
    const second = await run(ssh, fake.entry);
    expect(fake.seen.connections).toBe(1);
    expect(first.hostKey).toMatch(/^SHA256:[A-Za-z0-9+/]{43}$/);
    expect(second.hostKey).toBe(first.hostKey);
  });

  it("an unused connection is closed after its idle time and opened anew", async () => {
    const fake = await host(exits(0));
    const ssh = client([fake.entry], { idleMs: 20 });
    await run(ssh, fake.entry);
    await sleep(200);
    await run(ssh, fake.entry);
    expect(fake.seen.connections).toBe(2);
  });
});

describe("when it is sent", () => {
  it("SR-24 a command that gets no session in time is never sent, and what runs there goes on", async () => {
    const free = Promise.withResolvers<void>();
    const fake = await host(async (_command, { channel }) => {
      await free.promise;
      channel.write("done");
      return 0;
    });
    const ssh = client([fake.entry], { sessionsPerConnection: 1, waitMs: 200 });
    const first = run(ssh, fake.entry, "first");
    await expect.poll(() => fake.seen.commands).toEqual(["first"]);
    const second = await run(ssh, fake.entry, "second");
    expect(second.ending).toMatchObject({ kind: "unreachable", reason: expect.stringContaining("nothing was run") });
    free.resolve();
    expect((await first).ending).toEqual({ kind: "exited", code: 0 });
    expect((await run(ssh, fake.entry, "third")).ending).toEqual({ kind: "exited", code: 0 });
    expect(fake.seen.commands).toEqual(["first", "third"]);
  });
});

describe("when the bot or its machine stood still before it was sent", () => {
  afterEach(() => vi.useRealTimers());

  it.each([
    ["in its session", { mode: "direct" }],
    ["as a job", { mode: "job", jobId: "0123456789abcdef" }],
  ] as const)("SR-24 F-35 a command %s is not sent hours after it was approved", async (_, how) => {
    const fake = await host(exits(0));
    const ssh = client([fake.entry]);
    const reservation = await ssh.reserve({ server: fake.entry, wrapped: "late", ...how }, noCancel());
    vi.useFakeTimers({ toFake: ["Date"] });
    const asOf = Date.now();
    // No timer has gone on meanwhile.
    vi.setSystemTime(asOf + 3_600_000);
    expect(reservation.send(asOf, {})).toBe("stale");
    reservation.release();
    expect(fake.seen.commands).toEqual([]);
  });
});

describe("when the clock was set between the last look and the write", () => {
  afterEach(() => vi.restoreAllMocks());

  it.each([
    ["forward", 3_600_000],
    ["back", -3_600_000],
  ])("SR-24 F-36 nothing is sent on what that clock cannot tell the age of: %s", async (_, byMs) => {
    const fake = await host(exits(0));
    const ssh = client([fake.entry]);
    const reservation = await ssh.reserve({ server: fake.entry, wrapped: "late" }, noCancel());
    const asOf = Date.now();
    vi.spyOn(Date, "now")
      .mockReturnValueOnce(asOf)
      .mockReturnValue(asOf + byMs);
    expect(await reservation.send(asOf, {})).toMatchObject({ ending: { kind: "unreachable" } });
    expect(fake.seen.commands).toEqual([]);
  });
});

describe("how a command ended", () => {
  it("F-32 an exit by signal is told as that signal, not as a code", async () => {
    const fake = await host(async () => ({ signal: "KILL" }));
    expect((await run(client([fake.entry]), fake.entry)).ending).toEqual({ kind: "signalled", signal: "SIGKILL" });
  });

  it("F-28 a connection reset in the middle of the output is unknown and keeps what was read", async () => {
    const fake = await host(async (_command, { channel, reset }) => {
      channel.write("half of it", () => setTimeout(reset, 50));
      return "silence";
    });
    const result = await run(client([fake.entry]), fake.entry);
    expect(result.ending).toMatchObject({
      kind: "unknown",
      reason: expect.stringMatching(/^the connection to web-1 was lost/),
    });
    expect(Buffer.from(result.capture.head).toString()).toBe("half of it");
  });

  it("RR-13 F-28 a link that goes dark is found by keepalives, and the outcome is unknown", async () => {
    const fake = await host(async (_command, { goDark }) => {
      goDark();
      return "silence";
    });
    const ssh = client([fake.entry], { keepaliveMs: 30, keepaliveCount: 3 });
    expect((await run(ssh, fake.entry)).ending).toEqual({
      kind: "unknown",
      reason: "the connection to web-1 was lost (it stopped answering) before the command's end was told",
    });
  });

  it("a background child that writes for ever ends with the hard limit, and the command's own exit stands", async () => {
    const fake = await host(async (_command, { channel }) => {
      const chatter = setInterval(() => channel.write("tick"), 20);
      channel.once("close", () => clearInterval(chatter));
      channel.exit(0);
      return "silence";
    });
    const { ending } = await run(client([fake.entry]), { ...fake.entry, hardTimeoutMs: 200 });
    expect(ending).toEqual({ kind: "exited", code: 0 });
  });

  it("a channel closed without an exit is unknown, never exit 0", async () => {
    const fake = await host(async (_command, { channel }) => {
      channel.end();
      return "silence";
    });
    expect((await run(client([fake.entry]), fake.entry)).ending).toEqual({
      kind: "unknown",
      reason: "web-1 closed the session before the command's end was told",
    });
  });

  it.each([
    ["F-27 a reset while the session opens is unreachable: nothing was sent", "session", "unreachable", 0],
    ["F-27 a reset after the request went out is unknown", "exec", "unknown", 1],
  ] as const)("%s", async (_title, resetAt, kind, sent) => {
    const fake = await host(exits(0), { resetAt });
    let told = 0;
    const { ending } = await run(client([fake.entry]), fake.entry, "true", noCancel(), () => told++);
    expect({ kind: ending.kind, told, received: fake.seen.commands.length }).toEqual({
      kind,
      told: sent,
      received: sent,
    });
  });

  it("RR-13 a server that opens no session in time is unreachable", async () => {
    const fake = await host(exits(0), { muteAt: "session" });
    const { ending } = await run(client([fake.entry]), fake.entry);
    expect(ending).toMatchObject({ kind: "unreachable", reason: expect.stringContaining("nothing was run") });
    expect(fake.seen.commands).toEqual([]);
  });

  it("a request that is never confirmed is unknown at the hard limit", async () => {
    const fake = await host(exits(0), { muteAt: "exec" });
    const { ending } = await run(client([fake.entry]), { ...fake.entry, hardTimeoutMs: 100 });
    expect(ending).toEqual({ kind: "unknown", reason: "web-1 did not answer before it confirmed the command" });
  });

  /** A pager: first what it begins with, then a page for each key until one is `q`. Its exit code counts the keys. */
  const paging =
    (first: string, page: (number: number) => string): Play =>
    (_command, { channel }) => {
      let typed = 0;
      channel.write(first);
      return new Promise((resolve) =>
        channel.on("data", (key: Buffer) => {
          typed += 1;
          if (key.toString() === "q") resolve(typed);
          else channel.write(page(typed));
        }),
      );
    };
  const onTerminal = async (play: Play) => {
    const fake = await host(play);
    const { ending, capture, outputNote } = await run(client([fake.entry]), { ...fake.entry, tty: true });
    return { ending, text: cleanBytes(Buffer.concat([capture.head, capture.tail])), outputNote };
  };

  it("AR-07 on a terminal that less does not know its warning is passed, and the data is the output", async () => {
    const warning = "WARNING: terminal is not fully functional\r\nPress RETURN to continue ";
    const pages = ["one\r\n/etc/services", "\rtwo\r\n:", "\r\r\nthree\r\n(END)"];
    const went = await onTerminal(paging(warning, (number) => pages[number - 1] ?? ""));
    expect(went.text).toBe("WARNING: terminal is not fully functional\none\ntwo\n\nthree\n");
    expect(went).toMatchObject({ ending: { kind: "exited", code: 4 }, outputNote: undefined });
  });

  it("AR-07 AR-14 a pager without end is left after twenty pages, and the output says so", {
    tags: ["long"],
  }, async () => {
    const went = await onTerminal(paging("page 0\r\nlines 1-23", (number) => `\rpage ${number}\r\nlines 1-23`));
    expect(went.ending).toEqual({ kind: "exited", code: 21 });
    expect(went.text).toContain("page 20");
    expect(went.outputNote).toBe("The pager was left after page 21. Without it the command shows the rest.");
  });

  it("AR-07 a pager that takes no key but q is left at once", async () => {
    const went = await onTerminal(paging("page 0\r\n--More--", () => ""));
    expect(went.ending).toEqual({ kind: "exited", code: 2 });
  });

  it("AR-07 with a terminal a question ends the run and is told", async () => {
    const fake = await host(async (command, { channel, over }) => {
      if (command.startsWith("exec sh")) return 127;
      channel.write("[sudo] password for ops: ");
      return { signal: await over };
    });
    const { ending } = await run(client([fake.entry]), { ...fake.entry, tty: true });
    expect(ending).toEqual({ kind: "waiting-for-input", asks: "[sudo] password for ops:" });
  });
});

describe("cancel and callbacks", () => {
  it("F-30 a command that ignores every signal is not called stopped", async () => {
    const fake = await host(async (command) => (command.startsWith("exec sh") ? 127 : "silence"));
    const { ending } = await run(client([fake.entry]), { ...fake.entry, hardTimeoutMs: 50 });
    expect(ending).toMatchObject({ kind: "timed-out", afterMs: 50, note: expect.stringContaining("it did not end") });
  });

  it("F-30 a job's stop that is cut off in the midst of its answer is asked for again, and that answer counts", async () => {
    const fake = await host(
      async (_command, { channel }) => {
        channel.write("a line\n");
        return "silence";
      },
      { cutsFirstKill: true },
    );
    const cancelled = await cancelledJob({ ssh: client([fake.entry]), entry: fake.entry }, "tail -f log");
    expect(cancelled.ending).toMatchObject({ kind: "cancelled", note: "stopped by TERM; no process left" });
    expect(fake.seen.commands.filter((command) => / kill \w+ \d+$/.test(command))).toHaveLength(2);
  });

  it("a cancel before the request is out sends nothing", async () => {
    const fake = await host(exits(0), { muteAt: "session" });
    const ssh = client([fake.entry], { openMs: 5_000 });
    const cancel = new AbortController();
    const result = run(ssh, fake.entry, "true", cancel.signal);
    await expect.poll(() => fake.seen.authentications).toBeGreaterThan(0);
    cancel.abort("lee");
    expect((await result).ending).toEqual({ kind: "cancelled", by: "lee", note: "it had not been started" });
    expect(fake.seen.commands).toEqual([]);
  });

  it("an exception in onOutput or onSent hurts neither the run nor its neighbours", async () => {
    const fake = await host(saying("out"));
    const bad = (): never => {
      throw new Error("the caller's bug");
    };
    const watch = { signal: noCancel(), onOutput: bad, onSent: bad };
    const result = await client([fake.entry]).exec({ server: fake.entry, wrapped: "x" }, watch);
    expect([result.ending, result.capture.bytes]).toEqual([{ kind: "exited", code: 0 }, 3]);
  });
});
