import { defaultLimits } from "../../ssh/limits.ts";

/** Whether what was asked then, in ms of the wall clock, is too old to send anything on it (SR-24, F-35); the write itself asks too. */
export const isStale = (lookedAt: number): boolean => Date.now() - lookedAt > defaultLimits.freshMs;
