import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { createRedactor } from "../../../../src/text/redact.ts";

const redact = createRedactor();
/** A text that is let through; one that is not fails the test. */
const redacted = (text: string): string => {
  const result = redact(text);
  if (!result.ok) throw new Error(result.reason);
  return result.text;
};
const body = Array.from({ length: 24 }, (_, line) =>
  createHash("sha512").update(`line ${line}`).digest("base64").slice(0, 64),
);
const foot = ["-----END RSA", "PRIVATE KEY-----"].join(" ");

/** The key's last lines, as a log, grep or an indented block prints them. */
const printed = (prefix: (line: number) => string): string =>
  [...body, `${body[0]?.slice(0, 30)}==`, foot].map((line, at) => `${prefix(at)}${line}`).join("\n");

describe("a private key whose head was cut off", () => {
  test.each([
    ["nothing", () => ""],
    ["an indentation", () => "    "],
    ["a log's time and name", (line: number) => `Nov 22 05:${10 + line}:07 web-1 checkout[311]: `],
    ["an ISO time and a level", (line: number) => `2026-11-22T05:00:${10 + line}.123Z INFO `],
    ["grep's file and line", (line: number) => `/etc/app/key.pem:${line + 7}:`],
    ["a container's name", () => "web-1  | "],
  ])("SR-45 is hidden behind %s, and what stands before each line stays", (_, prefix) => {
    const text = redacted(`ready\n${printed(prefix)}\ndone`);
    for (const line of body) expect(text).not.toContain(line.slice(8, 40));
    expect(text).toMatch(/^ready\n[\s\S]*\ndone$/);
    expect(text).toContain(prefix(1).trim());
  });

  test("SR-45 lines of another shape above it are nobody's key", () => {
    const text = redacted(`build 4711: ${body[0]}\n${printed((line) => `app[${line}]: `)}`);
    expect(text).toContain("build 4711:");
  });
});
