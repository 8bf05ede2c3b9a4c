import { describe, expect, it } from "vitest";
import type { Server } from "../../src/base/server.ts";
import { readOs } from "../../src/ssh/run.ts";
import { server } from "./inventory-entry.ts";
import { createWorld } from "./world.ts";

const { host, client } = createWorld();

describe("readOs", () => {
  it.each([
    ["Linux\n", "linux"],
    ["Welcome to web-1\nLinux\n", "linux"],
    ["Darwin\n", "linux"],
    ["FreeBSD\n", "linux"],
    ["MINGW64_NT-10.0-20348\n", "windows"],
    ["\r\nMicrosoft Windows [Version 10.0.20348.2340]\r\n", "windows"],
    ["", undefined],
    ["'uname' is not recognized as an internal or external command", undefined],
    ["This account is currently not available.\n", undefined],
  ])("AR-06 reads %j as %s", (answer, os) => {
    expect(readOs(answer)).toBe(os);
  });
});

describe("probe", () => {
  it("AR-06 finds Windows by its second question", async () => {
    const fake = await host(async (command, { channel }) => {
      if (command === "uname -s") return 1;
      channel.write("\r\nMicrosoft Windows [Version 10.0.20348]\r\n");
      return 0;
    });
    const entry: Server = { ...fake.entry, os: "auto" };
    expect(await client([entry]).probe(entry)).toMatchObject({ ok: true, os: "windows" });
    expect(fake.seen.commands).toEqual(["uname -s", "cmd.exe /c ver"]);
  });

  it("a server that cannot be reached gives its reason and remedy", async () => {
    const entry = server({ hostKey: "nonsense" });
    expect(await client([entry]).probe(entry)).toEqual({
      ok: false,
      reason: "host_key of web-1 is no public key",
      remedy: 'write it as `host_key: "ssh-ed25519 AAAA…"`',
    });
  });
});
