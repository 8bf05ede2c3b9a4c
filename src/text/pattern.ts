import { hasParts, partsOfPattern } from "../base/run.ts";

export interface PatternSearch {
  readonly push: (piece: string) => void;
  readonly found: () => boolean;
}

const maxLineCharacters = 64 * 1024;

/** In the pattern `*` matches anything within a line. Linear in the text. */
export function createPatternSearch(pattern: string): PatternSearch {
  const parts = partsOfPattern(pattern);
  let open = "";
  let found = false;
  const look = (line: string): void => {
    found ||= hasParts(line, parts);
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
