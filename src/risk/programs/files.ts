/** Checks of programs that delete, overwrite or move files. */
import type { Check } from "../engine/apply.ts";
import { type Arg, type Flow, nothing, shown, unknownFlow } from "../engine/arg.ts";
import { changeTree, deletePath, place, readPath, writePath } from "../engine/effects.ts";
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
  if (to) {
    writePath(to, "overwrite", scan);
    scan.files.set(normalise(to.text, scan.cwd), stdin);
  }
  if (!to || classesOf(to, scan.cwd).has("sink")) report("low", "dd: reads only");
  else if (from && endless.test(normalise(from.text, scan.cwd)))
    report("high", `dd fills ${place(to, scan)} from ${shown(from.text)}`, to);
  return undefined;
};

/** `chmod`, `chown`, `chgrp`, `setfacl`, `chattr`. */
export const chmod: Check = ({ program, args, operands, has, scan, report }) => {
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
    else if (isRecursive || target.text.endsWith("/**")) changeTree(target, scan, `${program} changes`);
    else if (isRootTarget(target, scan.cwd, scan.protectedPaths) && !classes.has("login")) {
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
  if (letter("t") || has("--list")) report("low", "tar: lists an archive");
  else if (letter("c") || letter("r") || letter("u") || has("--create", "--append", "--update")) {
    for (const file of files) readPath(file, scan);
    if (archive && archive.text !== "-") writePath(archive, "replace", scan);
    const isNew = letter("c") || has("--create");
    report(isNew && (!archive || archive.text === "-") ? "low" : "medium", "tar: packs an archive");
  } else if (letter("d") || has("--diff", "--compare")) report("low", "tar: compares an archive");
  else if (letter("x") || has("--extract", "--get")) {
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
