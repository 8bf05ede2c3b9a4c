/** What a call touches: its operands by their role, and options that name files or commands. */

import type { Compiled } from "../table.ts";
import { type Arg, nothing, shown } from "./arg.ts";
import { deletePath, readPath, writePath } from "./effects.ts";
import type { Option, Parsed } from "./options.ts";
import { normalise } from "./paths.ts";
import type { Scan } from "./scan.ts";
import { findWritten } from "./written.ts";

/** Reads, writes and deletes of the operands, by their role, and of options that name files. */
export function touchPaths(rule: Compiled, { options, operands }: Parsed, scan: Scan) {
  runOptions(rule, options, scan);
  switch (rule.detail.operands) {
    case "read":
      // The table of readers shares one list of options; a value that is in truth a file is read all the same.
      for (const { value } of options) if (value && !/^\W*\d*\W*$/.test(value.text)) readPath(value, scan);
      return operands.forEach((arg) => {
        readPath(arg, scan);
      });
    case "pattern-read": {
      const hasPattern = options.some((o) => /^(-e|-f|--regexp|--file|--expression)$/.test(o.name));
      return operands.slice(hasPattern ? 0 : 1).forEach((arg) => {
        readPath(arg, scan);
      });
    }
    case "write":
    case "append":
      return operands.forEach((arg) => {
        writePath(arg, rule.detail.operands === "append" ? "append" : "overwrite", scan);
      });
    case "edit":
      return operands.forEach((arg) => {
        readPath(arg, scan);
        writePath(arg, "append", scan);
      });
    case "touch":
      return operands.forEach((arg) => {
        writePath(arg, "append", scan);
      });
    case "delete":
      return operands.forEach((arg) => {
        deletePath(arg, scan);
      });
    case "target-last": {
      const target = options.find((o) => o.name === "-t" || o.name === "--target-directory")?.value ?? operands.at(-1);
      for (const arg of operands) if (arg !== target) readPath(arg, scan);
      if (target) writePath(target, "replace", scan);
      return;
    }
    default:
      return;
  }
}

/** What the options of a call read, write and run. */
export function runOptions({ grammar, id }: Compiled, options: readonly Option[], scan: Scan): void {
  for (const { name, value } of options) {
    if (!value) continue;
    const kind = grammar.kinds.get(name);
    if (kind === "path-read")
      readPath(value.text.startsWith("@") ? { ...value, text: value.text.slice(1) } : value, scan);
    if (kind === "path-write" && value.text !== "-") writePath(value, "overwrite", scan);
    if (kind === "script") runFile(value, id, scan);
    if (kind === "argv") {
      scan.report("medium", id, `runs a command through ${name}`, value);
      scan.runShell(value.text, nothing, `in ${name}`);
    }
  }
}

/** A file that a program takes its commands from. */
function runFile(file: Arg, ruleId: string, scan: Scan): void {
  const path = normalise(file.text, scan.cwd);
  const written = findWritten(file, scan);
  const taint = file.taint ?? written?.taint;
  const text = written?.text;
  if (taint === "network" || taint === "decoded")
    scan.report("block", "flow.run", `runs ${shown(path)}, which was downloaded or decoded`, file);
  else if (text !== undefined)
    scan.attempt(() => scan.runShell(text.replace(/^[^\t\n]+:.*$/gm, ""), nothing, `in ${shown(path)}`));
  else if (/^\/(tmp|var\/tmp|dev\/shm)\//.test(path))
    scan.report("high", ruleId, `runs ${shown(path)}, from a folder anybody may write to`, file);
}
