import type { RepoFile } from "../../base/github.ts";
import {
  type CommitSnapshot,
  type ContextNames,
  configPath,
  instructionPaths,
  onCallPath,
  type Plan,
  type RawFile,
  rulesPath,
  scopedEnding,
  scopedFolder,
  skillFolders,
  workflowFolder,
} from "./plan.ts";

/** Of the default branch at one commit (DC-2). */
export interface RepoFiles {
  readonly commit: string | null;
  /** If it was read. */
  readonly organization?: SourceRef | undefined;
  /** General first: the organization's before the repository's. */
  readonly instructions: readonly RepoFile[];
  /** `.github/instructions/*.instructions.md`; `applyTo` names their folders. */
  readonly scoped: readonly RepoFile[];
  readonly rules: RepoFile | undefined;
  /** Why existing rules are not read, e.g. `is a symbolic link, …` (INJ-2). */
  readonly rulesFault?: string | undefined;
  /** `.github/countersign.yml`, which may only narrow. */
  readonly config: RepoFile | undefined;
  /** `.github/countersign/oncall.yml`. */
  readonly oncall?: RepoFile | undefined;
  /** The repository's first. */
  readonly skills: readonly RepoFile[];
  readonly workflows: readonly RepoFile[];
  /** Unread files, with reasons. */
  readonly notes: readonly string[];
}

export interface SourceRef {
  readonly repo: string;
  readonly commit: string;
}

/** The prompt has a budget. */
const maxFileBytes = 256 * 1024;
/** Of further files the notes give only the number. */
const maxNotes = 20;

/** Pure; skips links, submodules, and binary or too large files (SR-38). */
export function readContext(
  snapshots: { readonly repository: CommitSnapshot; readonly organization?: CommitSnapshot | undefined },
  names: ContextNames,
): RepoFiles {
  const own = readerOf(snapshots.repository);
  const shared = snapshots.organization && readerOf(snapshots.organization);
  const general = shared ? [shared, own] : [own];
  const instructions = general.flatMap((reader) => reader.files(instructionPaths("", names)));
  const scoped = general.flatMap((reader) => reader.within(scopedFolder, scopedEnding));
  const rules = own.files([rulesPath])[0];
  const rawRules = snapshots.repository.files.get(rulesPath);
  const skills = general
    .toReversed()
    .flatMap((reader) => skillFolders(names).flatMap((folder) => reader.within(folder, "/SKILL.md")));
  const workflows = own.within(workflowFolder, "");
  const notes = general.flatMap((reader) => reader.notes());
  return {
    commit: snapshots.repository.commit,
    organization:
      snapshots.organization &&
      (snapshots.organization.commit === null
        ? undefined
        : { repo: snapshots.organization.repo, commit: snapshots.organization.commit }),
    instructions,
    scoped,
    rules,
    rulesFault: rawRules && fileFaultOf(rawRules),
    config: settingsOf(snapshots.repository, configPath),
    oncall: settingsOf(snapshots.repository, onCallPath),
    skills,
    workflows,
    notes: firstOf(notes),
  };
}

/** In the plan's order, with notes on unreadable files. */
export function readInstructions(snapshot: CommitSnapshot): Pick<RepoFiles, "instructions" | "notes"> {
  const reader = readerOf(snapshot);
  return { instructions: reader.files([...snapshot.files.keys()]), notes: firstOf(reader.notes()) };
}

const firstOf = (notes: readonly string[]): readonly string[] =>
  notes.length <= maxNotes
    ? notes
    : [...notes.slice(0, maxNotes), `and ${(notes.length - maxNotes).toLocaleString("en")} more files were left out`];

/** `acme/web@1a2b3c4`, for the prompt and the log. */
export const sourceOf = ({ repo, commit }: Pick<CommitSnapshot, "repo" | "commit">): string =>
  `${repo}@${commit?.slice(0, 7) ?? "empty"}`;

function readerOf(snapshot: CommitSnapshot) {
  const source = sourceOf(snapshot);
  const notes: string[] = [];
  const read = (path: string, raw: RawFile | undefined): RepoFile[] => {
    if (!raw) return [];
    const fault = fileFaultOf(raw);
    if (fault === undefined) return raw.text === "" ? [] : [{ path, text: raw.text ?? "", source }];
    notes.push(`${source}:${path} ${fault}`);
    return [];
  };
  return {
    files: (paths: readonly string[]) => paths.flatMap((path) => read(path, snapshot.files.get(path))),
    within: (folder: string, ending: string) =>
      [...snapshot.files]
        .filter(([path, raw]) => path.startsWith(`${folder}/`) && (path.endsWith(ending) || !isPlain(raw.mode)))
        .flatMap(([path, raw]) => read(path, raw)),
    notes: () => notes,
  };
}

export function fileFaultOf({ mode, binary, bytes, text }: RawFile): string | undefined {
  if ((mode & 0o170000) === 0o120000) return "is a symbolic link, which is never followed";
  if ((mode & 0o170000) === 0o160000) return "is a submodule, which is never entered";
  if (!isPlain(mode)) return "is no plain file";
  if (bytes > maxFileBytes)
    return `is left out: it has ${bytes.toLocaleString("en")} bytes, at most ${maxFileBytes.toLocaleString("en")} are read`;
  if (binary) return "is left out: it is binary";
  return text === null ? "is left out: GitHub did not show its text" : undefined;
}

/**
 * Unreadable settings must not count as absent: an invalid text takes their place, so the parser says why. With such a config nothing runs.
 */
function settingsOf(snapshot: CommitSnapshot, path: string): RepoFile | undefined {
  const raw = snapshot.files.get(path);
  if (!raw) return undefined;
  const fault = fileFaultOf(raw);
  return {
    path,
    text: fault === undefined ? (raw.text ?? "") : `the file ${fault.replaceAll(":", ",")}`,
    source: sourceOf(snapshot),
  };
}

/** At `HEAD`, or at a commit read before. */
export interface AskedRepo {
  readonly repo: string;
  readonly revision: string;
  readonly plan: Plan;
}

export interface BlobAnswer {
  readonly text?: string | null;
  readonly byteSize?: number;
  readonly isBinary?: boolean | null;
}
export interface FolderAnswer {
  readonly entries?: readonly TreeEntry[];
}
interface TreeEntry {
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

/** The parents' listings distinguish a file from a symbolic link. */
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
      // A link or a submodule in a folder's place gets a note; a README does not.
      return isPlain(entry.mode) ? [] : [[own, rawFileOf(entry.object, entry.mode)]];
    }),
  );
  return { repo, commit: answer?.defaultBranchRef?.target.oid ?? null, files: new Map([...files, ...inFolders]) };
}

const isPlain = (mode: number): boolean => (mode & 0o170000) === 0o100000;

const parentsOf = ({ files }: Plan): readonly string[] => [
  ...new Set(files.map((path) => path.split("/").slice(0, -1).join("/"))),
];

const below = (folder: string, name: string): string => (folder === "" ? name : `${folder}/${name}`);

/** The mode is from the folder above. */
export const rawFileOf = (found: BlobAnswer | null | undefined, mode: number): RawFile => ({
  text: found?.text ?? null,
  bytes: found?.byteSize ?? 0,
  binary: found?.isBinary ?? false,
  mode,
});
