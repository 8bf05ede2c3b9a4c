import { listRuns } from "../activity.ts";
import { createComment, deleteComment, findComment, updateComment } from "../comments.ts";
import { assignIssue, changeIssue, createIssue, findIssue, isAnswer } from "../issues.ts";
import { listIssueComments, listIssueEvents, listIssues, listRepoComments } from "../listings.ts";
import { createReaction, deleteReaction, listReactions } from "../reactions.ts";
import { type Call, forward, type RepoCall } from "../world.ts";
import { createMatcher } from "./paths.ts";
import type { Needs, RouteNeeds } from "./permissions.ts";
import * as app from "./routes-app.ts";
import * as people from "./routes-people.ts";
import * as pulls from "./routes-pulls.ts";
import * as repos from "./routes-repos.ts";
import { type Answer, type Comment, notFound, objectOf, toSeconds } from "./shapes.ts";

export interface Route {
  readonly needs: RouteNeeds;
  readonly run: (call: Call & RepoCall) => Answer | Promise<Answer>;
}

const readIssues: Needs = { app: ["issues", "read"], person: "read" };
const writeIssues: Needs = { app: ["issues", "write"], person: "read" };
const readContents: Needs = { app: ["contents", "read"], person: "read" };
const writeContents: Needs = { app: ["contents", "write"], person: "write" };
const readPulls: Needs = { app: ["pull_requests", "read"], person: "read" };
const writePulls: Needs = { app: ["pull_requests", "write"], person: "read" };
const readMembers: Needs = { app: ["members", "read"], person: "none" };
const metadata: Needs = { app: ["metadata", "read"], person: "read" };
const nothing: Needs = { person: "none" };

const issue = "/repos/{owner}/{repo}/issues/{issue_number}";
const comment = "/repos/{owner}/{repo}/issues/comments/{comment_id}";
const repo = "/repos/{owner}/{repo}";

const author = (call: RepoCall) => ({ actor: call.actor, byApp: call.caller.kind === "installation" });
const bodyText = (call: RepoCall) => objectOf(call.body).body;
const numberOf = (call: RepoCall) => Number(call.params.issue_number);
const commentId = (call: RepoCall) => Number(call.params.comment_id);

const onIssue = async (call: RepoCall, then: (nodeId: string) => Answer | Promise<Answer>): Promise<Answer> => {
  const found = await findIssue(call.world, call.repo, numberOf(call));
  return isAnswer(found) ? found : then(found.node_id);
};
const onComment = async (call: RepoCall, then: (comment: Comment) => Answer): Promise<Answer> => {
  const found = await findComment(call.world, call.repo, commentId(call));
  return found ? then(found) : notFound;
};

/** Every route there is; anything else is 404. */
const table: readonly (readonly [string, string, Route["needs"], Route["run"]])[] = [
  ["GET", "/app", "jwt", app.getApp],
  ["GET", "/app/hook/config", "jwt", app.getHookConfig],
  ["GET", "/app/hook/deliveries", "jwt", app.listDeliveries],
  ["GET", "/app/hook/deliveries/{delivery_id}", "jwt", app.getDelivery],
  ["POST", "/app/hook/deliveries/{delivery_id}/attempts", "jwt", app.redeliver],
  ["GET", "/app/installations", "jwt", app.listInstallations],
  ["GET", "/app/installations/{installation_id}", "jwt", app.getInstallation],
  ["POST", "/app/installations/{installation_id}/access_tokens", "jwt", app.createToken],
  ["GET", "/repos/{owner}/{repo}/installation", "jwt", app.getRepoInstallation],

  ["POST", "/app-manifests/{code}/conversions", "anyone", app.convertManifest],
  ["GET", "/installation/repositories", nothing, repos.listInstallationRepos],
  ["GET", "/meta", "anyone", people.getMeta],
  ["GET", "/rate_limit", nothing, people.getRateLimit],
  ["GET", "/users/{username}", nothing, people.getUser],
  ["GET", "/orgs/{org}/members/{username}", readMembers, people.getMembership],
  ["GET", "/orgs/{org}/teams/{team_slug}/members", readMembers, people.listTeamMembers],
  ["GET", "/orgs/{org}/teams/{team_slug}/memberships/{username}", readMembers, people.getTeamMembership],

  ["GET", repo, metadata, repos.getRepo],
  ["PATCH", repo, { app: ["administration", "write"], person: "admin" }, repos.changeRepo],
  ["POST", `${repo}/transfer`, { app: ["administration", "write"], person: "admin" }, repos.transferRepo],
  ["GET", `${repo}/collaborators/{username}/permission`, metadata, people.getPermission],
  ["GET", `${repo}/branches/{branch}`, readContents, repos.getBranch],
  ["GET", `${repo}/contents/{path}`, readContents, forward],
  ["PUT", `${repo}/contents/{path}`, writeContents, repos.changeFile],
  ["DELETE", `${repo}/contents/{path}`, writeContents, repos.changeFile],
  ["GET", `${repo}/git/blobs/{file_sha}`, readContents, forward],
  ["GET", `${repo}/git/ref/{ref}`, readContents, forward],
  ["GET", `${repo}/git/trees/{tree_sha}`, readContents, forward],
  ["GET", `${repo}/git/commits/{commit_sha}`, readContents, forward],
  ["POST", `${repo}/git/trees`, writeContents, pulls.createTree],
  ["POST", `${repo}/git/commits`, writeContents, pulls.createCommit],
  ["POST", `${repo}/git/refs`, writeContents, forward],
  ["PATCH", `${repo}/git/refs/{ref}`, writeContents, forward],
  ["DELETE", `${repo}/git/refs/{ref}`, writeContents, forward],
  ["GET", `${repo}/commits`, readContents, forward],
  ["GET", `${repo}/commits/{ref}/check-runs`, { app: ["checks", "read"], person: "read" }, pulls.listChecks],
  ["GET", `${repo}/commits/{ref}/status`, { app: ["statuses", "read"], person: "read" }, pulls.getStatus],
  ["GET", `${repo}/pulls`, readPulls, forward],
  ["POST", `${repo}/pulls`, writePulls, pulls.createPull],
  ["GET", `${repo}/pulls/{pull_number}`, readPulls, forward],
  ["PATCH", `${repo}/pulls/{pull_number}`, { app: ["pull_requests", "write"], person: "write" }, forward],
  ["PUT", `${repo}/pulls/{pull_number}/merge`, writeContents, forward],
  ["GET", `${repo}/pulls/{pull_number}/commits`, readPulls, pulls.listPullCommits],
  ["GET", `${repo}/pulls/{pull_number}/reviews`, readPulls, forward],
  ["POST", `${repo}/pulls/{pull_number}/reviews`, writePulls, forward],
  ["GET", `${repo}/labels`, readIssues, forward],
  ["POST", `${repo}/labels`, { app: ["issues", "write"], person: "write" }, forward],

  ["GET", `${repo}/actions/runs`, { app: ["actions", "read"], person: "read" }, listRuns],
  ["GET", `${repo}/issues`, readIssues, listIssues],
  ["POST", `${repo}/issues`, writeIssues, createIssue],
  ["GET", `${repo}/issues/comments`, readIssues, listRepoComments],
  ["GET", `${repo}/issues/events`, readIssues, listIssueEvents],
  ["GET", issue, readIssues, async (c) => onIssue(c, () => forward(c))],
  ["PATCH", issue, writeIssues, changeIssue],
  ["GET", `${issue}/labels`, readIssues, async (c) => onIssue(c, () => forward(c))],
  ["POST", `${issue}/labels`, writeIssues, changeIssue],
  ["PUT", `${issue}/labels`, writeIssues, changeIssue],
  ["DELETE", `${issue}/labels/{name}`, writeIssues, changeIssue],
  ["POST", `${issue}/assignees`, writeIssues, assignIssue],
  ["PUT", `${issue}/lock`, writeIssues, changeIssue],
  ["DELETE", `${issue}/lock`, writeIssues, changeIssue],
  ["GET", `${issue}/timeline`, readIssues, async (c) => onIssue(c, () => forward(c))],
  ["GET", `${issue}/comments`, readIssues, listIssueComments],
  [
    "POST",
    `${issue}/comments`,
    writeIssues,
    (c) => createComment(c.world, c.repo, numberOf(c), { ...author(c), body: bodyText(c) }),
  ],
  ["GET", `${issue}/reactions`, readIssues, (c) => onIssue(c, (id) => listReactions(c.world, id, c.query))],
  [
    "POST",
    `${issue}/reactions`,
    writeIssues,
    (c) => onIssue(c, (id) => createReaction(c.world, c.actor, id, objectOf(c.body).content)),
  ],

  ["GET", comment, readIssues, (c) => onComment(c, (body) => ({ status: 200, body }))],
  [
    "PATCH",
    comment,
    writeIssues,
    (c) => updateComment(c.world, c.repo, commentId(c), { ...author(c), body: bodyText(c) }),
  ],
  ["DELETE", comment, writeIssues, (c) => deleteComment(c.world, c.repo, commentId(c), author(c))],
  ["PUT", `${comment}/pin`, writeIssues, (c) => onComment(c, (body) => pin(c, body, true))],
  ["DELETE", `${comment}/pin`, writeIssues, (c) => onComment(c, (body) => pin(c, body, false))],
  [
    "GET",
    `${comment}/reactions`,
    readIssues,
    (c) => onComment(c, (found) => listReactions(c.world, found.node_id, c.query)),
  ],
  [
    "POST",
    `${comment}/reactions`,
    writeIssues,
    (c) => onComment(c, (found) => createReaction(c.world, c.actor, found.node_id, objectOf(c.body).content)),
  ],
  [
    "DELETE",
    `${comment}/reactions/{reaction_id}`,
    writeIssues,
    (c) => onComment(c, (found) => deleteReaction(c.world, c.actor, found.node_id, Number(c.params.reaction_id))),
  ],
];

export const findRoute = createMatcher<Route>(
  table.map(([method, pattern, needs, run]) => ({ method, pattern, value: { needs, run } })),
);

function pin(call: RepoCall, found: Comment, pinned: boolean): Answer {
  const note = call.world.notes.comments.get(found.node_id);
  if (note && pinned) note.pinnedAt = toSeconds(new Date());
  else delete note?.pinnedAt;
  return pinned ? { status: 200, body: found } : { status: 204 };
}
