/** What JSON has made of rows, as they were: names in camel case, moments as dates. What stands inside of a column stays as it is. */
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

const rowOf = (row: object): object =>
  Object.fromEntries(
    Object.entries(row).map(([column, value]) => [
      camelCased(column),
      typeof value === "string" && isMoment(column) ? new Date(value) : value,
    ]),
  );

/** Every `timestamptz` of the schema is called so, and nothing else is (`test/store/incident-rows.test.ts`). */
export const isMoment = (column: string): boolean => /(^|_)(at|until|since|due)$/.test(column);

const names = new Map<string, string>();

function camelCased(column: string): string {
  const known = names.get(column);
  if (known !== undefined) return known;
  const name = column.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  names.set(column, name);
  return name;
}
