/** A line that is somebody's own words: not quoted, not code, not hidden. */
export interface TalkLine {
  readonly index: number;
  readonly text: string;
}

/** The lines that have anything left when quotes, fences, indented code and HTML comments are gone (SR-22). Linear. */
export function* talkLines(lines: readonly string[]): Generator<TalkLine> {
  let fence: string | undefined;
  let inComment = false;
  let inParagraph = false;
  for (const [index, raw] of lines.entries()) {
    if (fence !== undefined) {
      if (closes(raw, fence)) fence = undefined;
      continue;
    }
    const { text, open } = withoutComments(raw, inComment);
    inComment = open;
    fence = opensFence(text);
    // Four columns of white space make a code block, except where they go on with a paragraph.
    const isCode: boolean = !inParagraph && /^(?: {4}| {0,3}\t)/.test(text);
    const isTalk: boolean = fence === undefined && text.trim() !== "" && !/^ {0,3}>/.test(text) && !isCode;
    inParagraph = isTalk;
    if (isTalk) yield { index, text };
  }
}

/** A line without what an HTML comment hides; `open` where one goes on into the next line. */
function withoutComments(line: string, inComment: boolean): { readonly text: string; readonly open: boolean } {
  let text = "";
  let at = 0;
  let hidden = inComment;
  for (;;) {
    const mark = hidden ? "-->" : "<!--";
    const found = line.indexOf(mark, at);
    if (!hidden) text += found === -1 ? line.slice(at) : line.slice(at, found);
    if (found === -1) return { text, open: hidden };
    at = found + mark.length;
    hidden = !hidden;
  }
}

const opensFence = (line: string): string | undefined => {
  const match = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line);
  if (!match?.[1]) return undefined;
  return match[1].startsWith("`") && match[2]?.includes("`") ? undefined : match[1];
};

const closes = (line: string, fence: string): boolean => {
  const match = /^ {0,3}(`{3,}|~{3,})\s*$/.exec(line);
  return match?.[1] !== undefined && match[1][0] === fence[0] && match[1].length >= fence.length;
};

/** The first fenced block; one that is never closed holds all that follows, as GitHub shows it. */
export function firstBlock(lines: readonly string[]): string | undefined {
  const from = lines.findIndex((line) => opensFence(line) !== undefined);
  const fence = from === -1 ? undefined : opensFence(lines[from] ?? "");
  if (fence === undefined) return undefined;
  const length = lines.slice(from + 1).findIndex((line) => closes(line, fence));
  return lines.slice(from + 1, length === -1 ? undefined : from + 1 + length).join("\n");
}
