import type { Proposal } from "../../base/action.ts";
import { every } from "../../base/clock.ts";
import { type Action, actionsOf } from "../../store/actions.ts";
import { appendAudit } from "../../store/audit/chain.ts";
import { incidentOf, lockIncident } from "../../store/incidents.ts";
import { slots } from "../../store/outbox/thread-comments.ts";
import { wantComments } from "../../store/outbox/wanted.ts";
import { type PullRequestRow, seePullRequest, takePullRequests } from "../../store/pull-requests.ts";
import { addNote } from "../../store/runs.ts";
import { redactText } from "../../text/bare.ts";
import { type Deps, loadRepoContext, type RepoContext } from "../context.ts";
import { startLeased } from "../proposal/lease.ts";
import { addProposal, type DraftResult, draftAction, draftAgain, preparePatches } from "../proposal/propose.ts";
import { show, threadOf } from "../thread/post.ts";

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
    await appendAudit(tx, {
      kind: "pull_request_changed",
      incidentId: action.incidentId,
      body: {
        number: action.number,
        url: row.url,
        state: seen.state,
        checks: seen.checks,
        approved: [...seen.approved],
        changesRequested: [...seen.changesRequested],
      },
    });
    if (repoContext && locked.state === "open") {
      // The reads that show whether a merged patch helped; they need their own approval, or a lease takes them.
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
        const added = await addProposal(tx, locked, drafted.draft, { checksMergeOf: number });
        card ??= added.card;
      }
      if (refused.length > 0) {
        const lines = refused.map((one) => `- ${one}`).join("\n");
        const body = `The pull request of **${number}** is merged. What should show whether it helped cannot be proposed:\n\n${lines}`;
        await wantComments(tx, threadOf(locked), [{ slot: slots.mergeCheck(number), body }]);
      }
      await startLeased(tx, deps, repoContext, locked);
    }
    await show(tx, deps, locked);
  });
}

const actionById = async (deps: Deps, { incidentId, actionId }: PullRequestRow): Promise<Action | undefined> =>
  (await actionsOf(deps.store.db, incidentId)).find(({ id }) => id === actionId);

/**
 * Proposes a patch again that was not sent, on its base's newest commit and under a new number, if it applies there as it is: what people
 * approved was the result on the older one. Otherwise the card of its run says why it does not. Does nothing if the base has not moved.
 */
export async function proposeOnNewBase(
  deps: Deps,
  repoContext: RepoContext,
  action: Action,
  batchId: string,
): Promise<void> {
  const { title, description, number, spec } = action;
  if (!spec.targets.some(({ patches }) => patches !== undefined)) return;
  const incident = await incidentOf(deps.store.db, action.incidentId);
  const written = { title, description, server: spec.place, command: spec.command };
  const [prepared = written]: readonly Proposal[] = await preparePatches(deps, repoContext, [written], incident);
  const { command, unfit } = prepared;
  if (command === spec.command && unfit === undefined) return;
  const drafted: DraftResult =
    unfit === undefined
      ? draftAgain(deps, repoContext, { ...action, spec: { ...spec, command } }, { earlier: [] })
      : { kind: "refused", why: redactText(deps.redact, unfit) };
  await deps.store.transaction(async (tx) => {
    const locked = await lockIncident(tx, incident.id);
    if (locked.state !== "open") return;
    if (drafted.kind === "refused")
      await addNote(tx, batchId, `${number} is not proposed again: ${drafted.why.replace(/\.?$/, ".")}`);
    else {
      const again = await addProposal(tx, locked, drafted.draft, { insteadOf: number });
      const words = `${number} applies to the newest commit as it is, and is proposed for that as ${again.number}.`;
      await addNote(tx, batchId, words);
    }
    await show(tx, deps, locked);
  });
}
