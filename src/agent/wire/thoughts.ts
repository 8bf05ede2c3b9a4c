const opening = /^\s*<think(?:ing)?>|<think(?:ing)?>\s*$/i;
const closing = /<\/think(?:ing)?>/i;
/** A closing tag at the start or end of its line; inside a line it may be part of a sentence or a command. */
const strayClosing = /^\s*<\/think(?:ing)?>|<\/think(?:ing)?>\s*$/i;

/**
 * Drops a model's thoughts: `<think>…</think>`, an unclosed `<think>` with all that follows, and what is before a lone `</think>`
 * (some chat templates put the opening tag into the prompt). Line by line, because a tag inside a proposal's JSON never starts or
 * ends a line.
 */
export function dropThoughts(lines: readonly string[]): string[] {
  let kept: string[] = [];
  let thinking = false;
  for (const line of lines) {
    let rest = line;
    if (!thinking) {
      const open = opening.exec(rest);
      const stray = open ? null : strayClosing.exec(rest);
      if (stray) kept = [rest.slice(stray.index + stray[0].length)];
      else if (!open) kept.push(rest);
      if (!open) continue;
      if (open.index > 0) kept.push(rest.slice(0, open.index));
      rest = rest.slice(open.index + open[0].length);
      thinking = true;
    }
    const close = closing.exec(rest);
    if (close) {
      thinking = false;
      kept.push(rest.slice(close.index + close[0].length));
    }
  }
  return kept;
}
