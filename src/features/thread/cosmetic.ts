import type { WriteFailure } from "../../github/outcome.ts";
import type { Thread } from "../../store/outbox/wanted.ts";
import type { Deps } from "../context.ts";

type Retriable = Exclude<WriteFailure, { kind: "never" }>;

/** What the poster lends to what nobody waits for: its budget, and how it waits. */
export interface Poster {
  /** Whether this may be written now; if not, the thread comes back when it may. */
  readonly mayWrite: (installationId: number) => Promise<boolean>;
  readonly retry: (installationId: number, failure: Retriable, attempts: number) => Promise<void>;
  readonly comeBack: (afterMs: number) => void;
}

/** What goes wrong more often than this is given up: it only looks better with it. */
const maxAttempts = 8;

/** What to do about a failed write of that kind: it is logged, and then tried again later or given up. */
export async function failCosmetic(
  { log }: Pick<Deps, "log">,
  poster: Poster,
  failed: {
    readonly thread: Pick<Thread, "repo" | "issue"> & { readonly installationId: number };
    readonly event: "fold_failed" | "labels_failed";
    readonly failure: WriteFailure;
    readonly attempts: number;
    readonly giveUp: () => Promise<void>;
  },
): Promise<void> {
  const { thread, event, failure, attempts } = failed;
  const { installationId, repo, issue } = thread;
  log.warn({ module: "outbox", event, repo, issue, attempts, reason: failure.why });
  // GitHub's limits are no fault of the write's.
  if (failure.kind === "never" || (failure.kind === "ambiguous" && attempts >= maxAttempts)) await failed.giveUp();
  else await poster.retry(installationId, failure, attempts);
}
