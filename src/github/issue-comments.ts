import type { Client } from "./client.ts";
import type { CommentPlace } from "./comments.ts";
import { repoOf } from "./repo-place.ts";

/** Without the author's, which differ. */
export const commentFields = "fullDatabaseId body createdAt lastEditedAt isMinimized viewerDidAuthor";

export interface CommentNode {
  readonly fullDatabaseId: string;
  readonly body: string;
  readonly createdAt: string;
  readonly lastEditedAt: string | null;
  readonly isMinimized: boolean;
  readonly viewerDidAuthor: boolean;
}

export interface IssueComment {
  readonly id: number;
  /** Undefined if the account is gone. */
  readonly login: string | undefined;
  readonly ours: boolean;
  readonly body: string;
  readonly createdAt: Date;
  readonly editedAt: Date | undefined;
  readonly editor: string | undefined;
  /** The reason, in GitHub's word. */
  readonly hidden: string | undefined;
}

/** By pages, oldest first. Throws if GitHub does not answer or has no such issue. */
export type ReadComments = (place: CommentPlace) => AsyncGenerator<readonly IssueComment[]>;

const pageSize = 100;

const query = `query Comments($owner: String!, $repo: String!, $issue: Int!, $size: Int!, $after: String) {
  repository(owner: $owner, name: $repo) {
    issue(number: $issue) {
      comments(first: $size, after: $after) {
        pageInfo { hasNextPage endCursor }
        nodes {
          ${commentFields} minimizedReason
          author { login } editor { login }
        }
      }
    }
  }
}`;

interface CommentsAnswer {
  readonly repository: {
    readonly issue: {
      readonly comments: {
        readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
        readonly nodes: readonly (ListedNode | null)[] | null;
      };
    } | null;
  } | null;
}

interface ListedNode extends CommentNode {
  readonly minimizedReason: string | null;
  readonly author: { readonly login: string } | null;
  readonly editor: { readonly login: string } | null;
}

export const createReadComments = (client: Client): ReadComments =>
  async function* (place) {
    let after: string | null = null;
    for (;;) {
      const variables: Readonly<Record<string, unknown>> = {
        ...repoOf(place),
        issue: place.issue,
        size: pageSize,
        after,
      };
      const { repository }: CommentsAnswer = await client.as(place, (octokit) =>
        octokit.graphql<CommentsAnswer>(query, variables),
      );
      const page = repository?.issue?.comments;
      // GraphQL has no status for this; callers expect a 404.
      if (!page) throw Object.assign(new Error(`GitHub has no issue ${place.issue} in ${place.repo}`), { status: 404 });
      yield (page.nodes ?? []).flatMap((node) =>
        node
          ? [
              {
                id: Number(node.fullDatabaseId),
                login: node.author?.login,
                ours: node.viewerDidAuthor,
                body: node.body,
                createdAt: new Date(node.createdAt),
                editedAt: node.lastEditedAt === null ? undefined : new Date(node.lastEditedAt),
                editor: node.editor?.login,
                hidden: node.isMinimized ? (node.minimizedReason ?? "minimized") : undefined,
              },
            ]
          : [],
      );
      if (!page.pageInfo.hasNextPage) return;
      after = page.pageInfo.endCursor;
    }
  };
