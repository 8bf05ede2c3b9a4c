/** `SKILL.md` by the Agent Skills specification: frontmatter, then Markdown. Lenient, since people write these by hand. */

import type { Problem } from "../errors.ts";
import type { RepoFile, Skill } from "../types.ts";
import { parseYaml } from "../yaml.ts";

type ParsedSkill =
  | { readonly ok: true; readonly skill: Skill; readonly warnings: readonly Problem[] }
  | { readonly ok: false; readonly problem: Problem };

/**
 * Reads a skill. A name that breaks the specification's rules is a warning; a skill without a description is a problem,
 * since nobody could know when to use it. Never throws.
 */
export function parseSkill(file: RepoFile): ParsedSkill {
  const refuse = (message: string, remedy: string, place = file.path): ParsedSkill => ({
    ok: false,
    problem: { place, message, remedy },
  });
  const match = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)([\s\S]*)$/.exec(file.text);
  if (!match) return refuse("has no frontmatter", "start the file with `---`, `name:`, `description:` and `---`");
  const [, frontmatter = "", body = ""] = match;

  const warnings: Problem[] = [];
  const warn = (message: string, remedy: string) => warnings.push({ place: file.path, message, remedy });
  // A colon inside an unquoted value is by far the most frequent mistake; the values are quoted and read again.
  let yaml = parseYaml(frontmatter, file.path);
  if (!yaml.ok) {
    const first = yaml.problems[0];
    yaml = parseYaml(quoteValues(frontmatter), file.path);
    const place = shiftLine(first?.place ?? file.path);
    if (!yaml.ok) return refuse(first?.message ?? "has frontmatter that is not YAML", "correct the frontmatter", place);
    warn(`has frontmatter that is not YAML (${first?.message})`, "put the value in quotes");
  }
  const { value } = yaml;
  if (!isRecord(value)) return refuse("has frontmatter that is not a mapping", "write `name:` and `description:`");

  const folder = file.path.split("/").at(-2) ?? "";
  const name = textOf(value.name).trim() || folder;
  const description = textOf(value.description).replace(/\s+/g, " ").trim();
  if (name === "") return refuse("has no name", "add `name:`");
  if (description === "") return refuse("has no description", "add `description:`: what it does and when to use it");
  if (textOf(value.name).trim() === "") warn("has no name, so its folder's is used", `add \`name: ${folder}\``);
  if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name) || name.length > 64) {
    warn(`has the name \`${name}\``, "use lowercase letters, digits and single hyphens, at most 64 characters");
  }
  if (folder !== "" && folder !== name)
    warn(`is named \`${name}\` but lies in the folder \`${folder}\``, "use one name for both");
  if (description.length > 1024) warn(`has a description of ${description.length} characters`, "keep it under 1,024");

  const metadata = isRecord(value.metadata)
    ? Object.fromEntries(Object.entries(value.metadata).map(([key, entry]) => [key, textOf(entry)]))
    : {};
  return { ok: true, skill: { name, description, path: file.path, body: body.trim(), metadata }, warnings };
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOf).join(", ");
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? String(value) : "";
}

const quoteValues = (frontmatter: string): string =>
  frontmatter.replace(
    /^(\s*[\w-]+):[ \t]+([^\s"'|>[{].*)$/gm,
    (_, key: string, text: string) => `${key}: ${JSON.stringify(text)}`,
  );

/** The frontmatter starts on the second line of its file. */
const shiftLine = (place: string): string =>
  place.replace(/:(\d+):(\d+)$/, (_, line: string, column: string) => `:${Number(line) + 1}:${column}`);

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
