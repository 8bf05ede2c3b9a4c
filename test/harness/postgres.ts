import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { freePort } from "../../demo/free-port.ts";
import { missing } from "./missing.ts";
import { storeScratch } from "./store-scratch.ts";

export interface Cluster {
  /** An empty database of its own, as `postgres://…`. */
  readonly createDatabase: () => Promise<string>;
  /** Ends it without a checkpoint, as a crash would, and starts it again on what it left. */
  readonly crash: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** The server ends with the test, however that ends: its stdin closes then. */
const untilStdinEnds = '"$@" & read -r _; kill -QUIT $!; wait';

const versionsFolder = "/usr/lib/postgresql";

/** Not on the path of everybody who is root. */
const runuser = ["/usr/sbin/runuser", "/sbin/runuser"].find((path) => existsSync(path)) ?? "runuser";

/**
 * Starts a PostgreSQL server of this test's own on loopback, in a temporary folder. `undefined`, and said (`why` it
 * was wanted), where PostgreSQL is not installed. It refuses to run as root, so then it runs as user `postgres`.
 */
export async function startPostgres(why: string): Promise<Cluster | undefined> {
  const bin = newestBin();
  if (!bin) {
    missing("postgresql", why);
    return undefined;
  }
  const folder = storeScratch("countersign-postgres-");
  const asRoot = process.getuid?.() === 0;
  if (asRoot) chownSync(folder, Number(idOfPostgres("-u")), Number(idOfPostgres("-g")));
  const asUser = (...command: readonly [string, ...string[]]): readonly [string, string[]] => {
    const [file, ...args] = command;
    return asRoot ? [runuser, ["-u", "postgres", "--", ...command]] : [file, args];
  };
  const data = join(folder, "data");
  const port = await freePort();
  const [initdb, initdbArgs] = asUser(
    join(bin, "initdb"),
    ...["-D", data, "-U", "countersign", "-A", "trust", "--no-sync", "-E", "UTF8", "--locale=C"],
  );
  execFileSync(initdb, initdbArgs, { stdio: "ignore", cwd: folder });
  const server = [join(bin, "postgres"), "-D", data, "-h", "127.0.0.1", "-p", String(port), "-k", folder];
  const [file, args] = asUser("sh", "-c", untilStdinEnds, "sh", ...server);
  const start = () => spawn(file, args, { stdio: ["pipe", "ignore", "ignore"], cwd: folder });
  let child = start();

  const urlOf = (database: string): string => `postgres://countersign@127.0.0.1:${port}/${database}`;
  let databases = 0;
  await answers(urlOf("postgres"));
  return {
    createDatabase: async () => {
      const name = `test${++databases}`;
      const client = await connect(urlOf("postgres"));
      await client.query(`create database ${name}`);
      await client.end();
      return urlOf(name);
    },
    crash: async () => {
      child.stdin.end();
      await once(child, "close");
      child = start();
      await answers(urlOf("postgres"));
    },
    stop: async () => {
      child.stdin.end();
      await once(child, "close");
      rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    },
  };
}

async function answers(url: string): Promise<void> {
  for (let tries = 0; ; tries++) {
    const client = new pg.Client({ connectionString: url });
    try {
      await client.connect();
      return await client.end();
    } catch (error) {
      if (tries === 300) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

function newestBin(): string | undefined {
  if (!existsSync(versionsFolder)) return undefined;
  const [newest] = readdirSync(versionsFolder).sort((a, b) => Number(b) - Number(a));
  return newest && join(versionsFolder, newest, "bin");
}

const idOfPostgres = (flag: "-u" | "-g"): string => execFileSync("id", [flag, "postgres"], { encoding: "utf8" });

/** On a busy machine pg_ctl can be content a moment before the server takes connections. */
async function connect(connectionString: string): Promise<pg.Client> {
  for (let tries = 1; ; tries++) {
    const client = new pg.Client({ connectionString });
    try {
      await client.connect();
      return client;
    } catch (error) {
      if (tries === 20) throw error;
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
  }
}
