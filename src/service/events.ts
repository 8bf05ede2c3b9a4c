import type { Context } from "probot";
import { commented } from "../commands/slash-comment.ts";
import { takeProposal } from "../features/agents/take-proposal.ts";
import { takeAlert } from "../features/alert/take-alert.ts";
import type { Deps } from "../features/context.ts";
import { issueChanged } from "../features/incident/open-close.ts";
import { commentChanged } from "../features/intake/comment-changed.ts";
import type { DeliveryJob } from "../features/intake/not-now.ts";
import { endForRepositoryGone } from "../features/intake/repository-gone.ts";
import { ifServed } from "../features/intake/tenancy.ts";
import type { Client } from "../github/client.ts";
import { parseCommentEvent, parseIssueEvent, parseRepositoryEvent, pushedRepository } from "../github/events.ts";
import { provedEvent } from "../store/passkeys.ts";
import { agentEvent, alertEvent } from "../store/queue/arrival.ts";

type Route = (deps: Deps, job: DeliveryJob, payload: unknown, forget: Client["forget"]) => Promise<void>;

const issue: Route = async (deps, job, payload) => {
  const event = parseIssueEvent(payload);
  if (event && !event.isPullRequest) await ifServed(deps, job, event, (served) => issueChanged(deps, job, served));
};
const comment: Route = async (deps, job, payload) => {
  const event = parseCommentEvent(payload);
  if (event && !event.isPullRequest) await ifServed(deps, job, event, (served) => commented(deps, job, served));
};
const changedComment: Route = async (deps, job, payload) => {
  const event = parseCommentEvent(payload);
  if (event && !event.isPullRequest) await ifServed(deps, job, event, (served) => commentChanged(deps, job, served));
};
const push: Route = async (deps, _job, payload) => {
  const repo = pushedRepository(payload);
  if (repo) deps.context.drop(repo);
};
const accessChanged: Route = async (deps, job, payload, forget) => {
  const event = parseRepositoryEvent(payload);
  if (!event) return;
  forget(event.installationId);
  await endForRepositoryGone(deps, job, event);
};

/** What the bot takes up (DC-1); without an action, all actions. */
const routes = {
  "issues.opened": issue,
  "issues.labeled": issue,
  "issues.unlabeled": issue,
  "issues.typed": issue,
  "issues.untyped": issue,
  "issues.closed": issue,
  "issues.reopened": issue,
  "issues.deleted": issue,
  "issues.transferred": issue,
  "issue_comment.created": comment,
  "issue_comment.edited": changedComment,
  "issue_comment.deleted": changedComment,
  push,
  repository: accessChanged,
  "installation.deleted": accessChanged,
  "installation.suspend": accessChanged,
  "installation_repositories.removed": accessChanged,
} satisfies Partial<Record<Context["name"], Route>>;

const routeOf = new Map<string, Route>(Object.entries(routes));

routeOf.set(alertEvent, takeAlert);
routeOf.set(provedEvent, comment);
routeOf.set(agentEvent, takeProposal);

/** Takes up a stored delivery; ignores an unlisted event. */
export async function takeUp(
  deps: Deps,
  job: DeliveryJob,
  { name, payload }: { readonly name: string; readonly payload: unknown },
  forget: Client["forget"],
): Promise<void> {
  const action = typeof payload === "object" && payload !== null && "action" in payload ? payload.action : undefined;
  const route = routeOf.get(`${name}.${action}`) ?? routeOf.get(name);
  await route?.(deps, job, payload, forget);
}
