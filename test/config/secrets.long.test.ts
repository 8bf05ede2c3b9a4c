import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, describe, expect, it } from "vitest";
import { startFakeModel } from "../agent/fake-model.ts";
import { startPostgres } from "../harness/postgres.ts";
import { proposing } from "../harness/stage.ts";
import { useStarted } from "../harness/use-started.ts";
import { type BotProcess, startWorld, type World } from "../harness/world.ts";

const postgres = await startPostgres("the memory of a process that has one role");
const folder = mkdtempSync(join(tmpdir(), "countersign-memory-"));
const modelKey = "sk-test-7Qd2mV9xKc4RtB8yLw3Z";

const model = useStarted(() => startFakeModel());
afterAll(async () => {
  await postgres?.stop();
  rmSync(folder, { recursive: true, force: true });
});

let snapshots = 0;
/** A bot of which SIGUSR2 makes it write down its heap, with one role if it has a store to share. */
async function startWatched(storeUrl?: string, role?: string) {
  const keyFile = join(folder, "model.key");
  writeFileSync(keyFile, modelKey, { mode: 0o600 });
  const into = mkdtempSync(join(folder, `heap-${snapshots++}-`));
  const world = await startWorld({
    ...(storeUrl === undefined ? {} : { storeUrl }),
    config: { model: { endpoints: [{ url: model.url, model: "fake", api_key_file: keyFile }] } },
    env: { NODE_OPTIONS: `--heapsnapshot-signal=SIGUSR2 --diagnostic-dir=${into}` },
  });
  await world.start(role === undefined ? {} : { args: ["--role", role] });
  return { world, strings: () => heapStrings(world.bot, into, world.port) };
}

/** A text that is in the secret and nowhere else; of a PEM a line of its middle. */
function secretsAt({ configFile, host }: World): Readonly<Record<"app" | "hook" | "model" | "ssh", string>> {
  const { private_key_file: app, webhook_secret_file: hook } = JSON.parse(readFileSync(configFile, "utf8")).github;
  const line = (file: string, at: number): string => readFileSync(file, "utf8").split("\n")[at] ?? "";
  return {
    app: line(app, 3),
    hook: readFileSync(hook, "utf8").trim(),
    model: modelKey,
    ssh: line(host.clientKeyFile, 2),
  };
}

interface Snapshot {
  readonly snapshot: {
    readonly meta: { readonly node_fields: readonly string[]; readonly node_types: readonly [readonly string[]] };
  };
  readonly nodes: readonly number[];
  readonly strings: readonly string[];
}

/** Every string that is alive in its heap, as often as it is; garbage is collected before. */
async function heapStrings({ child }: BotProcess, folder: string, port: number): Promise<readonly string[]> {
  child.kill("SIGUSR2");
  while (readdirSync(folder).length === 0) await sleep(50);
  // It answers again once the snapshot is written.
  await fetch(`http://127.0.0.1:${port}/livez`);
  const [file = ""] = readdirSync(folder);
  const { snapshot, nodes, strings }: Snapshot = JSON.parse(readFileSync(join(folder, file), "utf8"));
  const {
    node_fields: fields,
    node_types: [types],
  } = snapshot.meta;
  const found: string[] = [];
  for (let at = 0; at < nodes.length; at += fields.length)
    if (/string$/.test(types[nodes[at] ?? -1] ?? "")) found.push(strings[nodes[at + 1] ?? -1] ?? "");
  return found;
}

const counts = (secrets: Readonly<Record<string, string>>, strings: readonly string[]) =>
  Object.fromEntries(
    Object.entries(secrets).map(([name, secret]) => [name, strings.filter((text) => text.includes(secret)).length]),
  );

describe("SR-56 the memory of a running bot", () => {
  it("holds each secret in one string also after all were used; environment, command line and core dumps hold none", async () => {
    const { world, strings } = await startWatched();
    const secrets = secretsAt(world);
    model.play(proposing("LIKELY: full.", "df -h"), { text: "LIKELY: 1 says little." });
    const thread = await world.open();
    await thread.waitFor((body) => body.includes("- [ ] **1**"), "the card");
    await thread.say("lee", "/approve 1");
    await thread.waitFor((body) => body.includes("1 says little"), "the reading");
    expect(world.host.seen.commands.length).toBeGreaterThan(0);

    const told = (name: string): string => readFileSync(`/proc/${world.bot.child.pid}/${name}`, "latin1");
    for (const name of ["environ", "cmdline"])
      expect(Object.entries(secrets).filter(([, secret]) => told(name).includes(secret))).toEqual([]);
    expect(told("coredump_filter").trim()).toBe("00000000");
    expect(counts(secrets, await strings())).toEqual({ app: 1, hook: 1, model: 1, ssh: 1 });
    await world.close();
  });
});

describe.runIf(postgres !== undefined)("SR-55 SR-56 the memory of a process with one role", () => {
  it.each([
    { role: "web", held: ["app", "hook"] },
    { role: "agent", held: ["app", "model"] },
    { role: "runner", held: ["app", "ssh"] },
  ])("$role holds its own secrets and no other's", async ({ role, held }) => {
    const { world, strings } = await startWatched(await postgres?.createDatabase(), role);
    const found = Object.entries(counts(secretsAt(world), await strings()));
    expect(found.flatMap(([name, count]) => (count > 0 ? [name] : []))).toEqual(held);
    await world.close();
  });
});
