import type { Root } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { gfm } from "micromark-extension-gfm";

/** Longest Markdown that is parsed: GitHub's own limit of a comment, and a bound on the parser's time. */
export const longestMarkdown = 65_536;

/** Deepest nesting that is parsed: the tree is walked by recursion, and nobody writes more. */
const deepestNesting = 40;

/** The tree of a Markdown text, as GitHub reads it. */
export const parseMarkdown = (markdown: string): Root =>
  fromMarkdown(flatten(markdown), { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });

/** Quote and list marks beyond the deepest nesting are taken out, else a line of `>>>>…` ends in a stack overflow. */
const flatten = (markdown: string): string =>
  markdown.replace(/^(?:[ \t]*(?:>|[-+*](?=[ \t])|\d{1,9}[.)](?=[ \t])))+/gm, (marks) => {
    const parts = marks.match(/[ \t]*(?:>|[-+*]|\d{1,9}[.)])/g) ?? [];
    return parts.length > deepestNesting ? parts.slice(0, deepestNesting).join("") : marks;
  });
