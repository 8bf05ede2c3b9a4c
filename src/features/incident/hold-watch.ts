import { placeOfRun } from "../../base/action.ts";
import { every } from "../../base/every.ts";
import { appendAudit } from "../../store/audit/chain.ts";
import type { AuditEvent } from "../../store/audit/events.ts";
import { lockedAudit } from "../../store/audit/rows.ts";
import type { Tx } from "../../store/database/open.ts";
import { holdsOn } from "../../store/holds.ts";
import { cancelledRuns } from "../../store/runs.ts";
import type { Deps } from "../context.ts";
import { readSwitch, type SwitchState } from "./halt.ts";
import { decideStanding, type Standing, type Stoppable } from "./hold.ts";

const lookEveryMs = 250;
const noticeEveryMs = 500;

/**
 * Watches switch and holds while the bot runs: what is on its way to a server is taken back, what runs is ended where that was
 * asked for, and each change of the switch comes into the audit once. Whether anything new is sent does not depend on it.
 */
export function keepStopping(deps: Deps): { readonly stop: () => Promise<void> } {
  const watches = [
    // Each on its own: the switch must work while the store does not answer.
    every(lookEveryMs, () => endHalted(deps), failed(deps, "halt_not_seen")),
    every(lookEveryMs, () => endHeld(deps), failed(deps, "hold_not_seen")),
    every(lookEveryMs, () => endCancelled(deps), failed(deps, "cancel_not_seen")),
    every(noticeEveryMs, noticeChanges(deps), failed(deps, "halt_not_recorded")),
  ];
  return {
    stop: async () => {
      await Promise.all(watches.map((watch) => watch.stop()));
    },
  };
}

const failed =
  (deps: Deps, event: string) =>
  (error: unknown): void =>
    deps.log.warn({ module: "halt", event, err: error });

/** Takes back and ends what the kill switch stops. */
async function endHalted(deps: Deps): Promise<void> {
  const incidents = deps.running.incidents();
  if (incidents.length === 0) return;
  const state = await readSwitch(deps, deps.store.db);
  for (const incident of incidents) obey(deps, incident, decideStanding(state, [], incident.repo));
}

/** Takes back and ends what holds stop. Throws where they cannot be read. */
export async function endHeld(deps: Deps): Promise<void> {
  for (const incident of deps.running.incidents()) {
    const holds = await holdsOn(deps.store.db, incident);
    obey(deps, incident, decideStanding({ kind: "read", entries: [] }, holds, incident.repo));
  }
}

/** Ends what a `/cancel` was for, also one that another process took or that came while no process was there. */
async function endCancelled(deps: Deps): Promise<void> {
  const actionIds = deps.running.actionIds();
  if (actionIds.length === 0) return;
  for (const { actionId, cancelledBy, ...place } of await cancelledRuns(deps.store.db, actionIds)) {
    if (cancelledBy !== null) deps.running.cancel(actionId, cancelledBy, placeOfRun(place));
  }
}

function obey(deps: Deps, incident: Stoppable, standing: Standing): void {
  if (standing.kind === "free") return;
  deps.running.stop(incident, { by: standing.by, which: standing.kill ? "all" : "unsent" });
}

/** Puts each change of the switch into the audit once, also one that was made while the bot was down. */
function noticeChanges(deps: Deps): () => Promise<void> {
  let noticed: string | undefined;
  return async () => {
    const state = await readSwitch(deps, deps.store.db);
    const now = JSON.stringify(state);
    if (now === noticed) return;
    await deps.store.transaction((tx) => recordChanges(tx, state));
    noticed = now;
    const isOff = state.kind === "read" && state.entries.every(({ halted }) => !halted);
    deps.log[isOff ? "info" : "warn"]({ module: "halt", event: "halt_read", ...state });
  };
}

async function recordChanges(tx: Tx, state: SwitchState): Promise<void> {
  // Several processes may notice at once: the audit's head is theirs one after another.
  const rows = await lockedAudit(tx, "halted", "resumed");
  const recorded = new Map(
    rows.flatMap(({ kind, body }) =>
      kind === "halted" || kind === "resumed"
        ? [[body.scope, { halted: kind === "halted", at: body.at }] as const]
        : [],
    ),
  );
  const record = (halted: boolean, body: AuditEvent<"halted">["body"]): Promise<void> =>
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
