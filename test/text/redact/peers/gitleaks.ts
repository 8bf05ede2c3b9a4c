import data from "./gitleaks-rules.json" with { type: "json" };

type Ready = {
  readonly pattern: RegExp;
  readonly keywords: readonly string[];
  readonly entropy: number;
  readonly group: number;
};

/** RE2 and Rust as JavaScript writes them: flags in the midst reach to the end of their group, blanks of `x` go. */
export function toJavaScript(source: string): string {
  let out = "";
  const opened: number[] = [0];
  let isSpaced = false;
  for (let at = 0; at < source.length; at++) {
    const character = source[at] ?? "";
    const flags = /^\(\?([a-z]*)(?:-[a-z]+)?\)/.exec(source.slice(at, at + 12));
    if (flags) {
      if (flags[1]?.includes("x")) isSpaced = true;
      out += `(?${["i", "s", "m"].filter((flag) => flags[1]?.includes(flag)).join("")}:`;
      opened[opened.length - 1] = (opened.at(-1) ?? 0) + 1;
      at += flags[0].length - 1;
    } else if (isSpaced && /[\s#]/.test(character)) {
      if (character === "#") at += source.slice(at).search(/\n|$/);
    } else if (source.startsWith("(?#", at)) at = source.indexOf(")", at);
    else if (character === "\\") {
      out += source.startsWith("\\z", at) ? "$" : source.slice(at, at + 2);
      at++;
    } else if (character === "[") {
      const end = closing(source, at);
      const members = source.slice(at, end).replaceAll("[:alnum:]", "A-Za-z0-9");
      out += isSpaced ? members.replace(/\s/g, "") : members;
      at = end - 1;
    } else if (character === "(") {
      opened.push(0);
      out += character;
    } else if (character === ")") out += ")".repeat(opened.pop() ?? 0) + character;
    else out += character;
  }
  return (out + ")".repeat(opened[0] ?? 0)).replaceAll("(?P<", "(?<");
}

function closing(source: string, open: number): number {
  let at = open + (source[open + 1] === "^" ? 2 : 1);
  if (source[at] === "]") at++;
  while (at < source.length && source[at] !== "]") {
    if (source.startsWith("[:", at)) at = source.indexOf(":]", at) + 1;
    at += source[at] === "\\" ? 2 : 1;
  }
  return at + 1;
}

const rules: readonly Ready[] = data.rules.map(({ regex, keywords, entropy, secretGroup }) => ({
  pattern: new RegExp(toJavaScript(regex), "g"),
  keywords: keywords.map((one) => one.toLowerCase()),
  entropy,
  group: secretGroup,
}));

function shannon(text: string): number {
  const counts = new Map<string, number>();
  for (const one of text) counts.set(one, (counts.get(one) ?? 0) + 1);
  return -[...counts.values()].reduce((sum, n) => sum + (n / text.length) * Math.log2(n / text.length), 0);
}

/** What the rules of gitleaks (MIT) take for secrets: keywords first, then the pattern, then its entropy. Longest first. */
export function secretsByGitleaks(text: string): readonly string[] {
  const lower = text.toLowerCase();
  const found = new Set<string>();
  for (const { pattern, keywords, entropy, group } of rules) {
    if (keywords.length > 0 && !keywords.some((one) => lower.includes(one))) continue;
    for (const match of text.matchAll(pattern)) {
      const secret = group > 0 ? match[group] : (match.slice(1).find((one) => one) ?? match[0]);
      if (secret && shannon(secret) >= entropy) found.add(secret);
    }
  }
  return [...found].sort((a, b) => b.length - a.length);
}

export const redactByGitleaks = (text: string): string =>
  secretsByGitleaks(text).reduce((out, one) => out.replaceAll(one, "[REDACTED]"), text);
