import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { createRedactor } from "../../src/text/redact.ts";
import { fc } from "../harness/chance.ts";

type Labelled = {
  readonly id: string;
  readonly kind: "secret" | "benign";
  readonly text: string;
  readonly secrets?: readonly string[];
  readonly keep?: readonly string[];
};

const load = (file: string): readonly Labelled[] =>
  readFileSync(new URL(`../data/${file}`, import.meta.url), "utf8")
    .replaceAll("\u2042", "")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

const files = [1, 2, 3, 4, 5, 6, 7, 8].map((round) => (round === 1 ? "redaction.jsonl" : `redaction-${round}.jsonl`));
const records = files.flatMap(load);

const redact = createRedactor();

function redacted(text: string, by = redact): string {
  const result = by(text);
  if (!result.ok) throw new Error(result.reason);
  return result.text;
}

/** The share of records that pass, and the ids of those that do not, so that a failure names them. */
function score(of: readonly Labelled[], passes: (record: Labelled, text: string) => boolean) {
  const failed = of.filter((record) => !passes(record, redacted(record.text))).map(({ id }) => id);
  return { share: 1 - failed.length / of.length, failed };
}

describe.each(files)("SR-45 at least 97 %% of %s", (file) => {
  const of = load(file);
  const secretRecords = of.filter(({ kind }) => kind === "secret");

  test("lose all their secrets", () => {
    const { share, failed } = score(
      secretRecords,
      ({ secrets = [] }, text) => !secrets.some((one) => text.includes(one)),
    );
    expect(share, failed.join(" ")).toBeGreaterThanOrEqual(0.97);
  });

  test("stay as they are, where benign", () => {
    const benign = of.filter(({ kind }) => kind === "benign");
    const { share, failed } = score(benign, ({ text: before }, after) => after === before);
    expect(share, failed.join(" ")).toBeGreaterThanOrEqual(0.97);
  });

  test("keep what stands round the secret", () => {
    const { share, failed } = score(secretRecords, ({ keep = [] }, text) => keep.every((one) => text.includes(one)));
    expect(share, failed.join(" ")).toBeGreaterThanOrEqual(file === "redaction-3.jsonl" ? 0.96 : 0.97);
  });
});

test("SR-49 a labelled record redacted twice is the same as once", () => {
  const changed = records.filter(({ text }) => redacted(redacted(text)) !== redacted(text));
  expect(changed.map(({ id }) => id)).toEqual([]);
});

const pieces = [
  ...records.map(({ text }) => text),
  "password=",
  "token: ",
  '"',
  "'",
  "\\",
  "[REDACTED]",
  "://u:",
  "@h",
  "\n",
];

test("SR-49 any text redacted twice is the same as once", () => {
  const piece = fc.oneof(fc.constantFrom(...pieces), fc.string({ maxLength: 12 }));
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 6 }), (parts) => {
      const once = redact(parts.join(""));
      expect(once.ok && redact(once.text)).toEqual(once.ok && { ok: true, text: once.text, count: 0 });
    }),
    { numRuns: 150 },
  );
});

test("SR-49 the mark tells neither length nor beginning nor end of a secret", () => {
  const drawn = fc.string({
    unit: fc.constantFrom(..."abcdefghijkmnpqrstuvwxyzABCDEFGH23456789"),
    minLength: 12,
    maxLength: 80,
  });
  fc.assert(
    fc.property(drawn, (secret) => {
      expect(redacted(`user=ann DB_PASSWORD=${secret} port=1`)).toBe("user=ann DB_PASSWORD=[REDACTED] port=1");
    }),
  );
});

const held = fc
  .string({ unit: "binary", minLength: 8, maxLength: 40 })
  .filter((value) => value.trim().length >= 8 && !/[\r\n]/.test(value));

test("SR-47 a value the bot holds is found in every encoding, wherever it stands", () => {
  fc.assert(
    fc.property(held, fc.string({ maxLength: 9 }), fc.string({ maxLength: 9 }), (raw, before, after) => {
      const value = raw.toWellFormed().trim();
      const known = createRedactor({ secrets: [value] });
      const around = before + value + after;
      const written = [
        around,
        Buffer.from(value).toString("hex"),
        encodeURIComponent(value),
        JSON.stringify(value),
        `'${value.replaceAll("'", `'\\''`)}'`,
      ];
      for (const text of written) expect(redacted(text, known)).toContain("[REDACTED]");
      for (const encoding of ["base64", "base64url"] as const) {
        expect(redacted(Buffer.from(around).toString(encoding), known)).toContain("[REDACTED]");
      }
    }),
    { numRuns: 200 },
  );
});

const printable = fc.string({ minLength: 12, maxLength: 40 }).filter((value) => value.trim().length >= 12);

test("SR-47 a held value is found in base64 that is wrapped at any column, and in hex with separators", () => {
  fc.assert(
    fc.property(
      printable,
      fc.nat(80),
      fc.constantFrom(64, 76),
      fc.constantFrom(":", " ", "-", "\\x"),
      (raw, before, width, sign) => {
        const value = raw.trim();
        const known = createRedactor({ secrets: [value] });
        const encoded = Buffer.from("x".repeat(before) + value + "y".repeat(60)).toString("base64");
        const wrapped = encoded.replace(new RegExp(`.{${width}}`, "g"), "$&\n");
        const bytes = Buffer.from(value)
          .toString("hex")
          .replace(/..(?!$)/g, `$&${sign}`);
        for (const text of [wrapped, bytes, bytes.toUpperCase().replaceAll("\\X", "\\x")])
          expect(redacted(text, known)).toContain("[REDACTED]");
      },
    ),
    { numRuns: 150 },
  );
});

test("SR-47 a held value that a chunk's edge cuts is gone from both sides; a short one is hidden as a word only", () => {
  const known = createRedactor({ secrets: ["Zx9!kd&Qm2/pw+Lr7", "ab1!c"] });
  expect(redacted("it was Zx9!kd&Qm2", known)).toBe("it was [REDACTED]");
  expect(redacted("Qm2/pw+Lr7 it was", known)).toBe("[REDACTED] it was");
  expect(redacted("pin ab1!c, not xab1!cx", known)).toBe("pin [REDACTED], not xab1!cx");
});

test("SR-48 past its time a text is withheld, in the midst of a layer too", () => {
  const text = "password=a,".repeat(5000);
  const reads = (clock: (read: number) => number): { ok: boolean; count: number } => {
    let count = 0;
    return { ok: createRedactor({ now: () => clock(count++) })(text).ok, count };
  };
  const calm = reads(() => 0);
  expect(calm.ok).toBe(true);
  // Two looks of nine layers are 18 occasions between them.
  expect(calm.count).toBeGreaterThan(2 * 18);
  expect(reads((read) => (read === 0 ? 0 : 5001))).toEqual({ ok: false, count: 2 });
});
