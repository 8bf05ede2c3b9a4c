import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import * as z from "zod";
import { messageOf } from "../../base/errors.ts";
import type { Db, Tx } from "../../store/database/open.ts";
import { haltsIn } from "../../store/holds.ts";
import type { Deps } from "../context.ts";

/**
 * One scope's entry of the kill switch (SR-68): a table on a server, a file of JSON lines for an embedded database, which the running bot
 * locks.
 */
const entrySchema = z.strictObject({
  scope: z.string().regex(/^(\*|[\w.-]+\/[\w.-]+)$/),
  halted: z.boolean(),
  /** Appears in comments, so it allows no Markdown and no mention. */
  by: z.string().regex(/^[\p{L}\p{N} ._-]{1,64}$/u),
  at: z.iso.datetime(),
  /** Ends running commands too. */
  kill: z.boolean().default(false),
});
export type HaltEntry = z.output<typeof entrySchema>;
export const haltEntriesSchema = z.array(entrySchema);

export type SwitchState =
  | { readonly kind: "read"; readonly entries: readonly HaltEntry[] }
  /** Halts everything. */
  | { readonly kind: "unreadable"; readonly reason: string };

/** Returns an embedded store's file; undefined on a server. */
export const haltFileOf = (storeUrl: string): string | undefined =>
  storeUrl.startsWith("file:") ? join(storeUrl.slice("file:".length), "halt") : undefined;

/** Never throws. */
export async function readSwitch({ config }: Pick<Deps, "config">, db: Db | Tx): Promise<SwitchState> {
  const file = haltFileOf(config.store.url);
  return file === undefined ? readHaltTable(db) : readHaltFile(file);
}

/** Reads the file; a missing one means no halt. Never throws. */
export async function readHaltFile(file: string): Promise<SwitchState> {
  try {
    const lines = (await readFile(file, "utf8")).split("\n").filter((line) => line !== "");
    return { kind: "read", entries: lines.map((line) => entrySchema.parse(JSON.parse(line))) };
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return { kind: "read", entries: [] };
    return { kind: "unreadable", reason: messageOf(error) };
  }
}

/** Replaces the file durably and atomically. */
export async function writeHaltFile(file: string, entries: readonly HaltEntry[]): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const aside = `${file}.${process.pid}.new`;
  const text = entries.map((entry) => `${JSON.stringify(entry)}\n`).join("");
  // The bot may run as another user than the operator; the folder keeps strangers out.
  await writeFile(aside, text, { mode: 0o644, flush: true });
  await rename(aside, file);
}

/** Never throws. */
export async function readHaltTable(db: Db | Tx): Promise<SwitchState> {
  try {
    return switchIn(await haltsIn(db));
  } catch (error) {
    return { kind: "unreadable", reason: messageOf(error) };
  }
}

/** Validates the table's rows. Never throws. */
export function switchIn(rows: readonly object[]): SwitchState {
  const entries = haltEntriesSchema.safeParse(rows);
  return entries.success
    ? { kind: "read", entries: entries.data }
    : { kind: "unreadable", reason: messageOf(entries.error) };
}
