import type { Git } from "../git.ts";
import type { GitObject, TreeEntry } from "../git-object.ts";

/** GitHub cuts a blob's text after 512,000 bytes. */
const maxTextBytes = 512_000;

const typeNames = { commit: "Commit", tree: "Tree", blob: "Blob" } as const;

export const commitOf = (oid: string) => ({ __typename: "Commit", id: oid, oid, abbreviatedOid: oid.slice(0, 7) });

/** A commit, tree or blob; the entries of a tree are read only as far as they are asked for. */
export function gitObject(git: Git, object: GitObject, path = ""): object {
  const common = {
    __typename: typeNames[object.type],
    id: object.sha,
    oid: object.sha,
    abbreviatedOid: object.sha.slice(0, 7),
  };
  if (object.type === "commit") return common;
  if (object.type === "tree")
    return {
      ...common,
      entries: object.entries.map((e) => treeEntry(git, e, path === "" ? e.path : `${path}/${e.path}`)),
    };
  const { bytes } = object;
  const isBinary = bytes.subarray(0, 8_000).includes(0);
  return {
    ...common,
    byteSize: bytes.length,
    isBinary,
    isTruncated: bytes.length > maxTextBytes,
    text: isBinary ? null : bytes.subarray(0, maxTextBytes).toString(),
  };
}

/** `path` is the whole path from the root, also where the query began at a folder. */
const treeEntry = (git: Git, entry: TreeEntry, path: string) => ({
  name: entry.path,
  path,
  type: entry.type,
  mode: Number.parseInt(entry.mode, 8),
  oid: entry.sha,
  object: async () => {
    const found = await git.object(entry.type, entry.sha);
    return found ? gitObject(git, found, path) : null;
  },
});
