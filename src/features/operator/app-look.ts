import type { AppReach } from "../../github/app/reach.ts";
import type { Deps } from "../context.ts";

const everyMs = 3_600_000;
const againMs = 5 * 60_000;

/** Tries the App's key at the start and hourly, to notice a revoked key before an incident (RR-20). Ignores GitHub's outages. */
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
