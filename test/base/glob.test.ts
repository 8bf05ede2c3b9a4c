import fc from "fast-check";
import { expect, it } from "vitest";
import { globProblem, matchesGlob, matchesPath } from "../../src/base/glob.ts";

it.each([
  ["k8s/**", "k8s/x", true],
  ["k8s/**", "k8s/a/b/x.yaml", true],
  ["k8s/**", "k8s", false],
  ["k8s/**", "k8s2/x", false],
  ["k8s/**", "a/k8s/x", false],
  ["k8s/**", "K8S/x", false],
  ["k8s/*", "k8s/x", true],
  ["k8s/*", "k8s/a/x", false],
  ["k8s/*.yaml", "k8s/x.yaml", true],
  ["k8s/*.yaml", "k8s/x.yaml.sh", false],
  ["k8s/?.yaml", "k8s/x.yaml", true],
  ["k8s/?.yaml", "k8s/xy.yaml", false],
  ["k8s?x", "k8s/x", false],
  ["**/x.yaml", "x.yaml", true],
  ["**/x.yaml", "a/b/x.yaml", true],
  ["k8s/**/x.yaml", "k8s/x.yaml", true],
  ["k8s/**/b/**/x", "k8s/a/b/b/x", true],
  ["k8s/**/b/**/x", "k8s/a/x", false],
  ["**", "x", true],
  ["**", "a/x", true],
  ["*", "a/x", false],
  ["k8s/a**b", "k8s/a/b", false],
  ["k8s/a**b", "k8s/axb", true],
  ["**", ".github/x", false],
  ["**", "a/.env", false],
  ["*/x", ".github/x", false],
  ["?github/x", ".github/x", false],
  [".*/x", ".github/x", true],
  ["a/.env", "a/.env", true],
  ["a/**/.env", "a/b/.env", true],
  ["a/**", "a/.b/c", false],
  ["k8s/[ab].yaml", "k8s/a.yaml", false],
  ["k8s/{a,b}.yaml", "k8s/a.yaml", false],
  ["k8s/", "k8s/x", false],
  ["/k8s/**", "k8s/x", false],
  ["", "x", false],
  ["e\u0301/*", "\u00e9/x", true],
])("the glob %j lists %j: %s", (glob, path, isListed) => {
  expect(matchesPath(glob, path)).toBe(isListed);
});

it("lists what a regular expression of the same meaning does", () => {
  const name = fc.constantFrom("a", "b", "ab", ".a");
  const part = fc.constantFrom("a", "b", "*", "?", "a*", "**", ".*");
  const list = <T>(item: fc.Arbitrary<T>) => fc.array(item, { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(list(part), list(name), (parts, names) => {
      const segment = (glob: string): string =>
        (glob.startsWith(".") ? "" : "(?!\\.)") +
        glob.replaceAll(".", "\\.").replaceAll("*", "[^/]*").replaceAll("?", "[^/]");
      const pattern = parts
        .map((glob, at) => {
          const isLast = at === parts.length - 1;
          if (glob !== "**") return segment(glob) + (isLast ? "" : "/");
          return isLast ? "(?!\\.)[^/]+(?:/(?!\\.)[^/]+)*" : "(?:(?!\\.)[^/]+/)*";
        })
        .join("");
      expect(matchesPath(parts.join("/"), names.join("/"))).toBe(new RegExp(`^${pattern}$`).test(names.join("/")));
    }),
    { numRuns: 2000 },
  );
});

it("a hostile pattern takes no time", () => {
  expect(matchesGlob(`${"*a".repeat(200)}b`, "a".repeat(2000))).toBe(false);
  expect(matchesPath(`${"**/a/".repeat(100)}b`, `${"a/".repeat(500)}c`)).toBe(false);
});

it.each(["/k8s/**", "k8s/", "k8s//x", "../x", "./k8s/**", "k8s/[ab]", "k8s/{a,b}", "!k8s/**", "k8s\\x", ""])(
  "the glob %j is a mistake, and what to write instead is said",
  (glob) => {
    expect(globProblem(glob)).toEqual({ message: expect.stringMatching(/./), remedy: expect.stringMatching(/./) });
  },
);

it.each(["k8s/**", "**", "*.yaml", ".github/workflows/*.yml", "a b/?"])("the glob %j is none", (glob) => {
  expect(globProblem(glob)).toBeUndefined();
});
