const lineEnd = /[\n\r\u2028\u2029]/g;

/**
 * What sticky patterns that begin with `^` match, each line by line. Looking for the lines alone is several times as quick
 * as a search for each pattern.
 */
export function matchLines(
  text: string,
  patterns: readonly RegExp[],
  visit: (match: RegExpExecArray, pattern: number) => void,
): void {
  const done = patterns.map(() => 0);
  const tryAt = (at: number): void => {
    // Millions of lines: entries() would make a pair for each line and pattern.
    let index = -1;
    for (const pattern of patterns) {
      index++;
      if (at < (done[index] ?? 0)) continue;
      pattern.lastIndex = at;
      const match = pattern.exec(text);
      if (!match) continue;
      done[index] = at + match[0].length;
      visit(match, index);
    }
  };
  tryAt(0);
  lineEnd.lastIndex = 0;
  while (lineEnd.test(text)) tryAt(lineEnd.lastIndex);
}
