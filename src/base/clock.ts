/** The time by which approvals are judged (RR-16). */
export interface Clock {
  readonly now: () => Date;
  /** Takes a `Date` header; ignores other texts. */
  readonly hear: (date: string | null) => void;
  /** Until this is true, the clock is as wrong as the system's at the start. */
  readonly isTold: () => boolean;
}

/** In ms; `elapsed` is monotonic. */
export interface TimeSource {
  readonly shown: () => number;
  readonly elapsed: () => number;
}

/** A header has whole seconds and takes time to arrive. */
const allowanceMs = 5_000;

export const ofSystem: TimeSource = { shown: Date.now, elapsed: () => performance.now() };

/**
 * After the start only GitHub sets this clock, so that changes of the system's move no approval's end (SR-24). GitHub's first answer
 * corrects a wrong start before any command.
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

/** The earliest moment that GitHub, whose times are whole seconds, may show for what was written at `date`. */
export const startOfSecond = (date: Date): Date => new Date(Math.floor(date.getTime() / 1_000) * 1_000);

const minuteMs = 60_000;

export function isTimeZone(zone: string): boolean {
  try {
    return formatIn(zone) !== undefined;
  } catch {
    return false;
  }
}

/** Making a format takes longer than a hundred uses. */
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

/** In ms as if the zone's wall clock were UTC. Throws a RangeError for an unknown zone. */
export function wallClock(ms: number, zone: string): number {
  const part = new Map(
    formatIn(zone)
      .formatToParts(ms)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const at = (type: Intl.DateTimeFormatPartTypes): number => part.get(type) ?? 0;
  return Date.UTC(at("year"), at("month") - 1, at("day"), at("hour"), at("minute"), at("second"));
}

/**
 * The moment at which the zone's clocks show `wall`, in ms: the first if there are two; if they skip it, later by the skipped time. Throws
 * a RangeError for an unknown zone.
 */
export function instantOf(wall: number, zone: string): number {
  const guesses = [-1, 1].map((days) => {
    const near = wall + days * 24 * 60 * minuteMs;
    return wall - (wallClock(near, zone) - near);
  });
  const right = guesses.filter((ms) => wallClock(ms, zone) === wall);
  return right.length > 0 ? Math.min(...right) : Math.max(...guesses);
}

/** A future `at` counts as older, because a clock that was set back hides the age. */
export function isOlderThan(mostMs: number, at: number, now = Date.now()): boolean {
  const age = now - at;
  return age < 0 || age > mostMs;
}

/** Returns whether another call of that name fits into the minute. */
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

/** Never rejects. Uses the global timer, because the model of random histories replaces it. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal?.addEventListener("abort", done, { once: true });
    if (signal?.aborted) done();
  });
}

interface Backoff {
  readonly baseMs: number;
  /** Before the spread. */
  readonly mostMs?: number;
  /** The largest random share, so that callers that failed together return apart. */
  readonly spread?: number;
  readonly random?: () => number;
}

/** Doubles from `baseMs`. */
export const backoffMs = (times: number, backoff: Backoff): number => {
  const { baseMs, mostMs = Number.POSITIVE_INFINITY, spread = 0, random = Math.random } = backoff;
  return Math.min(baseMs * 2 ** times, mostMs) * (1 + spread * random());
};

interface RepeatedWork {
  /** Starts the work now unless it is under way. */
  readonly now: () => void;
  /** Waits for the work under way. */
  readonly stop: () => Promise<void>;
}

/** Does `work` at once (or `first: "later"`) and every `ms`, skipping turns that come due meanwhile. Passes errors to `failed`. */
export function every(
  ms: number,
  work: () => Promise<unknown>,
  failed: (error: unknown) => void,
  { first = "at once" }: { readonly first?: "at once" | "later" } = {},
): RepeatedWork {
  let working: Promise<unknown> | undefined;
  let isStopped = false;
  const now = (): void => {
    if (isStopped) return;
    working ??= work()
      .catch(failed)
      .finally(() => {
        working = undefined;
      });
  };
  if (first === "at once") now();
  const timer = setInterval(now, ms).unref();
  return {
    now,
    stop: async () => {
      isStopped = true;
      clearInterval(timer);
      await working;
    },
  };
}
