import type { Stopper } from "../../base/run.ts";
import { utcMinute } from "../../github/render/ink.ts";
import type { Db, Tx } from "../../store/database/open.ts";
import { type Hold, type HoldPlace, holdPlaceOf, isStanding, isWhole, type Stops, stopsOn } from "../../store/holds.ts";
import type { Incident } from "../../store/incidents.ts";
import type { Deps } from "../context.ts";
import { haltFileOf, readHaltFile, type SwitchState, switchIn } from "./halt.ts";

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
