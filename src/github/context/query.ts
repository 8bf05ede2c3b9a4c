import type { CommitSnapshot, Plan, RawFile } from "./plan.ts";

/** A repository that is asked, and at which revision: `HEAD`, or a commit that was read before. */
export interface AskedRepo {
  readonly repo: string;
  readonly revision: string;
  readonly plan: Plan;
}

/** A file as GitHub answers with it. */
export interface BlobAnswer {
  readonly text?: string | null;
  readonly byteSize?: number;
  readonly isBinary?: boolean | null;
}
/** A folder as GitHub answers with it. */
export interface FolderAnswer {
  readonly entries?: readonly Entry[];
}
interface Entry {
  readonly name: string;
  readonly type: string;
  readonly mode: number;
  readonly object?: (BlobAnswer & FolderAnswer) | null;
}
export type RepoAnswer =
  | ({ readonly defaultBranchRef: { readonly target: { readonly oid: string } } | null } & {
      readonly [file: `file${number}`]: BlobAnswer | null;
    } & { readonly [folder: `folder${number}` | `parent${number}`]: FolderAnswer | null })
  | null;

const blob = "... on Blob { text byteSize isBinary }";

/** The selection on a repository that answers a plan. The parents' listings tell a file from a symbolic link (SR-38). */
export function selectionOf({ revision, plan }: AskedRepo): string {
  const at = (alias: string, path: string, fields: string): string =>
    `${alias}: object(expression: ${JSON.stringify(`${revision}:${path}`)}) { ${fields} }`;
  const listing = (inner: string) => `... on Tree { entries { name type mode ${inner} } }`;
  return [
    "defaultBranchRef { target { oid } }",
    ...plan.files.map((path, i) => at(`file${i}`, path, blob)),
    ...parentsOf(plan).map((path, i) => at(`parent${i}`, path, listing(""))),
    ...plan.folders.map(({ path, inner }, i) =>
      at(`folder${i}`, path, listing(`object { ${inner === undefined ? blob : listing(`object { ${blob} }`)} }`)),
    ),
  ].join("\n    ");
}

/** What GitHub answered to that selection. */
export function commitSnapshot({ repo, plan }: AskedRepo, answer: RepoAnswer): CommitSnapshot {
  const parents = parentsOf(plan);
  const modes = new Map(
    parents.flatMap((parent, i) =>
      (answer?.[`parent${i}`]?.entries ?? []).map(({ name, mode }) => [below(parent, name), mode] as const),
    ),
  );
  const files = plan.files.flatMap((path, i): [string, RawFile][] => {
    const found = answer?.[`file${i}`];
    // A folder of that name answers too, without a size.
    return found?.byteSize === undefined ? [] : [[path, rawFileOf(found, modes.get(path) ?? 0)]];
  });
  const inFolders = plan.folders.flatMap(({ path, inner, endings = [] }, i) =>
    (answer?.[`folder${i}`]?.entries ?? []).flatMap((entry): [string, RawFile][] => {
      const own = below(path, entry.name);
      if (inner === undefined)
        return endings.some((end) => entry.name.endsWith(end)) && entry.type !== "tree"
          ? [[own, rawFileOf(entry.object, entry.mode)]]
          : [];
      if (entry.type === "tree")
        return (entry.object?.entries ?? [])
          .filter(({ name }) => name === inner)
          .map((found) => [`${own}/${inner}`, rawFileOf(found.object, found.mode)]);
      // A link or a submodule in a folder's place is told; a README beside the folders is nobody's business.
      return isPlain(entry.mode) ? [] : [[own, rawFileOf(entry.object, entry.mode)]];
    }),
  );
  return { repo, commit: answer?.defaultBranchRef?.target.oid ?? null, files: new Map([...files, ...inFolders]) };
}

export const isPlain = (mode: number): boolean => (mode & 0o170000) === 0o100000;

const parentsOf = ({ files }: Plan): readonly string[] => [
  ...new Set(files.map((path) => path.split("/").slice(0, -1).join("/"))),
];

const below = (folder: string, name: string): string => (folder === "" ? name : `${folder}/${name}`);

/** The file of an answer, with its mode by the folder above it. */
export const rawFileOf = (found: BlobAnswer | null | undefined, mode: number): RawFile => ({
  text: found?.text ?? null,
  bytes: found?.byteSize ?? 0,
  binary: found?.isBinary ?? false,
  mode,
});
