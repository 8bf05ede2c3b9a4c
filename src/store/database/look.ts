import { accessSync, constants, existsSync, statfsSync } from "node:fs";
import { dirname } from "node:path";
import pg from "pg";
import { messageOf, type Problem } from "../../base/errors.ts";

const place = "store.url";
const leastFreeBytes = 500 * 1024 * 1024;
const leastVersion = 150_000;

/** Does not open the store, because the bot may have it open. Never throws. */
export async function lookAtStore(url: string): Promise<readonly Problem[]> {
  return url.startsWith("file:") ? lookAtFolder(url.slice("file:".length)) : await lookAtServer(url);
}

function lookAtFolder(folder: string): readonly Problem[] {
  let there = folder;
  while (!existsSync(there) && dirname(there) !== there) there = dirname(there);
  try {
    accessSync(there, constants.W_OK | constants.X_OK);
  } catch {
    return [{ place, message: `${there} cannot be written by this user`, remedy: `chown it to whoever runs the bot` }];
  }
  const { bavail, bsize } = statfsSync(there);
  if (bavail * bsize >= leastFreeBytes) return [];
  const free = Math.round((bavail * bsize) / 1024 / 1024);
  return [{ place, message: `only ${free} MB are free below ${there}`, remedy: "make room: without it nothing runs" }];
}

async function lookAtServer(url: string): Promise<readonly Problem[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  try {
    await client.connect();
    const { rows } = await client.query<{ server_version_num: string }>("show server_version_num");
    const version = Number(rows[0]?.server_version_num);
    if (version >= leastVersion) return [];
    return [
      { place, message: `PostgreSQL ${Math.floor(version / 10_000)} is too old`, remedy: "15 or newer is needed" },
    ];
  } catch (error) {
    const remedy = "is the server up, do user, password (PGPASSWORD) and database fit, may this machine connect?";
    return [{ place, message: `the database cannot be reached: ${messageOf(error)}`, remedy }];
  } finally {
    await client.end().catch(() => {
      // A connection that was never made cannot be ended.
    });
  }
}
