/** Shifts of a rotation: people who take turns, and who stands in for them. Pure. */

import { instantOf } from "../base/clock.ts";
import type { Shift } from "./roster.ts";

/** A rotation as a repository's `oncall.yml` gives it. Times on the clock are ms as if they stood in UTC. */
export interface Rotation {
  readonly timeZone: string;
  /** Logins, in the order of their turns. */
  readonly people: readonly string[];
  /** When the first turn of the first of them began. */
  readonly fromWall: number;
  /** How long a turn is on the clock: a day of it may have 23 hours. */
  readonly everyMs: number;
  readonly overrides: readonly { readonly fromWall: number; readonly untilWall: number; readonly login: string }[];
}

/** The turns around a moment: the running one, the one before it, and so many that everybody has been named; all overrides. */
export function rotationShifts(rotation: Rotation, now: Date): readonly Shift[] {
  const { timeZone, people, fromWall, everyMs, overrides } = rotation;
  // The clocks of no zone are further from UTC than a day.
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
