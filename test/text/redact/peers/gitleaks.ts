import data from "./gitleaks-rules.json" with { type: "json" };

type Ready = {
  readonly pattern: RegExp;
  readonly keywords: readonly string[];
  readonly entropy: number;
  readonly group: number;
};

/** RE2 as JavaScript writes it: flags in the midst reach to the end of their group. */
function toJavaScript(source: string): string {
  let out = "";
  const opened: number[] = [0];
  for (let at = 0; at < source.length; at++) {
    const character = source[at] ?? "";
    if (source.startsWith("(?i)", at)) {
      out += "(?i:";
      opened[opened.length - 1] = (opened.at(-1) ?? 0) + 1;
      at += 3;
    } else if (character === "\\") {
      out += source.startsWith("\\z", at) ? "$" : source.slice(at, at + 2);
      at++;
    } else if (character === "[") {
      const end = closing(source, at);
      out += source.slice(at, end).replaceAll("[:alnum:]", "A-Za-z0-9");
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

/** The rules of gitleaks (MIT) in JavaScript: keywords first, then the pattern, then its entropy. */
export function redactByGitleaks(text: string): string {
  const lower = text.toLowerCase();
  const found = new Set<string>();
  for (const { pattern, keywords, entropy, group } of rules) {
    if (keywords.length > 0 && !keywords.some((one) => lower.includes(one))) continue;
    for (const match of text.matchAll(pattern)) {
      const secret = group > 0 ? match[group] : (match.slice(1).find((one) => one) ?? match[0]);
      if (secret && shannon(secret) >= entropy) found.add(secret);
    }
  }
  return [...found].sort((a, b) => b.length - a.length).reduce((out, one) => out.replaceAll(one, "[REDACTED]"), text);
}
