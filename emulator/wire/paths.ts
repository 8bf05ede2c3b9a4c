/** Path patterns as in GitHub's OpenAPI: `/repos/{owner}/{repo}/contents/{path}`. */

export interface Pattern<T> {
  readonly method: string;
  readonly pattern: string;
  readonly value: T;
}

export interface Match<T> {
  readonly value: T;
  readonly params: Readonly<Record<string, string>>;
}

/** The only parameters of ours that may contain slashes. */
const multiSegment = new Set(["path", "ref"]);

/** Finds the pattern of a method and path; a pattern with fewer parameters wins over one with more. */
export function createMatcher<T>(
  patterns: readonly Pattern<T>[],
): (method: string, path: string) => Match<T> | undefined {
  const compiled = patterns
    .map(({ method, pattern, value }) => ({ method, value, ...compile(pattern) }))
    .sort((a, b) => a.count - b.count);
  return (method, path) => {
    for (const { method: wanted, regex, value } of compiled) {
      const groups = wanted === method ? regex.exec(path)?.groups : undefined;
      if (groups) return { value, params: Object.fromEntries(Object.entries(groups).map(([k, v]) => [k, decode(v)])) };
    }
    return undefined;
  };
}

function compile(pattern: string): { regex: RegExp; count: number } {
  let count = 0;
  const source = pattern.replace(/[.]/g, "\\.").replace(/\{(\w+)\}/g, (_, name: string) => {
    count++;
    return `(?<${name}>${multiSegment.has(name) ? ".*" : "[^/]+"})`;
  });
  return { regex: new RegExp(`^${source}(?<_>)$`), count };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // a stray % is itself
  }
}
