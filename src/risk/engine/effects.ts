/** What touching a path means: the level of reading, writing and deleting it, by what the path is. */

import { type WriteRule, writeRules } from "../knowledge/paths.ts";
import { type Arg, hole, nothing, shown } from "./arg.ts";
import { words } from "./options.ts";
import {
  classesOf,
  holdsSecrets,
  isRootTarget,
  mayBeSecret,
  meetsSecret,
  namesSecretFile,
  normalise,
} from "./paths.ts";
import type { Scan } from "./scan.ts";

/** The path as a person should read it: resolved where that is possible. */
export const place = (arg: Arg, scan: Scan): string =>
  shown(normalise(arg.text, scan.cwd).replace(/^\/home\/~/, "~")) || "(nothing)";

/** Reading a file's content: never more than low, but for keys and credentials, and for what may be one if its content is shown. */
export function readPath(arg: Arg, scan: Scan, isShown = true): void {
  const classes = classesOf(arg, scan.cwd);
  scan.tracer?.file("read", place(arg, scan));
  if (classes.has("secret")) scan.report("block", "path.secret", `reads the secret ${place(arg, scan)}`, arg);
  else if (classes.has("credentials"))
    scan.report("high", "path.credentials", `reads credentials in ${place(arg, scan)}`, arg);
  else if (classes.has("device")) scan.report("high", "path.device", `reads the raw disk ${place(arg, scan)}`, arg);
  else if (classes.has("consumed"))
    scan.report("medium", "path.device", `reads ${place(arg, scan)}, which does something or takes from others`, arg);
  else if (isShown && mayBeSecret(arg, scan.cwd))
    scan.report(
      "medium",
      "path.unknown",
      `reads ${place(arg, scan)}, known only when it runs: it may be a secret`,
      arg,
    );
  else if (isShown && namesSecretFile(arg, scan.cwd))
    scan.report("medium", "path.named", `reads ${place(arg, scan)}, whose name says that it holds secrets`, arg);
  else if (isShown && meetsSecret(arg, scan.cwd)) scan.reveal(`reads ${place(arg, scan)}, of which some may be secret`);
}

/** Reading a file out of an archive, as a backup of `/` holds it: `etc/shadow`. */
export const readMember = (arg: Arg, scan: Scan): void =>
  readPath({ ...arg, text: `/${arg.text.replace(/^(?:\.?\/)+/, "")}` }, scan);

/** Reading a folder with all below it. */
export function readBelow(arg: Arg, scan: Scan): void {
  if (holdsSecrets(arg, scan.cwd)) scan.reveal(`reads what is below ${place(arg, scan)}, of which some is secret`);
}

export type WriteKind = "overwrite" | "append" | "replace";

const writeVerbs: Readonly<Record<WriteKind, string>> = {
  append: "appends to",
  overwrite: "overwrites",
  replace: "writes",
};

/** Writing a file: `replace` is a copy or move onto a name that is usually new. */
export function writePath(arg: Arg, how: WriteKind, scan: Scan): void {
  const classes = classesOf(arg, scan.cwd);
  if (classes.has("sink")) return;
  const path = normalise(arg.text, scan.cwd);
  scan.tracer?.file("written", place(arg, scan));
  const what = `${writeVerbs[how]} ${place(arg, scan)}`;
  if (arg.taint === "decoded" && path.startsWith("/dev/"))
    scan.report("block", "path.unknown", `${what}, a device whose name is decoded`, arg);
  if (isProtected(path, scan.protectedPaths)) {
    scan.report("high", "path.protected", `${what}, which the operator protects`, arg);
  }
  const fits = (rule: WriteRule): boolean =>
    (!rule.class || classes.has(rule.class)) &&
    (rule.path?.test(path) ?? true) &&
    (!rule.how || words(rule.how).includes(how));
  const rule = writeRules.find(fits);
  if (rule) scan.report(rule.risk, rule.id, what + (rule.why ?? ""), arg);
}

/** True where the path lies in or is one of the operator's protected paths. */
const isProtected = (path: string, protectedPaths: readonly string[]): boolean =>
  protectedPaths.some((p) => path === p || path.startsWith(p.endsWith("/") ? p : `${p}/`));

/** What is written where something runs it by itself: each line, without what a timer or a unit file puts before it. */
export function tryStartup(path: string, text: string | undefined, scan: Scan): void {
  if (text === undefined || !/^\/(etc\/|var\/spool\/cron|root\/|home\/|usr\/lib\/systemd|lib\/systemd)/.test(path))
    return;
  for (const line of text.split("\n").slice(0, 40)) {
    const timed = /^\s*(?:@\w+|(?:[\d*/,-]+\s+){5})(?:root\s+)?(.+)$/.exec(line)?.[1];
    const unit = /^\s*Exec\w+=[-+!@:]*(.+)$/.exec(line)?.[1];
    scan.attempt(() => scan.runShell(timed ?? unit ?? line, nothing, `in ${path}`));
  }
}

/** Deleting: a system root is block, anything else high. */
export function deletePath(arg: Arg, scan: Scan, verb = "deletes"): void {
  const classes = classesOf(arg, scan.cwd);
  const what = `${verb} ${place(arg, scan)}`;
  scan.tracer?.file("deleted", place(arg, scan));
  if (isRootTarget(arg, scan.cwd, scan.protectedPaths)) {
    scan.report("block", "path.root", `${what}, a root of the system`, arg);
  } else if (classes.has("device")) scan.report("block", "path.device", `${what}, a device`, arg);
  else if (classes.has("core-log")) scan.report("block", "path.log", `${what}, a log that must stay`, arg);
  else if (arg.dynamic || arg.text.includes(hole)) {
    scan.report("high", "path.unknown", `${what}, known only when it runs`, arg);
  } else scan.report("high", "path.delete", what, arg);
}
