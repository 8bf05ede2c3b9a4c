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

/** Inside the skill's folder. */
export interface SkillFile {
  readonly path: string;
  readonly bytes: number;
}

export type SkillFolder = ReadonlyMap<string, SkillFile>;

const maxDepth = 3;

/** Undefined if the context has none of its source. */
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

/** Git knows no path with `..`, and follows no link. */
export const fileSelection = (origin: SourceRef, skill: Pick<Skill, "path">, file: SkillFile): string =>
  objectAt(origin, `${folderOf(skill)}/${file.path}`, "... on Blob { text byteSize isBinary }");

/**
 * Only these files are ever read, so no path that the model invents leads out. Skips links, submodules, and binary or too large files
 * (SR-38).
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

/** Undefined if GitHub does not show it. */
export const textIn = (answer: BlobAnswer | null | undefined): string | undefined =>
  fileFaultOf(rawFileOf(answer, plainMode)) === undefined ? (answer?.text ?? undefined) : undefined;

const plainMode = 0o100644;
