import { every } from "../../base/every.ts";
import { repositoryIn } from "../../config/load.ts";
import { writeFailure } from "../../github/outcome.ts";
import type { RepoPlace } from "../../github/repo-place.ts";
import { newId } from "../../store/ids.ts";
import { findPin } from "../../store/pins.ts";
import { holdPoll, keepPoll, releasePolls } from "../../store/poll.ts";
import { waitAfter } from "./pace.ts";
import type { Polling } from "./polling.ts";
import { type Memory, noMemory, readRound } from "./round.ts";

/** How often it is looked whether a repository is due. */
const tickMs = 250;
const mostAtOnce = 4;
/** A process that was killed holds its repositories for so long at least. */
const leastHeldMs = 5_000;
const hourMs = 3_600_000;

/** Each look has a source of its own, since several look at once and each has to count its own requests. */
export type Watching = Omit<Polling, "source"> & { readonly createSource: () => Polling["source"] };

interface Watched {
  dueAt: number;
  isBusy: boolean;
  failures: number;
  memory: Memory;
  installationId: number | undefined;
}

/**
 * Reads every repository of the config again and again, and stores what it finds as webhooks would have told it. Of several
 * processes one reads a repository at a time; what is known is stored before it is kept how far that was, so a process that is
 * killed loses nothing, and what is read twice has the same id.
 */
export function keepPolling(polling: Watching): { readonly stop: () => Promise<void> } {
  const { deps, pace } = polling;
  const holder = newId();
  const watched = new Map<string, Watched>();
  const underway = new Set<Promise<void>>();
  const lookAt = createLook(polling, holder, watched);

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
      const look = lookAt(repo, own).finally(() => {
        own.isBusy = false;
        underway.delete(look);
      });
      underway.add(look);
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

/** One look at a repository; it says when the next one is due. Never throws. */
function createLook(watching: Watching, holder: string, watched: ReadonlyMap<string, Watched>) {
  const { deps, pace } = watching;
  let hour = { began: deps.now().getTime(), counted: 0 };
  return async (repo: string, own: Watched): Promise<void> => {
    const now = deps.now();
    const polling = { ...watching, source: watching.createSource() };
    const until = new Date(now.getTime() + Math.max(leastHeldMs, 1.5 * pace.idleMs));
    let isActive = false;
    let toldToWaitMs = 0;
    try {
      const row = await holdPoll(deps.store, { repo, holder, now, until });
      if (row) {
        const { memory, ...round } = await readRound(polling, await placeOf(polling, repo, own), row, own.memory);
        await keepPoll(deps.store.db, round.row);
        own.memory = memory;
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
    const inLook = polling.source.counted();
    if (now.getTime() - hour.began >= hourMs) hour = { began: now.getTime(), counted: 0 };
    hour = { ...hour, counted: hour.counted + inLook };
    const requests = watched.size * requestsPerLook + own.memory.known.size;
    const counted = { inHour: hour.counted, inLook, hourIsOverMs: now.getTime() - hour.began };
    own.dueAt =
      performance.now() + waitAfter(pace, { isActive, requests, counted, failures: own.failures, toldToWaitMs });
  };
}

/** The repository itself, its comments, its events and its issues; the comments of an open incident come on top. */
const requestsPerLook = 4;

/** By which installation it is read: the pinned one, or where there is none, whichever GitHub names. */
async function placeOf(
  { deps }: Pick<Polling, "deps">,
  repo: string,
  own: Watched,
): Promise<RepoPlace & { readonly repoId: number }> {
  const pin = await findPin(deps.store.db, repo);
  const { id } = repositoryIn(deps.config, repo) ?? {};
  if (!pin?.installed) own.installationId ??= await deps.issues.installationOf(repo);
  const installationId = pin?.installed ? pin.installationId : (own.installationId ?? 0);
  return { installationId, repo, repoId: id ?? pin?.repoId ?? 0 };
}
