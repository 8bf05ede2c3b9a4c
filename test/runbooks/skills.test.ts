import { expect, test } from "vitest";
import { parseInstructions, parseSkill, readSkills } from "../../src/runbooks/skills.ts";
import { fc } from "../chance.ts";

const parse = (text: string, path = ".github/skills/disk-full/SKILL.md") =>
  parseSkill({ path, text, source: "acme/web@1" });

test("OP-3 a skill is its frontmatter and its body", () => {
  const text =
    '---\nname: disk-full\ndescription: "Free space. Use when full."\nlicense: MIT\nmetadata:\n  alerts: "A, B"\n  version: 2\n---\n\n# Disk\n\nLook.\n';
  expect(parse(text)).toEqual({
    ok: true,
    skill: {
      name: "disk-full",
      description: "Free space. Use when full.",
      path: ".github/skills/disk-full/SKILL.md",
      source: "acme/web@1",
      body: "# Disk\n\nLook.",
      metadata: { alerts: "A, B", version: "2" },
    },
    warnings: [],
  });
});

test("OP-3 Windows line ends, a byte order mark and a list of alerts are read", () => {
  const parsed = parse(
    "\uFEFF---\r\nname: disk-full\r\ndescription: d\r\nmetadata:\r\n  alerts: [A, B]\r\n---\r\nbody\r\n",
  );
  expect(parsed).toMatchObject({ ok: true, skill: { body: "body", metadata: { alerts: "A, B" } }, warnings: [] });
});

test("OP-3 a colon in an unquoted description is forgiven with a warning", () => {
  const parsed = parse("---\nname: disk-full\ndescription: Use when: the disk is full\n---\n");
  expect(parsed).toMatchObject({ ok: true, skill: { description: "Use when: the disk is full" } });
  expect(parsed.ok && parsed.warnings[0]?.remedy).toBe("put the value in quotes");
});

test("OP-3 a name against the specification, or other than its folder's, is a warning", () => {
  const parsed = parse("---\nname: Disk_Full\ndescription: d\n---\n");
  expect(parsed.ok && parsed.warnings.map(({ message }) => message)).toEqual([
    "has the name `Disk_Full`",
    "is named `Disk_Full` but lies in the folder `disk-full`",
  ]);
  expect(parse("---\ndescription: d\n---\n")).toMatchObject({ ok: true, skill: { name: "disk-full" }, warnings: [{}] });
});

test.each([
  ["no frontmatter", "# Disk\n", "has no frontmatter"],
  ["an unclosed frontmatter", "---\nname: a\ndescription: b\n", "has no frontmatter"],
  ["no description", "---\nname: disk-full\n---\n", "has no description"],
  ["a list for frontmatter", "---\n- a\n---\n", "has frontmatter that is not a mapping"],
])("OP-3 a skill with %s is skipped with its reason", (_, text, message) => {
  expect(parse(text)).toMatchObject({ ok: false, problem: { place: ".github/skills/disk-full/SKILL.md", message } });
});

test("OP-3 broken YAML is named with the line in the file, not in the frontmatter", () => {
  expect(parse("---\nname: a\nname: b\ndescription: c\n---\n")).toMatchObject({
    ok: false,
    problem: { place: ".github/skills/disk-full/SKILL.md:3:1" },
  });
});

test("OP-3 no text makes it throw", () => {
  fc.assert(fc.property(fc.string(), (text) => typeof parse(`---\n${text}\n---\n${text}`).ok === "boolean"));
});

test.each(["../../etc/passwd", ".github/skills/disk-full", "a\\\\b", "two\\nlines", "x".repeat(65), "**bold**"])(
  "OP-3 a path or another thing that is no name (%j) is not taken for one: its folder's is used, and that is said",
  (name) => {
    const parsed = parse(`---\nname: "${name}"\ndescription: d\n---\n`);
    expect(parsed).toMatchObject({ ok: true, skill: { name: "disk-full" } });
    expect(parsed.ok && parsed.warnings[0]?.message).toMatch(/for a name, so its folder's is used$/);
  },
);

test("OP-3 a skill whose folder has no name either is skipped", () => {
  const parsed = parse("---\nname: ../x\ndescription: d\n---\n", ".github/skills/a<b>/SKILL.md");
  expect(parsed).toMatchObject({ ok: false, problem: { message: "has no name that can be used" } });
});

test("OP-3 of two skills with one name the first holds, and the other is named", () => {
  const file = (path: string, source: string) => ({ path, text: "---\nname: disk\ndescription: d\n---\n", source });
  const own = file(".agents/skills/disk/SKILL.md", "acme/web@1");
  const { skills, problems } = readSkills([own, file(".github/skills/disk/SKILL.md", "acme/.github@2")]);
  expect(skills.map(({ path }) => path)).toEqual([own.path]);
  expect(problems).toMatchObject([
    {
      place: "acme/.github@2:.github/skills/disk/SKILL.md",
      message: "is left out: `.agents/skills/disk/SKILL.md` has the name `disk` already",
    },
  ]);
});

test.each([
  ["---\napplyTo: web/**\n---\nText.", { applyTo: "web/**", text: "Text." }],
  ["---\napplyTo: **\n---\nText.", { applyTo: "**", text: "Text." }],
  ["---\napplyTo: [a/**, b/**]\n---\nText.", { applyTo: "a/**, b/**", text: "Text." }],
  ["---\ndescription: d\n---\nText.", { applyTo: "", text: "Text." }],
  ["Text.", { applyTo: "", text: "Text." }],
])("OP-2 instructions %j say what they are for", (text, expected) => {
  expect(parseInstructions({ path: "x.instructions.md", text, source: "acme/web@1" })).toEqual(expected);
});
