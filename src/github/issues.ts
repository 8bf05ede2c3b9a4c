import type { Person } from "../base/types.ts";
import { type AppKey, asApp } from "./app/access.ts";
import type { Client } from "./client.ts";
import { type CommentPlace, markerOf } from "./comments.ts";
import { type RepoPlace, repoOf } from "./repo-place.ts";

/** What the bot does to issues themselves. Throws where GitHub does not do it. */
export interface Issues {
  /** Closes an issue as completed; one that is closed already stays closed. */
  readonly close: (place: CommentPlace) => Promise<void>;
  /** Lets only collaborators comment from now on. */
  readonly lock: (place: CommentPlace) => Promise<void>;
  /** Opens an issue, once: one that bears the marker already, since an answer was lost, is the one. */
  readonly open: (
    place: RepoPlace,
    issue: {
      readonly title: string;
      readonly body: string;
      readonly labels: readonly string[];
      readonly marker: string;
    },
  ) => Promise<OpenedIssue>;
  /** Which installation serves a repository, asked as the App itself. */
  readonly installationOf: (repo: string) => Promise<number>;
}

export interface OpenedIssue {
  readonly number: number;
  readonly nodeId: string;
  readonly opener: Person;
}

/** How far back an issue is looked for whose answer was lost. */
const latestIssues = 30;

export function createIssues(client: Client, app: AppKey): Issues {
  return {
    open: (place, { title, body, labels, marker }) =>
      client.as(place, async (octokit) => {
        const { data: latest } = await octokit.rest.issues.listForRepo({
          ...repoOf(place),
          state: "all",
          sort: "created",
          direction: "desc",
          per_page: latestIssues,
        });
        const before = latest.find((issue) => issue.body?.trimEnd().endsWith(markerOf(marker)));
        if (before) return openedOf(before);
        const marked = `${body}\n\n${markerOf(marker)}`;
        const { data } = await octokit.rest.issues.create({
          ...repoOf(place),
          title,
          body: marked,
          labels: [...labels],
        });
        return openedOf(data);
      }),
    installationOf: async (repo) => {
      const { data } = await asApp(app, 10_000).rest.apps.getRepoInstallation(repoOf({ repo }));
      return data.id;
    },
    close: (place) =>
      client.as(place, async (octokit) => {
        await octokit.rest.issues.update({
          ...repoOf(place),
          issue_number: place.issue,
          state: "closed",
          state_reason: "completed",
        });
      }),
    lock: (place) =>
      client.as(place, async (octokit) => {
        await octokit.rest.issues.lock({ ...repoOf(place), issue_number: place.issue });
      }),
  };
}

const openedOf = (issue: {
  readonly number: number;
  readonly node_id: string;
  readonly user: Person | null;
}): OpenedIssue => ({
  number: issue.number,
  nodeId: issue.node_id,
  opener: { id: issue.user?.id ?? 0, login: issue.user?.login ?? "ghost" },
});
