import {
  classButNoError,
  defaultExitCode,
  handmadeLink,
  looseType,
  ofProcess,
  silentTest,
  statement,
  worldly,
} from "./constructs.ts";
import { doorOf, isPure, layerOf, mayImport, touches } from "./layers.ts";
import { isNode, type Node, type Source } from "./source-tree.ts";

/**
 * A law of the house (ARCHITECTURE.md, STYLE.md): what breaks it, a line each that begins with the file, and the proof
 * that it can be broken: a file that is planted in a copy of the tree.
 */
export interface Law {
  readonly title: string;
  readonly broken: (sources: readonly Source[]) => readonly string[];
  readonly planted: { readonly path: string; readonly text: string };
}

/** Tables: data with a word of explanation, which no split makes easier to read. */
const tables = ["src/policy/rules/", "src/runbooks/match/vocabulary.ts", "src/store/database/schema.ts"];
/** Over the first, a file is a design question; over the second it has been answered wrongly. */
const lineLimits = [250, 300] as const;

const src = (sources: readonly Source[]): readonly Source[] => sources.filter(({ path }) => path.startsWith("src/"));

/** One line for each import for which `isBroken` holds. */
const imports =
  (isBroken: (from: string, to: string, how: string) => boolean) =>
  (sources: readonly Source[]): readonly string[] =>
    src(sources).flatMap(({ path, imports }) =>
      imports.filter(({ target, how }) => isBroken(path, target, how)).map(({ target }) => `${path} imports ${target}`),
    );

/** One line for each file in which a node stands for which `what` has a word. */
const nodes =
  (what: (node: Node, path: string) => string | undefined) =>
  (sources: readonly Source[]): readonly string[] =>
    sources.flatMap(({ path, nodes }) =>
      [...new Set(nodes.flatMap((node) => what(node, path) ?? []))].map((word) => `${path} has ${word}`),
    );

/** A type is gone before anything is loaded, and what is imported on demand is not loaded with the file. */
const loadedBy = ({ imports }: Source): readonly string[] =>
  imports.filter(({ how }) => how === "static").map(({ target }) => target);

/** Files that load one another: `a → b → a`. */
function cycles(sources: readonly Source[]): readonly string[] {
  const next = new Map(src(sources).map((source) => [source.path, loadedBy(source)]));
  const done = new Set<string>();
  const found: string[] = [];
  const visit = (path: string, trail: readonly string[]): void => {
    if (trail.includes(path)) found.push([...trail.slice(trail.indexOf(path)), path].join(" → "));
    if (done.has(path) || trail.includes(path)) return;
    for (const target of next.get(path) ?? []) visit(target, [...trail, path]);
    done.add(path);
  };
  for (const path of next.keys()) visit(path, []);
  return found;
}

/** What a file has loaded, however many files lie between, that reaches outside. */
function outsideReach(path: string, sources: readonly Source[]): readonly string[] {
  const loads = new Map(src(sources).map((source) => [source.path, loadedBy(source)]));
  const reached = new Set([path]);
  for (const each of reached) for (const target of loads.get(each) ?? []) reached.add(target);
  return [...reached].filter(touches).map((target) => `${path} reaches ${target}`);
}

const drawers = /^(utils?|helpers?|lib|libs|common|shared|misc|index)$/;

function drawer(path: string): boolean {
  const names = path.replace(/(\.long)?(\.test)?(\.d)?\.ts$/, "").split("/");
  return names.some((name) => drawers.test(name)) || !names.every((name) => /^[a-z0-9]+(-[a-z0-9]+)*$/.test(name));
}

function silentCatches({ path, text, nodes }: Source): readonly string[] {
  const empty = nodes.filter(
    ({ type, body }) => type === "CatchClause" && isNode(body) && Array.isArray(body.body) && body.body.length === 0,
  );
  return empty.some(({ start, end }) => !text.slice(Number(start), Number(end)).includes("//"))
    ? [`${path} has an empty catch`]
    : [];
}

function oversized({ path, lines }: Source): readonly string[] {
  const passed = lineLimits.findLast((limit) => lines > limit);
  return passed === undefined || tables.some((table) => path.startsWith(table))
    ? []
    : [`${path} has over ${passed} lines`];
}

export const laws: readonly Law[] = [
  {
    title:
      "a file imports only what its layer may: base, then boxes that know no other box, then stories, then entries",
    broken: imports((from, to) => layerOf(to) !== "none" && !mayImport[layerOf(from)](from, to)),
    planted: { path: "src/ssh/planted.ts", text: 'import { openStore } from "../store/database.ts";\nopenStore;\n' },
  },
  {
    title: "every file below src stands in a layer, and imports nothing of ours that does not",
    broken: (sources) => [
      ...src(sources).flatMap(({ path }) => (layerOf(path) === "none" ? [`${path} stands in no layer`] : [])),
      ...imports((_, to) => to.startsWith("src/") && layerOf(to) === "none")(sources),
      ...imports((_, to) => to.startsWith("test/") || to.startsWith("an import"))(sources),
    ],
    planted: { path: "src/services/planted.ts", text: "export {};\n" },
  },
  {
    title: "the front calls nobody: it knows the store's arrival and the base",
    broken: imports(
      (from, to) =>
        from === "src/http/server.ts" && !["none", "base"].includes(layerOf(to)) && to !== "src/store/queue/arrival.ts",
    ),
    planted: { path: "src/http/server.ts", text: 'import { createClient } from "./github/client.ts";\ncreateClient;\n' },
  },
  {
    title: "each SDK has one door",
    broken: imports((from, to) => doorOf(to)?.some((door) => from.startsWith(door)) === false),
    planted: { path: "src/jobs/planted.ts", text: 'export type { Client } from "ssh2";\n' },
  },
  {
    title: "the demo is loaded only when it is asked for",
    broken: imports((from, to, how) => to.startsWith("src/demo/") && !from.startsWith("src/demo/") && how === "static"),
    planted: { path: "src/cli/planted.ts", text: 'export { startDemo } from "../demo/demo.ts";\n' },
  },
  {
    title: "SQL stands in store/ only, statements too and not only imports",
    broken: (sources) =>
      nodes((node, path) => (path.startsWith("src/store/") ? undefined : statement(node)))(src(sources)),
    planted: {
      path: "src/jobs/planted.ts",
      text: 'import type { Db } from "../store/database.ts";\nexport const all = (db: Db) => db.selectFrom("run").execute();\n',
    },
  },
  {
    title: "policy, text and runbooks are pure: what they load computes and touches nothing",
    broken: (sources) => src(sources).flatMap(({ path }) => (isPure(path) ? outsideReach(path, sources) : [])),
    planted: { path: "src/policy/planted.ts", text: 'export { readTemplate } from "../template.ts";\n' },
  },
  {
    title: "policy, text and runbooks take time, chance and the world as parameters",
    broken: (sources) => nodes(worldly)(sources.filter(({ path }) => isPure(path))),
    planted: { path: "src/policy/planted.ts", text: "export const isLate = (at: Date) => at < new Date();\n" },
  },
  {
    title: "no files load one another in a circle",
    broken: cycles,
    planted: { path: "src/base/errors.ts", text: 'export { loadConfig } from "./config.ts";\n' },
  },
  {
    title: "the environment is read in src/config/load.ts only",
    broken: (sources) =>
      nodes((node, path) => (path === "src/config/load.ts" ? undefined : ofProcess(node, ["env"])))(src(sources)),
    planted: { path: "src/ssh/planted.ts", text: "export const { env } = process;\n" },
  },
  {
    title: "the process ends in src/main.ts only",
    broken: (sources) =>
      nodes((node, path) => (path === "src/main.ts" ? undefined : ofProcess(node, ["exit", "exitCode", "abort"])))(
        src(sources),
      ),
    planted: { path: "src/cli/planted.ts", text: 'process["exit"](1);\n' },
  },
  {
    title: "types are never loosened",
    broken: (sources) => [
      ...nodes(looseType)(sources),
      ...src(sources).flatMap(({ path, text }) =>
        /@ts-(ignore|nocheck|expect-error)/.test(text) ? [`${path} has @ts-…`] : [],
      ),
    ],
    planted: { path: "src/agent/planted.ts", text: "export const first = (list: string[]) => list[0]!;\n" },
  },
  {
    title: "no classes but errors",
    broken: (sources) => nodes(classButNoError)(src(sources)),
    planted: { path: "src/store/planted.ts", text: "export const Manager = class {};\n" },
  },
  {
    title: "no exit code has a default",
    broken: (sources) => nodes(defaultExitCode)(src(sources)),
    planted: { path: "src/ssh/planted.ts", text: "export const endOf = (it: { code?: number }) => it.code ?? 0;\n" },
  },
  {
    title: "an error that is let go says why",
    broken: (sources) => src(sources).flatMap(silentCatches),
    planted: { path: "src/store/planted.ts", text: 'try {\n  await import("node:fs");\n} catch {}\n' },
  },
  {
    title: "a link of a comment is written by writeLink alone, which writes none that is not absolute (AR-20, DC-5)",
    broken: (sources) =>
      nodes((node, path) => (/^src\/(jobs|commands|github)\//.test(path) ? handmadeLink(node) : undefined))(
        src(sources),
      ),
    planted: { path: "src/github/render/planted.ts", text: "export const to = '[there](docs/x.md)';\n" },
  },
  {
    title: "names are kebab-case and say what is in a file: no drawers, no barrels",
    broken: (sources) => sources.flatMap(({ path }) => (drawer(path) ? [`${path} is named so`] : [])),
    planted: { path: "src/text/utils.ts", text: "export {};\n" },
  },
  {
    title: `a file has one subject and at most ${lineLimits[0]} lines, tables apart`,
    broken: (sources) => src(sources).flatMap(oversized),
    planted: { path: "src/jobs/planted.ts", text: "\n".repeat(lineLimits[0] + 1) },
  },
  {
    title: "what stands before every socket of a process is loaded where it is switched off again (test/harness/wire.ts)",
    broken: (sources) =>
      sources.flatMap((source) =>
        source.path !== "test/harness/wire.ts" && loadedBy(source).includes("nock") ? [`${source.path} loads nock`] : [],
      ),
    planted: { path: "test/planted.ts", text: 'import nock from "nock";\nnock.cleanAll();\n' },
  },
  {
    title: "no test is switched off, and none replaces a module",
    broken: (sources) => nodes(silentTest)(sources.filter(({ path }) => path.startsWith("test/"))),
    planted: { path: "test/planted.test.ts", text: 'import { it } from "vitest";\nit.skip("works", () => {});\n' },
  },
];
