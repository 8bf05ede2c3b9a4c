import { createHash } from "node:crypto";
import { structuredPatch } from "diff";
import { type Refusal, refuse } from "../base/errors.ts";
import { foldersAbove, visibleText } from "./judge.ts";
import { type FilePatch, modeWords, type PatchHunk, plainModes } from "./parse.ts";

/** What stands at a path of a commit. A folder, link or submodule too: then only `mode` counts. */
export interface CommitFile {
  /** As git writes it: 100644, 100755, 120000, 160000, 040000. */
  readonly mode: string;
  readonly id: string;
  readonly text: string;
}

export interface ChangedFile {
  readonly path: string;
  readonly mode: string;
  readonly before: CommitFile | undefined;
  /** Undefined: deleted. */
  readonly after: string | undefined;
}

type PatchApplication = { readonly ok: true; readonly files: readonly ChangedFile[] } | Refusal;

/** Looking for the place of a hunk takes time for each line. */
const largestFile = 500_000;

const zeroId = "0".repeat(40);

export function blobId(content: Uint8Array | string): string {
  const bytes = Buffer.from(content);
  return createHash("sha1").update(`blob ${bytes.length}\0`).update(bytes).digest("hex");
}

/** What `applyPatch` must know: the files, and of a new file also the folders above it, since a tree would replace a link by a folder. */
export const pathsToRead = (files: readonly FilePatch[]): readonly string[] => [
  ...new Set(files.flatMap(({ path, act }) => [...(act === "create" ? foldersAbove(path) : []), path])),
];

/**
 * Applies a patch to the files of one commit. `at` has an entry for each of `pathsToRead`, undefined where nothing stands. Context and
 * removed lines must match; a hunk's line number may be off only if there is one place for it. Pure.
 */
export function applyPatch(
  files: readonly FilePatch[],
  at: ReadonlyMap<string, CommitFile | undefined>,
): PatchApplication {
  const unread = pathsToRead(files).find((path) => !at.has(path));
  if (unread !== undefined) return refuse(`${visibleText(unread)} was not read`, "try again");
  const changed: ChangedFile[] = [];
  for (const file of files) {
    const one = applyFile(file, at);
    if (!one.ok) return one;
    changed.push(one.file);
  }
  return { ok: true, files: changed };
}

type FileApplication = { readonly ok: true; readonly file: ChangedFile } | Refusal;

function applyFile(file: FilePatch, at: ReadonlyMap<string, CommitFile | undefined>): FileApplication {
  const { path, act } = file;
  const before = at.get(path);
  if (act === "create") {
    if (before)
      return refuse(
        `${visibleText(path)} is there already: ${modeWords(before.mode)}`,
        "change what is there, or name another path",
      );
    const blocked = foldersAbove(path).find((folder) => (at.get(folder)?.mode ?? "040000") !== "040000");
    if (blocked !== undefined)
      return refuse(
        `${visibleText(blocked)} is ${modeWords(at.get(blocked)?.mode ?? "")}, no folder`,
        "name another path",
      );
  } else {
    if (!before)
      return refuse(
        `there is no file ${visibleText(path)} at that commit`,
        "correct its path; a new file has `--- /dev/null`",
      );
    if (!plainModes.includes(before.mode))
      return refuse(`${visibleText(path)} is ${modeWords(before.mode)}`, "patch plain files only");
    if (before.text.length > largestFile)
      return refuse(
        `${visibleText(path)} has more than ${largestFile.toLocaleString("en")} characters`,
        "leave that file to a person",
      );
    // git takes a file with a NUL for a binary one.
    if (blobId(before.text) !== before.id || before.text.includes("\0"))
      return refuse(`${visibleText(path)} is no plain UTF-8 text`, "patch text files only");
    if (file.mode !== undefined && file.mode !== before.mode)
      return refuse(
        `${visibleText(path)} has mode ${before.mode}, and the patch says ${file.mode}`,
        "change only text",
      );
    if (file.beforeId !== undefined && file.beforeId !== before.id)
      return refuse(
        `${visibleText(path)} is not the version that the patch is for (${before.id.slice(0, 7)}, not ${file.beforeId.slice(0, 7)})`,
        "read the file again, or leave out the `index` line",
      );
  }
  const applied = applyHunks(file, before?.text ?? "");
  if (typeof applied !== "string") return applied;
  if (act === "delete" && applied !== "")
    return refuse(
      `the patch deletes ${visibleText(path)} and does not remove all its lines`,
      "remove all, or keep the file",
    );
  const after = act === "delete" ? undefined : applied;
  if (before && before.text === after)
    return refuse(`the patch leaves ${visibleText(path)} as it is`, "leave that file out");
  const odd = after === undefined ? undefined : oddEnding(before?.text ?? "", after);
  if (odd !== undefined)
    return refuse(`${visibleText(path)} would get lines that end in ${odd}`, "end all lines as the file does");
  if (file.afterId !== undefined && (after === undefined || blobId(after) !== file.afterId))
    return refuse(`${visibleText(path)} would not become what the patch's \`index\` line says`, "leave out that line");
  return { ok: true, file: { path, mode: before?.mode ?? "100644", before, after } };
}

/** An ending of lines that the file did not have, because nobody sees it. */
function oddEnding(before: string, after: string): string | undefined {
  const [had, has] = [before, after].map((text) => new Set(text.match(/\r\n|[\r\n]/g)));
  const isNew = had?.size === 0;
  const odd = [...(has ?? [])].find((ending) => (isNew ? ending === "\r" || has?.size !== 1 : !had?.has(ending)));
  return odd && JSON.stringify(odd).slice(1, -1);
}

function applyHunks({ path, hunks }: FilePatch, text: string): string | Refusal {
  // Each with its end; the last one may have none.
  const lines = text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  const ended = lines.filter((line) => line.endsWith("\n"));
  const hasCr = hunks.some((hunk) => hunk.lines.some((line) => line.text.endsWith("\r")));
  // Nobody writes the CR of a CRLF file into a diff by hand.
  const ending = !hasCr && ended.length > 0 && ended.every((line) => line.endsWith("\r\n")) ? "\r\n" : "\n";
  const pieces: { readonly text: string; readonly isFixed: boolean }[] = [];
  const keep = (from: number, to: number): void =>
    lines.slice(from, to).forEach((line) => void pieces.push({ text: line, isFixed: false }));
  let done = 0;
  for (const [at, hunk] of hunks.entries()) {
    const place = findPlace(hunk, lines, ending, done);
    if (typeof place !== "number")
      return refuse(`hunk ${at + 1} for ${visibleText(path)} ${place.reason}`, place.remedy);
    keep(done, place);
    done = place;
    const lastChange = hunk.lines.findLastIndex(({ sign }) => sign !== " ");
    // The context behind the last change may be the next hunk's as well.
    for (const { sign, text, isUnended } of hunk.lines.slice(0, lastChange + 1)) {
      if (sign === "+") pieces.push({ text: text + (isUnended ? "" : ending), isFixed: isUnended });
      else if (sign === " ") pieces.push({ text: lines[done] ?? "", isFixed: isUnended });
      if (sign !== "+") done++;
    }
  }
  keep(done, lines.length);
  const early = pieces.slice(0, -1).find((piece) => piece.isFixed && !piece.text.endsWith("\n"));
  if (early)
    return refuse(
      `the patch for ${visibleText(path)} has \`\\ No newline at end of file\` before its end, at ${visibleText(early.text)}`,
      "put that mark only behind the last line",
    );
  return pieces
    .map((piece, at) => (at < pieces.length - 1 && !piece.text.endsWith("\n") ? piece.text + ending : piece.text))
    .join("");
}

/** The line, from 0, at which a hunk fits. */
function findPlace(
  hunk: PatchHunk,
  lines: readonly string[],
  ending: string,
  done: number,
): number | Pick<Refusal, "reason" | "remedy"> {
  const old = hunk.lines.filter(({ sign }) => sign !== "+");
  const fitting = (at: number): number => {
    const wrong = old.findIndex(({ text, isUnended }, offset) => {
      const line = lines[at + offset];
      // A line without an end is the file's last one; models forget the mark for it.
      return line !== text && (isUnended || line !== text + ending);
    });
    return wrong < 0 ? old.length : wrong;
  };
  if (old.length === 0)
    return lines.length === 0
      ? 0
      : { reason: "has no line of the file in it", remedy: "write three lines of context around the change" };
  const stated = (hunk.start ?? 0) - 1;
  if (stated >= done && fitting(stated) === old.length) return stated;
  const places = lines.flatMap((_, at) => (fitting(at) === old.length ? [at] : []));
  const [place] = places;
  if (place === undefined) {
    const most = lines.reduce((best, _, at) => Math.max(best, fitting(at)), 0);
    const first = old[most];
    return {
      reason: `does not fit: ${visibleText(first?.text ?? "")} is not ${most === 0 ? "in the file" : `behind ${visibleText(old[most - 1]?.text ?? "")}`}`,
      remedy: "read the file at that commit again, and copy the lines around the change exactly",
    };
  }
  if (places.length > 1)
    return {
      reason: `fits at ${places.length} places (${places
        .map((at) => `line ${at + 1}`)
        .slice(0, 5)
        .join(", ")})`,
      remedy: "write more lines of context, or the right line number",
    };
  return place >= done
    ? place
    : { reason: "stands before the one above it", remedy: "write hunks in the file's order" };
}

/** The text that an action binds: commit, and each file's blob ids before and after. The same change always gives the same text. */
export const writePatch = (commit: string, files: readonly ChangedFile[]): string =>
  `commit ${commit}\n${files
    .toSorted((one, other) => (one.path < other.path ? -1 : 1))
    .map(writeFile)
    .join("")}`;

function writeFile({ path, mode, before, after }: ChangedFile): string {
  const ids = `index ${before?.id ?? zeroId}..${after === undefined ? zeroId : blobId(after)}`;
  const { hunks } = structuredPatch("", "", before?.text ?? "", after ?? "", undefined, undefined, { context: 3 });
  const head = [
    `diff --git a/${path} b/${path}`,
    ...(before ? [] : [`new file mode ${mode}`]),
    ...(after === undefined ? [`deleted file mode ${mode}`] : []),
    before && after !== undefined ? `${ids} ${mode}` : ids,
    ...(hunks.length === 0 ? [] : [`--- ${before ? `a/${path}` : "/dev/null"}`]),
    ...(hunks.length === 0 ? [] : [`+++ ${after === undefined ? "/dev/null" : `b/${path}`}`]),
  ];
  const body = hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines }) => [
    `@@ -${range(oldStart, oldLines)} +${range(newStart, newLines)} @@`,
    ...lines,
  ]);
  return `${[...head, ...body].join("\n")}\n`;
}

/** An empty range names the line before it. */
const range = (start: number, count: number): string =>
  count === 1 ? `${start}` : `${count === 0 ? start - 1 : start},${count}`;
