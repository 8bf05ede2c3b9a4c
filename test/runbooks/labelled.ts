/** The labelled incidents and their skills in test/data/incidents. */

import { readdirSync, readFileSync } from "node:fs";
import { parseSkill } from "../../src/runbooks/skills.ts";
import type { Skill } from "../../src/types.ts";

const data = new URL("../data/incidents/", import.meta.url);

export interface LabelledIncident {
  readonly id: string;
  readonly title: string;
  readonly body: string;
  /** Names of the runbooks that are right; none where nothing fits. */
  readonly right: readonly string[];
}

export const skills: readonly Skill[] = readdirSync(new URL("skills", data)).map((name) => {
  const path = `skills/${name}/SKILL.md`;
  const parsed = parseSkill({ path, text: readFileSync(new URL(path, data), "utf8"), source: "acme/oncall@1" });
  if (!parsed.ok) throw new Error(`${path}: ${parsed.problem.message}`);
  return parsed.skill;
});

const lines = (file: string) =>
  readFileSync(file, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

export const incidents: readonly LabelledIncident[] = (() => {
  const answers = new Map(lines(new URL("expected.jsonl", data).pathname).map((it) => [it.id, it]));
  return lines(new URL("incidents.jsonl", data).pathname).map(({ id, title, body }) => {
    const { expected, acceptable } = answers.get(id);
    return { id, title, body, right: expected === null ? [] : [expected, ...acceptable] };
  });
})();

/** Incidents of our own, in words that the labelled ones do not have: guards against tuning to the list. */
export const ownIncidents: readonly LabelledIncident[] = lines(new URL("incidents.jsonl", import.meta.url).pathname);
