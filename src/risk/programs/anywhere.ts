/**
 * What an argument means for any program, known or not: an option that writes a file, an option that runs a command,
 * a library to load, a shell by its path, a secret or a raw disk given to an unknown program.
 */
import { type Arg, nothing, shown } from "../engine/arg.ts";
import { place, readPath, writePath } from "../engine/effects.ts";
import { words as split } from "../engine/options.ts";
import { classesOf, normalise } from "../engine/paths.ts";
import type { Scan } from "../engine/scan.ts";
import { anyOptions, type PathClass } from "../knowledge/paths.ts";
import { takeSettings } from "../reach/settings.ts";
import { isWrapper } from "../shell/unwrap.ts";
import { type CompiledRule, hasTrait, isClient, isKnown as isInTable } from "../table.ts";

const shellPath = /\/bin\/(ba|da|z|k|a|c|tc)?sh\b/;
const wholeShell = /^(\/(usr\/)?(local\/)?bin\/)?(ba|da|z|k|a)?sh(\s|$)/;
/** A word of some language that runs what follows it: `!/bin/sh`, `system("/bin/sh")`, `%(/bin/sh)`. */
const runsShell =
  /(!|system|exec\w*|spawn|popen|write18|esyscmd|shell-command|callCommand|%|term|path=)\W{0,4}\/(usr\/)?bin\/\w*sh\b/;

interface GivenProgram {
  readonly name: string;
  readonly value: Arg;
}

/** Options with what may be their value: after `=`, or the next word. */
function optionsOf(args: readonly Arg[]): GivenProgram[] {
  return args.flatMap((arg, i): GivenProgram[] => {
    const [, name, text] = /^(--?[A-Za-z][\w-]*)(?:=(.*))?$/s.exec(arg.text) ?? [];
    if (name === undefined) return [];
    if (text !== undefined) return [{ name, value: { ...arg, text } }];
    const next = args[i + 1];
    return next && !next.text.startsWith("-") ? [{ name, value: next }] : [];
  });
}

/** Looks at the arguments of any program before its own rules do; reports only what is more than low. */
export function touchAnywhere(program: string, args: readonly Arg[], scan: Scan): void {
  const isKnown = isInTable(program, scan.table);
  const wraps = isWrapper(program, scan.table);
  // Most calls have nothing to look at, and three thousand nested ones are looked at three thousand times.
  if (isKnown && !args.some(({ text }) => /[-/!(%]/.test(text))) return;
  const options = optionsOf(args);
  const isText = hasTrait(program, "text", scan.table);
  for (const { name, value } of options) {
    if (anyOptions.library.test(name)) checkLibrary(value, scan);
    if (anyOptions.settings.test(name)) checkSettings(program, { name, value }, scan);
  }
  checkProcess(program, args, scan);
  if (isText) return;
  for (const { name, value } of options) {
    if (anyOptions.output.test(name) && !asking.has(`${program} ${name}`))
      checkOutput(wraps || takesNoFile.has(program) ? "-" : name, value, scan);
    if (hasTrait(program, "names", scan.table) || wraps) continue;
    if (anyOptions.command.test(name)) checkCommand(program, value, scan);
  }
  if (!wraps) checkOptionNames(program, args, scan);
  if (wraps || hasTrait(program, "names", scan.table)) return;
  const shell = args.find(
    ({ text }) => runsShell.test(text) || (!isKnown && (shellPath.test(text) || wholeShell.test(text))),
  );
  if (shell) scan.report("high", "call.shell", `gives ${program} a shell: ${shown(shell.text)}`, shell);
  if (shell && !isKnown && wholeShell.test(shell.text) && args.some(({ text }) => /^\d{2,5}$/.test(text)))
    scan.report("block", "shell.reverse", `gives ${program} a shell and a port: a reverse shell`, shell);
  if (!shells.test(program)) checkDevices(program, args, { isKnown, scan });
  if (isKnown) return;
  args.forEach((arg, i) => {
    if (arg.text.startsWith("-") || isKeyGiven(arg, args[i - 1]?.text ?? "", undefined)) return;
    readPath(arg, scan);
  });
}

/** An option for a file of settings; of what only prints its words it is one of them. */
function checkSettings(program: string, { name, value }: GivenProgram, scan: Scan): void {
  const client = isClient(program, scan.table.get(program));
  if (value.text.includes("=") || (!client && hasTrait(program, "text", scan.table))) return;
  takeSettings(value, { said: `takes ${name} from`, client }, scan);
}

/** A key that a program is to use, and does not show: by its record, else after an option for keys. Account files are never one. */
export function isKeyGiven({ text }: Arg, before: string, rule: readonly CompiledRule[] | undefined): boolean {
  if (/\/etc\/(g?shadow|security\/opasswd)/.test(text)) return false;
  if (rule?.some(({ grammar }) => grammar.kinds.get(before) === "secret")) return true;
  return anyOptions.key.test(before) || /^--?[\w-]*(key|cert|identity)[\w-]*=/i.test(text);
}

/** A wrapper that changes a running process instead of starting one (`ionice -c3 -p 42`). */
function checkProcess(program: string, args: readonly Arg[], scan: Scan): void {
  const sets = split(scan.table.get(program)?.[0]?.program.wraps?.sets);
  const isNamed = args.some(({ text }) => /^(-p|-P|--pid\b|--pgid\b)/.test(text));
  const hasProgram = args.some(({ text }) => !/^-|^[\d:,]+$|^(unlimited|idle|realtime|best-effort|none)$/.test(text));
  if (!isNamed || hasProgram) return;
  const change = args.find(({ text }) => sets.some((start) => text.startsWith(start)));
  if (change)
    scan.report("medium", "call.process", `${program} changes a running process: ${shown(change.text)}`, change);
}

const shells = /^(ba|da|z|k|a|fi|c|tc)?sh$|^source$|^\.$/;
const erases = /(^|[-_.:\s'"(])(format|erase|wipe|sanitize|zero|mklabel|destroy|low-level|pwrite|overwrite)/i;
const writes =
  /\b(write|dump|fopen|open|FileWriter|FileOutputStream|put|get|cp|save|output|Out-File|Set-Content|content|download)\b|>/;

/** A file that a text in some language says it writes. */
const namesWritten =
  /(?:\bdump \w+|\bfopen\W|Out-File|Set-Content|FileWriter\W|\.output|\bsave)\s*["'(]*\s*(\/[\w/.-]+)/;

/** A raw disk in a text that writes (`gdb -ex 'dump value /dev/sda …'`), or given to a program that erases. */
function checkDevices(
  program: string,
  args: readonly Arg[],
  { isKnown, scan }: { isKnown: boolean; scan: Scan },
): void {
  const isErasing = !isKnown && [program, ...args.map((arg) => arg.text)].some((text) => erases.test(text));
  for (const arg of args) {
    if (isErasing && classesOf(arg, scan.cwd).has("device"))
      scan.report("block", "path.device", `${program} erases ${place(arg, scan)}, a raw disk`, arg);
    if (!/[\s(]/.test(arg.text) || !writes.test(arg.text)) continue;
    const named = namesWritten.exec(arg.text)?.[1];
    if (named) {
      const classes = classesOf({ ...arg, text: named }, undefined);
      if (["login", "startup", "core-log"].some((name) => classes.has(name as PathClass)))
        writePath({ ...arg, text: named }, "overwrite", scan);
    }
    const path = /(?:^|[\s"'=>])(\/dev\/[\w/.-]+)/.exec(arg.text)?.[1];
    if (path && classesOf({ ...arg, text: path }, undefined).has("device"))
      scan.report("block", "path.device", `${program} writes ${shown(path)}, a raw disk`, arg);
  }
}

/** A file named after `-o` or `--output`: a raw disk, the login files and what runs by itself for every program. */
function checkOutput(name: string, value: Arg, scan: Scan): void {
  const classes = classesOf(value, scan.cwd);
  const isPlace = classes.has("device") || classes.has("login") || classes.has("startup");
  const isPath =
    /^(\/|\.\.?\/|~\/)/.test(value.text) ||
    (/^(--|-o$)/.test(name) && /^[\w.-]+(\/[\w.-]+)+$|^[\w-]+\.[A-Za-z]\w{0,4}$/.test(value.text));
  const isFile = isPath && (/^(--|-o)/.test(name) || /-?(file|path|dir|out|output)$/.test(name));
  if (isPlace || isFile) writePath(value, "replace", scan);
}

/** Programs whose `-o` is a switch or a form, so that a path behind it is what they read. */
const takesNoFile = new Set(
  split(
    "ls dir vdir od strings nm lsof ps df ss netstat readelf objdump test [ stat id who uname hexdump egrep fgrep zgrep zegrep bzgrep xzgrep ag ack ugrep pcregrep pcre2grep",
  ),
);

/** Options that ask for a setting if what follows is a disk. */
const asking = new Set(["hdparm -W"]);

/** Options that show a secret in any program, by their name. */
function checkOptionNames(program: string, args: readonly Arg[], scan: Scan): void {
  for (const arg of args) {
    if (arg.text[0] !== "-" || arg.text.length < 4) continue;
    const name = arg.text.split("=", 1)[0] ?? "";
    if (anyOptions.reveals.test(name))
      scan.report("high", "call.reveals", `${program} ${shown(name)}: shows what is kept secret`, arg);
  }
}

/** Code that a program loads from a place that is not the system's own. */
function checkLibrary(value: Arg, scan: Scan): void {
  const path = normalise(value.text, scan.cwd);
  const isCode = value.text.startsWith("../..") || /\.so(\.\d+)*$/.test(path);
  if (!isCode || /^\/(usr\/(local\/)?)?lib(64)?\//.test(path)) return;
  scan.report("high", "call.library", `loads code from ${place(value, scan)}`, value);
}

/** An option that names a command: a shell is high, and what must never run is blocked there, too. */
function checkCommand(program: string, value: Arg, scan: Scan): void {
  if (wholeShell.test(value.text) || shellPath.test(value.text))
    scan.report("high", "call.shell", `gives ${program} a shell: ${shown(value.text)}`, value);
  scan.attempt(() => scan.runShell(value.text, nothing, `in an option of ${program}`));
}
