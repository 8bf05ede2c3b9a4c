import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { parseAst } from "vitest/node";

/** Where the repository stands, with a slash at its end. */
export const root = fileURLToPath(new URL("../..", import.meta.url));

/** A node of the syntax tree, known only by what every node has. */
export type Node = { readonly type: string } & Readonly<Record<string, unknown>>;

export interface Import {
  /** As written for a package (`node:fs`, `ssh2`), from the tree's root for a file of ours (`src/base/run.ts`). */
  readonly target: string;
  readonly how: "static" | "dynamic" | "type";
}

export interface Source {
  /** From the tree's root, with forward slashes: `src/ssh/pool.ts`. */
  readonly path: string;
  readonly text: string;
  readonly lines: number;
  readonly nodes: readonly Node[];
  readonly imports: readonly Import[];
}

/** Read before by this process, which serves many test files. */
const known = new Map<string, Source>();

/** Reads every TypeScript file of some folders below `root`; a comment or a string is never taken for code. */
export function readTree(root: string, folders: readonly string[]): readonly Source[] {
  return folders
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((name) => [folder, name]),
    )
    .map((parts) => parts.join("/").replaceAll("\\", "/"))
    .filter((path) => path.endsWith(".ts") && !path.includes("node_modules/"))
    .sort()
    .map((path) => {
      const file = join(root, path);
      const text = readFileSync(file, "utf8");
      const before = known.get(file);
      const source = before?.text === text ? before : parseSource(path, text);
      known.set(file, source);
      return source;
    });
}

/** Parses when the syntax is first asked for; that throws where the text is not TypeScript, with the file's name. */
export function parseSource(path: string, text: string): Source {
  const lang = path.endsWith(".d.ts") ? "dts" : "ts";
  let nodes: readonly Node[] | undefined;
  let imports: readonly Import[] | undefined;
  return {
    path,
    text,
    lines: text.split("\n").length - 1,
    get nodes() {
      nodes ??= [...nodesIn(parseAst(text, { lang }, path))];
      return nodes;
    },
    get imports() {
      imports ??= this.nodes.flatMap((node) => importOf(node, path));
      return imports;
    },
  };
}

function* nodesIn(value: unknown): Generator<Node> {
  if (Array.isArray(value)) {
    for (const item of value) yield* nodesIn(item);
  } else if (isNode(value)) {
    yield value;
    for (const child of Object.values(value)) yield* nodesIn(child);
  }
}

export const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";

const hows: Readonly<Record<string, Import["how"]>> = {
  ImportDeclaration: "static",
  ExportAllDeclaration: "static",
  ExportNamedDeclaration: "static",
  ImportExpression: "dynamic",
  TSImportType: "type",
};

function importOf(node: Node, path: string): readonly Import[] {
  const how = hows[node.type];
  if (!how || !isNode(node.source)) return [];
  const { value } = node.source;
  // What is not a plain text could be anything: it gets a name that no law allows.
  const target = typeof value === "string" ? value : "an import whose target is computed";
  const isType = node.importKind === "type" || node.exportKind === "type";
  return [{ target: resolve(target, path), how: isType ? "type" : how }];
}

const resolve = (target: string, path: string): string =>
  target.startsWith(".") ? posix.join(dirname(path), target) : target;

/** The names that a file declares and exports; those that it passes on are another file's. */
export const exportedNames = (nodes: readonly Node[]): readonly string[] =>
  nodes.flatMap(({ type, declaration }) => {
    if (type !== "ExportNamedDeclaration" || !isNode(declaration)) return [];
    const declared = Array.isArray(declaration.declarations) ? declaration.declarations : [declaration];
    return declared.flatMap((one: unknown) => {
      const id = isNode(one) ? one.id : undefined;
      return isNode(id) && typeof id.name === "string" ? [id.name] : [];
    });
  });
