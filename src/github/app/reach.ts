import type { Client } from "../client.ts";
import { statusOf, type WriteFailure, writeFailure } from "../outcome.ts";
import { isKeyRefused } from "./access.ts";

export interface AppReach {
  readonly client: Client;
  /** For `/readyz` (F-11). Without an answer nothing is dispatched. */
  readonly words: () => string;
  /** Shows GitHub the App's key. Never throws. */
  readonly look: () => Promise<ReachLook>;
}

export type ReachLook =
  | { readonly kind: "taken" }
  | { readonly kind: "refused"; readonly why: string }
  /** No answer, or one that says nothing about the key. */
  | { readonly kind: "silent" };

/**
 * A refusal of one thing is an answer; a limit, a refused token or silence is none. Before the first request there is nothing to report.
 */
export function listenTo(client: Client): AppReach {
  let asked = false;
  /** GitHub takes tokens made with an old key for an hour after it refuses the key. */
  let refusedSince: Date | undefined;
  let silent: { readonly since: Date; readonly why: string; readonly by: "look" | "work" } | undefined;
  const heard = (by: "look" | "work", error?: unknown): void => {
    asked = true;
    const failure = error === undefined ? undefined : writeFailure(error, Date.now());
    const isHeard = failure === undefined || failure.kind === "never";
    // An answer to the App says nothing about an installation's limit or suspension.
    if (isHeard && (by === "work" || silent?.by === "look")) silent = undefined;
    if (isHeard) return;
    const why = isUnanswered(error, failure) ? "no answer" : failure.why;
    silent = { since: silent?.since ?? new Date(), why, by: silent?.by ?? by };
  };
  return {
    client: {
      ...client,
      as: async (place, call) => {
        try {
          const answer = await client.as(place, call);
          heard("work");
          return answer;
        } catch (error) {
          heard("work", error);
          throw error;
        }
      },
    },
    look: async () => {
      try {
        const octokit = await client.probot.auth();
        const { data } = await octokit.rest.apps.getAuthenticated();
        // A login page or a proxy in front of GitHub answers 200, too.
        if (typeof data === "string") throw new Error("a page in place of GitHub's API");
        heard("look");
        refusedSince = undefined;
        return { kind: "taken" };
      } catch (error) {
        if (!isKeyRefused(error)) {
          heard("look", error);
          return { kind: "silent" };
        }
        refusedSince ??= new Date();
        return { kind: "refused", why: `GitHub answered ${statusOf(error)}` };
      }
    },
    words: () => {
      if (refusedSince) return `has not taken the App's key since ${refusedSince.toISOString()}, so nothing is run`;
      if (silent) return `cannot be asked since ${silent.since.toISOString()}, so nothing is run: ${silent.why}`;
      return asked ? "answers" : "not asked yet";
    },
  };
}

/** Its arbitrary words stay in the log. */
const isUnanswered = (error: unknown, { kind }: WriteFailure): boolean =>
  kind === "ambiguous" && statusOf(error) === undefined;
