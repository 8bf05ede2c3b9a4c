import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { messageOf, type Problem } from "../base/errors.ts";

/**
 * Keeps keys in memory out of core dumps (SR-56). Unlike `ulimit -c 0`, the kernel's filter also holds if dumps are piped to a program, and
 * in a container without a limit. Returns a warning if the kernel refuses and dumps are on. Never throws; does nothing without `proc` (not
 * Linux).
 */
export function keepOutOfCoreDumps(proc = "/proc/self"): Problem | undefined {
  const filter = join(proc, "coredump_filter");
  try {
    if (!existsSync(proc)) return undefined;
    writeFileSync(filter, "0");
    return undefined;
  } catch (error) {
    if (softLimit(proc) === "0") return undefined;
    const message = `core dumps are on and would hold keys; ${filter} cannot be written: ${messageOf(error)}`;
    return { place: "core dumps", message, remedy: "start it with `ulimit -c 0`, LimitCORE=0 or --ulimit core=0" };
  }
}

function softLimit(proc: string): string | undefined {
  try {
    return /^Max core file size\s+(\S+)/m.exec(readFileSync(join(proc, "limits"), "utf8"))?.[1];
  } catch {
    // Unknown counts as on.
    return undefined;
  }
}
