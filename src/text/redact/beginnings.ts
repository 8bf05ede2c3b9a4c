const printable = Array.from({ length: 0x7e - 0x20 }, (_, at) => String.fromCharCode(0x21 + at));

/**
 * The printable ASCII characters that a pattern's matches can begin with. Knows literals, classes, groups and lookaheads;
 * throws for what it does not know, so that no pattern is lost in silence.
 */
export function beginningsOf(source: string): ReadonlySet<string> {
  const able = new RegExp(`^(?:${firstAtoms(source).join("|")})$`);
  return new Set(printable.filter((character) => able.test(character)));
}

/** The literals and classes of one character that stand first. */
function firstAtoms(source: string): string[] {
  return alternativesOf(source).flatMap((one) => {
    if (/^\(\?[=!]/.test(one)) return firstAtoms(one.slice(groupEnd(one)));
    const isGroup = one.startsWith("(?:");
    const atom = isGroup ? one.slice(0, groupEnd(one)) : (/^(?:\[(?:\\.|[^\]\\])*\]|\\.|[\w~-])/.exec(one)?.[0] ?? "");
    if (atom === "" || /^(?:[?*]|\{0)/.test(one.slice(atom.length))) throw new Error(`cannot tell where ${one} begins`);
    return isGroup ? firstAtoms(atom.slice(3, -1)) : [atom];
  });
}

/** The end of the group that the source begins with. */
function groupEnd(source: string): number {
  let depth = 0;
  for (const { 0: token, index } of source.matchAll(/\\.|\[(?:\\.|[^\]\\])*\]|[()]/g)) {
    if (token === "(") depth++;
    if (token === ")" && --depth === 0) return index + 1;
  }
  throw new Error(`a group of ${source} is not closed`);
}

function alternativesOf(source: string): string[] {
  const parts: string[] = [];
  let [depth, start] = [0, 0];
  for (const { 0: token, index } of source.matchAll(/\\.|\[(?:\\.|[^\]\\])*\]|[()|]/g)) {
    if (token === "(") depth++;
    if (token === ")") depth--;
    if (token !== "|" || depth > 0) continue;
    parts.push(source.slice(start, index));
    start = index + 1;
  }
  return [...parts, source.slice(start)];
}
