import { createHash } from "node:crypto";
import * as z from "zod";
import { type Refusal, refuse } from "../base/errors.ts";
import { parseJson } from "../base/json.ts";
import type { PatchPlace } from "../base/server.ts";
import { judgePaths } from "./judge.ts";
import { type FilePatch, parsePatch } from "./parse.ts";

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
  const plan = planSchema.safeParse(parseJson(wrapped)).data;
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
