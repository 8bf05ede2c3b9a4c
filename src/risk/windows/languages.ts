/** PowerShell and cmd call each other: this ties the two together, with the nesting bounded. */
import { maxDepth, type Scan } from "../engine/scan.ts";
import { walkCmd } from "./cmd.ts";
import type { Languages } from "./native.ts";
import { walkPowerShell } from "./powershell.ts";
import type { State } from "./words.ts";

/** The Windows languages over one scan; what is nested too deeply is high. */
export function createWindows(scan: Scan): Languages {
  const state: State = { variables: new Map(), aliases: new Map(), functions: new Set(), fetched: false, nesting: 0 };
  const nested = (text: string, seen: string, walk: () => void): void => {
    if (scan.depth >= maxDepth) {
      scan.refuse("evaluate.depth", "nests commands too deeply to be classified");
      return;
    }
    const [outer, whole] = [scan.seen, scan.text];
    scan.depth++;
    // What it holds may be used by what stands around it, and the other way about.
    if (!whole.includes(text)) scan.text = `${whole}\n${text}`;
    scan.seen = seen || outer;
    walk();
    scan.seen = outer;
    scan.text = whole;
    scan.depth--;
  };
  const languages: Languages = {
    powershell: (text, seen) => nested(text, seen, () => walkPowerShell(text, { scan, languages, state })),
    cmd: (text, seen) => nested(text, seen, () => walkCmd(text, scan, languages)),
  };
  return languages;
}
