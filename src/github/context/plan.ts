/** What is looked for in a repository (OP-2, OP-3), over GraphQL or in a folder by `countersign prompt`. */

export interface RawFile {
  /** Null if GitHub cannot show it as text. */
  readonly text: string | null;
  readonly bytes: number;
  readonly binary: boolean;
  /** Git's: 0o100644 is a plain file, 0o120000 a symbolic link, 0o160000 a submodule. */
  readonly mode: number;
}

/** A plan's files by path, in its order. */
export interface CommitSnapshot {
  readonly repo: string;
  readonly commit: string | null;
  readonly files: ReadonlyMap<string, RawFile>;
}

export interface Plan {
  readonly files: readonly string[];
  readonly folders: readonly PlannedFolder[];
}

interface PlannedFolder {
  readonly path: string;
  /** This file of each folder in it; if undefined, its own files with these endings. */
  readonly inner?: string;
  readonly endings?: readonly string[];
}

export interface ContextNames {
  /** Empty if `features.context` is off. */
  readonly filenames: readonly string[];
  readonly extraSkillDirs: readonly string[];
}

export const rulesPath = ".github/countersign/rules.md";
/** For repositories without rules (INJ-2). */
export const rulesStarter = "templates/starter/rules.md";
export const configPath = ".github/countersign.yml";
export const onCallPath = ".github/countersign/oncall.yml";
export const workflowFolder = ".github/countersign/workflows";
export const scopedFolder = ".github/instructions";
export const scopedEnding = ".instructions.md";
const copilotPath = ".github/copilot-instructions.md";

/** Of two skills of one name the earlier folder counts. */
export const skillFolders = ({ extraSkillDirs }: ContextNames): readonly string[] => [
  ...new Set([
    ".agents/skills",
    ".github/skills",
    ".claude/skills",
    ...extraSkillDirs.flatMap((dir) => safeFolder(dir) ?? []),
  ]),
];

/** In the order of reading; `""` is the root. */
export function instructionPaths(folder: string, { filenames }: ContextNames): readonly string[] {
  const below = folder === "" ? "" : `${folder}/`;
  const named = filenames.flatMap((name) => ["", ".agents/", ".github/"].map((place) => `${below}${place}${name}`));
  return folder === "" && filenames.length > 0 ? [...named, copilotPath] : named;
}

/** Instructions and skills; rules and config are each repository's own. */
export const organizationPlan = (names: ContextNames): Plan => ({
  files: instructionPaths("", names),
  folders: [
    ...skillFolders(names).map((path) => ({ path, inner: "SKILL.md" })),
    ...(names.filenames.length > 0 ? [{ path: scopedFolder, endings: [scopedEnding] }] : []),
  ],
});

export function repositoryPlan(names: ContextNames): Plan {
  const shared = organizationPlan(names);
  return {
    files: [...shared.files, rulesPath, configPath, onCallPath],
    folders: [...shared.folders, { path: workflowFolder, endings: [".yml", ".yaml"] }],
  };
}

/** Without the root's, which are read for every incident. */
export const componentPlan = (folders: readonly string[], names: ContextNames): Plan => ({
  files: [...new Set(folders.flatMap(levelsOf))].flatMap((level) => instructionPaths(level, names)),
  folders: [],
});

const levelsOf = (folder: string): readonly string[] =>
  folder.split("/").map((_, index, parts) => parts.slice(0, index + 1).join("/"));

const maxLevels = 8;
const maxFolderCharacters = 200;

/** Undefined if absolute, upwards, deeper than 8 levels, or with characters that no component's folder has. */
function safeFolder(written: string): string | undefined {
  const folder = written
    .trim()
    .replace(/^(?:\.\/)+/, "")
    .replace(/\/+$/, "");
  if (folder.length > maxFolderCharacters) return undefined;
  const parts = folder.split("/");
  const plain = parts.every(
    (part) => /^[\p{L}\p{N}@_. +-]+$/u.test(part) && !/^\.{1,2}$/.test(part) && part !== ".git",
  );
  return plain && parts.length <= maxLevels ? folder : undefined;
}

const maxFolders = 4;

/** From the issue form, else from labels, e.g. `path:services/web`. */
export function componentFolders(
  { body, labels }: { readonly body: string; readonly labels: readonly string[] },
  prefix: string,
): readonly string[] {
  // Issue forms write `_No response_` for an empty field.
  const line = /^#{2,4}[ \t]+Component[ \t]*\r?\n\s*([^\r\n]{1,200})$/im.exec(body)?.[1]?.trim();
  const inForm = line === undefined || line.startsWith("_") ? undefined : safeFolder(line);
  if (inForm !== undefined) return [inForm];
  const named = labels.flatMap((label) => (label.startsWith(prefix) ? [label.slice(prefix.length)] : []));
  return [...new Set(named.flatMap((folder) => safeFolder(folder) ?? []))].sort().slice(0, maxFolders);
}
