import { statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname } from "node:path";
import type { Deps } from "../context.ts";
import { haltSummary, readSwitch } from "../incident/halt.ts";

export interface Inability {
  readonly place: string;
  readonly what: string;
  readonly remedy: string;
}

export interface Setup {
  readonly checks: Readonly<Record<string, string>>;
  readonly reasons: readonly Inability[];
}

export interface Readiness {
  /** It accepts webhooks, and with them `/hold`. */
  readonly ok: boolean;
  /** It can also work; otherwise `reasons` say why not. */
  readonly able: boolean;
  readonly reasons: readonly Inability[];
  readonly checks: Readonly<Record<string, string>>;
}

/**
 * Answers `/readyz` (RR-11, RR-20, F-11). Not ok only if the store takes nothing, because a probe that cut the bot off would cut off
 * `/hold`. An unasked GitHub is no fault: a new bot has nothing to ask.
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

/** For running outputs, the log and the checkpoint. A full disk does not stop webhooks. */
async function diskSummary({ logging, audit }: Deps["config"]): Promise<string> {
  const files = [logging.file, audit.checkpointFile].flatMap((file) => file ?? []);
  for (const folder of new Set([tmpdir(), ...files.map((file) => dirname(file))])) {
    const room = await statfs(folder).catch(() => undefined);
    if (!room) return `${folder} cannot be looked at`;
    if (room.bavail * room.bsize < minFreeMb * 1024 * 1024) return `less than ${minFreeMb} MB left in ${folder}`;
  }
  return "has room";
}
