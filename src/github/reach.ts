import type { Client } from "./client.ts";
import { statusOf } from "./client.ts";
import { writeFailure } from "./outcome.ts";

export interface Reach {
  /** The client, listened to. */
  readonly client: Client;
  /** Whether GitHub answered when it was last asked, in words for `/readyz` (F-11): without it nothing is dispatched. */
  readonly words: () => string;
}

/**
 * Listens to how GitHub answers. An answer that refuses one thing is an answer; a limit, a refused token or silence is none. Until
 * it was asked once there is nothing to tell: a bot that waits for its first incident asks nobody.
 */
export function listenTo(client: Client): Reach {
  let asked = false;
  let silent: { readonly since: Date; readonly why: string } | undefined;
  const heard = (error?: unknown): void => {
    asked = true;
    const failure = error === undefined ? undefined : writeFailure(error, Date.now());
    if (failure === undefined || failure.kind === "never") silent = undefined;
    else silent = { since: silent?.since ?? new Date(), why: whyOf(error, failure.why) };
  };
  return {
    client: {
      ...client,
      as: async (place, call) => {
        try {
          const answer = await client.as(place, call);
          heard();
          return answer;
        } catch (error) {
          heard(error);
          throw error;
        }
      },
    },
    words: () => {
      if (silent) return `cannot be asked since ${silent.since.toISOString()}, so nothing is run: ${silent.why}`;
      return asked ? "answers" : "not asked yet";
    },
  };
}

/** What an answer without a status says is whatever its sender wrote: it stays in the log. */
const whyOf = (error: unknown, why: string): string => (statusOf(error) === undefined ? "no answer" : why);
