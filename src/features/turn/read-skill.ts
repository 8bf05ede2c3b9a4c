import { wrapForeign } from "../../agent/prompt.ts";
import type { Skill } from "../../base/github.ts";
import type { SkillFile, SkillFolder } from "../../github/context/skill.ts";
import type { Incident } from "../../store/incidents.ts";
import type { Deps, RepoContext } from "../context.ts";

/** Of one text so much is read to the model at once; a tool's result has an end, and its delimiter must come before that. */
const maxCharacters = 24_000;
const maxNamed = 50;

interface Reading {
  readonly deps: Pick<Deps, "context" | "log">;
  readonly repoContext: RepoContext;
  readonly incident: Pick<Incident, "installationId" | "repo">;
  readonly nonce: string;
}

/** A skill's body with the names of the files beside it, between delimiters (OP-4, SR-39). */
export async function readSkill({ deps, repoContext, incident, nonce }: Reading, skill: Skill): Promise<string> {
  const files = await deps.context.skillFolder(repoContext.context, incident, skill).then(
    (folder) => namesOf([...folder.values()]),
    (error: unknown) => {
      // The body is known; that the list is missing is said in its place.
      deps.log.warn({ module: "systemPrompt", event: "skill_folder_failed", err: error, skill: skill.name });
      return "[the files of this skill could not be listed]";
    },
  );
  const text = [cut(skill.body), files].filter((part) => part !== "").join("\n\n");
  return wrapForeign("skill", { text, source: `${skill.source}:${skill.path}`, nonce });
}

function namesOf(files: readonly SkillFile[]): string {
  if (files.length === 0) return "";
  const named = files.slice(0, maxNamed).map(({ path, bytes }) => `- ${path} (${bytes.toLocaleString("en")} bytes)`);
  const more = files.length > maxNamed ? [`- and ${files.length - maxNamed} more`] : [];
  return ["Files of this skill, to be read with `use_skill` and `file`:", ...named, ...more].join("\n");
}

/** One file of a skill's folder. Throws, in words for the model, where there is none of that path (OP-4, SR-38). */
export async function readSkillFile(
  { deps, repoContext, incident, nonce }: Reading,
  skill: Skill,
  path: string,
): Promise<string> {
  const folder: SkillFolder = await deps.context.skillFolder(repoContext.context, incident, skill);
  const file = folder.get(path.replace(/^(?:\.\/)+/, ""));
  const text = file && (await deps.context.skillFile(repoContext.context, incident, skill, file));
  if (file === undefined || text === undefined)
    throw new Error(`no such file. ${namesOf([...folder.values()]) || "This skill has no files."}`);
  const source = `${skill.source}:${skill.path.replace(/[^/]*$/, "")}${file.path}`;
  return wrapForeign("skill-file", { text: cut(text), source, nonce });
}

const cut = (text: string): string =>
  text.length > maxCharacters
    ? `${text.slice(0, maxCharacters).toWellFormed()}\n\n[… cut here: ${(text.length - maxCharacters).toLocaleString("en")} of ${text.length.toLocaleString("en")} characters left out …]`
    : text;
