import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parseReply } from "../../src/agent/protocol.ts";

interface LabelledReply {
  readonly id: string;
  readonly note: string;
  readonly finish: string;
  readonly text: string;
  readonly expect: { actions: string[]; error: string | null; suggestions: number; warnings: string[] };
}

const labelled = readFileSync(new URL("../data/protocol.jsonl", import.meta.url), "utf8")
  .trim()
  .split("\n")
  .map((line): LabelledReply => JSON.parse(line));

describe("the labelled replies", () => {
  it.each(labelled)("PA-4 $id: $note", ({ text, finish, expect: expected }) => {
    const parsed = parseReply(text, { finish });
    expect({
      actions: parsed.actions.map((action) => action.id),
      error: parsed.error,
      suggestions: parsed.suggestions.length,
      warnings: [...parsed.warnings].sort(),
    }).toEqual({ ...expected, warnings: [...expected.warnings].sort() });
  });
});
