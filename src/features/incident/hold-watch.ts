import * as z from "zod";
import { every } from "../../base/every.ts";
import { appendAudit } from "../../store/audit/chain.ts";
import { lockedAudit } from "../../store/audit/look.ts";
import type { Tx } from "../../store/database/open.ts";
import { holdsOn } from "../../store/holds.ts";
import { cancelledRuns } from "../../store/runs.ts";
import { readSwitch, type SwitchState } from "./halt.ts";
import { decideStanding, type Standing, type Stoppable } from "./hold.ts";
import type { World } from "../context.ts";

const lookEveryMs = 250;
const noticeEveryMs = 500;

/**
 * Watches switch and holds while the bot runs: what is on its way to a server is taken back, what runs is ended where that was
 * asked for, and each change of the switch comes into the audit once. Whether anything new is sent does not depend on it.
 */
export function keepStopping(world: World): { readonly stop: () => Promise<void> } {
  const watches = [
    // Each on its own: the switch must work while the store does not answer.
    every(lookEveryMs, () => endHalted(world), failed(world, "halt_not_seen")),
    every(lookEveryMs, () => endHeld(world), failed(world, "hold_not_seen")),
    every(lookEveryMs, () => endCancelled(world), failed(world, "cancel_not_seen")),
    every(noticeEveryMs, noticeChanges(world), failed(world, "halt_not_recorded")),
  ];
  return {
    stop: async () => {
      await Promise.all(watches.map((watch) => watch.stop()));
    },
  };
}

const failed =
  (world: World, event: string) =>
  (error: unknown): void =>
    world.log.warn({ module: "halt", event, err: error });

/** Takes back and ends what the kill switch stops. */
async function endHalted(world: World): Promise<void> {
  const incidents = world.running.incidents();
  if (incidents.length === 0) return;
  const state = await readSwitch(world, world.store.db);
  for (const incident of incidents) obey(world, incident, decideStanding(state, [], incident.repo));
}

/** Takes back and ends what holds stop. Throws where they cannot be read. */
export async function endHeld(world: World): Promise<void> {
  for (const incident of world.running.incidents()) {
    const holds = await holdsOn(world.store.db, incident);
    obey(world, incident, decideStanding({ kind: "read", entries: [] }, holds, incident.repo));
  }
}

/** Ends what a `/cancel` was for, also one that another process took or that came while no process was there. */
async function endCancelled(world: World): Promise<void> {
  const actionIds = world.running.actionIds();
  if (actionIds.length === 0) return;
  for (const { actionId, server, cancelledBy } of await cancelledRuns(world.store.db, actionIds)) {
    if (cancelledBy !== null) world.running.cancel(actionId, cancelledBy, server);
  }
}

function obey(world: World, incident: Stoppable, standing: Standing): void {
  if (standing.kind === "free") return;
  world.running.stop(incident, { by: standing.by, which: standing.kill ? "all" : "unsent" });
}

/** Puts each change of the switch into the audit once, also one that was made while the bot was down. */
function noticeChanges(world: World): () => Promise<void> {
  let noticed: string | undefined;
  return async () => {
    const state = await readSwitch(world, world.store.db);
    const now = JSON.stringify(state);
    if (now === noticed) return;
    await world.store.transaction((tx) => recordChanges(tx, state));
    noticed = now;
    const isOff = state.kind === "read" && state.entries.every(({ halted }) => !halted);
    world.log[isOff ? "info" : "warn"]({ module: "halt", event: "halt_read", ...state });
  };
}

const recordedSchema = z.object({ scope: z.string(), at: z.string().nullable() });

async function recordChanges(tx: Tx, state: SwitchState): Promise<void> {
  // Several processes may notice at once: the audit's head is theirs one after another.
  const rows = await lockedAudit(tx, "halted", "resumed");
  const recorded = new Map(
    rows.map(({ kind, body }) => {
      const { scope, at } = recordedSchema.parse(JSON.parse(body));
      return [scope, { halted: kind === "halted", at }];
    }),
  );
  const record = (halted: boolean, body: object): Promise<void> =>
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
