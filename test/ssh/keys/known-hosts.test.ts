import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { knownAs, parseKnownHosts } from "../../../src/ssh/keys/host-keys.ts";
import { useFolder } from "../../harness/use-started.ts";
import { compareLookUps, found, key, keygen, numbersOf } from "../look-ups.ts";

const folder = useFolder();

describe("the name a file knows a host by", () => {
  it.each([
    [{ host: "Web1.Example.COM", port: 22 }, "web1.example.com"],
    [{ host: "web1", port: 2222 }, "[web1]:2222"],
    [{ host: "2001:db8::1", port: 22 }, "2001:db8::1"],
    [{ host: "2001:db8::1", port: 2222 }, "[2001:db8::1]:2222"],
    [{ host: "10.0.0.1", port: 2222, hostKeyAlias: "web1" }, "web1"],
  ])("SR-51 %j is %s", (server, name) => {
    expect(knownAs(server)).toBe(name);
  });
});

describe("parseKnownHosts", () => {
  it("SR-51 takes CRLF, tabs, indentation, comments behind a key and a last line without an end", () => {
    const text = `# comment\r\n\r\n  web1\t${key}\troot@web1 and more\r\n@revoked web1 ${key}\r\nweb1 ${key}`;
    expect(parseKnownHosts(text).map(({ line, marker }) => [line, marker])).toEqual([
      [3, undefined],
      [4, "revoked"],
      [5, undefined],
    ]);
  });

  it("SR-51 a pattern made to take for ever takes no time", () => {
    expect(numbersOf(`${"*a".repeat(2000)}b ${key}`, "a".repeat(4000))).toEqual([]);
  });
});

describe.runIf(keygen !== undefined)("beside ssh-keygen -F", () => {
  it("SR-51 a hundred generated look-ups find the same lines", { tags: ["long"] }, async () => {
    const { differences, hits } = await compareLookUps(100);
    expect(differences).toEqual([]);
    expect(hits).toBeGreaterThan(20);
  });

  it("SR-51 a file that ssh-keygen hashed is read as before", async () => {
    const file = join(folder, "hashed");
    writeFileSync(file, `web1,[web1]:2222 ${key}\n2001:db8::1 ${key}\n`);
    execFileSync(keygen as string, ["-H", "-f", file], { stdio: "ignore" });
    const text = execFileSync("cat", [file], { encoding: "utf8" });
    for (const name of ["web1", "[web1]:2222", "2001:db8::1", "web2"]) {
      expect(numbersOf(text, name)).toEqual(await found(file, name));
    }
  });
});
