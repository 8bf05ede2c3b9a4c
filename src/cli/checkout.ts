import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { messageOf, OperatorError } from "../base/errors.ts";
import {
  type CommitSnapshot,
  type ContextNames,
  type Plan,
  type RawFile,
  skillFolders,
} from "../github/context/plan.ts";

const modes = { file: 0o100644, link: 0o120000, submodule: 0o160000 } as const;

/** Reads files as GitHub shows them: links are not followed (SR-38). */
export function readCheckout(folder: string, plan: Plan): CommitSnapshot {
  const fault = (message: string): OperatorError =>
    new OperatorError({ place: folder, message, remedy: "name a checked-out repository" });
  let isFolder: boolean;
  try {
    isFolder = lstatSync(resolve(folder)).isDirectory();
  } catch (error) {
    throw fault(messageOf(error, resolve(folder)));
  }
  if (!isFolder) throw fault("is no folder");
  const files = plan.files.flatMap((path) => rawFile(folder, path));
  const inFolders = plan.folders.flatMap(({ path, inner, endings = [] }) =>
    namesIn(folder, path).flatMap((name): (readonly [string, RawFile])[] => {
      const own = `${path}/${name}`;
      if (inner === undefined) return endings.some((end) => name.endsWith(end)) ? rawFile(folder, own) : [];
      const kind = kindOf(folder, own);
      if (kind === "folder") return rawFile(folder, `${own}/${inner}`);
      return kind === "file" || kind === "none" ? [] : [[own, special(modes[kind])]];
    }),
  );
  return { repo: basename(resolve(folder)), commit: "on disk", files: new Map([...files, ...inFolders]) };
}

/** Skill folders without this file. */
export const skillFoldersWithout = (folder: string, file: string, names: ContextNames): readonly string[] =>
  skillFolders(names)
    .flatMap((path) => namesIn(folder, path).map((name) => `${path}/${name}`))
    .filter((path) => kindOf(folder, path) === "folder" && kindOf(folder, `${path}/${file}`) === "none");

function rawFile(folder: string, path: string): (readonly [string, RawFile])[] {
  const kind = kindOf(folder, path);
  if (kind === "none" || kind === "folder" || kind === "submodule") return [];
  if (kind === "link") return [[path, special(modes.link)]];
  const bytes = readFileSync(join(folder, path));
  const binary = bytes.subarray(0, 8_000).includes(0);
  return [[path, { text: binary ? null : bytes.toString("utf8"), bytes: bytes.length, binary, mode: modes.file }]];
}

const special = (mode: number): RawFile => ({ text: null, bytes: 0, binary: false, mode });

/** Like git, does not follow links. */
function kindOf(folder: string, path: string): "file" | "folder" | "link" | "submodule" | "none" {
  const parts = path.split("/");
  for (const [i] of parts.entries()) {
    const at = join(folder, ...parts.slice(0, i + 1));
    const found = lstatSync(at, { throwIfNoEntry: false });
    const last = i === parts.length - 1;
    if (found === undefined) return "none";
    if (found.isSymbolicLink()) return last ? "link" : "none";
    if (!found.isDirectory()) return last && found.isFile() ? "file" : "none";
    if (lstatSync(join(at, ".git"), { throwIfNoEntry: false })) return last ? "submodule" : "none";
  }
  return "folder";
}

const namesIn = (folder: string, path: string): readonly string[] =>
  kindOf(folder, path) === "folder" ? readdirSync(join(folder, path)).sort() : [];
