import { createHash } from "node:crypto";

export type Row = Readonly<Record<string, unknown>>;
export interface Table {
  readonly name: string;
  readonly rows: readonly Row[];
}

/** Columns that say in which order two things happened that happen at the same time, or how often something was drawn or asked. */
const byChance = new Set(
  "position seq hash prev nonce jobId version postedVersion postedAs shown labels changed drawn seenAt soFar hourUsed minuteUsed".split(
    " ",
  ),
);

/** A number that says how long something took. */
const isDuration = (key: string, value: unknown): boolean =>
  typeof value === "number" && /(Ms|_ms|[sS]econds|elapsed)$/.test(key) && !/^(hard|max|within|soft)/.test(key);

/** A text that is JSON as what it holds, so that the times and hashes in it are found. */
function open(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Uint8Array) return Buffer.from(value).toString("utf8");
  if (typeof value === "bigint") return Number(value);
  if (typeof value === "string" && /^\s*[{[]/.test(value)) {
    try {
      return open(JSON.parse(value));
    } catch {
      return value;
    }
  }
  if (Array.isArray(value)) return value.map(open);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, one]) => !byChance.has(key) && !(key === "id" && typeof one === "number"))
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, one]) => [key, isDuration(key, one) ? 0 : open(one)]),
  );
}

/** What no two runs share: times, durations, ports, keys, hashes of what holds a time, ids that are given in the order of chance. */
const varying: readonly (readonly [RegExp, string])[] = [
  [/\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|\+00(:00)?)?/g, "TIME"],
  [/127\.0\.0\.1:\d+/g, "127.0.0.1:PORT"],
  [/"port":\d+/g, '"port":0'],
  [/AAAA[\w+/]{40,}=*/g, "KEY"],
  [/SHA256:[\w+/=]{43,}/g, "SHA256:KEY"],
  [/MDpJc3N1ZUNvbW1lbnQ\w+/g, "NODE"],
  [/\b35\d{8}\b/g, "COMMENT"],
  [/\b20\d\d-\d\d-\d\d\b/g, "DAY"],
  [/(?<!:)\b\d\d:\d\d(:\d\d)?Z?\b/g, "CLOCK"],
  // Whether two stand on either side of a minute is chance.
  [/\b\d+(?: \d+)* until CLOCK(?:, \d+(?: \d+)* until CLOCK)+/g, "until CLOCK"],
  [/\b\d+(\.\d+)? (ms|s|min|minutes?|seconds?)( \d+ s)?\b/g, "SPAN"],
  [/ was lost \((EPIPE|ECONNRESET)\)/g, " was lost"],
  [/\bsession [0-9a-f]{8}\b/g, "session HASH"],
  [/(?<=at `)[0-9a-f]{7}(?=`)/g, "COMMIT"],
  [/\baudit \d+:[0-9a-f]+/g, "audit N:HASH"],
  [/\b\d+ (rows|entries)\b/g, "N $1"],
];
const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const hash = /\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{8,}\b/g;

/** A text without what differs from run to run. */
export const steady = (text: string): string =>
  varying
    .reduce((written, [differs, word]) => written.replace(differs, word), text.replace(uuid, "UUID"))
    .replace(hash, "HASH");

const short = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 6);

/**
 * Every row of every table on a line of its own. A uuid that is the id of a row becomes that table's name and a hash of what the row
 * says, so that who refers to whom is still compared; rows that say the same bear the same name.
 */
export function steadyTables(tables: readonly Table[]): string {
  const texts = tables.map(({ name, rows }) => ({
    name,
    rows: rows.map((row) => ({ id: row.id, text: JSON.stringify(open(row)) })),
  }));
  let names = new Map<string, string>();
  const named = (text: string, self?: unknown): string =>
    steady(text.replace(uuid, (found) => (found === self ? "SELF" : (names.get(found) ?? "UUID"))));
  for (let round = 0; round < 3; round++)
    names = new Map(
      texts.flatMap(({ name, rows }) =>
        rows.flatMap(({ id, text }) =>
          typeof id === "string" ? [[id, `${name}:${short(named(text, id))}x`] as const] : [],
        ),
      ),
    );
  return texts
    .map(({ name, rows }) =>
      [`## ${name}: ${rows.length}`, ...rows.map(({ text }) => named(text)).sort(), ""].join("\n"),
    )
    .join("\n");
}
