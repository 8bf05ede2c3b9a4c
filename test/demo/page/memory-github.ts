import type { Answered, PageGitHub, Traffic } from "../../../demo/page/github.ts";

const bot = "countersign[bot]";
const contents = ["+1", "-1", "laugh", "hooray", "confused", "heart", "rocket", "eyes"];

interface Text {
  readonly id: number;
  readonly login: string;
  body: string;
  readonly createdAt: string;
  updatedAt: string;
  readonly reactions: string[];
}

interface Issue extends Text {
  readonly number: number;
  readonly title: string;
  state: "open" | "closed";
  readonly labels: readonly string[];
  readonly comments: Text[];
}

export interface MemoryGitHub extends PageGitHub {
  /** What somebody else, the bot, does. */
  readonly bot: {
    readonly comment: (issue: number, body: string) => number;
    readonly edit: (comment: number, body: string) => void;
    readonly react: (comment: number, content: string) => void;
  };
  readonly comments: (issue: number) => readonly { readonly login: string; readonly body: string }[];
  /** Called after a person has commented. */
  readonly onComment: (listener: (issue: number, comment: { id: number; login: string; body: string }) => void) => void;
}

/** The few operations the page uses, in memory; eve cannot see the repository. It stands in for the emulated GitHub. */
export const createMemoryGitHub = (repo: string): MemoryGitHub => {
  const issues: Issue[] = [];
  const listeners = new Set<(traffic: Traffic) => void>();
  const commented: ((issue: number, comment: { id: number; login: string; body: string }) => void)[] = [];
  let ids = 0;

  const emit = (traffic: Traffic): void => {
    for (const listener of listeners) listener(traffic);
  };
  const hook = (event: string, action: string): void => {
    ids += 1;
    emit({ kind: "webhook", event, action, guid: `${ids.toString(16).padStart(8, "0")}-0000`, status: 202, ms: 3.4 });
  };
  const wrote = (method: string, path: string, by: string, operationId: string): void =>
    emit({
      kind: "request",
      method,
      path: `/repos/${repo}${path}`,
      status: method === "POST" ? 201 : 200,
      ms: 12.3,
      operationId,
      by,
    });
  const text = (login: string, body: string): Text => {
    ids += 1;
    const now = new Date().toISOString();
    return { id: ids, login, body, createdAt: now, updatedAt: now, reactions: [] };
  };
  const user = (login: string) => ({ login, type: login.endsWith("[bot]") ? "Bot" : "User" });
  const json = (t: Text) => ({
    id: t.id,
    user: user(t.login),
    body: t.body,
    created_at: t.createdAt,
    updated_at: t.updatedAt,
    reactions: Object.fromEntries(contents.map((c) => [c, t.reactions.filter((r) => r === c).length])),
  });
  const issueJson = (issue: Issue) => ({
    ...json(issue),
    number: issue.number,
    title: issue.title,
    state: issue.state,
    closed_at: issue.state === "closed" ? issue.updatedAt : null,
    labels: issue.labels.map((name) => ({ name, color: "d73a4a" })),
    comments: issue.comments.length,
  });
  const find = (number: number): Issue | undefined => issues.find((issue) => issue.number === number);
  const findComment = (id: number): Text | undefined =>
    issues.flatMap((issue) => issue.comments).find((c) => c.id === id);
  const change = (target: Text, body: unknown): void => {
    target.body = String(body);
    target.updatedAt = new Date(Date.now() + 1000).toISOString();
  };
  const notFound: Answered = { status: 404, body: { message: "Not Found" } };

  const answer = (login: string, method: string, path: string, body: Readonly<Record<string, unknown>>): Answered => {
    const [, number, tail] = /^\/issues\/(\d+)(\/comments)?/.exec(path) ?? [];
    const comment = /^\/issues\/comments\/(\d+)/.exec(path)?.[1];
    if (comment !== undefined) {
      const target = findComment(Number(comment));
      if (!target) return notFound;
      change(target, body.body);
      wrote(method, path, login, "issues/update-comment");
      hook("issue_comment", "edited");
      return { status: 200, body: json(target) };
    }
    if (number === undefined && method === "GET") return { status: 200, body: issues.map(issueJson) };
    if (number === undefined) {
      const labels = Array.isArray(body.labels) ? body.labels.map(String) : [];
      const made: Issue = {
        ...text(login, String(body.body ?? "")),
        number: issues.length + 1,
        title: String(body.title),
        state: "open",
        labels,
        comments: [],
      };
      issues.push(made);
      wrote(method, path, login, "issues/create");
      hook("issues", "opened");
      return { status: 201, body: issueJson(made) };
    }
    const issue = find(Number(number));
    if (!issue) return notFound;
    if (method === "GET") return { status: 200, body: tail ? issue.comments.map(json) : issueJson(issue) };
    if (method === "POST") {
      const made = text(login, String(body.body));
      issue.comments.push(made);
      wrote(method, path, login, "issues/create-comment");
      hook("issue_comment", "created");
      for (const listener of commented) listener(issue.number, made);
      return { status: 201, body: json(made) };
    }
    if (body.state === "open" || body.state === "closed") issue.state = body.state;
    else change(issue, body.body);
    wrote(method, path, login, "issues/update");
    return { status: 200, body: issueJson(issue) };
  };

  return {
    as: (login) => async (method, path, body) => {
      const prefix = `/repos/${repo}`;
      const hidden = login === "eve" || !path.startsWith(prefix);
      const payload = typeof body === "object" && body !== null ? (body as Readonly<Record<string, unknown>>) : {};
      return hidden ? notFound : answer(login, method, path.slice(prefix.length).replace(/\?.*/, ""), payload);
    },
    onTraffic: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    bot: {
      comment: (issue, body) => {
        const made = text(bot, body);
        find(issue)?.comments.push(made);
        wrote("POST", `/issues/${issue}/comments`, "installation", "issues/create-comment");
        return made.id;
      },
      edit: (comment, body) => {
        const target = findComment(comment);
        if (target) change(target, body);
        wrote("PATCH", `/issues/comments/${comment}`, "installation", "issues/update-comment");
      },
      react: (comment, content) => {
        (findComment(comment) ?? find(comment))?.reactions.push(content);
        wrote("POST", `/issues/comments/${comment}/reactions`, "installation", "reactions/create-for-issue-comment");
      },
    },
    comments: (issue) => find(issue)?.comments ?? [],
    onComment: (listener) => void commented.push(listener),
  };
};
