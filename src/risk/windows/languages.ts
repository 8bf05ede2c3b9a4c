/** PowerShell and cmd call each other: this ties the two together, with the nesting bounded. */
import { maxDepth, type Scan } from "../engine/scan.ts";
import { walkCmd } from "./cmd.ts";
import { knownNames } from "./command.ts";
import type { PsState } from "./context.ts";
import type { Languages } from "./native.ts";
import { walkPowerShell } from "./powershell.ts";
import { produce } from "./producers.ts";

/** How much is evaluated; beyond it a value counts as unknown, which is never lower. */
const maxSteps = 60_000;

/** The Windows languages over one scan; what is nested too deeply is high. */
export function createWindows(scan: Scan): Languages {
  let steps = 0;
  const state: PsState = {
    variables: new Map(),
    aliases: new Map(),
    functions: new Map(),
    partial: new Map(),
    made: new Set(),
    names: knownNames,
    produce,
    spend: () => ++steps <= maxSteps,
    depth: 0,
    fetched: false,
    nesting: 0,
  };
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
    powershell: (text, seen) => nested(seen, () => walkPowerShell(text, { scan, languages, state })),
    cmd: (text, seen) => nested(seen, () => walkCmd(text, scan, languages)),
  };
  return languages;
}
