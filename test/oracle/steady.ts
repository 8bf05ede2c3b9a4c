export interface Table {
  readonly name: string;
  readonly rows: readonly Readonly<Record<string, unknown>>[];
}

/** A text that is JSON as what it holds, so that the times and hashes in it are found. */
function opened(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Uint8Array) return Buffer.from(value).toString("utf8");
  if (typeof value === "bigint") return Number(value);
  if (typeof value === "string" && /^\s*[{[]/.test(value)) {
    try {
      return opened(JSON.parse(value));
    } catch {
      return value;
    }
  }
  if (Array.isArray(value)) return value.map(opened);
  if (typeof value === "object" && value !== null)
    return Object.fromEntries(
      Object.entries(value)
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([key, one]) => [key, isDuration(key, one) ? 0 : opened(one)]),
    );
  return value;
}

/** A number that tells how long something took. */
const isDuration = (key: string, value: unknown): boolean =>
  typeof value === "number" && /(Ms|_ms|seconds|Seconds|elapsed)$/.test(key) && !/^(hard|max|within|soft)/.test(key);

/** What no two runs share and that has no order: times, durations, ports, signatures. */
const leveled: readonly (readonly [RegExp, string])[] = [
  [/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?(Z|\+00(:00)?)?/g, "TIME"],
  [/127\.0\.0\.1:\d+/g, "127.0.0.1:PORT"],
  [/"port":\d+/g, '"port":0'],
  [/\b\d\d\d\d-\d\d-\d\d\b/g, "DAY"],
  [/\b\d\d:\d\d(:\d\d)?Z?\b/g, "CLOCK"],
  [/\b\d+(\.\d+)? (ms|s|min|minutes?|seconds?)\b/g, "SPAN"],
  [/AAAA[\w+/]{40,}=*/g, "KEY"],
  [/SHA256:[\w+/=]{43,}/g, "SHA256:KEY"],
];

/** What differs from run to run and is the same in several places: the first of its kind is 1, and so on. */
const named =
  /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{8,}\b/g;

const level = (text: string): string =>
  leveled.reduce((written, [varying, fixed]) => written.replace(varying, fixed), text);

/** Every row of every table on a line of its own, in an order that does not hang on its random parts. */
export function steadyTables(tables: readonly Table[]): string {
  const ordinals = new Map<string, number>();
  const ordinal = (found: string): string => {
    if (!ordinals.has(found)) ordinals.set(found, ordinals.size + 1);
    return `#${ordinals.get(found)}`;
  };
  return tables
    .map(({ name, rows }) => {
      const lines = rows
        .map((row) => level(JSON.stringify(opened(row))))
        .map((line) => ({ line, order: line.replace(named, "#") }))
        .sort((a, b) => (a.order < b.order ? -1 : Number(a.order > b.order)))
        .map(({ line }) => line.replace(named, ordinal));
      return [`## ${name}: ${rows.length}`, ...lines, ""].join("\n");
    })
    .join("\n");
}
