/** When the demo's incidents began: twelve minutes before the demo started, on the minute; its texts and logs agree on it. */
export const faultTime = (startedAt: Date): Date =>
  new Date(Math.floor(startedAt.getTime() / 60_000) * 60_000 - 12 * 60_000);

/** `14:02Z` */
export const shortTime = (at: Date): string => `${at.toISOString().slice(11, 16)}Z`;
