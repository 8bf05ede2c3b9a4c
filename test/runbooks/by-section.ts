import { commandsOf } from "../../src/runbooks/sections.ts";

/** A body's commands by their heading; `other` only if there are some. */
export function bySection(body: string) {
  const under = (wanted: "verify" | "act" | undefined) =>
    commandsOf(body).flatMap(({ text, section }) => (section === wanted ? [text] : []));
  const other = under(undefined);
  return { verify: under("verify"), act: under("act"), ...(other.length > 0 && { other }) };
}
