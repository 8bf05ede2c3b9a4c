import { decideTenancy, type Tenancy } from "../../approval/tenancy.ts";
import { type Config, repositoryIn } from "../../config/load.ts";
import type { CommentEvent, IssueEvent } from "../../github/events.ts";
import { appendRefusal } from "../../store/audit/denials.ts";
import type { Db, Tx } from "../../store/database/open.ts";
import { findPin, keepPin } from "../../store/pins.ts";
import type { Job } from "../../store/queue/queue.ts";
import type { Deps } from "../context.ts";

interface Listing {
  readonly config: Pick<Config, "repositories">;
}
type Outside = Listing & Pick<Deps, "store" | "log" | "now">;

/** Where something comes from, as GitHub says. */
export interface RepositoryOrigin {
  readonly repo: string;
  readonly repoId: number;
  readonly installationId: number;
  readonly private: boolean;
}

/** Whether the bot works there, as its name stands now; changes nothing. */
export const tenancyOf = async (world: Listing, db: Db | Tx, from: RepositoryOrigin): Promise<Tenancy> =>
  (await judge(world, db, from)).tenancy;

async function judge({ config }: Listing, db: Db | Tx, from: RepositoryOrigin) {
  const entry = repositoryIn(config, from.repo);
  const pin = entry && (await findPin(db, from.repo));
  return { pin, tenancy: decideTenancy({ entry, pin, from }) };
}

/** Whether the bot works there; at first contact the name is pinned to it. */
export async function admitRepository(world: Outside, from: RepositoryOrigin): Promise<Exclude<Tenancy, { kind: "pin" }>> {
  const { pin, tenancy } = await judge(world, world.store.db, from);
  if (tenancy.kind !== "pin") return tenancy;
  const { repo, repoId, installationId } = from;
  const kept = await world.store.transaction((tx) => keepPin(tx, from, pin));
  // Where another process was first, what it has pinned decides.
  if (!kept) return admitRepository(world, from);
  world.log.info({ module: "front", event: "repository_pinned", repo, repoId, installationId });
  return { kind: "served" };
}

/** Runs the story of an event that comes from where the bot works; of any other nothing happens but an audit line (SR-07). */
export async function ifServed<Event extends IssueEvent | CommentEvent>(
  world: Outside,
  job: Pick<Job, "settle">,
  event: Event,
  story: (event: Event) => Promise<void>,
): Promise<void> {
  const { repo, repoId, installationId } = event.issue;
  const tenancy = await admitRepository(world, { repo, repoId, installationId, private: event.private });
  if (tenancy.kind === "served") return story(event);
  const { reason } = tenancy;
  const kind = `${"comment" in event ? "issue_comment" : "issues"}.${event.action}`;
  const by = { id: event.sender.id, login: event.sender.login };
  const listed = repositoryIn(world.config, repo) !== undefined;
  await world.store.transaction(async (tx) => {
    const body = { repo, repoId, installationId, event: kind, by, reason };
    // As the audit has it, so that strangers fill neither.
    if (await appendRefusal(tx, { listed, now: world.now(), body }))
      world.log.warn({ module: "front", event: "repository_refused", repo, repoId, installationId, reason });
    await job.settle(tx);
  });
}
