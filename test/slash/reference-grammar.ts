import type { Nodes, Root, RootContent } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { gfm } from "micromark-extension-gfm";
import { nodesOf } from "../text/markdown.ts";

/** Made once, not for each of a million bodies. */
const github = { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] };
const parse = (markdown: string): Root => fromMarkdown(markdown, github);

/**
 * The grammar of slash commands as docs/on-call.md and SR-22 word it, written apart from the parser and by
 * another method: a GFM parser says what is quote, code, comment and text, and one expression reads the line that is left.
 * Slow and plain. Where the words leave room, the reading that runs less is taken:
 *
 *  - A quote is its lines with `>`. It is taken out first, and what stands below is read as if it had never been there: to
 *    Markdown a line directly below still belongs to the quote ("lazy"), but it was typed below, and that counts (issue 7).
 *  - A line of nothing but inline code is taken out like any code. Code and text on one line are talk: code is visible, and a
 *    command has nothing visible before it.
 *  - An HTML comment leaves nothing behind, so that what is read is what everybody sees. One that Markdown and HTML do not
 *    agree on (`--!>`, or not closed on the line where it stands in the midst of text) hides nothing: it is text.
 *  - Only spaces and tabs make a line empty or part words; four columns of them before the slash look like code.
 *  - Flags stand beside the numbers. Further on they are the reason's words: "do not use --keep-going" asks for nothing.
 */
export interface Reference {
  readonly verb: string;
  readonly ids: readonly string[] | "all";
  readonly flags: readonly string[];
  readonly note: string;
}

export function refer(body: string, prefixes: readonly string[]): Reference | { readonly hint: string } | undefined {
  const lines = body.split(/\r\n|\n|\r/);
  let hint: string | undefined;
  for (const { row, text, shown } of visibleLines(lines)) {
    hint ??= hintIn(text, prefixes);
    if (/^[ \t\uE000]*$/.test(shown)) continue;
    return readLine(shown, text, lines.slice(row + 1), prefixes) ?? (hint === undefined ? undefined : { hint });
  }
  return hint === undefined ? undefined : { hint };
}

/** What stands behind the opening backticks is read as a line of its own; what is no command is named by its first word. */
function hintIn(text: string, prefixes: readonly string[]): string | undefined {
  const { line, word } = /^ {0,3}`+[ \t]*(?<line>\/(?<word>[a-z][a-z-]*)[^`]*)/i.exec(text)?.groups ?? {};
  if (line === undefined || word === undefined) return undefined;
  return readLine(line, line, [], prefixes)?.verb ?? word.toLowerCase();
}

interface Visible {
  readonly row: number;
  /** The line without its comments; in `shown` each character of inline code is U+E000, which is in no command. */
  readonly text: string;
  readonly shown: string;
}

/** The lines that hold anything besides quotes, code blocks and HTML comments. Each block is parsed with all below it. */
function* visibleLines(lines: readonly string[]): Generator<Visible> {
  for (let row = 0; row < lines.length; ) {
    // micromark drops a BOM at the beginning; to us it is a character that nobody sees, like any other of width zero.
    const left = lines.slice(row).join("\n").replaceAll("\uFEFF", "\u200B");
    const block = parse(left).children[0];
    if (!block) return;
    const [first, end] = rowsOf(block, row);
    row = first;
    if (block.type === "blockquote") while (row < end && /^ {0,3}>/.test(lines[row] ?? "")) row++;
    else if (block.type === "code") row = end;
    else {
      const hidden = block.type === "html" && /^ *<!--/.test(block.value) ? hiddenRows(block.value) : undefined;
      if (hidden) row += hidden.rows;
      for (; row < end; row++) {
        const line = (lines[row] ?? "").slice(hidden && row === first + hidden.rows ? hidden.columns : 0);
        const seen = inlineOf(line);
        if (/[^ \t]/.test(seen.text)) yield { row, ...seen };
      }
    }
  }
}

const rowsOf = (block: RootContent, row: number): readonly [number, number] => [
  row + (block.position?.start.line ?? 1) - 1,
  row + (block.position?.end.line ?? 1),
];

/** How many rows of a block the comment at its beginning fills, and how much of the row after them. */
function hiddenRows(html: string): { readonly rows: number; readonly columns: number } {
  const whole = /^<!--(?:-?>|[\s\S]*?-->|[\s\S]*$)/.exec(html.trimStart())?.[0] ?? "";
  const rows = whole.split("\n");
  // On one line it is read with the line.
  if (whole.includes("--!>", 4) || (rows.length === 1 && whole.endsWith("-->"))) return { rows: 0, columns: 0 };
  return whole.endsWith("-->")
    ? { rows: rows.length - 1, columns: rows.at(-1)?.length ?? 0 }
    : { rows: rows.length, columns: 0 };
}

/** One line without its comments, read as the text of a paragraph. */
function inlineOf(line: string): { readonly text: string; readonly shown: string } {
  if (!/[`<]/.test(line)) return { text: line, shown: line.replaceAll("\uE000", "\uE001") };
  // A letter before it keeps it from being a list, a fence or anything else but text.
  const indent = /^[ \t]*/.exec(line)?.[0] ?? "";
  const rest = line.slice(indent.length);
  let text = indent;
  let shown = indent;
  let at = 0;
  const take = (until: number): void => {
    text += rest.slice(at, until);
    shown += rest.slice(at, until).replaceAll("\uE000", "\uE001");
    at = until;
  };
  // Of HTML only comments are taken out; a tag or a declaration is text, whatever it holds.
  for (const node of nodesOf(parse(`x${rest.replace(/<(?!!--)/g, "x")}`))) {
    if (node.type !== "inlineCode" && !isComment(node)) continue;
    take((node.position?.start.offset ?? 0) - 1);
    const until = (node.position?.end.offset ?? 0) - 1;
    if (node.type === "inlineCode") {
      text += rest.slice(at, until);
      shown += "\uE000".repeat(until - at);
    }
    at = until;
  }
  take(rest.length);
  return { text, shown };
}

const isComment = (node: Nodes): boolean =>
  node.type === "html" && node.value.startsWith("<!--") && !node.value.includes("--!>", 4);

const numbers = ",*N(?:,+N)*,*".replaceAll("N", "\\d{1,6}(?:@[0-9a-f]{8,64})?");
const flag = "(?:--timeout(?:[ \\t]+[0-9a-z]+)?|--(?!timeout\\E)[a-z][a-z-]*)";
/** `E` is the end of a word, ` +` what parts two. */
const pattern = (text: string): RegExp =>
  new RegExp(text.replaceAll("\\E", "(?![^ \\t])").replaceAll(" +", "[ \\t]+"), "di");
const flags = `(?: +${flag}\\E)*`;
const start = "^ {0,3}\\/";
const command = pattern(
  `${start}(?<verb>[a-z][a-z-]*)\\E(?<before>${flags})(?: +all\\E|(?<ids>(?: +${numbers}\\E(?: +,+(?= +${numbers}\\E|(?: +,+)* +${numbers}\\E))*)*))(?<after>${flags})`,
);

/** `/verb [flags] [numbers | all] [flags] rest` and nothing else. */
function readLine(
  shown: string,
  text: string,
  below: readonly string[],
  prefixes: readonly string[],
): Reference | undefined {
  // Behind a prefix the verb's slash may be left out: with the prefix cut off, the two lines end alike.
  const prefix = pattern(`${start}(?:${prefixes.join("|")})\\E(?: +\\/?)?`).exec(shown)?.[0].length;
  const cut = (line: string): string => (prefixes.length > 0 && prefix !== undefined ? `/${line.slice(prefix)}` : line);
  const match = command.exec(cut(shown));
  if (!match?.groups) return undefined;
  const { verb = "", before = "", ids, after = "" } = match.groups;
  const words = cut(text).slice(match[0].length);
  const note = [
    words
      .split(/[ \t]+/)
      .filter(Boolean)
      .join(" "),
    below.join("\n").trim(),
  ];
  return {
    verb: verb.toLowerCase(),
    ids: ids === undefined ? "all" : (ids.toLowerCase().match(/\d+(?:@[0-9a-f]+)?/g) ?? []).map(withoutZeros),
    flags: flagsIn(`${before} ${after}`),
    note: note.filter(Boolean).join("\n"),
  };
}

const withoutZeros = (number: string): string => number.replace(/^0+(?=\d)/, "");

/** Each flag with its value, the last one of a name. */
function flagsIn(text: string): string[] {
  const found = new Map<string, string>();
  for (const [, name = "", value = ""] of text.matchAll(/(--[a-z-]+)(?:[ \t]+([0-9a-z]+))?/gi)) {
    found.set(name.toLowerCase(), value);
  }
  return [...found].flatMap(([name, value]) => (value === "" ? [name] : [name, value]));
}
