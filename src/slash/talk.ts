export interface TalkLine {
  readonly index: number;
  /** Without the comments that begin and end on it. */
  readonly text: string;
  readonly onlyCode: boolean;
}

type Part = ({ readonly kind: "talk" } & TalkLine) | { readonly kind: "fence"; readonly index: number };

/**
 * Yields the lines with text outside quotes, fences, indented code and HTML comments (SR-22), as Markdown reads them, except that a line
 * directly below a `>` quote is the writer's own. Linear.
 */
export function* talkLines(lines: readonly string[]): Generator<TalkLine> {
  for (const part of partsOf(lines)) if (part.kind === "talk") yield part;
}

/**
 * Returns the first visible fenced block. As on GitHub, an unclosed block holds all that follows, and loses as much indent as its fence
 * has.
 */
export function firstBlock(written: readonly string[]): readonly string[] | undefined {
  const lines = written.map(withoutEnd);
  for (const { kind, index } of partsOf(lines)) {
    if (kind !== "fence") continue;
    const mark = opensFence(lines[index] ?? "") ?? "";
    const length = lines.slice(index + 1).findIndex((line) => closes(line, mark));
    const indent = new RegExp(`^ {0,${(lines[index] ?? "").indexOf(mark)}}`);
    return written
      .slice(index + 1, length === -1 ? undefined : index + 1 + length)
      .map((line) => line.replace(indent, ""));
  }
  return undefined;
}

/** Counts a text's visible fenced blocks. */
export const countBlocks = (text: string): number =>
  [...partsOf(linesWithEnds(text).map(withoutEnd))].filter(({ kind }) => kind === "fence").length;

/** Splits a text into lines with their ends; to Markdown a lone carriage return is one too. */
export const linesWithEnds = (text: string): readonly string[] => text.split(/(?<=\n|\r(?!\n))/);

export const withoutEnd = (line: string): string => line.replace(/(?:\r\n?|\n)$/, "");

function* partsOf(lines: readonly string[]): Generator<Part> {
  let fence: string | undefined;
  let inComment = false;
  let inParagraph = false;
  for (const [index, line] of lines.entries()) {
    if (fence !== undefined) {
      if (closes(line, fence)) fence = undefined;
      continue;
    }
    const opensComment = !inComment && /^ {0,3}<!--/.test(line);
    const findEnd = commentEnds(line);
    const end = inComment ? findEnd(0) : opensComment ? endOfComment(line, line.indexOf("<"), findEnd) : undefined;
    if ((inComment || opensComment) && !end) {
      inComment = true;
      inParagraph = false;
      continue;
    }
    // A comment's last line is no Markdown, even if another comment begins on it.
    const isHtml = inComment || opensComment;
    const rest = inComment ? line.slice(end?.at) : line;
    inComment = false;
    // Four columns of white space make a code block, unless they continue a paragraph.
    const isQuoteOrCode: boolean =
      !isHtml && (/^ {0,3}>/.test(rest) || (!inParagraph && /^(?: {4}| {0,3}\t)/.test(rest)));
    fence = isHtml || isQuoteOrCode ? undefined : opensFence(rest);
    inParagraph = !isHtml && !isQuoteOrCode && fence === undefined && !isBlank(rest);
    if (fence !== undefined) yield { kind: "fence", index };
    else if (!isQuoteOrCode) {
      const { text, onlyCode } = readInline(rest);
      if (!isBlank(text)) yield { kind: "talk", index, text, onlyCode };
    }
  }
}

/** To Markdown a line with a no-break space or a form feed is not empty. */
const isBlank = (line: string): boolean => !/[^ \t]/.test(line);

/** From `--!>` on, HTML shows the text and Markdown does not. */
interface CommentEnd {
  readonly at: number;
  readonly clear: boolean;
}

/** Searches nothing twice if called from left to right only. */
function commentEnds(line: string): (from: number) => CommentEnd | undefined {
  const marks = /--(!?)>/g;
  let mark = marks.exec(line);
  return (from) => {
    while (mark && mark.index < from) {
      marks.lastIndex = Math.max(from, mark.index + 1);
      mark = marks.exec(line);
    }
    return mark ? { at: mark[1] ? mark.index : mark.index + 3, clear: !mark[1] } : undefined;
  };
}

/** `<!-->` and `<!--->` are whole comments. */
function endOfComment(
  line: string,
  at: number,
  find: (from: number) => CommentEnd | undefined,
): CommentEnd | undefined {
  const short = /^-?>/.exec(line.slice(at + 4, at + 6))?.[0];
  return short ? { at: at + 4 + short.length, clear: true } : find(at + 4);
}

/** Call it from left to right only. */
function codeEnds(line: string): (ticks: number, from: number) => number | undefined {
  const runs = Map.groupBy([...line.matchAll(/`+/g)].reverse(), ([run]) => run.length);
  return (ticks, from) => {
    const ofLength = runs.get(ticks) ?? [];
    while ((ofLength.at(-1)?.index ?? from) < from) ofLength.pop();
    const run = ofLength.at(-1);
    return run && run.index + ticks;
  };
}

/** Code and comments are read from the left, and neither begins in the other. */
function readInline(line: string): { readonly text: string; readonly onlyCode: boolean } {
  const findCommentEnd = commentEnds(line);
  const findCodeEnd = codeEnds(line);
  const lastEnd = line.lastIndexOf("-->");
  const marks = /\\[!-/:-@[-`{-~]|`+|<!--|[^ \t\\`<]+|[^ \t]/g;
  let text = "";
  let copied = 0;
  let onlyCode = true;
  for (let found = marks.exec(line); found; found = marks.exec(line)) {
    const { 0: mark, index } = found;
    const comment = mark === "<!--" ? endOfComment(line, index, findCommentEnd) : undefined;
    const hiddenTo = comment?.clear ? comment.at : undefined;
    // An unclear comment is text up to where Markdown ends it: nothing begins within it.
    const textTo = comment && comment.at <= lastEnd ? line.indexOf("-->", comment.at) + 3 : undefined;
    const codeTo = mark.startsWith("`") ? findCodeEnd(mark.length, marks.lastIndex) : undefined;
    if (hiddenTo !== undefined) {
      text += line.slice(copied, index);
      copied = hiddenTo;
    } else if (codeTo === undefined) onlyCode = false;
    marks.lastIndex = hiddenTo ?? textTo ?? codeTo ?? marks.lastIndex;
  }
  return { text: text + line.slice(copied), onlyCode };
}

const opensFence = (line: string): string | undefined => {
  const [, mark, info] = /^ {0,3}(`{3,}|~{3,})(.*)$/s.exec(line) ?? [];
  return mark?.startsWith("`") && info?.includes("`") ? undefined : mark;
};

const closes = (line: string, fence: string): boolean => {
  const mark = /^ {0,3}(`{3,}|~{3,})[ \t]*$/.exec(line)?.[1];
  return mark !== undefined && mark[0] === fence[0] && mark.length >= fence.length;
};
