/** Checks of programs that delete, overwrite or move files. */
import type { Check, ProgramCall } from "../engine/apply.ts";
import { type Arg, type Flow, hole, literal, nothing, shown, unknownFlow } from "../engine/arg.ts";
import { deletePath, place, readBelow, readMember, readPath, writePath } from "../engine/effects.ts";
import { classesOf, isRootTarget, normalise } from "../engine/paths.ts";
import { fromShell, shellFile } from "../engine/touch.ts";
import { findWritten, noteLink } from "../engine/written.ts";

/** What never ends: copied to a file, it takes the volume that holds it. */
const endless = /^\/dev\/(?:zero|full|u?random)$/;

/** `dd`: `of=` decides, and whether `if=` ever ends. */
export const dd: Check = ({ args, scan, report, stdin }) => {
  const part = (name: string): Arg | undefined => {
    const found = args.findLast((a) => a.text.startsWith(`${name}=`));
    return found ? { ...found, text: found.text.slice(name.length + 1) } : undefined;
  };
  const from = part("if");
  const to = part("of");
  if (from) readPath(from, scan);
  // Some write to several files, `of2=` among them.
  for (const arg of args) {
    const file = /^of\d*=(.*)$/s.exec(arg.text)?.[1];
    if (file === undefined) continue;
    writePath({ ...arg, text: file }, "overwrite", scan);
    scan.files.set(normalise(file, scan.cwd), stdin);
  }
  if (!to || classesOf(to, scan.cwd).has("sink")) report("low", "dd: reads only");
  else if (from && endless.test(normalise(from.text, scan.cwd)))
    report("high", `dd fills ${place(to, scan)} from ${shown(from.text)}`, to);
  return undefined;
};

/** `chmod`, `chown`, `chgrp`, `setfacl`, `chattr`. */
export const chmod: Check = ({ program, args, operands, has, scan, report }) => {
  if (program === "restorecon" && has("-n")) {
    report("low", "restorecon -n: only says what it would do");
    return undefined;
  }
  const isRecursive = has("-R", "--recursive");
  const isMode = program === "chmod" && !has("--reference");
  const modeLike = args.find((a) => /^[-+][rwxXstugoai,=+-]+$/.test(a.text) && !/^-R$/.test(a.text));
  const mode = isMode ? (modeLike ?? operands[0]) : undefined;
  const targets =
    program === "setfacl"
      ? operands
      : operands
          .filter((a) => a !== mode)
          .slice(isMode || /^(chattr|restorecon)$/.test(program) || has("--reference") ? 0 : 1);
  const isDropped = program === "chattr";
  for (const target of isDropped ? operands.filter((a) => !/^[-+=]/.test(a.text)) : targets) {
    const classes = classesOf(target, scan.cwd);
    // It sets what the system's own policy says a file should have: a tree of them is no more lost than one.
    if (isRecursive && program === "restorecon") report("medium", `restorecon under ${place(target, scan)}`, target);
    else if (isRecursive || target.text.endsWith("/**")) {
      // Changing owner or mode of a whole tree.
      const verb = `${program} changes`;
      const risk = isRootTarget(target, scan.cwd, scan.protectedPaths) ? "block" : "high";
      scan.report(risk, "path.tree", `${verb} everything under ${place(target, scan)}`, target);
    } else if (isRootTarget(target, scan.cwd, scan.protectedPaths) && !classes.has("login")) {
      report("high", `${program} on ${place(target, scan)}, a root of the system`, target);
    } else if (classes.has("login") || classes.has("secret") || classes.has("device")) {
      report("high", `${program} on ${place(target, scan)}, which guards the login`, target);
    } else if (classes.has("core-log") && program === "chattr")
      report("high", `${program} on the log ${place(target, scan)}`, target);
    else report("medium", `${program} on ${place(target, scan)}`, target);
  }
  if (
    mode &&
    /^[2467][0-7]{3}$|[ug]\+[rwx]*s|^\+s|[ugoa]*[+=][rwxt]*s/.test(mode.text) &&
    !/^[0-7]{3}$/.test(mode.text)
  ) {
    const isShell = targets.some(
      (target) => shellFile.test(target.text) || findWritten(target, scan)?.from === fromShell,
    );
    report(isShell ? "block" : "high", `sets the set-user-id bit: ${shown(mode.text)}`, mode);
  }
  if (program === "setcap" && !has("-r", "-v")) report("high", "gives a program capabilities of root");
  if (
    mode &&
    /^0?[0-7]?[0-7][0-7][2367]$|^(a|o|ugo)?[+=]r?wx?$/.test(mode.text) &&
    mode.text.length <= 5 &&
    /^0?777|^0?666|o[+=]|a[+=]|^[+=]/.test(mode.text)
  ) {
    report("medium", `lets everybody write: ${shown(mode.text)}`, mode);
  }
  return undefined;
};

/** `tar`: what it runs, what it writes, and secrets going into an archive. */
export const tar: Check = ({ args, options, operands, has, value, scan, report, stdin }) => {
  const bundle = args[0] && /^[a-zA-Z]+$/.test(args[0].text) ? args[0].text : "";
  const odd = /[^cdtrxufvzjJZaOpPShniwskmoB]/.exec(bundle)?.[0];
  if (odd) report("medium", `tar has the letter ${odd} in its first word, which may run or write something`, args[0]);
  const letter = (name: string): boolean => bundle.includes(name) || has(`-${name}`);
  for (const { name, value: command } of options) {
    if (!command) continue;
    const text = name === "--checkpoint-action" ? /^exec=(.*)$/s.exec(command.text)?.[1] : undefined;
    const run =
      text ??
      (/^(--to-command|-I|--use-compress-program|-F|--info-script|--new-volume-script|--rsh-command)$/.test(name)
        ? command.text
        : undefined);
    if (run === undefined || /^(gzip|pigz|zstd|xz|bzip2|lz4|pbzip2)( -[\dT]+)*$/.test(run)) continue;
    report("high", `tar runs a command through ${name}`, command);
    scan.runShell(run, nothing, `in ${name}`);
  }
  const bundled = bundle.includes("f") ? operands[1] : undefined;
  const archive = value("-f", "--file") ?? bundled;
  const from = value("-C", "--directory");
  const files = operands
    .filter((a) => a !== archive && a.text !== bundle)
    .map((a) => (from && !a.text.startsWith("/") ? { ...a, text: `${from.text}/${a.text}` } : a));
  if (archive && !letter("c") && !has("--create")) readPath(archive, scan, false);
  if (letter("t") || has("--list")) report("low", "tar: lists an archive");
  else if (letter("c") || letter("r") || letter("u") || has("--create", "--append", "--update")) {
    for (const file of files) {
      readPath(file, scan);
      readBelow(file, scan);
    }
    if (archive && archive.text !== "-") writePath(archive, "replace", scan);
    const isNew = letter("c") || has("--create");
    report(isNew && (!archive || archive.text === "-") ? "low" : "medium", "tar: packs an archive");
  } else if (letter("d") || has("--diff", "--compare")) report("low", "tar: compares an archive");
  else if (letter("x") || has("--extract", "--get")) {
    if (letter("O") || has("--to-stdout")) for (const file of files) readMember(file, scan);
    const isRoot = from !== undefined && normalise(from.text, scan.cwd) === "/";
    report(
      isRoot ? "high" : letter("O") || has("--to-stdout") ? "low" : "medium",
      isRoot ? "tar: unpacks over the system" : "tar: unpacks an archive",
    );
    if (from && !isRoot) writePath(from, "append", scan);
    const packed = archive && archive.text !== "-" ? findWritten(archive, scan) : stdin;
    if (packed?.taint) scan.files.set(`${normalise(from?.text ?? ".", scan.cwd)}/**`, packed);
  } else report("medium", "tar: works on an archive");
  if (has("--remove-files")) for (const file of files) deletePath(file, scan);
  const flow: Flow = letter("O") ? { present: true, taint: "decoded" } : unknownFlow;
  return flow;
};

/** `mount`: no operand lists; mounting over a root or with a device is high. */
export const mount: Check = ({ operands, has, value, report, scan }) => {
  if (operands.length === 0 && !has("-a", "--all", "--bind", "-o")) {
    report("low", "mount: only lists");
    return undefined;
  }
  const target = operands.at(-1);
  const isRoot = target !== undefined && classesOf(target, scan.cwd).has("root");
  const source = operands[0];
  const isBind = has("--bind", "--rbind", "-B", "-R") || /\bbind\b/.test(value("-o", "--options")?.text ?? "");
  if (isBind && source && target) noteLink(target, source, scan);
  const isRemount = (value("-o", "--options")?.text ?? "").includes("remount");
  report(isRoot || isRemount ? "high" : "medium", `mounts ${target ? place(target, scan) : "file systems"}`, target);
  return undefined;
};

/** `find` and `fd`: what is found is what their actions hit. */

const findActions = new Set(["-exec", "-execdir", "-ok", "-okdir"]);

/** `find`: an expression; the starting points are what its actions hit. `fd`: folders behind a pattern. */
export const find: Check = (call) => (/^fd/.test(call.program) ? findWithFd(call) : findWithFind(call));

const findWithFind: Check = ({ args, scan, report }) => {
  const first = args.findIndex((a) => /^(-[a-zA-Z]{2,}|!|\(|\)|,)/.test(a.text) && !/^-(H|L|P|O\d|D)$/.test(a.text));
  const starts = args.slice(0, first < 0 ? args.length : first).filter((a) => !a.text.startsWith("-"));
  const rest = first < 0 ? [] : args.slice(first);
  // A filter that names what is meant; `-type f` alone means everything.
  const isNarrow = rest.some(
    (a, i) =>
      /^-(i?name|i?path|i?regex|mtime|mmin|ctime|atime|cmin|amin|size|newer|older|empty|user|inum|i?wholename)/.test(
        a.text,
      ) &&
      !/^(!|-not)$/.test(rest[i - 1]?.text ?? "") &&
      !/^\*+$/.test(rest[i + 1]?.text ?? ""),
  );
  const targets = starts.length > 0 ? starts : [literal(".")];
  let isActive = false;
  for (let i = 0; i < rest.length; i++) {
    const action = rest[i]?.text ?? "";
    if (action === "-delete") {
      isActive = true;
      deleteFound({ targets, isNarrow, files: foundFiles(rest, targets, isNarrow) }, { scan, report });
    } else if (/^-(fprint|fprint0|fprintf|fls)$/.test(action)) {
      const file = rest[i + 1];
      isActive = true;
      if (file) writePath(file, "overwrite", scan);
    } else if (findActions.has(action)) {
      const end = rest.findIndex((a, at) => at > i && (a.text === ";" || a.text === "+"));
      const words = rest.slice(i + 1, end < 0 ? rest.length : end);
      isActive = true;
      runFound(words, { targets, isNarrow, files: foundFiles(rest, targets, isNarrow) }, { scan, report });
      i = end < 0 ? rest.length : end;
    }
  }
  if (!isActive) report("low", "find: only lists");
  const lists = isNarrow
    ? foundFiles(rest, targets, true).map((file) => file.text)
    : targets.map((target) => `${target.text.replace(/\/$/, "")}/**`);
  return { present: true, lists };
};

type Reporter = Pick<ProgramCall, "scan" | "report">;

/** Deleting below a root by a filter is high (`/var/log -name '*.gz'`), without one it is the root itself. */
function deleteFound({ targets, isNarrow, files }: FindTargets, { scan, report }: Reporter): void {
  const history = files.find((file) => classesOf(file, scan.cwd).has("history"));
  if (isNarrow && history) report("block", `deletes ${place(history, scan)}, what people have done`, history);
  for (const target of targets) {
    const path = normalise(target.text, scan.cwd);
    const isRoot = isRootTarget(target, scan.cwd, scan.protectedPaths);
    if (isRoot && (!isNarrow || path === "/"))
      report("block", `deletes what it finds under ${place(target, scan)}, a root of the system`, target);
    else if (!isRoot) deletePath(target, scan, "deletes what it finds under");
    else report("high", `deletes files under ${place(target, scan)}`, target);
  }
}

interface FindTargets {
  readonly targets: readonly Arg[];
  readonly isNarrow: boolean;
  readonly files: readonly Arg[];
}

/** What `{}` stands for: everything, what has the `-name` asked for, or something unknown below. */
function foundFiles(rest: readonly Arg[], targets: readonly Arg[], isNarrow: boolean): Arg[] {
  const asked = rest.flatMap((arg, i) => {
    const value = rest[i + 1]?.text ?? "*";
    if (/^-i?name$/.test(arg.text)) return [value];
    // A path is matched from its beginning, the starting point's own name.
    return /^-(i?path|i?wholename)$/.test(arg.text) ? [value.replace(/^\*+\/?|^\/.*\//, "")] : [];
  });
  const names = isNarrow ? asked : ["**"];
  const itself = targets.filter((target) => classesOf(target, undefined).has("secret"));
  if (names.length === 0)
    return [
      ...itself,
      ...targets.map(({ text }) => ({ text: `${text.replace(/\/$/, "")}/${hole}`, dynamic: true, glob: false })),
    ];
  const below = targets.flatMap((target) => {
    const folder = target.text.replace(/\/$/, "");
    return names.flatMap((name): Arg[] => {
      const direct = { ...target, text: `${folder}/${name}`, glob: true };
      return name === "**" ? [direct] : [direct, { ...direct, text: `${folder}/**/${name}` }];
    });
  });
  return [...itself, ...below];
}

const evaluates = /(^|\/)((ba|da|z|k|a)?sh|python[\d.]*|perl|ruby|node|php)$/;

/** `-exec`: `{}` stands for the files found; with no filter, for the starting points themselves. */
function runFound(words: readonly Arg[], found: FindTargets, { scan, report }: Reporter): void {
  const { files } = found;
  const names = words.map((a) => a.text);
  const isDelete = names.some((n) => /(^|\/)(rm|unlink|shred|rmdir)$/.test(n));
  if (isDelete) {
    if (names.some((n) => n.includes("{}"))) deleteFound(found, { scan, report });
    const others = words.filter((word) => !word.text.includes("{}"));
    if (others.some((word, i) => i > 0 && !/^-|^[/\w]*\b(rm|unlink|shred|rmdir)$/.test(word.text)))
      scan.runArgs(others, nothing);
    return;
  }
  // A name of a file can hold what a shell runs.
  const isCode = evaluates.test(names[0] ?? "");
  const text = words.find((word, i) => isCode && word.text.includes("{}") && /^-\w*[ce]$/.test(names[i - 1] ?? ""));
  if (text) report("medium", `puts names of files into program text: ${shown(text.text)}`, text);
  const replaced = words.flatMap((word) => {
    if (word.text === "{}") return files;
    return word.text.includes("{}")
      ? [{ ...word, text: word.text.replaceAll("{}", files[0]?.text ?? ""), dynamic: true }]
      : [word];
  });
  scan.runArgs(replaced, nothing);
}

/** The option with which the program begins, alone or behind others in its word: `-x`, `-HX`. */
const fdRuns = /^(-[01aFgHIilLpqsu]*[xX]|--exec|--exec-batch)$/;
/** The program stands in the option's own word: `-xrm`, `--exec=rm`. */
const fdRunsAttached = /^(?:-[01aFgHIilLpqsu]*[xX]=?|--exec(?:-batch)?=)(.+)$/s;
const everything = /^(\.?\*?|\^|\$)$/;

const findWithFd: Check = ({ args: given, operands, value, scan, report }) => {
  const args = given.flatMap((arg) => {
    const program = fdRunsAttached.exec(arg.text)?.[1];
    return program === undefined ? [arg] : [literal("-x"), { ...arg, text: program }];
  });
  const at = args.findIndex(({ text }) => fdRuns.test(text));
  const [pattern, ...folders] = at < 0 ? operands : operands.filter((arg) => args.indexOf(arg) < at);
  const targets = folders.length > 0 ? folders : [literal(".")];
  const extension = value("-e", "--extension")?.text;
  const isNarrow = extension !== undefined || !everything.test(pattern?.text ?? "");
  const below = `${isNarrow ? `${extension ? "**/*" : hole}` : "**"}${extension ? `.${extension}` : ""}`;
  const files = targets.map((arg) => ({ ...arg, text: `${arg.text.replace(/\/$/, "")}/${below}`, glob: true }));
  if (at < 0) report("low", "fd: only lists");
  else {
    const end = args.findIndex(({ text }, i) => i > at && text === ";");
    const words = args.slice(at + 1, end < 0 ? undefined : end);
    const isGiven = words.some(({ text }) => /\{[/.]*\}/.test(text));
    const program = isGiven
      ? words.map((word) => ({ ...word, text: word.text.replace(/\{[/.]+\}/, "{}") }))
      : [...words, literal("{}")];
    runFound(program, { targets, isNarrow, files }, { scan, report });
  }
  return { present: true, lists: files.map(({ text }) => text) };
};
