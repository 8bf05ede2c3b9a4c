import { statusOf } from "../../github/outcome.ts";
import { isAboutToken, type PolledRepository } from "../../github/poll.ts";
import type { PollRow } from "../../store/poll.ts";
import { type Arrival, arrivalOf } from "../../store/queue/arrival.ts";
import { ghost } from "./deliveries.ts";

/** How a repository stands with the App: as it should, or why it cannot be read. */
export type Standing = "private" | "public" | `renamed ${string}` | "removed" | "suspended" | "uninstalled";

/** How a repository stands by what GitHub lists of the installation. */
export function standingOf(repo: string, found: PolledRepository | undefined): Standing {
  if (!found) return "removed";
  if (found.full_name.toLowerCase() !== repo.toLowerCase()) return `renamed ${found.full_name}`;
  return found.private ? "private" : "public";
}

/** How it stands where GitHub gives no token for it; undefined for an error that says nothing of it. */
export function standingWithoutToken(error: unknown): Standing | undefined {
  if (!isAboutToken(error)) return undefined;
  const status = statusOf(error);
  if (status === 404) return "uninstalled";
  if (status === 422) return "removed";
  return status === 403 && error instanceof Error && /suspended/i.test(error.message) ? "suspended" : undefined;
}

/**
 * What a repository has become since it was read last, as the webhook that tells of it; undefined where nothing is lost by it. What
 * runs does not depend on it: each command asks GitHub again.
 */
export function becameOf(
  row: Pick<PollRow, "standing" | "standings">,
  now: Standing,
  place: { readonly installationId: number; readonly repoId: number; readonly repo: string },
): Arrival | undefined {
  if (row.standing === null || row.standing === now) return undefined;
  const { installationId, repoId, repo } = place;
  const isReadable = now === "private" || now === "public" || now.startsWith("renamed ");
  const name = now.startsWith("renamed ") ? now.slice("renamed ".length) : repo;
  const action = actionFor(now);
  if (action === undefined) return undefined;
  const [event, verb] = action;
  const payload = {
    action: verb,
    ...(isReadable ? { repository: { id: repoId, full_name: name, private: now !== "public" } } : {}),
    ...(now === "removed" ? { repositories_removed: [{ id: repoId }] } : {}),
    installation: { id: installationId },
    sender: ghost,
  };
  return arrivalOf(event, `poll-r${repoId}.${row.standings + 1}.${now}`, JSON.stringify(payload));
}

function actionFor(now: Standing): readonly [event: string, action: string] | undefined {
  if (now === "public") return ["repository", "publicized"];
  if (now.startsWith("renamed ")) return ["repository", "renamed"];
  if (now === "removed") return ["installation_repositories", "removed"];
  if (now === "suspended") return ["installation", "suspend"];
  return now === "uninstalled" ? ["installation", "deleted"] : undefined;
}
