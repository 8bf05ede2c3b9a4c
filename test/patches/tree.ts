import { judgePaths } from "../../src/patches/judge.ts";
import { type FilePatch, parsePatch } from "../../src/patches/parse.ts";
import { applyPatch, blobId, type ChangedFile, type CommitFile, pathsToRead } from "../../src/patches/patch.ts";

/** Files of a commit by path: a text, or what else stands there. */
export type Tree = Readonly<Record<string, string | CommitFile>>;

export const commit = "1a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d";
export const place = { repository: "acme/infra", paths: ["k8s/**", "ansible/**"], base: "main" };

export const fileOf = (text: string, mode = "100644"): CommitFile => ({ mode, id: blobId(text), text });
export const thing = (mode: string): CommitFile => ({ mode, id: "9".repeat(40), text: "" });

/** What a patch must read, of such a commit. */
export const readOf = (tree: Tree, files: readonly FilePatch[]): ReadonlyMap<string, CommitFile | undefined> =>
  new Map(
    pathsToRead(files).map((path) => {
      const there = tree[path];
      if (typeof there === "string") return [path, fileOf(there)];
      const isFolder = Object.keys(tree).some((one) => one.startsWith(`${path}/`));
      return [path, there ?? (isFolder ? thing("040000") : undefined)];
    }),
  );

/** The whole way: the files as they would be, or why not. */
export function tryPatch(
  text: string,
  tree: Tree,
  at = place,
): { readonly refusal: string } | { readonly files: readonly ChangedFile[] } {
  const parsed = parsePatch(text);
  if (!parsed.ok) return { refusal: `${parsed.reason} → ${parsed.remedy}` };
  const judged = judgePaths(parsed.files, at);
  if (judged) return { refusal: `${judged.reason} → ${judged.remedy}` };
  const applied = applyPatch(parsed.files, readOf(tree, parsed.files));
  return applied.ok ? { files: applied.files } : { refusal: `${applied.reason} → ${applied.remedy}` };
}
