import { instantOf } from "../base/clock.ts";

export interface Shift {
  readonly startMs: number;
  readonly endMs: number;
  /** On GitHub; empty if the calendar's name is unknown. */
  readonly logins: readonly string[];
  readonly name: string;
  /** Replaces another shift even if it is longer. */
  readonly isOverride?: true;
}

interface OnCall {
  readonly login: string;
  /** The current shift's end, or the next one's start. */
  readonly at: Date;
}

export interface OnCallRoster {
  /** Overrides first, then shorter shifts, which replace longer ones. */
  readonly now: readonly OnCall[];
  readonly next: readonly OnCall[];
  /** Without a known name. */
  readonly unknown: readonly string[];
}

const rank = ({ isOverride }: Shift): number => (isOverride ? 0 : 1);

/** Reads a roster from shifts in any order. Pure. */
export function rosterAt(shifts: readonly Shift[], now: Date): OnCallRoster {
  const ms = now.getTime();
  const current = shifts
    .filter(({ startMs, endMs }) => startMs <= ms && ms < endMs)
    .sort((a, b) => rank(a) - rank(b) || a.endMs - a.startMs - (b.endMs - b.startMs) || a.startMs - b.startMs);
  const coming = shifts.filter(({ startMs }) => startMs > ms).sort((a, b) => a.startMs - b.startMs);
  const seen = new Set<string>();
  const list = (some: readonly Shift[], at: "startMs" | "endMs"): readonly OnCall[] =>
    some.flatMap((shift) =>
      shift.logins.flatMap((login) => {
        if (seen.has(login.toLowerCase())) return [];
        seen.add(login.toLowerCase());
        return [{ login, at: new Date(shift[at]) }];
      }),
    );
  return {
    now: list(current, "endMs"),
    next: list(coming, "startMs"),
    unknown: current.filter(({ logins }) => logins.length === 0).map(({ name }) => name),
  };
}

/** From `oncall.yml`. Wall times are ms as if in UTC. */
interface Rotation {
  readonly timeZone: string;
  /** Logins in the order of their turns. */
  readonly people: readonly string[];
  readonly fromWall: number;
  /** In wall time, in which a day may have 23 real hours. */
  readonly everyMs: number;
  readonly overrides: readonly { readonly fromWall: number; readonly untilWall: number; readonly login: string }[];
}

/** The turns around a moment, enough to name each person, and all overrides. Pure. */
export function rotationShifts(rotation: Rotation, now: Date): readonly Shift[] {
  const { timeZone, people, fromWall, everyMs, overrides } = rotation;
  // No zone is further from UTC than a day.
  const around = Math.floor((now.getTime() - fromWall) / everyMs);
  const spare = Math.ceil((24 * 3_600_000) / everyMs) + 1;
  const turns = Array.from({ length: people.length + 2 * spare }, (_, index) => around - spare + index).filter(
    (turn) => turn >= 0,
  );
  const shift = (from: number, until: number, login: string): Shift => ({
    startMs: instantOf(from, timeZone),
    endMs: instantOf(until, timeZone),
    logins: [login],
    name: login,
  });
  return [
    ...turns.flatMap((turn) => {
      const login = people[turn % people.length];
      const from = fromWall + turn * everyMs;
      return login === undefined ? [] : [shift(from, from + everyMs, login)];
    }),
    ...overrides.map(({ fromWall: from, untilWall, login }) => ({
      ...shift(from, untilWall, login),
      isOverride: true as const,
    })),
  ];
}
