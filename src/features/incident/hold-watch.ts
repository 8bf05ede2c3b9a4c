import { placeOfRun } from "../../base/action.ts";
import { every } from "../../base/clock.ts";
import { appendAudit } from "../../store/audit/chain.ts";
import type { AuditEvent } from "../../store/audit/events.ts";
import { lockedAudit } from "../../store/audit/rows.ts";
import { holdsOn } from "../../store/holds.ts";
import { cancelledRuns } from "../../store/runs.ts";
import type { Deps } from "../context.ts";
import { readSwitch } from "./halt.ts";
import { decideStanding, type IncidentStanding, type StoppableIncident } from "./hold.ts";

const lookEveryMs = 250;
const noticeEveryMs = 500;

/** Stops waiting commands, ends running ones if required, and audits changes of the switch. New commands check for themselves. */
export function keepStopping(deps: Deps): { readonly stop: () => Promise<void> } {
  const { running } = deps;
  const { db } = deps.store;
  let noticed: string | undefined;
  const watch = (ms: number, event: string, work: () => Promise<void>) =>
    every(ms, work, (error) => deps.log.warn({ module: "halt", event, err: error }));
  const watches = [
    // A separate watch: it works even if the store does not answer.
    watch(lookEveryMs, "halt_not_seen", async () => {
      const incidents = running.incidents();
      if (incidents.length === 0) return;
      const state = await readSwitch(deps, db);
      for (const incident of incidents) obey(deps, incident, decideStanding(state, [], incident.repo));
    }),
    watch(lookEveryMs, "hold_not_seen", () => endHeld(deps)),
    // Another process may have received the `/cancel`, or none was running.
    watch(lookEveryMs, "cancel_not_seen", async () => {
      const actionIds = running.actionIds();
      if (actionIds.length === 0) return;
      for (const { actionId, cancelledBy, ...place } of await cancelledRuns(db, actionIds))
        if (cancelledBy !== null) running.cancel(actionId, cancelledBy, placeOfRun(place));
    }),
    // Also records changes made while the bot was down.
    watch(noticeEveryMs, "halt_not_recorded", async () => {
      const state = await readSwitch(deps, db);
      const now = JSON.stringify(state);
      if (now === noticed) return;
      await deps.store.transaction(async (tx) => {
        // The lock on the audit's head orders processes that notice a change at once.
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
          const isListed = state.entries.some((entry) => entry.scope === scope);
          if (last.halted && !isListed) await record(false, { scope, by: null, at: null });
        }
      });
      noticed = now;
      const isOff = state.kind === "read" && state.entries.every(({ halted }) => !halted);
      deps.log[isOff ? "info" : "warn"]({ module: "halt", event: "halt_read", ...state });
    }),
  ];
  return {
    stop: async () => {
      await Promise.all(watches.map(({ stop }) => stop()));
    },
  };
}

/** Stops and ends what holds cover. Throws if they cannot be read. */
export async function endHeld(deps: Deps): Promise<void> {
  for (const incident of deps.running.incidents()) {
    const holds = await holdsOn(deps.store.db, incident);
    obey(deps, incident, decideStanding({ kind: "read", entries: [] }, holds, incident.repo));
  }
}

function obey(deps: Deps, incident: StoppableIncident, standing: IncidentStanding): void {
  if (standing.kind === "free") return;
  deps.running.stop(incident, { by: standing.by, which: standing.kill ? "all" : "unsent" });
}
