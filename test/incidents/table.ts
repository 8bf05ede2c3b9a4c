import type { Figures } from "./play.ts";

/** The columns of the table, in their order. */
const columns = {
  turns: "turns",
  requests: "requests",
  promptTokens: "prompt tokens",
  completionTokens: "completion tokens",
  approvals: "approvals",
  readApprovals: "for reads only",
  otherComments: "other comments",
  leases: "leases",
  runs: "runs",
  unknown: "unknown",
  botComments: "bot's comments",
  botWords: "its words",
  seconds: "s",
  closingTokens: "closing tokens",
  turnsToFact: "turns to the fact",
  approvalsToFact: "approvals to it",
  secondsToFact: "s to it",
} as const satisfies Record<Exclude<keyof Figures, "incident">, string>;
type Column = keyof typeof columns;
const keys = Object.keys(columns) as readonly Column[];

/** What all of them took together. */
export const sumOf = (all: readonly Figures[]): Figures =>
  Object.assign(
    { incident: "sum" },
    ...keys.map((key) => ({ [key]: all.reduce((total, one) => total + one[key], 0) })),
  ) as Figures;

/** For a terminal and for a document alike. */
export function markdownOf(rows: readonly Figures[]): string {
  const cell = (row: Figures, key: Column): string =>
    key.startsWith("seconds") ? row[key].toFixed(1) : Math.round(row[key]).toLocaleString("en");
  const head = ["incident", ...keys.map((key) => columns[key])];
  const table = [
    head,
    head.map((_, column) => (column === 0 ? "---" : "---:")),
    ...rows.map((row) => [row.incident, ...keys.map((key) => cell(row, key))]),
  ];
  return [
    ...table.map((cells) => `| ${cells.join(" | ")} |`),
    "",
    "The bot's comments are those until `/close`, its board and all outputs included; marks between spaces count as words. Tokens are estimated: four characters are one. Approvals are comments of people that approve, runs commands that a machine was given;",
    "both, and turns and requests, up to `/close`, what that asks of the model stands apart. The fact is what an output must show before anybody",
    "would change something. Every run was allowed by a person: the harness ends with an error otherwise. Model, people and machines answer at once.",
  ].join("\n");
}
