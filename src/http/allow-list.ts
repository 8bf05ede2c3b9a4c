/** Whose webhooks are read at all (SR-05). Beside the signature, and before it: what others send costs no memory and no hashing. */

import { messageOf } from "../base/errors.ts";
import { every } from "../base/every.ts";
import { addressOf, type Caller, createNetworks } from "../base/networks.ts";
import type { Logger } from "../telemetry/log.ts";

export interface AllowFrom {
  /** Addresses and networks (`192.0.2.0/24`), and `github` for those that GitHub names as its own. Nothing: everybody. */
  readonly allowFrom?: readonly string[] | undefined;
  /** How many proxies of ours stand in front, each of which adds whom it heard to X-Forwarded-For. */
  readonly trustedProxies: number;
}

const lookMs = 60_000;
const freshMs = 3_600_000;

/**
 * Keeps the list in force: the settings as they are now, and GitHub's addresses, asked for anew each hour. What GitHub told last
 * holds while it cannot be asked; before it was heard once, none of its addresses is known and its webhooks are refused, to be
 * fetched from it later (RR-03).
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
