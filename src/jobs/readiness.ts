import { haltSummary, readSwitch } from "./halt.ts";
import type { World } from "./world.ts";

export interface Readiness {
  readonly ok: boolean;
  readonly checks: Readonly<Record<string, string>>;
}

/**
 * What `/readyz` says (RR-20). Not ready is who cannot keep what is brought: then nothing runs either, since what cannot be
 * recorded is not done. A GitHub that is away, or was not
 * asked yet, is named and no reason not to take its webhooks (RR-11, F-11): a bot that waits for its first one has nothing to ask.
 */
export async function readiness(world: Pick<World, "store" | "config">, github: string): Promise<Readiness> {
  try {
    await world.store.writable();
  } catch {
    return { ok: false, checks: { store: "cannot be written, so nothing is accepted and nothing is run", github } };
  }
  return {
    ok: true,
    checks: { store: "writable", halted: haltSummary(await readSwitch(world, world.store.db)), github },
  };
}
