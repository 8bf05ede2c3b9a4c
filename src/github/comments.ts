import type { Client, Octokit } from "./client.ts";
import { statusOf, type WriteFailure, writeFailure } from "./outcome.ts";
import { type RepoPlace, repoOf } from "./web.ts";

export interface CommentPlace extends RepoPlace {
  readonly issue: number;
}

export interface PostResult {
  readonly kind: "posted";
  readonly githubId: number;
  readonly nodeId: string;
  /** Nothing for an edit. */
  readonly createdAt?: Date;
}

/** GitHub's limit. */
export const maxCommentCharacters = 65_536;

/** The hidden line that finds our comment after a lost answer (RR-07). */
export const markerOf = (id: string): string => `<!-- countersign ${id} -->`;

const withMarker = (body: string, id: string): string => `${body}\n\n${markerOf(id)}`;

/** The id in the marker at a body's end. */
export const markIn = (body: string): string | undefined =>
  /<!-- countersign ([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}) -->\s*$/.exec(body)?.[1];

/** Leaves what people wrote around the marker. */
export const withoutMarker = (body: string): string =>
  body.replace(/(?:\r?\n){2}<!-- countersign [0-9a-f-]+ -->(?:\r?\n)*$/, "");

/** Never throws: a failure is data for the poster. */
export interface Comments {
  readonly create: (place: CommentPlace, comment: { id: string; body: string }) => Promise<PostResult | WriteFailure>;
  readonly edit: (
    place: CommentPlace,
    comment: { id: string; body: string; githubId: number; nodeId: string },
  ) => Promise<PostResult | WriteFailure>;
  /** Succeeds if it is gone already. */
  readonly remove: (place: CommentPlace, githubId: number) => Promise<{ readonly kind: "posted" } | WriteFailure>;
  /** Searches from the latest; undefined if it is not there. */
  readonly find: (place: CommentPlace, id: string) => Promise<PostResult | undefined | WriteFailure>;
  readonly read: (
    place: CommentPlace,
    githubId: number,
  ) => Promise<{ readonly kind: "read"; readonly body: string } | WriteFailure>;
  /** Idempotent. */
  readonly minimize: (
    place: CommentPlace,
    comment: { readonly nodeId: string; readonly as: "OUTDATED" | "RESOLVED" },
  ) => Promise<{ readonly kind: "posted" } | WriteFailure>;
  /** Idempotent. */
  readonly pin: (place: CommentPlace, githubId: number) => Promise<{ readonly kind: "posted" } | WriteFailure>;
  /** Reacts to the issue itself if `commentId` is 0. Idempotent. */
  readonly react: (
    place: CommentPlace,
    reaction: { commentId: number; content: "eyes" | "rocket" | "confused" | "-1" },
  ) => Promise<{ readonly kind: "posted" } | WriteFailure>;
}

const commentsOfPage = 100;
/** GitHub lets an issue have 2,500 comments. */
const mostPages = 25;

export function createComments(client: Client): Comments {
  // An earlier request, for any issue, earns a longer ban (F-10).
  /** In ms of the monotonic clock, by installation. */
  const waits = new Map<number, number>();
  const attempt = async <T>(place: CommentPlace, work: (octokit: Octokit) => Promise<T>): Promise<T | WriteFailure> => {
    const waitMs = (waits.get(place.installationId) ?? 0) - performance.now();
    if (waitMs > 0) return { kind: "later", afterMs: waitMs, isTold: true, why: "GitHub's rate limit" };
    try {
      return await client.as(place, work);
    } catch (error) {
      const failure = writeFailure(error, Date.now());
      if (failure.kind === "later") waits.set(place.installationId, performance.now() + failure.afterMs);
      return failure;
    }
  };
  return {
    create: (place, comment) =>
      attempt(place, async (octokit) => {
        const { data } = await octokit.rest.issues.createComment({
          ...repoOf(place),
          issue_number: place.issue,
          body: withMarker(comment.body, comment.id),
        });
        return { ...posted, githubId: data.id, nodeId: data.node_id, createdAt: new Date(data.created_at) };
      }),
    edit: (place, { id, body, githubId, nodeId }) =>
      attempt(place, async (octokit) => {
        const edited = { comment_id: githubId, body: withMarker(body, id) };
        await octokit.rest.issues.updateComment({ ...repoOf(place), ...edited });
        return { ...posted, githubId, nodeId };
      }),
    remove: (place, githubId) =>
      attempt(place, async (octokit) => {
        await octokit.rest.issues.deleteComment({ ...repoOf(place), comment_id: githubId }).catch((error: unknown) => {
          if (statusOf(error) !== 404) throw error;
        });
        return posted;
      }),
    find: (place, id) =>
      attempt(place, async (octokit) => {
        let before: string | null = null;
        for (let page = 1; page <= mostPages; page++) {
          const said: LatestComments = await octokit.graphql(latestCommentsQuery, {
            ...repoOf(place),
            issue: place.issue,
            last: commentsOfPage,
            before,
          });
          const { nodes = [], pageInfo } = said.repository?.issue?.comments ?? {};
          const ours = nodes.find((node) => node?.viewerDidAuthor && node.body.trimEnd().endsWith(markerOf(id)));
          if (ours) {
            const { fullDatabaseId, id: nodeId, createdAt } = ours;
            return { ...posted, githubId: Number(fullDatabaseId), nodeId, createdAt: new Date(createdAt) };
          }
          if (!pageInfo?.hasPreviousPage) return undefined;
          before = pageInfo.startCursor;
        }
        return undefined;
      }),
    read: (place, githubId) =>
      attempt(place, async (octokit) => {
        const { data } = await octokit.rest.issues.getComment({ ...repoOf(place), comment_id: githubId });
        return { kind: "read" as const, body: data.body ?? "" };
      }),
    minimize: (place, { nodeId, as }) =>
      attempt(place, async (octokit) => {
        await octokit.graphql(minimizeMutation, { nodeId, as });
        return posted;
      }),
    pin: (place, githubId) =>
      attempt(place, async (octokit) => {
        const path = { ...repoOf(place), comment_id: githubId };
        await octokit.request("PUT /repos/{owner}/{repo}/issues/comments/{comment_id}/pin", path);
        return posted;
      }),
    react: (place, { commentId, content }) =>
      attempt(place, async (octokit) => {
        const { createForIssue, createForIssueComment } = octokit.rest.reactions;
        if (commentId === 0) await createForIssue({ ...repoOf(place), issue_number: place.issue, content });
        else await createForIssueComment({ ...repoOf(place), comment_id: commentId, content });
        return posted;
      }),
  };
}

const posted = { kind: "posted" } as const;

interface LatestComments {
  readonly repository: {
    readonly issue: {
      readonly comments: {
        readonly nodes: readonly ({
          id: string;
          fullDatabaseId: string;
          createdAt: string;
          body: string;
          viewerDidAuthor: boolean;
        } | null)[];
        readonly pageInfo: { readonly hasPreviousPage: boolean; readonly startCursor: string | null };
      };
    } | null;
  } | null;
}

const minimizeMutation = `mutation Minimize($nodeId: ID!, $as: ReportedContentClassifiers!) {
  minimizeComment(input: { subjectId: $nodeId, classifier: $as }) { minimizedComment { isMinimized } }
}`;

const latestCommentsQuery = `query LatestComments($owner: String!, $repo: String!, $issue: Int!, $last: Int!, $before: String) {
  repository(owner: $owner, name: $repo) {
    issue(number: $issue) {
      comments(last: $last, before: $before) {
        nodes { id fullDatabaseId body createdAt viewerDidAuthor }
        pageInfo { hasPreviousPage startCursor }
      }
    }
  }
}`;
