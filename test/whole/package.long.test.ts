import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { missing } from "../harness/missing.ts";
import { packInto } from "../harness/package.ts";
import { type Ground, prepareGround } from "../harness/playground.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const systemNode = "/usr/bin/node";
const isOld =
  existsSync(systemNode) && /^v2[0-3]\./.test(execFileSync(systemNode, ["--version"], { encoding: "utf8" }));
if (!isOld) missing("Node 20 or 22 as /usr/bin/node", "the package was not started on an old Node");
const brought = `node-${process.platform}-${process.arch}`;

/** Where the package is installed as a user installs it: an empty folder, an empty HOME, no registry, so no package beside it. */
const empty = mkdtempSync(join(tmpdir(), "countersign-package-"));
const folder = join(empty, "folder");
const program = join(folder, "node_modules/countersign");
const environmentOn = (node: string, more: Readonly<Record<string, string>> = {}) => ({
  HOME: join(empty, "home"),
  PATH: `${dirname(node)}:/usr/bin:/bin`,
  ...more,
});

let ground: Ground;
beforeAll(async () => {
  for (const name of ["home", "folder"]) mkdirSync(join(empty, name));
  const install = ["install", "--offline", "--omit=optional", "--prefix", folder, packInto(empty)];
  execFileSync("npm", install, { cwd: folder, env: environmentOn(process.execPath) });
  ground = await prepareGround({ servers: {} });
}, 300_000);
afterAll(async () => {
  await ground.close();
  rmSync(empty, { recursive: true });
});

it("is all that an installation needs: no package beside it, less than 60 MB, and the licenses of what it holds", () => {
  expect(readFileSync(join(folder, "package-lock.json"), "utf8").match(/"node_modules\/(?!node-)[^"]+"/g)).toEqual([
    '"node_modules/countersign"',
  ]);
  const [size = ""] = execFileSync("du", ["-sm", program], { encoding: "utf8" }).split("\t");
  expect(Number(size)).toBeLessThan(60);
  const held: readonly { id: string; license: string }[] = JSON.parse(
    readFileSync(join(program, "dist/packages.json"), "utf8"),
  );
  const texts = readFileSync(join(program, "dist/THIRD-PARTY-LICENSES.txt"), "utf8");
  for (const { id, license } of held) expect(texts).toContain(`\n${id}: ${license}\n`);
  const permissive = /^(0BSD|Apache-2\.0|BSD-[23]-Clause|BlueOak-1\.0\.0|ISC|MIT|Unlicense)$/;
  // Each of these has its word in docs/dependencies.md.
  expect(held.filter(({ license }) => !permissive.test(license))).toEqual([
    { id: expect.stringMatching(/^ical\.js@/), license: "MPL-2.0" },
  ]);
});

it("INJ-1 INJ-2 the instructions ship, and rules to start from", () => {
  for (const path of ["instructions.md", "starter/rules.md"])
    expect(readFileSync(join(program, "dist/templates", path), "utf8")).toBe(
      readFileSync(join(root, "templates", path), "utf8"),
    );
  expect(readFileSync(join(root, "Dockerfile"), "utf8")).toMatch(/^COPY dist app\/dist$/m);
  expect(readFileSync(join(root, ".dockerignore"), "utf8")).toMatch(/^!dist$/m);
});

it("starts the thread that reads a calendar", async () => {
  const thread = new Worker(join(program, "dist/src.pager.calendar-thread.js"), {
    workerData: { calendar: { text: "BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n", from: 0, to: 1 } },
  });
  expect(await Promise.race([once(thread, "message"), once(thread, "error")])).toEqual([
    { occurrences: [], leftOut: [] },
  ]);
  await thread.terminate();
});

const nodes = [
  { name: "Node 24 as it comes", node: process.execPath },
  ...(isOld ? [{ name: "an old Node, by the one that npm installs beside it", node: systemNode }] : []),
];

describe.each(nodes)("on $name", ({ node }) => {
  const env = environmentOn(node);
  const run = (args: readonly string[], input = "") =>
    spawnSync(join(folder, "node_modules/.bin/countersign"), args, { cwd: folder, env, input, encoding: "utf8" });

  // npm links no program of it, as npm 10 does not.
  beforeAll(() => {
    const place = join(folder, "node_modules", brought);
    if (node === systemNode && !existsSync(place)) symlinkSync(join(root, "node_modules", brought), place);
  });

  it("explains a command", () => {
    const { stdout, stderr, status } = run(["explain", "rm -rf /"]);
    expect({ stderr, status }).toEqual({ stderr: "", status: 0 });
    expect(JSON.parse(stdout)).toMatchObject({ risk: "block" });
    expect(run(["--version"]).stdout.trim()).toBe(manifest.version);
  });

  it("checks a config, and says what is wrong with one that is not there", () => {
    const { stdout, status } = run(["check", "--config", ground.configFile, "--json"]);
    expect(JSON.parse(stdout)).toEqual(expect.any(Array));
    expect([0, 1]).toContain(status);
    const none = run(["check"]);
    expect(none.stdout + none.stderr).toContain("there is no such config file");
  });

  it("plays the demo's incident to its end", () => {
    const { stdout, status } = run(["demo", "--once"]);
    expect(stdout).toContain("closed by @lee");
    expect(status).toBe(0);
  });

  it("starts the bot, which is alive on the port of its config, and drains at SIGTERM", async () => {
    const bot = spawn(join(folder, "node_modules/.bin/countersign"), ["start", "--config", ground.configFile], {
      ...{ cwd: folder, env, stdio: ["ignore", "ignore", "inherit"] },
    });
    const ended = once(bot, "exit");
    await expect.poll(isUp).toBe(true);
    expect(run(["alive", "--config", ground.configFile])).toMatchObject({ status: 0, stderr: "" });
    bot.kill("SIGTERM");
    expect(await ended).toEqual([0, null]);
    expect(run(["alive", "--config", ground.configFile])).toMatchObject({
      status: 1,
      stderr: expect.stringContaining(`:${ground.port}/livez does not answer`),
    });
  });

  it("SR-56 ends when the npm that started it is killed, from the package and from the tree", async () => {
    const start = `countersign start --config '${ground.configFile}'`;
    writeFileSync(join(folder, "package.json"), JSON.stringify({ scripts: { start } }));
    for (const [cwd, args] of [
      [folder, ["start"]],
      [root, ["start", "--", "--config", ground.configFile]],
    ] as const) {
      const npm = spawn("npm", args, { cwd, env, stdio: "ignore" });
      await expect.poll(isUp).toBe(true);
      npm.kill("SIGKILL");
      await expect.poll(isUp).toBe(false);
    }
  });

  it("goes on when the shell ends that put it into the background", async () => {
    const line = `countersign start --config '${ground.configFile}' >/dev/null 2>&1 & echo $!`;
    const PATH = `${folder}/node_modules/.bin:${env.PATH}`;
    const pid = Number(execFileSync("sh", ["-c", line], { cwd: folder, env: { ...env, PATH }, encoding: "utf8" }));
    await expect.poll(isUp).toBe(true);
    // Two looks at the parent, for one that would end it.
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect(await isUp()).toBe(true);
    process.kill(pid, "SIGTERM");
    await expect.poll(isUp).toBe(false);
  });
});

const isUp = () =>
  fetch(`http://127.0.0.1:${ground.port}/livez`).then(
    ({ ok }) => ok,
    () => false,
  );
