import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { OperatorError, type Problem } from "../base/errors.ts";
import type { Skill } from "../base/github.ts";
import { parseSkill } from "../runbooks/skills.ts";

/** Loads `<name>/SKILL.md`; broken skills become problems. Throws an `OperatorError` if the folder is unreadable. */
export function loadSkills(folder: string): {
  readonly skills: readonly Skill[];
  readonly problems: readonly Problem[];
} {
  const skills: Skill[] = [];
  const problems: Problem[] = [];
  let names: readonly string[];
  try {
    const folders = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    names = folders.map(({ name }) => name).sort();
  } catch {
    throw new OperatorError({
      place: folder,
      message: "is not a folder that can be read",
      remedy: "name the folder that holds the skills, e.g. .github/skills",
    });
  }
  for (const name of names) {
    const path = join(folder, name, "SKILL.md");
    try {
      const parsed = parseSkill({ path, text: readFileSync(path, "utf8"), source: folder });
      if (parsed.ok) skills.push(parsed.skill);
      else problems.push(parsed.problem);
    } catch {
      problems.push({ place: path, message: "cannot be read", remedy: "a skill is a folder with a SKILL.md in it" });
    }
  }
  return { skills, problems };
}
