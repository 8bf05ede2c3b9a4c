import { isRecord } from "../base/json.ts";
import type { Client, Octokit } from "./client.ts";
import type { CommentPlace } from "./comments.ts";
import type { Actor } from "./events.ts";
import { statusOf } from "./outcome.ts";
import { type RepoPlace, repoOf } from "./web.ts";

/** `unchanged` costs nothing of the rate limit. */
export type PollAnswer<T> =
  | { readonly kind: "unchanged" }
  | {
      readonly kind: "read";
      readonly items: readonly T[];
      /** Good only once what was read is kept. */
      readonly etag: string | undefined;
      readonly more: boolean;
      readonly at: Date;
    }
  /** Deleted (404, 410) or moved (301). */
  | { readonly kind: "gone"; readonly status: 301 | 404 | 410 };

interface PageRequest {
  readonly etag?: string | undefined;
  readonly page?: number;
}
interface UpdatesRequest extends PageRequest {
  readonly since: Date;
  readonly direction: "asc" | "desc";
}

type RestApi = Octokit["rest"];
type Data<T extends (...given: never) => Promise<{ data: unknown }>> = Awaited<ReturnType<T>>["data"];
export type PolledIssue = Data<RestApi["issues"]["listForRepo"]>[number];
export type PolledComment = Data<RestApi["issues"]["listCommentsForRepo"]>[number];
export type PolledEvent = Data<RestApi["issues"]["listEventsForRepo"]>[number];
export type PolledRepository = Data<RestApi["apps"]["listReposAccessibleToInstallation"]>["repositories"][number];

/** Each call throws if GitHub does not answer. */
export interface PollSource {
  /** No item if the App has lost it. */
  readonly repository: (place: RepoPlace, asked: PageRequest) => Promise<PollAnswer<PolledRepository>>;
  /** Pull requests, too. */
  readonly issues: (place: RepoPlace, asked: UpdatesRequest) => Promise<PollAnswer<PolledIssue>>;
  /** Edited ones, too. */
  readonly comments: (place: RepoPlace, asked: UpdatesRequest) => Promise<PollAnswer<PolledComment>>;
  /** Newest first. */
  readonly events: (place: RepoPlace, asked: PageRequest) => Promise<PollAnswer<PolledEvent>>;
  readonly commentsOn: (place: CommentPlace, asked: PageRequest) => Promise<PollAnswer<PolledComment>>;
  readonly issue: (place: CommentPlace) => Promise<PollAnswer<PolledIssue>>;
  readonly comment: (place: RepoPlace, id: number) => Promise<PollAnswer<PolledComment>>;
  /** By node id; undefined if GitHub names none, no entry without edits. */
  readonly editors: (place: RepoPlace, nodeIds: readonly string[]) => Promise<ReadonlyMap<string, Actor | undefined>>;
  /** Those that counted against the rate limit. */
  readonly counted: () => number;
}

const pageSize = 100;

export function createPollSource(client: Pick<Client, "as">): PollSource {
  let counted = 0;
  const ask = async <T>(
    place: RepoPlace,
    { etag, page = 1 }: PageRequest,
    send: (octokit: Octokit, common: CommonParameters) => Promise<PollResponse<T>>,
  ): Promise<PollAnswer<T>> => {
    const headers = etag === undefined ? {} : { "if-none-match": etag };
    const common = { headers, request: { redirect: "manual" as const }, per_page: pageSize, page };
    try {
      const { status, headers: told, items } = await client.as(place, (octokit) => send(octokit, common));
      counted++;
      if (status === 301) return { kind: "gone", status };
      const more = told.link?.includes('rel="next"') ?? false;
      return { kind: "read", items, etag: told.etag, more, at: told.date ? new Date(told.date) : new Date() };
    } catch (error) {
      const status = statusOf(error);
      if (status === 304) return { kind: "unchanged" };
      counted++;
      if ((status === 404 || status === 410) && !isAboutToken(error)) return { kind: "gone", status };
      throw error;
    }
  };
  return {
    counted: () => counted,
    repository: (place, asked) =>
      ask(place, asked, async ({ rest }, common) => {
        const { status, headers, data } = await rest.apps.listReposAccessibleToInstallation({ ...common });
        return { status, headers, items: data.repositories };
      }),
    issues: (place, asked) =>
      ask(place, asked, ({ rest }, common) =>
        listed(rest.issues.listForRepo({ ...repoOf(place), ...common, ...sinceOf(asked), state: "all" })),
      ),
    comments: (place, asked) =>
      ask(place, asked, ({ rest }, common) =>
        listed(rest.issues.listCommentsForRepo({ ...repoOf(place), ...common, ...sinceOf(asked) })),
      ),
    events: (place, asked) =>
      ask(place, asked, ({ rest }, common) => listed(rest.issues.listEventsForRepo({ ...repoOf(place), ...common }))),
    commentsOn: (place, asked) =>
      ask(place, asked, ({ rest }, common) =>
        listed(rest.issues.listComments({ ...repoOf(place), ...common, issue_number: place.issue })),
      ),
    issue: (place) =>
      ask(place, {}, ({ rest }, { headers, request }) =>
        single(rest.issues.get({ ...repoOf(place), headers, request, issue_number: place.issue })),
      ),
    comment: (place, id) =>
      ask(place, {}, ({ rest }, { headers, request }) =>
        single(rest.issues.getComment({ ...repoOf(place), headers, request, comment_id: id })),
      ),
    editors: async (place, nodeIds) => {
      const found = new Map<string, Actor | undefined>();
      for (let at = 0; at < nodeIds.length; at += pageSize) {
        const ids = nodeIds.slice(at, at + pageSize);
        // A deleted comment is an error; the others are answered.
        const { nodes } = await client.as(place, (octokit) =>
          octokit.graphql<Editors>(editorsQuery, { ids }).catch((error) => {
            const { data, errors } = isRecord(error) ? error : {};
            const isGone = (one: unknown) => isRecord(one) && one.type === "NOT_FOUND";
            if (!isRecord(data) || !Array.isArray(data.nodes) || !Array.isArray(errors) || !errors.every(isGone))
              throw error;
            // The query's own shape.
            return { nodes: data.nodes };
          }),
        );
        // As webhooks name them: a bot's login ends in `[bot]`.
        for (const node of nodes)
          if (node?.editor || node?.lastEditedAt)
            found.set(
              node.id,
              node.editor
                ? {
                    id: node.editor.databaseId ?? 0,
                    login:
                      node.editor.__typename === "Bot" && !node.editor.login.endsWith("[bot]")
                        ? `${node.editor.login}[bot]`
                        : node.editor.login,
                    type: node.editor.__typename,
                  }
                : undefined,
            );
      }
      return found;
    },
  };
}

const listed = async <T>(call: Promise<RawResponse<readonly T[]>>): Promise<PollResponse<T>> => {
  const { status, headers, data } = await call;
  return { status, headers, items: status === 200 ? data : [] };
};
const single = async <T>(call: Promise<RawResponse<T>>): Promise<PollResponse<T>> => {
  const { status, headers, data } = await call;
  return { status, headers, items: status === 200 ? [data] : [] };
};

interface CommonParameters {
  readonly headers: Readonly<Record<string, string>>;
  readonly request: { readonly redirect: "manual" };
  readonly per_page: number;
  readonly page: number;
}
interface RawResponse<T> {
  readonly status: number;
  readonly headers: Headers;
  readonly data: T;
}
interface PollResponse<T> {
  readonly status: number;
  readonly headers: Headers;
  readonly items: readonly T[];
}
interface Headers {
  readonly etag?: string | undefined;
  readonly link?: string | undefined;
  readonly date?: string | undefined;
}

const sinceOf = ({ since, direction }: UpdatesRequest) => ({
  since: since.toISOString(),
  sort: "updated" as const,
  direction,
});

/** If GitHub gave no token, the error says nothing about its object. */
export const isAboutToken = (error: unknown): boolean =>
  isRecord(error) && isRecord(error.request) && String(error.request.url).endsWith("/access_tokens");

interface Editors {
  readonly nodes: readonly ({
    readonly id: string;
    readonly lastEditedAt: string | null;
    readonly editor: { readonly __typename: string; readonly login: string; readonly databaseId?: number } | null;
  } | null)[];
}

const editorsQuery = `query Editors($ids: [ID!]!) {
  nodes(ids: $ids) {
    ... on IssueComment { id lastEditedAt editor { __typename login ... on User { databaseId } ... on Bot { databaseId } } }
  }
}`;
