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
