import { takeSettings } from "../reach/settings.ts";
import { type CompiledRule, programFacts } from "../table.ts";
import { type Arg, isForeign, nothing, shown } from "./arg.ts";
import { deletePath, place, readBelow, readMember, readPath, writePath } from "./effects.ts";
import type { Option, ParsedArguments } from "./options.ts";
import { classesOf, isRootTarget, normalise } from "./paths.ts";
import type { Scan } from "./scan.ts";
import { findWritten, noteLink, writtenBelow } from "./written.ts";

/** What a call touches: its operands by their role, and options that name files or commands. */

/** Programs that print numbers, sums or names of what they read, and options with which others do so. */
const counting = /^(wc|cksum|sum|b2sum|md5sum|sha\d+sum|cmp|file|xxhsum|xxh\d+sum)$/;
const countingOption = /^(-[lLcq]|--count|--quiet|--silent|--files-with(out)?-match(es)?)$/;

/** Reads, writes and deletes of the operands, by their role, and of options that name files. */
export function touchPaths(
  rule: CompiledRule,
  { program, options, operands }: ParsedArguments & { readonly program: string },
  scan: Scan,
) {
  runOptions(rule, options, scan);
  const { role } = rule;
  const isShown = !(
    counting.test(program) ||
    (role === "pattern-read" && options.some(({ name }) => countingOption.test(name)))
  );
  const walk = programFacts(program, scan.table.get(program)).traits.find(({ is }) => is === "walks");
  const walks = walk && (walk.if === undefined || options.some(({ name }) => new RegExp(walk.if ?? "").test(name)));
  if (walks && isShown && (role === "read" || role === "pattern-read"))
    for (const arg of operands) readBelow(arg, scan);
  switch (role) {
    case "read":
      // The table of readers shares one list of options; a value that is in truth a file is read all the same.
      for (const { value } of options) if (value && !/^\W*\d*\W*$/.test(value.text)) readPath(value, scan, isShown);
      for (const arg of operands) readPath(arg, scan, isShown);
      return;
    case "read-members":
      for (const arg of operands) {
        readPath(arg, scan, isShown);
        readMember(arg, scan);
      }
      return;
    case "pattern-read": {
      const hasPattern = options.some((o) => /^(-e|-f|--regexp|--file|--expression)$/.test(o.name));
      for (const arg of operands.slice(hasPattern ? 0 : 1)) readPath(arg, scan, isShown);
      return;
    }
    case "write":
    case "append":
    case "touch":
    case "edit":
      for (const arg of operands) {
        if (role === "edit") readPath(arg, scan);
        writePath(arg, role === "write" ? "overwrite" : "append", scan);
      }
      return;
    case "delete":
      for (const arg of operands) deletePath(arg, scan);
      return;
    case "target-last":
    case "link":
    case "move":
    case "remote-copy":
      return copyTo(role, { options, operands }, scan);
    default:
      return;
  }
}

/** Programs that give a shell, or any file, if a copy has the set-user-id bit. */
export const shellFile = /\/(ba|da|z|k|a)?sh$|\/(python|perl|ruby|node|php|vim?|find|awk|env|less|nano|cp|tar)[\d.]*$/;
/** Of a file that this script has made of a shell. */
export const fromShell = "a shell";

/** A path on another host. */
export const isRemote = (text: string): boolean => /^[^/]+:(?!\\)/.test(text) || /^rsync:/.test(text);
/** A secret of another host is one, too. */
const withoutHost = (arg: Arg): Arg =>
  isRemote(arg.text) ? { ...arg, text: arg.text.replace(/^[^/:]+:(\/\/[^/]+)?/, "") || "." } : arg;

/** Sources go to the last operand, or to that of `-t`: what is known of them is known of the target from then on. */
function copyTo(
  how: "target-last" | "link" | "move" | "remote-copy",
  { options, operands }: ParsedArguments,
  scan: Scan,
): void {
  const target = options.find((o) => /^(-t|--target-directory)$/.test(o.name))?.value ?? operands.at(-1);
  for (const arg of operands) {
    if (arg === target) continue;
    if (how === "move") {
      // Moving a system root or a log away is deleting it.
      if (isRootTarget(arg, scan.cwd, scan.protectedPaths))
        scan.report("block", "path.root", `moves ${place(arg, scan)} away, a root of the system`, arg);
      else if (classesOf(arg, scan.cwd).has("core-log"))
        scan.report("block", "path.log", `moves the log ${place(arg, scan)} away`, arg);
      else readPath(arg, scan);
    } else readPath(how === "remote-copy" ? withoutHost(arg) : arg, scan);
  }
  if (!target) return;
  const path = normalise(target.text, scan.cwd);
  if (how === "remote-copy") {
    if (isRemote(target.text)) return;
    for (const from of operands.filter((arg) => arg !== target && isRemote(arg.text)))
      for (const place of placesOf(path, withoutHost(from)))
        scan.files.set(place, { present: true, taint: "network", from: "scp" });
  }
  if (how === "move" && path === "/dev/null") scan.report("block", "path.move", "moves files into nothing", target);
  const [source] = operands;
  const isNothing = source?.text === "/dev/null";
  writePath(target, isNothing ? "overwrite" : "replace", scan);
  if (!source || source === target) return;
  if (how === "link") noteLink(target, source, scan);
  if (noteCopy(source, path, scan)) return;
  if (shellFile.test(source.text)) scan.files.set(path, { present: true, from: fromShell });
}

/** What is known of a file, or of those below a folder, is known of their copies; false where nothing is. */
export function noteCopy(source: Arg, target: string, scan: Scan): boolean {
  const written = findWritten(source, scan);
  const below = scan.files.size < maxFiles ? writtenBelow(source, scan) : [];
  for (const place of placesOf(target, source)) {
    if (written) scan.files.set(place, written);
    for (const [rest, flow] of below) scan.files.set(`${place}/${rest}`, flow);
  }
  return written !== undefined || below.length > 0;
}

/** Copies of copies are not followed beyond that. */
const maxFiles = 200;

/** The target may be a folder, in which the copy keeps its name. */
const placesOf = (target: string, source: Arg): readonly string[] => [
  target,
  normalise(`${target}/${source.text.split("/").pop() ?? ""}`, undefined),
];

/** What the options of a call read, write and run. */
export function runOptions({ grammar, id }: CompiledRule, options: readonly Option[], scan: Scan): void {
  for (const { name, value } of options) {
    if (!value) continue;
    const kind = grammar.kinds.get(name);
    if (kind === "path-read")
      readPath(value.text.startsWith("@") ? { ...value, text: value.text.slice(1) } : value, scan);
    if (kind === "path-write" && value.text !== "-") writePath(value, "overwrite", scan);
    if (kind === "script") {
      // A file that a program takes its commands from.
      const path = normalise(value.text, scan.cwd);
      const written = findWritten(value, scan);
      const text = written?.text;
      if (isForeign({ taint: value.taint ?? written?.taint }))
        scan.report("block", "flow.run", `runs ${shown(path)}, which was downloaded or decoded`, value);
      else if (text !== undefined)
        scan.attempt(() => scan.runShell(text.replace(/^[^\t\n]+:.*$/gm, ""), nothing, `in ${shown(path)}`));
      else if (/^\/(tmp|var\/tmp|dev\/shm)(\/|$)/.test(path))
        scan.report("high", id, `runs ${shown(path)}, from a folder anybody may write to`, value);
    }
    if (kind === "settings") takeSettings(value, { said: `takes ${name} from`, client: true }, scan);
    if (kind === "argv") {
      scan.report("medium", id, `runs a command through ${name}`, value);
      scan.runShell(value.text, nothing, `in ${name}`);
    }
  }
}
