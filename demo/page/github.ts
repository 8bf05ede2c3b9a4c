import { writePatch } from "../../src/patches/patch.ts";
import { renderMarkdown } from "./markdown.ts";

/** What passes on the wire, for the panel. */
export type Traffic =
  | {
      readonly kind: "request";
      readonly method: string;
      readonly path: string;
      readonly status: number;
      readonly ms: number;
      readonly operationId?: string | undefined;
      readonly by: string;
    }
  | {
      readonly kind: "webhook";
      readonly event: string;
      readonly action: string | null;
      readonly guid: string;
      readonly status: number;
      readonly ms: number;
    };

export interface Answered {
  readonly status: number;
  readonly body: unknown;
}

/** The slice of the emulated GitHub that the page needs. */
export interface PageGitHub {
  /** Where links of comments lead; the page has the same at its own address. */
  readonly url?: string;
  readonly as: (login: string) => (method: string, path: string, body?: unknown) => Promise<Answered>;
  readonly onTraffic: (listener: (traffic: Traffic) => void) => () => void;
}

interface Author {
  readonly login: string;
  readonly bot: boolean;
}

interface Reaction {
  readonly content: string;
  readonly count: number;
}

export interface CommentView {
  /** `body` for the issue's own text. */
  readonly id: string;
  readonly author: Author;
  readonly createdAt: string;
  readonly editedAt: string | undefined;
  readonly source: string;
  readonly html: string;
  readonly reactions: readonly Reaction[];
}

export interface IssueSummary {
  readonly number: number;
  readonly title: string;
  readonly state: "open" | "closed";
  readonly author: Author;
  readonly createdAt: string;
  readonly closedAt: string | undefined;
  readonly labels: readonly { readonly name: string; readonly color: string }[];
  readonly comments: number;
}

export interface IssueView extends IssueSummary {
  /** The issue's own text first. */
  readonly thread: readonly CommentView[];
}

/** A pull request of a patch. */
export interface PullView {
  readonly number: number;
  readonly title: string;
  readonly state: "draft" | "open" | "merged" | "closed";
  readonly author: Author;
  readonly createdAt: string;
  readonly branches: { readonly base: string; readonly head: string };
  readonly html: string;
  readonly diff: string;
  readonly checks: readonly { readonly name: string; readonly conclusion: string }[];
}

type Json = Readonly<Record<string, unknown>>;
const object = (value: unknown): Json =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : {};
const list = (value: unknown): readonly Json[] => (Array.isArray(value) ? value.map(object) : []);
const text = (value: unknown): string => (typeof value === "string" ? value : "");

const authorOf = (value: unknown): Author => {
  const { login, type } = object(value);
  return { login: text(login).replace(/\[bot\]$/, ""), bot: type === "Bot" || text(login).endsWith("[bot]") };
};

const contents = ["+1", "-1", "laugh", "hooray", "confused", "heart", "rocket", "eyes"] as const;

const reactionsOf = (value: unknown): readonly Reaction[] =>
  contents.flatMap((content) => {
    const count = Number(object(value)[content] ?? 0);
    return count > 0 ? [{ content, count }] : [];
  });

/** Where links of comments lead on the page, by how they begin. */
type Site = Readonly<Record<string, string>>;

const renderOn = (site: Site, markdown: string): string =>
  Object.entries(site).reduce(
    (html, [from, to]) => html.replaceAll(`href="${from}`, `href="${to}`),
    renderMarkdown(markdown),
  );

const commentOf = (json: Json, id: string, edited: boolean, site: Site): CommentView => ({
  id,
  author: authorOf(json.user),
  createdAt: text(json.created_at),
  editedAt: edited ? text(json.updated_at) : undefined,
  source: text(json.body),
  html: renderOn(site, text(json.body)),
  reactions: reactionsOf(json.reactions),
});

const summaryOf = (json: Json): IssueSummary => ({
  number: Number(json.number),
  title: text(json.title),
  state: json.state === "closed" ? "closed" : "open",
  author: authorOf(json.user),
  createdAt: text(json.created_at),
  closedAt: json.state === "closed" ? text(json.closed_at) : undefined,
  labels: list(json.labels).map((label) => ({ name: text(label.name), color: text(label.color) })),
  comments: Number(json.comments ?? 0),
});

const pageSize = 100;

/** Reads what the page shows, as one viewer; everything is newly read, since others write too. */
export const createReader = (github: PageGitHub, viewer: string, repo: string, patches?: string) => {
  const site: Site = { [`${github.url}/${repo}/`]: "/", [`${github.url}/${patches}/pull/`]: "/pulls/" };
  const get = async (path: string, of = repo): Promise<unknown> => {
    const { status, body } = await github.as(viewer)("GET", `/repos/${of}${path}`);
    if (status !== 200) throw new Error(`GET ${path} answered ${status}`);
    return body;
  };
  const getAll = async (path: string): Promise<readonly Json[]> => {
    const all: Json[] = [];
    for (let page = 1; ; page += 1) {
      const part = list(await get(`${path}${path.includes("?") ? "&" : "?"}per_page=${pageSize}&page=${page}`));
      all.push(...part);
      if (part.length < pageSize) return all;
    }
  };
  return {
    issues: async (): Promise<readonly IssueSummary[]> =>
      (await getAll("/issues?state=all")).map(summaryOf).sort((a, b) => b.number - a.number),
    issue: async (number: number): Promise<IssueView> => {
      const [issue, comments] = await Promise.all([get(`/issues/${number}`), getAll(`/issues/${number}/comments`)]);
      const json = object(issue);
      // An issue's updated_at moves with every comment, so its own edits cannot be told from it.
      const thread = [commentOf(json, "body", false, site)];
      for (const c of comments)
        thread.push(commentOf(c, String(c.id), text(c.updated_at) !== text(c.created_at), site));
      return { ...summaryOf(json), thread };
    },
    /** A pull request of the repository that takes patches, with all that it changes. */
    pull: async (number: number): Promise<PullView | undefined> => {
      const { status, body } = await github.as(viewer)("GET", `/repos/${patches}/pulls/${number}`);
      if (status !== 200) return undefined;
      const json = object(body);
      const [base, head] = [object(json.base), object(json.head)];
      const filesAt = async (commit: string): Promise<ReadonlyMap<string, Json>> => {
        const { tree } = object(await get(`/git/trees/${commit}?recursive=1`, patches));
        return new Map(list(tree).flatMap((entry) => (entry.type === "blob" ? [[text(entry.path), entry]] : [])));
      };
      const textOf = async (entry: Json | undefined): Promise<string | undefined> => {
        if (entry === undefined) return undefined;
        const { content } = object(await get(`/git/blobs/${text(entry.sha)}`, patches));
        return Buffer.from(text(content), "base64").toString("utf8");
      };
      const [from = ""] = list(object(await get(`/git/commits/${text(head.sha)}`, patches)).parents).map(({ sha }) =>
        text(sha),
      );
      const [before, after, checks] = await Promise.all([
        filesAt(from),
        filesAt(text(head.sha)),
        get(`/commits/${text(head.sha)}/check-runs`, patches),
      ]);
      const paths = [...new Set([...before.keys(), ...after.keys()])];
      const changed = await Promise.all(
        paths
          .filter((path) => before.get(path)?.sha !== after.get(path)?.sha)
          .map(async (path) => {
            const [old, now] = [before.get(path), after.get(path)];
            const was = await textOf(old);
            return {
              path,
              mode: text(now?.mode ?? old?.mode),
              before: was === undefined ? undefined : { mode: text(old?.mode), id: text(old?.sha), text: was },
              after: await textOf(now),
            };
          }),
      );
      return {
        number,
        title: text(json.title),
        state: json.merged === true ? "merged" : json.state === "closed" ? "closed" : json.draft ? "draft" : "open",
        author: authorOf(json.user),
        createdAt: text(json.created_at),
        branches: { base: text(base.ref), head: text(head.ref) },
        html: renderOn(site, text(json.body)),
        diff: writePatch(from, changed),
        checks: list(object(checks).check_runs).map(({ name, conclusion }) => ({
          name: text(name),
          conclusion: text(conclusion) || "pending",
        })),
      };
    },
    /** A file's text as it was at a commit; undefined where there is none. */
    file: async (commit: string, path: string): Promise<string | undefined> => {
      const { status, body } = await github.as(viewer)("GET", `/repos/${repo}/contents/${path}?ref=${commit}`);
      const { content } = object(body);
      return status === 200 ? Buffer.from(text(content), "base64").toString("utf8") : undefined;
    },
  };
};
