import { isOlderThan } from "../../base/clock.ts";
import { sleep } from "../../base/sleep.ts";
import { defaultLimits } from "../../ssh/limits.ts";
import type { Deps } from "../context.ts";
import { lookAgainMs, maxLooks } from "./issue-look.ts";

const { freshMs, toWriteMs } = defaultLimits;

/** Whether what was asked then, in ms of the wall clock, is too old to send anything on it (SR-24, F-35); the write itself asks too. */
export const isStale = (lookedAt: number): boolean => isOlderThan(freshMs - toWriteMs, lookedAt);

/** Waits a moment for the operator's files where they are being read; whoever goes on then asks once more at the end (CFG-1). */
export async function waitForConfig({ isConfigCurrent }: Pick<Deps, "isConfigCurrent">): Promise<void> {
  for (let looks = 0; !isConfigCurrent() && looks < maxLooks; looks++) await sleep(lookAgainMs);
}
