import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import * as z from "zod";
import { messageOf } from "../../base/errors.ts";
import type { Db, Tx } from "../../store/database/open.ts";
import { haltsIn } from "../../store/holds.ts";
import type { Deps } from "../context.ts";

/**
 * One entry of the kill switch: the operator's last word on a scope (SR-68). On a PostgreSQL server the switch is a table. An embedded
 * database is locked while the bot runs, so there the switch is a file in the store's folder, with a JSON line for each scope.
 */
const entrySchema = z.strictObject({
  /** `*` is the whole bot. */
  scope: z.string().regex(/^(\*|[\w.-]+\/[\w.-]+)$/),
  halted: z.boolean(),
  /** It appears in comments, so it allows no Markdown and no mention. */
  by: z.string().regex(/^[\p{L}\p{N} ._-]{1,64}$/u),
  at: z.iso.datetime(),
  /** Running commands end too. */
  kill: z.boolean().default(false),
});
export type HaltEntry = z.output<typeof entrySchema>;
export const haltEntriesSchema = z.array(entrySchema);

export type SwitchState =
  | { readonly kind: "read"; readonly entries: readonly HaltEntry[] }
  /** Its content is unknown, so everything is halted. */
  | { readonly kind: "unreadable"; readonly reason: string };

/** The file of an embedded store's switch; undefined if the store is on a server. */
export const haltFileOf = (storeUrl: string): string | undefined =>
  storeUrl.startsWith("file:") ? join(storeUrl.slice("file:".length), "halt") : undefined;

/** Reads the switch now. Never throws. */
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

/** Replaces the whole file durably; a reader sees the old one or the new one. */
export async function writeHaltFile(file: string, entries: readonly HaltEntry[]): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const aside = `${file}.${process.pid}.new`;
  const text = entries.map((entry) => `${JSON.stringify(entry)}\n`).join("");
  // The bot may run as another user than the operator; the folder keeps strangers out.
  await writeFile(aside, text, { mode: 0o644, flush: true });
  await rename(aside, file);
}

/** Reads the table of a store on a server. Never throws. */
export async function readHaltTable(db: Db | Tx): Promise<SwitchState> {
  try {
    return switchIn(await haltsIn(db));
  } catch (error) {
    return { kind: "unreadable", reason: messageOf(error) };
  }
}

/** Validates rows of the table. Never throws. */
export function switchIn(rows: readonly object[]): SwitchState {
  const entries = haltEntriesSchema.safeParse(rows);
  return entries.success
    ? { kind: "read", entries: entries.data }
    : { kind: "unreadable", reason: messageOf(entries.error) };
}

/** All halts in a line, for `/readyz`. */
export function haltSummary(state: SwitchState): string {
  if (state.kind === "unreadable") return "everything: the switch cannot be read";
  const halts = state.entries.filter(({ halted }) => halted);
  return halts.map(({ scope, by, at }) => `${scope} by ${by} since ${at}`).join("; ") || "no";
}
