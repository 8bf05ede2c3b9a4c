import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { fromMarkdown } from "mdast-util-from-markdown";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { freePort } from "../../demo/free-port.ts";
import { createThread, openIssue } from "../../demo/thread.ts";
import { type EmulatedGitHub, startGitHub } from "../../emulator/start.ts";
import { environment } from "../../src/config/load.ts";
import { missing } from "../harness/missing.ts";
import { packInto } from "../harness/package.ts";
import { startSshd } from "../harness/sshd.ts";

/**
 * A new operator's path, from README.md alone: every command, file and comment is taken out of its section "Install for real", in
 * its order, and run in a fresh folder with an empty home. What an operator puts in place of the page's names, and the address of
 * the emulated GitHub (the page's own GitHub Enterprise option), is `ours` below, and nothing else is.
 */

const root = fileURLToPath(new URL("../..", import.meta.url));
const repo = "acme/oncall";
const secret = "4f1c9b7d2e6a80359c4b1f7e8d2a6053b9c7e1f4a8d25b60";

/** The code blocks of a section, in their order. */
function blocksOf(page: string, title: string): readonly { readonly lang: string; readonly value: string }[] {
  const { children } = fromMarkdown(page);
  const isHeading = (node: (typeof children)[number]) => node.type === "heading" && node.depth === 2;
  const from = children.findIndex(
    (node) => isHeading(node) && page.startsWith(`## ${title}\n`, node.position?.start.offset),
  );
  const to = children.findIndex((node, index) => index > from && isHeading(node));
  return children
    .slice(from, to)
    .flatMap((node) => (node.type === "code" ? [{ lang: node.lang ?? "", value: node.value }] : []));
}

const sshd = await startSshd();
if ("missing" in sshd) missing("sshd", `the README's way to a first incident was not gone: ${sshd.missing}`);

describe.runIf(!("missing" in sshd))("a new operator with README.md and nothing else", () => {
  const folder = mkdtempSync(join(tmpdir(), "countersign-operator-"));
  const place = join(folder, "empty");
  const readme = readFileSync(join(root, "README.md"), "utf8");
  const blocks = blocksOf(readme, "Install for real");
  const began = performance.now();
  const times: string[] = [];
  let github: EmulatedGitHub;
  let ours: (text: string) => string;
  let bot: ChildProcess | undefined;
  let url: string;
  let log = "";

  /** The page's next block, which must be of that kind. */
  let next = 0;
  const take = (lang: string): string => {
    const block = blocks[next++];
    if (block?.lang !== lang) throw new Error(`block ${next} of the section is ${block?.lang}, not ${lang}`);
    return ours(block.value);
  };
  const outer = (key: string): string =>
    execFileSync("npm", ["config", "get", key], {
      cwd: root,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    }).trim();
  const env = {
    ...environment(),
    HOME: join(folder, "home"),
    // What npm ci has fetched before is not fetched again.
    npm_config_cache: outer("cache"),
    npm_config_registry: outer("registry"),
    npm_config_prefer_offline: "true",
  };
  const shell = (line: string) => spawn("sh", ["-c", line], { cwd: place, env, detached: true });
  /** A line of the page, to its end; its output. */
  const paste = async (line: string, meanwhile?: (said: string) => void): Promise<string> => {
    const child = shell(line);
    const said = { out: "", err: "" };
    child.stdout.setEncoding("utf8").on("data", (text) => {
      said.out += text;
      meanwhile?.(said.out);
    });
    child.stderr.setEncoding("utf8").on("data", (text) => {
      said.err += text;
    });
    const [code] = await once(child, "close");
    if (code !== 0) throw new Error(`${line}\nended with ${code}:\n${said.out}\n${said.err}`);
    return said.out;
  };
  const done = (what: string): void => {
    times.push(`${((performance.now() - began) / 1000).toFixed(1).padStart(6)} s  ${what}`);
  };

  beforeAll(async () => {
    if ("missing" in sshd) return;
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    github = await startGitHub({
      app: {
        id: 4711,
        slug: "countersign",
        privateKey: "",
        permissions: { issues: "write", metadata: "read", contents: "read", members: "read" },
      },
      owner: "acme",
      repos: [{ name: "oncall", private: true, files: { "README.md": "# On call\n" } }],
      people: [
        { login: "mona", role: "admin" },
        { login: "lee", role: "write" },
      ],
      teams: { oncall: ["mona", "lee"] },
      webhook: { url: `${url}/api/github/webhooks`, secret, active: false },
    });
    const places = [
      ["# api_url: https://ghe.example.com/api/v3", `api_url: ${github.url}`],
      ["register --out", `register --api ${github.url} --out`],
      ["app_id: 12345", `app_id: ${github.appId}`],
      ["-p 22 10.0.0.11", `-p ${sshd.port} 127.0.0.1`],
      ["host: 10.0.0.11, port: 22, user: ops", `host: 127.0.0.1, port: ${sshd.port}, user: ${sshd.user}`],
      ["port: 3000", `port: ${port}`],
      ["https://DOWNLOADS/", `${folder}/`],
    ] as const;
    const page = blocks.map(({ value }) => value).join("\n");
    for (const [theirs] of places) expect(page.split(theirs)).toHaveLength(2);
    ours = (text) => places.reduce((told, [theirs, mine]) => told.replace(theirs, mine), text);

    // Made as README.md says; nothing is published yet.
    packInto(folder);
    mkdirSync(place);
    mkdirSync(env.HOME);
    mkdirSync(join(folder, "oncall"));
  });
  afterAll(async () => {
    if (bot?.exitCode === null && bot.pid !== undefined) process.kill(-bot.pid, "SIGKILL");
    await github?.close();
    if (!("missing" in sshd)) await sshd.close();
    rmSync(folder, { recursive: true, force: true });
    // Thousands of packages' files are removed again.
  });

  it("1 to 3: installs, makes the App, the keys and the config", async () => {
    if ("missing" in sshd) return;
    const [install = "", register = ""] = take("sh").split("\n");
    await paste(install);
    done("installed");
    let clicked: Promise<void> | undefined;
    const told = await paste(register, (said) => {
      const [address] = /http:\/\/127\.0\.0\.1:\d+/.exec(said) ?? [];
      if (address !== undefined) clicked ??= click(address);
    });
    await clicked;
    // As the page has it.
    expect(told).toMatch(/^3\. npx countersign check --config config\/countersign\.yml$/m);
    expect(readFileSync(join(place, "config/app.pem"), "utf8")).toBe(github.privateKey);
    done("the App is made");

    const [keygen = "", line = "", scan = "", sign = ""] = take("sh").split("\n");
    await paste(keygen);
    // The operator's own hand: the printed line goes into the account's authorized_keys, and is the only one there.
    writeFileSync(join(dirname(sshd.clientKeyFile), "authorized_keys"), await paste(line), { mode: 0o600 });
    const fingerprint = await paste(scan);
    const known = spawnSync("ssh-keygen", ["-lf", "-"], { input: sshd.hostKey, encoding: "utf8" });
    expect(fingerprint.split(" ")[1]).toBe(known.stdout.split(" ")[1]);
    await paste(sign);
    for (const name of ["app.pem", "ssh_key", "audit.key"])
      expect(statSync(join(place, "config", name)).mode & 0o777, name).toBe(0o600);

    const file = join(place, "config/countersign.yml");
    const written = parse(readFileSync(file, "utf8"));
    const config = take("yaml");
    expect(parse(config).github).toMatchObject({ ...written.github, repositories: [{ name: repo }] });
    writeFileSync(file, config);
    done("config/countersign.yml is written");
  });

  it("4 and 5: checks without a finding, starts, and sees a first incident through", async () => {
    if ("missing" in sshd) return;
    const rows = await paste(take("sh"));
    expect(rows).toMatch(/^web-1 +✓ /m);
    expect(rows.match(/^.* [✗!] .*$/gm) ?? []).toEqual([
      // The page says `ops`; here the account is that of whoever runs the tests.
      ...(sshd.user === "root" ? ["policy       ! 1 thing that may not be meant"] : []),
    ]);
    done("checked");
    bot = shell(take("sh"));
    for (const stream of [bot.stdout, bot.stderr])
      stream?.setEncoding("utf8").on("data", (text) => {
        log += text;
      });
    await ready();
    done("started");

    const skill = take("markdown");
    const path = `.github/skills/${parse(skill.split("---")[1] ?? "").name}/SKILL.md`;
    expect(readme).toContain(`\`${path}\``);
    const content = Buffer.from(skill).toString("base64");
    await github.as("mona")("PUT", `/repos/${repo}/contents/${path}`, { message: "A runbook", content });
    const title = take("text");
    const approve = take("text");
    const number = await openIssue(github, repo, { by: "mona", title, body: "", labels: ["incident"] });
    const thread = createThread(github, repo, number);
    const card = await thread.waitFor((body) => body.includes("- [ ] **1**"), "the card");
    expect(card.body).toContain("df -h");
    done("the bot proposes");
    await thread.say("lee", approve);
    // `df` says 1 where it may not look at every volume of this machine.
    const result = await thread.waitFor((body) => /\*\*1\*\* [✅❌]/u.test(body), "the result");
    expect(result.body).toContain("Filesystem");
    done("approved by @lee and run");
    expect(github.invalid()).toEqual([]);
    expect(next).toBe(blocks.length);
    if (bot.pid !== undefined) process.kill(-bot.pid, "SIGTERM");
    await once(bot, "exit");
    console.log(["A new operator's path from README.md alone:", ...times].join("\n"));
  });

  /** What the operator does in the browser: the page on this machine, GitHub's button, the way back. */
  async function click(address: string): Promise<void> {
    const page = await (await fetch(`${address}/`)).text();
    const action = (/action="([^"]*)"/.exec(page)?.[1] ?? "").replaceAll("&amp;", "&");
    const { origin, pathname, searchParams } = new URL(action);
    expect(origin + pathname).toBe(`${github.url}/organizations/acme/settings/apps/new`);
    await fetch(`${address}/made?code=abc123&state=${searchParams.get("state")}`);
  }

  /** As long as it takes: a first start makes the store, and other tests may keep the disk busy. */
  async function ready(): Promise<void> {
    while (bot?.exitCode === null) {
      const answer = await fetch(`${url}/readyz`).catch(() => undefined);
      if (answer?.ok) return;
      await sleep(100);
    }
    throw new Error(`the bot ended before it was ready:\n${log}`);
  }
});
