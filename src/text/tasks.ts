import type { ListItem, Nodes } from "mdast";
import { parseMarkdown } from "./markdown.ts";
import { clean } from "./read/clean.ts";

/** Each task's first line as GitHub shows it, outside of quotes and code. */
export function taskWords(markdown: string): readonly string[] {
  // Parsing a long text takes a second.
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

/** GitHub draws these names outside of code. */
const drawnSigns: Readonly<Record<string, string>> = {
  ":green_circle:": "🟢",
  ":yellow_circle:": "🟡",
  ":red_circle:": "🔴",
  ":no_entry:": "⛔",
  ":green_square:": "🟩",
  ":yellow_square:": "🟨",
  ":red_square:": "🟥",
  ":no_entry_sign:": "🚫",
};

function shown(node: Nodes): string {
  if (node.type === "html") return "";
  if (node.type === "text") return node.value.replace(/:[a-z]+_[a-z_]+:/g, (name) => drawnSigns[name] ?? name);
  if (node.type === "break") return " ";
  if ("children" in node) return node.children.map(shown).join("");
  return "value" in node ? node.value : "";
}
