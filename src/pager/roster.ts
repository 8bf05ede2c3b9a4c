/** Who is on call and who is next, of shifts. Pure. */

/** A time in which somebody is on call, in ms. */
export interface Shift {
  readonly startMs: number;
  readonly endMs: number;
  /** Logins on GitHub; none where what the calendar calls them is nobody's name. */
  readonly logins: readonly string[];
  /** What the calendar calls them. */
  readonly name: string;
  /** It stands in for another by its own word, however long it is. */
  readonly isOverride?: true;
}

interface OnCall {
  readonly login: string;
  /** When their shift ends, or for the next begins. */
  readonly at: Date;
}

export interface OnCallRoster {
  /** Who is on call: overrides first, and of two shifts the shorter, since it stands in for the longer. */
  readonly now: readonly OnCall[];
  /** Who comes after them, the first first. */
  readonly next: readonly OnCall[];
  /** Shifts of this moment that name nobody the bot knows. */
  readonly unknown: readonly string[];
}

const rank = ({ isOverride }: Shift): number => (isOverride ? 0 : 1);

/** Reads a roster out of shifts, in whatever order they are. */
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
