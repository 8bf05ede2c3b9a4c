import { isDeepStrictEqual } from "node:util";
import { expect, test } from "vitest";
import { parseYaml } from "../../src/base/yaml.ts";
import { readFrontmatter, readSimple } from "../../src/runbooks/skills.ts";
import { fc } from "../harness/chance.ts";

test.each([
  ["name: disk\ndescription: Use it. Then look.", { name: "disk", description: "Use it. Then look." }],
  ['name: "a \\"b\\" \\\\"\r\nlicense: \'MIT: x\'  ', { name: 'a "b" \\', license: "MIT: x" }],
  ['metadata:\n  alerts: A\n  x-y: "1"\nname: disk', { metadata: { alerts: "A", "x-y": "1" }, name: "disk" }],
])("OP-3 INJ-5 %j is read without YAML's whole grammar", (text, value) => {
  expect(readSimple(text)).toEqual(value);
  expect(parseYaml(text, "f")).toMatchObject({ ok: true, value });
});

test.each([
  "name: a\nname: b",
  "name: 1",
  "name: true",
  "name:",
  "name: a: b",
  "name: a #b",
  "name: [a]",
  "name: |\n  a",
  "name: a\n  b",
  'name: "a\\n"',
  "metadata:\n  a: b\n   c: d",
  "metadata:\n  a:\n    b: c",
  "# remark\nname: a",
  "name: a\u0085",
  "__proto__: a",
  "",
])("OP-3 %j is left to YAML", (text) => expect(readSimple(text)).toBeUndefined());

test("OP-3 what is read without YAML is what YAML reads", () => {
  const marks = [
    ..."ab:# -'\"\\[]{},&*!|>%@?=.~09\té\u2028\u0085".split(""),
    ": ",
    " #",
    "\n  ",
    "\r\n",
    "true",
    "null",
  ];
  const mess = fc.array(fc.constantFrom(...marks), { maxLength: 14 }).map((parts) => parts.join(""));
  const key = fc.constantFrom("name", "description", "metadata", "a-b", "true", "n", "__proto__");
  const made = fc.tuple(key, fc.constantFrom(": ", ":", ":  ", ":\t", " : "), mess).map((parts) => parts.join(""));
  const usual = fc.constantFrom("metadata:", "  alerts: A", '  x: "q"', " y: 1", "name: disk", "description: Use it.");
  const text = fc.array(fc.oneof(made, mess, usual), { minLength: 1, maxLength: 6 }).map((lines) => lines.join("\n"));
  let simple = 0;
  fc.assert(
    fc.property(text, (given) => {
      const value = readSimple(given);
      if (value === undefined) return true;
      simple++;
      const yaml = parseYaml(given, "f");
      return yaml.ok && isDeepStrictEqual(yaml.value, value);
    }),
    { numRuns: 5_000 },
  );
  expect(simple).toBeGreaterThan(20);
});

test("OP-3 a frontmatter that would keep the parser busy is refused with its size", () => {
  const read = readFrontmatter({ path: "a/SKILL.md", text: `---\n${"[".repeat(250_000)}\n---\n` });
  expect(read).toEqual({
    ok: false,
    problem: { place: "a/SKILL.md", message: "has a frontmatter of 250,000 characters", remedy: "keep it under 8,192" },
  });
});

test("OP-3 a key that is there twice is named with the lines of the skill's own file", () => {
  const skill = "---\nname: disk\ndescription: Use it.\nname: disk\n---\n";
  expect(readFrontmatter({ path: "SKILL.md", text: skill })).toMatchObject({
    problem: { place: "SKILL.md:4:1", message: "`name` is here twice; the first is on line 2" },
  });
});
