import type { Root } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { gfm } from "micromark-extension-gfm";

/** GitHub's limit of a comment, and a bound on the parser's time. */
export const longestMarkdown = 65_536;

/** The tree is walked by recursion, and people never nest deeper. */
const deepestNesting = 40;

/** The parser's time grows with the square of the emphasis marks in one block. */
const mostMarks = 1000;

/** The tree of a Markdown text, as GitHub reads it, in bounded time. Offsets are those of `markdown`. */
export const parseMarkdown = (markdown: string): Root =>
  fromMarkdown(calm(flatten(markdown)), { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });

/** Quote and list marks beyond the deepest nesting become spaces, because a line of `>>>>…` would overflow the stack. */
const flatten = (markdown: string): string =>
  markdown.replace(/^(?:[ \t]*(?:>|[-+*](?=[ \t])|\d{1,9}[.)](?=[ \t])))+/gm, (marks) => {
    const parts = marks.match(/[ \t]*(?:>|[-+*]|\d{1,9}[.)])/g) ?? [];
    return parts.length > deepestNesting ? parts.slice(0, deepestNesting).join("").padEnd(marks.length) : marks;
  });

/** In a block with more emphasis marks than people write they become spaces, except a list's bullet and `_` within a name. */
const calm = (markdown: string): string =>
  markdown
    .split("\n\n")
    .map((block) =>
      (block.match(/[*_~]+/g)?.length ?? 0) > mostMarks
        ? block.replace(/(^[ \t]*\*(?=[ \t])|(?<=\w)_(?=\w))|[*_~]/gm, (_mark, kept?: string) => kept ?? " ")
        : block,
    )
    .join("\n\n");
