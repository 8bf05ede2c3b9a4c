/** A comment as a browser reads it: `--!>` ends it too, and one without an end hides the rest (HTML 13.2.5.43…52). */
const comment = /<!--(?:-?>|[\s\S]*?(?:--!?>|$))/g;

/** Elements whose content GitHub does not show. */
const hiddenElements = "script|style|title|template|textarea|noscript|iframe|xmp";
const hidden = new RegExp(String.raw`<(${hiddenElements})\b[\s\S]*?(?:<\/\1\s*>|$)`, "gi");
const opensHidden = new RegExp(String.raw`<(${hiddenElements})\b(?![\s\S]*<\/\1)`, "i");

/** The element that this HTML opens and does not end, if its content is not shown: Markdown may part it from its end. */
export const hiddenElementOf = (html: string): string | undefined =>
  opensHidden.exec(html.replace(comment, ""))?.[1]?.toLowerCase();

const instruction = /<(?:\?[\s\S]*?(?:\?>|$)|!\[CDATA\[[\s\S]*?(?:\]\]>|$)|![a-z][^>]*(?:>|$))/gi;

const tag = /<(\/?)([a-z][\w-]*)(?:\s+(?:"[^"]*"|'[^']*'|[^"'>])*)?\/?>?/gi;

/** What the model learns of an image (INJ-1). */
export const imageNote = "[image not read]";

/** What a reader sees in the place of a tag; of all others only the content. */
const shownTags: Readonly<Record<string, string>> = {
  img: imageNote,
  br: "\n",
  details: "[collapsed section] ",
  "/details": " [end of collapsed section]",
};

/** What a human sees of raw HTML in Markdown: the text between the tags. */
export const visibleHtml = (html: string): string =>
  html
    .replace(comment, "")
    .replace(hidden, "")
    .replace(instruction, "")
    .replace(tag, (_, slash: string, name: string) => shownTags[slash + name.toLowerCase()] ?? "");

const unshown = new Set([...hiddenElements.split("|"), "details"]);

/** As Markdown reads a comment: behind `--!>` it goes on, and HTML shows what follows. Nobody should need to know which of them is right. */
const longComment = /<!--(?:-?>|[\s\S]*?(?:-->|$))/g;

/** The text of raw HTML that is surely shown without a click; an element without an end hides the rest. */
export function shownHtml(html: string): string {
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
