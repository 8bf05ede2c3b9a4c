import type { Stopper } from "../../base/run.ts";
import { utcMinute } from "../../github/render/ink.ts";
import type { Db, Tx } from "../../store/database/open.ts";
import { type Hold, type HoldPlace, holdPlaceOf, isStanding, isWhole, type Stops, stopsOn } from "../../store/holds.ts";
import type { Incident } from "../../store/incidents.ts";
import type { Deps } from "../context.ts";
import { entriesOn, type HaltEntry, haltFileOf, readHaltFile, type SwitchState, switchIn } from "./halt.ts";

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
      readonly by: Stopper;
      /** What runs is ended too, not only what is still on its way. */
      readonly kill: boolean;
    };

/** Where an incident is, for what stops it. */
export type Stoppable = Pick<Incident, "repoId" | "number" | "repo">;

/** Reads switch and holds at this moment. Throws where the holds cannot be read; whoever asks then runs nothing. */
export const standingOf = async (deps: Pick<Deps, "config">, db: Db | Tx, incident: Stoppable): Promise<Standing> =>
  standingIn(deps, incident, await stopsOn(db, holdPlaceOf(incident)));

/** The same of halts and holds that were just read. An embedded store's switch is a file, and read here. */
export async function standingIn(
  { config }: Pick<Deps, "config">,
  { repo }: Pick<Incident, "repo">,
  { halts, holds }: Stops,
): Promise<Standing> {
  const file = haltFileOf(config.store.url);
  return decideStanding(file === undefined ? switchIn(halts) : await readHaltFile(file), holds, repo);
}

/** What switch and holds come to. Pure. A halt is told before a hold: nobody on the issue can lift it. */
export function decideStanding(state: SwitchState, holds: readonly Hold[], repo: string): Standing {
  if (state.kind === "unreadable") {
    const words = "the bot is halted, because its kill switch cannot be read";
    return { kind: "stopped", lift: undefined, words, by: { by: "the kill switch", operator: true }, kill: false };
  }
  const entries = entriesOn(state.entries, repo);
  const stops = [
    ...entries.filter(({ halted }) => halted).map(asStop),
    ...holds.filter(isStanding).map((hold) => ({
      lift: liftOf(hold),
      words: heldWords(hold),
      by: { by: hold.login },
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
  by: { by: `the operator (${by})`, operator: true as const },
  kill,
});

/** `this incident is held by @sam since 2026-03-01 14:05Z` */
export const heldWords = (hold: Hold): string =>
  `${isWhole(hold) ? "the whole repository" : "this incident"} is held by @${hold.login} since ${utcMinute(hold.heldAt)}`;

/** What an approver writes to lift it. */
export const liftOf = (hold: HoldPlace): string => (isWhole(hold) ? "/resume all" : "/resume");

const liftedOf = (holds: readonly Hold[]): readonly Date[] => holds.flatMap(({ liftedAt }) => liftedAt ?? []);

const latest = (times: readonly Date[]): Date | undefined =>
  times.length === 0 ? undefined : new Date(Math.max(...times.map((time) => time.getTime())));

/** What somebody said that is to set something going. */
export interface SaidAt {
  readonly commentId: number;
  /** By GitHub, in whole seconds. */
  readonly writtenAt?: Date;
  /** When the bot wrote it down. */
  readonly keptAt?: Date;
}

/**
 * Whether it was said since the last halt or hold was lifted; what is older was said of another time and sets nothing going. Of
 * comments GitHub's own order is asked as well, which no clock of ours can turn round (RR-16).
 */
export const isSaidSince = (
  { since, lastWord }: Extract<Standing, { kind: "free" }>,
  { commentId, writtenAt, keptAt }: SaidAt,
): boolean =>
  commentId > lastWord.comment &&
  (writtenAt === undefined || writtenAt.getTime() + 999 >= lastWord.haltMs) &&
  (keptAt === undefined || since === undefined || keptAt.getTime() > since.getTime());

export type MayRun =
  | { readonly kind: "yes" }
  | Extract<Standing, { kind: "stopped" }>
  /** What is to set it going was said before a halt or hold was lifted. */
  | { readonly kind: "said-before" };

/** Whether anything may run on an incident now on what was `said`. Throws where the holds cannot be read. */
export const mayRun = async (
  deps: Pick<Deps, "config">,
  db: Db | Tx,
  incident: Stoppable,
  said: readonly SaidAt[] = [],
): Promise<MayRun> => mayRunOn(await standingOf(deps, db, incident), said);

/** The same of a standing that was just read. Pure. */
export function mayRunOn(standing: Standing, said: readonly SaidAt[]): MayRun {
  if (standing.kind === "stopped") return standing;
  return said.every((one) => isSaidSince(standing, one)) ? { kind: "yes" } : { kind: "said-before" };
}
