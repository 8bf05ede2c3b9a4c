const lineEnd = /[\n\r\u2028\u2029]/g;

/** What a sticky pattern that begins with `^` matches, line by line: looking for line starts alone is quicker than it is. */
export function matchLines(text: string, pattern: RegExp): RegExpExecArray[] {
  const matches: RegExpExecArray[] = [];
  let done = 0;
  const tryAt = (at: number): void => {
    if (at < done) return;
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (!match) return;
    matches.push(match);
    done = at + match[0].length;
  };
  tryAt(0);
  lineEnd.lastIndex = 0;
  while (lineEnd.test(text)) tryAt(lineEnd.lastIndex);
  return matches;
}
