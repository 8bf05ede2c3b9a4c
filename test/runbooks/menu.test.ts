import { expect, test } from "vitest";
import { buildMenu, maxMenuSkills } from "../../src/runbooks/skills.ts";

const skill = (name: string, description: string) => ({
  name,
  description,
  path: name,
  source: "acme",
  body: "",
  metadata: {},
});
const many = [
  ...Array.from({ length: 4_999 }, (_, i) => skill(`skill-${i}`, `Rotates the widget number ${i}.`)),
  skill("spool-full", "The mail spool is full. Use when mail is deferred because the spool is full."),
];
const incident = { title: "Mail is deferred", body: "The spool of web-1 is full." };

test("OP-4 of 5,000 skills a hundred are named, those that fit the incident among them, in their order", () => {
  const menu = buildMenu(many, incident);
  expect(menu).toHaveLength(maxMenuSkills);
  expect(menu.at(-1)?.name).toBe("spool-full");
  expect(buildMenu(many, incident)).toEqual(menu);
});

test("OP-4 up to a hundred, all are", () => {
  expect(buildMenu(many.slice(0, maxMenuSkills), incident)).toEqual(many.slice(0, maxMenuSkills));
});
