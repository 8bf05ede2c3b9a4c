import { maySee } from "../access.ts";
import { createComment, findComment, updateComment } from "../comments.ts";
import { type CommentNote, reactionNames } from "../notes.ts";
import { react } from "../reactions.ts";
import { type Answer, type Comment, objectOf, type Repo } from "../wire/shapes.ts";
import type { World } from "../world.ts";
import { demand, type GraphqlCaller, viewerOf } from "./caller.ts";
import { failure, notResolved } from "./failure.ts";
import { createObjects } from "./objects.ts";
import { queries } from "./queries.ts";

interface Input<T> {
  readonly input: T & { readonly clientMutationId?: string };
}

/** The fields of `Mutation` we answer. Each needs `issues: write` of the App and sends the same webhooks as REST. */
export function mutations(world: World, caller: GraphqlCaller) {
  const objects = createObjects(world, caller);
  const { node } = queries(world, caller);
  const actor = viewerOf(caller);
  const author = { actor, byApp: caller.kind === "installation" };

  const mayWrite = () => demand(caller, "issues", "write");
  const findOn = async (id: string): Promise<{ repo: Repo; note: CommentNote; comment: Comment }> => {
    mayWrite();
    const note = world.notes.comments.get(id);
    const repo = note && world.repos.byId(note.repoId);
    const comment =
      note && repo && maySee(world, caller, repo) ? await findComment(world, repo, note.commentId) : undefined;
    if (!note || !repo || !comment) throw notResolved(`a node with the global id of '${id}'`);
    return { repo, note, comment };
  };
  const subject = async (id: string) => {
    mayWrite();
    return node({ id });
  };
  const contentOf = (name: string) => Object.keys(reactionNames).find((c) => reactionNames[c] === name) ?? "";

  const minimize = async (id: string, classifier: string | undefined) => {
    const { repo, note, comment } = await findOn(id);
    if (classifier === undefined) delete note.minimized;
    else note.minimized = classifier;
    return objects.comment(repo, comment);
  };

  return {
    addComment: async ({ input }: Input<{ subjectId: string; body: string }>) => {
      mayWrite();
      const issue = world.notes.issues.get(input.subjectId);
      const repo = issue && world.repos.byId(issue.repoId);
      if (!issue || !repo || !maySee(world, caller, repo))
        throw notResolved(`a node with the global id of '${input.subjectId}'`);
      const made = done(await createComment(world, repo, issue.number, { ...author, body: input.body })) as Comment;
      const comment = objects.comment(repo, made);
      return {
        clientMutationId: input.clientMutationId,
        subject: () => node({ id: input.subjectId }),
        commentEdge: { cursor: made.node_id, node: comment },
      };
    },
    updateIssueComment: async ({ input }: Input<{ id: string; body: string }>) => {
      const { repo, note } = await findOn(input.id);
      const changed = done(
        await updateComment(world, repo, note.commentId, { ...author, body: input.body }),
      ) as Comment;
      return { clientMutationId: input.clientMutationId, issueComment: objects.comment(repo, changed) };
    },
    minimizeComment: async ({ input }: Input<{ subjectId: string; classifier: string }>) => ({
      clientMutationId: input.clientMutationId,
      minimizedComment: await minimize(input.subjectId, input.classifier),
    }),
    unminimizeComment: async ({ input }: Input<{ subjectId: string }>) => ({
      clientMutationId: input.clientMutationId,
      unminimizedComment: await minimize(input.subjectId, undefined),
    }),
    addReaction: async ({ input }: Input<{ subjectId: string; content: string }>) => {
      const on = await subject(input.subjectId);
      const { reaction } = react(world, actor, input.subjectId, contentOf(input.content));
      return { clientMutationId: input.clientMutationId, subject: on, reaction: objects.reaction(reaction, () => on) };
    },
    removeReaction: async ({ input }: Input<{ subjectId: string; content: string }>) => {
      const on = await subject(input.subjectId);
      const content = contentOf(input.content);
      const mine = world.notes
        .reactionsOn(input.subjectId)
        .find((r) => r.alias === actor.alias && r.content === content);
      if (!mine) throw failure("UNPROCESSABLE", "There is no such reaction of yours.");
      world.notes.removeReaction(mine);
      return { clientMutationId: input.clientMutationId, subject: on, reaction: objects.reaction(mine, () => on) };
    },
  };
}

/** What a REST operation made, or its refusal as an error of GraphQL. */
function done({ status, body }: Answer): unknown {
  if (status < 300) return body;
  throw failure(status === 403 ? "FORBIDDEN" : "UNPROCESSABLE", String(objectOf(body).message ?? status));
}
