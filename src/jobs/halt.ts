import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import * as z from "zod";
import { messageOf } from "../errors.ts";
import { appendAudit } from "../store/audit.ts";
import type { Db, Tx } from "../store/database.ts";
import type { World } from "./world.ts";

/**
 * The kill switch (SR-68). It is no part of the embedded database, which is locked while the bot runs: there it is a file in
 * the store's folder, a JSON line for each scope with the last word on it; on a PostgreSQL server it is a table.
 */
const entrySchema = z.strictObject({
  /** `*` is the whole bot. */
  scope: z.string().regex(/^(\*|[\w.-]+\/[\w.-]+)$/),
  halted: z.boolean(),
  /** It stands in comments, so it holds nothing that Markdown or a mention could be made of. */
  by: z.string().regex(/^[\p{L}\p{N} ._-]{1,64}$/u),
  at: z.iso.datetime(),
});
export type HaltEntry = z.output<typeof entrySchema>;

export type SwitchState =
  | { readonly kind: "read"; readonly entries: readonly HaltEntry[] }
  /** Nobody can know what it says, so everything is halted. */
  | { readonly kind: "unreadable"; readonly reason: string };

/** The file of an embedded store's switch; nothing where the store is on a server. */
export const haltFileOf = (storeUrl: string): string | undefined =>
  storeUrl.startsWith("file:") ? join(storeUrl.slice("file:".length), "halt") : undefined;

/** What the switch says at this moment. Never throws. */
export async function readSwitch({ config }: Pick<World, "config">, db: Db | Tx): Promise<SwitchState> {
  const file = haltFileOf(config.store.url);
  return file === undefined ? readHaltTable(db) : readHaltFile(file);
}

/** Reads the file; one that is not there has never been used. Never throws. */
export async function readHaltFile(file: string): Promise<SwitchState> {
  try {
    const lines = (await readFile(file, "utf8")).split("\n").filter((line) => line !== "");
    return { kind: "read", entries: lines.map((line) => entrySchema.parse(JSON.parse(line))) };
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return { kind: "read", entries: [] };
    return { kind: "unreadable", reason: messageOf(error) };
  }
}

/** Replaces the file as a whole, durably; a reader sees the old one or the new one. */
export async function writeHaltFile(file: string, entries: readonly HaltEntry[]): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const aside = `${file}.${process.pid}.new`;
  const text = entries.map((entry) => `${JSON.stringify(entry)}\n`).join("");
  // The bot may run as somebody else than who halts it; the folder keeps strangers out.
  await writeFile(aside, text, { mode: 0o644, flush: true });
  await rename(aside, file);
}

/** Reads the table of a store on a server. Never throws. */
export async function readHaltTable(db: Db | Tx): Promise<SwitchState> {
  try {
    const rows = await db.selectFrom("halt").selectAll().orderBy("scope").execute();
    return { kind: "read", entries: rows.map((row) => entrySchema.parse(row)) };
  } catch (error) {
    return { kind: "unreadable", reason: messageOf(error) };
  }
}

export async function writeHaltTable(tx: Tx, entry: HaltEntry): Promise<void> {
  await tx
    .insertInto("halt")
    .values(entry)
    .onConflict((conflict) => conflict.column("scope").doUpdateSet(entry))
    .execute();
}

/** Why nothing runs in a repository, in words for people (`halted by root since …`); nothing where the switch lets it run. */
export function haltOf(state: SwitchState, repo: string): string | undefined {
  if (state.kind === "unreadable") return "halted, because its kill switch cannot be read";
  const halt = state.entries.find(
    ({ scope, halted }) => halted && (scope === "*" || scope.toLowerCase() === repo.toLowerCase()),
  );
  return halt && `halted by ${halt.by} since ${halt.at}`;
}

/** All halts in a line, for `/readyz`. */
export function haltSummary(state: SwitchState): string {
  if (state.kind === "unreadable") return "everything: the switch cannot be read";
  const halts = state.entries.filter(({ halted }) => halted);
  return halts.map(({ scope, by, at }) => `${scope} by ${by} since ${at}`).join("; ") || "no";
}

const noticeEveryMs = 500;

/**
 * Puts each change of the switch into the audit once, also one that was made while the bot was down. What is run does not
 * depend on it: approvals and dispatches read the switch themselves.
 */
export function keepNoticing(world: World): { readonly stop: () => Promise<void> } {
  let noticed: string | undefined;
  const notice = async (): Promise<void> => {
    const state = await readSwitch(world, world.store.db);
    const now = JSON.stringify(state);
    if (now === noticed) return;
    await world.store.transaction((tx) => recordChanges(tx, state));
    noticed = now;
    world.log.warn({ module: "halt", event: "halt_read", ...state });
  };
  let noticing: Promise<void> = Promise.resolve();
  const noticeOrSay = (): void => {
    noticing = noticing
      .then(notice)
      .catch((error) => world.log.warn({ module: "halt", event: "halt_not_recorded", err: error }));
  };
  noticeOrSay();
  const timer = setInterval(noticeOrSay, noticeEveryMs).unref();
  return {
    stop: async () => {
      clearInterval(timer);
      await noticing;
    },
  };
}

const recordedSchema = z.object({ scope: z.string(), by: z.string().nullable(), at: z.string().nullable() });

async function recordChanges(tx: Tx, state: SwitchState): Promise<void> {
  // Several processes may notice at once: the audit's head is theirs one after another.
  await tx.selectFrom("auditHead").select("seq").where("one", "=", 1).forUpdate().executeTakeFirstOrThrow();
  const rows = await tx
    .selectFrom("audit")
    .select(["kind", "body"])
    .where("kind", "in", ["halted", "resumed"])
    .orderBy("seq")
    .execute();
  const recorded = new Map(
    rows.map(({ kind, body }) => {
      const { scope, at } = recordedSchema.parse(JSON.parse(body));
      return [scope, { halted: kind === "halted", at }];
    }),
  );
  const record = (halted: boolean, body: z.output<typeof recordedSchema>): Promise<void> =>
    appendAudit(tx, { kind: halted ? "halted" : "resumed", body });
  const unreadable = { scope: "*", halted: true, by: null, at: null };
  for (const { halted, ...entry } of state.kind === "read" ? state.entries : [unreadable]) {
    const last = recorded.get(entry.scope);
    if (last?.at !== entry.at || last.halted !== halted) await record(halted, entry);
  }
  if (state.kind === "unreadable") return;
  for (const [scope, last] of recorded) {
    const isTold = state.entries.some((entry) => entry.scope === scope);
    if (last.halted && !isTold) await record(false, { scope, by: null, at: null });
  }
}
