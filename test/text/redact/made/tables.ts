/** A table's rows, the first of them its heading. */
export type Rows = readonly (readonly string[])[];

const widths = (rows: Rows): readonly number[] =>
  (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? "").length)));

const pad = (rows: Rows, isRight: (cell: string) => boolean = () => false): string[][] => {
  const wide = widths(rows);
  return rows.map((row) =>
    row.map((cell, column) => (isRight(cell) ? cell.padStart(wide[column] ?? 0) : cell.padEnd(wide[column] ?? 0))),
  );
};

const rule = (rows: Rows, line: string, cross: string): string =>
  widths(rows)
    .map((wide) => line.repeat(wide + 2))
    .join(cross);

const isNumber = (cell: string): boolean => /^[\d.]+$/.test(cell);
const count = (rows: Rows): string => `(${rows.length - 1} ${rows.length === 2 ? "row" : "rows"})`;
const quoted = (cell: string, sign: string): string =>
  cell.includes(sign) || cell.includes('"') ? `"${cell.replaceAll('"', '""')}"` : cell;

function boxed(rows: Rows, [left, cross, right]: readonly [string, string, string], bar = "|", line = "-"): string {
  const edge = left + rule(rows, line, cross) + right;
  const [head, ...body] = pad(rows, isNumber).map((row) => `${bar} ${row.join(` ${bar} `)} ${bar}`);
  return [edge, head, edge, ...body, edge].join("\n");
}

/** How programs print the same rows. */
export const printers: Readonly<Record<string, (rows: Rows) => string>> = {
  "psql, aligned": (rows) => {
    const [head, ...body] = pad(rows, isNumber).map((row) => ` ${row.join(" | ")} `.trimEnd());
    return [head, rule(rows, "-", "+"), ...body, count(rows)].join("\n");
  },
  "psql, unaligned": (rows) => [...rows.map((row) => row.join("|")), count(rows)].join("\n"),
  "psql, unaligned, tuples only": (rows) =>
    rows
      .slice(1)
      .map((row) => row.join("|"))
      .join("\n"),
  "psql, expanded": ([head = [], ...body]) => {
    const wide = Math.max(...head.map(({ length }) => length));
    return body
      .map((row, index) =>
        [
          `-[ RECORD ${index + 1} ]-${"-".repeat(12)}`,
          ...row.map((c, at) => `${(head[at] ?? "").padEnd(wide)} | ${c}`),
        ].join("\n"),
      )
      .join("\n");
  },
  "psql, unicode": (rows) => {
    const [head, ...body] = pad(rows).map((row) => ` ${row.join(" │ ")} `);
    return [head, rule(rows, "─", "┼"), ...body, count(rows)].join("\n");
  },
  "mysql, boxed": (rows) => `${boxed(rows, ["+", "+", "+"])}\n${rows.length - 1} rows in set (0.00 sec)`,
  "mysql, vertical": ([head = [], ...body]) => {
    const wide = Math.max(...head.map(({ length }) => length));
    const stars = "*".repeat(27);
    return body
      .map((row, index) =>
        [`${stars} ${index + 1}. row ${stars}`, ...row.map((c, at) => `${(head[at] ?? "").padStart(wide)}: ${c}`)].join(
          "\n",
        ),
      )
      .join("\n");
  },
  "tab-separated": (rows) => rows.map((row) => row.join("\t")).join("\n"),
  CSV: (rows) => rows.map((row) => row.map((cell) => quoted(cell, ",")).join(",")).join("\n"),
  "CSV, all quoted": (rows) => rows.map((row) => row.map((cell) => `"${cell}"`).join(",")).join("\n"),
  "CSV, semicolons": (rows) => rows.map((row) => row.map((cell) => quoted(cell, ";")).join(";")).join("\n"),
  "CSV, blanks behind the commas": (rows) => rows.map((row) => row.join(", ")).join("\n"),
  "aligned by blanks": (rows) =>
    pad(rows)
      .map((row) => row.join("   ").trimEnd())
      .join("\n"),
  "column -t": (rows) =>
    pad(rows)
      .map((row) => row.join("  ").trimEnd())
      .join("\n"),
  "aligned right": (rows) =>
    pad(rows, () => true)
      .map((row) => row.join("  "))
      .join("\n"),
  "aligned, ruled": (rows) => {
    const [head, ...body] = pad(rows).map((row) => row.join("  ").trimEnd());
    const line = widths(rows)
      .map((wide) => "-".repeat(wide))
      .join("  ");
    return [head, line, ...body].join("\n");
  },
  Markdown: (rows) => {
    const [head, ...body] = pad(rows).map((row) => `| ${row.join(" | ")} |`);
    return [
      head,
      `|${widths(rows)
        .map((wide) => "-".repeat(wide + 2))
        .join("|")}|`,
      ...body,
    ].join("\n");
  },
  "Markdown, narrow": (rows) => {
    const [head, ...body] = rows.map((row) => row.join("|"));
    return [head, (rows[0] ?? []).map(() => ":--").join("|"), ...body].join("\n");
  },
  "Markdown, code": (rows) => {
    const [head = "", ...body] = rows.map(
      (row, at) => `| ${row.map((c) => (at === 0 || c === "" ? c : `\`${c}\``)).join(" | ")} |`,
    );
    return [head, `|${(rows[0] ?? []).map(() => "---").join("|")}|`, ...body].join("\n");
  },
  "lines of a box": (rows) => boxed(rows, ["┌", "┬", "┐"], "│", "─"),
  "heavy box": (rows) => boxed(rows, ["┏", "┳", "┓"], "┃", "━"),
  "double box": (rows) => boxed(rows, ["╔", "╦", "╗"], "║", "═"),
};
