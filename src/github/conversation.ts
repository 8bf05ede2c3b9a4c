import type { Person } from "../base/github.ts";
import type { Client } from "./client.ts";
import type { CommentPlace } from "./comments.ts";
import { repoOf } from "./web.ts";

/** As it was when the agent got its turn. */
export interface SaidComment {
  readonly person: Person;
  readonly commentId: number;
  /** Untrusted Markdown. */
  readonly text: string;
}

/** From a reaction to our comment (AR-10). */
export interface Thumb {
  readonly commentId: number;
  readonly verdict: "up" | "down";
  readonly person: Person;
  readonly at: Date;
}

interface ConversationQuestion {
  readonly installationId: number;
  readonly repo: string;
  readonly issue: number;
  /** The newest one read before. */
  readonly since: number | undefined;
  /** The agent's turn: later comments and edits do not count (SR-36). */
  readonly until: Date;
}

/** Oldest first; `changed` counts edits. */
export interface Conversation {
  readonly said: readonly SaidComment[];
  readonly changed: number;
  /** Older ones may be missing. */
  readonly full: boolean;
  /** The newest comment's id. */
  readonly newest: number | undefined;
  /** Ours, by id, and one thumb per person and comment. */
  readonly read: readonly number[];
  readonly thumbs: readonly Thumb[];
}

/** One GraphQL request; throws without an answer. Apps and bots are not people (SR-61). */
export type FetchConversation = (question: ConversationQuestion) => Promise<Conversation>;

/** The newest of more are read. */
const mostComments = 100;

const mostThumbs = 20;

/** Without the author's, which differ. */
const commentFields = "fullDatabaseId body createdAt lastEditedAt isMinimized viewerDidAuthor";

const conversationQuery = `query Conversation($owner: String!, $repo: String!, $issue: Int!, $most: Int!) {
  repository(owner: $owner, name: $repo) {
    issue(number: $issue) {
      comments(last: $most) {
        nodes {
          ${commentFields}
          author { login ... on User { databaseId } }
          up: reactions(first: ${mostThumbs}, content: THUMBS_UP) { nodes { createdAt user { databaseId login } } }
          down: reactions(first: ${mostThumbs}, content: THUMBS_DOWN) { nodes { createdAt user { databaseId login } } }
        }
      }
    }
  }
}`;

interface ConversationAnswer {
  readonly repository: {
    readonly issue: { readonly comments: { readonly nodes: readonly (SaidNode | null)[] | null } } | null;
  } | null;
}

interface SaidNode extends CommentNode {
  readonly up: Reactions;
  readonly down: Reactions;
  /** Only Users are queried for it. */
  readonly author: { readonly login: string; readonly databaseId?: number } | null;
}

interface Reactions {
  readonly nodes:
    | readonly ({
        readonly createdAt: string;
        /** Nothing for an App. */
        readonly user: { readonly databaseId: number | null; readonly login: string } | null;
      } | null)[]
    | null;
}

export function createFetchConversation(client: Client): FetchConversation {
  return (question) =>
    client.as(question, async (octokit) => {
      const variables = { ...repoOf(question), issue: question.issue, most: mostComments };
      const { repository } = await octokit.graphql<ConversationAnswer>(conversationQuery, variables);
      const nodes = repository?.issue?.comments.nodes ?? [];
      const { since, until } = question;
      const said: SaidComment[] = [];
      let changed = 0;
      let newest: number | undefined;
      for (const node of nodes) {
        const id = node?.author?.databaseId;
        if (!node?.author || id === undefined || node.isMinimized) continue;
        const commentId = Number(node.fullDatabaseId);
        if (new Date(node.createdAt) > until || commentId <= (since ?? 0)) continue;
        newest = commentId;
        if (node.lastEditedAt !== null && new Date(node.lastEditedAt) > until) changed++;
        else said.push({ person: { id, login: node.author.login }, commentId, text: node.body });
      }
      const oldest = Number(nodes.find((node) => node !== null)?.fullDatabaseId ?? 0);
      const full = nodes.length === mostComments && oldest > (since ?? 0);
      const ours = nodes.filter((node) => node !== null).filter((node) => node.viewerDidAuthor);
      const read = ours.map(({ fullDatabaseId }) => Number(fullDatabaseId));
      // One per person: both together mean a complaint.
      return {
        said,
        changed,
        full,
        newest,
        read,
        thumbs: ours.flatMap(({ fullDatabaseId, up, down }) => {
          const thumbs = [...thumbsOf(up, "up"), ...thumbsOf(down, "down")];
          const each = new Map(
            thumbs.map((thumb) => [thumb.person.id, { ...thumb, commentId: Number(fullDatabaseId) }]),
          );
          return [...each.values()];
        }),
      };
    });
}

const thumbsOf = ({ nodes }: Reactions, verdict: Thumb["verdict"]) =>
  (nodes ?? []).flatMap((node) => {
    const id = node?.user?.databaseId;
    return node?.user && typeof id === "number"
      ? [{ verdict, person: { id, login: node.user.login }, at: new Date(node.createdAt) }]
      : [];
  });

interface CommentNode {
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

const commentsQuery = `query Comments($owner: String!, $repo: String!, $issue: Int!, $size: Int!, $after: String) {
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
        octokit.graphql<CommentsAnswer>(commentsQuery, variables),
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
