import type { Check, ProgramCall } from "../engine/apply.ts";
import { type Arg, hole, literal, nothing, shown } from "../engine/arg.ts";
import { deletePath, place, writePath } from "../engine/effects.ts";
import { classesOf, isRootTarget, normalise } from "../engine/paths.ts";

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
