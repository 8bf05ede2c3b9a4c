import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import type { Server } from "../../src/base/server.ts";
import { parseConfig } from "../../src/config/load.ts";
import { readOptions } from "../../src/config/servers.ts";
import { missing } from "../harness/missing.ts";
import { useFolder } from "../harness/use-started.ts";
import { createClients, run, sshdFor, text } from "../ssh/real-host.ts";
import { env } from "./operator.ts";

const folder = useFolder();
const at = (name: string): string => join(folder, name);

/** The inventory that these lines below `servers:` make, or the problems they have. */
function inventory(lines: string): { servers: Readonly<Record<string, Server>>; problems: readonly string[] } {
  const parsed = parseConfig(`servers:\n${lines.replace(/^/gm, "  ")}\n`, at("countersign.yml"), env);
  return parsed.ok
    ? { servers: Object.fromEntries(parsed.config.servers), problems: [] }
    : { servers: {}, problems: parsed.problems.map(({ message, remedy }) => `${message} → ${remedy}`) };
}

const config = (text: string): void => writeFileSync(at("ssh_config"), text);
const key = (name: string): string => {
  writeFileSync(at(name), "", { mode: 0o600 });
  return at(name);
};

const hasSsh = ["/usr/bin/ssh", "/usr/local/bin/ssh", "/opt/homebrew/bin/ssh"].some((path) => existsSync(path));
if (!hasSsh) missing("ssh", "test/config/servers.test.ts read no ssh_config (apt install openssh-client)");

describe("readOptions", () => {
  it("reads what ssh -G prints; `none` is nothing, `~` and tokens are filled in", () => {
    const printed = [
      "user ops",
      "hostname 10.0.0.11",
      "port 2222",
      "identityfile ~/.ssh/id_%r",
      "identityfile /keys/%h%%",
      "userknownhostsfile ~/.ssh/a /b",
      "proxyjump none",
      "hostkeyalias web1",
    ].join("\n");
    expect(readOptions(printed)).toEqual({
      user: "ops",
      hostName: "10.0.0.11",
      port: 2222,
      identityFiles: [join(homedir(), ".ssh/id_ops"), "/keys/10.0.0.11%"],
      identityAgent: undefined,
      knownHostsFiles: [join(homedir(), ".ssh/a"), "/b"],
      hostKeyAlias: "web1",
      jumps: [],
      proxyCommand: undefined,
    });
  });
});

describe("a server with a signer", () => {
  const signing = "signing: { ca_key_file: ca, record_file: r, source_addresses: [10.0.0.2], app_user: 7 }";
  const problemsOf = (entry: string, more = signing): readonly string[] => {
    const text = `servers:\n  web-1: { host: 10.0.0.5, user: ops, signer: true, ${entry} }\n${more}\n`;
    const parsed = parseConfig(text, at("countersign.yml"), env);
    return parsed.ok ? [] : parsed.problems.map(({ message }) => message);
  };

  const fits = "backend: openssh, os: linux";

  it("SR-72 needs no key, in the signer's file and in a bot's that says where the signer is asked", () => {
    expect(problemsOf(fits)).toEqual([]);
    expect(problemsOf(fits, "signer: { socket: door }")).toEqual([]);
    expect(
      problemsOf(
        fits,
        `signer: { address: "signer.acme.example:7443", fingerprints: [${"a".repeat(64)}], cert_file: c, key_file: k }`,
      ),
    ).toEqual([]);
    expect(problemsOf(fits, "")).toEqual(["`web-1` takes only certificates, and the file names no signer"]);
  });

  it.each([
    ["{}", ["says not one place where the signer is asked"]],
    [
      '{ socket: door, address: "a:1", fingerprints: [], cert_file: c, key_file: k }',
      ["says not one place where the signer is asked", "`signer.fingerprints` is missing"],
    ],
    ['{ address: "a:1", cert_file: c }', ["`signer.key_file` is missing", "`signer.fingerprints` is missing"]],
    ["{ socket: door, key_file: k }", ["`key_file` means nothing without `address`"]],
    ["{ socket: door, fingerprints: [aa] }", ['`signer.fingerprints.0` ("aa") is no SHA-256: 64 digits 0-9 a-f']],
    [`{ socket: door }\n${signing}`, ["`signer` is the bot's, and `signing` makes this the signer's own file"]],
  ])("SR-72 a bot's `signer: %s` is refused", (section, problems) => {
    expect(problemsOf(fits, `signer: ${section}`)).toEqual(problems);
  });

  it("SR-72 is no jump host", () => {
    const other = "  web-2: { host: 10.0.0.6, user: ops, agent: true, jump: web-1 }";
    expect(problemsOf(`${fits} }\n${other.replace(/ \}$/, "")}`)).toEqual([
      "`web-1` takes only certificates for one command each, so it is no jump host",
    ]);
  });

  it.each([
    ["os: linux", /backend: openssh/],
    ["backend: openssh", /os: linux/],
    ["backend: openssh, os: windows", /os: linux/],
    ["backend: openssh, os: linux, tty: true", /no `tty`/],
    ["backend: openssh, os: linux, jump: web-1", /no jump host/],
  ])("SR-72 with `%s` it is refused", (entry, words) => {
    expect(problemsOf(entry).join("; ")).toMatch(words);
  });
});

describe.runIf(hasSsh)("a server with ssh_config", () => {
  beforeEach(() =>
    config(`
Host web
  HostName 10.0.0.11
  Port 2222
  User ops
  IdentityFile ${key("id_web")}
  UserKnownHostsFile ${at("known1")} ${at("known2")}
  HostKeyAlias web1.example.com
Host far
  HostName 10.1.0.1
  User ops
  IdentityFile ${at("id_web")}
  ProxyJump one,root@two:2200
Host one
  HostName 192.0.2.1
  IdentityFile ${at("id_web")}
Host two
  HostName 192.0.2.2
  IdentityFile ${at("id_web")}
  User somebody
Host nested
  HostName 10.1.0.2
  IdentityFile ${at("id_web")}
  ProxyJump hop
Host hop
  HostName 192.0.2.3
  IdentityFile ${at("id_web")}
  ProxyJump one
Host agent
  IdentityAgent ${at("agent.sock")}
Host command
  ProxyCommand nc %h %p
`),
  );

  it("gets address, port, user, key, known_hosts and alias from it, bound by value", () => {
    const { servers } = inventory(`web-1: { host: web, ssh_config: ./ssh_config }`);
    expect(servers["web-1"]).toMatchObject({
      host: "10.0.0.11",
      port: 2222,
      user: "ops",
      keyFile: at("id_web"),
      agent: false,
      knownHostsFile: [at("known1"), at("known2")],
      hostKeyAlias: "web1.example.com",
      sshConfig: { file: at("ssh_config"), host: "web" },
    });
  });

  it("what countersign.yml says wins", () => {
    const own = key("own");
    const lines = `web-1: { host: web, ssh_config: ./ssh_config, port: 22, user: me, key_file: ./own, known_hosts_file: ./k, host_key_alias: w }`;
    expect(inventory(lines).servers["web-1"]).toMatchObject({
      host: "10.0.0.11",
      port: 22,
      user: "me",
      keyFile: own,
      knownHostsFile: at("k"),
      hostKeyAlias: "w",
    });
  });

  it("several hops become servers, each through the one before, which no repository can name", () => {
    const { servers } = inventory(`db-1: { host: far, ssh_config: ./ssh_config }`);
    const way = Object.values(servers).map(({ name, host, port, user, jump }) => [name, host, port, user, jump]);
    expect(way).toEqual([
      ["db-1", "10.1.0.1", 22, "ops", "one,root@two:2200"],
      ["one", "192.0.2.1", 22, expect.any(String), undefined],
      ["one,root@two:2200", "192.0.2.2", 2200, "root", "one"],
    ]);
    expect(servers.one?.groups).toEqual([]);
  });

  it("a hop's own ProxyJump is gone through first, and two servers share their way", () => {
    const lines = `a: { host: nested, ssh_config: ./ssh_config }\nb: { host: nested, ssh_config: ./ssh_config }`;
    const { servers } = inventory(lines);
    expect(Object.values(servers).map(({ name, jump }) => [name, jump])).toEqual([
      ["a", "one,hop"],
      ["b", "one,hop"],
      ["one", undefined],
      ["one,hop", "one"],
    ]);
  });

  it("a hop that is in the inventory is that server", () => {
    const own = `one: { host: 198.51.100.9, user: jump, key_file: ${key("own")} }`;
    const { servers } = inventory(`${own}\nc: { host: hop, ssh_config: ./ssh_config }`);
    expect(servers.c?.jump).toBe("one");
    expect(servers.one?.host).toBe("198.51.100.9");
  });

  it("an agent that it names is used", () => {
    expect(inventory(`a: { host: agent, ssh_config: ./ssh_config }`).servers.a).toMatchObject({
      agent: true,
      agentSocket: at("agent.sock"),
    });
  });

  it("a ProxyCommand is refused with the backend that can, which then takes it", () => {
    expect(inventory(`a: { host: command, agent: true, ssh_config: ./ssh_config }`).problems).toEqual([
      expect.stringMatching(/ProxyCommand for command.* → write `backend: openssh`/),
    ]);
    const lines = `a: { host: command, agent: true, ssh_config: ./ssh_config, backend: openssh }`;
    expect(inventory(lines).problems).toEqual([]);
  });

  it.each(["Match exec", "match host a !exec", "Match   originalhost=x exec"])(
    "`%s` is refused before its program can run, also in an included file",
    (head) => {
      writeFileSync(at("more.conf"), `${head} "touch ${at("ran")}"\n  User evil\n`);
      config(`Include ${at("*.conf")}\nHost *\n  User ops\n`);
      expect(inventory(`a: { host: web, agent: true, ssh_config: ./ssh_config }`).problems).toEqual([
        expect.stringMatching(/`Match exec`.* → write `backend: openssh`/),
      ]);
      expect(existsSync(at("ran"))).toBe(false);
      rmSync(at("more.conf"));
    },
  );

  it.each([
    ["a file that is not there", "./nowhere", "web", "cannot be read"],
    ["a name that is an option", "./ssh_config", "-oProxyCommand=id", "is not a plain name"],
  ])("%s is a problem with its place", (_what, file, host, says) => {
    expect(inventory(`a: { host: "${host}", agent: true, ssh_config: ${file} }`).problems).toEqual([
      expect.stringContaining(says),
    ]);
  });

  it("a broken file is told in ssh's own words", () => {
    config("Host web\n  Nonsense yes\n");
    expect(inventory(`a: { host: web, agent: true, ssh_config: ./ssh_config }`).problems).toEqual([
      expect.stringMatching(/ssh -G cannot read .*[Bb]ad configuration option: nonsense/),
    ]);
  });

  it("without ssh_config a user must be written", () => {
    expect(inventory(`a: { host: web, agent: true }`).problems).toEqual([
      expect.stringContaining("a.user` is missing"),
    ]);
  });
});

const sshd = await sshdFor("test/config/servers.test.ts");
const { client } = createClients();

describe.runIf(sshd !== undefined)("over a real sshd", () => {
  it.each(["ssh2", "openssh"])(
    "two servers behind two hops share the hops' connections (backend %s)",
    { tags: ["long"] },
    async (backend) => {
      if (sshd === undefined) return;
      const { port, user, clientKeyFile, knownHostsFile, logFile } = sshd;
      const logins = (): number => readFileSync(logFile, "utf8").match(/Accepted publickey/g)?.length ?? 0;
      const common = `\n  HostName 127.0.0.1\n  Port ${port}\n  User ${user}\n  IdentityFile ${clientKeyFile}\n  UserKnownHostsFile ${knownHostsFile}\n`;
      config(
        `${["one", "two"].map((name) => `Host ${name}${common}`).join("")}Host far*${common}  ProxyJump one,two\n`,
      );
      const lines = ["a", "b"].map(
        (name) => `${name}: { host: far-${name}, ssh_config: ./ssh_config, backend: ${backend} }`,
      );
      const { servers, problems } = inventory(lines.join("\n"));
      expect(problems).toEqual([]);
      const ssh = client(Object.values(servers));
      const before = logins();
      for (const entry of [servers.a, servers.b]) {
        if (entry === undefined) throw new Error("a server is missing");
        expect(text(await run({ ssh, entry }, "echo through"))).toBe("through\n");
      }
      expect(logins() - before).toBe(4);
    },
  );
});
