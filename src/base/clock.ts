/** The time by which approvals are judged (RR-16). */
export interface Clock {
  readonly now: () => Date;
  /** Hears what time somebody else has it, as the `Date` header of an answer tells it; what is no time is not heard. */
  readonly hear: (date: string | null) => void;
  /** Whether anybody has told it; before that it is as wrong as the system's was at the start. */
  readonly isTold: () => boolean;
}

/** Where the time comes from, in ms: what the system shows, and a clock that only goes forward and that nobody sets. */
export interface TimeSource {
  readonly shown: () => number;
  readonly elapsed: () => number;
}

/** A header tells whole seconds, and its answer was on its way. */
const allowanceMs = 5_000;

export const ofSystem: TimeSource = { shown: Date.now, elapsed: () => performance.now() };

/**
 * A clock that is set once, at the start, and then only by GitHub: whoever sets the system's clock back makes no approval live
 * longer, and whoever sets it forward ends none early. A system whose clock was wrong from the start is put right by the first
 * answer of GitHub's, which is asked before each command (SR-24).
 */
export function createClock({ shown, elapsed }: TimeSource = ofSystem): Clock {
  let offset = shown() - elapsed();
  let isTold = false;
  const now = (): number => offset + elapsed();
  return {
    now: () => new Date(now()),
    hear: (date) => {
      const theirs = date === null ? Number.NaN : Date.parse(date);
      if (Number.isNaN(theirs)) return;
      isTold = true;
      if (Math.abs(theirs - now()) > allowanceMs) offset = theirs - elapsed();
    },
    isTold: () => isTold,
  };
}

const minuteMs = 60_000;

/** Whether `Intl` knows a time zone of this name. */
export function isTimeZone(zone: string): boolean {
  try {
    return formatIn(zone) !== undefined;
  } catch {
    // It throws for a name that it does not know.
    return false;
  }
}

/** One takes longer to make than to use a hundred times. */
const formats = new Map<string, Intl.DateTimeFormat>();

function formatIn(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known) return known;
  const numeric = "numeric" as const;
  const date = { year: numeric, month: numeric, day: numeric };
  const time = { hour: numeric, minute: numeric, second: numeric, hourCycle: "h23" as const };
  const made = new Intl.DateTimeFormat("en-US", { timeZone: zone, ...date, ...time });
  formats.set(zone, made);
  return made;
}

/** What the clocks of a zone show at a moment, in ms as if they stood in UTC. Throws a RangeError for a zone that is none. */
function wallClock(ms: number, zone: string): number {
  const part = new Map(
    formatIn(zone)
      .formatToParts(ms)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const at = (type: Intl.DateTimeFormatPartTypes): number => part.get(type) ?? 0;
  return Date.UTC(at("year"), at("month") - 1, at("day"), at("hour"), at("minute"), at("second"));
}

/**
 * When the clocks of a zone show this, in ms. Where they show it twice, the first time; what they skip is as much later as they are put
 * forward. Throws a RangeError for a zone that is none.
 */
export function instantOf(wall: number, zone: string): number {
  const guesses = [-1, 1].map((days) => {
    const near = wall + days * 24 * 60 * minuteMs;
    return wall - (wallClock(near, zone) - near);
  });
  const right = guesses.filter((ms) => wallClock(ms, zone) === wall);
  return right.length > 0 ? Math.min(...right) : Math.max(...guesses);
}

/** Whether that moment of the wall clock is longer ago. One to come is, too: a clock that was set back does not tell how long ago it was. */
export function isOlderThan(mostMs: number, at: number, now = Date.now()): boolean {
  const age = now - at;
  return age < 0 || age > mostMs;
}

/** Counts calls by name; the returned function tells whether one more may come within a minute. */
export function createRate(now: () => Date): (name: string, perMinute: number) => boolean {
  const counts = new Map<string, { readonly since: number; count: number }>();
  return (name, perMinute) => {
    const at = now().getTime();
    const before = counts.get(name);
    const current = before && at - before.since < minuteMs && at >= before.since ? before : { since: at, count: 0 };
    counts.set(name, current);
    return ++current.count <= perMinute;
  };
}
