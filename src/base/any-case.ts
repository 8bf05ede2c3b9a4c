/**
 * Returns a pattern's source with the letters of each `(?i:…)` in both cases. In Node 24 a pattern with such a group has stopped matching
 * the other case after many runs in one process, so none is compiled with a modifier. ASCII letters only; `(?-i:…)` within one holds as it is written.
 */
export function anyCase(source: string): string {
  const token =
    /\\(?:[pPu]\{[^}]*\}|k<[^>]*>|u[\da-fA-F]{4}|x[\da-fA-F]{2}|c[A-Za-z]|[\s\S])|\[(?:\\[\s\S]|[^\]\\])*\]|\((?:\?(?:-?i:|[:=!]|<[=!]|<[^>]+>))?|[\s\S]/g;
  const outer: boolean[] = [];
  let isAny = false;
  return source.replace(token, (part) => {
    if (part.startsWith("(")) {
      outer.push(isAny);
      if (part === "(?i:" || part === "(?-i:") {
        isAny = part === "(?i:";
        return "(?:";
      }
      return part;
    }
    if (part === ")") isAny = outer.pop() ?? false;
    if (!isAny) return part;
    if (part.startsWith("["))
      return part.replace(/^\[(\^?)([\s\S]*)\]$/, (_, not, those) => `[${not}${those}${swapped(those)}]`);
    return /^[a-z]$/i.test(part) ? `[${part}${swapped(part)}]` : part;
  });
}

/** The letters and ranges of a class in their other case; escapes and signs stand there already. */
const swapped = (those: string): string =>
  (those.replace(/\\[\s\S]/g, "").match(/[a-z]-[a-z]|[A-Z]-[A-Z]|[a-zA-Z]/g) ?? [])
    .map((part) => (part === part.toLowerCase() ? part.toUpperCase() : part.toLowerCase()))
    .join("");
