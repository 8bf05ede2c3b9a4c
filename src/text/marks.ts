/** What stands in a secret's place: always the same, so that it tells nothing of it (SR-49). */
export const redactionMark = "[REDACTED]";

/** A line that the bot put into an output: what was not kept, and why. */
export const ourMark = /^ {2}⋯ .* ⋯$/u;
