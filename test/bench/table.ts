import type { Row } from "./row.ts";

const head = ["case", "ours", "peer", "", "ratio", "better", "runs"];

const cellsOf = ({ case: title, unit, ours, peer, peerName, ratio, better, runs }: Row): readonly string[] => [
  title,
  `${ours} ${unit}`,
  peer === null ? "–" : `${peer} ${unit}`,
  peerName,
  ratio === null ? "–" : `${ratio}×`,
  better,
  String(runs),
];

/** In columns, for a terminal. */
export function plainTable(rows: readonly Row[]): string {
  const lines = [head, ...rows.map(cellsOf)];
  const widths = head.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines
    .map((line) =>
      line
        .map((cell, i) => cell.padEnd(widths[i] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

/** For a document: a table, and of which day and commit it is. */
export function markdownTable(
  rows: readonly Row[],
  { date, commit }: { readonly date: string; readonly commit: string },
): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [
    `One run on ${date} at ${commit}.`,
    "",
    line(head),
    line(head.map(() => "---")),
    ...rows.map((row) => line(cellsOf(row))),
  ].join("\n");
}
