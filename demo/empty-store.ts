import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { deserialize, serialize } from "node:v8";
import { brotliCompressSync, brotliDecompress, constants } from "node:zlib";
import own from "../package.json" with { type: "json" };
import { makePrivateFolder, removePrivateFolder } from "../src/base/private-folder.ts";
import { migrations } from "../src/store/database/migrate.ts";
import { openStore } from "../src/store/database/open.ts";

/** A store of the demo that is made once: PostgreSQL takes seconds to make a database, and a quarter of one to open it. */

const prepared = fileURLToPath(new URL("./prepared/", import.meta.url));

/** What it depends on is in its name, so that a file of another version is never opened. */
const file = join(
  prepared,
  `${createHash("sha256")
    .update(JSON.stringify([migrations, own.devDependencies["@electric-sql/pglite"]]))
    .digest("hex")
    .slice(0, 12)}.store`,
);

/** 42 MB become 2 MB in half a second; more takes far longer and saves little. */
const params = { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_LGWIN]: 24 };

/** A path below the store's folder, and what the file there holds; nothing for a folder. */
type Entry = readonly [path: string, bytes: Uint8Array | undefined];

export const isEmptyStorePrepared = (): boolean => existsSync(file);

/** Makes the file, in place of those of other versions. */
export async function prepareEmptyStore(): Promise<void> {
  if (isEmptyStorePrepared()) return;
  const aside = makePrivateFolder("demo");
  try {
    const folder = join(aside, "store");
    await (await openStore(`file:${folder}`)).close();
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).map((entry): Entry => {
      const path = join(entry.parentPath, entry.name);
      return [path.slice(folder.length + 1), entry.isDirectory() ? undefined : readFileSync(path)];
    });
    mkdirSync(prepared, { recursive: true });
    const others = readdirSync(prepared).filter((name) => name.endsWith(".store"));
    const half = `${file}.${process.pid}`;
    writeFileSync(half, brotliCompressSync(serialize(entries), { params }));
    renameSync(half, file);
    for (const name of others) rmSync(join(prepared, name), { force: true });
  } finally {
    removePrivateFolder(aside);
  }
}

/** Writes the prepared store into a folder that is not there yet. */
export async function copyEmptyStore(folder: string): Promise<void> {
  const entries: readonly Entry[] = deserialize(await promisify(brotliDecompress)(readFileSync(file)));
  await mkdir(folder, { mode: 0o700 });
  for (const [path, bytes] of entries) if (bytes === undefined) await mkdir(join(folder, path), { recursive: true });
  await Promise.all(entries.map(([path, bytes]) => bytes && writeFile(join(folder, path), bytes, { mode: 0o600 })));
}
