import { maySee } from "../access.ts";
import { findComment } from "../comments.ts";
import { findIssue, isAnswer } from "../issues.ts";
import { kindOf } from "../wire/correct.ts";
import type { World } from "../world.ts";
import { type GraphqlCaller, viewerOf } from "./caller.ts";
import { notResolved } from "./failure.ts";
import { createObjects } from "./objects.ts";

/** The fields of `Query` we answer. */
export function queries(world: World, caller: GraphqlCaller) {
  const objects = createObjects(world, caller);
  const visible = (id: number) => {
    const repo = world.repos.byId(id);
    return repo && maySee(world, caller, repo) ? repo : undefined;
  };
  const node = async ({ id }: { id: string }): Promise<unknown> => {
    const found = await findNode(id);
    if (!found) throw notResolved(`a node with the global id of '${id}'`);
    return found;
  };
  const findNode = async (id: string): Promise<object | undefined> => {
    const person = world.people.all().find((p) => p.nodeId === id);
    if (person) return objects.user(person);
    if (kindOf(id) === "Repository") {
      const repo = world.repos.all().find((r) => r.node_id === id && visible(r.id));
      return repo && objects.repository(repo);
    }
    const issue = world.notes.issues.get(id);
    const comment = world.notes.comments.get(id);
    const repo = visible((issue ?? comment)?.repoId ?? -1);
    if (!repo) return undefined;
    if (issue) {
      const found = await findIssue(world, repo, issue.number);
      return isAnswer(found) ? undefined : objects.issue(repo, found);
    }
    const asOf = Date.now() - world.notes.graphqlBehindMs;
    if (!comment || comment.madeMs > asOf) return undefined;
    const found = await findComment(world, repo, comment.commentId);
    const next = comment.edits.find(({ atMs }) => atMs > asOf);
    return found && objects.comment(repo, next ? { ...found, body: next.from } : found, asOf);
  };

  return {
    node,
    nodes: ({ ids }: { ids: readonly string[] }) => ids.map((id) => node({ id })),
    repository: ({ owner, name }: { owner: string; name: string }) => {
      const repo = world.repos.find(`${owner}/${name}`);
      if (!repo || !visible(repo.id)) throw notResolved(`a Repository with the name '${owner}/${name}'`);
      return objects.repository(repo);
    },
    organization: ({ login }: { login: string }) => {
      if (login.toLowerCase() !== world.org.login.toLowerCase()) {
        throw notResolved(`an Organization with the login of '${login}'`);
      }
      return objects.organization();
    },
    user: ({ login }: { login: string }) => {
      const person = world.people.byLogin(login);
      if (person?.type !== "User") throw notResolved(`a User with the login of '${login}'`);
      return objects.user(person);
    },
    // other than an author's, its login keeps `[bot]`
    viewer: () => ({
      ...objects.user(viewerOf(caller)),
      __typename: "User",
      login: viewerOf(caller).login,
    }),
    rateLimit: () => ({
      cost: 1,
      limit: 5000,
      nodeCount: 1,
      remaining: 4999,
      used: 1,
      resetAt: new Date(Date.now() + 3_600_000).toISOString(),
    }),
  };
}
