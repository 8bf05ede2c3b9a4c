import { placeOfRun } from "../../base/action.ts";
import { every } from "../../base/clock.ts";
import type { Stopper } from "../../base/run.ts";
import { utcMinute } from "../../github/render/ink.ts";
import { appendAudit, lockedAudit } from "../../store/audit/chain.ts";
import type { AuditEvent } from "../../store/audit/events.ts";
import type { Db, Tx } from "../../store/database/open.ts";
import {
  type Hold,
  type HoldPlace,
  holdPlaceOf,
  holdsOn,
  isStanding,
  isWhole,
  type Stops,
  stopsOn,
} from "../../store/holds.ts";
import type { Incident } from "../../store/incidents.ts";
import { cancelledRuns } from "../../store/runs.ts";
import type { Deps } from "../context.ts";
import { haltFileOf, readHaltFile, readSwitch, type SwitchState, switchIn } from "./halt.ts";

/** Whether an incident's commands may run (SR-68, RR-16). */
export type IncidentStanding =
  | {
      readonly kind: "free";
      /** Earlier approvals no longer count. */
      readonly since: Date | undefined;
      /** The last comment about a hold, and the operator's last switch in ms; 0 if none. */
      readonly lastWord: { readonly comment: number; readonly haltMs: number };
    }
  | {
      readonly kind: "stopped";
      /** Undefined if only the operator can lift it. */
      readonly lift: string | undefined;
      /** e.g. `the bot is halted by root since …`. A login in it is still a mention. */
      readonly words: string;
      readonly by: Stopper;
      /** Ends running commands too. */
      readonly kill: boolean;
    };

export type StoppableIncident = Pick<Incident, "repoId" | "number" | "repo">;

/** Throws if the holds cannot be read; the caller then runs nothing. */
export const standingOf = async (
  deps: Pick<Deps, "config">,
  db: Db | Tx,
  incident: StoppableIncident,
): Promise<IncidentStanding> => standingIn(deps, incident, await stopsOn(db, holdPlaceOf(incident)));

/** Decides on rows just read; an embedded store's switch is read from its file. */
export async function standingIn(
  { config }: Pick<Deps, "config">,
  { repo }: Pick<Incident, "repo">,
  { halts, holds }: Stops,
): Promise<IncidentStanding> {
  const file = haltFileOf(config.store.url);
  return decideStanding(file === undefined ? switchIn(halts) : await readHaltFile(file), holds, repo);
}

/** Pure. Names a halt before a hold, because only the operator can lift a halt. */
export function decideStanding(state: SwitchState, holds: readonly Hold[], repo: string): IncidentStanding {
  if (state.kind === "unreadable") {
    const words = "the bot is halted, because its kill switch cannot be read";
    return { kind: "stopped", lift: undefined, words, by: { by: "the kill switch", operator: true }, kill: false };
  }
  const entries = state.entries.filter(({ scope }) => scope === "*" || scope.toLowerCase() === repo.toLowerCase());
  const stops = [
    ...entries
      .filter(({ halted }) => halted)
      .map(({ by, at, kill }) => ({
        lift: undefined,
        words: `the bot is halted by ${by} since ${at}`,
        by: { by: `the operator (${by})`, operator: true as const },
        kill,
      })),
    ...holds.filter(isStanding).map((hold) => ({
      lift: liftOf(hold),
      words: heldWords(hold),
      by: { by: hold.login },
      kill: hold.kill,
    })),
  ];
  const [first] = stops;
  if (first) {
    const killing = stops.find(({ kill }) => kill);
    return { kind: "stopped", ...first, ...(killing ? { by: killing.by, kill: true } : {}) };
  }
  const halts = entries.map(({ at }) => Date.parse(at));
  const lifts = [...halts, ...holds.flatMap(({ liftedAt }) => liftedAt?.getTime() ?? [])];
  const comments = holds.map(({ commentId, liftedBy }) => Math.max(commentId, liftedBy ?? 0));
  return {
    kind: "free",
    since: lifts.length === 0 ? undefined : new Date(Math.max(...lifts)),
    lastWord: { comment: Math.max(0, ...comments), haltMs: Math.max(0, ...halts) },
  };
}

/** `this incident is held by @sam since 2026-03-01 14:05Z` */
export const heldWords = (hold: Hold): string =>
  `${isWhole(hold) ? "the whole repository" : "this incident"} is held by @${hold.login} since ${utcMinute(hold.heldAt)}`;

/** Returns the command that lifts it. */
export const liftOf = (hold: HoldPlace): string => (isWhole(hold) ? "/resume all" : "/resume");

export interface CommentTimes {
  readonly commentId: number;
  /** By GitHub, in whole seconds. */
  readonly writtenAt?: Date;
  /** When the bot stored it. */
  readonly keptAt?: Date;
}

/** Whether a comment came after the last lift. Compares GitHub's comment ids too, because no clock of ours can reverse them. */
export const isSaidSince = (
  { since, lastWord }: Extract<IncidentStanding, { kind: "free" }>,
  { commentId, writtenAt, keptAt }: CommentTimes,
): boolean =>
  commentId > lastWord.comment &&
  (writtenAt === undefined || writtenAt.getTime() + 999 >= lastWord.haltMs) &&
  (keptAt === undefined || since === undefined || keptAt.getTime() > since.getTime());

type RunPermission =
  | { readonly kind: "yes" }
  | Extract<IncidentStanding, { kind: "stopped" }>
  | { readonly kind: "said-before" };

/** Whether these comments may start commands now. Throws if the holds cannot be read. */
export const mayRun = async (
  deps: Pick<Deps, "config">,
  db: Db | Tx,
  incident: StoppableIncident,
  comments: readonly CommentTimes[] = [],
): Promise<RunPermission> => mayRunOn(await standingOf(deps, db, incident), comments);

/** Decides on a standing just read. Pure. */
export function mayRunOn(standing: IncidentStanding, comments: readonly CommentTimes[]): RunPermission {
  if (standing.kind === "stopped") return standing;
  return comments.every((one) => isSaidSince(standing, one)) ? { kind: "yes" } : { kind: "said-before" };
}

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
