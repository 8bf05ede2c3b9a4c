/** What is looked for in a repository (OP-2, OP-3): one table, read over GraphQL by the bot and from a folder by `countersign prompt`. */

/** A file in a repository's tree, before the decision whether to read it. */
export interface RawFile {
  /** Null if GitHub cannot show it as text. */
  readonly text: string | null;
  readonly bytes: number;
  readonly binary: boolean;
  /** Git's: 0o100644 is a plain file, 0o120000 a symbolic link, 0o160000 a submodule. */
  readonly mode: number;
}

/** A repository's files of a plan, by path, in the plan's order. */
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
  /** The file that is wanted from each folder in it; if undefined, its own files with these endings are. */
  readonly inner?: string;
  readonly endings?: readonly string[];
}

export interface ContextNames {
  /** `context.filenames`; empty if `features.context` is off, and then no instructions of any kind are read. */
  readonly filenames: readonly string[];
  /** `context.extra_skill_dirs`: folders of the repository. */
  readonly extraSkillDirs: readonly string[];
}

export const rulesPath = ".github/countersign/rules.md";
/** Ships with Countersign, for repositories that have no rules yet (INJ-2). */
export const rulesStarter = "templates/starter/rules.md";
export const configPath = ".github/countersign.yml";
export const onCallPath = ".github/countersign/oncall.yml";
export const workflowFolder = ".github/countersign/workflows";
export const scopedFolder = ".github/instructions";
export const scopedEnding = ".instructions.md";
const copilotPath = ".github/copilot-instructions.md";

/** The folders of skills. If two hold a skill of one name, the earlier folder counts. */
export const skillFolders = ({ extraSkillDirs }: ContextNames): readonly string[] => [
  ...new Set([
    ".agents/skills",
    ".github/skills",
    ".claude/skills",
    ...extraSkillDirs.flatMap((dir) => safeFolder(dir) ?? []),
  ]),
];

/** The instruction files of one folder of a repository (`""`: its root), in the order in which they are read. */
export function instructionPaths(folder: string, { filenames }: ContextNames): readonly string[] {
  const below = folder === "" ? "" : `${folder}/`;
  const named = filenames.flatMap((name) => ["", ".agents/", ".github/"].map((place) => `${below}${place}${name}`));
  return folder === "" && filenames.length > 0 ? [...named, copilotPath] : named;
}

/** What an organization's repository gives to all others: instructions and skills. Rules and config are each repository's own. */
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

/** The instruction files on the way from the root (left out: it is read for everybody) down to each folder. */
export const componentPlan = (folders: readonly string[], names: ContextNames): Plan => ({
  files: [...new Set(folders.flatMap(levelsOf))].flatMap((level) => instructionPaths(level, names)),
  folders: [],
});

const levelsOf = (folder: string): readonly string[] =>
  folder.split("/").map((_, index, parts) => parts.slice(0, index + 1).join("/"));

const maxLevels = 8;
const maxFolderCharacters = 200;

/**
 * A folder of a repository as a person wrote it (`./services/web/`); undefined if it is none: absolute, upwards, deeper
 * than 8 levels, or with characters that no folder of a component has.
 */
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

/** An incident is about one part of a repository, or a few. */
const maxFolders = 4;

/** The folders an incident is about: what its issue form says, else what its labels name, e.g. `path:services/web`. */
export function componentFolders(
  { body, labels }: { readonly body: string; readonly labels: readonly string[] },
  prefix: string,
): readonly string[] {
  const inForm = componentIn(body);
  if (inForm !== undefined) return [inForm];
  const named = labels.flatMap((label) => (label.startsWith(prefix) ? [label.slice(prefix.length)] : []));
  return [...new Set(named.flatMap((folder) => safeFolder(folder) ?? []))].sort().slice(0, maxFolders);
}

/** The line below an issue form's heading "Component"; forms write `_No response_` if it was left empty. */
function componentIn(body: string): string | undefined {
  const line = /^#{2,4}[ \t]+Component[ \t]*\r?\n\s*([^\r\n]{1,200})$/im.exec(body)?.[1]?.trim();
  return line === undefined || line.startsWith("_") ? undefined : safeFolder(line);
}
