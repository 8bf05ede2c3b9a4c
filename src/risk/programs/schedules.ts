/** What runs later: `crontab`, `at`, `batch`. */
import type { Check } from "../engine/apply.ts";
import { nothing, shown } from "../engine/arg.ts";
import { normalise } from "../engine/paths.ts";

/** `crontab`: `-l` lists, `-r` deletes, a file or stdin replaces. */
export const crontab: Check = ({ has, operands, stdin, report, scan }) => {
  if (has("-r")) report("high", "deletes the crontab");
  else if (has("-l")) report("low", "crontab: only lists");
  else if (has("-e") || operands.length > 0 || stdin.present) {
    report("high", "replaces the crontab");
    const [file] = operands;
    const given = file && file.text !== "-" ? scan.files.get(normalise(file.text, scan.cwd)) : stdin;
    if ((given?.taint ?? file?.taint) === "network" || given?.taint === "decoded")
      report("block", "runs by the clock what was downloaded or decoded");
    for (const line of (stdin.text ?? stdin.pieces ?? "").split("\n")) {
      const command = /^\s*(?:@\w+|(?:\S+\s+){5})(.*)$/.exec(line)?.[1];
      if (command) scan.runShell(command, nothing, "in the crontab");
    }
  } else report("medium", "crontab without an option");
  return undefined;
};

/** `at`, `batch`: stdin is shell text that runs later. */
export const schedule: Check = ({ stdin, has, report, scan, value }) => {
  if (has("-l", "-c")) report("low", "at: only lists");
  else if (has("-d", "-r")) report("medium", "takes a job off the list");
  else {
    report("medium", "runs a command later");
    const file = value("-f");
    if (file) report("high", `runs ${shown(file.text)} later`, file);
    if (stdin.taint === "network" || stdin.taint === "decoded")
      report("block", "runs later what was downloaded or decoded");
    else if (stdin.text !== undefined) scan.runShell(stdin.text, nothing, "in at");
    else if (stdin.present) report("high", "runs later what comes through a pipe");
  }
  return undefined;
};
