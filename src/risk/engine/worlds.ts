/** A variable may have several values (a loop, a branch): each command is judged once for every combination it reads. */
import type { Flow } from "./arg.ts";
import { nothing } from "./arg.ts";
import type { Scan } from "./scan.ts";

const maxWorlds = 128;

/** Runs `judge` for every combination of the variables it reads; too many of them is high. */
export function inEveryWorld(scan: Scan, judge: () => Flow): Flow {
  if (scan.world.size > 0) return judge();
  let flow = nothing;
  for (let n = 0; n < maxWorlds; n++) {
    flow = judge();
    if (!advance(scan.world)) {
      scan.world.clear();
      return flow;
    }
  }
  scan.world.clear();
  scan.refuse("shell.budget", "has more combinations of values than can be looked at");
  return flow;
}

/** Counts up like an odometer; false when all combinations have been seen. */
function advance(world: Map<string, { index: number; count: number }>): boolean {
  for (const choice of world.values()) {
    choice.index++;
    if (choice.index < choice.count) return true;
    choice.index = 0;
  }
  return false;
}
