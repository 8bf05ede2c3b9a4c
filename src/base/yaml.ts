/** The only door to the `yaml` package. */

import { type Document, isMap, isNode, isPair, isScalar, isSeq, LineCounter, parseDocument, visit } from "yaml";
import type { Problem } from "./errors.ts";

/** Counted from 1. */
export interface FilePlace {
  readonly line: number;
  readonly column: number;
}

type ParsedYaml =
  | {
      readonly ok: true;
      readonly value: unknown;
      /** Falls back to the deepest existing parent. */
      readonly locate: (path: readonly PropertyKey[]) => FilePlace;
    }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/** Beyond this it is a bomb. */
const maxAliases = 100;
/** The parser's time grows with the size. */
const maxCharacters = 1_000_000;

const remedies: Readonly<Record<string, string>> = {
  DUPLICATE_KEY: "keep one of the two",
  MULTIPLE_DOCS: "remove the second document and its `---`",
  BAD_INDENT: "align it with the lines around it",
  TAG_RESOLVE_FAILED: "remove the tag (the word that starts with `!`)",
  MISSING_CHAR: "write `key: value`, a colon and a blank behind each key, and close each bracket and quote",
  MULTILINE_IMPLICIT_KEY: "write `key: value`: here the colon is missing, or the blank behind it",
  NON_STRING_KEY: "close the first `{` before another: `{ key: value, other: value }`",
  BLOCK_AS_IMPLICIT_KEY: "begin a new line, or put a value that holds a colon in quotes",
  BAD_SCALAR_START: "put the value in quotes",
  UNEXPECTED_TOKEN: "put a value that holds such a sign in quotes, and align the line with those around it",
};

const plainly: Readonly<Record<string, string>> = {
  MULTIPLE_DOCS: "more than one document",
  MULTILINE_IMPLICIT_KEY: "a line that is no `key: value`",
  NON_STRING_KEY: "a key that is a list or a mapping, not a word",
  BLOCK_AS_IMPLICIT_KEY: "a second `key:` on one line",
};

/**
 * Reads one YAML 1.2 document; an empty one is `null`. Never throws: duplicate keys, tabs, unknown tags, several documents and alias bombs
 * are problems with `file:line:column`.
 */
export function parseYaml(text: string, file: string): ParsedYaml {
  if (text.length > maxCharacters) {
    const message = `is ${text.length.toLocaleString("en")} characters long, at most ${maxCharacters.toLocaleString("en")} are read`;
    return { ok: false, problems: [{ place: file, message }] };
  }
  const lines = new LineCounter();
  const document = parseDocument(text, {
    lineCounter: lines,
    prettyErrors: false,
    stringKeys: true,
  });
  const placeOf = (offset: number): FilePlace => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  const faults = [...document.errors, ...document.warnings];
  if (faults.length > 0) {
    const at = (offset: number): string => {
      const { line, column } = placeOf(offset);
      return `${file}:${line}:${column}`;
    };
    const tabs = faults.filter(({ code }) => code === "TAB_AS_INDENT").map(({ pos: [offset] }) => offset);
    const firstTab = Math.min(...tabs);
    const problems = faults
      // An earlier tab may cause the fault.
      .filter(({ pos: [offset] }) => offset < firstTab)
      .map(({ pos: [offset], code, message }) => {
        const twice = code === "DUPLICATE_KEY" ? keyTwice(document, offset) : undefined;
        const said = twice && `\`${twice.key}\` is here twice; the first is on line ${placeOf(twice.first).line}`;
        return { place: at(offset), message: said ?? plainly[code] ?? message, remedy: remedies[code] };
      });
    if (tabs.length === 0) return { ok: false, problems };
    const message =
      tabs.length > 1
        ? `${tabs.length} lines are indented with tabs, from here on`
        : "this line is indented with a tab";
    return { ok: false, problems: [...problems, { place: at(firstTab), message, remedy: "indent with spaces" }] };
  }
  try {
    const value: unknown = document.toJS({ maxAliasCount: maxAliases });
    return { ok: true, value, locate: (path) => placeOf(offsetOf(document.contents, path)) };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { ok: false, problems: [{ place: file, message, remedy: "write the values out instead of using aliases" }] };
  }
}

function keyTwice(document: Document, offset: number): { readonly key: string; readonly first: number } | undefined {
  let found: { readonly key: string; readonly first: number } | undefined;
  visit(document, {
    Pair: (_, { key }, ancestors) => {
      if (!isScalar(key) || key.range?.[0] !== offset) return undefined;
      const around = ancestors.flatMap((node) => (isPair(node) && isScalar(node.key) ? String(node.key.value) : []));
      const map = ancestors.findLast(isMap);
      const first = map?.items.find((one) => isScalar(one.key) && one.key.value === key.value)?.key;
      const start = isScalar(first) ? first.range?.[0] : undefined;
      if (start !== undefined) found = { key: [...around, key.value].join("."), first: start };
      return visit.BREAK;
    },
  });
  return found;
}

function offsetOf(root: unknown, path: readonly PropertyKey[]): number {
  let node = root;
  let offset = isNode(node) ? (node.range?.[0] ?? 0) : 0;
  for (const step of path) {
    const next = childOf(node, step);
    if (next === undefined) break;
    offset = next.offset;
    node = next.node;
  }
  return offset;
}

/** People look for an entry's key. */
function childOf(node: unknown, step: PropertyKey): { node: unknown; offset: number } | undefined {
  if (isMap(node)) {
    const pair = node.items.find(
      (item) => isPair(item) && isScalar(item.key) && String(item.key.value) === String(step),
    );
    if (pair === undefined || !isNode(pair.key)) return undefined;
    return { node: pair.value, offset: pair.key.range?.[0] ?? 0 };
  }
  if (isSeq(node)) {
    const item = node.items[Number(step)];
    return isNode(item) ? { node: item, offset: item.range?.[0] ?? 0 } : undefined;
  }
  return undefined;
}
