import { answer } from "../../features/thread/answer.ts";
import type { Markdown } from "../../github/render/ink.ts";
import { readSkills } from "../../runbooks/skills.ts";
import type { Handler } from "../command.ts";

/** The rest is counted. */
const shown = 50;
const descriptionCharacters = 200;

/** Lists the runbooks, and the mistakes in broken ones (OP-3). */
export const skills: Handler = (call) =>
  call.commit(async (tx, incident) => {
    const { deps, repoContext } = call;
    const read = readSkills(repoContext.context.skills);
    const off = deps.config.features.skills ? [] : ["Skills are switched off (`features.skills`); these lie ready:"];
    const body = [...off, skillList(read, deps.markdown)].join("\n\n");
    await answer(tx, call, incident, { outcome: "done", body });
  });

function skillList({ skills, problems }: ReturnType<typeof readSkills>, { code, note, plain }: Markdown): string {
  const shorten = (text: string): string =>
    text.length > descriptionCharacters ? `${text.slice(0, descriptionCharacters)}…` : text;
  const good = skills.map(({ name, description }) => `- ${code(name)} · ${plain(shorten(description))}`);
  const faulty = problems.map(
    ({ place, message, remedy }) => `- ⚠️ ${code(place)} ${note(message)}${remedy ? `; ${note(remedy)}` : ""}`,
  );
  return [
    good.length === 0 ? "There is no skill that can be used: `.github/skills/<name>/SKILL.md`." : firstOf(good),
    ...(faulty.length === 0 ? [] : [`**To fix**\n\n${firstOf(faulty)}`]),
  ].join("\n\n");
}

const firstOf = (lines: readonly string[]): string =>
  [...lines.slice(0, shown), ...(lines.length > shown ? [`- and ${lines.length - shown} more`] : [])].join("\n");
