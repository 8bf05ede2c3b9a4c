import type { PolledComment, PolledEvent, PolledIssue } from "../../github/poll.ts";
import type { RepoPlace } from "../../github/repo-place.ts";
import { arrivedGuids, broughtKeys } from "../../store/queue/deliveries.ts";
import {
  changed,
  createdKey,
  guids,
  isEdited,
  isOnPull,
  issueNumberOf,
  type Origin,
  opened,
  type Told,
  webhookActionOf,
  written,
} from "./deliveries.ts";
import { isOurs, readEdits } from "./edits.ts";
import type { Read } from "./lists.ts";
import type { Polling } from "./polling.ts";
import { withoutSent } from "./sent.ts";

interface Lists {
  readonly since: Date;
  readonly comments: Read<PolledComment>;
  readonly events: Read<PolledEvent>;
  readonly issues: Read<PolledIssue>;
  readonly handled: ReadonlySet<string>;
  readonly lastRead: ReadonlyMap<number, PolledComment>;
}

/** What of these lists nobody was told of yet. */
export async function newsOf(
  polling: Polling,
  from: Origin & { readonly place: RepoPlace },
  { since, handled: before, lastRead, ...lists }: Lists,
): Promise<{ readonly told: readonly Told[]; readonly handled: ReadonlySet<string>; readonly isPostponed: boolean }> {
  const { db } = polling.deps.store;
  // GitHub's times are whole seconds, and its lists have those of one second in any order: ids only grow.
  const comments = byId(lists.comments.items).filter((comment) => !isOnPull(comment));
  const issues = byId(lists.issues.items).filter((issue) => !issue.pull_request && new Date(issue.created_at) >= since);
  const events = byId(lists.events.items).filter(
    (event) =>
      webhookActionOf(event) !== undefined &&
      event.issue &&
      !event.issue.pull_request &&
      new Date(event.created_at) >= since,
  );
  const idOf = (comment: PolledComment): string => (isEdited(comment) ? guids.edit : guids.comment)(comment);
  const ids = [...issues.map(guids.issue), ...events.map(guids.event), ...comments.map(idOf)];
  const unhandled = ids.filter((id) => !before.has(id));
  const arrived = unhandled.length === 0 ? new Set<string>() : await arrivedGuids(db, unhandled);
  const ripeBefore = polling.deps.now().getTime() - (polling.alsoWebhooks ? polling.pace.webhooksFirstMs : 0);
  let isPostponed = false;
  const handled = new Set(ids.filter((id) => before.has(id) || arrived.has(id)));
  const isDue = (id: string, at: string): boolean => {
    if (handled.has(id)) return false;
    if (polling.alsoWebhooks && Date.parse(at) > ripeBefore) {
      isPostponed = true;
      return false;
    }
    handled.add(id);
    return true;
  };
  const dueIssues = issues.filter((issue) => isDue(guids.issue(issue), issue.created_at));
  const dueEvents = events.filter((event) => isDue(guids.event(event), event.created_at));
  const dueComments = comments.filter((comment) => isDue(idOf(comment), comment.updated_at));
  const keys = dueComments.map(({ id }) => createdKey(id));
  const heard = keys.length === 0 ? new Set() : await broughtKeys(db, keys);
  const isNew = (comment: PolledComment): boolean =>
    new Date(comment.created_at) >= since && !heard.has(createdKey(comment.id)) && !isOurs(polling, comment);
  const withIssues = await onTheirIssues(polling, from.place, dueComments, lists.issues.items);
  const fresh = withIssues.filter(({ comment }) => isNew(comment));
  const changedLater = withIssues.filter(({ comment }) => !isNew(comment) && isEdited(comment));
  const edits = await readEdits(polling, from, changedLater, lastRead);
  for (const comment of edits.unsure) handled.delete(idOf(comment));
  const told = [
    ...dueIssues.map((issue) => opened(from, issue)),
    ...dueEvents.map((event) => changed(from, event)),
    ...fresh.map(({ comment, issue }) => written(from, comment, issue)),
    ...edits.told,
  ];
  return { told: polling.alsoWebhooks ? await withoutSent(db, told) : told, handled, isPostponed };
}

const byId = <T extends { readonly id: number }>(items: readonly T[]): readonly T[] =>
  items.toSorted((one, other) => one.id - other.id);

/** Each comment with its issue, which is nearly always among those that changed; without those whose issue is gone. */
async function onTheirIssues(
  { source }: Polling,
  place: RepoPlace,
  comments: readonly PolledComment[],
  listed: readonly PolledIssue[],
): Promise<readonly { readonly comment: PolledComment; readonly issue: PolledIssue }[]> {
  const issues = new Map(listed.map((issue) => [issue.number, issue]));
  const found = [];
  for (const comment of comments) {
    const number = issueNumberOf(comment);
    const asked = issues.has(number) ? undefined : await source.issue({ ...place, issue: number });
    const issue = issues.get(number) ?? (asked?.kind === "read" ? asked.items[0] : undefined);
    if (!issue) continue;
    issues.set(number, issue);
    found.push({ comment, issue });
  }
  return found;
}
