import { dirname, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { isNode, type Node, readTree, root, type Source } from "./source-tree.ts";

/** How the source reads, in figures. They limit nothing: `npm run check` ends with them, and `npm run shape -- --list` names the names. */
export interface SourceShape {
  readonly lines: number;
  readonly files: number;
  readonly functions: number;
  /** Functions that one place calls; `elsewhere`: those that another file calls. A name that is declared twice is left out. */
  readonly once: readonly string[];
  readonly elsewhere: readonly string[];
  /** Files that one other file imports. */
  readonly single: readonly string[];
  /** Names of types that three files or more declare. */
  readonly manyMeanings: readonly string[];
}

interface Declaration {
  readonly name: string;
  readonly path: string;
  readonly kind: "function" | "type";
  readonly isExported: boolean;
}

export function measureShape(sources: readonly Source[]): SourceShape {
  const declared = sources.flatMap(declarationsIn);
  const byName = Map.groupBy(declared, ({ name }) => name);
  const uses = new Map<string, number>();
  for (const name of sources.flatMap(namesIn)) uses.set(name, (uses.get(name) ?? 0) + 1);
  const imports = sources.flatMap((source) => [...importsOf(source)]);
  const importers = Map.groupBy(imports, (target) => target);
  const functions = declared.filter(({ kind }) => kind === "function");
  // Its declaration and one use.
  const once = functions.filter(({ name }) => byName.get(name)?.length === 1 && uses.get(name) === 2);
  const textOf = ({ path, name }: Declaration): string => `${path} ${name}`;
  return {
    lines: sources.reduce((sum, { lines }) => sum + lines, 0),
    files: sources.length,
    functions: functions.length,
    once: once.map(textOf),
    elsewhere: once.filter(({ isExported }) => isExported).map(textOf),
    single: sources.map(({ path }) => path).filter((path) => importers.get(path)?.length === 1),
    manyMeanings: [...byName]
      .filter(([, all]) => all.length > 2 && all.every(({ kind }) => kind === "type"))
      .map(([name]) => name),
  };
}

const listOf = (value: unknown): readonly Node[] => (Array.isArray(value) ? value.filter(isNode) : []);

/** The functions and types at the top of a file. */
function declarationsIn({ path, nodes }: Source): readonly Declaration[] {
  return listOf(nodes[0]?.body).flatMap((statement) => {
    const isExported = statement.type === "ExportNamedDeclaration";
    const node = isExported && isNode(statement.declaration) ? statement.declaration : statement;
    const declare = (id: unknown, kind: Declaration["kind"]): readonly Declaration[] =>
      isNode(id) && typeof id.name === "string" ? [{ name: id.name, path, kind, isExported }] : [];
    if (node.type === "FunctionDeclaration") return declare(node.id, "function");
    if (node.type === "TSInterfaceDeclaration" || node.type === "TSTypeAliasDeclaration")
      return declare(node.id, "type");
    if (node.type !== "VariableDeclaration") return [];
    return listOf(node.declarations).flatMap(({ id, init }) =>
      isNode(init) && init.type.includes("Function") ? declare(id, "function") : [],
    );
  });
}

/** Every name in a file's code, texts included; imports and comments are left out. */
function namesIn({ nodes }: Source): readonly string[] {
  const imported = nodes.filter(({ type }) => type === "ImportDeclaration");
  const isImported = ({ start }: Node): boolean =>
    imported.some((one) => Number(one.start) <= Number(start) && Number(start) < Number(one.end));
  // `{ a }` is one name in the text and two nodes in the tree.
  const words = new Map<unknown, readonly string[]>();
  for (const node of nodes) {
    if (isImported(node)) continue;
    if (node.type === "Identifier") words.set(node.start, [String(node.name)]);
    const raw = node.type === "TemplateElement" && typeof node.value === "object" ? node.value : node;
    if (node.type === "Literal" || node.type === "TemplateElement")
      words.set(node.start, (raw && "raw" in raw ? String(raw.raw) : "").match(/[A-Za-z_$][\w$]*/g) ?? []);
  }
  return [...words.values()].flat();
}

const importsOf = ({ path, nodes }: Source): ReadonlySet<string> =>
  new Set(
    nodes.flatMap(({ type, source }) => {
      const target = type === "ImportDeclaration" && isNode(source) ? String(source.value) : "";
      return target.startsWith(".") ? [posix.join(dirname(path), target)] : [];
    }),
  );

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const shape = measureShape(readTree(root, ["src"]));
  const { lines, files, functions, once, elsewhere, single, manyMeanings } = shape;
  const of = (part: number, whole: number): string => `${part} of ${whole} (${Math.round((100 * part) / whole)} %)`;
  console.log(`lines of src, files: ${lines}, ${files}`);
  console.log(`functions called from one place: ${of(once.length, functions)}; from another file: ${elsewhere.length}`);
  console.log(`files that one other file imports: ${of(single.length, files)}`);
  console.log(`type names with three or more meanings: ${manyMeanings.length}`);
  if (process.argv.includes("--list")) console.log(JSON.stringify({ elsewhere, single, manyMeanings, once }, null, 2));
}
