const megabyte = 1_000_000;
const fill = (unit: string): string => unit.repeat(Math.ceil(megabyte / unit.length)).slice(0, megabyte);

/** A megabyte each of what makes a careless pattern slow (SR-48). */
export const hostile: Readonly<Record<string, string>> = {
  "one letter": fill("a"),
  "equals signs": fill("="),
  quotes: fill('"'),
  backslashes: fill("\\"),
  base64: fill("QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVo0NTY3"),
  "base64 in lines": fill("QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVo0NTY3QUJDREVGR0hJSktMTU5PUFFS\n"),
  "hex bytes": fill("61:62:63 "),
  "nested JSON": fill('{"token":'),
  "nested arrays": fill("["),
  "deep braces": fill("{"),
  colons: fill(":"),
  "keys without values": fill("key="),
  "many tiny secrets": fill("password=a,"),
  marks: fill("password=[REDACTED]\n"),
  "unclosed PEM heads": fill("-----BEGIN RSA PRIVATE KEY-----\n"),
  "PEM heads on one line": fill("-----BEGIN PRIVATE KEY-----"),
  "PEM feet": fill("QUJDREVGR0hJSktMTU5P\n-----END PRIVATE KEY-----\n"),
  URLs: fill("https://user:"),
  "open passwords": fill('password="'),
  "words of secrets": fill("token secret password "),
  "names with hyphens": fill("a-b-"),
  "flags without values": fill(" -p"),
  "open JWTs": fill("eyJabcdefgh."),
  "database clients": fill("mysql -x "),
  "named values": fill("name: a, value: "),
  "YAML blocks": fill("password: |\n a\n"),
  "open elements": fill("<password "),
  "Kubernetes secrets": fill("kind: Secret\ndata:\n a: b\n"),
};
