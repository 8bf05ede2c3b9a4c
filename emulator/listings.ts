import { listComments } from "./comments.ts";
import { findIssue, isAnswer } from "./issues.ts";
import { type Answer, type Issue, toSeconds } from "./wire/shapes.ts";
import type { RepoCall, World } from "./world.ts";

/** GitHub's lists of issues, comments and events: `since` looks at the last change, and whoever wants more follows the Link header. */

/** Without those deleted, moved away, or still being opened. */
export async function listIssues(call: RepoCall): Promise<Answer> {
  const { world, repo, query } = call;
  const kept = [...query].filter(([name]) => !["since", "page", "per_page", "sort", "direction"].includes(name));
  const all = await everyPage<Issue>(world, `/repos/${repo.full_name}/issues`, new URLSearchParams(kept));
  const here = all.filter((issue) => {
    const note = world.notes.issues.get(issue.node_id);
    return note && !note.gone;
  });
  return listed(call, here, { path: "issues", direction: "desc" });
}

/** Of a repository those of every issue; in the order they were written unless asked otherwise. */
export async function listRepoComments(call: RepoCall): Promise<Answer> {
  const { world, repo } = call;
  const notes = [...world.notes.comments.values()].filter(({ repoId }) => repoId === repo.id);
  const numbers = [...new Set(notes.map(({ issue }) => issue))].filter(
    (issue) => !world.notes.issue(repo.id, issue)?.gone,
  );
  // emulate's own list of them is not to be had: its route is behind the one of a single issue.
  const all = await Promise.all(numbers.map((issue) => listComments(world, repo, issue)));
  return listed(call, all.flat(), { path: "issues/comments", direction: "asc" });
}

/** In the order they were written. */
export async function listIssueComments(call: RepoCall): Promise<Answer> {
  const number = Number(call.params.issue_number);
  const found = await findIssue(call.world, call.repo, number);
  if (isAnswer(found)) return found;
  const all = await listComments(call.world, call.repo, number);
  return listed(call, all, { path: `issues/${number}/comments`, direction: "asc" });
}

/** What people did to issues besides writing, newest first, each with its issue as it is now. */
export async function listIssueEvents(call: RepoCall): Promise<Answer> {
  const { world, repo } = call;
  const page = pageOf(call, world.notes.eventsIn(repo.id).toReversed(), "issues/events");
  const body = await Promise.all(
    page.items.map(async ({ id, issue, event, actor, at, label }) => {
      const found = await findIssue(world, repo, issue);
      return {
        id,
        node_id: Buffer.from(`0:IssueEvent${id}`).toString("base64"),
        url: `${world.url}/repos/${repo.full_name}/issues/events/${id}`,
        actor: world.userJson(actor),
        event,
        commit_id: null,
        commit_url: null,
        created_at: at,
        ...(isAnswer(found) ? {} : { issue: found }),
        ...(label ? { label: { name: label.name, color: label.color } } : {}),
        performed_via_github_app: null,
      };
    }),
  );
  return { status: 200, body, ...page.more };
}

async function everyPage<T>(world: World, path: string, query: URLSearchParams): Promise<readonly T[]> {
  const all: T[] = [];
  query.set("per_page", "100");
  for (let page = 1; ; page++) {
    query.set("page", String(page));
    const { status, body } = await world.call(world.bot.alias, "GET", `${path}?${query}`);
    if (status !== 200 || !Array.isArray(body)) return all;
    all.push(...body);
    if (body.length < 100) return all;
  }
}

interface Listed {
  readonly id: number;
  readonly created_at: string;
  readonly updated_at: string;
}

function listed(
  call: RepoCall,
  all: readonly Listed[],
  of: { readonly path: string; readonly direction: "asc" | "desc" },
): Answer {
  const since = call.query.get("since");
  const after = since === null ? "" : toSeconds(since);
  const key = call.query.get("sort") === "updated" ? "updated_at" : "created_at";
  const sign = (call.query.get("direction") ?? of.direction) === "desc" ? -1 : 1;
  const order = (a: Listed, b: Listed) => sign * (a[key].localeCompare(b[key]) || a.id - b.id);
  const wanted = all.filter((one) => one.updated_at >= after).toSorted(order);
  const page = pageOf(call, wanted, of.path);
  return { status: 200, body: page.items, ...page.more };
}

function pageOf<T>(
  { world, repo, query }: RepoCall,
  all: readonly T[],
  path: string,
): { readonly items: readonly T[]; readonly more: Pick<Answer, "headers"> } {
  const size = Math.min(Number(query.get("per_page") ?? 30), 100);
  const page = Number(query.get("page") ?? 1);
  const nextQuery = new URLSearchParams(query);
  nextQuery.set("page", String(page + 1));
  const next = `<${world.url}/repositories/${repo.id}/${path}?${nextQuery}>; rel="next"`;
  const items = all.slice((page - 1) * size, page * size);
  return { items, more: all.length > page * size ? { headers: { link: next } } : {} };
}
