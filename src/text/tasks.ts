import type { ListItem, Nodes } from "mdast";
import { parseMarkdown } from "./markdown.ts";
import { clean } from "./read/clean.ts";
import { drawSigns } from "./signs.ts";

/**
 * The words of each task of a Markdown text as GitHub shows its first lines, outside of quotes and code: references decoded, HTML and
 * invisible text removed, spaces collapsed, the signs of risk drawn.
 */
export function taskWords(markdown: string): readonly string[] {
  // Almost no text has a box, and a long one takes a second to parse.
  if (!/\[[ \t\nxX]\]/.test(markdown)) return [];
  return tasksIn(parseMarkdown(markdown)).map(({ children: [first] }) =>
    first ? clean(shown(first)).replace(/\s+/g, " ").trim() : "",
  );
}

function tasksIn(node: Nodes): readonly ListItem[] {
  if (node.type === "blockquote" || !("children" in node)) return [];
  const within = node.children.flatMap(tasksIn);
  return node.type === "listItem" && typeof node.checked === "boolean" ? [node, ...within] : within;
}

function shown(node: Nodes): string {
  if (node.type === "html") return "";
  if (node.type === "text") return drawSigns(node.value);
  if (node.type === "break") return " ";
  if ("children" in node) return node.children.map(shown).join("");
  return "value" in node ? node.value : "";
}
