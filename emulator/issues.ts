import { emit } from "./emit.ts";
import { atLeast, type Person } from "./people.ts";
import { type Answer, type Issue, notFound, objectOf, type Repo, refuse, toSeconds } from "./wire/shapes.ts";
import { forward, type RepoCall, type World } from "./world.ts";

const maxBodyCharacters = 65_536;
const maxTitleCharacters = 256;

/** GitHub's answer to a text over its limit, counted in characters, not bytes; undefined where it fits. */
export function tooLong(resource: string, field: "body" | "title", text: unknown): Answer | undefined {
  const limit = field === "body" ? maxBodyCharacters : maxTitleCharacters;
  if (typeof text !== "string" || text.length <= limit || [...text].length <= limit) return undefined;
  const message = `${field} is too long (maximum is ${limit} characters)`;
  return refuse(422, "Validation Failed", [{ resource, code: "custom", field, message }]);
}

/** The issue as it is now, or GitHub's answer for one that is not there: 404, 410 deleted, 301 moved. */
export async function findIssue(world: World, repo: Repo, number: number): Promise<Issue | Answer> {
  const gone = world.notes.issue(repo.id, number)?.gone;
  if (gone?.movedTo) return { ...refuse(301, "Moved Permanently"), headers: { location: gone.movedTo } };
  if (gone) return refuse(410, "This issue was deleted");
  const { status, body } = await world.call(world.bot.alias, "GET", `/repos/${repo.full_name}/issues/${number}`);
  return status === 200 ? (body as Issue) : notFound;
}

export const isAnswer = (value: Issue | Answer): value is Answer => "status" in value;

export async function createIssue(call: RepoCall): Promise<Answer> {
  const { world, repo, actor } = call;
  const body = objectOf(call.body);
  const long = tooLong("Issue", "body", body.body) ?? tooLong("Issue", "title", body.title);
  if (long) return long;
  const role = world.people.role(actor, repo);
  const mayLabel = call.caller.kind === "installation" || atLeast(role, "triage");
  const { labels, ...plain } = body;
  const created = await forward(call, mayLabel ? { ...plain, ...(labels ? { labels } : {}) } : plain);
  if (created.status !== 201) return created;
  const issue = await announce(world, repo, created.body as Issue, {
    actor,
    byApp: call.caller.kind === "installation",
  });
  return { status: 201, body: issue };
}

/** Notes an issue that emulate has just made, and tells the App of it. */
export async function announce(
  world: World,
  repo: Repo,
  { node_id, number }: Issue,
  { actor, byApp }: { readonly actor: Person; readonly byApp: boolean },
): Promise<Issue> {
  world.notes.addIssue(node_id, { repoId: repo.id, number, byApp });
  const issue = (await findIssue(world, repo, number)) as Issue;
  emit(world, { event: "issues", action: "opened", sender: actor, repo, fields: { issue } });
  for (const label of issue.labels) {
    emit(world, { event: "issues", action: "labeled", sender: actor, repo, fields: { issue, label } });
  }
  return issue;
}

/** Any change of an issue: emulate does it, and the webhooks follow from what differs afterwards. */
export async function changeIssue(call: RepoCall): Promise<Answer> {
  const { world, repo, actor } = call;
  const number = Number(call.params.issue_number);
  const before = await findIssue(world, repo, number);
  if (isAnswer(before)) return before;
  const refused = mayChange(call, before) ?? tooLong("Issue", "body", objectOf(call.body).body);
  if (refused) return refused;
  const answer = await forward(call, completeClose(call.body));
  if (answer.status >= 300) return answer;
  const note = world.notes.issues.get(before.node_id);
  const after = (await findIssue(world, repo, number)) as Issue;
  if (note && after.body !== before.body) note.editedAt = toSeconds(new Date());
  for (const { action, fields } of differences(before, after)) {
    emit(world, { event: "issues", action, sender: actor, repo, fields: { issue: after, ...fields } });
  }
  return answer;
}

/** Adds assignees. GitHub leaves out, without a word, whoever may not write. */
export async function assignIssue(call: RepoCall): Promise<Answer> {
  const { world, repo } = call;
  const { assignees } = objectOf(call.body);
  const people = (Array.isArray(assignees) ? assignees : []).flatMap(
    (login) => world.people.byLogin(String(login)) ?? [],
  );
  const writers = people.filter((person) => atLeast(world.people.role(person, repo), "write"));
  const answer = await changeIssue({ ...call, body: { assignees: writers.map(({ alias }) => alias) } });
  if (answer.status >= 300) return answer;
  return { status: 201, body: await findIssue(world, repo, Number(call.params.issue_number)) };
}

/** Closing without a reason means `completed`, as in the web interface. */
function completeClose(body: unknown): unknown {
  const fields = objectOf(body);
  return fields.state === "closed" && fields.state_reason === undefined
    ? { ...fields, state_reason: "completed" }
    : body;
}

function mayChange(call: RepoCall, issue: Issue): Answer | undefined {
  if (call.caller.kind !== "person") return undefined;
  const role = call.world.people.role(call.actor, call.repo);
  const own = issue.user.id === call.actor.id;
  const body = objectOf(call.body);
  const text = call.method === "PATCH" && ("title" in body || "body" in body);
  const may = text ? own || atLeast(role, "write") : (own && call.method === "PATCH") || atLeast(role, "triage");
  return may ? undefined : refuse(403, "Must have triage access or above to do this.");
}

interface Difference {
  readonly action: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

function differences(before: Issue, after: Issue): readonly Difference[] {
  const changes = {
    ...(before.title === after.title ? {} : { title: { from: before.title } }),
    ...(before.body === after.body ? {} : { body: { from: before.body ?? "" } }),
  };
  const without = <T extends { readonly id: number }>(list: readonly T[], other: readonly T[]) =>
    list.filter((x) => !other.some((y) => y.id === x.id));
  return [
    ...(Object.keys(changes).length > 0 ? [{ action: "edited", fields: { changes } }] : []),
    ...(before.state === after.state ? [] : [{ action: after.state === "closed" ? "closed" : "reopened", fields: {} }]),
    ...(before.locked === after.locked ? [] : [{ action: after.locked ? "locked" : "unlocked", fields: {} }]),
    ...without(before.labels, after.labels).map((label) => ({ action: "unlabeled", fields: { label } })),
    ...without(after.labels, before.labels).map((label) => ({ action: "labeled", fields: { label } })),
    ...without(before.assignees, after.assignees).map((assignee) => ({ action: "unassigned", fields: { assignee } })),
    ...without(after.assignees, before.assignees).map((assignee) => ({ action: "assigned", fields: { assignee } })),
  ];
}
