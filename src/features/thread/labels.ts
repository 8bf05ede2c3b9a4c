import type { RepoLabel } from "../../github/labels.ts";
import type { WriteFailure } from "../../github/outcome.ts";
import type { Action } from "../../store/actions.ts";
import { soonDue } from "../../store/clock.ts";
import { dropLabels, labelsFailed, labelsShown, type OutboxLabels, openLabels } from "../../store/outbox/labels.ts";
import type { Thread } from "../../store/outbox/wanted.ts";
import type { Run } from "../../store/runs.ts";
import type { Deps } from "../context.ts";
import { failCosmetic, type Poster } from "./cosmetic.ts";

/** What of an incident its labels mirror. */
interface Standing {
  readonly state: "open" | "closed";
  readonly held: boolean;
  readonly actions: readonly (Pick<Action, "state"> & { readonly runs: readonly Pick<Run, "ending">[] })[];
}

/**
 * The labels, behind the operator's `incident.state_label`: what one wants to find in a list of issues. They mirror the state and
 * grant nothing: nothing here ever reads them, so that one set by hand changes nothing and is set right at the next change.
 */
const mirrored: Readonly<Record<string, Omit<RepoLabel, "name"> & { readonly holds: (of: Standing) => boolean }>> = {
  "waiting for approval": {
    color: "fbca04",
    description: "A command waits for somebody's approval.",
    holds: ({ state, actions }) => state === "open" && actions.some((action) => action.state === "proposed"),
  },
  running: {
    color: "1d76db",
    description: "An approved command is being carried out.",
    holds: ({ actions }) => actions.some(({ state }) => ["approved", "dispatching", "running"].includes(state)),
  },
  held: {
    color: "d93f0b",
    description: "Nothing is sent to a server until an approver resumes it.",
    holds: ({ state, held }) => state === "open" && held,
  },
  // It waits for a person, so it outlasts the incident.
  "unknown outcome": {
    color: "b60205",
    description: "Nobody knows how a command ended; it is never repeated by itself.",
    holds: ({ actions }) => actions.some(({ runs }) => runs.some(({ ending }) => ending?.kind === "unknown")),
  },
};

/**
 * Which labels an incident's issue should carry, and which others of ours it should not. An empty prefix means none; a label by
 * which issues become incidents is never one of ours. Pure.
 */
export function labelsOf(
  standing: Standing,
  { prefix, incidentLabel }: { readonly prefix: string; readonly incidentLabel: string },
): { readonly wanted: readonly string[]; readonly spare: readonly string[] } {
  const ours = Object.entries(prefix === "" ? {} : mirrored)
    .map(([name, { holds }]) => ({ name: `${prefix}${name}`, isOn: holds(standing) }))
    .filter(({ name }) => name.toLowerCase() !== incidentLabel.toLowerCase());
  const names = (isOn: boolean) => ours.filter((label) => label.isOn === isOn).map(({ name }) => name);
  return { wanted: names(true), spare: names(false) };
}

/** What the labels need of the outside. */
type Outside = Pick<Deps, "store" | "log" | "labels"> & {
  readonly config: { readonly incident: Pick<Deps["config"]["incident"], "stateLabel"> };
};

/**
 * Brings an issue's labels to what the outbox wants. Where it cannot be done it is logged and left until the next change; nothing
 * else waits for it or fails with it.
 */
export async function postLabels(deps: Outside, thread: Pick<Thread, "repo" | "issue">, poster: Poster): Promise<void> {
  const { db } = deps.store;
  const open = await openLabels(db, thread);
  if (!open) return;
  if (open.dueInMs > 0) return poster.comeBack(Math.min(open.dueInMs, soonDue.label.withinMs));
  const failure = await reconcile(deps, open, () => poster.mayWrite(open.installationId));
  if (!failure) return;
  const attempts = await labelsFailed(db, open);
  const giveUp = () => dropLabels(db, open);
  await failCosmetic(deps, poster, { thread: open, event: "labels_failed", failure, attempts, giveUp });
}

/**
 * All that should be there at once, then one by one what should not. Each answer of GitHub's shows what somebody did by hand to
 * labels of ours. Nothing where it is done, or is to go on when there is budget; what has been done is kept.
 */
async function reconcile(
  deps: Outside,
  row: OutboxLabels,
  mayWrite: () => Promise<boolean>,
): Promise<WriteFailure | undefined> {
  const { wanted, spare } = row;
  const { labels } = deps;
  const listing = await listAll(deps, row, mayWrite);
  if (listing !== "done") return listing.failure;
  const ours = [...new Set([...wanted, ...spare, ...row.shown])];
  let shown: readonly string[] = row.shown;
  // Each turn fixes one thing; whoever undoes it meanwhile must not keep us at it.
  for (let turn = 0; turn <= ours.length; turn++) {
    const extra = shown.find((name) => !wanted.includes(name));
    const isMissing = wanted.some((name) => !shown.includes(name));
    if (!isMissing && extra === undefined) break;
    if (!(await mayWrite())) return undefined;
    const outcome = isMissing ? await labels.add(row, wanted) : await labels.remove(row, extra ?? "");
    if (outcome.kind !== "posted") return outcome;
    const on = outcome.on ?? shown.filter((name) => name !== extra).map((name) => name.toLowerCase());
    shown = ours.filter((name) => on.includes(name.toLowerCase()));
    await labelsShown(deps.store.db, row, shown);
  }
  return undefined;
}

/** Without the right to list them GitHub makes a label itself, in grey, when an issue gets it. */
async function listAll(
  { labels, config }: Outside,
  row: OutboxLabels,
  mayWrite: () => Promise<boolean>,
): Promise<"done" | { readonly failure: WriteFailure | undefined }> {
  for (const [suffix, { color, description }] of Object.entries(mirrored)) {
    const name = `${config.incident.stateLabel}${suffix}`;
    if (!row.wanted.includes(name) || labels.isListed(row.repo, name)) continue;
    if (!(await mayWrite())) return { failure: undefined };
    const outcome = await labels.list(row, { name, color, description });
    if (outcome.kind === "later" || outcome.kind === "ambiguous") return { failure: outcome };
  }
  return "done";
}
