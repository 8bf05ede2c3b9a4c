import { every } from "../../base/clock.ts";
import type { PullRequestState } from "../../base/github.ts";
import { type Action, actionsOf } from "../../store/actions.ts";
import { appendAudit } from "../../store/audit/chain.ts";
import type { Tx } from "../../store/database/open.ts";
import { type Incident, incidentOf, lockIncident } from "../../store/incidents.ts";
import { slots } from "../../store/outbox/slots.ts";
import { wantComments } from "../../store/outbox/wanted.ts";
import { type PullRequestRow, seePullRequest, takePullRequests } from "../../store/pull-requests.ts";
import { type Deps, loadRepoContext, type RepoContext } from "../context.ts";
import { draftAction } from "../proposal/draft.ts";
import { startLeased } from "../proposal/lease.ts";
import { addProposal } from "../proposal/propose.ts";
import { show, threadOf } from "../thread/show.ts";

const usualMs = 60_000;
/** A turn of looks ends before the next one is due. */
const mostAtOnce = 20;
/** Whoever comes to one later looks at GitHub. */
const followedMs = 30 * 24 * 60 * 60_000;

/** Keeps looking at the pull requests that patches opened. */
export function keepFollowing(deps: Deps, everyMs = usualMs): { readonly stop: () => Promise<void> } {
  const failed = (error: unknown) => deps.log.warn({ module: "github", event: "pull_request_unread", err: error });
  return every(everyMs, () => followPullRequests(deps, everyMs), failed, { first: "later" });
}

/** Looks once at each that is due, and shows on its incident what has changed. Logs an error and continues. */
export async function followPullRequests(deps: Deps, everyMs = usualMs): Promise<void> {
  if (!deps.patches) return;
  const openedSince = new Date(deps.now().getTime() - followedMs);
  const due = await takePullRequests(deps.store.db, { openedSince, everyMs: everyMs / 2, most: mostAtOnce });
  for (const row of due)
    await followOne(deps, row).catch((error) =>
      deps.log.warn({ module: "github", event: "pull_request_unread", url: row.url, err: error }),
    );
}

async function followOne(deps: Deps, row: PullRequestRow): Promise<void> {
  const incident = await incidentOf(deps.store.db, row.incidentId);
  const action = await actionById(deps, row);
  const place = action && deps.config.servers.get(action.spec.targets[0]?.server ?? "")?.patches;
  // The operator has taken it out; the board keeps what was seen.
  if (!action || !place || !deps.patches) return;
  const { state, draft: isDraft, checks, reviews } = await deps.patches.pullOf(place, row.number);
  const seen = { state, isDraft, checks, ...reviews };
  const repoContext = seen.state === "merged" ? await loadRepoContext(deps, incident) : undefined;
  await deps.store.transaction(async (tx) => {
    const locked = await lockIncident(tx, incident.id);
    if (!(await seePullRequest(tx, row.actionId, seen))) return;
    await auditChange(tx, action, row.url, seen);
    if (repoContext && locked.state === "open")
      await proposeChecks(tx, deps, repoContext, { incident: locked, action });
    await show(tx, deps, locked);
  });
}

const actionById = async (deps: Deps, { incidentId, actionId }: PullRequestRow): Promise<Action | undefined> =>
  (await actionsOf(deps.store.db, incidentId)).find(({ id }) => id === actionId);

const auditChange = (
  tx: Tx,
  { incidentId, number }: Action,
  url: string,
  { state, checks, approved, changesRequested }: PullRequestState,
): Promise<void> =>
  appendAudit(tx, {
    kind: "pull_request_changed",
    incidentId,
    body: { number, url, state, checks, approved: [...approved], changesRequested: [...changesRequested] },
  });

/** The reads that show whether a merged patch helped; they need their own approval, or a lease takes them. */
async function proposeChecks(
  tx: Tx,
  deps: Deps,
  repoContext: RepoContext,
  { incident, action }: { readonly incident: Incident; readonly action: Action },
): Promise<void> {
  const { number, spec, title } = action;
  let card: string | undefined;
  const refused: string[] = [];
  for (const { place, command } of spec.onMerge ?? []) {
    const proposal = {
      title: `Check: ${title}`,
      description: `The pull request of ${number} is merged: this shows whether it helped.`,
      server: place,
      command,
    };
    const from = { origin: "model", card, model: spec.model, promptSha256: spec.promptSha256 } as const;
    const drafted = draftAction(deps, repoContext, proposal, from);
    if (drafted.kind === "refused") {
      refused.push(
        `${deps.markdown.code(command)} on ${deps.markdown.code(place)}: ${deps.markdown.note(drafted.why)}`,
      );
      continue;
    }
    const added = await addProposal(tx, incident, drafted.draft, { checksMergeOf: number });
    card ??= added.card;
  }
  if (refused.length > 0) {
    const lines = refused.map((one) => `- ${one}`).join("\n");
    const body = `The pull request of **${number}** is merged. What should show whether it helped cannot be proposed:\n\n${lines}`;
    await wantComments(tx, threadOf(incident), [{ slot: slots.mergeCheck(number), body }]);
  }
  await startLeased(tx, deps, repoContext, incident);
}
