import { join } from "node:path";
import { isNode, type Node, readTree, root } from "../architecture/source-tree.ts";
import { saidIn } from "../harness/said.ts";
import { type Folders, runNode, writeText } from "./files.ts";

/** What fills a gap is named by the source, so its name says nothing about what is read. */
const withoutNames = (text: string): string => text.replace(/\{[^}]*\}/g, "{}");

const sorted = (texts: readonly string[]): string =>
  [...new Set(texts)]
    .sort()
    .map((text) => `${JSON.stringify(text)}\n`)
    .join("");

/** Every text of the source with three words or more, wherever it stands. */
function textsOf(nodes: readonly Node[]): readonly string[] {
  return nodes.flatMap((node) => {
    if (node.type === "Literal") return typeof node.value === "string" ? [node.value] : [];
    if (node.type !== "TemplateLiteral" || !Array.isArray(node.quasis)) return [];
    const quasis = node.quasis as readonly { readonly value: { readonly cooked: string } }[];
    return [quasis.map(({ value }) => value.cooked).join("{}")];
  });
}

const isProse = (text: string): boolean =>
  text.split(/\s+/).filter((word) => /^[`*(]*[A-Za-z']{2,}/.test(word)).length > 2;

/** SQL is indented as the code round it, and its comments are not read by anybody who uses the bot. */
const onOneLine = (text: string): string =>
  text
    .replace(/^\s*-- .*$/gm, "")
    .replace(/\s+/g, " ")
    .trim();

/** The texts of the source, and every comment that can be posted, as the generators of templates/messages.md and docs/messages.md make them. */
export async function writeMessages({ out }: Folders): Promise<void> {
  const sources = readTree(root, ["src"]);
  writeText(
    join(out, "texts.txt"),
    sorted(
      sources
        .flatMap(({ nodes }) => textsOf(nodes.filter(isNode)))
        .filter(isProse)
        .map(onOneLine),
    ),
  );
  writeText(join(out, "messages.txt"), sorted(saidIn(sources).map(({ text }) => withoutNames(text.trim()))));
  const vitest = ["node_modules/vitest/vitest.mjs", "run", "--config", "test/oracle/vitest-config.ts"];
  await runNode(vitest, "", { ORACLE_OUT: out });
}
