import type { Find } from "./span.ts";

// biome-ignore lint/suspicious/noControlCharactersInRegex: what terminals take for colours is what this is about
const colour = /\u001b\[[\d;:]{0,40}m/g;

/** What `find` sees where colours stand between a name, its sign and its value: it looks at the text without them. */
export const createFindColoured =
  (find: Find): Find =>
  (text, watch) => {
    if (!text.includes("\u001b[")) return [];
    let plain = "";
    let from = 0;
    // Where in the text each plain stretch begins that no colour cuts, and where in what is left.
    const stretches: { readonly at: number; readonly plainAt: number }[] = [];
    const add = (to: number): void => {
      if (to > from) stretches.push({ at: from, plainAt: plain.length });
      plain += text.slice(from, to);
    };
    for (const { index, 0: whole } of text.matchAll(colour)) {
      add(index);
      from = index + whole.length;
    }
    add(text.length);
    if (plain.length === text.length) return [];
    const inText = (plainAt: number): number => {
      let low = 0;
      for (let high = stretches.length; high - low > 1; ) {
        const middle = (low + high) >> 1;
        if ((stretches[middle]?.plainAt ?? 0) <= plainAt) low = middle;
        else high = middle;
      }
      const { at = 0, plainAt: begin = 0 } = stretches[low] ?? {};
      return at + plainAt - begin;
    };
    return find(plain, watch).map((span) => ({
      ...span,
      start: inText(span.start),
      end: span.end > span.start ? inText(span.end - 1) + 1 : inText(span.start),
    }));
  };
