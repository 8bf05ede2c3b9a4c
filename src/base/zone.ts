/** Clocks on walls: what one shows in a zone, and when it shows that. Pure. */

const minuteMs = 60_000;

/** Whether `Intl` knows a time zone of this name. */
export function isTimeZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: zone });
    return true;
  } catch {
    // It throws for a name that it does not know.
    return false;
  }
}

/** What the clocks of a zone show at a moment, in ms as if they stood in UTC. Throws a RangeError for a zone that is none. */
function wallClock(ms: number, zone: string): number {
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone: zone,
    hourCycle: "h23",
    ...{ year: "numeric", month: "numeric", day: "numeric", hour: "numeric", minute: "numeric", second: "numeric" },
  } as Intl.DateTimeFormatOptions);
  const part = new Map(format.formatToParts(ms).map(({ type, value }) => [type, Number(value)]));
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
