import * as z from "zod";
import type { IssueRef, Person } from "../base/github.ts";

/** A payload that lacks one of these parts is not for us. */

const userSchema = z.object({ id: z.number(), login: z.string(), type: z.string() });
const repositorySchema = z.object({ id: z.number(), full_name: z.string(), private: z.boolean() });
const installationSchema = z.object({ id: z.number() });

const issueSchema = z.object({
  number: z.number(),
  node_id: z.string(),
  title: z.string(),
  body: z.string().nullish(),
  state: z.string(),
  closed_at: z.string().nullish(),
  /** Polling compares it. */
  updated_at: z.string().optional(),
  user: userSchema.nullable(),
  labels: z.array(z.object({ name: z.string() })).default([]),
  pull_request: z.unknown().optional(),
  type: z.object({ name: z.string() }).nullish(),
});

const issueEventSchema = z.object({
  action: z.string(),
  issue: issueSchema,
  repository: repositorySchema,
  installation: installationSchema,
  sender: userSchema,
  label: z.object({ name: z.string() }).optional(),
});

const commentEventSchema = issueEventSchema.extend({
  comment: z.object({
    id: z.number(),
    node_id: z.string(),
    body: z.string().nullish(),
    user: userSchema.nullable(),
    created_at: z.string(),
    updated_at: z.string().optional(),
    performed_via_github_app: z.object({ id: z.number() }).nullish(),
  }),
  changes: z.object({ body: z.object({ from: z.string() }).optional() }).optional(),
});

const pushEventSchema = z.object({
  ref: z.string(),
  repository: z.object({ full_name: z.string(), default_branch: z.string() }),
});

export interface Actor extends Person {
  /** `User`, `Bot`, `Organization`, `Mannequin` … */
  readonly type: string;
}

export interface IssueEvent {
  readonly action: string;
  readonly issue: IssueRef;
  readonly private: boolean;
  readonly title: string;
  readonly body: string;
  readonly open: boolean;
  /** From the closing event. */
  readonly closedAt?: Date | undefined;
  readonly opener: Actor | undefined;
  readonly labels: readonly string[];
  /** E.g. `Bug`. */
  readonly type?: string | undefined;
  readonly isPullRequest: boolean;
  readonly sender: Actor;
  /** Put on or taken off. */
  readonly label: string | undefined;
}

export interface CommentEvent extends IssueEvent {
  readonly comment: {
    readonly id: number;
    readonly nodeId: string;
    readonly body: string;
    /** Undefined without an edit. */
    readonly before: string | undefined;
    /** GitHub sends an event for an edit; for a missed comment we set this. */
    readonly edited: boolean;
    readonly author: Actor | undefined;
    readonly createdAt: Date;
    /** The last change; of an edit, its time. */
    readonly updatedAt: Date;
    /** The App on whose behalf it was written (SR-16). */
    readonly viaAppId: number | undefined;
  };
}

/** Reads an `issues` payload; undefined if it is none. */
export function parseIssueEvent(payload: unknown): IssueEvent | undefined {
  const parsed = issueEventSchema.safeParse(payload);
  return parsed.success ? issueEventOf(parsed.data) : undefined;
}

/** Reads an `issue_comment` payload; undefined if it is none. */
export function parseCommentEvent(payload: unknown): CommentEvent | undefined {
  const parsed = commentEventSchema.safeParse(payload);
  if (!parsed.success) return undefined;
  const { comment } = parsed.data;
  return {
    ...issueEventOf(parsed.data),
    comment: {
      id: comment.id,
      nodeId: comment.node_id,
      body: comment.body ?? "",
      before: parsed.data.changes?.body?.from,
      edited: parsed.data.changes !== undefined,
      author: comment.user ?? undefined,
      createdAt: new Date(comment.created_at),
      updatedAt: new Date(comment.updated_at ?? comment.created_at),
      viaAppId: comment.performed_via_github_app?.id,
    },
  };
}

/** What is read of a payload once it has been served: nine tenths of it are addresses. Of other events nothing is read. */
export function keptPart(payload: unknown): object {
  const comment = commentEventSchema.safeParse(payload);
  return comment.success ? comment.data : (issueEventSchema.safeParse(payload).data ?? {});
}

/** The repository whose default branch was pushed; undefined for another branch. */
export function pushedRepository(payload: unknown): string | undefined {
  const parsed = pushEventSchema.safeParse(payload);
  if (!parsed.success) return undefined;
  const { ref, repository } = parsed.data;
  return ref === `refs/heads/${repository.default_branch}` ? repository.full_name : undefined;
}

function issueEventOf(data: z.output<typeof issueEventSchema>): IssueEvent {
  const { issue, repository } = data;
  return {
    action: data.action,
    issue: {
      installationId: data.installation.id,
      repoId: repository.id,
      repo: repository.full_name,
      number: issue.number,
      nodeId: issue.node_id,
    },
    private: repository.private,
    title: issue.title,
    body: issue.body ?? "",
    open: issue.state === "open",
    closedAt: issue.closed_at ? new Date(issue.closed_at) : undefined,
    opener: issue.user ?? undefined,
    labels: issue.labels.map((label) => label.name),
    type: issue.type?.name,
    isPullRequest: issue.pull_request !== undefined && issue.pull_request !== null,
    sender: data.sender,
    label: data.label?.name,
  };
}

/** A change on which approvals rest. */
export interface RepositoryEvent {
  /** E.g. `repository publicized`, `installation deleted`. */
  readonly what: string;
  readonly installationId: number;
  /** Nothing for the whole installation. */
  readonly repoIds: readonly number[] | undefined;
  /** Another installation may follow. */
  readonly uninstalled: boolean;
  /** The App can still write there. */
  readonly reachable: boolean;
  readonly public: boolean;
  readonly sender: Actor;
}

const repositoryEventSchema = z.object({
  action: z.enum(["publicized", "renamed", "transferred", "deleted"]),
  repository: repositorySchema,
  installation: installationSchema,
  sender: userSchema,
});
const installationEventSchema = z.object({
  action: z.enum(["deleted", "suspend", "removed"]),
  installation: installationSchema,
  repositories_removed: z.array(z.object({ id: z.number() })).optional(),
  sender: userSchema,
});

/** Undefined if it does not matter to approvals (SR-11, SR-12). */
export function parseRepositoryEvent(payload: unknown): RepositoryEvent | undefined {
  const repository = repositoryEventSchema.safeParse(payload);
  if (repository.success) {
    const { action, sender, installation } = repository.data;
    const reachable = action === "publicized" || action === "renamed";
    const repoIds = [repository.data.repository.id];
    return {
      what: `repository ${action}`,
      installationId: installation.id,
      repoIds,
      uninstalled: false,
      reachable,
      public: !repository.data.repository.private,
      sender,
    };
  }
  const installation = installationEventSchema.safeParse(payload);
  if (!installation.success) return undefined;
  const { action, sender, repositories_removed: removed } = installation.data;
  return {
    what: `installation ${action}`,
    installationId: installation.data.installation.id,
    repoIds: removed?.map(({ id }) => id),
    uninstalled: action === "deleted",
    reachable: false,
    public: false,
    sender,
  };
}
