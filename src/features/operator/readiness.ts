import { statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname } from "node:path";
import type { Deps } from "../context.ts";
import { haltSummary, readSwitch } from "../incident/halt.ts";

export interface Readiness {
  readonly ok: boolean;
  readonly checks: Readonly<Record<string, string>>;
}

/**
 * What `/readyz` says (RR-20). Not ready is who cannot keep what is brought: then nothing runs either, since what cannot be
 * recorded is not done. A GitHub that is away, or was not
 * asked yet, is named and no reason not to take its webhooks (RR-11, F-11): a bot that waits for its first one has nothing to ask.
 */
export async function readiness(
  deps: Pick<Deps, "store" | "config">,
  github: string,
  setup: Readonly<Record<string, string>> = {},
): Promise<Readiness> {
  try {
    await deps.store.writable();
  } catch {
    return { ok: false, checks: { store: "cannot be written, so nothing is accepted and nothing is run", github } };
  }
  return {
    ok: true,
    checks: {
      store: "writable",
      halted: haltSummary(await readSwitch(deps, deps.store.db)),
      disk: await diskSummary(deps.config),
      github,
      ...setup,
    },
  };
}

const minFreeMb = 64;

/** Where this machine itself writes, wherever the store is: outputs that are under way, the log, the checkpoint. No reason to take nothing. */
async function diskSummary({ logging, audit }: Deps["config"]): Promise<string> {
  const files = [logging.file, audit.checkpointFile].flatMap((file) => file ?? []);
  for (const folder of new Set([tmpdir(), ...files.map((file) => dirname(file))])) {
    const room = await statfs(folder).catch(() => undefined);
    if (!room) return `${folder} cannot be looked at`;
    if (room.bavail * room.bsize < minFreeMb * 1024 * 1024) return `less than ${minFreeMb} MB left in ${folder}`;
  }
  return "has room";
}
