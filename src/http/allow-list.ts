/** Refuses webhooks by address before their signature is checked, so that others cost no memory and no hashing (SR-05, RR-03). */

import { messageOf } from "../base/errors.ts";
import { every } from "../base/every.ts";
import { addressOf, type Caller, createNetworks } from "../base/networks.ts";
import type { Logger } from "../telemetry/log.ts";

export interface AllowFrom {
  /** Addresses and networks (`192.0.2.0/24`), and `github` for those that GitHub publishes. Everyone if it is missing. */
  readonly allowFrom?: readonly string[] | undefined;
  /** How many of the operator's proxies are in front; each adds its sender to X-Forwarded-For. */
  readonly trustedProxies: number;
}

const lookMs = 60_000;
const freshMs = 3_600_000;

/**
 * Follows the settings, and reads GitHub's addresses every hour. While GitHub does not answer, its last addresses stay in force. Before its
 * first answer the bot refuses its webhooks, and fetches them from GitHub later.
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
