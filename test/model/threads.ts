import type { Role } from "../../src/base/github.ts";
import { markerOf } from "../../src/github/comments.ts";
import type { Time } from "./time.ts";

export interface Somebody {
  readonly id: number;
  login: string;
  role: Role;
  onCall: boolean;
}

/** A comment, whoever wrote it. */
export interface Remark {
  readonly id: number;
  readonly nodeId: string;
  readonly authorId: number;
  body: string;
  readonly createdAt: Date;
  editedAt: Date | undefined;
  deleted: boolean;
  /** Which of the bot's comments it says to be. */
  readonly ours: string | undefined;
  readonly reactions: Set<string>;
}

export interface TheIssue {
  readonly number: number;
  readonly nodeId: string;
  open: boolean;
  /** When it was closed last. */
  closedAt: Date | undefined;
  /** Deleted or transferred. */
  gone: boolean;
  readonly labels: Set<string>;
  readonly remarks: Remark[];
  readonly reactions: Set<string>;
}

/** What people do on GitHub, and what it then tells. */
export interface Threads {
  readonly installationId: number;
  readonly repo: { readonly id: number; readonly name: string; private: boolean };
  readonly people: readonly Somebody[];
  readonly issue: TheIssue;
  readonly open: () => void;
  readonly say: (by: Somebody, body: string) => Remark;
  readonly edit: (by: Somebody, remark: Remark, body: string) => void;
  readonly remove: (by: Somebody, remark: Remark) => void;
  readonly close: (login: string) => void;
  readonly reopen: () => void;
  readonly transfer: () => void;
  readonly publicise: () => void;
  readonly rename: (who: Somebody, login: string) => void;
  /** The bot writes. */
  readonly write: (marker: string, body: string) => Remark;
  /** False where the comment is gone. */
  readonly rewrite: (id: number, marker: string, body: string) => boolean;
  readonly react: (commentId: number, content: string) => void;
  readonly issueJson: () => object;
  readonly commentJson: (remark: Remark) => object;
  readonly userJson: (id: number) => object;
}

const botId = 90;

export function createThreads(time: Time, tell: (event: string, payload: object) => void): Threads {
  const repo = { id: 1, name: "acme/web", private: true };
  const people: Somebody[] = [
    { id: 11, login: "mona", role: "admin", onCall: true },
    { id: 12, login: "lee", role: "write", onCall: true },
    { id: 13, login: "kim", role: "write", onCall: true },
    { id: 14, login: "sam", role: "write", onCall: false },
    { id: 15, login: "eve", role: "none", onCall: false },
  ];
  const issue: TheIssue = {
    number: 7,
    nodeId: "I_7",
    open: false,
    closedAt: undefined,
    gone: false,
    labels: new Set(["incident"]),
    remarks: [],
    reactions: new Set(),
  };
  const installationId = 5;
  const userJson = (id: number): object => {
    if (id === botId) return { id, login: "countersign[bot]", type: "Bot" };
    return { id, login: people.find((person) => person.id === id)?.login ?? "ghost", type: "User" };
  };
  const issueJson = (): object => ({
    number: issue.number,
    node_id: issue.nodeId,
    title: "checkout-api: 5xx above 5 % on web-1",
    body: "Since 14:02Z.",
    state: issue.open ? "open" : "closed",
    closed_at: issue.open ? null : (issue.closedAt?.toISOString() ?? null),
    user: userJson(11),
    labels: [...issue.labels].map((name) => ({ name })),
  });
  const commentJson = (remark: Remark): object => ({
    id: remark.id,
    node_id: remark.nodeId,
    body: remark.body,
    user: userJson(remark.authorId),
    created_at: remark.createdAt.toISOString(),
  });
  const around = (action: string, senderId: number) => ({
    action,
    repository: { id: repo.id, full_name: repo.name, private: repo.private },
    installation: { id: installationId },
    sender: userJson(senderId),
  });
  const tellIssue = (action: string, by = 11) => tell("issues", { ...around(action, by), issue: issueJson() });
  const tellComment = (action: string, by: number, remark: Remark) =>
    tell("issue_comment", { ...around(action, by), issue: issueJson(), comment: commentJson(remark) });
  /** GitHub's own whole seconds, each comment in one of its own. */
  const now = (): Date => {
    time.pass(1_000);
    return time.now();
  };
  const add = (authorId: number, body: string, ours: string | undefined): Remark => {
    const id = 100 + issue.remarks.length;
    const createdAt = ours === undefined ? now() : new Date(Math.floor(time.now().getTime() / 1_000) * 1_000);
    const remark = {
      id,
      nodeId: `IC_${id}`,
      authorId,
      body,
      createdAt,
      editedAt: undefined,
      deleted: false,
      ours,
      reactions: new Set<string>(),
    };
    issue.remarks.push(remark);
    return remark;
  };
  const marked = (body: string, marker: string): string => `${body}\n\n${markerOf(marker)}`;
  return {
    installationId,
    repo,
    people,
    issue,
    userJson,
    issueJson,
    commentJson,
    open: () => {
      issue.open = true;
      tellIssue("opened");
    },
    say: (by, body) => {
      const remark = add(by.id, body, undefined);
      tellComment("created", by.id, remark);
      return remark;
    },
    edit: (by, remark, body) => {
      remark.body = body;
      remark.editedAt = now();
      tellComment("edited", by.id, remark);
    },
    remove: (by, remark) => {
      remark.deleted = true;
      tellComment("deleted", by.id, remark);
    },
    close: (login) => {
      if (!issue.open) return;
      issue.open = false;
      issue.closedAt = now();
      tellIssue("closed", people.find((person) => person.login === login)?.id ?? botId);
    },
    reopen: () => {
      issue.open = true;
      tellIssue("reopened");
    },
    transfer: () => {
      issue.gone = true;
      tellIssue("transferred");
    },
    publicise: () => {
      repo.private = false;
      tell("repository", around("publicized", 11));
    },
    rename: (who, login) => {
      who.login = login;
    },
    write: (marker, body) => add(botId, marked(body, marker), marker),
    rewrite: (id, marker, body) => {
      const remark = issue.remarks.find((candidate) => candidate.id === id);
      if (!remark || remark.deleted) return false;
      remark.body = marked(body, marker);
      remark.editedAt = time.now();
      return true;
    },
    react: (commentId, content) => {
      const on = commentId === 0 ? issue : issue.remarks.find(({ id }) => id === commentId);
      on?.reactions.add(content);
    },
  };
}
