import type { Nodes, Root } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { gfm } from "micromark-extension-gfm";

/** A GFM parser as the judge of what we write. */
export const parse = (markdown: string): Root =>
  fromMarkdown(markdown, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });

export const nodesOf = (node: Nodes): Nodes[] => [node, ...("children" in node ? node.children.flatMap(nodesOf) : [])];

/** What a reader would take as text, outside code: where GitHub looks for mentions and references. */
export const textOutsideCode = (markdown: string): string =>
  nodesOf(parse(markdown))
    .map((node) => (node.type === "text" ? node.value : " "))
    .join("\u0000");

/** An emoji by its name: GitHub draws it in the text outside code, whatever was escaped. */
export const shortcode = /:(?!\d+:)[\w+-]+:/;

/** Pieces that Markdown and bots care for; strings of them find what random text does not. */
export const pieces: readonly string[] = [
  ["`", "``", "```", "~~~", "\n", "\n\n", "    ", "\t", "- ", "- [ ] ", "1. ", "# ", "> ", "|", "---", "***"],
  ["*", "**", "_", "~~", "[", "](", ")", "![", "]: ", "[^1]", "<!--", "-->", "--!>", "<b>", "</b>"],
  ["<img src=x>", "<details>", "</details>", "<script>", "@mona", "@acme/team", "#12", "acme/shop#7", "GH-3"],
  ["fixes ", "https://evil.test/x", "http://ok.test/a", "www.evil.test", "a@b.co", "mailto:a@b.co"],
  ["<https://evil.test>", "javascript:alert(1)", "/approve 1", "/lgtm", "/label bug", "/retest", "/hold"],
  ["/dev/vda1 20G", ".deploy", "atlantis apply", "bors r+", "&lt;", "&#64;", "&#8203;", "&zwj;", "&nbsp;"],
  ["&middot;", "&colon;", ":", ":white_check_mark:", ":green_circle:", ":x", "_circle:", "\\", "\u200b"],
  ["\u202e", "\u0000", "\r", "x", " ", "word ", "é", "🙂", "$"],
].flat();
