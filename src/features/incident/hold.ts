import { utcMinute } from "../../github/render/ink.ts";
import type { Db, Tx } from "../../store/database/open.ts";
import { type Hold, holdsOn, isStanding, isWhole } from "../../store/holds.ts";
import type { Incident } from "../../store/incidents.ts";
import type { Deps } from "../context.ts";
import { entriesOn, type HaltEntry, readSwitch, type SwitchState } from "./halt.ts";

/** Whether commands may run on an incident now, as far as the kill switch and holds go (SR-68). */
export type Standing =
  | {
      readonly kind: "free";
      /** When the last halt or hold was lifted: what was approved before is not approved any more. */
      readonly since: Date | undefined;
      /** The last word of people on a hold, by its comment's id, and the last of the operator; 0 where there was none. */
      readonly lastWord: { readonly comment: number; readonly haltMs: number };
    }
  | {
      readonly kind: "stopped";
      /** What an approver writes to lift it; absent where only the operator can. */
      readonly lift: string | undefined;
      /** e.g. `the bot is halted by root since …`; a login in it is not made harmless. */
      readonly words: string;
      /** Who is told to have ended what it ends. */
      readonly by: string;
      /** What runs is ended too, not only what is still on its way. */
      readonly kill: boolean;
    };

/** Where an incident is, for what stops it. */
export type Stoppable = Pick<Incident, "repoId" | "number" | "repo">;

/** Reads switch and holds at this moment. Throws where the holds cannot be read; whoever asks then runs nothing. */
export async function standingOf(deps: Pick<Deps, "config">, db: Db | Tx, incident: Stoppable): Promise<Standing> {
  return decideStanding(await readSwitch(deps, db), await holdsOn(db, incident), incident.repo);
}

/** What switch and holds come to. Pure. A halt is told before a hold: nobody on the issue can lift it. */
export function decideStanding(state: SwitchState, holds: readonly Hold[], repo: string): Standing {
  if (state.kind === "unreadable") {
    const words = "the bot is halted, because its kill switch cannot be read";
    return { kind: "stopped", lift: undefined, words, by: "the kill switch", kill: false };
  }
  const entries = entriesOn(state.entries, repo);
  const stops = [
    ...entries.filter(({ halted }) => halted).map(asStop),
    ...holds.filter(isStanding).map((hold) => ({
      lift: isWhole(hold) ? "/resume all" : "/resume",
      words: heldWords(hold),
      by: hold.login,
      kill: hold.kill,
    })),
  ];
  const [first] = stops;
  if (!first) {
    const halts = entries.map(({ at }) => new Date(at));
    const haltMs = Math.max(0, ...halts.map((at) => at.getTime()));
    const comment = Math.max(0, ...holds.map(({ commentId, liftedBy }) => Math.max(commentId, liftedBy ?? 0)));
    return { kind: "free", since: latest([...halts, ...liftedOf(holds)]), lastWord: { comment, haltMs } };
  }
  const killing = stops.find(({ kill }) => kill);
  return { kind: "stopped", ...first, ...(killing ? { by: killing.by, kill: true } : {}) };
}

const asStop = ({ by, at, kill }: HaltEntry) => ({
  lift: undefined,
  words: `the bot is halted by ${by} since ${at}`,
  by: `the operator (${by})`,
  kill,
});

/** `this incident is held by @sam since 2026-03-01 14:05Z` */
export const heldWords = (hold: Hold): string =>
  `${isWhole(hold) ? "the whole repository" : "this incident"} is held by @${hold.login} since ${utcMinute(hold.heldAt)}`;

const liftedOf = (holds: readonly Hold[]): readonly Date[] => holds.flatMap(({ liftedAt }) => liftedAt ?? []);

const latest = (times: readonly Date[]): Date | undefined =>
  times.length === 0 ? undefined : new Date(Math.max(...times.map((time) => time.getTime())));

/**
 * Whether a comment that comes late was written before what stood here was lifted: it was said of another time, and sets nothing
 * going. GitHub tells whole seconds.
 */
export const isFromBefore = (
  { lastWord }: Extract<Standing, { kind: "free" }>,
  { id, createdAt }: { readonly id: number; readonly createdAt: Date },
): boolean => id < lastWord.comment || createdAt.getTime() + 999 < lastWord.haltMs;

/**
 * Whether an approval counts: nothing runs on one that is older than the last halt or hold. Of comments GitHub's own order is
 * asked as well, which no clock of ours can turn round (RR-16).
 */
export const isFresh = (
  { since, lastWord }: Extract<Standing, { kind: "free" }>,
  given: { readonly commentId: number; readonly at: Date },
): boolean => given.commentId > lastWord.comment && (since === undefined || given.at.getTime() > since.getTime());
