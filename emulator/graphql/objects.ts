import { activityFields } from "../activity.ts";
import { listComments } from "../comments.ts";
import { createGit } from "../git.ts";
import { findIssue, isAnswer } from "../issues.ts";
import { type CommentNote, type Reaction, reactionNames } from "../notes.ts";
import type { Person } from "../people.ts";
import type { Comment, Issue, Repo } from "../wire/shapes.ts";
import type { World } from "../world.ts";
import { createAccounts, fits } from "./accounts.ts";
import { demand, type GraphqlCaller, viewerOf } from "./caller.ts";
import { connection, type PageArguments } from "./connection.ts";
import { notResolved } from "./failure.ts";
import { commitOf, gitObject } from "./files.ts";

/** GraphQL's objects, made of what REST shows. Fields not listed are null, and an error where they may not be. */
export interface Objects {
  readonly user: (person: Person) => object;
  readonly repository: (repo: Repo) => object;
  readonly issue: (repo: Repo, issue: Issue) => object;
  /** Without its edits since `asOf`, in ms. */
  readonly comment: (repo: Repo, comment: Comment, asOf?: number) => object;
  readonly reaction: (reaction: Reaction, subject: () => unknown) => object;
  readonly organization: () => object;
}

const maxInt = 2 ** 31 - 1;
/** Above 2³¹ there is no `databaseId`, only `fullDatabaseId`. */
const intId = (id: number) => (id > maxInt ? null : id);
const timelineTypes: Readonly<Record<string, string>> = {
  closed: "ClosedEvent",
  comment_deleted: "CommentDeletedEvent",
};
const upper = (text: string | null) => text?.toUpperCase() ?? null;

export function createObjects(world: World, caller: GraphqlCaller): Objects {
  const { people, notes } = world;
  const viewer = viewerOf(caller);
  const { user, organization } = createAccounts(world, caller);
  const author = (login: string) => {
    const person = people.byLogin(login);
    return person ? user(person) : null;
  };

  const repository = (repo: Repo) => {
    const git = createGit(world, repo);
    return {
      __typename: "Repository",
      id: repo.node_id,
      databaseId: repo.id,
      name: repo.name,
      nameWithOwner: repo.full_name,
      url: repo.html_url,
      visibility: upper(repo.visibility),
      isPrivate: repo.private,
      isArchived: repo.archived,
      isInOrganization: true,
      isFork: false,
      isDisabled: false,
      isLocked: false,
      hasIssuesEnabled: true,
      owner: { __typename: "Organization", id: repo.owner.node_id, login: repo.owner.login, url: world.url },
      defaultBranchRef: async () => {
        demand(caller, "contents", "read");
        const oid = await git.head(repo.default_branch);
        const name = repo.default_branch;
        return oid ? { id: `${repo.node_id}/${name}`, name, prefix: "refs/heads/", target: commitOf(oid) } : null;
      },
      object: async ({ expression, oid }: { expression?: string; oid?: string }) => {
        demand(caller, "contents", "read");
        const found = await git.resolve(expression ?? oid ?? "HEAD");
        return found ? gitObject(git, found, expression?.split(":")[1]) : null;
      },
      issue: async ({ number }: { number: number }) => {
        demand(caller, "issues", "read");
        const found = await findIssue(world, repo, number);
        if (isAnswer(found) || notes.issues.get(found.node_id)?.isPullRequest)
          throw notResolved(`an Issue with the number of ${number}`);
        return issue(repo, found);
      },
      ...activityFields(world, caller, { repo, author }),
      collaborators: (args: PageArguments & { query?: string; login?: string }) => {
        const wanted = people
          .all()
          .filter((p) => people.role(p, { ...repo, private: true }) !== "none" && fits(p, args));
        const edge = (p: Person) => ({ permission: people.role(p, repo).toUpperCase() });
        return connection(
          wanted.filter((p) => p.type === "User"),
          args,
          { name: "collaborators", node: user, edge },
        );
      },
    };
  };

  const issue = (repo: Repo, found: Issue) => ({
    __typename: "Issue",
    id: found.node_id,
    databaseId: intId(found.id),
    fullDatabaseId: String(found.id),
    number: found.number,
    title: found.title,
    body: found.body ?? "",
    bodyText: found.body ?? "",
    state: upper(found.state),
    stateReason: upper(found.state_reason),
    closed: found.state === "closed",
    closedAt: found.closed_at,
    locked: found.locked,
    activeLockReason: upper(found.active_lock_reason),
    url: found.html_url,
    createdAt: found.created_at,
    updatedAt: found.updated_at,
    lastEditedAt: notes.issues.get(found.node_id)?.editedAt ?? null,
    includesCreatedEdit: notes.issues.get(found.node_id)?.editedAt !== undefined,
    createdViaEmail: false,
    authorAssociation: found.author_association,
    author: author(found.user.login),
    viewerDidAuthor: found.user.login === viewer.login,
    repository: () => repository(repo),
    labels: (args: PageArguments) =>
      connection(found.labels, args, {
        name: "labels",
        node: (l) => ({ id: l.node_id, name: l.name, color: l.color, isDefault: false, url: found.html_url }),
      }),
    comments: async (args: PageArguments) =>
      connection(await listComments(world, repo, found.number), args, {
        name: "comments",
        node: (c) => comment(repo, c),
      }),
    timelineItems: ({ itemTypes, ...args }: PageArguments & { itemTypes?: readonly string[] }) =>
      connection(
        notes
          .eventsIn(repo.id)
          .filter(({ issue, event }) => issue === found.number && itemTypes?.includes(`${event.toUpperCase()}_EVENT`))
          .filter(({ event }) => event in timelineTypes),
        args,
        {
          name: "timelineItems",
          node: ({ id, event, actor, at, commentBy }) => ({
            __typename: timelineTypes[event],
            id: Buffer.from(`0:${timelineTypes[event]}${id}`).toString("base64"),
            createdAt: at,
            actor: author(actor.login),
            deletedCommentAuthor: commentBy === undefined ? null : author(commentBy),
          }),
        },
      ),
    reactions: (args: PageArguments) => reactions(found.node_id, () => issue(repo, found), args),
  });

  const comment = (repo: Repo, found: Comment, asOf = Number.POSITIVE_INFINITY): object => {
    const note = notes.comments.get(found.node_id);
    const edits = note?.edits.filter(({ atMs }) => atMs <= asOf) ?? [];
    const last = edits.at(-1);
    return {
      __typename: "IssueComment",
      id: found.node_id,
      databaseId: intId(found.id),
      fullDatabaseId: String(found.id),
      body: found.body,
      bodyText: found.body,
      url: found.html_url,
      createdAt: found.created_at,
      updatedAt: found.updated_at,
      lastEditedAt: last?.at ?? null,
      editor: last === undefined ? null : author(people.byAlias(last.alias)?.login ?? ""),
      includesCreatedEdit: last !== undefined,
      userContentEdits: (args: PageArguments) => userContentEdits(found, edits, args),
      createdViaEmail: note?.viaEmail ?? false,
      isMinimized: note?.minimized !== undefined,
      minimizedReason: note?.minimized?.toLowerCase().replace("_", "-") ?? null,
      authorAssociation: found.author_association,
      author: author(found.user.login),
      viewerDidAuthor: found.user.login === viewer.login,
      repository: () => repository(repo),
      issue: async () => {
        const parent = await findIssue(world, repo, note?.issue ?? 0);
        if (isAnswer(parent)) throw notResolved("the issue of a comment");
        return issue(repo, parent);
      },
      reactions: (args: PageArguments) => reactions(found.node_id, () => comment(repo, found), args),
    };
  };

  /** Newest first; the oldest is its making, as soon as there is another. */
  const userContentEdits = (found: Comment, edits: CommentNote["edits"], args: PageArguments) => {
    // What it read as after each of them; GitHub's `diff` is the whole text.
    const bodies = [...edits.map(({ from }) => from), found.body];
    const made = { at: found.created_at, by: author(found.user.login), diff: bodies[0] };
    const changes = edits.map(({ alias, at }, nth) => ({
      at,
      by: author(people.byAlias(alias)?.login ?? ""),
      diff: bodies[nth + 1],
    }));
    return connection(edits.length === 0 ? [] : [made, ...changes].reverse(), args, {
      name: "userContentEdits",
      node: ({ at, by, diff }) => ({
        id: Buffer.from(`0:UserContentEdit${found.id}${at}`).toString("base64"),
        createdAt: at,
        editedAt: at,
        updatedAt: at,
        deletedAt: null,
        diff,
        editor: by,
      }),
    });
  };

  const reaction = (found: Reaction, subject: () => unknown) => {
    const person = people.byAlias(found.alias);
    return {
      __typename: "Reaction",
      id: Buffer.from(`0:Reaction${found.id}`).toString("base64"),
      databaseId: found.id,
      content: reactionNames[found.content],
      createdAt: found.createdAt,
      // An App's reaction has none: it is no User.
      user: person?.type === "User" ? user(person) : null,
      reactable: subject,
    };
  };
  const reactions = (nodeId: string, subject: () => unknown, args: PageArguments & { content?: string }) => {
    const all = notes.reactionsOn(nodeId).filter((r) => !args.content || reactionNames[r.content] === args.content);
    return {
      viewerHasReacted: all.some((r) => r.alias === viewer.alias),
      ...connection(all, args, { name: "reactions", node: (r) => reaction(r, subject) }),
    };
  };

  return { user, repository, issue, comment, reaction, organization };
}
