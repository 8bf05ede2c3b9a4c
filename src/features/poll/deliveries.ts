/** What polling reads, as the webhooks that would have told it. Pure. */

import { createHash } from "node:crypto";
import type { Actor } from "../../github/events.ts";
import type { PolledComment, PolledEvent, PolledIssue, PolledRepository } from "../../github/poll.ts";
import type { Incident } from "../../store/incidents.ts";
import { type Arrival, arrivalOf } from "../../store/queue/arrival.ts";

/** Where it was read. */
export interface Origin {
  readonly installationId: number;
  readonly repository: PolledRepository;
}

/** A webhook that GitHub would have sent, and when. */
export interface Told {
  readonly at: Date;
  readonly arrival: Arrival;
}

/** GitHub's own name for whoever has no account any more; and for whom polling cannot name. */
export const ghost: Actor = { id: 10_137, login: "ghost", type: "User" };

/** Ids are made of what was read, so that whoever reads it again, in whatever process, tells of it once. */
export const guids = {
  issue: ({ id, created_at: at }: PolledIssue): string => `poll-i${id}@${at}`,
  event: ({ id }: PolledEvent): string => `poll-e${id}`,
  comment: ({ id, created_at: at }: PolledComment): string => `poll-c${id}@${at}`,
  /** Two edits can share their second. */
  edit: ({ id, updated_at: at, body = "" }: PolledComment): string =>
    `poll-c${id}@${at}.${createHash("sha256").update(body).digest("hex").slice(0, 8)}`,
  deletion: (commentId: number): string => `poll-c${commentId}@deleted`,
};

export const createdKey = (commentId: number): string => `issue_comment:created:${commentId}`;

/** Whether it belongs to a pull request, which is nothing to us. */
export const isOnPull = ({ html_url: url }: PolledComment): boolean => url.includes("/pull/");

export const isEdited = ({ created_at: created, updated_at: updated }: PolledComment): boolean => created !== updated;

/** The number of the issue under which a comment stands. */
export const issueNumberOf = ({ issue_url: url }: PolledComment): number => Number(url.split("/").at(-1));

/** An issue was opened. */
export const opened = (from: Origin, issue: PolledIssue): Told =>
  told(from, new Date(issue.created_at), "issues", guids.issue(issue), {
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
  // On the issue that it became, in the repository to which it came.
  transferred: "opened",
};

/** Which webhook tells of an event on an issue; undefined for one that the bot takes up in no case. */
export const webhookActionOf = ({ event }: PolledEvent): string | undefined =>
  Object.hasOwn(actions, event) ? actions[event] : undefined;

/** Somebody labeled, closed or reopened an issue, or gave it a type. */
export const changed = (from: Origin, event: PolledEvent): Told =>
  told(from, new Date(event.created_at), "issues", guids.event(event), {
    action: webhookActionOf(event),
    // The list has the issue as it is now, which may be open again.
    issue: event.event === "closed" ? { ...event.issue, state: "closed", closed_at: event.created_at } : event.issue,
    ...(event.label ? { label: event.label } : {}),
    sender: event.actor ?? ghost,
  });

/**
 * A comment was written. What was edited before it was first read sets nothing going (SR-21), since nobody can say what it was when
 * it was written.
 */
export const written = (from: Origin, comment: PolledComment, issue: PolledIssue): Told =>
  told(from, new Date(comment.created_at), "issue_comment", (isEdited(comment) ? guids.edit : guids.comment)(comment), {
    action: "created",
    issue,
    comment,
    ...(isEdited(comment) ? { changes: {} } : {}),
    sender: comment.user ?? ghost,
  });

/** A comment was edited; `before` is what it said when it was written, where that is known. */
export const edited = (
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
): Told =>
  told(from, new Date(comment.updated_at), "issue_comment", guids.edit(comment), {
    action: "edited",
    issue,
    comment,
    changes: before === undefined ? {} : { body: { from: before } },
    sender: editor,
  });

/** A comment is there no more. */
export const deleted = (
  from: Origin,
  incident: Incident,
  comment: Pick<PolledComment, "id"> & Partial<PolledComment>,
  { at, by }: { at: Date; by: Actor },
): Told =>
  told(from, at, "issue_comment", guids.deletion(comment.id), {
    action: "deleted",
    issue: issueOf(incident),
    comment: { node_id: "", body: "", user: null, created_at: at.toISOString(), ...comment },
    sender: by,
  });

/** The issue of an incident is there no more. */
export const issueGone = (from: Origin, incident: Incident, action: "deleted" | "transferred", at: Date): Told =>
  told(from, at, "issues", `poll-i${incident.repoId}.${incident.number}@${action}`, {
    action,
    issue: issueOf(incident),
    sender: ghost,
  });

/** Something was pushed. To which branch GitHub does not say here: the default one may be it. */
export const pushed = (from: Origin, at: string): Told =>
  told(from, new Date(at), "push", `poll-p${from.repository.id}@${at}`, {
    ref: `refs/heads/${from.repository.default_branch}`,
    sender: ghost,
  });

/** An issue that cannot be read any more, as the store knows it. */
const issueOf = ({ number, nodeId, title, openerId, openerLogin, labels }: Incident) => ({
  number,
  node_id: nodeId,
  title,
  state: "open",
  user: { id: openerId, login: openerLogin, type: "User" },
  labels: labels.map((name) => ({ name })),
});

function told(from: Origin, at: Date, event: string, guid: string, fields: Readonly<Record<string, unknown>>): Told {
  const payload = { ...fields, repository: from.repository, installation: { id: from.installationId } };
  const arrival = arrivalOf(event, guid, JSON.stringify(payload));
  if (!arrival) throw new Error(`${guid} is no webhook`);
  return { at, arrival };
}
