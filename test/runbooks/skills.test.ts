import { expect, test } from "vitest";
import { parseInstructions, parseSkill, readSkills, skillsForAgent } from "../../src/runbooks/skills.ts";
import { fc } from "../harness/chance.ts";

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

test.each([
  ["a hint in brackets", "argument-hint: [host] [minutes]", {}, 4],
  ["a hint that opens with a place", "argument-hint: <host> [minutes]", {}, undefined],
  ["a value that YAML cannot begin with", "agent: @ops", {}, 4],
  ["a list that is never closed", "allowed-tools: [Bash(df *), Read", {}, 4],
  ["lists, mappings and hooks", "hooks:\n  PreToolUse:\n  - matcher: Bash\nallowed-tools:\n- Read", {}, undefined],
  ["a key that is there twice", "model: a\nmodel: b", {}, 5],
  ["a line that is no entry", "model: a\nand more", {}, 5],
  ["metadata that is broken", "metadata:\n  alerts: [A", { metadata: {} }, 5],
])("OP-3 a skill is used whatever other agents' keys hold: %s", (_, keys, skill, line) => {
  const parsed = parse(`---\nname: disk-full\ndescription: Use when full.\n${keys}\n---\nbody\n`);
  expect(parsed).toMatchObject({ ok: true, skill: { description: "Use when full.", body: "body", ...skill } });
  const places = parsed.ok ? parsed.warnings.map(({ place }) => place.split(":")[1]) : [];
  expect(places[0]).toBe(line === undefined ? undefined : `${line}`);
});

test.each([
  ['"No space left" in a log. Use it.', '"No space left" in a log. Use it.'],
  ["[prod] The disk is full", "[prod] The disk is full"],
  ["[The disk is full]", "The disk is full"],
  ["{{service}} is down: look", "{{service}} is down: look"],
  ["`df` shows 100%", "`df` shows 100%"],
  ["*any* disk", "*any* disk"],
  ["The disk\n is full: so: it is", "The disk is full: so: it is"],
  ["The disk\nis full", "The disk is full"],
  ["d\nwhen_to_use: When full.", "d When full."],
])("OP-3 a description is what a person would read: %j", (text, description) =>
  expect(parse(`---\nname: disk-full\ndescription: ${text}\n---\n`)).toMatchObject({
    ok: true,
    skill: { description },
  }),
);

test.each([
  ["disable-model-invocation: true", ["onlyByName"]],
  ["disable-model-invocation: yes", ["onlyByName"]],
  ["disable-model-invocation: [oops", ["onlyByName"]],
  ["disable-model-invocation: false", []],
  ["user-invocable: false", ["neverByName"]],
  ["user-invocable: no", ["neverByName"]],
  ["user-invocable: true", []],
  ["allowed-tools: Bash(df *)", []],
])("OP-3 who may use a skill is obeyed: %s", (key, set) => {
  const parsed = parse(`---\nname: disk-full\ndescription: d\n${key}\n---\n`);
  expect(parsed.ok && Object.keys(parsed.skill).filter((one) => one.endsWith("ByName"))).toEqual(set);
});

test.each([
  ["approvals: 2", { approvals: 2 }],
  ["approvers: [acme/dba, acme/web]", { approvers: ["acme/dba", "acme/web"] }],
  ["approvals: 3\napprovers:\n  - acme/dba", { approvals: 3, approvers: ["acme/dba"] }],
  ["license: MIT", undefined],
])("SR-18 what a skill asks beyond policy is read: %j", (key, demand) => {
  const parsed = parse(`---\nname: disk-full\ndescription: d\n${key}\n---\n`);
  expect(parsed).toMatchObject({ ok: true, warnings: [] });
  expect(parsed.ok && parsed.skill.demand).toEqual(demand);
});

test.each([
  ["approvals: 0", "has `approvals` that is no number from 1 to 10"],
  ["approvals: two", "has `approvals` that is no number from 1 to 10"],
  ["approvals: 2\napprovers: acme/dba", "has `approvers` that are no list of teams"],
  ["approvers: []", "has `approvers` that are no list of teams"],
  ["approvers: [dba]", "has `approvers` that are no list of teams"],
])("SR-18 a skill whose demand cannot be read is not used: %j", (key, message) =>
  expect(parse(`---\nname: disk-full\ndescription: d\n${key}\n---\n`)).toMatchObject({
    ok: false,
    problem: { message, remedy: "write `approvals: 2` or `approvers: [organization/team]`" },
  }),
);

test("OP-3 an agent sees a skill that only people choose once somebody names it", () => {
  const parsed = parse("---\nname: disk-full\ndescription: d\ndisable-model-invocation: true\n---\n");
  const all = parsed.ok ? [parsed.skill] : [];
  expect(skillsForAgent(all)).toEqual([]);
  expect(skillsForAgent(all, "look at disk-fuller")).toEqual([]);
  expect(skillsForAgent(all, "Please follow disk-full!")).toEqual(all);
});

test.each([
  ["Disk_Full", 'has "Disk_Full" for a name'],
  ["disk--full", 'has "disk--full" for a name'],
  ["-disk", 'has "-disk" for a name'],
  ["disk full", 'has "disk full" for a name'],
  ["../../etc/passwd", 'has "../../etc/passwd" for a name'],
  [".github/skills/disk-full", 'has ".github/skills/disk-full" for a name'],
  ["two\\nlines", 'has "two\\nlines" for a name'],
  ["x".repeat(65), `has "${"x".repeat(39)}…" for a name`],
  ["**bold**", 'has "**bold**" for a name'],
  ["disk", 'is named `disk` but lies in the folder "disk-full"'],
  ["", "has no name"],
])("OP-3 a skill whose name breaks the specification is skipped and named: %j", (name, message) => {
  expect(parse(`---\nname: "${name}"\ndescription: d\n---\n`)).toEqual({
    ok: false,
    problem: {
      place: ".github/skills/disk-full/SKILL.md",
      message,
      remedy: name === "disk" ? "use one name for both" : "write `name: disk-full`",
    },
  });
});

test.each(["disk-full", "x".repeat(64), "k8s-1", "磁盘-满", "größe"])("OP-3 %j is a name", (name) => {
  const parsed = parse(`---\nname: ${name}\ndescription: d\n---\n`, `.github/skills/${name}/SKILL.md`);
  expect(parsed).toMatchObject({ ok: true, skill: { name }, warnings: [] });
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

test("OP-3 where the folder's name breaks it too, both are to be changed", () => {
  const parsed = parse("---\nname: ../x\ndescription: d\n---\n", ".github/skills/a<b>/SKILL.md");
  expect(parsed).toMatchObject({ ok: false, problem: { remedy: expect.stringContaining("for the folder too") } });
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
