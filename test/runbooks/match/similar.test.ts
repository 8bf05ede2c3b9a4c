import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { createWithoutNames, findSimilar } from "../../../src/runbooks/match/similar.ts";

type Labelled = { readonly title: string; readonly body: string; readonly right: readonly string[] };
const labelled: readonly Labelled[] = readFileSync(new URL("../incidents.jsonl", import.meta.url), "utf8")
  .trim()
  .split("\n")
  .map((line): Labelled => JSON.parse(line))
  .filter(({ right }) => right.length > 0);

const servers = ["web-1", "web-2", "db"];
const found = (
  title: string,
  past: readonly (readonly [title: string, body: string])[],
  body = "/var/log is at 98 percent.",
) =>
  findSimilar(
    { title, body },
    past.map(([title, body]) => ({ title, body })),
    { servers, most: 2 },
  ).map(({ title }) => title);

describe("incidents of before", () => {
  test.each([
    ["SpoolAlmostFull on web-2", [["SpoolAlmostFull on web-1", "The spool is at 97 percent."]]],
    ["Checkout is slow (2)", [["checkout is slow", "p99 is 3 s"]]],
    ["disk full on web-1", [["web-1: /var is full", "a debug log grew"]]],
  ] as const)("OFF-1 %s is like %j", (title, past) => {
    const other = ["TLS certificate of db expired", "curl says so"] as const;
    expect(found(title, [other, ...past])).toEqual(past.map(([title]) => title));
  });

  test.each([
    ["web-1 is odd", [["web-1 was rebooted", "All came back."]]],
    ["Please rename the repository", [["Please rename the team", "It has a new name."]]],
    ["TLS certificate of web-1 expired", [["web-1: /var is full", "a debug log grew"]]],
    ["Help", [["Help", "The disk is full."]]],
    ["SpoolAlmostFull on web-1", []],
  ] as const)("OFF-1 %s is like none of %j", (title, past) => {
    expect(found(title, past)).toEqual([]);
  });

  test("of one that recurs the newest come first, two where two are wanted", () => {
    const past = ["one", "two", "three"].map((body) => ({ title: "SpoolAlmostFull on web-1", body }));
    const similar = findSimilar({ title: "SpoolAlmostFull on db", body: "" }, past, { servers, most: 2 });
    expect(similar.map(({ body }) => body)).toEqual(["one", "two"]);
  });

  test("OFF-1 of hundreds of labelled incidents no two are called similar that are about different things", {
    tags: ["long"],
  }, () => {
    const wrong: string[] = [];
    let hits = 0;
    for (const [at, one] of labelled.entries()) {
      if (at % 2 !== 0) continue;
      const past = labelled.filter((_other, index) => index !== at && (index + at) % 6 === 0);
      const [hit] = findSimilar(one, past, { servers, most: 1 });
      if (!hit) continue;
      hits += 1;
      if (!hit.right.some((name) => one.right.includes(name))) wrong.push(`${one.title} / ${hit.title}`);
    }
    expect(wrong).toEqual([]);
    expect(hits).toBeGreaterThan(15);
  });
});

describe("incidents of before by their signs", () => {
  type Text = { readonly title: string; readonly body: string };
  const of = (title: string, body: string): Text => ({ title, body });
  const search = {
    servers,
    most: 2,
    runbookOf: ({ title, body }: Text) => (/puits|pool/.test(title + body) ? "pool-used-up" : undefined),
    errorsIn: ({ body }: Text) => [...body.matchAll(/`([^`]+)`/g)].map(([, line]) => line ?? ""),
  };
  const past = [
    of("La caisse ne répond plus", "Sur web-1: `FATAL: remaining connection slots are reserved (pid 311)`"),
    of("Kasse langsam", "Auf web-2 seit 14:02: `read tcp 10.0.0.1:5432: i/o timeout`"),
    of("Voller pool", "auf db"),
  ];
  test.each([
    [
      "the same error on the same server",
      of("Kunden warten", "web-1: `FATAL: remaining connection slots are reserved (pid 9)`"),
      0,
    ],
    [
      "the same error for another's address and port",
      of("注文が遅い", "web-2 `read tcp 10.9.9.9:6432: i/o timeout`"),
      1,
    ],
    ["the same runbook on the same server", of("Plus de puits", "sur db"), 2],
  ] as const)("OFF-1 are found in another language by %s", (_, incident, at) => {
    expect(findSimilar(incident, past, search)).toEqual([past[at]]);
  });

  test.each([
    ["one server alone", of("Autre chose", "web-1 redémarre")],
    ["one error alone", of("Autre chose", "`FATAL: remaining connection slots are reserved`")],
    ["one runbook alone", of("Le pool", "sur web-2")],
    ["an error of two words", of("Autre chose", "web-1 `FATAL: 311 slots`")],
  ])("OFF-1 are not found by %s", (_, incident) => {
    expect(findSimilar(incident, past, search)).toEqual([]);
  });
});

test.each([
  ["SpoolAlmostFull on web-1", "SpoolAlmostFull"],
  ["WEB-2: out of memory", ": out of memory"],
  ["web-10 and db-1 are slow", "web-10 and db-1 are slow"],
  ["The database is slow", "The database is slow"],
])("createWithoutNames: %s", (text, bare) => {
  expect(createWithoutNames(servers)(text)).toBe(bare);
});
