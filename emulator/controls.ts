import { personToken } from "./access.ts";
import { joinActivity } from "./activity.ts";
import { createComment } from "./comments.ts";
import { emit } from "./emit.ts";
import type { Answered, EmulatedGitHub } from "./interface.ts";
import { announce, findIssue, isAnswer } from "./issues.ts";
import type { Person } from "./people.ts";
import { type Answer, type Issue, objectOf, type Repo } from "./wire/shapes.ts";
import type { World } from "./world.ts";

type Controls = Omit<
  EmulatedGitHub,
  | "url"
  | "appId"
  | "privateKey"
  | "installationId"
  | "secondApp"
  | "onTraffic"
  | "requests"
  | "resetCounts"
  | "invalid"
  | "deliveries"
  | "minted"
  | "rateLimit"
  | "fault"
  | "clearFaults"
  | "settled"
  | "close"
>;

/** What happens on GitHub besides what the App does: people act, owners decide, issues move. */
export function createControls(world: World): Controls {
  const { people, installation } = world;
  const find = (login: string): Person => people.byLogin(login) ?? unknown(`person ${login}`);
  const findRepo = (name: string): Repo => world.repos.find(name) ?? unknown(`repository ${name}`);
  const answered = ({ status, body }: Answer): Answered => ({ status, body });
  const admin = () => people.all().find((p) => p.type === "User") ?? world.bot;
  const brief = ({ id, node_id, name, full_name, private: isPrivate }: Repo) => ({
    id,
    node_id,
    name,
    full_name,
    private: isPrivate,
  });

  const as: Controls["as"] = (login) => async (method, path, body) => {
    find(login);
    const response = await fetch(world.url + path, {
      method,
      headers: { authorization: `Bearer ${personToken(login)}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: text === "" ? undefined : JSON.parse(text) };
  };
  const change = (state: "active" | "suspended" | "deleted", action: string) => (how?: { tokensGoOn: boolean }) => {
    const repositories = world.repos.all().filter(installation.covers).map(brief);
    installation.setState(state, how);
    emit(world, { event: "installation", action, sender: admin(), fields: { repositories, requester: null } });
  };
  const include = (included: boolean) => async (name: string) => {
    const repo = findRepo(name);
    installation.include(repo.id, included);
    const fields = {
      repository_selection: "selected",
      repositories_added: included ? [brief(repo)] : [],
      repositories_removed: included ? [] : [brief(repo)],
      requester: null,
    };
    emit(world, {
      event: "installation_repositories",
      action: included ? "added" : "removed",
      sender: admin(),
      fields,
    });
  };

  return {
    as,
    person: (login) => {
      const { id, nodeId, login: name } = find(login);
      return { id, login: name, nodeId };
    },
    setRole: (login, role, repo) =>
      people.setRole(find(login), role, repo === undefined ? undefined : findRepo(repo).id),
    setTeam: people.setTeam,
    renamePerson: (login, to) => people.rename(find(login), to),
    registerPerson: (login, role) => {
      const { id, nodeId, login: name } = people.register(login, role);
      return { id, login: name, nodeId };
    },
    emailComment: async (login, repo, issue, body) =>
      answered(
        await createComment(world, findRepo(repo), issue, { actor: find(login), byApp: false, viaEmail: true, body }),
      ),
    editComment: (login, repo, id, body) => as(login)("PATCH", `/repos/${repo}/issues/comments/${id}`, { body }),
    deleteComment: (login, repo, id) => as(login)("DELETE", `/repos/${repo}/issues/comments/${id}`),
    async submitForm(login, repoName, fields) {
      const repo = findRepo(repoName);
      const actor = find(login);
      const created = await world.call(actor.alias, "POST", `/repos/${repo.full_name}/issues`, fields);
      return (await announce(world, repo, created.body as Issue, { actor, byApp: false })).number;
    },
    async openPullRequest(login, repoName, title) {
      const repo = findRepo(repoName);
      const created = await world.call(find(login).alias, "POST", `/repos/${repo.full_name}/issues`, { title });
      const { node_id, number } = created.body as Issue;
      world.notes.addIssue(node_id, { repoId: repo.id, number, byApp: false, isPullRequest: true });
      return number;
    },
    addActivity(repoName, added) {
      const { id } = findRepo(repoName);
      world.activity.set(id, joinActivity(world.activity.get(id), added));
    },
    async deleteIssue(login, repoName, number) {
      const repo = findRepo(repoName);
      const issue = present(await findIssue(world, repo, number));
      noteOf(world, issue).gone = { movedTo: undefined };
      emit(world, { event: "issues", action: "deleted", sender: find(login), repo, fields: { issue } });
    },
    async transferIssue(login, repoName, number, toName) {
      const sender = find(login);
      const [repo, to] = [findRepo(repoName), findRepo(toName)];
      const issue = present(await findIssue(world, repo, number));
      const path = `/repos/${to.full_name}/issues`;
      const { alias } = people.byLogin(issue.user.login) ?? sender;
      const created = await world.call(alias, "POST", path, { title: issue.title, body: issue.body ?? "" });
      const made = created.body as Issue;
      world.notes.addIssue(made.node_id, { repoId: to.id, number: made.number, byApp: false });
      const moved = present(await findIssue(world, to, made.number));
      noteOf(world, issue).gone = { movedTo: `${world.url}${path}/${made.number}` };
      const changes = { new_issue: moved, new_repository: to };
      emit(world, { event: "issues", action: "transferred", sender, repo, fields: { issue, changes } });
      const origin = { old_issue: issue, old_repository: repo };
      emit(world, { event: "issues", action: "opened", sender, repo: to, fields: { issue: moved, changes: origin } });
      return made.number;
    },
    setAppPermissions(permissions) {
      installation.setPermissions(permissions);
      emit(world, { event: "installation", action: "new_permissions_accepted", sender: admin(), fields: {} });
    },
    setGraphqlBehind: (ms) => {
      world.notes.graphqlBehindMs = ms;
    },
    setGranted: installation.setGranted,
    setAppEvents: installation.setEvents,
    revokeTokens: world.tokens.revokeAll,
    suspendInstallation: change("suspended", "suspend"),
    unsuspendInstallation: change("active", "unsuspend"),
    uninstall: change("deleted", "deleted"),
    removeRepository: include(false),
    addRepository: include(true),
    async redeliver(guid) {
      if (!(await world.deliveries.redeliver({ guid }))) unknown(`delivery ${guid}`);
    },
  };
}

function unknown(what: string): never {
  throw new Error(`the emulated GitHub has no ${what}`);
}

function present(found: Issue | Answer): Issue {
  return isAnswer(found) ? unknown(`such issue: ${objectOf(found.body).message}`) : found;
}

const noteOf = (world: World, issue: Issue) =>
  world.notes.issues.get(issue.node_id) ?? unknown(`note of issue ${issue.number}`);
