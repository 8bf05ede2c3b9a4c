import { callersApp, forward, type RepoCall } from "../world.ts";
import { type Answer, objectOf, refuse } from "./shapes.ts";

/** Commits, pull requests and what is checked of them, as far as emulate differs from GitHub. */

/** emulate wants each entry's `type`, which GitHub works out, and keeps a folder whose last file is deleted, which git does not know. */
export async function createTree(call: RepoCall): Promise<Answer> {
  const { world, repo, actor } = call;
  const { tree, base_tree: base, ...rest } = objectOf(call.body);
  const entries = (Array.isArray(tree) ? tree : []).map((entry) => ({ type: "blob", ...objectOf(entry) }) as TreeInput);
  const deleted = entries.filter(({ sha }) => sha === null).map(({ path }) => path);
  const url = `/repos/${repo.full_name}/git/trees/${base}?recursive=1`;
  const before = deleted.length === 0 ? undefined : (await world.call(actor.alias, "GET", url)).body;
  const { tree: known } = objectOf(before);
  const files = (Array.isArray(known) ? known : []).flatMap((entry): string[] =>
    entry.type === "tree" ? [] : [entry.path],
  );
  const left = new Set([...files, ...entries.map(({ path }) => path)].filter((path) => !deleted.includes(path)));
  const isEmpty = (folder: string) => ![...left].some((path) => path.startsWith(`${folder}/`));
  const sent = new Map(
    entries.map((entry) => {
      const names = entry.path.split("/");
      const above = names.slice(1).map((_, at) => names.slice(0, at + 1).join("/"));
      const folder = entry.sha === null ? above.find(isEmpty) : undefined;
      const own = folder === undefined ? entry : { path: folder, mode: "040000", type: "tree", sha: null };
      return [own.path, own];
    }),
  );
  return forward(call, { ...rest, ...(base === undefined ? {} : { base_tree: base }), tree: [...sent.values()] });
}

interface TreeInput {
  readonly path: string;
  readonly mode: string;
  readonly type: string;
  readonly sha?: string | null;
}

/** GitHub takes a commit without parents as a root. */
export const createCommit = (call: RepoCall): Promise<Answer> => forward(call, { parents: [], ...objectOf(call.body) });

const invalid = (message: string): Answer =>
  refuse(422, "Validation Failed", [{ resource: "PullRequest", code: "custom", message }]);

/** emulate makes branches that are missing, and a second pull request for the same two. */
export async function createPull(call: RepoCall): Promise<Answer> {
  const { world, repo, actor } = call;
  const { head, base } = objectOf(call.body);
  const get = (path: string) => world.call(actor.alias, "GET", `/repos/${repo.full_name}${path}`);
  const branch = String(head).replace(/^[^:]*:/, "");
  const [of, to] = await Promise.all([get(`/git/ref/heads/${branch}`), get(`/git/ref/heads/${base}`)]);
  if (of.status !== 200) return invalid("head is invalid");
  if (to.status !== 200) return invalid("base is invalid");
  const shaOf = ({ body }: Answer): unknown => objectOf(objectOf(body).object).sha;
  if (shaOf(of) === shaOf(to)) return invalid(`No commits between ${base} and ${branch}`);
  const label = `${repo.owner.login}:${branch}`;
  const open = await get(`/pulls?state=open&base=${base}&head=${encodeURIComponent(label)}`);
  if (Array.isArray(open.body) && open.body.length > 0) return invalid(`A pull request already exists for ${label}.`);
  const answer = await forward(call);
  const made = objectOf(answer.body);
  if (answer.status === 201 && typeof made.number === "number") {
    const issue = await get(`/issues/${made.number}`);
    const byApp = callersApp(call.caller) !== undefined;
    const nodeId = String(objectOf(issue.body).node_id);
    world.notes.addIssue(nodeId, { repoId: repo.id, number: made.number, byApp, isPullRequest: true });
  }
  return answer;
}

/** emulate lists the base's commit too, and trees without their address. */
export async function listPullCommits(call: RepoCall): Promise<Answer> {
  const { world, repo, actor, params } = call;
  const answer = await forward(call);
  if (answer.status !== 200 || !Array.isArray(answer.body)) return answer;
  const path = `/repos/${repo.full_name}/pulls/${params.pull_number}`;
  const { base } = objectOf((await world.call(actor.alias, "GET", path)).body);
  const trees = `${world.url}/repos/${repo.full_name}/git/trees`;
  const own = answer.body.map(objectOf).filter(({ sha }) => sha !== objectOf(base).sha);
  const body = own.map((one) => {
    const commit = objectOf(one.commit);
    const tree = objectOf(commit.tree);
    return { ...one, commit: { ...commit, tree: { ...tree, url: `${trees}/${tree.sha}` } } };
  });
  return { ...answer, body };
}

/** With what checks as a test said, by commit. */
export function listChecks({ world, repo, params }: RepoCall): Answer {
  const { checks = [] } = world.activity.get(repo.id) ?? {};
  const runs = checks.filter(({ commit, isStatus }) => commit === params.ref && !isStatus);
  const url = `${world.url}/repos/${repo.full_name}`;
  const body = runs.map(({ name, commit, conclusion }, index) => ({
    id: index + 1,
    head_sha: commit,
    node_id: `CR_${index + 1}`,
    external_id: "",
    url: `${url}/check-runs/${index + 1}`,
    html_url: `${repo.html_url}/runs/${index + 1}`,
    details_url: null,
    status: conclusion === undefined ? "in_progress" : "completed",
    conclusion: conclusion ?? null,
    started_at: null,
    completed_at: null,
    output: { title: null, summary: null, text: null, annotations_count: 0, annotations_url: `${url}/annotations` },
    name,
    check_suite: null,
    app: null,
    pull_requests: [],
  }));
  return { status: 200, body: { total_count: body.length, check_runs: body } };
}

export function getStatus({ world, repo, params }: RepoCall): Answer {
  const { checks = [] } = world.activity.get(repo.id) ?? {};
  const url = `${world.url}/repos/${repo.full_name}`;
  const at = "2026-11-28T00:00:00Z";
  const statuses = checks
    .filter(({ commit, isStatus }) => commit === params.ref && isStatus)
    .map(({ name, conclusion }, index) => ({
      id: index + 1,
      node_id: `SC_${index + 1}`,
      url: `${url}/statuses/${params.ref}`,
      avatar_url: null,
      state: conclusion ?? "pending",
      description: null,
      target_url: null,
      context: name,
      created_at: at,
      updated_at: at,
    }));
  const state = statuses.some((one) => one.state === "failure") ? "failure" : "pending";
  const body = {
    state,
    statuses,
    sha: params.ref,
    total_count: statuses.length,
    repository: repo,
    commit_url: `${url}/commits/${params.ref}`,
    url: `${url}/commits/${params.ref}/status`,
  };
  return { status: 200, body };
}
