import { generateKeyPairSync } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { parseConfig } from "../../src/config/load.ts";
import type { Config } from "../../src/config/values.ts";
import { fc } from "../harness/chance.ts";
import { commandsFrom, counts, type Model, type Reality, setSwitch } from "./commands.ts";
import { createDatabase } from "./database.ts";
import { faultsAtRest, faultsNow } from "./invariants.ts";
import { takeTimeOver } from "./time.ts";
import { createUniverse, type Universe } from "./universe.ts";

interface Explored {
  readonly runs: number;
  readonly executions: number;
  readonly commands: ReadonlyMap<string, number>;
  /** The shrunk counter-example, with how to play it again. */
  readonly failure: string | undefined;
}

/** Plays `runs` random histories from `seed` and holds each against I1 to I8. */
export async function explore(given: {
  readonly runs: number;
  readonly seed: number;
  readonly maxCommands?: number;
  /** Where a failure was found before, to play that one alone. */
  readonly path?: string;
  /** A failure is told as it was found; making it small takes as long as a hundred runs. */
  readonly asFound?: boolean;
}): Promise<Explored> {
  const folder = mkdtempSync(join(tmpdir(), "countersign-model-"));
  const database = await createDatabase();
  const config = readConfig(...writeSecrets(folder));
  let executions = 0;
  counts.clear();
  const property = fc.asyncProperty(
    fc.scheduler(),
    commandsFrom(given.maxCommands ?? 8),
    async (scheduler, [open, rest]) => {
      const time = takeTimeOver();
      try {
        await database.empty();
        const universe = await createUniverse({ database, time, scheduler, config });
        await universe.start();
        const model: Model = { opened: false, gone: false, up: true, halted: false };
        const reality: Reality = { universe, watch: { checked: 0, halts: [] } };
        await open.run(model, reality);
        await fc.asyncModelRun(() => ({ model, real: reality }), rest);
        await settle(reality, model);
        const faults = [
          ...(await faultsNow(universe, reality.watch)),
          ...(await faultsAtRest(universe, reality.watch)),
        ];
        await universe.kill();
        executions += universe.begun.length;
        if (faults.length > 0) throw new Error(faults.join("\n"));
      } finally {
        time.end();
      }
    },
  );
  try {
    const { runs, seed, path, asFound = false } = given;
    const options = { numRuns: runs, seed, endOnFailure: asFound, ...(path === undefined ? {} : { path }) };
    const details = await fc.check(property, options);
    const failure = details.failed
      ? `${"errorInstance" in details && details.errorInstance instanceof Error ? details.errorInstance.stack : ""}\n${await fc.asyncDefaultReportMessage(details)}`
      : undefined;
    return { runs: details.numRuns, executions, commands: new Map(counts), failure };
  } finally {
    await database.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Faults are over, what GitHub still owes arrives, and time passes until nothing is left to do without a person. */
async function settle({ universe, watch }: Reality, model: Model): Promise<void> {
  const { github, agent, host, storeFaults, auditFaults, time } = universe;
  for (const list of [github.faults, agent.faults, host.faults, storeFaults]) list.length = 0;
  auditFaults.count = 0;
  host.relent();
  if (model.halted) await setSwitch(universe, watch, false);
  await universe.start();
  let catchUps = 0;
  for (let round = 0; round < 80; round++) {
    await universe.steps();
    for (const webhook of github.webhooks.filter(({ state }) => state === "waiting")) await universe.deliver(webhook);
    await universe.steps();
    const owed = github.webhooks.filter(({ state }) => state === "waiting" || state === "failed" || state === "lost");
    // What failed again and again is asked for ever more seldom.
    const isAskedFor = owed.some(({ state, acceptedAs }) => state === "failed" && acceptedAs.size === 0);
    const dueMs = await untilDue(universe);
    if (dueMs === undefined && !isAskedFor && (owed.length === 0 || catchUps++ > 3)) return;
    // What waits on a hold waits until its approvals are over.
    time.pass(dueMs === undefined ? 5 * 60_000 : round % 20 === 19 ? 61 * 60_000 : Math.max(dueMs, 250));
  }
}

/** In how many ms the next job is due; nothing where there is none. */
async function untilDue({ database }: Universe): Promise<number | undefined> {
  const { rows } = await sql<{ ms: number | null }>`
    select (extract(epoch from min(case when alive_at is null then due_at else now() end) - now()) * 1000)::float8 as ms
    from job`.execute(database.look);
  return rows[0]?.ms ?? undefined;
}

function writeSecrets(folder: string): [string, string] {
  const pair = generateKeyPairSync("rsa", {
    modulusLength: 2048,
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
    publicKeyEncoding: { type: "spki", format: "pem" },
  });
  const [key, secret] = [join(folder, "app.pem"), join(folder, "hook.secret")];
  writeFileSync(key, pair.privateKey, { mode: 0o600 });
  writeFileSync(secret, "0123456789abcdef0123456789abcdef01234567", { mode: 0o600 });
  return [key, secret];
}

/** The operator's file of the model: one server, and everything else as it is by default. */
function readConfig(privateKeyFile: string, secretFile: string): Config {
  const file = {
    github: {
      app_id: 7,
      private_key_file: privateKeyFile,
      webhook_secret_file: secretFile,
      writes_per_minute: 100_000,
      repositories: [{ name: "acme/web", servers: ["web-1"], allow_public: true }],
    },
    store: { url: "postgres://model@localhost/model" },
    servers: {
      "web-1": { host: "127.0.0.1", user: "ops", os: "linux", key_file: privateKeyFile, host_key: hostKey },
    },
    policy: { approvers: { teams: ["acme/oncall"] } },
    logging: { stdout: false },
  };
  const parsed = parseConfig(JSON.stringify(file), "countersign.yml", {});
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  return parsed.config;
}

const hostKey = `ssh-ed25519 ${Buffer.concat([Buffer.from([0, 0, 0, 11]), Buffer.from("ssh-ed25519"), Buffer.from([0, 0, 0, 32]), Buffer.alloc(32, 7)]).toString("base64")}`;
