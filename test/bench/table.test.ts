import { describe, expect, it } from "vitest";
import { markdownTable, plainTable } from "./table.ts";

const rows = [
  { case: "start", unit: "ms", ours: 12, peer: 24, peerName: "a | b", ratio: 2, better: "lower", runs: 3 },
  { case: "reach", unit: "share", ours: 1, peer: null, peerName: "none", ratio: null, better: "higher", runs: 1 },
] as const;

describe("the table of npm run bench", () => {
  it("stands in columns on a terminal", () => {
    expect(plainTable(rows).split("\n")).toEqual([
      "case   ours     peer          ratio  better  runs",
      "start  12 ms    24 ms  a | b  2×     lower   3",
      "reach  1 share  –      none   –      higher  1",
    ]);
  });

  it("is a table of Markdown for a document, of a day and a commit", () => {
    expect(markdownTable(rows, { date: "2026-11-23", commit: "b081dc9" }).split("\n")).toEqual([
      "One run on 2026-11-23 at b081dc9.",
      "",
      "| case | ours | peer |  | ratio | better | runs |",
      "| --- | --- | --- | --- | --- | --- | --- |",
      "| start | 12 ms | 24 ms | a \\| b | 2× | lower | 3 |",
      "| reach | 1 share | – | none | – | higher | 1 |",
    ]);
  });
});
