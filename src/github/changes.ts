import { messageOf } from "../base/errors.ts";
import type { RepoChange, SeenChanges } from "../base/github.ts";
import type { changeRights } from "./app/access.ts";
import type { Client } from "./client.ts";
import { isAway, statusOf } from "./outcome.ts";
import { deploymentUrl, type RepoPlace, repoOf } from "./web.ts";

interface ChangesWindow {
  readonly since: Date;
  readonly until: Date;
  /** A public issue shows nothing of a private repository. */
  readonly publicOnly: boolean;
}

/**
 * Reads the newest thirty merges, deployments, releases (GraphQL) and failed workflow runs (REST). What the owner has not granted is
 * `unseen`. Throws if GitHub is away.
 */
export type FetchChanges = (place: RepoPlace, asked: ChangesWindow) => Promise<SeenChanges>;

const most = 30;

const selections = {
  pull_requests: `pullRequests(states: MERGED, first: ${most}, orderBy: { field: UPDATED_AT, direction: DESC }) {
      nodes { number title url mergedAt author { login } }
    }`,
  deployments: `deployments(first: ${most}, orderBy: { field: CREATED_AT, direction: DESC }) {
      nodes { environment createdAt ref { name } creator { login } latestStatus { state } }
    }`,
  contents: `releases(first: ${most}, orderBy: { field: CREATED_AT, direction: DESC }) {
      nodes { tagName name url publishedAt isDraft author { login } }
    }`,
} as const;

const called = {
  pull_requests: "merges",
  deployments: "deployments",
  contents: "releases",
  actions: "failed workflow runs",
} as const satisfies Record<keyof typeof changeRights, string>;
const rights = Object.keys(called) as readonly (keyof typeof called)[];

interface Login {
  readonly login: string;
}
interface Nodes<T> {
  readonly nodes: readonly (T | null)[] | null;
}
interface ChangesAnswer {
  readonly repository: {
    readonly isPrivate: boolean;
    readonly pullRequests?: Nodes<{
      number: number;
      title: string;
      url: string;
      mergedAt: string | null;
      author: Login | null;
    }>;
    readonly deployments?: Nodes<{
      environment: string | null;
      createdAt: string;
      ref: { name: string } | null;
      creator: Login;
      latestStatus: { state: string } | null;
    }>;
    readonly releases?: Nodes<{
      tagName: string;
      name: string | null;
      url: string;
      publishedAt: string | null;
      isDraft: boolean;
      author: Login | null;
    }>;
  };
}

/** Its own token only reads, and only that repository. */
export function createFetchChanges(
  client: Pick<Client, "as" | "probot">,
  { apiUrl }: { readonly apiUrl: string },
): FetchChanges {
  return async (place, asked) => {
    try {
      const { data } = await (await client.probot.auth()).rest.apps.getInstallation({
        installation_id: place.installationId,
      });
      const granted = { ...data.permissions };
      const has = rights.filter((right) => granted[right] !== undefined);
      const missing = rights.filter((right) => !has.includes(right));
      const reads = Object.fromEntries(["metadata", ...has].map((right) => [right, "read"]));
      const seen = await client.as({ ...place, reads }, async (octokit) => {
        const query = `query Changes($owner: String!, $repo: String!) { repository(owner: $owner, name: $repo) {
    isPrivate ${has.map((right) => (right === "actions" ? "" : selections[right])).join("\n    ")}
  } }`;
        const { repository } = await octokit.graphql<ChangesAnswer>(query, repoOf(place));
        if (repository.isPrivate && asked.publicOnly) return undefined;
        const changes = changesIn(repository, place.repo, apiUrl);
        if (!has.includes("actions")) return changes;
        const second = (at: Date): string => at.toISOString().replace(/\.\d+Z$/, "Z");
        const { data: failed } = await octokit.rest.actions.listWorkflowRunsForRepo({
          ...repoOf(place),
          status: "failure",
          created: `${second(asked.since)}..${second(asked.until)}`,
          per_page: most,
        });
        const runs = failed.workflow_runs.map(
          (run): RepoChange => ({
            kind: "failed-run",
            at: run.created_at,
            repo: place.repo,
            title: `${run.name ?? "workflow"}: ${run.display_title}`,
            url: run.html_url,
            state: run.head_branch ?? undefined,
            by: run.actor?.login,
          }),
        );
        return [...changes, ...runs];
      });
      if (!seen) return { changes: [], unseen: [`${place.repo}, which is private, while this issue is public`] };
      return {
        changes: seen.filter(({ at }) => isIn(at, asked)).toSorted((a, b) => b.at.localeCompare(a.at)),
        unseen: missing.map((right) => `${called[right]} of ${place.repo} (the App lacks \`${right}: read\`)`),
      };
    } catch (error) {
      if (isAway(error)) throw error;
      const isAbsent = statusOf(error) === 422 || statusOf(error) === 404;
      const why = isAbsent ? "is the App installed there?" : messageOf(error).replace(/\s+/g, " ");
      return { changes: [], unseen: [`${place.repo} (${why})`] };
    }
  };
}

const isIn = (at: string, { since, until }: ChangesWindow): boolean =>
  Date.parse(at) >= since.getTime() && Date.parse(at) <= until.getTime();

function changesIn(
  { pullRequests, deployments, releases }: ChangesAnswer["repository"],
  repo: string,
  apiUrl: string,
): readonly RepoChange[] {
  const merges = (pullRequests?.nodes ?? []).flatMap((pull): readonly RepoChange[] =>
    pull?.mergedAt
      ? [
          {
            kind: "merge",
            at: pull.mergedAt,
            repo,
            title: `#${pull.number} ${pull.title}`,
            url: pull.url,
            by: pull.author?.login,
          },
        ]
      : [],
  );
  const deployed = (deployments?.nodes ?? []).flatMap((one): readonly RepoChange[] => {
    if (!one) return [];
    const environment = one.environment ?? "an environment";
    const title = one.ref ? `${one.ref.name} to ${environment}` : environment;
    const url = deploymentUrl(apiUrl, repo, one.environment);
    const state = (one.latestStatus?.state ?? "pending").toLowerCase();
    return [{ kind: "deployment", at: one.createdAt, repo, title, url, state, by: one.creator.login }];
  });
  const released = (releases?.nodes ?? []).flatMap((one): readonly RepoChange[] =>
    one?.publishedAt && !one.isDraft
      ? [
          {
            kind: "release",
            at: one.publishedAt,
            repo,
            title: one.name || one.tagName,
            url: one.url,
            by: one.author?.login,
          },
        ]
      : [],
  );
  return [...merges, ...deployed, ...released];
}
