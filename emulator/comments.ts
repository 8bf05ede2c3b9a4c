import { emit } from "./emit.ts";
import { findIssue, isAnswer, tooLong } from "./issues.ts";
import { atLeast, type Person } from "./people.ts";
import { idOffsets } from "./wire/correct.ts";
import { type Answer, type Comment, type Issue, notFound, type Repo, refuse, toSeconds } from "./wire/shapes.ts";
import type { World } from "./world.ts";

/** Who comments: the App (`byApp`) or a person, perhaps by e-mail. */
export interface Author {
  readonly actor: Person;
  readonly byApp: boolean;
  readonly viaEmail?: boolean;
}

const pathOf = (repo: Repo, id: number) => `/repos/${repo.full_name}/issues/comments/${id - idOffsets.IssueComment}`;

export async function findComment(world: World, repo: Repo, id: number): Promise<Comment | undefined> {
  if (!Number.isInteger(id) || id < idOffsets.IssueComment) return undefined;
  const { status, body } = await world.call(world.bot.alias, "GET", pathOf(repo, id));
  if (status !== 200) return undefined;
  const comment = body as Comment;
  const note = world.notes.comments.get(comment.node_id);
  return note && !world.notes.issue(note.repoId, note.issue)?.gone ? comment : undefined;
}

/** Every comment of an issue, oldest first. */
export async function listComments(world: World, repo: Repo, issue: number): Promise<readonly Comment[]> {
  const all: Comment[] = [];
  for (let page = 1; ; page++) {
    const path = `/repos/${repo.full_name}/issues/${issue}/comments?per_page=100&page=${page}`;
    const { status, body } = await world.call(world.bot.alias, "GET", path);
    if (status !== 200) return all;
    // without one that is just being written: what is known of it comes a moment later
    all.push(...(body as readonly Comment[]).filter((c) => world.notes.comments.has(c.node_id)));
    if ((body as readonly Comment[]).length < 100) return all.sort((a, b) => a.id - b.id);
  }
}

export async function createComment(
  world: World,
  repo: Repo,
  number: number,
  by: Author & { body: unknown },
): Promise<Answer> {
  const { actor, byApp, viaEmail = false, body } = by;
  const found = await findIssue(world, repo, number);
  if (isAnswer(found)) return found;
  const long = tooLong("IssueComment", "body", body);
  if (long) return long;
  if (found.locked && !byApp && !atLeast(world.people.role(actor, repo), "write")) {
    return refuse(403, "Unable to create comment because issue is locked.");
  }
  const answer = await world.call(actor.alias, "POST", `/repos/${repo.full_name}/issues/${number}/comments`, { body });
  if (answer.status !== 201) return answer;
  const { id, node_id } = answer.body as Comment;
  world.notes.comments.set(node_id, {
    repoId: repo.id,
    issue: number,
    commentId: id,
    byApp,
    viaEmail,
    madeMs: Date.now(),
    edits: [],
  });
  const [comment, issue] = await Promise.all([findComment(world, repo, id), findIssue(world, repo, number)]);
  emit(world, { event: "issue_comment", action: "created", sender: actor, repo, fields: { issue, comment } });
  return { status: 201, body: comment };
}

export async function updateComment(
  world: World,
  repo: Repo,
  id: number,
  by: Author & { body: unknown },
): Promise<Answer> {
  const { actor, body } = by;
  const before = await findComment(world, repo, id);
  const note = before && world.notes.comments.get(before.node_id);
  if (!before || !note) return notFound;
  const refused = mayTouch(world, repo, before, by) ?? tooLong("IssueComment", "body", body);
  if (refused) return refused;
  if (typeof body === "string" && body.trim() === "") return refuse(422, "Validation Failed");
  const answer = await world.call(actor.alias, "PATCH", pathOf(repo, id), { body });
  if (answer.status !== 200 || before.body === body) return answer;
  note.edits.push({ alias: actor.alias, at: toSeconds(new Date()), atMs: Date.now(), from: before.body });
  const [comment, issue] = await Promise.all([findComment(world, repo, id), findIssue(world, repo, note.issue)]);
  const changes = { body: { from: before.body } };
  emit(world, { event: "issue_comment", action: "edited", sender: actor, repo, fields: { issue, comment, changes } });
  return { status: 200, body: comment };
}

export async function deleteComment(world: World, repo: Repo, id: number, by: Author): Promise<Answer> {
  const comment = await findComment(world, repo, id);
  const note = comment && world.notes.comments.get(comment.node_id);
  if (!comment || !note) return notFound;
  const refused = mayTouch(world, repo, comment, by);
  if (refused) return refused;
  const event = { repoId: repo.id, issue: note.issue, event: "comment_deleted", actor: by.actor, label: undefined };
  world.notes.addEvent({ ...event, at: toSeconds(new Date()), commentBy: comment.user.login });
  const answer = await world.call(by.actor.alias, "DELETE", pathOf(repo, id));
  if (answer.status !== 204) return answer;
  world.notes.comments.delete(comment.node_id);
  const issue = (await findIssue(world, repo, note.issue)) as Issue;
  emit(world, { event: "issue_comment", action: "deleted", sender: by.actor, repo, fields: { issue, comment } });
  return { status: 204 };
}

/** A comment is its author's, and everybody's with write access; the App with `issues: write` edits any. */
function mayTouch(world: World, repo: Repo, comment: Comment, { actor, byApp }: Author): Answer | undefined {
  const may = byApp || comment.user.id === actor.id || atLeast(world.people.role(actor, repo), "write");
  return may ? undefined : refuse(403, "Must have admin rights to Repository.");
}
