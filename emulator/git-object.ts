export interface TreeEntry {
  readonly path: string;
  readonly mode: string;
  readonly type: "blob" | "tree" | "commit";
  readonly sha: string;
}

export type GitObject =
  | { readonly type: "commit"; readonly sha: string; readonly tree: string }
  | { readonly type: "tree"; readonly sha: string; readonly entries: readonly TreeEntry[] }
  | { readonly type: "blob"; readonly sha: string; readonly bytes: Buffer };
