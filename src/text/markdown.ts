import type { Root } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { gfm } from "micromark-extension-gfm";

/** GitHub's limit for a comment. */
export const longestMarkdown = 65_536;

/** The tree is walked by recursion; people never nest deeper. */
const deepestNesting = 40;

/** The parser's time is quadratic in a block's emphasis marks. */
const mostMarks = 1000;

/** Parses as GitHub does, in bounded time. Offsets are those of `markdown`. */
export const parseMarkdown = (markdown: string): Root =>
  fromMarkdown(calm(flatten(markdown)), { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });

/** Blanks deeper marks, because `>>>>…` would overflow the stack. */
const flatten = (markdown: string): string =>
  markdown.replace(/^(?:[ \t]*(?:>|[-+*](?=[ \t])|\d{1,9}[.)](?=[ \t])))+/gm, (marks) => {
    const parts = marks.match(/[ \t]*(?:>|[-+*]|\d{1,9}[.)])/g) ?? [];
    return parts.length > deepestNesting ? parts.slice(0, deepestNesting).join("").padEnd(marks.length) : marks;
  });

/** Blanks excessive emphasis marks, but not bullets and `_` within names. */
const calm = (markdown: string): string =>
  markdown
    .split("\n\n")
    .map((block) =>
      (block.match(/[*_~]+/g)?.length ?? 0) > mostMarks
        ? block.replace(/(^[ \t]*\*(?=[ \t])|(?<=\w)_(?=\w))|[*_~]/gm, (_mark, kept?: string) => kept ?? " ")
        : block,
    )
    .join("\n\n");
