import type { Person } from "../base/github.ts";
import type { Client, Octokit } from "./client.ts";
import type { CommentPosition } from "./facts.ts";
import { repoOf } from "./web.ts";

/** What an issue shows, and what it showed before: for a signer, which believes nobody but GitHub. */

export interface IssueEvidence {
  readonly installationId: number;
  readonly repository: { readonly id: number; readonly name: string; readonly private: boolean };
  readonly issue: { readonly nodeId: string; readonly open: boolean; readonly closedAt: Date | undefined };
  /** Oldest first. */
  readonly comments: readonly EvidenceComment[];
  /** Undefined for an account that is not known. */
  readonly deletions: readonly {
    readonly at: Date;
    readonly authorId: number | undefined;
    readonly byId: number | undefined;
  }[];
}

export interface EvidenceComment extends CommentPosition {
  readonly author: Person | undefined;
  /** GitHub's account type. */
  readonly type: string;
  readonly body: string;
  readonly edited: boolean;
  /** The last one; undefined if nobody, or not known. */
  readonly editorId: number | undefined;
  readonly byEmail: boolean;
  /** All its texts, the first one first: of the account that was asked for; of others the present one. */
  readonly versions: readonly { readonly at: Date; readonly body: string }[];
}

interface EvidenceQuestion {
  readonly repo: string;
  readonly issue: number;
  /** Whose comments are read with all their versions. */
  readonly historyOf: number;
  readonly reads: Readonly<Record<string, string>>;
}

/** Throws without a whole answer. */
export type ReadEvidence = (question: EvidenceQuestion) => Promise<IssueEvidence>;

/** Through which App a comment was sent; undefined for a person's browser. Throws without an answer. */
export type ReadSender = (
  question: Pick<EvidenceQuestion, "repo" | "reads"> & { readonly installationId: number; readonly comment: number },
) => Promise<{ readonly appId: number | undefined; readonly body: string; readonly authorId: number | undefined }>;

const mostPages = 25;
const mostVersions = 1_000;
const idsAtOnce = 20;
const actor = "login ... on User { databaseId } ... on Bot { databaseId }";

const issueQuery = `query Evidence($owner: String!, $repo: String!, $issue: Int!, $after: String) {
  repository(owner: $owner, name: $repo) {
    databaseId nameWithOwner isPrivate
    issue(number: $issue) {
      id state
      closed: timelineItems(itemTypes: [CLOSED_EVENT], last: 1) { nodes { ... on ClosedEvent { createdAt } } }
      deleted: timelineItems(itemTypes: [COMMENT_DELETED_EVENT], last: 100) {
        nodes { ... on CommentDeletedEvent { createdAt actor { ${actor} } deletedCommentAuthor { ${actor} } } }
      }
      comments(first: 100, after: $after) {
        pageInfo { hasNextPage endCursor }
        nodes { id fullDatabaseId body createdAt lastEditedAt createdViaEmail author { __typename ${actor} } editor { ${actor} } }
      }
    }
  }
}`;

const versionsQuery = `query Versions($ids: [ID!]!, $after: String) {
  nodes(ids: $ids) {
    ... on IssueComment {
      id includesCreatedEdit
      userContentEdits(first: 100, after: $after) { pageInfo { hasNextPage endCursor } nodes { editedAt deletedAt diff } }
    }
  }
}`;

interface PageInfo {
  readonly hasNextPage: boolean;
  readonly endCursor: string | null;
}
interface Actor {
  readonly __typename?: string;
  readonly login: string;
  readonly databaseId?: number;
}
type Nodes<T> = readonly (T | null)[] | null;
interface IssueAnswer {
  readonly repository: {
    readonly databaseId: number;
    readonly nameWithOwner: string;
    readonly isPrivate: boolean;
    readonly issue: {
      readonly id: string;
      readonly state: string;
      readonly closed: { readonly nodes: Nodes<{ readonly createdAt: string }> };
      readonly deleted: {
        readonly nodes: Nodes<{
          readonly createdAt: string;
          readonly actor: Actor | null;
          readonly deletedCommentAuthor: Actor | null;
        }>;
      };
      readonly comments: { readonly pageInfo: PageInfo; readonly nodes: Nodes<EvidenceNode> };
    } | null;
  } | null;
}
interface EvidenceNode {
  readonly id: string;
  readonly fullDatabaseId: string;
  readonly body: string;
  readonly createdAt: string;
  readonly lastEditedAt: string | null;
  readonly createdViaEmail: boolean;
  readonly author: Actor | null;
  readonly editor: Actor | null;
}
interface VersionsAnswer {
  readonly nodes: Nodes<{
    readonly id: string;
    readonly includesCreatedEdit: boolean;
    readonly userContentEdits: {
      readonly pageInfo: PageInfo;
      readonly nodes: Nodes<{
        readonly editedAt: string;
        readonly deletedAt: string | null;
        readonly diff: string | null;
      }>;
    } | null;
  }>;
}

export const createReadEvidence =
  (client: Client): ReadEvidence =>
  async ({ repo, issue, historyOf, reads }) => {
    const app = await client.probot.auth();
    const { data } = await app.rest.apps.getRepoInstallation(repoOf({ repo }));
    return client.as({ installationId: data.id, repo, reads }, async (octokit) => {
      const nodes: EvidenceNode[] = [];
      let after: string | null = null;
      for (let page = 1; page <= mostPages; page++) {
        const variables: Readonly<Record<string, unknown>> = { ...repoOf({ repo }), issue, after };
        const { repository }: IssueAnswer = await octokit.graphql<IssueAnswer>(issueQuery, variables);
        const found = repository?.issue;
        if (!repository || !found) throw new Error(`GitHub has no issue ${issue} in ${repo}`);
        nodes.push(...(found.comments.nodes ?? []).filter((node) => node !== null));
        after = found.comments.pageInfo.endCursor;
        if (found.comments.pageInfo.hasNextPage) continue;
        const edited = nodes.filter(
          ({ author, lastEditedAt }) => author?.databaseId === historyOf && lastEditedAt !== null,
        );
        const versions = await readVersions(
          octokit,
          edited.map(({ id }) => id),
        );
        const [closed] = found.closed.nodes ?? [];
        return {
          installationId: data.id,
          repository: { id: repository.databaseId, name: repository.nameWithOwner, private: repository.isPrivate },
          issue: {
            nodeId: found.id,
            open: found.state === "OPEN",
            closedAt: closed ? new Date(closed.createdAt) : undefined,
          },
          comments: nodes.map((node) => commentOf(node, versions.get(node.id))),
          deletions: (found.deleted.nodes ?? []).flatMap((one) =>
            one
              ? [
                  {
                    at: new Date(one.createdAt),
                    authorId: one.deletedCommentAuthor?.databaseId,
                    byId: one.actor?.databaseId,
                  },
                ]
              : [],
          ),
        };
      }
      throw new Error(`issue ${issue} has more comments than are read`);
    });
  };

function commentOf(node: EvidenceNode, versions: EvidenceComment["versions"] | undefined): EvidenceComment {
  const { author } = node;
  const createdAt = new Date(node.createdAt);
  const id = author?.databaseId;
  return {
    id: Number(node.fullDatabaseId),
    createdAt,
    author: author && id !== undefined ? { id, login: author.login } : undefined,
    type: author?.__typename ?? "",
    body: node.body,
    edited: node.lastEditedAt !== null,
    editorId: node.editor?.databaseId,
    byEmail: node.createdViaEmail,
    versions: versions ?? [{ at: createdAt, body: node.body }],
  };
}

/** Throws if GitHub does not show all: a version that is not shown may be what people read. */
async function readVersions(
  octokit: Octokit,
  ids: readonly string[],
): Promise<ReadonlyMap<string, EvidenceComment["versions"]>> {
  const found = new Map<string, { at: Date; body: string }[]>();
  const queue: { ids: readonly string[]; after: string | null }[] = [];
  for (let at = 0; at < ids.length; at += idsAtOnce) queue.push({ ids: ids.slice(at, at + idsAtOnce), after: null });
  let count = 0;
  for (const { ids: some, after } of queue) {
    const { nodes }: VersionsAnswer = await octokit.graphql(versionsQuery, { ids: some, after });
    const known = (nodes ?? []).filter((node) => node !== null);
    if (known.length < some.length) throw new Error("GitHub does not show a comment that it lists");
    for (const { id, includesCreatedEdit, userContentEdits } of known) {
      const edits = userContentEdits?.nodes ?? [];
      if (!includesCreatedEdit || edits.length === 0) throw new Error("GitHub does not show how a card read before");
      const versions = edits.map((edit) => {
        if (!edit || edit.deletedAt !== null || edit.diff === null)
          throw new Error("a card's earlier text was deleted");
        return { at: new Date(edit.editedAt), body: edit.diff };
      });
      // Newest first, on each page.
      found.set(id, [...versions.toReversed(), ...(found.get(id) ?? [])]);
      count += versions.length;
      const { hasNextPage, endCursor } = userContentEdits?.pageInfo ?? { hasNextPage: false, endCursor: null };
      if (hasNextPage) queue.push({ ids: [id], after: endCursor });
    }
    if (count > mostVersions) throw new Error("the bot's comments were edited more often than is read");
  }
  return found;
}

export const createReadSender =
  (client: Client): ReadSender =>
  ({ repo, installationId, comment, reads }) =>
    client.as({ installationId, repo, reads }, async ({ rest }) => {
      const { data } = await rest.issues.getComment({ ...repoOf({ repo }), comment_id: comment });
      return { appId: data.performed_via_github_app?.id, body: data.body ?? "", authorId: data.user?.id };
    });
