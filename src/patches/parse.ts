import { type Refusal, refuse } from "../base/errors.ts";
import { visibleText } from "./judge.ts";

/** One file of a patch: text that is changed, created or deleted, because nothing else can be said with it. */
export interface FilePatch {
  readonly path: string;
  readonly act: "change" | "create" | "delete";
  /** Of the file before, if the patch names it. */
  readonly mode: string | undefined;
  /** Full blob ids, if the patch names them: then they hold. */
  readonly beforeId: string | undefined;
  readonly afterId: string | undefined;
  readonly hunks: readonly PatchHunk[];
}

export interface PatchHunk {
  /** The old line that it begins with, from 1; undefined if the patch does not say it. */
  readonly start: number | undefined;
  readonly lines: readonly PatchLine[];
}

export interface PatchLine {
  readonly sign: " " | "+" | "-";
  readonly text: string;
  /** `\ No newline at end of file` stands behind it. */
  readonly isUnended: boolean;
}

type PatchParsing =
  | { readonly ok: true; readonly commit: string | undefined; readonly files: readonly FilePatch[] }
  | Refusal;

/** A comment of GitHub's holds 65,536. */
const mostCharacters = 65_536;

/**
 * Reads a unified diff as models and people write it. Lenient with what a diff repeats (counts, line numbers, `index`), never with what it
 * says two things about. Pure.
 */
export function parsePatch(given: string): PatchParsing {
  if (given.length > mostCharacters)
    return refuse(
      `the patch has ${given.length.toLocaleString("en")} characters, and ${mostCharacters.toLocaleString("en")} is the most`,
      "propose a smaller change",
    );
  if (given.includes("\0")) return refuse("the patch holds a NUL character", plainText);
  if (!given.isWellFormed()) return refuse("the patch holds half a character (a lone surrogate)", plainText);
  const reader = openPatch(given);
  if ("ok" in reader) return reader;
  const line = skipBlank(reader);
  let commit: string | undefined;
  if (line !== undefined && /^commit\b/.test(line)) {
    commit = /^commit ([0-9a-f]{40})$/.exec(line)?.[1];
    if (commit === undefined)
      return refuse(
        `${place(reader)} names no commit: ${visibleText(line)}`,
        "write `commit` and the 40 hex digits of the commit, not a branch or a short form",
      );
    reader.at++;
  }
  const files: FilePatch[] = [];
  while (skipBlank(reader) !== undefined) {
    const file = readFile(reader);
    if ("ok" in file) return file;
    const earlier = files.find(({ path }) => path === file.path);
    if (earlier)
      return refuse(`it has two parts for ${visibleText(file.path)}`, "put all hunks of a file into one part");
    files.push(file);
  }
  if (files.length === 0) return refuse("there is no diff", asDiff);
  return { ok: true, commit, files };
}

const plainText = "patch text files only";
const asDiff = "write a unified diff, and nothing before or after it: `--- a/FILE`, `+++ b/FILE`, `@@ … @@`, lines";

/** `end`: the fence that closes it, or the end. */
interface PatchReader {
  readonly lines: readonly string[];
  readonly end: number;
  at: number;
}

const lineAt = ({ lines, end }: PatchReader, at: number): string | undefined => (at < end ? lines[at] : undefined);
const place = (reader: PatchReader): string => `line ${reader.at + 1} of the patch`;

/** The first line that is not blank from here. */
function skipBlank(reader: PatchReader): string | undefined {
  while (lineAt(reader, reader.at)?.trim() === "") reader.at++;
  return lineAt(reader, reader.at);
}

/** Takes off what carries a diff: CRLF on every line (GitHub's comments), and a fence. */
function openPatch(given: string): PatchReader | Refusal {
  const isCarried = given.includes("\r\n") && !/(^|[^\r])\n/.test(given);
  const lines = (isCarried ? given.replaceAll("\r\n", "\n") : given).split("\n");
  const reader = { lines, end: lines.at(-1) === "" ? lines.length - 1 : lines.length, at: 0 };
  const fence = /^(`{3,}|~{3,}) ?(?:diff|patch)?\s*$/.exec(skipBlank(reader) ?? "")?.[1];
  if (fence === undefined) return reader;
  const close = lines.findLastIndex((line) => line.trim() !== "");
  if (close <= reader.at || lines[close]?.trim() !== fence)
    return refuse("the code block with the diff is not closed, or text stands behind it", asDiff);
  return { lines, end: close, at: reader.at + 1 };
}

/** What stands above the hunks of a file. */
interface PatchHeader {
  git?: string;
  plain?: string;
  created?: string;
  deleted?: string;
  index?: { readonly before: string; readonly after: string; readonly mode: string | undefined };
  old?: string;
  new?: string;
}

const headerLine =
  /^(?:diff |index [0-9a-f]|new file mode |deleted file mode |(?:old|new) mode |(?:dis)?similarity index |(?:rename|copy) (?:from|to) |Binary files |GIT binary patch)/;

/** Whether a new part begins here. Three lines, because a removed line `-- x` reads as `--- x`. */
const beginsFile = (reader: PatchReader, at: number): boolean =>
  headerLine.test(lineAt(reader, at) ?? "") ||
  (lineAt(reader, at)?.startsWith("--- ") === true &&
    lineAt(reader, at + 1)?.startsWith("+++ ") === true &&
    lineAt(reader, at + 2)?.startsWith("@@") === true);

function readFile(reader: PatchReader): FilePatch | Refusal {
  const begin = place(reader);
  const header = readHeader(reader);
  if ("ok" in header) return header;
  const named = readNames(header, begin);
  if ("ok" in named) return named;
  const { path, act } = named;
  const hunks: PatchHunk[] = [];
  while (lineAt(reader, reader.at)?.startsWith("@@")) {
    const hunk = readHunk(reader, path);
    if ("ok" in hunk) return hunk;
    hunks.push(hunk);
  }
  const isEmpty = act !== "change" && hunks.length === 0;
  if (!isEmpty && !hunks.some(({ lines }) => lines.some(({ sign }) => sign !== " ")))
    return refuse(`the part for ${visibleText(path)} changes nothing`, "write at least one line with `+` or `-`");
  const { index } = header;
  const [beforeId, afterId] = [fullId(index?.before), fullId(index?.after)];
  if ((isZero(beforeId) && act !== "create") || (isZero(afterId) && act !== "delete"))
    return refuse(
      `the \`index\` line of ${visibleText(path)} says something else than the rest`,
      "leave out that line",
    );
  if ((act === "create" && beforeId && !isZero(beforeId)) || (act === "delete" && afterId && !isZero(afterId)))
    return refuse(
      `the \`index\` line of ${visibleText(path)} says something else than the rest`,
      "leave out that line",
    );
  return {
    path,
    act,
    mode: header.deleted ?? index?.mode,
    beforeId: isZero(beforeId) ? undefined : beforeId,
    afterId: isZero(afterId) ? undefined : afterId,
    hunks,
  };
}

/** Models invent short ids, so only full ones count. */
const fullId = (id: string | undefined): string | undefined => (id?.length === 40 ? id : undefined);
const isZero = (id: string | undefined): boolean => id !== undefined && /^0+$/.test(id);

/** Reads up to the first hunk. Each kind of line once; what would change anything but text is refused. */
function readHeader(reader: PatchReader): PatchHeader | Refusal {
  const header: PatchHeader = {};
  const again = (): Refusal => refuse(`${place(reader)} says something for the second time`, asDiff);
  for (let line = lineAt(reader, reader.at); line !== undefined; line = lineAt(reader, ++reader.at)) {
    if (line.startsWith("@@")) break;
    if (line.includes("\r"))
      return refuse(`${place(reader)} ends in CR, and others do not: ${visibleText(line)}`, "end all lines alike");
    if (line.startsWith("--- ")) {
      const next = lineAt(reader, reader.at + 1);
      if (!next?.startsWith("+++ "))
        return refuse(`no \`+++\` line follows ${place(reader)}: ${visibleText(line)}`, asDiff);
      if (next.includes("\r")) return refuse(`line ${reader.at + 2} of the patch ends in CR`, "end all lines alike");
      header.old = line.slice(4);
      header.new = next.slice(4);
      reader.at += 2;
      break;
    }
    if (line.startsWith("diff ")) {
      // It opens the next part.
      if (Object.keys(header).length > 0) break;
      const git = /^diff --git (.+)$/.exec(line)?.[1];
      const plain = /^diff (?:-{1,2}[A-Za-z0-9][-A-Za-z0-9=]* )+(.+)$/.exec(line)?.[1];
      if (git !== undefined) header.git = git;
      else if (plain !== undefined && !/^diff --(?:cc|combined) /.test(line)) header.plain = plain;
      else return refuse(`${place(reader)} cannot be read: ${visibleText(line)}`, asDiff);
      continue;
    }
    const refused = refusedKind(line, reader);
    if (refused) return refused;
    const [, made] = /^new file mode (\d+)$/.exec(line) ?? [];
    const [, gone] = /^deleted file mode (\d+)$/.exec(line) ?? [];
    const [, before, after, mode] = /^index ([0-9a-f]{4,40})\.\.([0-9a-f]{4,40})(?: (\d+))?$/.exec(line) ?? [];
    if (made !== undefined) {
      if (header.created !== undefined) return again();
      if (made !== "100644")
        return refuse(`${place(reader)} makes ${modeWords(made)}`, "create a plain file, mode 100644");
      header.created = made;
    } else if (gone !== undefined || mode !== undefined || before !== undefined) {
      const said = gone ?? mode ?? "100644";
      if (!plainModes.includes(said))
        return refuse(`${place(reader)} is about ${modeWords(said)}`, "patch plain files only");
      if (gone !== undefined) {
        if (header.deleted !== undefined) return again();
        header.deleted = gone;
      } else if (before !== undefined && after !== undefined) {
        if (header.index !== undefined) return again();
        header.index = { before, after, mode };
      }
    } else if (line.trim() === "" && Object.keys(header).length > 0) break;
    else return refuse(`${place(reader)} is no part of a diff: ${visibleText(line)}`, asDiff);
  }
  return header;
}

export const plainModes: readonly string[] = ["100644", "100755"];

export function modeWords(mode: string): string {
  if (mode === "120000") return "a symbolic link";
  if (mode === "160000") return "a submodule";
  if (mode === "040000") return "a folder";
  if (mode === "100644") return "a plain file";
  return mode === "100755" ? "an executable file" : `a file of mode ${mode}`;
}

function refusedKind(line: string, reader: PatchReader): Refusal | undefined {
  if (/^(?:old|new) mode /.test(line))
    return refuse(`${place(reader)} changes a file's mode: ${visibleText(line)}`, "change only text");
  if (/^(?:(?:dis)?similarity index|(?:rename|copy) (?:from|to)) /.test(line))
    return refuse(
      `${place(reader)} renames or copies a file: ${visibleText(line)}`,
      "write out the whole file, deleted at one place and new at the other",
    );
  if (/^(?:Binary files |GIT binary patch)/.test(line))
    return refuse(`${place(reader)} is of a binary file`, plainText);
  return undefined;
}

/** All that a header says of the file's name must be the same name. */
function readNames(header: PatchHeader, begin: string): Pick<FilePatch, "path" | "act"> | Refusal {
  const names: NamePair[] = [];
  if (header.git !== undefined) {
    const pair = splitGitLine(header.git);
    if (!pair)
      return refuse(
        `${begin} does not name one file twice: ${visibleText(`diff --git ${header.git}`)}`,
        "write `diff --git a/FILE b/FILE`, or leave out that line",
      );
    names.push(pair);
  }
  if (header.old !== undefined && header.new !== undefined) {
    const pair = [readName(header.old), readName(header.new)] as const;
    const unread = [header.old, header.new].find((_, at) => pair[at] === undefined);
    if (unread !== undefined)
      return refuse(`the name ${visibleText(unread)} cannot be read`, "write it without quotes");
    const [old = "", now = ""] = pair;
    names.push([old, now]);
    if (header.plain !== undefined && header.plain !== `${old} ${now}`)
      return refuse(
        `${begin} names other files than those below it: ${visibleText(header.plain)}`,
        "leave out that line",
      );
  }
  const read = names.map(pathOf);
  const [first] = read;
  if (first === undefined) return refuse(`${begin} names no file`, asDiff);
  for (const [at, one] of read.entries())
    if (one.path === undefined || one.path !== first.path) {
      const [old, now] = names[at] ?? ["", ""];
      const both = one.path === undefined ? [old, now] : [first.path ?? "", one.path];
      return refuse(
        `the part at ${begin} names two files: ${both.map(visibleText).join(" and ")}`,
        "name one file in a part: `--- a/FILE` and `+++ b/FILE`, or `/dev/null` on one side",
      );
    }
  const says = (act: FilePatch["act"]): boolean => read.some((one) => one.act === act);
  const [path = ""] = read.flatMap((one) => one.path ?? []);
  const isNew = header.created !== undefined || says("create");
  const isGone = header.deleted !== undefined || says("delete");
  // With a mode in the header, the names below must agree; `diff --git` alone never says it.
  const below = header.old === undefined ? undefined : read.at(-1)?.act;
  const act = isNew ? "create" : isGone ? "delete" : "change";
  if ((isNew && isGone) || (below !== undefined && below !== act))
    return refuse(
      `the part for ${visibleText(path)} says both that the file was there and that it was not`,
      "write `--- /dev/null` for a new file, `+++ /dev/null` for a deleted one",
    );
  return { path, act };
}

type NamePair = readonly [old: string, now: string];
const nowhere = "/dev/null";

/** `a/` and `b/` are taken off together or not at all, so a folder `a` keeps its name. */
function pathOf([old, now]: NamePair): { readonly path: string | undefined; readonly act: FilePatch["act"] } {
  if (old === nowhere) return { path: now === nowhere ? undefined : now.replace(/^b\//, ""), act: "create" };
  if (now === nowhere) return { path: old.replace(/^a\//, ""), act: "delete" };
  const isMarked = old.startsWith("a/") && now.startsWith("b/");
  const [before, after] = isMarked ? [old.slice(2), now.slice(2)] : [old, now];
  return { path: before === after ? before : undefined, act: "change" };
}

/** Names hold spaces, so only a line that names one file twice can be split. */
function splitGitLine(rest: string): NamePair | undefined {
  if (rest.startsWith('"')) {
    const old = readQuoted(rest);
    const after = old && rest.slice(old.length + 1);
    if (!old || rest[old.length] !== " " || !after) return undefined;
    if (!after.startsWith('"')) return [old.name, after];
    const now = readQuoted(after);
    return now?.length === after.length ? [old.name, now.name] : undefined;
  }
  if (rest.startsWith(`${nowhere} `)) return [nowhere, rest.slice(nowhere.length + 1)];
  if (rest.endsWith(` ${nowhere}`)) return [rest.slice(0, -nowhere.length - 1), nowhere];
  const middle = (rest.length - 1) / 2;
  return rest[middle] === " " ? [rest.slice(0, middle), rest.slice(middle + 1)] : undefined;
}

/** A name of a `---` or `+++` line: perhaps quoted, perhaps with a time behind it. */
function readName(text: string): string | undefined {
  if (text.startsWith('"')) {
    const quoted = readQuoted(text);
    return quoted && /^(?:\t.*)?$/.test(text.slice(quoted.length)) ? quoted.name : undefined;
  }
  const [name = ""] = text.split("\t");
  return name.replace(/ {1,2}\d{4}-\d\d-\d\d[ T]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z| ?[+-]\d\d:?\d\d)?$/, "");
}

const escapes: Readonly<Record<string, number>> = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13, '"': 34, "\\": 92 };

/** As git quotes: C's escapes, of bytes. `length`: with its quotes. */
function readQuoted(text: string): { readonly name: string; readonly length: number } | undefined {
  const quoted = /^"(?:[^"\\]|\\(?:[abtnvfr"\\]|[0-3][0-7]{2}))*"/.exec(text)?.[0];
  if (quoted === undefined) return undefined;
  const parts = quoted.slice(1, -1).match(/\\(?:\d{3}|.)|[^\\]+/g) ?? [];
  const bytes = parts.map((part) => {
    if (!part.startsWith("\\")) return Buffer.from(part);
    const known = escapes[part.slice(1)];
    return Buffer.from([known ?? Number.parseInt(part.slice(1), 8)]);
  });
  const joined = Buffer.concat(bytes);
  const name = joined.toString("utf8");
  return Buffer.from(name).equals(joined) ? { name, length: quoted.length } : undefined;
}

/** By its counts if they are right, as git does; else up to where the next hunk or part begins. */
function readHunk(reader: PatchReader, path: string): PatchHunk | Refusal {
  const line = lineAt(reader, reader.at) ?? "";
  if (line.startsWith("@@@"))
    return refuse(`${place(reader)} is of a merge: ${visibleText(line)}`, "write a diff of two versions");
  const [, old, oldCount = "1", , newCount = "1"] = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(line) ?? [];
  const isNumbered = old !== undefined;
  const start = Number(old) > 0 ? Number(old) : undefined;
  reader.at++;
  const exact = isNumbered ? readCounted(reader, Number(oldCount), Number(newCount)) : undefined;
  if (exact) {
    reader.at = exact.next;
    return { start, lines: exact.lines };
  }
  const lines: PatchLine[] = [];
  let blanks = 0;
  for (let text = lineAt(reader, reader.at); text !== undefined; text = lineAt(reader, ++reader.at)) {
    if (text.startsWith("@@") || beginsFile(reader, reader.at)) break;
    if (!addLine(lines, text))
      return refuse(
        `${place(reader)}, for ${visibleText(path)}, begins with neither a space, nor + or -: ${visibleText(text)}`,
        "begin each line of a hunk with a space, + or -, and write nothing behind the diff",
      );
    blanks = text === "" ? blanks + 1 : 0;
  }
  // An empty line at the end may be context or only set the parts apart; left out, the rest must still fit.
  return { start, lines: lines.slice(0, lines.length - blanks) };
}

function readCounted(
  reader: PatchReader,
  oldCount: number,
  newCount: number,
): { readonly lines: readonly PatchLine[]; readonly next: number } | undefined {
  const lines: PatchLine[] = [];
  let [old, now, at] = [oldCount, newCount, reader.at];
  for (; old > 0 || now > 0 || lineAt(reader, at)?.startsWith("\\ "); at++) {
    const text = lineAt(reader, at);
    if (text === undefined || !addLine(lines, text)) return undefined;
    if (text.startsWith("\\")) continue;
    if (text[0] !== "+") old--;
    if (text[0] !== "-") now--;
    if (old < 0 || now < 0) return undefined;
  }
  const next = { ...reader, at };
  const follows = skipBlank(next);
  const isWhole = follows === undefined || follows.startsWith("@@") || beginsFile(next, next.at);
  return isWhole && lines.length > 0 ? { lines, next: next.at } : undefined;
}

/** Adds a line of a hunk, or the mark to the last one; false if it is neither. An empty line is one that lost its space. */
function addLine(lines: PatchLine[], text: string): boolean {
  if (text.startsWith("\\ ")) {
    const last = lines.pop();
    if (!last || last.isUnended) return false;
    lines.push({ ...last, isUnended: true });
    return true;
  }
  const sign = text === "" ? " " : text[0];
  if (sign !== " " && sign !== "+" && sign !== "-") return false;
  lines.push({ sign, text: text.slice(1), isUnended: false });
  return true;
}
