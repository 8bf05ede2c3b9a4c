import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { migrations } from "../../src/store/database/migrate.ts";
import { openStore } from "../../src/store/database/open.ts";
import { type Cluster, startPostgres } from "../harness/postgres.ts";
import { storeScratch } from "../harness/store-scratch.ts";

const cache = fileURLToPath(new URL("../../node_modules/.cache/countersign", import.meta.url));

/** A folder of its own with an empty, migrated store. */
export async function freshFolder(): Promise<string> {
  const folder = join(storeScratch("countersign-store-"), "data");
  await copyEmptyStore(folder);
  return folder;
}

/** Puts an empty, migrated store into `folder`, copied from one made once: a first start costs seconds. */
export async function copyEmptyStore(folder: string): Promise<void> {
  const version = createHash("sha256").update(JSON.stringify(migrations)).digest("hex").slice(0, 12);
  const template = join(cache, `store-${version}`);
  if (!existsSync(template)) await makeTemplate(template);
  // A thousand files: the system's own program copies them in a third of the time, where there is one.
  mkdirSync(dirname(folder), { recursive: true });
  if (spawnSync("cp", ["-R", template, folder]).status !== 0) cpSync(template, folder, { recursive: true });
}

/** Ends what `freshFolder` made. */
export const removeFolder = (folder: string): void => rmSync(dirname(folder), { recursive: true, force: true });

async function makeTemplate(template: string): Promise<void> {
  mkdirSync(cache, { recursive: true });
  const aside = mkdtempSync(join(cache, "store-new-"));
  await (await openStore(`file:${aside}`)).close();
  if (existsSync(template)) rmSync(aside, { recursive: true });
  else renameSync(aside, template);
}

export interface Place {
  readonly kind: "embedded" | "server";
  /** The address of an empty store. */
  readonly create: () => Promise<string>;
  readonly remove: () => Promise<void>;
}

/** Both kinds of database, for tests that hold for each; the server only where PostgreSQL is installed. */
export async function places(why: string): Promise<readonly Place[]> {
  const folders: string[] = [];
  const embedded: Place = {
    kind: "embedded",
    create: async () => {
      const folder = await freshFolder();
      folders.push(folder);
      return `file:${folder}`;
    },
    remove: async () => folders.forEach(removeFolder),
  };
  const cluster: Cluster | undefined = await startPostgres(why);
  if (!cluster) return [embedded];
  return [embedded, { kind: "server", create: cluster.createDatabase, remove: cluster.stop }];
}
