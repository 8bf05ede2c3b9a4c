import { readFile } from "node:fs/promises";
import { withoutMarker } from "../github/comments.ts";
import { readCheckpoint } from "../github/render/board.ts";
import { appendAudit } from "../store/audit.ts";
import { contradiction, readUnsigned } from "../store/checkpoint.ts";
import type { Db, Tx } from "../store/database.ts";
import { lockIncident } from "../store/incidents.ts";
import { passOverDue } from "../store/schedules.ts";
import { endAuto } from "./auto.ts";
import { voidOpen } from "./void.ts";
import type { World } from "./world.ts";

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
  for (const { id } of incidents) await store.transaction((tx) => setBack(tx, id));
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

/** Nothing that is open on an incident may run any more; the audit tells from when on it is known again what happened. */
export async function setBack(tx: Tx, incidentId: string): Promise<void> {
  const incident = await lockIncident(tx, incidentId);
  const voided = await voidOpen(tx, incident, reason);
  // An `/auto off` that was said since is not known either.
  await endAuto(tx, incident, reason);
  await appendAudit(tx, {
    kind: "store_restored",
    incidentId,
    body: { reason, void: voided.map(({ number }) => number) },
  });
}
