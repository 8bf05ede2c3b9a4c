import { demand, type GraphqlCaller } from "./graphql/caller.ts";
import { connection, type PageArguments } from "./graphql/connection.ts";
import type { Activity } from "./interface.ts";
import type { Answer, Repo } from "./wire/shapes.ts";
import type { RepoCall, World } from "./world.ts";

/** Merges, deployments, releases and workflow runs of a repository: what was seeded, as GitHub answers with it. */

export const joinActivity = (before: Activity | undefined, added: Activity): Activity => ({
  merged: [...(before?.merged ?? []), ...(added.merged ?? [])],
  deployments: [...(before?.deployments ?? []), ...(added.deployments ?? [])],
  releases: [...(before?.releases ?? []), ...(added.releases ?? [])],
  checks: [...(before?.checks ?? []), ...(added.checks ?? [])],
  runs: [...(before?.runs ?? []), ...(added.runs ?? [])],
});

const newestFirst = <T extends { readonly at: string }>(items: readonly T[] = []): readonly T[] =>
  items.toSorted((a, b) => b.at.localeCompare(a.at));

/** Those fields of GraphQL's `Repository`; each needs a permission of its own. */
export function activityFields(
  world: World,
  caller: GraphqlCaller,
  { repo, author }: { readonly repo: Repo; readonly author: (login: string) => object | null },
) {
  const { merged, deployments, releases } = world.activity.get(repo.id) ?? {};
  return {
    pullRequests: (args: PageArguments) => {
      demand(caller, "pull_requests", "read");
      return connection(newestFirst(merged), args, {
        name: "pullRequests",
        node: ({ number, title, by, at }) => ({
          number,
          title,
          url: `${repo.html_url}/pull/${number}`,
          state: "MERGED",
          merged: true,
          mergedAt: at,
          updatedAt: at,
          author: author(by),
        }),
      });
    },
    deployments: (args: PageArguments) => {
      demand(caller, "deployments", "read");
      return connection(newestFirst(deployments), args, {
        name: "deployments",
        node: ({ environment, ref, by, at, state }) => ({
          environment,
          createdAt: at,
          ref: { name: ref },
          creator: author(by),
          latestStatus: { state, createdAt: at },
        }),
      });
    },
    releases: (args: PageArguments) => {
      demand(caller, "contents", "read");
      return connection(newestFirst(releases), args, {
        name: "releases",
        node: ({ tag, by, at }) => ({
          tagName: tag,
          name: tag,
          url: `${repo.html_url}/releases/tag/${encodeURIComponent(tag)}`,
          publishedAt: at,
          createdAt: at,
          isDraft: false,
          author: author(by),
        }),
      });
    },
  };
}

/** `GET /repos/{owner}/{repo}/actions/runs`, by its `status` and the range of `created`. */
export function listRuns({ world, repo, query }: RepoCall): Answer {
  const [since = "", until = "9999"] = (query.get("created") ?? "").split("..");
  const status = query.get("status");
  const fitting = newestFirst(world.activity.get(repo.id)?.runs).filter(
    ({ at, conclusion }) => (status === null || status === conclusion) && at >= since && at <= until,
  );
  const shown = fitting.slice(0, Number(query.get("per_page") ?? 30));
  return {
    status: 200,
    body: {
      total_count: fitting.length,
      workflow_runs: shown.map(({ name, title, branch, by, at, conclusion }, index) => {
        const person = world.people.byLogin(by);
        const id = Math.floor(Date.parse(at) / 1000) * 10 + index;
        return {
          id,
          node_id: Buffer.from(`WorkflowRun${id}`).toString("base64"),
          name,
          display_title: title,
          head_branch: branch,
          head_sha: "0".repeat(40),
          run_number: index + 1,
          event: "push",
          status: "completed",
          conclusion,
          workflow_id: 1,
          url: `${world.url}/repos/${repo.full_name}/actions/runs/${id}`,
          html_url: `${repo.html_url}/actions/runs/${id}`,
          actor: person ? world.userJson(person) : null,
          created_at: at,
          updated_at: at,
          run_started_at: at,
        };
      }),
    },
  };
}
