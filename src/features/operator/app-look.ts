import type { AppReach } from "../../github/app/reach.ts";
import type { Deps } from "../context.ts";

const everyMs = 3_600_000;
/** Until GitHub accepts the key again. */
const againMs = 5 * 60_000;

/**
 * Tries the App's key at GitHub at the start and each hour, so that a revoked key is noticed before an incident needs it (RR-20). It
 * ignores an outage of GitHub, which other features report.
 */
export function keepAppLook({ log }: Pick<Deps, "log">, look: AppReach["look"]): { readonly stop: () => void } {
  let next: NodeJS.Timeout | undefined;
  let stopped = false;
  let refused = false;
  const once = async (): Promise<void> => {
    const found = await look();
    if (found.kind === "refused" && !refused) log.error({ module: "github", event: "app_refused", reason: found.why });
    if (found.kind === "taken" && refused) log.info({ module: "github", event: "app_taken" });
    if (found.kind !== "silent") refused = found.kind === "refused";
    if (!stopped) next = setTimeout(once, found.kind === "taken" ? everyMs : againMs).unref();
  };
  void once();
  return {
    stop: () => {
      stopped = true;
      clearTimeout(next);
    },
  };
}
