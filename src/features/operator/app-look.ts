import type { AppReach } from "../../github/app/reach.ts";
import type { Deps } from "../context.ts";

const everyMs = 3_600_000;
/** Until GitHub takes the key again. */
const againMs = 5 * 60_000;

/**
 * Shows GitHub the App's key at the start and each hour, so that one that was revoked is known before the night in which it is needed
 * (RR-20). A GitHub that does not answer is another matter, of which its users tell.
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
