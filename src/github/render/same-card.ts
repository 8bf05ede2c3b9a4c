/**
 * Whether two bodies of a card differ only in their task boxes: a tick is GitHub's own edit of the body, and means nothing
 * (DC-3). Everything else counts, to the letter (SR-27).
 */
export const sameCard = (a: string, b: string): boolean => normalised(a) === normalised(b);

const normalised = (body: string): string =>
  body
    .replace(/\r\n?/g, "\n")
    .replace(/^(\s*[-*+] )\[[ xX]\]/gm, "$1[ ]")
    // A browser may end the text with a line break.
    .replace(/\n+$/, "");
