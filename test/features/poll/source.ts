import type {
  PollAnswer,
  PolledComment,
  PolledEvent,
  PolledIssue,
  PolledRepository,
  PollSource,
} from "../../../src/github/poll.ts";

const mona = { id: 5, login: "mona", type: "User" };

/** Of GitHub's many fields only those that the bot reads. */
export const partly = <T>(fields: object): T => fields as T;

export const repository = partly<PolledRepository>({
  id: 31,
  full_name: "acme/web",
  private: true,
  default_branch: "main",
  pushed_at: null,
});

export const issueOf = (number: number, created: string): PolledIssue =>
  partly({
    id: number,
    node_id: `I_${number}`,
    number,
    title: "Odd",
    body: "",
    state: "open",
    labels: [],
    type: { name: "Incident" },
    user: mona,
    created_at: created,
    updated_at: created,
  });

export const commentOf = (id: number, body: string, created: string): PolledComment =>
  partly({
    id,
    node_id: `IC_${id}`,
    body,
    user: mona,
    html_url: `https://github.example/acme/web/issues/5#issuecomment-${id}`,
    issue_url: "https://api.github.example/repos/acme/web/issues/5",
    created_at: created,
    updated_at: created,
  });

export const eventOf = (id: number, event: string, created: string): PolledEvent =>
  partly({ id, event, actor: mona, issue: issueOf(5, created), created_at: created });

export const page = <T>(items: readonly T[], more = false): PollAnswer<T> => ({
  kind: "read",
  items,
  etag: undefined,
  more,
  at: new Date(),
});

/** A GitHub that holds one private repository, and of it what is given; else nothing. */
export const startSource = (given: Partial<PollSource>): PollSource => ({
  repository: async () => page([repository]),
  issues: async () => page([]),
  comments: async () => page([]),
  events: async () => page([]),
  commentsOn: async () => page([]),
  issue: async ({ issue }) => page([issueOf(issue, "2020-01-01T00:00:00Z")]),
  comment: async () => ({ kind: "gone", status: 404 }),
  editors: async () => new Map(),
  counted: () => 0,
  ...given,
});
