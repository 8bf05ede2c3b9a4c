export interface PatternSearch {
  readonly push: (piece: string) => void;
  readonly found: () => boolean;
}

const maxLineCharacters = 64 * 1024;

/** In the pattern `*` matches anything within a line. Linear in the text. */
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

/** The leftmost place leaves most room for the next part. */
function holds(line: string, parts: readonly string[]): boolean {
  let from = 0;
  for (const part of parts) {
    const at = line.indexOf(part, from);
    if (at === -1) return false;
    from = at + part.length;
  }
  return true;
}
