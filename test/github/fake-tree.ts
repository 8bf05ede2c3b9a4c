/** A repository's tree on the wire of GraphQL: answers whatever objects a query asks for, as GitHub would. */

export interface FakeFile {
  readonly text?: string | null;
  readonly bytes?: number;
  readonly binary?: boolean;
  readonly mode?: number;
}
export type FakeTree = Readonly<Record<string, string | FakeFile>>;

export const link = 0o120000;
export const submodule = 0o160000;

const fileOf = (given: string | FakeFile): FakeFile => (typeof given === "string" ? { text: given } : given);

function blobOf(given: string | FakeFile): object {
  const { text = "", bytes, binary = false } = fileOf(given);
  return { text, byteSize: bytes ?? Buffer.byteLength(text ?? ""), isBinary: binary };
}

type Folder = Map<string, Folder | FakeFile>;

/** Every folder of the tree by its path. */
function foldersOf(tree: FakeTree): ReadonlyMap<string, Folder> {
  const folders = new Map<string, Folder>([["", new Map()]]);
  const folderAt = (path: string): Folder => {
    const known = folders.get(path);
    if (known) return known;
    const made: Folder = new Map();
    folders.set(path, made);
    put(path, made);
    return made;
  };
  const put = (path: string, what: Folder | FakeFile): void => {
    const cut = path.lastIndexOf("/");
    folderAt(path.slice(0, Math.max(cut, 0))).set(path.slice(cut + 1), what);
  };
  for (const [path, given] of Object.entries(tree)) put(path, fileOf(given));
  return folders;
}

const treeOf = (folder: Folder | undefined, depth = 0): object | null =>
  folder === undefined
    ? null
    : {
        entries: [...folder].sort().map(([name, found]) => {
          if (found instanceof Map)
            return { name, type: "tree", mode: 0o040000, object: depth < 2 ? treeOf(found, depth + 1) : {} };
          const { mode = 0o100644 } = found;
          return mode === submodule
            ? { name, type: "commit", mode, object: null }
            : { name, type: "blob", mode, object: blobOf(found) };
        }),
      };

/** The answer to one repository's selection. */
export function answerTree(selection: string, tree: FakeTree, oid: string): object {
  const aliases = [...selection.matchAll(/(\w+): object\(expression: ("(?:[^"\\]|\\.)*")\) \{ \.\.\. on (Blob|Tree)/g)];
  const folders = foldersOf(tree);
  const objects = aliases.map(([, alias = "", expression = '""', kind]) => {
    const path = String(JSON.parse(expression)).split(/:(.*)/s)[1] ?? "";
    const given = tree[path];
    // A submodule is a commit and a link to nowhere is still a blob: neither answers as a tree.
    const found = kind === "Tree" ? treeOf(folders.get(path)) : given === undefined ? null : blobOf(given);
    return [alias, found] as const;
  });
  return { defaultBranchRef: { target: { oid } }, ...Object.fromEntries(objects) };
}
