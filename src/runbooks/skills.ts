/** `SKILL.md` by the Agent Skills specification: frontmatter, then Markdown. */

import type { Problem } from "../base/errors.ts";
import { isRecord } from "../base/json.ts";
import type { RepoFile, Skill } from "../base/types.ts";
import { readFrontmatter } from "./frontmatter.ts";

type ParsedSkill =
  | { readonly ok: true; readonly skill: Skill; readonly warnings: readonly Problem[] }
  | { readonly ok: false; readonly problem: Problem };

/** The globs of an `*.instructions.md` and its text; without `applyTo` it is meant for nothing by itself. Never throws. */
export function parseInstructions(file: RepoFile): { readonly applyTo: string; readonly text: string } {
  const read = readFrontmatter(file);
  return read.ok ? { applyTo: textOf(read.value.applyTo), text: read.body.trim() } : { applyTo: "", text: file.text };
}

/**
 * Reads a skill. One without a name by the specification, which is its folder's too, or without a description is a problem: it
 * is skipped and named. What else breaks the specification is a warning, since people write these by hand. Never throws.
 */
export function parseSkill(file: RepoFile): ParsedSkill {
  const read = readFrontmatter(file);
  if (!read.ok) return read;
  const { value, body } = read;
  const refuse = (message: string, remedy: string): ParsedSkill => ({
    ok: false,
    problem: { place: file.path, message, remedy },
  });
  const warnings = [...read.warnings];
  const warn = (message: string, remedy: string) => warnings.push({ place: file.path, message, remedy });

  const folder = file.path.split("/").at(-2) ?? "";
  const name = textOf(value.name).trim();
  const description = textOf(value.description).replace(/\s+/g, " ").trim();
  const rename = isName(folder) ? `write \`name: ${folder}\`` : nameRule;
  if (name === "") return refuse("has no name", rename);
  if (!isName(name)) return refuse(`has ${shown(name)} for a name`, rename);
  if (folder !== "" && folder !== name)
    return refuse(`is named \`${name}\` but lies in the folder ${shown(folder)}`, "use one name for both");
  if (description === "") return refuse("has no description", "add `description:`: what it does and when to use it");
  if (description.length > 1024) warn(`has a description of ${description.length} characters`, "keep it under 1,024");
  if (textOf(value.compatibility).length > 500) warn("has over 500 characters of `compatibility`", "shorten it");
  if (value.metadata !== undefined && !isRecord(value.metadata))
    warn("has `metadata` that is no mapping", "write its keys on lines of their own, indented");
  for (const key of Object.keys(value).filter((one) => !specified.includes(one)))
    warn(`has \`${shownKey(key)}\`, which the specification does not know`, "put it below `metadata:`");

  const metadata = isRecord(value.metadata)
    ? Object.fromEntries(Object.entries(value.metadata).map(([key, entry]) => [key, textOf(entry)]))
    : {};
  return {
    ok: true,
    skill: { name, description, path: file.path, source: file.source, body: body.trim(), metadata },
    warnings,
  };
}

/** What the Agent Skills specification lets a frontmatter have. */
const specified = ["name", "description", "license", "compatibility", "metadata", "allowed-tools"];
const shownKey = (key: string): string => key.replace(/[^\w.-]/g, "").slice(0, 40);

const nameRule = "use lowercase letters, digits and single hyphens, at most 64 characters, for the folder too";
const isName = (text: string): boolean =>
  text.length <= 64 && /^[\p{Ll}\p{Lo}\p{N}]+(?:-[\p{Ll}\p{Lo}\p{N}]+)*$/u.test(text);
const shown = (text: string): string => JSON.stringify(text.length > 40 ? `${text.slice(0, 39)}…` : text);

/** The skills that can be used, the first of each name; why the others cannot; and what is forgiven in those that can. */
export function readSkills(files: readonly RepoFile[]): {
  readonly skills: readonly Skill[];
  readonly problems: readonly Problem[];
  readonly warnings: readonly Problem[];
} {
  const byName = new Map<string, Skill>();
  const problems: Problem[] = [];
  const warnings: Problem[] = [];
  for (const file of files) {
    const parsed = parseSkill(file);
    const taken = parsed.ok ? byName.get(parsed.skill.name) : undefined;
    if (!parsed.ok) problems.push({ ...parsed.problem, place: `${file.source}:${parsed.problem.place}` });
    else if (taken) {
      const message = `is left out: \`${taken.path}\` has the name \`${taken.name}\` already`;
      problems.push({ place: `${file.source}:${file.path}`, message, remedy: "rename one of the two" });
    } else {
      byName.set(parsed.skill.name, parsed.skill);
      warnings.push(...parsed.warnings.map((warning) => ({ ...warning, place: `${file.source}:${warning.place}` })));
    }
  }
  return { skills: [...byName.values()], problems, warnings };
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOf).join(", ");
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? String(value) : "";
}
