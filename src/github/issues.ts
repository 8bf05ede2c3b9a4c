import type { Person } from "../base/github.ts";
import { type AppKey, asApp } from "./app/access.ts";
import type { Client, Octokit } from "./client.ts";
import { type CommentPlace, markerOf } from "./comments.ts";
import { statusOf, type WriteFailure, writeFailure } from "./outcome.ts";
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

interface OpenedIssue {
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

export interface RepoLabel {
  readonly name: string;
  /** Six hexadecimal digits. */
  readonly color: string;
  /** At most 100 characters. */
  readonly description: string;
}

interface LabelResult {
  readonly kind: "posted";
  /** In lower case, because GitHub ignores case. Undefined if it does not say. */
  readonly on: readonly string[] | undefined;
}

/** One by one, because a PUT would replace the labels of others. Never throws: a failure is data. Idempotent. */
export interface Labels {
  /** Whether this process has seen it listed. */
  readonly isListed: (repo: string, name: string) => boolean;
  /** An existing label stays as people have it. */
  readonly list: (place: RepoPlace, label: RepoLabel) => Promise<{ readonly kind: "posted" } | WriteFailure>;
  readonly add: (place: CommentPlace, names: readonly string[]) => Promise<LabelResult | WriteFailure>;
  readonly remove: (place: CommentPlace, name: string) => Promise<LabelResult | WriteFailure>;
}

export function createLabels(client: Client): Labels {
  const listed = new Set<string>();
  const keyOf = (repo: string, name: string): string => `${repo} ${name}`.toLowerCase();
  return {
    isListed: (repo, name) => listed.has(keyOf(repo, name)),
    list: async (place, label) => {
      try {
        await client.as(place, (octokit) => octokit.rest.issues.createLabel({ ...repoOf(place), ...label }));
      } catch (error) {
        if (statusOf(error) !== 422) return writeFailure(error, Date.now());
      }
      listed.add(keyOf(place.repo, label.name));
      return { kind: "posted" };
    },
    add: async (place, names) => {
      try {
        const { data } = await client.as(place, (octokit) =>
          octokit.rest.issues.addLabels({ ...repoOf(place), issue_number: place.issue, labels: [...names] }),
        );
        return labelled(data);
      } catch (error) {
        return writeFailure(error, Date.now());
      }
    },
    remove: async (place, name) => {
      try {
        const { data } = await client.as(place, (octokit) =>
          octokit.rest.issues.removeLabel({ ...repoOf(place), issue_number: place.issue, name }),
        );
        return labelled(data);
      } catch (error) {
        // Removed, or the issue is gone.
        if (statusOf(error) === 404) return { kind: "posted", on: undefined };
        return writeFailure(error, Date.now());
      }
    },
  };
}

const labelled = (labels: readonly { readonly name: string }[]): LabelResult => ({
  kind: "posted",
  on: labels.map(({ name }) => name.toLowerCase()),
});
