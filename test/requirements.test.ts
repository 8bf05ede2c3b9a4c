import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "./architecture/source-tree.ts";

/** docs/requirements.md is held against the comments and tests that bear its codes; no text names a document that is not there. */

const read = (path: string): string => readFileSync(root + path, "utf8");
const filesIn = (folder: string, ending: RegExp): readonly string[] =>
  readdirSync(root + folder, { recursive: true, encoding: "utf8" })
    .filter((name) => ending.test(name))
    .map((name) => `${folder}/${name}`.replaceAll("\\", "/"));

const family = "(?:SR|RR|PK|F|AR|DC|OP|PA|INJ|OFF|WF|CFG|POLICY|AL|PB|CH|OC|AG)-";
const oneCode = new RegExp(`\\b(?:${family}\\d+|CP\\d\\d|I\\d|S1[345](?:\\.\\d+)?|PRODUCT|CONFIG)\\b(?!\\.\\w)`, "g");
const ranges = new RegExp(`\\b(${family}|CP|I)(\\d+)(?: to \\1|…|–)(\\d+)\\b`, "g");

/** The codes in a text; a range (`SR-14 to SR-17`, `SR-45…49`) has each that lies between. */
const codesIn = (text: string): readonly string[] =>
  text
    .replace(ranges, (_, prefix: string, from: string, to: string) =>
      Array.from({ length: Number(to) - Number(from) + 1 }, (_, at) => `${Number(from) + at}`)
        .map((number) => prefix + number.padStart(from.length, "0"))
        .join(" "),
    )
    .match(oneCode) ?? [];

/** What a source says to its reader: its comments, and texts that begin as a test's title does, with a code and a space. */
function saidIn(source: string): string {
  const comments = source.match(/\/\*[\s\S]*?\*\/|(?<=^|[\s;{(,])\/\/ .*$/gm) ?? [];
  const titles = source.match(
    new RegExp(`["\`](?:${family}\\d+|CP\\d\\d|I\\d|S1[345](\\.\\d+)?|PRODUCT|CONFIG) .*`, "g"),
  );
  return [...comments, ...(titles ?? [])].join("\n");
}

interface Row {
  readonly code: string;
  readonly file: string;
  readonly title: string;
}
const lines = read("docs/requirements.md")
  .split("\n")
  .filter((line) => line.startsWith("| ") && !line.startsWith("| code |"));
const rows = lines.map((line): Row | undefined => {
  const [, code, , file, title] =
    /^\| ([A-Z]+-?[\d.]*) \| (.+) \| `(test\/[\w./-]+\.test\.ts)` (.+) \|$/.exec(line) ?? [];
  return code === undefined || file === undefined || title === undefined ? undefined : { code, file, title };
});
const known = new Set(rows.map((row) => row?.code));

const sources = ["src", "demo", "emulator", "test"].flatMap((folder) => filesIn(folder, /\.([jt]s|sh)$/));
const documents = [
  ...readdirSync(root).filter((name) => name.endsWith(".md")),
  ...["docs", "templates", "src", "demo", "emulator"].flatMap((folder) => filesIn(folder, /\.(md|yml|service)$/)),
];

const pages = documents.filter((name) => name.endsWith(".md") && !["CHANGELOG.md", "docs/messages.md"].includes(name));

/** Files of the repositories that the bot reads. */
const ofOthers = ["AGENTS.md", "CLAUDE.md", "SKILL.md"];
const there = new Set([...documents.map((path) => basename(path)), ...ofOthers]);

const unknownCodes = (text: string): readonly string[] => codesIn(text).filter((code) => !known.has(code));
const lostDocuments = (text: string): readonly string[] =>
  (text.match(/\b[A-Z]{4,}\.md\b/g) ?? []).filter((name) => !there.has(name));
/** A path may be the beginning of several, as what `npm test` takes. */
const isPath = (path: string): boolean =>
  existsSync(root + path) ||
  (existsSync(root + dirname(path)) &&
    readdirSync(root + dirname(path)).some((name) => name.startsWith(basename(path))));
const lostPaths = (text: string): readonly string[] =>
  (text.match(/(?<![\w./@:-])(?:src|test|demo|emulator|templates|docs)\/[\w./-]*\w/g) ?? []).filter(
    (path) => !isPath(path),
  );
/** What docs/architecture.md would have one add. */
const imagined = ["src/flurb"];

/** A title as it may stand in the source. */
const isIn = (source: string, title: string): boolean =>
  [title, title.replaceAll('"', '\\"')].some((one) => ['"', "`"].some((quote) => source.includes(quote + one)));

const wrong = (paths: readonly string[], look: (text: string) => readonly string[]): readonly string[] =>
  paths.flatMap((path) => [...new Set(look(read(path)))].map((what) => `${path}: ${what}`));

describe("docs/requirements.md", () => {
  it("has a code, a demand and a test in each row", () => {
    expect(lines.filter((_, index) => rows[index] === undefined)).toEqual([]);
    expect(known.size).toBeGreaterThan(240);
  });

  it("names tests that there are, by titles that bear the code", () => {
    const faults = rows.flatMap((row) => {
      if (!row) return [];
      const { code, file, title } = row;
      if (!existsSync(root + file)) return [`${file} is not there`];
      if (!codesIn(title).includes(code)) return [`${code}: "${title}" does not bear it`];
      return isIn(read(file), title) ? [] : [`${file} has no test "${title}"`];
    });
    expect(faults).toEqual([]);
  });

  it("has a row for each code in a comment of the source, a title of a test or a document", () => {
    expect(wrong(sources, (text) => unknownCodes(saidIn(text)))).toEqual([]);
    expect(wrong(documents, unknownCodes)).toEqual([]);
  });

  it("a planted code without a row is seen, in a comment, in a range and in a title", () => {
    const [first, last, other] = ["SR-98", "99", "F-99"];
    expect(unknownCodes(saidIn(`/** Says who (SR-17 to SR-19, ${first}…${last}). */`))).toEqual(["SR-98", "SR-99"]);
    expect(unknownCodes(saidIn(`let it; // as ${other} says\nread("${other}");`))).toEqual([other]);
    expect(unknownCodes(saidIn(`it("${other} goes on", () => {});`))).toEqual([other]);
  });
});

describe("what is named", () => {
  it("no text names a document that is not in the repository", () => {
    expect(wrong([...sources, ...documents], lostDocuments)).toEqual([]);
    const planted = ["PLANTED", "md"].join(".");
    expect(lostDocuments(`as in ${planted}, README.md and SKILL.md`)).toEqual([planted]);
  });

  it("no comment of the source and no document names a file of ours that is not there", () => {
    const ours = sources.filter((path) => /^(src|demo)\//.test(path));
    const faults = [...wrong(ours, (text) => lostPaths(saidIn(text))), ...wrong(pages, lostPaths)];
    expect(faults.filter((fault) => !imagined.some((path) => fault.endsWith(` ${path}`)))).toEqual([]);
    expect(lostPaths("`src/planted.ts`, docs/policy.md, a/src/x.ts and `npm run test:all -- test/planted`")).toEqual([
      "src/planted.ts",
      "test/planted",
    ]);
  });

  it("docs/security.md says of each promise in which files of src/ it is kept", () => {
    const cells = [...read("docs/security.md").matchAll(/\| ((?:`[\w./-]+`(?:, )?)+) \|$/gm)].map(
      ([, cell = ""]) => cell,
    );
    const named = cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name));
    expect(named.length).toBeGreaterThan(30);
    const isThere = (name: string) => [`src/${name}.ts`, `src/${name}`, name].some((path) => existsSync(root + path));
    expect(named.filter((name) => !isThere(name))).toEqual([]);
  });
});
