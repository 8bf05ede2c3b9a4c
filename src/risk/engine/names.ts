/** What a program's name alone tells: known only when it runs, in a strange place, or not what it looks like. */
import { type Arg, type Flow, hole, nothing, shown, unknownFlow } from "./arg.ts";
import { isRootTarget, matcherOf, normalise } from "./paths.ts";
import type { Scan } from "./scan.ts";
import { findInstalled, findWritten } from "./written.ts";

/** The program's name is a variable or a glob: high, and block where any program with these words would be one. */
export function judgeUnknownName(name: Arg, rest: readonly Arg[], scan: Scan): Flow {
  scan.markUnknown();
  scan.report("high", "call.dynamic", `the program ${shown(name.text)} is known only when it runs`, name);
  const isForced = rest.some((a) => /^-[a-zA-Z]*[rRf]|^--(recursive|force|no-preserve-root)/.test(a.text));
  const root = rest.find(
    (a) => !a.text.startsWith("-") && a.text !== hole && isRootTarget(a, scan.cwd, scan.protectedPaths),
  );
  // `[s]ystemctl` is only one name.
  const single = name.text.replace(/\[(\w)\]/g, "$1");
  if (name.glob)
    for (const text of programsOf(single, scan))
      scan.attempt(() => scan.runArgs([{ ...name, text, dynamic: false, glob: false }, ...rest], nothing));
  // Most unknown parts are empty when it runs (`r$@m`).
  const isPartly = name.text !== hole && name.text.includes(hole);
  if (isPartly)
    scan.attempt(() =>
      scan.runArgs([{ ...name, text: name.text.replaceAll(hole, ""), dynamic: false }, ...rest], nothing),
    );
  if (isForced && root)
    scan.report("block", "call.dynamic", `would hit ${shown(root.text)} whatever the program is`, root);
  if (rest.some((a) => /^of=\/dev\/(sd|nvme|vd|xvd|hd|mapper)/.test(a.text))) {
    scan.report("block", "call.dynamic", "would write to a raw disk whatever the program is", name);
  }
  return unknownFlow;
}

const maxPrograms = 12;

/** The programs of the rules that a glob may stand for (`/sbin/auditct*`, `/bin/r?`). */
function programsOf(glob: string, scan: Scan): readonly string[] {
  const last = glob.slice(glob.lastIndexOf("/") + 1);
  if (!/[*?[]/.test(glob)) return [glob];
  // A name of stars only may be anything: nothing is learnt by trying.
  const matcher = /\w/.test(last) ? matcherOf(last) : undefined;
  if (!matcher || !scan.spend(scan.table.size >> 6)) return [];
  return [...scan.table.keys()].filter((name) => matcher.test(name)).slice(0, maxPrograms);
}

/** A program named by a path: fetched by this very script is block, from a folder anybody may write to is high. */
export function checkLocation(name: Arg, stdin: Flow, scan: Scan): void {
  const path = normalise(name.text, scan.cwd);
  const written = name.text.includes("/") ? findWritten(name, scan) : findInstalled(name.text, scan);
  if (written) {
    if (written.taint)
      scan.report("block", "flow.run", `runs ${shown(path)}, which was downloaded or decoded just before`, name);
    else if (written.text !== undefined) scan.runShell(written.text, stdin, `in ${shown(path)}`);
    else
      scan.report(
        "high",
        "flow.run",
        `runs ${shown(path)}, which was written just before, with text known only when it runs`,
        name,
      );
  }
  if (/^\/(tmp|var\/tmp|dev\/shm|run\/user)\//.test(path) || /^\/home\//.test(path)) {
    scan.report("high", "call.folder", `runs a program from ${shown(path)}, where anybody may have put it`, name);
  }
}

/** Letters of another script in a program's name: never what it looks like. */
export function checkLookAlike(name: Arg, scan: Scan): boolean {
  if (!/[^ -~]/.test(name.text)) return false;
  const plain = name.text.normalize("NFKC");
  scan.markUnknown();
  scan.report("high", "call.look-alike", `the program's name ${shown(name.text)} has letters that are not ASCII`, name);
  if (plain !== name.text) scan.runShell(plain, nothing, "after Unicode normalisation");
  return true;
}
