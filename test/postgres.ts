import { execFileSync } from "node:child_process";
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { missing } from "./missing.ts";

export interface Cluster {
  /** An empty database of its own, as `postgres://…`. */
  readonly createDatabase: () => Promise<string>;
  readonly stop: () => void;
}

const versionsFolder = "/usr/lib/postgresql";

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
  const folder = mkdtempSync(join(tmpdir(), "countersign-postgres-"));
  const asRoot = process.getuid?.() === 0;
  if (asRoot) chownSync(folder, Number(idOfPostgres("-u")), Number(idOfPostgres("-g")));
  const run = (program: string, args: readonly string[]): void => {
    const command = [join(bin, program), ...args];
    const [file = "", ...rest] = asRoot ? ["runuser", "-u", "postgres", "--", ...command] : command;
    execFileSync(file, rest, { stdio: "ignore", cwd: folder });
  };
  const data = join(folder, "data");
  const port = await freePort();
  run("initdb", ["-D", data, "-U", "countersign", "-A", "trust", "--no-sync", "-E", "UTF8", "--locale=C"]);
  const settings = `-h 127.0.0.1 -p ${port} -k ${folder}`;
  run("pg_ctl", ["-D", data, "-o", settings, "-l", join(folder, "log"), "-w", "start"]);

  const urlOf = (database: string): string => `postgres://countersign@127.0.0.1:${port}/${database}`;
  let databases = 0;
  return {
    createDatabase: async () => {
      const name = `test${++databases}`;
      const client = new pg.Client({ connectionString: urlOf("postgres") });
      await client.connect();
      await client.query(`create database ${name}`);
      await client.end();
      return urlOf(name);
    },
    stop: () => {
      run("pg_ctl", ["-D", data, "-m", "immediate", "-w", "stop"]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function newestBin(): string | undefined {
  if (!existsSync(versionsFolder)) return undefined;
  const [newest] = readdirSync(versionsFolder).sort((a, b) => Number(b) - Number(a));
  return newest && join(versionsFolder, newest, "bin");
}

const idOfPostgres = (flag: "-u" | "-g"): string => execFileSync("id", [flag, "postgres"], { encoding: "utf8" });

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (typeof address !== "object" || !address) throw new Error("no free port");
  return address.port;
}
