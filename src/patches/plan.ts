import { createHash } from "node:crypto";
import * as z from "zod";
import { type Refusal, refuse } from "../base/errors.ts";
import type { PatchPlace } from "../base/server.ts";
import { judgePaths } from "./judge.ts";
import { type FilePatch, parsePatch } from "./parse.ts";
import type { ChangedFile } from "./patch.ts";

/** What an approval binds, and what becomes of the files. Pure. */

const id = z.string().regex(/^[0-9a-f]{40}$/);
const planSchema = z.strictObject({
  repository: z.string(),
  base: z.string(),
  branch: z.string(),
  commit: id,
  /** Canonical. */
  patch: z.string(),
  /** Makes the branch's name this action's own. */
  jobId: z.string().min(1),
});

export type PatchPlan = z.output<typeof planSchema>;

/** Writes a plan as an approval binds it. `patch` is canonical (`writePatch`). */
export function writePatchPlan({
  repository,
  base,
  patch,
  jobId,
}: Pick<PatchPlace, "repository" | "base"> & { readonly patch: string; readonly jobId: string }): string {
  const parsed = parsePatch(patch);
  if (!parsed.ok) throw new Error(parsed.reason);
  const { commit = "", files } = parsed;
  const branch = branchOf({ repository, base, commit, patch, jobId }, files);
  return JSON.stringify({ repository, base, branch, commit, patch, jobId } satisfies PatchPlan);
}

/** `countersign/web-yaml-1a2b3c4d5e6f`: by the first file, and by all that the plan holds. */
function branchOf(plan: Omit<PatchPlan, "branch">, files: readonly FilePatch[]): string {
  const { repository, base, commit, patch, jobId } = plan;
  const hash = createHash("sha256").update(JSON.stringify([repository.toLowerCase(), base, commit, patch, jobId]));
  const file = files[0]?.path.split("/").at(-1) ?? "";
  const slug = file
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 40);
  return `countersign/${slug === "" ? "" : `${slug}-`}${hash.digest("hex").slice(0, 12)}`;
}

type PlanReading = { readonly ok: true; readonly plan: PatchPlan; readonly files: readonly FilePatch[] } | Refusal;

const again = "propose the patch again";

/** Reads a plan and judges it again, so that nothing is sent that was not judged as it is sent. */
export function readPatchPlan(wrapped: string, place: PatchPlace): PlanReading {
  const plan = planIn(wrapped);
  if (!plan) return refuse("what was approved is no patch", again);
  const isHere = plan.repository.toLowerCase() === place.repository.toLowerCase() && plan.base === place.base;
  if (!isHere) return refuse(`the patch is for ${plan.base} of ${plan.repository}`, again);
  const parsed = parsePatch(plan.patch);
  if (!parsed.ok) return parsed;
  const misplaced = judgePaths(parsed.files, place);
  if (misplaced) return misplaced;
  if (parsed.commit !== plan.commit || branchOf(plan, parsed.files) !== plan.branch)
    return refuse("the patch is not the one that its branch is named after", again);
  return { ok: true, plan, files: parsed.files };
}

function planIn(wrapped: string): PatchPlan | undefined {
  try {
    return planSchema.safeParse(JSON.parse(wrapped)).data;
  } catch {
    return undefined;
  }
}

/** `2 files, +3 −1` */
export function sizeOf(files: readonly FilePatch[]): string {
  const count = (sign: "+" | "-"): number =>
    files.flatMap(({ hunks }) => hunks.flatMap(({ lines }) => lines.filter((line) => line.sign === sign))).length;
  return `${files.length} ${files.length === 1 ? "file" : "files"}, +${count("+")} −${count("-")}`;
}

/** An entry of a folder at a commit. */
export interface FolderEntry {
  readonly name: string;
  /** As git writes it: 100644, 100755, 120000, 160000, 040000. */
  readonly mode: string;
  readonly id: string;
  /** Of a file, in bytes. */
  readonly size?: number | undefined;
}

/** By path; the root is the empty one. */
export type Folders = ReadonlyMap<string, readonly FolderEntry[]>;

const folderMode = "040000";

/**
 * The id of the root tree that results. Computed here, so that one comparison proves what GitHub made: each file's bytes and mode, and
 * that nothing else has changed. `folders` has each folder above a changed file that is there.
 */
export const treeAfter = (folders: Folders, changed: readonly ChangedFile[]): string =>
  treeOf("", folders, changed) ?? idOf("tree", Buffer.alloc(0));

/** Undefined if the folder is empty: git knows none. */
function treeOf(folder: string, folders: Folders, changed: readonly ChangedFile[]): string | undefined {
  const entries = new Map((folders.get(folder) ?? []).map((entry) => [entry.name, entry]));
  const prefix = folder === "" ? "" : `${folder}/`;
  const below = changed.filter(({ path }) => path.startsWith(prefix));
  for (const [name, files] of Map.groupBy(below, ({ path }) => path.slice(prefix.length).split("/")[0] ?? "")) {
    const path = `${prefix}${name}`;
    const own = files.find((file) => file.path === path);
    const made = own ? own.after !== undefined && idOf("blob", Buffer.from(own.after)) : treeOf(path, folders, files);
    if (made) entries.set(name, { name, mode: own?.mode ?? folderMode, id: made });
    else entries.delete(name);
  }
  if (entries.size === 0) return undefined;
  // git sorts a folder as if its name ended in a slash.
  const sortKey = ({ name, mode }: FolderEntry): Buffer => Buffer.from(mode === folderMode ? `${name}/` : name);
  const sorted = [...entries.values()].toSorted((one, other) => Buffer.compare(sortKey(one), sortKey(other)));
  const bytes = sorted.flatMap((entry) => [
    Buffer.from(`${entry.mode.replace(/^0/, "")} ${entry.name}\0`),
    Buffer.from(entry.id, "hex"),
  ]);
  return idOf("tree", Buffer.concat(bytes));
}

const idOf = (kind: "blob" | "tree", bytes: Buffer): string =>
  createHash("sha1").update(`${kind} ${bytes.length}\0`).update(bytes).digest("hex");
