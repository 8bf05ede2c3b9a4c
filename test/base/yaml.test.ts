import { expect, test } from "vitest";
import { parseYaml } from "../../src/base/yaml.ts";

const problemsOf = (text: string) => {
  const parsed = parseYaml(text, "f.yml");
  return parsed.ok ? [] : parsed.problems.map(({ place, remedy }) => ({ place, remedy }));
};
const linesOf = (text: string) => {
  const parsed = parseYaml(text, "f.yml");
  return parsed.ok ? [] : parsed.problems.map(({ place, message }) => `${place} ${message}`);
};

test("CFG-1 a value is found again by line and column of its key", () => {
  const parsed = parseYaml("a: 1\nb:\n  - c: 2\n  - d: { e: 3 }\n", "f.yml");
  if (!parsed.ok) throw new Error("does not parse");
  expect(parsed.value).toEqual({ a: 1, b: [{ c: 2 }, { d: { e: 3 } }] });
  expect(parsed.locate(["b"])).toEqual({ line: 2, column: 1 });
  expect(parsed.locate(["b", 1, "d", "e"])).toEqual({ line: 4, column: 10 });
  expect(parsed.locate(["b", 1, "d", "missing"])).toEqual({ line: 4, column: 5 });
});

test("a duplicate key, a tab and a second document are problems with their place", () => {
  expect(problemsOf("a: 1\nb: 2\na: 3\n")).toEqual([{ place: "f.yml:3:1", remedy: "keep one of the two" }]);
  expect(problemsOf("a:\n\tb: 1\n")[0]).toEqual({ place: "f.yml:2:1", remedy: "indent with spaces" });
  expect(problemsOf("a: 1\n---\nb: 2\n")[0]?.remedy).toBe("remove the second document and its `---`");
});

test.each([
  ["server:\n  port: 3000\n  host: x\n  port: 3001\n", "f.yml:4:3 `server.port` is here twice; the first is on line 2"],
  ["servers:\n  a: {x: 1}\n  'a': {x: 2}\n", "f.yml:3:3 `servers.a` is here twice; the first is on line 2"],
  ["a: [{ b: 1, b: 2 }]\n", "f.yml:1:13 `a.b` is here twice; the first is on line 1"],
  ["a: 1\nb: 2\na: 3\n", "f.yml:3:1 `a` is here twice; the first is on line 1"],
])("CFG-1 a key that is there twice is named, with both lines: %j", (text, problem) => {
  expect(linesOf(text)).toEqual([problem]);
});

test("CFG-1 a key that is there three times is a problem for each one too many", () => {
  expect(linesOf("a: 1\na: 2\na: 3\n")).toEqual([
    "f.yml:2:1 `a` is here twice; the first is on line 1",
    "f.yml:3:1 `a` is here twice; the first is on line 1",
  ]);
});

test.each([
  ["a:\n\tb: 1\n", "f.yml:2:1 this line is indented with a tab"],
  [
    "a:\n\tb: 1\n\tc: 2\nd:\n\te: 1\n\tf: 2\n\tg: 2\n\th: 2\n\ti: 2\n",
    "f.yml:2:1 7 lines are indented with tabs, from here on",
  ],
  ["a:\n  b:\n    c: x\n\t  d: y\n", "f.yml:4:1 this line is indented with a tab"],
  ["a:\r\n\tb: 1\r\n\tc: 2\r\n", "f.yml:2:1 2 lines are indented with tabs, from here on"],
  ["a:\n- b: 1\n\tc: 2\n", "f.yml:3:1 this line is indented with a tab"],
])("CFG-1 tabs are told once, and what follows from them is not: %j", (text, problem) => {
  expect(linesOf(text)).toEqual([problem]);
});

test("CFG-1 a tab hides nothing that stands before it", () => {
  expect(linesOf("a: 1\na: 2\nb:\n\tc: 1\n\tc: 2\n")).toEqual([
    "f.yml:2:1 `a` is here twice; the first is on line 1",
    "f.yml:4:1 2 lines are indented with tabs, from here on",
  ]);
});

test("an alias bomb and an endless file are refused, an ordinary anchor is not", () => {
  const bomb = ["a: &a [x, x, x, x, x, x, x, x, x]"];
  for (let i = 0; i < 8; i++) {
    const [to, from] = [String.fromCharCode(98 + i), String.fromCharCode(97 + i)];
    bomb.push(`${to}: &${to} [${Array(9).fill(`*${from}`).join(", ")}]`);
  }
  expect(problemsOf(bomb.join("\n"))[0]?.remedy).toBe("write the values out instead of using aliases");
  expect(problemsOf(`a: ${"x".repeat(1_000_001)}`)).toHaveLength(1);
  expect(parseYaml("a: &x [1]\nb: *x\n", "f.yml")).toMatchObject({ ok: true, value: { a: [1], b: [1] } });
});

test("an empty file is null, and `yes` is a word", () => {
  expect(parseYaml("", "f.yml")).toMatchObject({ ok: true, value: null });
  expect(parseYaml("a: yes\n", "f.yml")).toMatchObject({ ok: true, value: { a: "yes" } });
});

test("a key cannot reach an object's prototype", () => {
  const parsed = parseYaml("__proto__: { polluted: true }\n", "f.yml");
  expect(parsed.ok && Object.keys(parsed.value as object)).toEqual(["__proto__"]);
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
});
