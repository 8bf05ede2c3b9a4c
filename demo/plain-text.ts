import { type MarkedToken, marked, type Token, type Tokens } from "marked";

/** A comment as a person reads it, for the terminal: no Markdown, no records, no addresses of links. */

const entities: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"', "#39": "'", nbsp: " " };
const decode = (text: string): string =>
  text.replaceAll(/&(\w+|#39);/g, (whole, name: string) => entities[name] ?? whole);

/** Text without tags; a line break stays one. */
const bare = (html: string): string =>
  decode(html.replaceAll(/<br\s*\/?>/g, "\n").replaceAll(/<!--[\s\S]*?-->|<\/?[a-z][^>]*>/gi, ""));

const wordsOf = (tokens: readonly Token[] = []): string => tokens.map(wordOf).join("");

function wordOf(token: Token): string {
  const known = token as MarkedToken;
  switch (known.type) {
    case "br":
      return "\n";
    case "html":
      return bare(known.raw);
    case "codespan":
      return decode(known.text);
    case "image":
      return known.text;
    default:
      return "tokens" in known && known.tokens ? wordsOf(known.tokens) : decode("text" in known ? known.text : "");
  }
}

const indent = (text: string, by: string, first = by): string =>
  text
    .split("\n")
    .map((line, at) => (line === "" ? "" : `${at === 0 ? first : by}${line}`))
    .join("\n");

function box(text: string): string {
  const lines = text.replace(/\n$/, "").split("\n");
  return ["┌", ...lines.map((line) => `│ ${line}`.trimEnd()), "└"].join("\n");
}

function columns({ header, rows }: Tokens.Table): string {
  const cells = [header, ...rows].map((row) => row.map(({ tokens }) => wordsOf(tokens).replaceAll("\n", " ")));
  const widths = header.map((_, at) => Math.max(...cells.map((row) => (row[at] ?? "").length)));
  return cells
    .map((row) =>
      row
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

function item({ task, checked, tokens }: Tokens.ListItem, bullet: string): string {
  const mark = task ? `[${checked ? "x" : " "}] ` : bullet;
  const inner = tokens.filter(({ type }) => type !== "checkbox");
  return indent(blocks(inner, "\n"), " ".repeat(mark.length), mark);
}

function blockOf(token: Token): string {
  const known = token as MarkedToken;
  switch (known.type) {
    case "space":
    case "def":
      return "";
    case "code":
      return box(known.text);
    case "list":
      return known.items.map((one, at) => item(one, known.ordered ? `${Number(known.start) + at}. ` : "- ")).join("\n");
    case "table":
      return columns(known);
    case "blockquote":
      // GitHub shows `> [!NOTE]` as a title.
      return indent(
        blocks(known.tokens).replace(/^\[!(\w)(\w*)\]/, (_, first, rest) => `${first}${rest.toLowerCase()}`),
        "> ",
      );
    case "hr":
      return "―――";
    case "html":
      return bare(known.raw.replaceAll(/<summary>([\s\S]*?)<\/summary>/g, "▸ $1")).trim();
    default:
      return wordOf(token).trim();
  }
}

const blocks = (tokens: readonly Token[], between = "\n\n"): string =>
  tokens
    .map(blockOf)
    .filter((block) => block !== "")
    .join(between);

/** What a reader of the comment sees, in plain text; what is folded away there is shown, behind a ▸ with its title. */
export const plainText = (markdown: string): string => blocks(marked.lexer(markdown, { gfm: true }));
