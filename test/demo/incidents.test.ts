import { expect, test } from "vitest";
import { createIncidents, repositoryFiles } from "../../demo/incidents.ts";
import { preparedAnswers } from "../../demo/prepared-answers.ts";
import { findingsOf } from "../../src/runbooks/findings.ts";
import { offlineReading } from "../../src/runbooks/offline.ts";
import { adviceOf } from "../../src/runbooks/sections.ts";
import { parseSkill } from "../../src/runbooks/skills.ts";
import { parseWorkflow } from "../../src/runbooks/workflows.ts";
import { bySection } from "../runbooks/by-section.ts";

const parsedSkills = Object.entries(repositoryFiles())
  .filter(([path]) => path.endsWith("/SKILL.md"))
  .map(([path, text]) => parseSkill({ path, text, source: "acme/oncall@demo" }));
const skills = parsedSkills.flatMap((parsed) => (parsed.ok ? [parsed.skill] : []));
const servers = ["web-1", "web-2", "db-1", "prod-eu"].map((name) => ({
  name,
  os: "linux" as const,
  groups: [],
  description: "",
}));

test.each([
  ["full-disk", "web-1", "checkout-api-5xx"],
  ["connections", "db-1", "postgres-too-many-connections"],
  ["certificate", "web-2", "tls-certificate-expiring"],
  ["rollout", "prod-eu", "rollout-crash-loop"],
])("OFF-1 the offline responder knows the incident %s and proposes looks on %s", (id, server, skill) => {
  const incident = createIncidents(new Date()).find((i) => i.id === id);
  if (!incident) throw new Error(`no incident ${id}`);
  const reading = offlineReading({ skills, incident, servers, reason: "no-model" });
  expect(reading.proposals.map((p) => p.server)).toEqual([server, server, server]);
  expect(reading.runbooks).toMatchObject([{ label: skill }]);
});

test("WF-1 the workflow of the demo's repository can be used, and no incident is taken for it", () => {
  const path = ".github/countersign/workflows/morning-look.yml";
  const parsed = parseWorkflow({ path, text: repositoryFiles()[path] ?? "", source: "acme/oncall@demo" });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  // Prepared answers take the one that is no runbook's.
  const ofRunbooks = createIncidents(new Date()).filter(({ id }) => id !== "memory");
  for (const incident of ofRunbooks)
    expect(
      offlineReading({ skills, workflows: [parsed.workflow], incident, servers, reason: "no-model" }).runbooks,
    ).toHaveLength(1);
});

test("prepared answers take the incident whose fix is a patch, and no other", () => {
  const taken = createIncidents(new Date()).filter((incident) => preparedAnswers(incident) !== undefined);
  expect(taken.map(({ id }) => id)).toEqual(["memory"]);
});

test("OP-3 each skill of the demo's repository is valid without a warning", () => {
  expect(parsedSkills.map((parsed) => (parsed.ok ? parsed.warnings : parsed.problem))).toEqual([[], [], [], []]);
});

test("OFF-1 each runbook of the demo says what to expect, and of each act how to check and how to undo it", () => {
  for (const { body } of skills) {
    expect(body).toMatch(/^# expect: /m);
    expect(findingsOf(body, bySection(body)).filter(({ means }) => means === "fault").length).toBeGreaterThan(0);
    const advice = adviceOf(body);
    for (const command of bySection(body).act)
      expect(advice.get(command)).toEqual({ check: expect.any(String), undo: expect.any(String) });
  }
});
