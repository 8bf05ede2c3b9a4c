import type { Figures } from "./play.ts";

/** What all of them took together. */
export function sumOf(all: readonly Figures[]): Figures {
  const sum = (key: Exclude<keyof Figures, "incident">): number => all.reduce((total, one) => total + one[key], 0);
  return {
    incident: "sum",
    turns: sum("turns"),
    requests: sum("requests"),
    promptTokens: sum("promptTokens"),
    completionTokens: sum("completionTokens"),
    approvals: sum("approvals"),
    runs: sum("runs"),
    seconds: sum("seconds"),
    closingTokens: sum("closingTokens"),
  };
}

/** For a terminal and for a document alike. */
export function markdownOf(rows: readonly Figures[]): string {
  const number = (value: number): string => Math.round(value).toLocaleString("en");
  const lines = rows.map((row) => [
    row.incident,
    ...[row.turns, row.requests, row.promptTokens, row.completionTokens, row.approvals, row.runs].map(number),
    row.seconds.toFixed(1),
    number(row.closingTokens),
  ]);
  const head = [
    "incident",
    "turns",
    "requests",
    "prompt tokens",
    "completion tokens",
    "approvals",
    "runs",
    "s",
    "closing tokens",
  ];
  const table = [head, head.map((_, column) => (column === 0 ? "---" : "---:")), ...lines];
  return [
    ...table.map((cells) => `| ${cells.join(" | ")} |`),
    "",
    "Tokens are estimated: four characters are one. Approvals are comments of people that approve, runs commands that a machine was given;",
    "both, and turns and requests, up to `/close`, what that asks of the model stands last. Model, people and machines answer at once.",
  ].join("\n");
}
