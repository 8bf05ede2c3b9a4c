import type { Person } from "../base/github.ts";
import { type AppKey, asApp } from "./app/access.ts";
import type { Client, Octokit } from "./client.ts";
import { type CommentPlace, markerOf } from "./comments.ts";
import { statusOf } from "./outcome.ts";
import { type RepoPlace, repoOf } from "./web.ts";

/** Each call throws if GitHub does not do it. */
export interface Issues {
  /** As completed; idempotent. */
  readonly close: (place: CommentPlace) => Promise<void>;
  /** False if GitHub refuses, because the person has no write access. */
  readonly assign: (place: CommentPlace, login: string) => Promise<boolean>;
  /** Undefined if no account has this login now. */
  readonly accountOf: (place: RepoPlace, login: string) => Promise<(Person & { readonly type: string }) | undefined>;
  /** Lets only collaborators comment. */
  readonly lock: (place: CommentPlace) => Promise<void>;
  /** Undefined if deleted or moved. */
  readonly read: (place: CommentPlace) => Promise<IssueState | undefined>;
  /** Idempotent. False if deleted or moved. */
  readonly reopen: (place: CommentPlace) => Promise<boolean>;
  /** Opens an issue once: after a lost answer it returns the one with the marker. */
  readonly open: (
    place: RepoPlace,
    issue: {
      readonly title: string;
      readonly body: string;
      readonly labels: readonly string[];
      readonly marker: string;
      /** The first attempt; the search covers all issues since then. */
      readonly since?: Date | undefined;
      /** Then it does not search. */
      readonly isFirst?: boolean;
    },
  ) => Promise<OpenedIssue>;
  /** As GitHub writes it now. */
  readonly repositoryOf: (
    place: RepoPlace,
  ) => Promise<{ readonly repo: string; readonly repoId: number; readonly private: boolean }>;
  /** As the App itself sees it. */
  readonly installationOf: (repo: string) => Promise<number>;
}

interface IssueState {
  readonly open: boolean;
  readonly labels: readonly string[];
  readonly type: string | undefined;
}

export interface OpenedIssue {
  readonly number: number;
  readonly nodeId: string;
  readonly opener: Person;
}

/** Searched after a lost answer. */
const latestIssues = 30;
const issuesOfPage = 100;
const mostPages = 20;
/** GitHub's clock may differ from ours. */
const clockMs = 10 * 60_000;

export function createIssues(client: Client, app: AppKey): Issues {
  return {
    open: (place, { title, body, labels, marker, since, isFirst = false }) =>
      client.as(place, async (octokit) => {
        const before = isFirst ? undefined : await findMarked(octokit, place, { marker, since });
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
    repositoryOf: (place) =>
      client.as(place, async (octokit) => {
        const { data } = await octokit.rest.repos.get(repoOf(place));
        return { repo: data.full_name, repoId: data.id, private: data.private };
      }),
    read: (place) =>
      client.as(place, async (octokit) => {
        const asked = octokit.rest.issues.get({ ...repoOf(place), issue_number: place.issue, ...asItIs });
        const found = await unlessGone(asked);
        if (found?.data.number !== place.issue) return undefined;
        const { state, labels, type } = found.data;
        return {
          open: state === "open",
          labels: labels.flatMap((label) => (typeof label === "string" ? label : (label.name ?? []))),
          type: type?.name,
        };
      }),
    reopen: (place) =>
      client.as(place, async (octokit) => {
        const found = await unlessGone(
          octokit.rest.issues.update({ ...repoOf(place), issue_number: place.issue, state: "open", ...asItIs }),
        );
        return found?.data.number === place.issue;
      }),
    close: (place) =>
      client.as(place, async (octokit) => {
        await octokit.rest.issues.update({
          ...repoOf(place),
          issue_number: place.issue,
          state: "closed",
          state_reason: "completed",
        });
      }),
    assign: (place, login) =>
      client.as(place, async (octokit) => {
        const { data } = await octokit.rest.issues.addAssignees({
          ...repoOf(place),
          issue_number: place.issue,
          assignees: [login],
        });
        return data.assignees?.some((one) => one.login.toLowerCase() === login.toLowerCase()) ?? false;
      }),
    accountOf: (place, login) =>
      client.as(place, async (octokit) => {
        try {
          const { data } = await octokit.rest.users.getByUsername({ username: login });
          return { id: data.id, login: data.login, type: data.type };
        } catch (error) {
          if (statusOf(error) === 404) return undefined;
          throw error;
        }
      }),
    lock: (place) =>
      client.as(place, async (octokit) => {
        await octokit.rest.issues.lock({ ...repoOf(place), issue_number: place.issue });
      }),
  };
}

/** A moved issue answers with a redirect without a number; it is not followed. */
const asItIs = { request: { redirect: "manual" } } as const;

async function unlessGone<Answer>(asked: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await asked;
  } catch (error) {
    if ([404, 410].includes(statusOf(error) ?? 0)) return undefined;
    throw error;
  }
}

/** Among the latest, or all newer than `since`. */
async function findMarked(
  octokit: Octokit,
  place: RepoPlace,
  { marker, since }: { readonly marker: string; readonly since: Date | undefined },
) {
  const perPage = since ? issuesOfPage : latestIssues;
  for (let page = 1; page <= (since ? mostPages : 1); page++) {
    const { data } = await octokit.rest.issues.listForRepo({
      ...repoOf(place),
      state: "all",
      sort: "created",
      direction: "desc",
      per_page: perPage,
      page,
    });
    const found = data.find(({ user, body }) => user?.type === "Bot" && body?.trimEnd().endsWith(markerOf(marker)));
    if (found) return found;
    const oldest = data.at(-1);
    if (data.length < perPage || !oldest || !since) return undefined;
    if (Date.parse(oldest.created_at) < since.getTime() - clockMs) return undefined;
  }
  return undefined;
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
