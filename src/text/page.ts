import { isSplitPair } from "./truncate.ts";

export type OutputSelection =
  | { readonly kind: "page"; readonly page: number }
  | { readonly kind: "tail"; readonly lines: number }
  | { readonly kind: "grep"; readonly text: string };

interface OutputExtract {
  readonly text: string;
  /** `page 2 of 7`. */
  readonly note: string;
}

interface OutputReader {
  readonly take: (line: string) => void;
  readonly finish: () => OutputExtract;
}

/** Reads at most `limit` characters for `/output` and `read_output`, never whole in memory (AR-14). */
export async function readOutput(
  pieces: AsyncIterable<string>,
  how: OutputSelection,
  limit: number,
): Promise<OutputExtract> {
  const reader = readerOf(how, limit);
  for await (const line of linesOf(pieces)) reader.take(line);
  return reader.finish();
}

/** A longer line is passed on in pieces, because some outputs are one line. */
const longestLine = 65_536;

async function* linesOf(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let open = "";
  for await (const piece of pieces) {
    const lines = (open + piece).split("\n");
    open = lines.pop() ?? "";
    yield* lines;
    if (open.length > longestLine) {
      yield open;
      open = "";
    }
  }
  if (open !== "") yield open;
}

function readerOf(how: OutputSelection, limit: number): OutputReader {
  switch (how.kind) {
    case "page":
      return pageReader(how.page, limit);
    case "tail":
      return tailReader(how.lines, limit);
    case "grep":
      return matchReader(how.text, limit);
  }
}

/** Past the end, the last page. */
function pageReader(asked: number, limit: number): OutputReader {
  const wanted = Math.max(1, Math.trunc(asked) || 1);
  let pages = 0;
  let kept: readonly string[] = [];
  let last: readonly string[] = [];
  let page: string[] = [];
  let room = limit;
  const turn = (): void => {
    if (page.length === 0) return;
    pages++;
    if (pages <= wanted) kept = page;
    last = page;
    page = [];
    room = limit;
  };
  return {
    take: (line) => {
      for (const piece of part(line, limit)) {
        if (piece.length + 1 > room) turn();
        page.push(piece);
        room -= piece.length + 1;
      }
    },
    finish: () => {
      turn();
      const number = Math.min(wanted, Math.max(1, pages));
      const note = `page ${number} of ${Math.max(1, pages)}${number === asked ? "" : ` (there is no page ${asked})`}`;
      return { text: (wanted > pages ? last : kept).join("\n"), note };
    },
  };
}

function part(line: string, limit: number): readonly string[] {
  const pieces: string[] = [];
  for (let at = 0; at === 0 || at < line.length; ) {
    const end = beforePair(line, at + limit);
    pieces.push(line.slice(at, end));
    at = Math.max(end, at + 1);
  }
  return pieces;
}

const beforePair = (line: string, at: number): number => (isSplitPair(line, at) ? at - 1 : at);

function tailReader(asked: number, limit: number): OutputReader {
  const wanted = Math.max(1, Math.trunc(asked) || 1);
  const kept: string[] = [];
  let held = 0;
  let lines = 0;
  return {
    take: (line) => {
      lines++;
      const from = Math.max(0, line.length - limit);
      const end = line.slice(isSplitPair(line, from) ? from + 1 : from);
      kept.push(end);
      held += end.length + 1;
      while (kept.length > wanted || (held > limit && kept.length > 1)) held -= (kept.shift()?.length ?? 0) + 1;
    },
    finish: () => ({ text: kept.join("\n"), note: `the last ${kept.length} of ${lines} lines` }),
  };
}

function matchReader(asked: string, limit: number): OutputReader {
  const needle = asked.toLowerCase();
  const shown: string[] = [];
  let room = limit;
  let matches = 0;
  let lines = 0;
  return {
    take: (line) => {
      lines++;
      if (!line.toLowerCase().includes(needle)) return;
      matches++;
      const numbered = `${lines}: ${line}`;
      const match = numbered.slice(0, beforePair(numbered, limit));
      if (shown.length < matches - 1 || (match.length + 1 > room && shown.length > 0)) return;
      shown.push(match);
      room -= match.length + 1;
    },
    finish: () => {
      const left = shown.length < matches ? `, the first ${shown.length} shown` : "";
      return { text: shown.join("\n"), note: `${matches} of ${lines} lines match${left}` };
    },
  };
}
