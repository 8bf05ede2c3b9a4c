/** Files that tell a program whom to talk to and what to run, beside its own words: `--kubeconfig`, `AWS_CONFIG_FILE`. */
import { type Arg, hole, shown } from "../engine/arg.ts";
import { classesOf, normalise } from "../engine/paths.ts";
import type { Scan } from "../engine/scan.ts";
import { findWritten } from "../engine/written.ts";
import { hostOfAddress } from "./hosts.ts";

/** Where only who administers the machine, or the user that commands run as, keeps settings. */
export const keptPlace = /^\/(etc|usr|opt|root|home\/~|var\/lib|run\/secrets)\//;

/** Notes that a program takes its settings from a file. The settings of a client may send it anywhere. */
export function takeSettings(file: Arg, { said, client }: { said: string; client: boolean }, scan: Scan): void {
  const path = normalise(file.text, scan.cwd);
  const isOpen =
    classesOf(file, scan.cwd).has("temporary") ||
    hostOfAddress(file.text) !== undefined ||
    findWritten(file, scan) !== undefined;
  if (!isOpen && (path === "/dev/null" || (keptPlace.test(path) && !file.text.includes(hole)))) return;
  if (client) scan.reach("outside", file.text.includes(hole));
  if (isOpen)
    scan.report("medium", "reach.settings", `${said} ${shown(path)}: settings that anybody may have written`, file);
}
