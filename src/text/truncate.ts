const count = (n: number): string => n.toLocaleString("en-US");

/** Share of the room that the beginning gets: what went wrong stands more often at the end. */
const headShare = 0.4;

/**
 * At most `limit` characters (UTF-16 units, mark included where the limit has room for it), head and tail kept, cut at
 * line ends where that costs less than half, and a mark that says how much is missing and where to find it (AR-14).
 */
export function truncate(
  text: string,
  { limit, more }: { readonly limit: number; readonly more: string },
): { text: string; cut: number; total: number } {
  const total = text.length;
  if (total <= limit) return { text, cut: 0, total };
  const mark = (cut: number): string => `  ⋯ ${count(cut)} of ${count(total)} characters left out · ${more} ⋯`;
  const room = Math.max(0, limit - mark(total).length - 2);
  const headEnd = backToLineEnd(text, Math.floor(room * headShare));
  const tailStart = forwardToLineStart(text, total - (room - Math.floor(room * headShare)));
  const head = text.slice(0, headEnd);
  const tail = text.slice(tailStart);
  const cut = tailStart - headEnd;
  const parts = [head.replace(/\n$/, ""), mark(cut), tail].filter((part) => part !== "");
  return { text: parts.join("\n"), cut, total };
}

function backToLineEnd(text: string, end: number): number {
  const newline = text.lastIndexOf("\n", end - 1);
  if (newline >= end / 2) return newline + 1;
  return isSplitPair(text, end) ? end - 1 : end;
}

function forwardToLineStart(text: string, start: number): number {
  const newline = text.indexOf("\n", start - 1);
  if (newline !== -1 && newline + 1 - start < (text.length - start) / 2) return newline + 1;
  return isSplitPair(text, start) ? start + 1 : start;
}

/** Whether a cut at `at` would part the two halves of one character. */
function isSplitPair(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1);
  return before >= 0xd800 && before <= 0xdbff;
}
