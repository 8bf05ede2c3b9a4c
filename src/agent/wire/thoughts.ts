// Also Harmony's, Magistral's, Kimi's, Seed's and Cohere's.
const opening =
  /^\s*<think(?:ing)?>|<think(?:ing)?>\s*$|^\s*(?:<\|start\|>assistant)?<\|channel\|>analysis<\|message\|>|^\s*(?:\[THINK\]|◁think▷|<seed:think>|<\|START_THINKING\|>)/i;
const closing = /<\/think(?:ing)?>|<\|end\|>|\[\/THINK\]|◁\/think▷|<\/seed:think>|<\|END_THINKING\|>/i;
/** Inside a line it may belong to a sentence or command. */
const strayClosing = /^\s*<\/think(?:ing)?>|<\/think(?:ing)?>\s*$/i;

/**
 * Drops `<think>…</think>`, all after an unclosed `<think>`, and all before a lone `</think>` (some chat templates put the opening tag into
 * the prompt). Works by line, because a tag in a proposal's JSON never starts or ends a line.
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
