import type { Skill } from "../../base/github.ts";
import {
  type BlobAnswer,
  type FolderAnswer,
  fileFaultOf,
  type RepoFiles,
  rawFileOf,
  type SourceRef,
  sourceOf,
} from "./read.ts";

/** A file beside a skill's SKILL.md, by its path inside the skill's folder. */
export interface SkillFile {
  readonly path: string;
  readonly bytes: number;
}

/** What lies in a skill's folder: what may be read, and how much of it is named at once. */
export type SkillFolder = ReadonlyMap<string, SkillFile>;

/** A folder deeper than this below a skill is not looked into. */
const maxDepth = 3;

/** The repository and commit that a skill was read at; undefined if the context has none of its source. */
export function originOf(
  context: Pick<RepoFiles, "commit" | "organization">,
  repo: string,
  { source }: Pick<Skill, "source">,
): SourceRef | undefined {
  const refs = [context.commit === null ? undefined : { repo, commit: context.commit }, context.organization];
  return refs.find((ref) => ref !== undefined && sourceOf(ref) === source);
}

const folderOf = ({ path }: Pick<Skill, "path">): string => path.split("/").slice(0, -1).join("/");
const objectAt = ({ commit }: SourceRef, path: string, fields: string): string =>
  `skill: object(expression: ${JSON.stringify(`${commit}:${path}`)}) { ${fields} }`;

export function listingOf(origin: SourceRef, skill: Pick<Skill, "path">): string {
  const level = (depth: number): string =>
    depth === 0
      ? ""
      : `... on Tree { entries { name type mode object { ... on Blob { byteSize isBinary } ${level(depth - 1)} } } }`;
  return objectAt(origin, folderOf(skill), level(maxDepth));
}

/** The selection that reads one file of it. Of a path with `..` in it git knows nothing, and it follows no link on the way. */
export const fileSelection = (origin: SourceRef, skill: Pick<Skill, "path">, file: SkillFile): string =>
  objectAt(origin, `${folderOf(skill)}/${file.path}`, "... on Blob { text byteSize isBinary }");

/**
 * The plain text files of a folder, those below it too. Only what stands here is ever asked for, so that no path the model
 * makes up leads out of the folder, and nothing that is a link, a submodule, binary or too large is read (SR-38).
 */
export function filesIn(answer: FolderAnswer | null | undefined): SkillFolder {
  const files = walk(answer ?? {}, "").filter(({ path }) => path !== "SKILL.md");
  return new Map(files.map((file) => [file.path, file]));
}

function walk({ entries = [] }: FolderAnswer, above: string): readonly SkillFile[] {
  return entries.flatMap(({ name, type, mode, object }) => {
    const path = `${above}${name}`;
    if (type === "tree") return walk(object ?? {}, `${path}/`);
    const bytes = object?.byteSize ?? 0;
    return fileFaultOf(rawFileOf({ ...object, text: "" }, mode)) === undefined ? [{ path, bytes }] : [];
  });
}

/** A file's text; undefined if GitHub does not show it. */
export const textIn = (answer: BlobAnswer | null | undefined): string | undefined =>
  fileFaultOf(rawFileOf(answer, plainMode)) === undefined ? (answer?.text ?? undefined) : undefined;

const plainMode = 0o100644;
