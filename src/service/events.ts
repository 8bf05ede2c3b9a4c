import type { Probot } from "probot";
import {
  type CommentEvent,
  type IssueEvent,
  parseCommentEvent,
  parseIssueEvent,
  parseRepositoryEvent,
  pushedRepository,
  type RepositoryEvent,
} from "../github/events.ts";

/** The stories a delivery can begin. */
export interface Stories {
  readonly issue: (event: IssueEvent) => Promise<void>;
  readonly comment: (event: CommentEvent) => Promise<void>;
  /** A comment that was edited or deleted. */
  readonly commentChanged: (event: CommentEvent) => Promise<void>;
  readonly push: (repo: string) => Promise<void>;
  /** A repository was renamed, transferred, deleted or made public, or the App lost it. */
  readonly repositoryGone: (event: RepositoryEvent) => Promise<void>;
}

/**
 * The Probot function (DC-1): which story each event begins. A delivery has been verified and stored before it comes here;
 * `stories` finds the ones of that delivery by its GUID, since Probot passes nothing else through.
 */
export function app(probot: Probot, stories: (guid: string) => Stories): void {
  probot.on(
    [
      "issues.opened",
      "issues.labeled",
      "issues.unlabeled",
      "issues.closed",
      "issues.reopened",
      "issues.deleted",
      "issues.transferred",
    ],
    async ({ id, payload }) => {
      const event = parseIssueEvent(payload);
      if (event && !event.isPullRequest) await stories(id).issue(event);
    },
  );
  probot.on("issue_comment.created", async ({ id, payload }) => {
    const event = parseCommentEvent(payload);
    if (event && !event.isPullRequest) await stories(id).comment(event);
  });
  probot.on(["issue_comment.edited", "issue_comment.deleted"], async ({ id, payload }) => {
    const event = parseCommentEvent(payload);
    if (event && !event.isPullRequest) await stories(id).commentChanged(event);
  });
  probot.on("push", async ({ id, payload }) => {
    const repo = pushedRepository(payload);
    if (repo) await stories(id).push(repo);
  });
  probot.on(
    ["repository", "installation.deleted", "installation.suspend", "installation_repositories.removed"],
    async ({ id, payload }) => {
      const event = parseRepositoryEvent(payload);
      if (event) await stories(id).repositoryGone(event);
    },
  );
}
