import type { Client } from "./client.ts";
import { type Place, repoOf } from "./comments.ts";

/** What the bot does to issues themselves. Throws where GitHub does not do it. */
export interface Issues {
  /** Closes an issue as completed; one that is closed already stays closed. */
  readonly close: (place: Place) => Promise<void>;
  /** Lets only collaborators comment from now on. */
  readonly lock: (place: Place) => Promise<void>;
}

export function createIssues(client: Client): Issues {
  return {
    close: (place) =>
      client.as(place.installationId, async (octokit) => {
        await octokit.rest.issues.update({
          ...repoOf(place),
          issue_number: place.issue,
          state: "closed",
          state_reason: "completed",
        });
      }),
    lock: (place) =>
      client.as(place.installationId, async (octokit) => {
        await octokit.rest.issues.lock({ ...repoOf(place), issue_number: place.issue });
      }),
  };
}
