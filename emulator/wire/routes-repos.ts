import { maySee } from "../access.ts";
import { emit } from "../emit.ts";
import { type Call, forward, type RepoCall } from "../world.ts";
import { type Answer, objectOf, type Repo } from "./shapes.ts";

/** The repository itself and the files in it. */

export const getRepo = ({ repo }: RepoCall): Answer => ({
  status: 200,
  body: { ...repo, network_count: 0, subscribers_count: 0 },
});

/** With the head commit in full, which emulate leaves out. */
export async function getBranch(call: RepoCall): Promise<Answer> {
  const { world, repo } = call;
  const answer = await forward(call);
  if (answer.status !== 200) return answer;
  const branch = objectOf(answer.body);
  const sha = String(objectOf(branch.commit).sha);
  const commit = await world.call(world.bot.alias, "GET", `/repos/${repo.full_name}/commits/${sha}`);
  const links = {
    self: `${world.url}/repos/${repo.full_name}${call.rest}`,
    html: `${repo.html_url}/tree/${branch.name}`,
  };
  return { status: 200, body: { ...branch, commit: commit.body, _links: links, protection: { enabled: false } } };
}

export function listInstallationRepos({ world, caller, query }: Call): Answer {
  const all = world.repos.all().filter((r) => maySee(world, caller, r));
  const size = Number(query.get("per_page") ?? 30);
  const start = (Number(query.get("page") ?? 1) - 1) * size;
  return { status: 200, body: { total_count: all.length, repositories: all.slice(start, start + size) } };
}

/** Renamed, made public or private, archived: one webhook for each thing that changed. */
export async function changeRepo(call: RepoCall): Promise<Answer> {
  const { world, repo, actor } = call;
  const answer = await forward(call);
  if (answer.status !== 200) return answer;
  const after = await world.repos.refresh(repo.id);
  const actions: readonly (readonly [happened: boolean, action: string, fields?: object])[] = [
    [after.name !== repo.name, "renamed", { changes: { repository: { name: { from: repo.name } } } }],
    [repo.private && !after.private, "publicized"],
    [!repo.private && after.private, "privatized"],
    [!repo.archived && after.archived, "archived"],
    [repo.archived && !after.archived, "unarchived"],
  ];
  for (const [happened, action, fields] of actions) {
    if (happened) emit(world, { event: "repository", action, sender: actor, repo: after, fields: { ...fields } });
  }
  return { status: 200, body: after };
}

/** To another owner. The App is told while it still has the repository, since afterwards it has not. */
export async function transferRepo(call: RepoCall): Promise<Answer> {
  const { world, repo, actor } = call;
  const answer = await forward(call);
  if (answer.status !== 200) return answer;
  const after = await world.repos.refresh(repo.id);
  const fields = { changes: { owner: { from: { organization: world.org } } }, repository: after };
  emit(world, { event: "repository", action: "transferred", sender: actor, fields });
  return { status: 202, body: after };
}

/** Writes or deletes one file: a commit on the default branch, and its push. */
export async function changeFile(call: RepoCall): Promise<Answer> {
  const { world, repo, actor, params } = call;
  const before = await headOf(call);
  const answer = await forward(call);
  if (answer.status >= 300) return answer;
  await world.repos.refresh(repo.id);
  const after = await headOf(call);
  const path = params.path ?? "";
  const now = new Date().toISOString();
  const who = { name: actor.login, email: `${actor.login}@users.noreply.github.com` };
  const commit = {
    id: after,
    tree_id: after,
    distinct: true,
    message: String(objectOf(call.body).message ?? ""),
    timestamp: now,
    url: `${repo.html_url}/commit/${after}`,
    author: { ...who, username: actor.login },
    committer: { ...who, username: actor.login },
    added: answer.status === 201 ? [path] : [],
    removed: call.method === "DELETE" ? [path] : [],
    modified: answer.status === 200 && call.method === "PUT" ? [path] : [],
  };
  const fields = {
    ref: `refs/heads/${objectOf(call.body).branch ?? repo.default_branch}`,
    before,
    after,
    base_ref: null,
    compare: `${repo.html_url}/compare/${before.slice(0, 12)}...${after.slice(0, 12)}`,
    created: false,
    deleted: false,
    forced: false,
    head_commit: commit,
    commits: [commit],
    pusher: { ...who, date: now },
  };
  emit(world, { event: "push", sender: actor, repo: pushedRepo(repo), fields });
  return answer;
}

async function headOf({ world, repo, body }: RepoCall): Promise<string> {
  const branch = objectOf(body).branch ?? repo.default_branch;
  const answer = await world.call(world.bot.alias, "GET", `/repos/${repo.full_name}/git/ref/heads/${branch}`);
  return String(objectOf(objectOf(answer.body).object).sha ?? "0".repeat(40));
}

/** In a push alone the repository's times are numbers and its owner has a name and an e-mail. */
function pushedRepo(repo: Repo): Repo {
  const seconds = (key: string) => Math.floor(Date.parse(String(objectOf(repo)[key])) / 1000);
  const owner = { ...repo.owner, name: repo.owner.login, email: null };
  const times = { created_at: seconds("created_at"), pushed_at: Math.floor(Date.now() / 1000) };
  return { ...repo, ...times, owner, master_branch: repo.default_branch, stargazers: 0 } as Repo;
}
