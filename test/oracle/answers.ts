import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isNode, type Node, readTree, root } from "../architecture/source-tree.ts";
import { createChance, seed } from "../harness/chance.ts";
import { writeConfig } from "./config.ts";
import { type Folders, inputsFor, jsonLines, runNode, writeText } from "./files.ts";

type Fields = Readonly<Record<string, unknown>>;

const filesIn = (folder: string, fits: RegExp): readonly string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => fits.test(name))
    .sort()
    .map((name) => join(root, folder, name));

const recordsOf = (file: string): readonly Fields[] =>
  readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => JSON.parse(line));

/** The corpora hold secrets with a mark inside, so that no scanner takes the file for a leak. */
const readable = (text: string): string => text.replaceAll("\u2042", "");

function textOf(node: Node): string | undefined {
  if (node.type === "Literal") return typeof node.value === "string" ? node.value : undefined;
  if (node.type !== "TemplateLiteral" || !Array.isArray(node.quasis) || node.quasis.length !== 1) return undefined;
  const quasis: readonly { readonly value: { readonly cooked: string } }[] = node.quasis;
  return quasis[0]?.value.cooked;
}

/** Every text that stands whole in the tests of a folder: what its tables and cases feed in. */
function textsIn(...folders: readonly string[]): readonly string[] {
  const texts = readTree(root, folders).flatMap(({ nodes }) =>
    nodes.filter((node) => isNode(node) && node.type !== "ImportDeclaration").flatMap((node) => textOf(node) ?? []),
  );
  const lists = folders.flatMap((folder) =>
    filesIn(folder, /\.json$/).flatMap((file) => stringsIn(JSON.parse(readFileSync(file, "utf8")))),
  );
  return [...new Set([...texts, ...lists].map(readable))].filter((text) => text.trim() !== "" && text.isWellFormed());
}

const stringsIn = (value: unknown): readonly string[] => {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(stringsIn) : [];
};

const shells = [
  { os: "linux", shell: "bash" },
  { os: "windows", shell: "powershell" },
  { os: "windows", shell: "cmd" },
] as const;

const collectExplain = (): string =>
  jsonLines([
    ...[join(root, "test/data/commands.jsonl"), ...filesIn("test/risk/rounds", /\.jsonl$/)]
      .flatMap(recordsOf)
      .map(({ command, os, shell }) => ({ command, os, shell })),
    ...textsIn("test/risk", "src/risk/knowledge").flatMap((command, index) =>
      // Each by bash, and every third by the other two as well.
      shells.slice(0, index % 3 === 0 ? 3 : 1).map((where) => ({ command, ...where })),
    ),
  ]);

const collectOnServers = (): string =>
  jsonLines(
    recordsOf(join(root, "test/data/commands.jsonl")).flatMap(({ command }) =>
      ["web-1", "prod-1", "win-1", "cmd-1"].map((server) => ({ command, server })),
    ),
  );

const collectRedact = (): string =>
  jsonLines(
    [
      ...filesIn("test/data", /^redaction.*\.jsonl$/).flatMap((file) =>
        recordsOf(file).map(({ text }) => String(text)),
      ),
      ...textsIn("test/text"),
    ].map((text) => ({ text: readable(text) })),
  );

const collectReply = (): string =>
  jsonLines([
    ...filesIn("test/data", /^protocol.*\.jsonl$/)
      .flatMap(recordsOf)
      .map(({ text, finish }) => ({ text, finish })),
    ...textsIn("test/agent").flatMap((text) => [
      { text, finish: "stop" },
      { text, finish: "length" },
    ]),
  ]);

/** Pieces of comments, joined at random and the same in each run: three to a body, each on its own line or behind the other. */
function* shuffled(pieces: readonly string[], count: number): Generator<string> {
  const { below, pick } = createChance(seed);
  for (let made = 0; made < count; made++)
    yield Array.from({ length: 1 + below(3) }, () => pick(pieces)).join(pick(["\n", " ", "\n\n", ""]));
}

const collectComment = (): string => {
  const said = textsIn("test/slash", "test/commands", "test/simulation/night", "test/rendered");
  const short = said.filter((text) => text.length < 80);
  return jsonLines([...said, ...shuffled(short, 20_000)].map((body) => ({ body })));
};

interface Shelf {
  readonly name: string;
  readonly folder: () => string;
  readonly incidents: readonly string[];
}

/** Writes a list of skills as the folder that `suggest` reads. */
const folderOf = (...lists: readonly string[]): string => {
  const folder = mkdtempSync(join(tmpdir(), "countersign-oracle-"));
  for (const { name, text } of lists.flatMap((list) => recordsOf(join(root, "test/data", list)))) {
    mkdirSync(join(folder, String(name)));
    writeFileSync(join(folder, String(name), "SKILL.md"), String(text));
  }
  return folder;
};

const shelves: readonly Shelf[] = [
  {
    name: "first",
    folder: () => folderOf(),
    incidents: [
      "test/data/incidents/incidents.jsonl",
      "test/runbooks/incidents.jsonl",
      "test/data/incidents-6/shared-incidents.jsonl",
      "test/data/incidents-5/shared-incidents.jsonl",
    ],
  },
  {
    name: "second",
    folder: () => folderOf("incidents-5/skills.jsonl", "incidents-5/second-skills.jsonl"),
    incidents: ["incidents", "near-misses", "second-incidents"].map((name) => `test/data/incidents-5/${name}.jsonl`),
  },
  {
    name: "third",
    folder: () => folderOf("incidents-6/skills.jsonl"),
    incidents: ["test/data/incidents-6/incidents.jsonl", "test/runbooks/incidents.jsonl"],
  },
];

async function writeSuggestions(folders: Folders): Promise<void> {
  for (const shelf of shelves) {
    const input = inputsFor(folders, `suggest-${shelf.name}.jsonl`, () =>
      jsonLines(
        shelf.incidents
          .flatMap((file) => recordsOf(join(root, file)))
          .map(({ id, title, body }) => ({ id, title, body })),
      ),
    );
    const isOwn = shelf.name !== "first";
    const skills = isOwn ? shelf.folder() : join(root, "test/data/incidents/skills");
    try {
      const answers = await runNode(["src/main.ts", "suggest", "--jsonl", "--skills", skills], input);
      writeText(join(folders.out, `suggest-${shelf.name}.jsonl`), answers);
    } finally {
      if (isOwn) rmSync(skills, { recursive: true });
    }
  }
}

/** What the tools of the command line answer to every corpus of the tests. */
export async function writeAnswers(folders: Folders): Promise<void> {
  const config = writeConfig();
  const tools = [
    ["explain", "explain", collectExplain, false],
    ["explain-servers", "explain", collectOnServers, true],
    ["redact", "redact", collectRedact, false],
    ["reply", "reply", collectReply, false],
    ["reply-servers", "reply", collectReply, true],
    ["comment", "comment", collectComment, false],
    ["comment-servers", "comment", collectComment, true],
  ] as const;
  try {
    for (const [name, tool, collect, hasServers] of tools) {
      const input = inputsFor(folders, `${name}.jsonl`, collect);
      const args = ["src/main.ts", tool, "--jsonl", ...(hasServers ? ["--config", config.file] : [])];
      writeText(join(folders.out, `${name}.jsonl`), await runNode(args, input));
    }
    await writeSuggestions(folders);
  } finally {
    config.remove();
  }
}
