import type { Person } from "../base/github.ts";
import type { Client } from "./client.ts";
import { type CommentNode, commentFields } from "./issue-comments.ts";
import { repoOf } from "./repo-place.ts";

/** A comment of a person, as it was when the agent got its turn. */
export interface SaidComment {
  readonly person: Person;
  readonly commentId: number;
  /** Markdown as written; untrusted. */
  readonly text: string;
}

/** A person's verdict on a comment of ours, from a reaction (AR-10). */
export interface Thumb {
  readonly commentId: number;
  readonly verdict: "up" | "down";
  readonly person: Person;
  readonly at: Date;
}

export interface ConversationQuestion {
  readonly installationId: number;
  readonly repo: string;
  readonly issue: number;
  /** Comments up to this id have been read already. */
  readonly since: number | undefined;
  /** When the agent got its turn: what was written or edited later does not count (SR-36). */
  readonly until: Date;
}

/** What people wrote on an issue in a while, oldest first, and how many comments of theirs were changed since. */
export interface Conversation {
  readonly said: readonly SaidComment[];
  readonly changed: number;
  /** Older ones may be missing: there were more than are read at once. */
  readonly full: boolean;
  /** The id of the newest of them; undefined if there is none. */
  readonly newest: number | undefined;
  /** The comments of ours that were read, by id, and the thumbs on them: one of each person on each. */
  readonly read: readonly number[];
  readonly thumbs: readonly Thumb[];
}

/** Asks GitHub in one GraphQL request; throws if it does not answer. Apps and bots are not people (SR-61). */
export type FetchConversation = (question: ConversationQuestion) => Promise<Conversation>;

/** More than this at once is a crowd: the newest are read. */
const mostComments = 100;

const mostThumbs = 20;

const query = `query Conversation($owner: String!, $repo: String!, $issue: Int!, $most: Int!) {
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
  /** The query asks only Users for a number, so an author without one is none. */
  readonly author: { readonly login: string; readonly databaseId?: number } | null;
}

interface Reactions {
  readonly nodes:
    | readonly ({
        readonly createdAt: string;
        /** Nothing for an App's: it is no User. */
        readonly user: { readonly databaseId: number | null; readonly login: string } | null;
      } | null)[]
    | null;
}

export function createFetchConversation(client: Client): FetchConversation {
  return (question) =>
    client.as(question, async (octokit) => {
      const variables = { ...repoOf(question), issue: question.issue, most: mostComments };
      const { repository } = await octokit.graphql<ConversationAnswer>(query, variables);
      return readConversation(repository?.issue?.comments.nodes ?? [], question);
    });
}

function readConversation(
  nodes: readonly (SaidNode | null)[],
  { since, until }: Pick<ConversationQuestion, "since" | "until">,
): Conversation {
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
  return { said, changed, full, newest, read, thumbs: ours.flatMap(thumbsOn) };
}

/** One of each person: who gave both has a complaint. */
function thumbsOn({ fullDatabaseId, up, down }: SaidNode): readonly Thumb[] {
  const thumbs = [...thumbsOf(up, "up"), ...thumbsOf(down, "down")];
  const each = new Map(thumbs.map((thumb) => [thumb.person.id, { ...thumb, commentId: Number(fullDatabaseId) }]));
  return [...each.values()];
}

const thumbsOf = ({ nodes }: Reactions, verdict: Thumb["verdict"]) =>
  (nodes ?? []).flatMap((node) => {
    const id = node?.user?.databaseId;
    return node?.user && typeof id === "number"
      ? [{ verdict, person: { id, login: node.user.login }, at: new Date(node.createdAt) }]
      : [];
  });
