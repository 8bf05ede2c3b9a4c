import { decideTenancy, type Tenancy } from "../../approval/tenancy.ts";
import { type Config, repositoryIn } from "../../config/values.ts";
import type { CommentEvent, IssueEvent, RepositoryEvent } from "../../github/events.ts";
import { appendAudit } from "../../store/audit/chain.ts";
import { appendRefusal } from "../../store/audit/denials.ts";
import type { Db, Tx } from "../../store/database/open.ts";
import { becomePublic, lockIncident, openIncidents } from "../../store/incidents.ts";
import { findPin, keepPin, leaveInstallation, type RepositoryPin } from "../../store/pins.ts";
import type { Job } from "../../store/queue/queue.ts";
import type { Deps } from "../context.ts";
import { voidOpen } from "../incident/withdraw.ts";
import { endLease } from "../proposal/lease.ts";
import { show } from "../thread/post.ts";

interface RepositoryList {
  readonly config: Pick<Config, "repositories">;
}
type TenancyDeps = RepositoryList & Pick<Deps, "store" | "log" | "now">;

export interface RepositoryOrigin {
  readonly repo: string;
  readonly repoId: number;
  readonly installationId: number;
  readonly private: boolean;
}

/** Decides whether the bot serves a repository; changes nothing. */
export const tenancyOf = async (deps: RepositoryList, db: Db | Tx, from: RepositoryOrigin): Promise<Tenancy> =>
  (await judge(deps, db, from)).tenancy;

async function judge(deps: RepositoryList, db: Db | Tx, from: RepositoryOrigin) {
  const pin = repositoryIn(deps.config, from.repo) && (await findPin(db, from.repo));
  return { pin, tenancy: tenancyWith(deps, pin, from) };
}

/** Decides on a pin just read. */
export const tenancyWith = (
  { config }: RepositoryList,
  pin: RepositoryPin | undefined,
  from: RepositoryOrigin,
): Tenancy => decideTenancy({ entry: repositoryIn(config, from.repo), pin, from });

/** Decides whether the bot serves a repository, and pins its name to its id at first contact. */
export async function admitRepository(
  deps: TenancyDeps,
  from: RepositoryOrigin,
): Promise<Exclude<Tenancy, { kind: "pin" }>> {
  const { pin, tenancy } = await judge(deps, deps.store.db, from);
  if (tenancy.kind !== "pin") return tenancy;
  const { repo, repoId, installationId } = from;
  const kept = await deps.store.transaction((tx) => keepPin(tx, from, pin));
  if (!kept) return admitRepository(deps, from);
  deps.log.info({ module: "front", event: "repository_pinned", repo, repoId, installationId });
  return { kind: "served" };
}

/** Passes on an event of a served repository; only audits others (SR-07). */
export async function ifServed<Event extends IssueEvent | CommentEvent>(
  deps: TenancyDeps,
  job: Pick<Job, "settle">,
  event: Event,
  take: (event: Event) => Promise<void>,
): Promise<void> {
  const { repo, repoId, installationId } = event.issue;
  const tenancy = await admitRepository(deps, { repo, repoId, installationId, private: event.private });
  if (tenancy.kind === "served") return take(event);
  const { reason } = tenancy;
  const kind = `${"comment" in event ? "issue_comment" : "issues"}.${event.action}`;
  const by = { id: event.sender.id, login: event.sender.login };
  const listed = repositoryIn(deps.config, repo) !== undefined;
  await deps.store.transaction(async (tx) => {
    const body = { repo, repoId, installationId, event: kind, by, reason };
    // Logged only if audited, so that strangers fill neither.
    if (await appendRefusal(tx, { listed, now: deps.now(), body }))
      deps.log.warn({ module: "front", event: "repository_refused", repo, repoId, installationId, reason });
    await job.settle(tx);
  });
}

/** Voids open commands and ends leases, because approvals were given for another place (SR-11, SR-12). */
export async function endForRepositoryGone(deps: Deps, job: Job, event: RepositoryEvent): Promise<void> {
  const { installationId, repoIds } = event;
  if (event.public) await becomePublic(deps.store.db, repoIds ?? []);
  const incidents = await openIncidents(deps.store.db, { installationId, repoIds });
  for (const repo of new Set(incidents.map((incident) => incident.repo))) deps.context.drop(repo);
  for (const { id } of incidents) {
    await deps.store.transaction(async (tx) => {
      const incident = await lockIncident(tx, id);
      await voidOpen(tx, incident, event.what);
      await endLease(tx, incident, event.what);
      // If GitHub accepts no more edits, the cards still run nothing.
      if (event.reachable) await show(tx, deps, incident);
    });
  }
  await deps.store.transaction(async (tx) => {
    if (event.uninstalled) await leaveInstallation(tx, installationId);
    const by = { id: event.sender.id, login: event.sender.login };
    await appendAudit(tx, {
      kind: "ground_lost",
      body: { what: event.what, installationId, repoIds: repoIds ?? "all", by, incidents: incidents.length },
    });
    await job.settle(tx);
  });
}
