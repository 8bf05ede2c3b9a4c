/** From an SQL statement that changes rows to statements that look: its plan, and how many rows it is about. */

const name = String.raw`(?:[\w$]+|"[^"]+"|\x60[^\x60]+\x60)`;
const table = `(?<table>${name}(?:\\.${name})?)`;
const deletes = new RegExp(`^delete\\s+from\\s+(?:only\\s+)?${table}(?:\\s+where\\s+(?<where>[\\s\\S]+))?$`, "i");
const updates = new RegExp(`^update\\s+(?:only\\s+)?${table}\\s+set\\s+[\\s\\S]+$`, "i");
const empties = new RegExp(
  `^(?:truncate(?:\\s+table)?|drop\\s+table(?:\\s+if\\s+exists)?)\\s+${table}(?:\\s+(?:cascade|restrict))?$`,
  "i",
);

/** What is sent in place of it, by the database. MySQL opens the tables of an `EXPLAIN` as the statement would, so it stands outside. */
const dialects = {
  postgres: (plan: readonly string[], count: string) => [
    "BEGIN READ ONLY",
    ...plan.map((text) => `EXPLAIN ${text}`),
    count,
    "ROLLBACK",
  ],
  mysql: (plan: readonly string[], count: string) => [
    ...plan.map((text) => `EXPLAIN ${text}`),
    "START TRANSACTION READ ONLY",
    count,
    "ROLLBACK",
  ],
  /** For a connection that is read-only by itself. */
  sqlite: (plan: readonly string[], count: string) => [...plan.map((text) => `EXPLAIN QUERY PLAN ${text}`), count],
} as const;

export type SqlDialect = keyof typeof dialects;

/**
 * What to ask instead of one `DELETE`, `UPDATE`, `TRUNCATE` or `DROP TABLE`: its plan and the count of its rows, where the database offers
 * it in a read-only transaction. Returns undefined for any other text, for several statements, and for what cannot be read with certainty
 * (comments, joins, `RETURNING`).
 */
export function looksInstead(text: string, dialect: SqlDialect): readonly string[] | undefined {
  const statement = text.trim().replace(/;\s*$/, "");
  const bare = withoutTexts(statement);
  if (bare === undefined || /[;\\#]|--|\/\*|\$\w*\$/.test(bare)) return undefined;
  const looks = dialects[dialect];
  const emptied = empties.exec(statement)?.groups?.table;
  if (emptied !== undefined) return looks([], counted(emptied));
  if (/\b(?:returning|using|join|limit|order|current\s+of)\b/i.test(bare)) return undefined;
  const deleted = deletes.exec(statement)?.groups;
  if (deleted) return looks([statement], counted(deleted.table, deleted.where));
  const updated = updates.exec(statement)?.groups;
  const [where, another] = [...bare.matchAll(/\bwhere\b/gi)];
  if (!updated || another || /\bfrom\b/i.test(bare)) return undefined;
  const rows = where && statement.slice(where.index + where[0].length).trim();
  return looks([statement], counted(updated.table, rows));
}

const counted = (from = "", where?: string): string =>
  `SELECT count(*) FROM ${from}${where === undefined ? "" : ` WHERE ${where}`}`;

/** The same length with its quoted texts blanked out; undefined if a quote stays open. */
function withoutTexts(statement: string): string | undefined {
  const bare = statement.replace(/'(?:[^'\\]|'')*'|"[^"]*"|`[^`]*`/g, (text) => "_".repeat(text.length));
  return /['"`]/.test(bare) ? undefined : bare;
}
