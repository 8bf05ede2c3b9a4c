import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { Server } from "../../../src/base/server.ts";
import { isWindowsVersion, readWindowsExit } from "../../../src/ssh/windows/decode.ts";
import { wrap } from "../../../src/ssh/wrap.ts";
import { type FakeWindows, type Program, startFakeWindows } from "../fake-windows.ts";
import { createWorld, noCancel, run } from "../world.ts";

const { host, client } = createWorld();
const shells = ["cmd", "powershell"] as const;

interface Given {
  readonly defaultShell?: "cmd" | "powershell";
  readonly shell?: "cmd" | "powershell";
  readonly entry?: Partial<Server>;
  readonly listless?: boolean;
}

async function windows(program: Program, given: Given = {}): Promise<{ fake: FakeWindows; entry: Server }> {
  const { defaultShell = "cmd", shell = "powershell", listless = false } = given;
  const fake = await startFakeWindows(host, { defaultShell, program, listless });
  return { fake, entry: { ...fake.host.entry, os: "windows", shell, ...given.entry } };
}

const send = (entry: Server, command: string, signal = noCancel(), limits = {}) =>
  run(client([entry], limits), entry, wrap(entry, command, "windows"), signal);

const textOf = ({ capture }: { capture: { head: Uint8Array; tail: Uint8Array } }): string =>
  Buffer.concat([capture.head, capture.tail]).toString();

describe.each(shells)("a command on Windows where the DefaultShell is %s", (defaultShell) => {
  it.each(shells)("AR-06 SR-53 reaches %s as it was classified, whatever it holds", async (shell) => {
    const texts = ['findstr "a&b" x | more', "echo %PATH% $(whoami) ^& 'it''s' ‘so’", 'dir "C:\\Program Files\\"'];
    const got: string[] = [];
    const { fake, entry } = await windows(
      async (text, { shell: by }) => {
        got.push(`${by}: ${text}`);
        return { code: 0 };
      },
      { defaultShell, shell },
    );
    for (const text of texts) {
      expect((await send(entry, text)).ending).toEqual({ kind: "exited", code: 0 });
    }
    expect(got).toEqual(texts.map((text) => `${shell}: ${text}`));
    expect(fake.started).toHaveLength(texts.length);
  });

  it.each([
    [0, { kind: "exited", code: 0 }],
    [5, { kind: "exited", code: 5 }],
    [3010, { kind: "exited", code: 3010 }],
    [0xffffffff, { kind: "exited", code: -1 }],
    [0xc000013a, { kind: "signalled", signal: "CTRL_C" }],
    [0xc0000005, { kind: "signalled", signal: "ACCESS_VIOLATION" }],
  ])("AR-06 a native program's exit code %i comes through both shells", async (code, ending) => {
    for (const shell of shells) {
      const { entry } = await windows(async () => ({ code }), { defaultShell, shell });
      expect((await send(entry, "native.exe")).ending).toEqual(ending);
    }
  });

  it("AR-06 a cmdlet that fails is exit 1, and a failure that was overcome is 0", async () => {
    const failed = await windows(async () => ({ code: 0, ok: false }), { defaultShell });
    expect((await send(failed.entry, "Get-Item nothing")).ending).toEqual({ kind: "exited", code: 1 });
    const overcome = await windows(async () => ({ code: 7, ok: true }), { defaultShell });
    expect((await send(overcome.entry, "native.exe; Get-Date")).ending).toEqual({ kind: "exited", code: 0 });
  });

  it("AR-06 a probe knows Windows by its version", async () => {
    const { fake, entry } = await windows(async () => ({ code: 0 }), { defaultShell, entry: { os: "auto" } });
    expect(await client([entry]).probe(entry)).toMatchObject({ ok: true, os: "windows" });
    expect(fake.host.seen.commands).toEqual(["uname -s"]);
  });

  it("SR-54 F-29 a cancel ends the program and all below it by taskkill, and looks again", async () => {
    const cancel = new AbortController();
    const { fake, entry } = await windows(
      async (_, { channel, start, ended }) => {
        start("robocopy.exe");
        channel.write("copying\r\n");
        setTimeout(() => cancel.abort("mona"), 50);
        await ended;
        return { code: 1 };
      },
      { defaultShell },
    );
    const { ending } = await send(entry, "robocopy a b", cancel.signal);
    expect(ending).toEqual({ kind: "cancelled", by: "mona", note: "stopped by KILL; no process left" });
    expect(fake.processes()).toEqual(["services.exe", "sshd.exe", "sshd-session.exe"]);
    expect(fake.started.join("\n")).not.toMatch(/robocopy/);
    expect(fake.started[2]).toMatch(/^taskkill\.exe \/PID \d+ \/T \/F$/);
  });
});

describe("ending a command on Windows", () => {
  it("F-30 what taskkill could not end is named", { tags: ["long"] }, async () => {
    const cancel = new AbortController();
    let pid = 0;
    const { entry } = await windows(async (_, { start, ended }) => {
      pid = start("driver.exe", { stubborn: true });
      setTimeout(() => cancel.abort("mona"), 50);
      await ended;
      return { code: 1 };
    });
    const { ending } = await send(entry, "x", cancel.signal);
    expect(ending).toMatchObject({
      kind: "cancelled",
      note: `stopped by KILL; still running: pid ${pid} (driver.exe)`,
    });
  });

  it("F-29 where the processes cannot be listed nothing is claimed", async () => {
    const cancel = new AbortController();
    const { entry } = await windows(
      async (_, { ended }) => {
        setTimeout(() => cancel.abort("mona"), 50);
        await ended;
        return { code: 1 };
      },
      { listless: true },
    );
    const { ending } = await send(entry, "x", cancel.signal);
    expect(ending).toMatchObject({
      kind: "cancelled",
      note: "signals were sent, and it did not end; not verified: the server did not list its processes",
    });
  });

  it("SR-54 the hard limit ends a command of its connection, and not its neighbour", { tags: ["long"] }, async () => {
    const { entry, fake } = await windows(async (text, { channel, ended }) => {
      const over = await Promise.race([ended.then(() => true), new Promise((go) => setTimeout(go, 1_500, false))]);
      if (!over) channel.write(`${text} went on\r\n`);
      return { code: over ? 1 : 0 };
    });
    const ssh = client([entry]);
    const neighbour = run(ssh, entry, wrap(entry, "slow", "windows"));
    await expect.poll(() => fake.started.length).toBe(1);
    const limited = { ...entry, hardTimeoutMs: 100 };
    const { ending } = await run(ssh, limited, wrap(limited, "stuck", "windows"));
    expect(ending).toMatchObject({ kind: "timed-out", note: expect.stringContaining("no process left") });
    expect(textOf(await neighbour)).toBe("slow went on\r\n");
  });

  it("AR-07 a pager is paged through on a terminal; without one, where no key can reach it, it is told", async () => {
    const paged: Program = async (_, { channel, ended }) => {
      const left = new Promise<string>((resolve) => channel.on("data", (key: Buffer) => resolve(key.toString())));
      channel.write("Name  Id\r\n<SPACE> next page; <CR> next line; Q quit");
      const key = await Promise.race([left, ended.then(() => "ended")]);
      return { code: key === " " ? 0 : 1 };
    };
    const tty = await windows(paged, { entry: { tty: true } });
    expect((await send(tty.entry, "gps | Out-Host -Paging")).ending).toEqual({ kind: "exited", code: 0 });
    const none = await windows(paged);
    expect((await send(none.entry, "gps | Out-Host -Paging")).ending).toEqual({
      kind: "waiting-for-input",
      asks: "<SPACE> next page; <CR> next line; Q quit",
    });
  });
});

describe("what is sent to Windows, and what comes back", () => {
  it("AR-06 a command made for Linux is not sent to a server that says it runs Windows", async () => {
    const { fake, entry } = await windows(async () => ({ code: 0 }), { entry: { os: "auto" } });
    const { ending } = await run(client([entry]), entry, wrap(entry, "df -h", "linux"));
    expect(ending).toMatchObject({ kind: "unreachable", remedy: expect.stringContaining("os: windows") });
    expect(fake.host.seen.commands).toEqual([]);
  });

  it("a line longer than Windows takes is not sent", async () => {
    const { fake, entry } = await windows(async () => ({ code: 0 }));
    const { ending } = await send(entry, `echo ${"x".repeat(4_000)}`);
    expect(ending).toMatchObject({ kind: "unreachable", reason: expect.stringContaining("too long for web-1") });
    expect(fake.host.seen.commands).toEqual([]);
  });

  it("SR-54 an output in a code page is given as UTF-8, with the hash of the bytes that came", async () => {
    const sent = Buffer.from("Gr\x94\xe1e von C:\\Users\\M\x81ller\r\n", "latin1");
    const { entry } = await windows(async (_, { channel }) => {
      channel.write(sent);
      return { code: 0 };
    });
    const result = await send(entry, "dir");
    expect(textOf(result)).toBe("Größe von C:\\Users\\Müller\r\n");
    expect(result.capture).toMatchObject({
      bytes: sent.length,
      sha256: createHash("sha256").update(sent).digest("hex"),
    });
  });
});

describe("isWindowsVersion", () => {
  it.each([
    ["OpenSSH_for_Windows_9.5", true],
    ["OpenSSH_for_Windows_7.7", true],
    ["OpenSSH_9.2p1", false],
    ["dropbear_2022.83", false],
    ["", false],
  ])("AR-06 %j: %s", (version, is) => expect(isWindowsVersion(version)).toBe(is));
});

describe("readWindowsExit", () => {
  it.each([
    [{ code: 255 }, { code: 255 }],
    [{ code: 0x7fffffff }, { code: 2147483647 }],
    [{ code: 0x80004005 }, { code: -2147467259 }],
    [{ code: 0xc0000999 }, { signal: "0xC0000999" }],
    [{ signal: "TERM" }, { signal: "TERM" }],
  ])("%j is %j", (told, is) => expect(readWindowsExit(told)).toEqual(is));
});
