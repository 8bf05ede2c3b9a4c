import { every } from "../../base/clock.ts";
import { repositoryIn } from "../../config/load.ts";
import { writeFailure } from "../../github/outcome.ts";
import { newId } from "../../store/ids.ts";
import { findPin } from "../../store/pins.ts";
import { holdPoll, keepPoll, releasePolls } from "../../store/poll.ts";
import { waitAfter } from "./pace.ts";
import { noMemory, type PollContext, type RepositoryMemory, readRound } from "./round.ts";

const tickMs = 250;
const mostAtOnce = 4;
/** A killed process keeps its repositories at least this long. */
const leastHeldMs = 5_000;
const hourMs = 3_600_000;

/** Each look counts its own requests. */
type PollOptions = Omit<PollContext, "source"> & { readonly createSource: () => PollContext["source"] };

interface WatchedRepository {
  dueAt: number;
  isBusy: boolean;
  failures: number;
  memory: RepositoryMemory;
  installationId: number | undefined;
}

/** The repository, its comments, events and issues. */
const requestsPerLook = 4;

/**
 * Polls every repository, each in one process, and stores news as webhooks. Stores progress last: a killed process loses nothing, and what
 * is read twice has the same id.
 */
export function keepPolling(polling: PollOptions): { readonly stop: () => Promise<void> } {
  const { deps, pace } = polling;
  const holder = newId();
  const watched = new Map<string, WatchedRepository>();
  const underway = new Set<Promise<void>>();
  let hour = { began: deps.now().getTime(), counted: 0 };

  /** Never throws. */
  const look = async (repo: string, own: WatchedRepository): Promise<void> => {
    const now = deps.now();
    const source = polling.createSource();
    const until = new Date(now.getTime() + Math.max(leastHeldMs, 1.5 * pace.idleMs));
    let isActive = false;
    let toldToWaitMs = 0;
    try {
      const row = await holdPoll(deps.store, { repo, holder, now, until });
      if (row) {
        // Without a pin, GitHub names the installation.
        const pin = await findPin(deps.store.db, repo);
        const { id } = repositoryIn(deps.config, repo) ?? {};
        if (!pin?.installed) own.installationId ??= await deps.issues.installationOf(repo);
        const installationId = pin?.installed ? pin.installationId : (own.installationId ?? 0);
        const place = { installationId, repo, repoId: id ?? pin?.repoId ?? 0 };
        const round = await readRound({ ...polling, source }, place, row, own.memory);
        await keepPoll(deps.store.db, round.row);
        own.memory = round.memory;
        isActive = round.stored > 0 || round.open.length > 0;
        if (!round.isReadable) throw new Error(`the repository cannot be read: ${round.row.standing}`);
      }
      if (own.failures > 0) deps.log.info({ module: "front", event: "poll_back", repo });
      own.failures = 0;
    } catch (error) {
      const failure = writeFailure(error, now.getTime());
      toldToWaitMs = failure.kind === "later" && failure.isTold ? failure.afterMs : 0;
      if (own.failures === 0) deps.log.warn({ module: "front", event: "poll_late", repo, err: error });
      own.failures++;
      own.installationId = undefined;
    }
    const inLook = source.counted();
    if (now.getTime() - hour.began >= hourMs) hour = { began: now.getTime(), counted: 0 };
    hour = { ...hour, counted: hour.counted + inLook };
    const requests = watched.size * requestsPerLook + own.memory.known.size;
    const counted = { inHour: hour.counted, inLook, hourIsOverMs: now.getTime() - hour.began };
    own.dueAt =
      performance.now() + waitAfter(pace, { isActive, requests, counted, failures: own.failures, toldToWaitMs });
  };

  const tick = async (): Promise<void> => {
    const listed = deps.config.repositories.map(({ name }) => name);
    for (const repo of watched.keys()) if (!listed.includes(repo)) watched.delete(repo);
    for (const repo of listed) {
      const own = watched.get(repo) ?? {
        dueAt: 0,
        isBusy: false,
        failures: 0,
        memory: noMemory,
        installationId: undefined,
      };
      watched.set(repo, own);
      if (own.isBusy || own.dueAt > performance.now() || underway.size >= mostAtOnce) continue;
      own.isBusy = true;
      const looking = look(repo, own).finally(() => {
        own.isBusy = false;
        underway.delete(looking);
      });
      underway.add(looking);
    }
  };
  const ticking = every(Math.min(tickMs, pace.openMs), tick, () => {});
  return {
    stop: async () => {
      await ticking.stop();
      await Promise.all(underway);
      await releasePolls(deps.store.db, holder).catch((error: unknown) =>
        deps.log.warn({ module: "front", event: "poll_late", err: error }),
      );
    },
  };
}
