/** A search for a pattern in a text that comes in pieces. */
export interface PatternSearch {
  readonly push: (piece: string) => void;
  /** Whether a line so far matches. */
  readonly found: () => boolean;
}

/** The most characters of a line that are compared together, so that memory stays bounded. */
const maxLineCharacters = 64 * 1024;

/** A pattern is plain text in which `*` stands for anything within a line. Linear in the text. */
export function createPatternSearch(pattern: string): PatternSearch {
  const parts = pattern.split("*").filter((part) => part !== "");
  let open = "";
  let found = false;
  const look = (line: string): void => {
    found ||= holds(line, parts);
  };
  return {
    push: (piece) => {
      if (found) return;
      const lines = (open + piece).split("\n");
      open = (lines.pop() ?? "").slice(-maxLineCharacters);
      for (const line of lines) look(line);
    },
    found: () => {
      look(open);
      return found;
    },
  };
}

/** Whether the parts follow each other in a line; the leftmost place of each leaves most room for the next. */
function holds(line: string, parts: readonly string[]): boolean {
  let from = 0;
  for (const part of parts) {
    const at = line.indexOf(part, from);
    if (at === -1) return false;
    from = at + part.length;
  }
  return true;
}
