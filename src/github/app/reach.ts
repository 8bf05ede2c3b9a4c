import type { Client } from "../client.ts";
import { statusOf } from "../client.ts";
import { type WriteFailure, writeFailure } from "../outcome.ts";

export interface AppReach {
  /** The client, listened to. */
  readonly client: Client;
  /** Whether GitHub answered when it was last asked, in words for `/readyz` (F-11): without it nothing is dispatched. */
  readonly words: () => string;
  /** Shows GitHub the App's key. Never throws. */
  readonly look: () => Promise<ReachLook>;
}

export type ReachLook =
  | { readonly kind: "taken" }
  | { readonly kind: "refused"; readonly why: string }
  /** No answer, or one that says nothing of the key. */
  | { readonly kind: "silent" };

/**
 * Listens to how GitHub answers. An answer that refuses one thing is an answer; a limit, a refused token or silence is none. Until
 * it was asked once there is nothing to tell: a bot that waits for its first incident asks nobody.
 */
export function listenTo(client: Client): AppReach {
  let asked = false;
  /** Tokens that were made with the key before are taken for an hour after it is not. */
  let refusedSince: Date | undefined;
  let silent: { readonly since: Date; readonly why: string } | undefined;
  const heard = (error?: unknown): void => {
    asked = true;
    const failure = error === undefined ? undefined : writeFailure(error, Date.now());
    if (failure === undefined || failure.kind === "never") silent = undefined;
    else silent = { since: silent?.since ?? new Date(), why: isUnanswered(error, failure) ? "no answer" : failure.why };
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
    look: async () => {
      try {
        const octokit = await client.probot.auth();
        await octokit.rest.apps.getAuthenticated();
        asked = true;
        refusedSince = undefined;
        return { kind: "taken" };
      } catch (error) {
        const status = statusOf(error);
        if (status !== 401 && status !== 404) return { kind: "silent" };
        refusedSince ??= new Date();
        return { kind: "refused", why: `GitHub answered ${status}` };
      }
    },
    words: () => {
      if (refusedSince) return `has not taken the App's key since ${refusedSince.toISOString()}, so nothing is run`;
      if (silent) return `cannot be asked since ${silent.since.toISOString()}, so nothing is run: ${silent.why}`;
      return asked ? "answers" : "not asked yet";
    },
  };
}

/** What an answer that nobody knows says is whatever its sender wrote: it stays in the log. */
const isUnanswered = (error: unknown, { kind }: WriteFailure): boolean =>
  kind === "ambiguous" && statusOf(error) === undefined;
