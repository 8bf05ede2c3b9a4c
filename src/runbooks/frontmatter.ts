/** What stands between the `---` at the head of a Markdown file, read leniently, since people write it by hand. */

import type { Problem } from "../base/errors.ts";
import type { RepoFile } from "../base/github.ts";
import { type Fields, isRecord } from "../base/json.ts";
import { parseYaml } from "../base/yaml.ts";

type Frontmatter =
  | { readonly ok: true; readonly value: Fields; readonly body: string; readonly warnings: readonly Problem[] }
  | { readonly ok: false; readonly problem: Problem };

/** The YAML parser's time grows with the square of what it is given. */
const maxCharacters = 8_192;
const count = (characters: number): string => characters.toLocaleString("en");

/** The frontmatter's mapping and the Markdown after it. Never throws. */
export function readFrontmatter(file: Pick<RepoFile, "path" | "text">): Frontmatter {
  const refuse = (message: string, remedy: string, place = file.path): Frontmatter => ({
    ok: false,
    problem: { place, message, remedy },
  });
  const match = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)([\s\S]*)$/.exec(file.text);
  if (!match) return refuse("has no frontmatter", "start the file with `---`, `name:`, `description:` and `---`");
  const [, frontmatter = "", body = ""] = match;
  if (frontmatter.length > maxCharacters)
    return refuse(
      `has a frontmatter of ${count(frontmatter.length)} characters`,
      `keep it under ${count(maxCharacters)}`,
    );
  const simple = readSimple(frontmatter);
  if (simple) return { ok: true, value: simple, body, warnings: [] };
  // A colon inside an unquoted value is by far the most frequent mistake; the values are quoted and read again.
  // It starts on the second line of its file.
  const strict = parseYaml(`\n${frontmatter}`, file.path);
  const yaml = strict.ok ? strict : parseYaml(quoteValues(frontmatter), file.path);
  const first = strict.ok ? undefined : strict.problems[0];
  if (!yaml.ok) {
    return refuse(first?.message ?? "has frontmatter that is not YAML", "correct the frontmatter", first?.place);
  }
  if (!isRecord(yaml.value)) return refuse("has frontmatter that is not a mapping", "write `name:` and `description:`");
  const message = `has frontmatter that is not YAML (${first?.message})`;
  const warnings = first ? [{ place: file.path, message, remedy: "put the value in quotes" }] : [];
  return { ok: true, value: yaml.value, body, warnings };
}

type Entry = readonly [key: string, value: unknown];

const odd = /[^\n\r\x20-\x7e\u00a1-\ufefe]|\r(?!\n)/;

/**
 * Most frontmatters are lines of `key: text` and mappings of such lines, and YAML's whole grammar takes a hundred times as
 * long for them as this does: thousands of skills are read at once. Whatever is more than that, or could be, is nothing here;
 * what is read is exactly what YAML reads.
 */
export function readSimple(frontmatter: string): Fields | undefined {
  if (odd.test(frontmatter)) return undefined;
  return mappingOf(frontmatter.split(/\r?\n(?! )/).map(readBlock));
}

/** A line, or a key with the indented lines below it. */
function readBlock(block: string): Entry | undefined {
  const [head = "", ...inner] = block.split(/\r?\n/);
  const [first] = inner;
  if (first === undefined) return readLine(head);
  const key = /^([A-Za-z][\w-]{0,60}): *$/.exec(head)?.[1];
  const indent = /^ */.exec(first)?.[0] ?? "";
  const value = mappingOf(
    inner.map((line) => (line.startsWith(indent) ? readLine(line.slice(indent.length)) : undefined)),
  );
  return key === undefined || isWord(key) || value === undefined ? undefined : [key, value];
}

function mappingOf(entries: readonly (Entry | undefined)[]): Fields | undefined {
  const known = entries.filter((entry) => entry !== undefined);
  const value = Object.fromEntries(known);
  return known.length === entries.length && Object.keys(value).length === known.length ? value : undefined;
}

function readLine(line: string): Entry | undefined {
  const [, key = "", given = ""] = /^([A-Za-z][\w-]{0,60}): +(\S.*)$/.exec(line) ?? [];
  const text = readScalar(given.trimEnd());
  return text === undefined || isWord(key) ? undefined : [key, text];
}

/** A text in quotes, or a plain one that nothing else could be. */
function readScalar(given: string): string | undefined {
  if (/^"[^"\\]*(?:\\["\\][^"\\]*)*"$/.test(given)) return JSON.parse(given);
  const isPlain = /^[A-Za-z]/.test(given) && !/: |:$| #/.test(given) && !isWord(given);
  return isPlain ? given : /^'([^']*)'$/.exec(given)?.[1];
}

/** Words that YAML may read as something else than text. */
const isWord = (text: string): boolean => /^(?:true|false|null|yes|no|on|off|y|n)$/i.test(text);

const quoteValues = (frontmatter: string): string =>
  frontmatter.replace(
    /^([ \t]*[\w-]+):[ \t]+([^\s"'|>[{].*)$/gm,
    (_, key: string, text: string) => `${key}: ${JSON.stringify(text)}`,
  );
