import type { Stopper } from "../../base/run.ts";
import { utcMinute } from "../../github/render/ink.ts";
import type { Db, Tx } from "../../store/database/open.ts";
import { type Hold, type HoldPlace, holdPlaceOf, isStanding, isWhole, type Stops, stopsOn } from "../../store/holds.ts";
import type { Incident } from "../../store/incidents.ts";
import type { Deps } from "../context.ts";
import { haltFileOf, readHaltFile, type SwitchState, switchIn } from "./halt.ts";

/** Whether the kill switch and holds let commands run on an incident now (SR-68, RR-16). */
export type IncidentStanding =
  | {
      readonly kind: "free";
      /** When the last halt or hold was lifted: earlier approvals no longer count. */
      readonly since: Date | undefined;
      /** The id of the last comment about a hold, and the time of the operator's last switch; 0 if there is none. */
      readonly lastWord: { readonly comment: number; readonly haltMs: number };
    }
  | {
      readonly kind: "stopped";
      /** What an approver writes to lift it; undefined if only the operator can lift it. */
      readonly lift: string | undefined;
      /** e.g. `the bot is halted by root since …`. A login in it is still a mention. */
      readonly words: string;
      /** Whom the message names for ending a run. */
      readonly by: Stopper;
      /** Running commands end too, not only those that wait to be sent. */
      readonly kill: boolean;
    };

export type StoppableIncident = Pick<Incident, "repoId" | "number" | "repo">;

/** Reads switch and holds now. Throws if the holds cannot be read; the caller then runs nothing. */
export const standingOf = async (
  deps: Pick<Deps, "config">,
  db: Db | Tx,
  incident: StoppableIncident,
): Promise<IncidentStanding> => standingIn(deps, incident, await stopsOn(db, holdPlaceOf(incident)));

/** Decides on halts and holds that were just read. An embedded store's switch is a file, which is read here. */
export async function standingIn(
  { config }: Pick<Deps, "config">,
  { repo }: Pick<Incident, "repo">,
  { halts, holds }: Stops,
): Promise<IncidentStanding> {
  const file = haltFileOf(config.store.url);
  return decideStanding(file === undefined ? switchIn(halts) : await readHaltFile(file), holds, repo);
}

/** Combines switch and holds. Pure. Names a halt before a hold, because only the operator can lift a halt. */
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

/** What an approver writes to lift it. */
export const liftOf = (hold: HoldPlace): string => (isWhole(hold) ? "/resume all" : "/resume");

/** When a comment that starts something was written. */
export interface CommentTimes {
  readonly commentId: number;
  /** By GitHub, in whole seconds. */
  readonly writtenAt?: Date;
  /** When the bot stored it. */
  readonly keptAt?: Date;
}

/**
 * Whether a comment came after the last halt or hold was lifted; an earlier one starts nothing. GitHub's order of comments
 * counts as well, because no clock of ours can reverse it.
 */
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
  /** A comment that starts it came before a halt or hold was lifted. */
  | { readonly kind: "said-before" };

/** Whether commands may run on an incident now because of these comments. Throws if the holds cannot be read. */
export const mayRun = async (
  deps: Pick<Deps, "config">,
  db: Db | Tx,
  incident: StoppableIncident,
  comments: readonly CommentTimes[] = [],
): Promise<RunPermission> => mayRunOn(await standingOf(deps, db, incident), comments);

/** Decides on a standing that was just read. Pure. */
export function mayRunOn(standing: IncidentStanding, comments: readonly CommentTimes[]): RunPermission {
  if (standing.kind === "stopped") return standing;
  return comments.every((one) => isSaidSince(standing, one)) ? { kind: "yes" } : { kind: "said-before" };
}
