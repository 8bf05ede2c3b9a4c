export type Parameters =
  | { readonly ok: true; readonly values: Readonly<Record<string, string>> }
  | { readonly ok: false; readonly refusals: readonly string[] };

/** Phones write curly quotes. */
const quoted = /^([A-Za-z][\w-]*)=(?:"([^"]*)"|'([^']*)'|[“”„]([^“”„]*)[“”]|[‘’‚]([^‘’‚]*)[‘’])(?=\s|$)/;
const bare = /^([A-Za-z][\w-]*)=([^\s"'“”„‘’‚]*)(?=\s|$)/;

/**
 * Reads `key=value key="several words"`; in quotes everything is literal, but several spaces count as one. Names all mistakes at once.
 * Pure.
 */
export function parseParameters(words: readonly string[]): Parameters {
  const refusals: string[] = [];
  const values = new Map<string, string>();
  for (let left = words.join(" ").trim(); left !== ""; ) {
    const match = quoted.exec(left) ?? bare.exec(left);
    const [whole = "", key = "", ...texts] = match ?? [];
    if (match) {
      if (values.has(key)) refusals.push(`\`${key}\` is given twice`);
      values.set(key, texts.find((text) => text !== undefined) ?? "");
      left = left.slice(whole.length).trimStart();
      continue;
    }
    const [word = ""] = /^\S+/.exec(left) ?? [];
    refusals.push(
      `\`${word.replace(/`/g, "'").slice(0, 80)}\` is not \`key=value\`; put a value of several words in quotes: \`key="two words"\``,
    );
    left = left.slice(word.length).trimStart();
  }
  return refusals.length > 0 ? { ok: false, refusals } : { ok: true, values: Object.fromEntries(values) };
}
