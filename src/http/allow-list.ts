/** Refuses webhooks by address before the signature is checked: a stranger costs no memory and no hashing (SR-05, RR-03). */

import { every } from "../base/clock.ts";
import { messageOf } from "../base/errors.ts";
import { addressOf, type Caller, createNetworks } from "../base/networks.ts";
import type { Logger } from "../telemetry/log.ts";

export interface AllowFrom {
  /** Addresses, networks (`192.0.2.0/24`), and `github` for GitHub's own. Everyone if missing. */
  readonly allowFrom?: readonly string[] | undefined;
  /** Each adds its sender to X-Forwarded-For. */
  readonly trustedProxies: number;
}

const lookMs = 60_000;
const freshMs = 3_600_000;

/**
 * Reads GitHub's addresses hourly; the last ones stay in force. Before the first answer GitHub's webhooks are refused, and fetched later.
 */
export function keepAllowList(
  settings: () => AllowFrom,
  { fetchGitHubs, log }: { readonly fetchGitHubs: () => Promise<readonly string[]>; readonly log: Logger },
): { readonly admits: (caller: Caller) => boolean; readonly stop: () => Promise<void> } {
  let githubs: readonly string[] = [];
  let heardAt = Number.NEGATIVE_INFINITY;
  let made: { readonly from: readonly unknown[]; readonly has: (address: string) => boolean } | undefined;
  const look = async (): Promise<void> => {
    if (!settings().allowFrom?.includes("github") || performance.now() - heardAt < freshMs) return;
    githubs = await fetchGitHubs();
    heardAt = performance.now();
  };
  const looking = every(lookMs, look, (error) => {
    const known = `${githubs.length} networks of GitHub are known`;
    log.warn({ module: "front", event: "allow_list_late", reason: messageOf(error), msg: known });
  });
  return {
    admits: (caller) => {
      const { allowFrom, trustedProxies } = settings();
      if (allowFrom === undefined) return true;
      if (made?.from[0] !== allowFrom || made.from[1] !== githubs) {
        const texts = allowFrom.flatMap((text) => (text === "github" ? githubs : [text]));
        made = { from: [allowFrom, githubs], has: createNetworks(texts) };
      }
      const address = addressOf(caller, trustedProxies);
      return address !== undefined && made.has(address);
    },
    stop: looking.stop,
  };
}
