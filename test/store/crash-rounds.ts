import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { verifyAudit } from "../../src/store/audit/chain.ts";
import { openStore } from "../../src/store/database/open.ts";
import { serveDeliveries } from "./crash-serve.ts";

const child = fileURLToPath(new URL("./crash-child.ts", import.meta.url));
const inFlight = 6;
const lines = ["issue:1:1", "issue:1:2", "repo:1"] as const;

export interface Outcome {
  readonly acknowledged: number;
  readonly served: number;
  /** Acknowledged deliveries of which the store knows nothing. */
  readonly lost: readonly string[];
  readonly servedTwice: readonly string[];
  readonly notServed: readonly string[];
  /** Deliveries that were served after a later one of their line. */
  readonly outOfOrder: readonly string[];
  readonly auditHolds: boolean;
}

/** Kills a process under load `rounds` times at random moments, then lets it finish, and says what came of it all. */
export async function crash(url: string, rounds: number): Promise<Outcome> {
  const acknowledged = new Set<string>();
  let sent = 0;
  for (let round = 0; round < rounds; round++) await load(url, acknowledged, () => `g-${++sent}`);
  return judge(url, acknowledged);
}

/** One life of the child: keeps some deliveries on their way all the time, until it is killed in the midst of it. */
async function load(url: string, acknowledged: Set<string>, nextGuid: () => string): Promise<void> {
  let left = Math.ceil(Math.random() * 60);
  const process = spawn(globalThis.process.execPath, [child, url], { stdio: ["pipe", "pipe", "inherit"] });
  process.stdin.on("error", () => {});
  const send = (): void => {
    const guid = nextGuid();
    process.stdin.write(`${guid} ${lines[Number(guid.slice(2)) % lines.length]}\n`);
  };
  createInterface({ input: process.stdout }).on("line", (text) => {
    if (text === "ready") {
      for (let n = 0; n < inFlight; n++) send();
    } else {
      acknowledged.add(text);
      send();
      if (--left === 0) setTimeout(() => process.kill("SIGKILL"), Math.random() * 20);
    }
  });
  await ended(process);
}

const ended = async (process: ChildProcess): Promise<void> => {
  const [code] = await once(process, "close");
  if (code !== null) throw new Error(`the process ended by itself with ${code}`);
};

async function judge(url: string, acknowledged: ReadonlySet<string>): Promise<Outcome> {
  const after = await openStore(url);
  await serveDeliveries(after);
  await after.queue.idle();
  const deliveries = await after.db
    .selectFrom("delivery")
    .select(["guid", "line", "state"])
    .orderBy("position")
    .execute();
  const audit = await after.db.selectFrom("audit").select("body").orderBy("seq").execute();
  const { ok } = await verifyAudit(after.db);
  await after.close();
  const served = audit.map(({ body }) => String(JSON.parse(body).key));
  const known = new Set(deliveries.map(({ guid }) => guid));
  return {
    acknowledged: acknowledged.size,
    served: served.length,
    lost: [...acknowledged].filter((guid) => !known.has(guid)),
    servedTwice: served.filter((guid, index) => served.indexOf(guid) !== index),
    notServed: deliveries
      .filter(({ guid, state }) => state !== "done" || !served.includes(guid))
      .map(({ guid }) => guid),
    outOfOrder: lines.flatMap((line) => {
      const stored = deliveries.filter((delivery) => delivery.line === line).map(({ guid }) => guid);
      return served.filter((guid) => stored.includes(guid)).filter((guid, index) => guid !== stored[index]);
    }),
    auditHolds: ok,
  };
}
