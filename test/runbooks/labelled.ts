/** The labelled incidents and their skills in test/data/incidents. */

import { readdirSync, readFileSync } from "node:fs";
import type { Skill } from "../../src/base/github.ts";
import { parseSkill } from "../../src/runbooks/skills.ts";

const data = new URL("../data/incidents/", import.meta.url);

/** Two hundred lines that say nothing, for the incidents that bury what matters in a log. */
const noise = Array.from({ length: 240 }, (_, at) => {
  const [minute, second] = [Math.floor(at / 60), at % 60].map((it) => `${it}`.padStart(2, "0"));
  const trace = (at * 7919 + 0xabc_def).toString(16).padStart(12, "0");
  return `2026-11-12T03:${minute}:${second}Z level=info component=router msg="request served" path=/v1/items/${at * 31} status=200 duration_ms=${(at % 90) + 3} trace=${trace}`;
}).join("\n");

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

const lines = (file: string | URL) =>
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

/** What a round of incidents is matched against; written before anybody looked at how they are matched. */
export interface Round {
  readonly title: string;
  readonly skills: readonly Skill[];
  readonly incidents: readonly LabelledIncident[];
}

const skillsIn = (file: string): readonly Skill[] =>
  lines(new URL(`../data/${file}`, import.meta.url)).map(({ name, text }) => {
    const parsed = parseSkill({ path: `skills/${name}/SKILL.md`, text, source: "acme/oncall@1" });
    if (!parsed.ok) throw new Error(`${name}: ${parsed.problem.message}`);
    return parsed.skill;
  });
const incidentsIn = (file: string): readonly LabelledIncident[] =>
  lines(new URL(`../data/${file}`, import.meta.url)).map((it) => ({
    ...it,
    body: it.body.replaceAll("{{NOISE}}", noise),
  }));

export const rounds: readonly Round[] = [
  {
    title: "28 other runbooks",
    skills: skillsIn("incidents-5/skills.jsonl"),
    incidents: incidentsIn("incidents-5/incidents.jsonl"),
  },
  { title: "the labelled runbooks", skills, incidents: incidentsIn("incidents-5/shared-incidents.jsonl") },
  {
    title: "the labelled runbooks with twelve that are easily confused with them",
    skills: [...skills, ...skillsIn("incidents-5/second-skills.jsonl")],
    incidents: incidentsIn("incidents-5/second-incidents.jsonl"),
  },
  {
    title: "twelve more runbooks",
    skills: skillsIn("incidents-6/skills.jsonl"),
    incidents: incidentsIn("incidents-6/incidents.jsonl"),
  },
  {
    title: "the labelled runbooks, by tired people",
    skills,
    incidents: incidentsIn("incidents-6/shared-incidents.jsonl"),
  },
];

/** Runbooks of one fault each, with incidents of it and of other faults of the same technology, which often deny the runbook's. */
export const neighbors = {
  skills: skillsIn("incidents-7/skills.jsonl"),
  incidents: incidentsIn("incidents-7/incidents.jsonl"),
  nearMisses: incidentsIn("incidents-7/near-misses.jsonl"),
};

/** Texts that come near to a labelled runbook and that none of them fits. */
export const nearMisses: readonly LabelledIncident[] = incidentsIn("incidents-5/near-misses.jsonl");
