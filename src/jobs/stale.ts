/** For how long a look at GitHub counts: after that what an approval rests on is read anew before anything is sent. */
const freshMs = 30_000;

/**
 * Whether a look that was begun then, in ms, is too old to send anything on it (SR-24, F-35). By the clock on the wall, since that one
 * goes on while a machine sleeps.
 */
export const isStale = (lookedAt: number): boolean => Date.now() - lookedAt > freshMs;
