/** What bash evaluates once more: the text of an arithmetic expression or of an index, and what the variables named in it hold. */
import { hole, nothing } from "../engine/arg.ts";
import type { Scan } from "../engine/scan.ts";

/** A text that is evaluated; `isTame` if what is unknown in it can hold no code (`wc -l` prints a number). */
interface EvaluatedText {
  readonly text: string;
  readonly isTame?: boolean | undefined;
}

/** Substitutions and lengths are no names of variables. */
const noNames = /\$\([^)]*\)|`[^`]*`|\$\{#\w+(?:\[[^\]]*\])?\}|0x[\da-f]+|\d+#\w+/gi;
const maxNames = 40;

/** Judges a text as arithmetic reads it: `q[$(…)]` runs what is in it, and a name is read again by its value. */
export function evaluateText({ text, isTame }: EvaluatedText, scan: Scan, seen: ReadonlySet<string> = new Set()): void {
  if (/^\s*-?\d*\s*$/.test(text)) return;
  if (/\$\(|`/.test(text)) scan.runShell(`cat <<__index\n${text}\n__index`, nothing, "in an index");
  if (text.includes(hole) && !isTame) reportUnknown(scan);
  evaluateNames(text, scan, seen);
}

/** Judges what the variables hold that a text names. */
export function evaluateNames(text: string, scan: Scan, seen: ReadonlySet<string> = new Set()): void {
  for (const [name] of [...text.replace(noNames, " ").matchAll(/[A-Za-z_]\w*|\$\{?[1-9@*]/g)].slice(0, maxNames)) {
    const own = name.replace(/^\$\{?/, "");
    const variable = seen.has(own) ? undefined : scan.variables.get(own);
    if (!variable || !scan.spend()) continue;
    for (const value of new Set([...variable.values, ...(variable.list ?? [])])) {
      // A name of a file may be an index.
      const isTame = variable.isTame && !variable.listed;
      if (variable.listed || /[*?]/.test(value)) reportUnknown(scan);
      else evaluateText({ text: value, isTame }, scan, new Set([...seen, own]));
    }
  }
}

/** What comes from outside may be `q[$(…)]`. */
function reportUnknown(scan: Scan): void {
  scan.markUnknown();
  scan.report("medium", "shell.evaluated", "evaluates as arithmetic what is known only when it runs, and may run it");
}
