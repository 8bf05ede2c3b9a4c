import type { Nodes } from "mdast";
import { nodesOf, parse } from "./markdown.ts";

/** What a person reads of Markdown once GitHub has drawn it, a line each block, blanks as HTML draws them; raw HTML counts for nothing. */
export const seen = (markdown: string): string => linesOf(parse(markdown)).join("\n");

const inline = new Set(["paragraph", "heading", "tableCell", "code"]);

function linesOf(node: Nodes): readonly string[] {
  if (inline.has(node.type)) return [wordsOf(node)];
  return "children" in node ? node.children.flatMap(linesOf) : [];
}

const wordsOf = (node: Nodes): string =>
  nodesOf(node)
    .map((one) => (one.type === "text" || one.type === "inlineCode" || one.type === "code" ? one.value : ""))
    .join("")
    .replace(/\s+/g, " ")
    .trim();

/** The raw HTML in it, of which none may be anybody's words. */
export const htmlIn = (markdown: string): readonly string[] =>
  nodesOf(parse(markdown)).flatMap((node) =>
    node.type === "html" && !node.value.startsWith("<!--") ? [node.value] : [],
  );
