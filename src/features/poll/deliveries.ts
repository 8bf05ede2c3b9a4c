/** Turns what polling reads into GitHub's webhooks. Pure. */

import { createHash } from "node:crypto";
import type { Actor } from "../../github/events.ts";
import type { PolledComment, PolledEvent, PolledIssue, PolledRepository } from "../../github/poll.ts";
import type { Incident } from "../../store/incidents.ts";
import { type Arrival, arrivalOf } from "../../store/queue/arrival.ts";

export interface Origin {
  readonly installationId: number;
  readonly repository: PolledRepository;
}

export interface PolledWebhook {
  readonly at: Date;
  readonly arrival: Arrival;
}

/** GitHub's account for deleted users; also for people that polling cannot name. */
export const ghost: Actor = { id: 10_137, login: "ghost", type: "User" };

/** Ids derive from the content, so that the inbox stores each once. */
export const guids = {
  issue: ({ id, created_at: at }: PolledIssue): string => `poll-i${id}@${at}`,
  event: ({ id }: PolledEvent): string => `poll-e${id}`,
  comment: ({ id, created_at: at }: PolledComment): string => `poll-c${id}@${at}`,
  /** Two edits can happen in the same second. */
  edit: ({ id, updated_at: at, body = "" }: PolledComment): string =>
    `poll-c${id}@${at}.${createHash("sha256").update(body).digest("hex").slice(0, 8)}`,
  deletion: (commentId: number): string => `poll-c${commentId}@deleted`,
};

export const createdKey = (commentId: number): string => `issue_comment:created:${commentId}`;

/** The bot ignores pull requests. */
export const isOnPull = ({ html_url: url }: PolledComment): boolean => url.includes("/pull/");

export const isEdited = ({ created_at: created, updated_at: updated }: PolledComment): boolean => created !== updated;

/** The number of a comment's issue. */
export const issueNumberOf = ({ issue_url: url }: PolledComment): number => Number(url.split("/").at(-1));

/** An issue was opened. */
export const openedWebhook = (from: Origin, issue: PolledIssue): PolledWebhook =>
  webhookFrom(from, new Date(issue.created_at), "issues", guids.issue(issue), {
    action: "opened",
    issue,
    sender: issue.user ?? ghost,
  });

const actions: Readonly<Record<string, string>> = {
  labeled: "labeled",
  unlabeled: "unlabeled",
  closed: "closed",
  reopened: "reopened",
  issue_type_added: "typed",
  issue_type_changed: "typed",
  issue_type_removed: "untyped",
  // This event is on the new issue, in the new repository.
  transferred: "opened",
};

/** Undefined if the bot ignores the event. */
export const webhookActionOf = ({ event }: PolledEvent): string | undefined =>
  Object.hasOwn(actions, event) ? actions[event] : undefined;

/** An issue was labeled, closed, reopened or typed. */
export const eventWebhook = (from: Origin, event: PolledEvent): PolledWebhook =>
  webhookFrom(from, new Date(event.created_at), "issues", guids.event(event), {
    action: webhookActionOf(event),
    // The list shows the issue as it is now.
    issue: event.event === "closed" ? { ...event.issue, state: "closed", closed_at: event.created_at } : event.issue,
    ...(event.label ? { label: event.label } : {}),
    sender: event.actor ?? ghost,
  });

/** A comment edited before it was first read starts nothing (SR-21), because its first text is unknown. */
export const writtenWebhook = (from: Origin, comment: PolledComment, issue: PolledIssue): PolledWebhook =>
  webhookFrom(
    from,
    new Date(comment.created_at),
    "issue_comment",
    (isEdited(comment) ? guids.edit : guids.comment)(comment),
    {
      action: "created",
      issue,
      comment,
      ...(isEdited(comment) ? { changes: {} } : {}),
      sender: comment.user ?? ghost,
    },
  );

/** `before` is the comment's first text, if known. */
export const editedWebhook = (
  from: Origin,
  {
    comment,
    issue,
    editor,
    before,
  }: {
    readonly comment: PolledComment;
    readonly issue: PolledIssue;
    readonly editor: Actor;
    readonly before: string | undefined;
  },
): PolledWebhook =>
  webhookFrom(from, new Date(comment.updated_at), "issue_comment", guids.edit(comment), {
    action: "edited",
    issue,
    comment,
    changes: before === undefined ? {} : { body: { from: before } },
    sender: editor,
  });

/** A comment was deleted. */
export const deletedWebhook = (
  from: Origin,
  incident: Incident,
  comment: Pick<PolledComment, "id"> & Partial<PolledComment>,
  { at, by }: { at: Date; by: Actor },
): PolledWebhook =>
  webhookFrom(from, at, "issue_comment", guids.deletion(comment.id), {
    action: "deleted",
    issue: issueOf(incident),
    comment: { node_id: "", body: "", user: null, created_at: at.toISOString(), ...comment },
    sender: by,
  });

/** An incident's issue is gone. */
export const goneWebhook = (
  from: Origin,
  incident: Incident,
  action: "deleted" | "transferred",
  at: Date,
): PolledWebhook =>
  webhookFrom(from, at, "issues", `poll-i${incident.repoId}.${incident.number}@${action}`, {
    action,
    issue: issueOf(incident),
    sender: ghost,
  });

/** GitHub does not say which branch was pushed; assumes the default branch. */
export const pushWebhook = (from: Origin, at: string): PolledWebhook =>
  webhookFrom(from, new Date(at), "push", `poll-p${from.repository.id}@${at}`, {
    ref: `refs/heads/${from.repository.default_branch}`,
    sender: ghost,
  });

const issueOf = ({ number, nodeId, title, openerId, openerLogin, labels }: Incident) => ({
  number,
  node_id: nodeId,
  title,
  state: "open",
  user: { id: openerId, login: openerLogin, type: "User" },
  labels: labels.map((name) => ({ name })),
});

function webhookFrom(
  from: Origin,
  at: Date,
  event: string,
  guid: string,
  fields: Readonly<Record<string, unknown>>,
): PolledWebhook {
  const payload = { ...fields, repository: from.repository, installation: { id: from.installationId } };
  const arrival = arrivalOf(event, guid, JSON.stringify(payload));
  if (!arrival) throw new Error(`${guid} is no webhook`);
  return { at, arrival };
}
