import type { Nodes, Root } from "mdast";
import { longestMarkdown, parseMarkdown } from "../markdown.ts";
import { clean, stripInvisible } from "./clean.ts";

type Change = { readonly start: number; readonly end: number; readonly shown: string };

/** Removal can join text to new markup. */
const mostRounds = 8;

/**
 * What a person sees (SR-37): no invisible characters, HTML comments, attributes, image texts and addresses, link titles, unused
 * definitions; collapsed sections are flagged. NFC, at most 65,536 characters. Idempotent.
 */
export function visible(markdown: string): string {
  let text = clean(markdown.slice(0, longestMarkdown)).normalize("NFC");
  for (let round = 0; round < mostRounds; round++) {
    const next = showOnce(text);
    if (next === text) return text;
    text = next;
  }
  return withoutMarkup(text);
}

const withoutMarkup = (text: string): string => text.replace(/[<>[\]!&`~]/g, " ");

function showOnce(text: string): string {
  let changes: readonly Change[];
  try {
    const tree = parseMarkdown(text);
    changes = changesIn(tree, text, usedLabels(tree));
  } catch {
    return withoutMarkup(text);
  }
  let out = "";
  let copied = 0;
  for (const { start, end, shown } of changes) {
    if (start < copied) continue;
    out += text.slice(copied, start) + shown;
    copied = end;
  }
  return clean(out + text.slice(copied))
    .normalize("NFC")
    .slice(0, longestMarkdown)
    .toWellFormed();
}

/** Words shown without a click: no addresses, image texts, formulas or collapsed sections. Empty if unreadable. */
export function shownWords(markdown: string): string {
  try {
    const tree = parseMarkdown(clean(markdown.slice(0, longestMarkdown)));
    const words = stripInvisible(shownHtml(htmlOf(tree, usedLabels(tree))));
    return words.replace(drawn, (found) => (found[0] === "$" && !found.includes("\\") ? found : " ")).trim();
  } catch {
    return "";
  }
}

/** In GitHub's formulas `\\phantom{…}` takes space and shows nothing. */
const drawn = /:[a-z0-9_+-]{1,60}:|\$[^$]+\$/gi;
const drawnCode = /^(?:math|mermaid|geojson|topojson|stl)\b/i;

function htmlOf(node: Nodes, used: ReadonlySet<string>): string {
  switch (node.type) {
    case "html":
      return node.value;
    case "text":
    case "inlineCode":
      return node.value.replaceAll("<", " < ");
    case "code":
      return drawnCode.test(node.lang ?? "") ? "" : `${node.value.replaceAll("<", " < ")}\n`;
    case "footnoteDefinition":
      if (!used.has(labelOf("note", node.identifier))) return "";
  }
  if (!("children" in node)) return " ";
  return node.children.map((child) => htmlOf(child, used)).join(node.type === "paragraph" ? "" : "\n");
}

function changesIn(node: Nodes, text: string, used: ReadonlySet<string>): Change[] {
  const start = node.position?.start.offset;
  const end = node.position?.end.offset;
  if (start === undefined || end === undefined) return [];
  const source = text.slice(start, end);
  const become = (shown: string): Change[] => (shown === source ? [] : [{ start, end, shown }]);
  switch (node.type) {
    case "html":
      return become(visibleHtml(source));
    case "image":
    case "imageReference":
      return become(imageNote);
    case "definition":
      return become(
        used.has(labelOf("link", node.identifier)) ? `[${node.label ?? node.identifier}]: <${node.url}>` : "",
      );
    case "footnoteDefinition":
      if (!used.has(labelOf("note", node.identifier))) return become("");
      break;
    case "link":
      if (node.title) return become(`[${text.slice(...innerRange(node, start, end))}](<${node.url}>)`);
      break;
    case "text":
      return become(stripInvisibleReferences(source.replace(/<!--[\s\S]*$/, "")));
  }
  if (!("children" in node)) return [];
  const { children } = node;
  return children.flatMap((child, index) => hiddenFrom(children, index) ?? changesIn(child, text, used));
}

const invisibleEntity =
  /&(?:shy|zwj|zwnj|lrm|rlm|ZeroWidthSpace|NegativeThinSpace|NegativeMediumSpace|NegativeThickSpace|NegativeVeryThinSpace|NoBreak|ApplyFunction|af|InvisibleTimes|it|InvisibleComma|ic);/g;

const numericEntity = /&#(?:(\d{1,7})|[xX]([0-9a-fA-F]{1,6}));/g;

/** Removes character references for invisible code points. */
const stripInvisibleReferences = (text: string): string =>
  text.replace(invisibleEntity, "").replace(numericEntity, (reference, decimal?: string, hex?: string) => {
    const codePoint = decimal ? Number(decimal) : Number.parseInt(hex ?? "", 16);
    return codePoint > 0x10ffff || stripInvisible(String.fromCodePoint(codePoint)) === "" ? "" : reference;
  });

/** If a hidden element opens at `index`, the part up to its end or the last sibling. */
function hiddenFrom(siblings: readonly Nodes[], index: number): Change[] | undefined {
  const opener = siblings[index];
  const element =
    opener?.type === "html" ? opensHidden.exec(opener.value.replace(comment, ""))?.[1]?.toLowerCase() : undefined;
  if (!element) return undefined;
  const closing = `</${element}`;
  const closer = siblings
    .slice(index + 1)
    .find((node) => node.type === "html" && node.value.toLowerCase().includes(closing));
  const start = opener?.position?.start.offset;
  const end = (closer ?? siblings.at(-1))?.position?.end.offset;
  return start === undefined || end === undefined ? undefined : [{ start, end, shown: "" }];
}

function innerRange(node: Nodes & { children: Nodes[] }, start: number, end: number): [number, number] {
  return [node.children[0]?.position?.start.offset ?? end, node.children.at(-1)?.position?.end.offset ?? start];
}

const labelOf = (kind: "link" | "note", identifier: string): string => `${kind} ${identifier.toUpperCase()}`;

function usedLabels(tree: Root): ReadonlySet<string> {
  const used = new Set<string>();
  const visit = (node: Nodes): void => {
    if (node.type === "linkReference") used.add(labelOf("link", node.identifier));
    if (node.type === "footnoteReference") used.add(labelOf("note", node.identifier));
    if ("children" in node) node.children.forEach(visit);
  };
  visit(tree);
  return used;
}

/** Wraps untrusted text for the model (SR-39) and breaks the nonce inside, so that nothing closes the tag. */
export function delimit(text: string, label: string, nonce: string): string {
  const name = label.replace(/[^\w.-]/g, "-");
  const inner =
    nonce === ""
      ? text
      : text.replaceAll(new RegExp(RegExp.escape(nonce), "gi"), (same) => `${same[0]}·${same.slice(1)}`);
  return `<${name} nonce="${nonce}">\n${inner}\n</${name} nonce="${nonce}">`;
}

/** Returns the texts that `delimit` has wrapped under labels that begin so. */
export const delimitedIn = (text: string, label: string, nonce: string): readonly string[] =>
  [
    ...text.matchAll(
      new RegExp(
        `<(${RegExp.escape(label)}[\\w.-]*) nonce="${RegExp.escape(nonce)}">\n([\\s\\S]*?)\n</\\1 nonce="${RegExp.escape(nonce)}">`,
        "g",
      ),
    ),
  ].map(([, , inner = ""]) => inner);

/** In browsers `--!>` ends a comment, and an open one hides the rest (HTML 13.2.5.43…52). */
const comment = /<!--(?:-?>|[\s\S]*?(?:--!?>|$))/g;

/** GitHub hides their content. */
const hiddenElements = "script|style|title|template|textarea|noscript|iframe|xmp";
const hidden = new RegExp(String.raw`<(${hiddenElements})\b[\s\S]*?(?:<\/\1\s*>|$)`, "gi");
const opensHidden = new RegExp(String.raw`<(${hiddenElements})\b(?![\s\S]*<\/\1)`, "i");

const instruction = /<(?:\?[\s\S]*?(?:\?>|$)|!\[CDATA\[[\s\S]*?(?:\]\]>|$)|![a-z][^>]*(?:>|$))/gi;

const tag = /<(\/?)([a-z][\w-]*)(?:\s+(?:"[^"]*"|'[^']*'|[^"'>])*)?\/?>?/gi;

/** The model's note for an image (INJ-1). */
const imageNote = "[image not read]";

const shownTags: Readonly<Record<string, string>> = {
  img: imageNote,
  br: "\n",
  details: "[collapsed section] ",
  "/details": " [end of collapsed section]",
};

const visibleHtml = (html: string): string =>
  html
    .replace(comment, "")
    .replace(hidden, "")
    .replace(instruction, "")
    .replace(tag, (_, slash: string, name: string) => shownTags[slash + name.toLowerCase()] ?? "");

const unshown = new Set([...hiddenElements.split("|"), "details"]);

/** In Markdown a comment continues after `--!>`; this takes the longer reading. */
const longComment = /<!--(?:-?>|[\s\S]*?(?:-->|$))/g;

/** Text that surely shows without a click; an open element hides the rest. */
function shownHtml(html: string): string {
  const bare = html.replace(longComment, "").replace(instruction, "");
  let text = "";
  let depth = 0;
  let copied = 0;
  for (const { 0: whole, 1: slash, 2: name = "", index } of bare.matchAll(tag)) {
    if (depth === 0) text += `${bare.slice(copied, index)} `;
    copied = index + whole.length;
    if (unshown.has(name.toLowerCase())) depth = Math.max(0, depth + (slash === "/" ? -1 : 1));
  }
  return (depth === 0 ? text + bare.slice(copied) : text).replace(/&#?\w+;/g, " ");
}
