import type { Nodes, PhrasingContent, RootContent } from "mdast";
import { clean } from "./clean.ts";
import { guardLines } from "./commands-of-bots.ts";
import { code, inertLine, plain } from "./fence.ts";
import { httpAddress, repoPath, writeLink } from "./links.ts";
import { longestMarkdown, parseMarkdown } from "./markdown.ts";

type Options = { readonly linkHosts?: readonly string[] };

/**
 * The model's Markdown as Markdown that is safe to post (SR-31, SR-42, SR-43, AR-19, AR-20): paragraphs, emphasis, inline
 * code, "• " lines, and links to `linkHosts` or into the repository. Headings become bold lines, code blocks lines
 * of inline code, HTML literal text; nothing can look like an output block, a task or another bot's command.
 */
export function prose(markdown: string, options: Options = {}): string {
  const text = clean(markdown).slice(0, longestMarkdown);
  try {
    return guardLines(renderBlocks(parseMarkdown(text).children, options).join("\n\n"));
  } catch {
    // The parser gave up (stack depth): the words still reach the reader, without any formatting.
    return guardLines(text.split("\n").map(plain).join("\n"));
  }
}

const renderBlocks = (nodes: readonly RootContent[], options: Options): string[] =>
  nodes.flatMap((node) => renderBlock(node, options)).filter((block) => block.trim() !== "");

function renderBlock(node: RootContent, options: Options): string[] {
  switch (node.type) {
    case "paragraph":
      return [renderInline(node.children, options)];
    case "heading":
      return [bold(renderInline(node.children, options))];
    case "blockquote":
    case "footnoteDefinition":
      return renderBlocks(node.children, options);
    case "list":
      return [node.children.flatMap((item) => renderItem(renderBlocks(item.children, options))).join("\n")];
    case "code":
      return [node.value.split("\n").filter(hasText).map(code).join("\n")];
    case "html":
      return [literal(withoutComments(node.value))];
    case "table":
      return [
        node.children
          .map((row) => row.children.map((cell) => renderInline(cell.children, options)).join(" · "))
          .join("\n"),
      ];
    default:
      return [];
  }
}

const hasText = (line: string): boolean => line.trim() !== "";
const bold = (text: string): string => (text.includes("*") || text.includes("\n") ? text : `**${text}**`);
const literal = (text: string): string => text.split("\n").filter(hasText).map(plain).join("\n");

/** HTML comments are seen by nobody; they do not become visible here either. */
const withoutComments = (html: string): string => html.replace(/<!--[\s\S]*?(?:--!?>|$)/g, "");

function renderItem(blocks: readonly string[]): string[] {
  const lines = blocks.flatMap((block) => block.split("\n"));
  return lines.map((line, index) => (index === 0 ? `• ${line}` : line));
}

const renderInline = (nodes: readonly PhrasingContent[], options: Options): string =>
  nodes.map((node) => renderPhrase(node, options)).join("");

function renderPhrase(node: PhrasingContent, options: Options): string {
  switch (node.type) {
    case "text":
      return inertLines(node.value);
    case "inlineCode":
      return code(node.value);
    case "emphasis":
      return emphasise("*", renderInline(node.children, options));
    case "strong":
      return emphasise("**", renderInline(node.children, options));
    case "delete":
      return renderInline(node.children, options);
    case "break":
      return "\n";
    case "link":
      return renderLink(textOf(node), node.url, options);
    case "linkReference":
      return renderInline(node.children, options);
    case "image":
    case "imageReference":
      return inertLines(node.alt ?? "");
    case "html":
      return inertLines(withoutComments(node.value));
    default:
      return "";
  }
}

const inertLines = (text: string): string => text.split("\n").map(inertPart).join("\n");

/** Inert text with the blanks at its ends kept: it stands beside other inline content. */
function inertPart(text: string): string {
  const inner = text.trim();
  if (inner === "") return text === "" ? "" : " ";
  const start = text.startsWith(inner[0] ?? "") ? "" : " ";
  const end = text.endsWith(inner.at(-1) ?? "") ? "" : " ";
  return start + inertLine(inner) + end;
}

/** Marks only where Markdown will take them for emphasis whatever stands beside; else the plain words. */
const emphasise = (mark: string, text: string): string =>
  /^[\p{L}\p{N}](?:[^*\n]*[\p{L}\p{N}])?$/u.test(text) ? `${mark}${text}${mark}` : text;

function renderLink(label: string, url: string, { linkHosts = [] }: Options): string {
  const address = httpAddress(url);
  const isAllowed = address !== undefined && linkHosts.includes(address.hostname);
  if (isAllowed) return writeLink(plain(label) || "link", address.href);
  const path = address ? undefined : repoPath(url);
  if (path !== undefined) return writeLink(plain(label) || "link", path);
  return label.trim() === url.trim() ? code(url) : `${inertLines(label)} (${code(url)})`;
}

/** The words of a node without any formatting. */
function textOf(node: Nodes): string {
  if ("children" in node) return node.children.map(textOf).join("");
  if (node.type === "image") return node.alt ?? "";
  return "value" in node ? node.value : "";
}
