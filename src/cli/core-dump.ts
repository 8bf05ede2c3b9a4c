import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { messageOf, type Problem } from "../base/errors.ts";

/**
 * Keeps this process's memory, and with it every key it will hold, out of a core dump, whoever writes one and wherever to (SR-56):
 * the kernel is told to dump no memory, which unlike `ulimit -c 0` also holds where dumps are piped to a program, and in a
 * container that nobody set a limit for. Returns what belongs in the log where that is refused and dumps are on. Where the system
 * does not tell of itself under `proc` (not Linux), nothing is known and nothing said. Never throws.
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
