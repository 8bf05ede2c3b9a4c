import { parseDuration } from "../../base/duration.ts";
import { duration } from "../../github/render/ink.ts";
import type { Action } from "../../store/actions.ts";

export type TimeRead = { readonly ms: number } | { readonly mistake: string };

/** Reads `10m`, `90s` or `1h`, at most the actions' hard limit, because the server ends them then. Pure. */
export function readTime(text: string, actions: readonly Action[]): TimeRead {
  const ms = parseDuration(text.toLowerCase());
  if (ms === undefined || ms <= 0) return { mistake: "A time is written `10m`, `90s` or `1h`." };
  const over = actions.find((action) => ms > hardLimitOf(action));
  if (!over) return { ms };
  return {
    mistake: `**${over.number}** is ended after ${duration(hardLimitOf(over))} in any case; name a shorter time.`,
  };
}

const hardLimitOf = ({ spec }: Action): number => Math.min(...spec.targets.map(({ hardTimeoutMs }) => hardTimeoutMs));
