/** JSON rows as Kysely returns them: camelCase, moments as dates. Values inside a column stay as they are. */
export function revived(found: Readonly<Record<string, unknown>> | undefined): unknown {
  return Object.fromEntries(
    Object.entries(found ?? {}).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.map(rowOf) : isRow(value) ? rowOf(value) : value,
    ]),
  );
}

const isRow = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !(value instanceof Date);

function rowOf(row: object): object {
  const revived: Record<string, unknown> = {};
  for (const [column, value] of Object.entries(row)) {
    const { name, moment } = columnOf(column);
    revived[name] = moment && typeof value === "string" ? new Date(value) : value;
  }
  return revived;
}

/** Matches exactly the schema's `timestamptz` columns (`test/store/incident-rows.test.ts`). */
export const isMoment = (column: string): boolean => /(^|_)(at|until|since|due)$/.test(column);

const columns = new Map<string, { readonly name: string; readonly moment: boolean }>();

function columnOf(column: string) {
  const known = columns.get(column);
  if (known) return known;
  const name = column.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  const found = { name, moment: isMoment(column) };
  columns.set(column, found);
  return found;
}
