/** PowerShell and cmd call each other: this ties the two together, with the nesting bounded. */
import { maxDepth, type Scan } from "../scan.ts";
import { walkCmd } from "./cmd.ts";
import { createPsState } from "./context.ts";
import type { Languages } from "./native.ts";
import { checkPipelines, walkPowerShell } from "./powershell.ts";

/** The Windows languages over one scan; what is nested too deeply is high. */
export function createWindows(scan: Scan): Languages {
  const state = createPsState();
  const nested = (seen: string, walk: () => void): void => {
    if (scan.depth >= maxDepth) {
      scan.report("high", "evaluate.depth", "nests commands too deeply to be classified");
      return;
    }
    const outer = scan.seen;
    scan.depth++;
    scan.seen = seen || outer;
    walk();
    scan.seen = outer;
    scan.depth--;
  };
  const languages: Languages = {
    powershell: (text, seen) =>
      nested(seen, () => {
        checkPipelines(text, scan);
        walkPowerShell(text, { scan, languages, state });
      }),
    cmd: (text, seen) => nested(seen, () => walkCmd(text, scan, languages)),
  };
  return languages;
}
