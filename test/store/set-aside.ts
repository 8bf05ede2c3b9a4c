import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import type { Playground } from "../harness/playground.ts";

/** An older copy of a bot's store. */
export interface Older {
  readonly url: string;
  /** Restarts the bot on it, after what happens `meanwhile`. */
  readonly putBack: (meanwhile?: () => void) => Promise<void>;
}

/** Restarts a bot, and keeps in `folder`, or on its server, a copy of its store as it is in between. */
export async function setAside(bot: Pick<Playground, "bot" | "restart">, folder: string): Promise<Older> {
  const { url } = bot.bot.deps.config.store;
  const copied = url.startsWith("file:") ? copyFiles(url, folder) : copyDatabase(url);
  await bot.restart(copied.make);
  return {
    url: copied.url,
    putBack: (meanwhile) =>
      bot.restart(async () => {
        await copied.putBack();
        meanwhile?.();
      }),
  };
}

function copyFiles(url: string, folder: string) {
  const store = url.slice("file:".length);
  const copy = mkdtempSync(join(folder, "copy-"));
  return {
    url: `file:${copy}`,
    make: () => cpSync(store, copy, { recursive: true }),
    putBack: () => {
      rmSync(store, { recursive: true });
      cpSync(copy, store, { recursive: true });
    },
  };
}

function copyDatabase(url: string) {
  const name = new URL(url).pathname.slice(1);
  const run = async (...statements: readonly string[]) => {
    const client = new pg.Client({ connectionString: new URL("/postgres", url).href });
    await client.connect();
    for (const statement of statements) await client.query(statement);
    await client.end();
  };
  return {
    url: `${url}_copy`,
    make: () => run(`create database ${name}_copy template ${name}`),
    putBack: () => run(`drop database ${name}`, `create database ${name} template ${name}_copy`),
  };
}
