import { statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname } from "node:path";
import type { Deps } from "../context.ts";
import { haltSummary, readSwitch } from "../incident/halt.ts";

/** One thing that the bot cannot do as it is set up, and what to do. */
export interface Inability {
  readonly place: string;
  readonly what: string;
  readonly remedy: string;
}

/** How everything stands that only a person can fix. */
export interface Setup {
  readonly checks: Readonly<Record<string, string>>;
  readonly reasons: readonly Inability[];
}

export interface Readiness {
  /** Whether it takes what is brought: webhooks, and with them `/hold`. */
  readonly ok: boolean;
  /** Whether it can also do its work; else the reasons say why not. */
  readonly able: boolean;
  readonly reasons: readonly Inability[];
  readonly checks: Readonly<Record<string, string>>;
}

/**
 * What `/readyz` says (RR-20). Not ok is who cannot keep what is brought: then nothing runs either, since what cannot be
 * recorded is not done. Whatever else is wrong makes the bot unable and not less ok: a probe that cut it off would take `/hold` away, too.
 * A GitHub that was not asked yet is no fault (RR-11, F-11): a bot that waits for its first webhook has nothing to ask.
 */
export async function readiness(
  deps: Pick<Deps, "store" | "config">,
  github: string,
  { checks, reasons }: Setup,
): Promise<Readiness> {
  try {
    await deps.store.writable();
  } catch {
    const what = "cannot be written, so nothing is accepted and nothing is run";
    const full = { place: "store", what, remedy: "make room on its disk, or look whether its database is up" };
    return { ok: false, able: false, reasons: [full, ...reasons], checks: { store: what, github } };
  }
  return {
    ok: true,
    able: reasons.length === 0,
    reasons,
    checks: {
      store: "writable",
      halted: haltSummary(await readSwitch(deps, deps.store.db)),
      disk: await diskSummary(deps.config),
      github,
      ...checks,
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
