import type { List, Nodes, PhrasingContent, RootContent } from "mdast";
import { code, codeLine, guardLines, inertPart, joinInline, numbered, plain } from "./fence.ts";
import { absoluteAddress, httpAddress, writeLink } from "./links.ts";
import { longestMarkdown, parseMarkdown } from "./markdown.ts";
import { clean } from "./read/clean.ts";
import { withoutSigns } from "./signs.ts";

interface ProseOptions {
  readonly linkHosts?: readonly string[];
  /** Without it, file links become words. */
  readonly blobUrl?: string | undefined;
  readonly source?: string;
}

/**
 * Makes the model's Markdown safe to post (SR-31, SR-42, SR-43, AR-19, AR-20). Keeps paragraphs, emphasis, inline code, lists with their
 * numbers, and links to `linkHosts` or the repository. Headings become bold, code blocks inline code, HTML literal text; nothing looks like
 * an output block, a task or a bot's command.
 */
export function prose(markdown: string, options: Omit<ProseOptions, "source"> = {}): string {
  const cleaned = clean(markdown).slice(0, longestMarkdown);
  try {
    return guardLines(renderBlocks(parseMarkdown(cleaned).children, { ...options, source: cleaned }).join("\n\n"));
  } catch {
    // If the parser overflows the stack, the words stay.
    return guardLines(cleaned.split("\n").map(plain).join("\n"));
  }
}

const renderBlocks = (nodes: readonly RootContent[], options: ProseOptions): string[] =>
  nodes.flatMap((node) => renderBlock(node, options)).filter((block) => block.trim() !== "");

function renderBlock(node: RootContent, options: ProseOptions): string[] {
  switch (node.type) {
    case "paragraph":
      return [renderInline(node.children, options)];
    case "heading":
      return [renderInline([{ type: "strong", children: node.children }], options)];
    case "blockquote":
    case "footnoteDefinition":
      return renderBlocks(node.children, options);
    case "list":
      return [renderList(node, options)];
    case "code":
      // An empty line must not end the block.
      return [
        withoutSigns(node.value)
          .trimEnd()
          .replace(/^\s*\n/, "")
          .split("\n")
          .map((line) => (hasText(line) ? codeLine(line) : "\u00a0"))
          .join("\n"),
      ];
    case "html":
      return [literal(htmlAsText(node.value))];
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
const literal = (text: string): string => text.split("\n").filter(hasText).map(plain).join("\n");

/** HTML as text, decoded so that the writer escapes once. Comments stay invisible, as on GitHub. */
const htmlAsText = (html: string): string =>
  html
    .replace(/<!--[\s\S]*?(?:--!?>|$)/g, "")
    .replace(/&(?:#\w{1,8}|[a-z]\w{0,31});/gi, (reference) => proseWords(reference));

/** People answer by number, so numbers stay as written unless all are the same. */
function renderList({ children, ordered, start }: List, options: ProseOptions): string {
  const written = children.map(({ position }) => numberAt(options.source ?? "", position?.start.offset));
  const isCounted = new Set(written).size < written.length || written.includes(undefined);
  return children
    .flatMap((item, index) => {
      const number = isCounted ? `${(start ?? 1) + index}.` : `${written[index]}`;
      const blocks = renderBlocks(item.children, options);
      const mark = ordered ? numbered(number) : "• ";
      const lines = blocks.flatMap((block) => block.split("\n"));
      return lines.map((line, index) => (index === 0 ? mark + line : line));
    })
    .join("\n");
}

const numberAt = (source: string, offset = source.length): string | undefined =>
  /^\d{1,9}[.)]/.exec(source.slice(offset, offset + 10))?.[0];

const renderInline = (nodes: readonly PhrasingContent[], options: ProseOptions): string =>
  flatten(nodes, options)
    .map((node) => {
      switch (node.type) {
        case "text":
          return node.value.split("\n").map(inertPart).join("\n");
        case "inlineCode":
          return code(withoutSigns(node.value));
        case "emphasis":
          return `*${renderInline(node.children, options)}*`;
        case "strong":
          return `**${renderInline(node.children, options)}**`;
        case "link":
          return writeLink(plain(textOf(node)) || "link", addressOf(node.url, options) ?? "");
        default:
          return "";
      }
    })
    .reduce(joinInline, "");

/** Turns all but allowed nodes into words. Joins words, because `@` and `mona` are harmless only apart. */
function flatten(nodes: readonly PhrasingContent[], options: ProseOptions): PhrasingContent[] {
  const flat: PhrasingContent[] = [];
  for (const node of nodes.flatMap((one) => replacement(one, options))) {
    const last = flat.at(-1);
    if (node.type === "text" && last?.type === "text") flat[flat.length - 1] = text(last.value + node.value);
    else flat.push(node);
  }
  return flat;
}

const text = (value: string): PhrasingContent => ({ type: "text", value });

function replacement(node: PhrasingContent, options: ProseOptions): PhrasingContent[] {
  switch (node.type) {
    case "text":
    case "inlineCode":
      return [node];
    case "emphasis":
    case "strong": {
      const children = flatten(node.children, options);
      // Whether emphasis works beside any text.
      return /^[\p{L}\p{N}](?:[^*\n]*[\p{L}\p{N}])?$/u.test(textOf(node)) ? [{ ...node, children }] : children;
    }
    case "link":
      if (addressOf(node.url, options) !== undefined) return [node];
      // The parser makes `www.conf`, a file, an address.
      return [node.url.trim(), node.url.trim().replace(/^http:\/\/(?=www\.)/i, "")].includes(textOf(node).trim())
        ? [{ type: "inlineCode", value: textOf(node).trim() }]
        : [...flatten(node.children, options), text(" ("), { type: "inlineCode", value: node.url }, text(")")];
    case "delete":
    case "linkReference":
      return flatten(node.children, options);
    case "break":
      return [text("\n")];
    case "image":
    case "imageReference":
      return [text(node.alt ?? "")];
    case "html":
      return [text(htmlAsText(node.value))];
    default:
      return [];
  }
}

function addressOf(url: string, { linkHosts = [], blobUrl }: ProseOptions): string | undefined {
  const address = httpAddress(url);
  if (address) return linkHosts.includes(address.hostname) ? address.href : undefined;
  return absoluteAddress(url, blobUrl);
}

/** The words as readers see them, a line each block. */
export function proseWords(markdown: string): string {
  return parseMarkdown(markdown).children.map(textOf).join("\n");
}

function textOf(node: Nodes): string {
  if ("children" in node) return node.children.map(textOf).join("");
  if (node.type === "image") return node.alt ?? "";
  if (node.type === "html") return htmlAsText(node.value);
  return "value" in node ? node.value : "";
}
