import { readFile } from "node:fs/promises";
import { withoutMarker } from "../github/comments.ts";
import type { WriteFailure } from "../github/outcome.ts";
import { readCheckpoint } from "../github/render/board.ts";
import { utcMinute } from "../github/render/ink.ts";
import { appendAudit } from "../store/audit.ts";
import { contradiction, readUnsigned } from "../store/checkpoint.ts";
import type { Db, Tx } from "../store/database.ts";
import { lockIncident, markSetBack } from "../store/incidents.ts";
import { wantNotice } from "../store/notices.ts";
import type { OutboxComment } from "../store/outbox.ts";
import { passOverDue } from "../store/schedules.ts";
import { slots } from "../store/slots.ts";
import { endAuto } from "./auto.ts";
import { show, threadOf, wakePoster } from "./show.ts";
import { voidOpen, voidWords } from "./void.ts";
import { groundOf, type World } from "./world.ts";

const reason = "an older copy of the bot's store was put back: what happened since is not known";

type Outside = Pick<World, "config" | "store" | "log" | "notary" | "now">;

/**
 * Holds the store against the operator's checkpoint file before anything is served (RR-24, F-37). Where the file has seen more,
 * an older copy was put back: whatever is open in it is void, and no schedule makes up for what was due, since it may have run
 * already. A file that is no checkpoint of
 * this audit counts as one that has seen more.
 */
export async function voidIfRestored({ config, store, log, notary, now }: Outside): Promise<void> {
  const { checkpointFile } = config.audit;
  if (checkpointFile === undefined) return;
  const text = await readFile(checkpointFile, "utf8").catch((error: NodeJS.ErrnoException) => {
    // Before the first checkpoint there is none.
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  if (text === undefined) return;
  const checkpoint = notary ? notary.read(text) : readUnsigned(text);
  const fault = checkpoint
    ? await contradiction(store.db, checkpoint)
    : `${checkpointFile} is no checkpoint of this audit, or its signature does not hold`;
  if (fault === undefined) return;
  const incidents = await store.db.selectFrom("incident").select("id").execute();
  for (const { id } of incidents) await store.transaction((tx) => setBack(tx, { store }, id));
  await store.transaction((tx) => passOverDue(tx, { why: reason, at: now() }));
  log.error({ module: "store", event: "store_restored", reason: fault, incidents: incidents.length });
}

/**
 * Whether the board on the issue has seen more of the audit than the store holds (RR-24). The board is edited for each command
 * that goes out, so that an older copy of the store knows itself by it. Of one that is unreadable nothing is known.
 */
export async function isOlderThan(db: Db, board: string): Promise<boolean> {
  const shown = readCheckpoint(withoutMarker(board));
  return shown !== undefined && (await contradiction(db, shown)) !== undefined;
}

/**
 * Nothing that is open on an incident may run any more; the audit tells from when on it is known again what happened, and a person is
 * told once. It asks nothing of GitHub: board and cards are drawn by `drawSetBack`.
 */
export async function setBack(tx: Tx, world: Pick<World, "store">, incidentId: string): Promise<void> {
  const incident = await lockIncident(tx, incidentId);
  const last = await tx
    .selectFrom("audit")
    .select(["kind", "at"])
    .where("incidentId", "=", incidentId)
    .orderBy("seq", "desc")
    .limit(1)
    .executeTakeFirst();
  const voided = await voidOpen(tx, incident, reason);
  // An `/auto off` that was said since is not known either.
  await endAuto(tx, incident, reason);
  const numbers = voided.map(({ number }) => number);
  await appendAudit(tx, { kind: "store_restored", incidentId, body: { reason, void: numbers } });
  // Found out again before anything else has happened, it is the same restoration.
  if (incident.state !== "open" || last?.kind === "store_restored") return;
  await markSetBack(tx, incidentId);
  const since = utcMinute(last ? new Date(last.at) : incident.createdAt);
  const gone = numbers.length === 0 ? "" : ` So ${voidWords(numbers)}.`;
  await wantNotice(
    tx,
    threadOf(incident),
    `⚠️ An older copy of my store was put back: the last that I know of this issue is from ${since}.${gone} What I proposed after that cannot be approved any more. \`/investigate\` has me look anew.`,
  );
  await wakePoster(tx, world, incident);
}

/**
 * Draws the incidents that were set back, so that no card offers what can no longer be approved. One whose repository GitHub does not
 * show stays to be drawn, and keeps no other waiting.
 */
export async function drawSetBack(world: World): Promise<void> {
  const { db } = world.store;
  const waiting = await db.selectFrom("incident").selectAll().where("setBack", "=", true).execute();
  for (const { id, installationId, repo } of waiting)
    await draw(world, id, { installationId, repo }).catch((error) =>
      world.log.warn({ module: "store", event: "set_back_not_drawn", incidentId: id, err: error }),
    );
}

async function draw(world: World, id: string, place: Parameters<typeof groundOf>[1]): Promise<void> {
  const ground = await groundOf(world, place);
  await world.store.transaction(async (tx) => {
    await show(tx, world, ground, { incident: await lockIncident(tx, id) });
    await tx.updateTable("incident").set({ setBack: false }).where("id", "=", id).execute();
  });
}

/** When the store was last found to be an older copy, in ms; what was said before may have been served already. */
export async function setBackAt({ store }: Pick<World, "store">, id: string): Promise<number> {
  const row = await store.db
    .selectFrom("audit")
    .select("at")
    .where("incidentId", "=", id)
    .where("kind", "=", "store_restored")
    .orderBy("seq", "desc")
    .executeTakeFirst();
  return row ? Date.parse(row.at) : 0;
}

/** A board that is about to be edited: in its way where GitHub did not show it or where it was drawn anew, else nothing. */
export type CheckBoard = (
  board: OutboxComment,
) => Promise<Exclude<WriteFailure, { kind: "never" }> | { readonly kind: "drawn-anew" } | undefined>;

/**
 * Holds each board on GitHub against the store once, before this process edits it: the edit would wipe out what tells of an older
 * copy, and an approved command could run again (RR-24). One that has seen more than the store makes void what is open.
 */
export function createBoardCheck(world: World): CheckBoard {
  const startedAt = world.now().getTime();
  const checked = new Set<string>();
  return async ({ slot, incidentId, githubId, installationId, repo, issue }) => {
    if (slot !== slots.board || incidentId === null || githubId === null || checked.has(incidentId)) return undefined;
    const read = await world.comments.read({ installationId, repo, issue }, githubId);
    // Of one that is gone nothing is known; the edit will tell.
    if (read.kind !== "read" && read.kind !== "never") return read;
    const isOlder = read.kind === "read" && (await isOlderThan(world.store.db, read.body));
    if (isOlder && (await setBackAt(world, incidentId)) < startedAt) {
      world.log.error({ module: "store", event: "store_restored", repo, issue });
      await world.store.transaction((tx) => setBack(tx, world, incidentId));
      checked.add(incidentId);
      await drawSetBack(world);
      return { kind: "drawn-anew" };
    }
    checked.add(incidentId);
    return undefined;
  };
}
