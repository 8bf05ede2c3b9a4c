import { existsSync, readFileSync } from "node:fs";
import { auditBreaches } from "./audit-law.ts";
import {
  breathless,
  classButNoError,
  defaultExitCode,
  handmadeLink,
  hurriedTest,
  looseType,
  modifiedPattern,
  ofProcess,
  silentTest,
  statement,
  worldly,
} from "./constructs.ts";
import { folderOf, isBeside, isPure, layerOf, mayImport, ownersOf, touches } from "./layers.ts";
import { exportedNames, type Import, isNode, type Node, root, type Source } from "./source-tree.ts";
import { manyMeanings, participles, repeatedCodes } from "./type-names.ts";

/**
 * A law of the tree (docs/architecture.md, CONTRIBUTING.md): a line for each breach, which begins with the file, and a file that breaks
 * the law if it is planted in the tree.
 */
export interface Law {
  readonly title: string;
  readonly broken: (sources: readonly Source[]) => readonly string[];
  readonly planted: PlantedFile;
  /** A file that comes close to it and breaks nothing. */
  readonly lawful?: PlantedFile;
}

export interface PlantedFile {
  readonly path: string;
  readonly text: string;
}

const src = (sources: readonly Source[]): readonly Source[] => sources.filter(({ path }) => path.startsWith("src/"));
const ours = (sources: readonly Source[]): readonly Source[] => sources.filter(({ path }) => !path.startsWith("test/"));

/** One line for each import for which `isBroken` holds. */
const imports =
  (isBroken: (from: string, to: string, how: Import["how"]) => boolean) =>
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

/** What a file of one feature imports of another, and a line that says so. */
const foreignFeatures = ({ path, imports }: Source): readonly { readonly target: string; readonly text: string }[] => {
  const own = /^src\/features\/[^/]+\//.exec(path)?.[0];
  return imports
    .filter(({ target }) => own !== undefined && /^src\/features\/[^/]+\//.test(target) && !target.startsWith(own))
    .map(({ target }) => ({ target, text: `${path} imports ${target}` }));
};

/** Whether a feature shows a file to the others: it bears the folder's name, or the README names it behind "Public:". */
function isPublic(target: string): boolean {
  const [, folder = "", file = ""] = /^(src\/features\/[^/]+)\/(.+)\.ts$/.exec(target) ?? [];
  const shown =
    readmeOf(folder)
      .split("\n\n")
      .find((paragraph) => paragraph.startsWith("Public: ")) ?? "";
  return folder.endsWith(`/${file}`) || shown.includes(`\`${file}.ts\``);
}

/** The README of a folder, as text; empty where there is none. */
const readmeOf = (folder: string): string => {
  const file = `${root}${folder}/README.md`;
  return existsSync(file) ? readFileSync(file, "utf8") : "";
};

/** The folders that a stranger enters: each says in a few lines what belongs there. */
const introduced = /^(src|demo|emulator|src\/(features\/)?[a-z]+)$/;

const foldersAbove = (path: string): readonly string[] =>
  path
    .split("/")
    .slice(0, -1)
    .map((_, at, names) => names.slice(0, at + 1).join("/"));

const foldersOf = (sources: readonly Source[]): readonly string[] => [
  ...new Set(ours(sources).flatMap(({ path }) => foldersAbove(path))),
];

function withoutReadme(sources: readonly Source[]): readonly string[] {
  return foldersOf(sources).flatMap((folder) => {
    const lines = readmeOf(folder)
      .split("\n")
      .filter((line) => line.trim() !== "").length;
    return !introduced.test(folder) || (lines >= 5 && lines <= 15) ? [] : [`${folder} has a README of ${lines} lines`];
  });
}

/** What a README names as a file, in backticks, and is not there. */
function misnamed(sources: readonly Source[]): readonly string[] {
  return foldersOf(sources).flatMap((folder) =>
    [...readmeOf(folder).matchAll(/`([\w./-]+(?:\.(?:ts|sh|json|md)|\/))`/g)].flatMap(([, name = ""]) =>
      [folder, "src", "."].some((from) => existsSync(`${root}${from}/${name}`))
        ? []
        : [`${folder}/README.md names ${name}`],
    ),
  );
}

/** Names that two folders export: a reader must not have to ask which is meant. */
function sharedNames(sources: readonly Source[]): readonly string[] {
  const found = src(sources).flatMap(({ path, nodes }) => exportedNames(nodes).map((name) => ({ name, path })));
  return [...Map.groupBy(found, ({ name }) => name)].flatMap(([name, places]) => {
    const paths = places.map(({ path }) => path).sort();
    return new Set(paths.map(folderOf)).size > 1 ? [`${name} is exported by ${paths.join(" and ")}`] : [];
  });
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

/** What a literal says, or a piece of a template. */
const textIn = (value: unknown): string => {
  if (typeof value === "string") return value;
  return typeof value === "object" && value !== null && "raw" in value ? String(value.raw) : "";
};

export const laws: readonly Law[] = [
  {
    title: "a file imports only folders of the layers below its own, and a box only types of another box",
    broken: imports((from, to, how) => layerOf(to) !== undefined && !mayImport(from, to, how)),
    planted: {
      path: "src/ssh/planted.ts",
      text: 'import { openStore } from "../store/database/open.ts";\nopenStore;\n',
    },
    lawful: {
      path: "src/ssh/planted.ts",
      text: 'import type { Store } from "../store/database/open.ts";\nexport type Stores = readonly Store[];\n',
    },
  },
  {
    title: "every file below src is in a folder of the plan, and imports nothing of the tests",
    broken: (sources) => [
      ...src(sources).flatMap(({ path }) =>
        layerOf(path) === undefined ? [`${path} is in no folder of the plan`] : [],
      ),
      ...imports((_, to) => to.startsWith("src/") && layerOf(to) === undefined)(sources),
      ...imports((_, to) => to.startsWith("test/") || to.startsWith("an import"))(sources),
    ],
    planted: { path: "src/services/planted.ts", text: "export {};\n" },
  },
  {
    title: "a feature imports of another feature only what its README names, or the file that bears its name",
    broken: (sources) =>
      src(sources).flatMap((source) =>
        foreignFeatures(source)
          .filter((line) => !isPublic(line.target))
          .map(({ text }) => text),
      ),
    planted: { path: "src/features/run/planted.ts", text: 'export { planText } from "../turn/plan.ts";\n' },
  },
  {
    title: "the front calls nobody: it knows the store's arrival, the base and the telemetry",
    broken: imports(
      (from, to, how) =>
        from.startsWith("src/http/") &&
        how !== "type" &&
        !["base", "telemetry", undefined].includes(layerOf(to)) &&
        !to.startsWith("src/http/") &&
        to !== "src/store/queue/arrival.ts",
    ),
    planted: {
      path: "src/http/server.ts",
      text: 'import { createClient } from "../github/client.ts";\ncreateClient;\n',
    },
  },
  {
    title: "each SDK is imported in one place",
    broken: (sources) =>
      ours(sources).flatMap(({ path, imports }) =>
        imports
          .filter(({ target }) => ownersOf(target)?.some((owner) => path.startsWith(owner)) === false)
          .map(({ target }) => `${path} imports ${target}`),
      ),
    planted: { path: "src/features/planted.ts", text: 'export type { Client } from "ssh2";\n' },
  },
  {
    title: "the demo and the emulator are beside src: only `countersign demo` loads them, on demand",
    broken: imports((from, to, how) => isBeside(to) && (from !== "src/cli/demo.ts" || how === "static")),
    planted: { path: "src/cli/planted.ts", text: 'export { startDemo } from "../../demo/demo.ts";\n' },
  },
  {
    title: "the emulator knows nothing of src but its base",
    broken: (sources) =>
      sources
        .filter(({ path }) => path.startsWith("emulator/"))
        .flatMap(({ path, imports }) =>
          imports
            .filter(({ target }) => /^(src\/(?!base\/)|demo|test)/.test(target))
            .map(({ target }) => `${path} imports ${target}`),
        ),
    planted: { path: "emulator/planted.ts", text: 'export type { Action } from "../src/store/actions.ts";\n' },
  },
  {
    title: "SQL stands in store/ only, statements too and not only imports",
    broken: (sources) =>
      nodes((node, path) => (path.startsWith("src/store/") ? undefined : statement(node)))(src(sources)),
    planted: {
      path: "src/features/planted.ts",
      text: 'import type { Db } from "../store/database/open.ts";\nexport const all = (db: Db) => db.selectFrom("run").execute();\n',
    },
  },
  {
    title: "what decides is pure (approval, risk, slash, runbooks, text): what it loads computes and touches nothing",
    broken: (sources) => src(sources).flatMap(({ path }) => (isPure(path) ? outsideReach(path, sources) : [])),
    planted: { path: "src/risk/planted.ts", text: 'export { readTemplate } from "../base/template.ts";\n' },
  },
  {
    title: "what decides takes time, chance and the world as parameters",
    broken: (sources) => nodes(worldly)(sources.filter(({ path }) => isPure(path))),
    planted: { path: "src/risk/planted.ts", text: "export const isLate = (at: Date) => at < new Date();\n" },
  },
  {
    title: "no files load one another in a circle",
    broken: cycles,
    planted: { path: "src/base/errors.ts", text: 'export { reached } from "./crash-point.ts";\n' },
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
    title:
      "no text is code that ends the process, but the watchdog's, which stands beside a main thread that answers no more",
    broken: (sources) =>
      nodes(({ type, value }, path) =>
        (type === "Literal" || type === "TemplateElement") &&
        /process\.(exit|reallyExit|abort|kill)\b/.test(textIn(value)) &&
        path !== "src/service/watchdog.ts" &&
        !isPure(path)
          ? "code in a text that ends the process"
          : undefined,
      )(src(sources)),
    planted: {
      path: "src/cli/planted.ts",
      text: 'import { runInThisContext } from "node:vm";\nrunInThisContext("process.exit(1)");\n',
    },
  },
  {
    title:
      "no loop turns without letting the event loop breathe: what awaits without a limit sleeps, asks the store, or says why it ends",
    broken: (sources) =>
      // A statement lets the loop turn, also one to the embedded database (embedded.ts).
      nodes((node, path) => (path.startsWith("src/store/") ? undefined : breathless(node)))(src(sources)),
    planted: {
      path: "src/ssh/planted.ts",
      text: "export const lease = async (ask: () => Promise<boolean>): Promise<boolean> => (await ask()) || lease(ask);\n",
    },
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
    title: "no pattern has a modifier, because V8 may stop matching it (PA-7)",
    broken: (sources) => nodes(modifiedPattern)(src(sources)),
    planted: { path: "src/risk/planted.ts", text: "export const get = /^(?i:get) /;\n" },
  },
  {
    title: "an error that is let go says why",
    broken: (sources) => src(sources).flatMap(silentCatches),
    planted: { path: "src/store/planted.ts", text: 'try {\n  await import("node:fs");\n} catch {}\n' },
  },
  {
    title: "a link of a comment is written by writeLink alone, which writes none that is not absolute (AR-20, DC-5)",
    broken: (sources) =>
      nodes((node, path) => (/^src\/(features|commands|github)\//.test(path) ? handmadeLink(node) : undefined))(
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
    title: "each folder has a README of 5 to 15 lines, and each file that a README names is there",
    broken: (sources) => [...withoutReadme(sources), ...misnamed(sources)],
    planted: { path: "src/features/planted/planted.ts", text: "export {};\n" },
  },
  {
    title:
      "what is appended to the audit names its kind, which is on the audit's list; each on it is appended somewhere",
    broken: auditBreaches,
    planted: {
      path: "src/features/planted.ts",
      text: 'import { appendAudit } from "../store/audit/chain.ts";\nappendAudit(tx, { kind: "command_flurbed", body: {} });\n',
    },
  },
  {
    title: "no exported name means two things",
    broken: sharedNames,
    planted: { path: "src/ssh/planted.ts", text: "export const appendAudit = 1;\n" },
  },
  {
    title: "a type is a noun that says what it holds: no bare participle, no adjective",
    broken: (sources) => participles(src(sources)),
    planted: { path: "src/ssh/planted.ts", text: "export interface Flurbed {\n  readonly at: Date;\n}\n" },
    lawful: { path: "src/ssh/planted.ts", text: "export interface FlurbedEnding {\n  readonly at: Date;\n}\n" },
  },
  {
    title: "no type's name has three meanings",
    broken: (sources) => manyMeanings(src(sources)),
    planted: {
      path: "src/ssh/planted.ts",
      text: "{\n  type Part = 1;\n}\nexport type Incident = string;\nexport interface Server {}\n",
    },
  },
  {
    title: "a requirement's code stands once in a file",
    broken: (sources) => repeatedCodes(src(sources)),
    planted: {
      path: "src/ssh/planted.ts",
      text: "/** Waits (SR-24). */\nexport const wait = 1;\n// Not SR-24 again.\n",
    },
    lawful: { path: "src/ssh/planted.ts", text: '/** Waits (SR-24). */\nexport const wait = "SR-24 SR-24";\n' },
  },
  {
    title:
      "what stands before every socket of a process is loaded where it is switched off again (test/harness/wire.ts)",
    broken: (sources) =>
      sources.flatMap((source) =>
        source.path !== "test/harness/wire.ts" && loadedBy(source).includes("nock")
          ? [`${source.path} loads nock`]
          : [],
      ),
    planted: { path: "test/planted.ts", text: 'import nock from "nock";\nnock.cleanAll();\n' },
  },
  {
    title: "no test is switched off, and none replaces a module",
    broken: (sources) => nodes(silentTest)(sources.filter(({ path }) => path.startsWith("test/"))),
    planted: { path: "test/planted.test.ts", text: 'import { it } from "vitest";\nit.skip("works", () => {});\n' },
  },
  {
    title: "no test asserts how long something took, and no wait gives a busy machine less time than the runner does",
    broken: (sources) =>
      nodes((node, path) => (path === "test/harness/until.ts" ? undefined : hurriedTest(node)))(
        sources.filter(({ path }) => path.startsWith("test/") && !path.startsWith("test/bench/")),
      ),
    planted: {
      path: "test/planted.test.ts",
      text: 'import { expect, it } from "vitest";\nit("is quick", () => {\n  const began = Date.now();\n  expect(Date.now() - began).toBeLessThan(9);\n});\n',
    },
  },
];
