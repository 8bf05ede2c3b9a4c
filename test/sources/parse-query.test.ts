import { describe, expect, it } from "vitest";
import { createEvaluator } from "../../src/risk/evaluate.ts";
import { parseQuery } from "../../src/sources/parse-query.ts";
import { source } from "./world.ts";

const prom = source();
const loki = source({ kind: "loki" });

describe("a command for a source", () => {
  it.each([
    ["query up", prom, { call: "query", query: "up" }],
    [
      `query "up{job='web'} == 0" --until 2026-11-24T03:00Z`,
      prom,
      { call: "query", query: "up{job='web'} == 0", until: "2026-11-24T03:00Z" },
    ],
    [
      "query_range 'rate(x[5m])'",
      prom,
      { call: "query_range", query: "rate(x[5m])", sinceMs: 3_600_000, stepMs: 60_000 },
    ],
    [
      "query_range up --since 30s --step 500ms",
      prom,
      { call: "query_range", query: "up", sinceMs: 30_000, stepMs: 500 },
    ],
    [
      `query_range '{app="x"} |= "[90d"' --limit 5`,
      loki,
      { call: "query_range", query: `{app="x"} |= "[90d"`, sinceMs: 3_600_000, stepMs: 60_000, limit: 5 },
    ],
  ])("is read: %s", (command, on, plan) => {
    expect(parseQuery(command, on)).toEqual({ ok: true, plan });
  });

  it.each([
    ["cat /etc/shadow", "only queries run on a source"],
    ["query", "the query is missing"],
    ["query up | grep 0", "takes no pipe"],
    ["query up; id", "no shell for a second command"],
    ["query $(id)", "no shell"],
    ["query rate(up)", "no shell"],
    ["query up --url http://elsewhere", "`--url` is not known here"],
    ["query up --since 1h", "`--since` is not known here"],
    ["query_range up --since soon", "`soon` is no duration"],
    ["query_range up --step 0s", "`0s` is no duration"],
    ["query_range up --since 1h --since 9d", "takes one value"],
    ["query up --until yesterday", "is no time"],
    ["query up --limit 5", "`--limit` is not known here"],
    ["query_range up --since 2d", "it reads 2d, and this source allows 1d"],
    ["query_range up --since 1d --step 1s", "more than 1000 points"],
    ["query 'rate(x[2d])'", "it reads 2d"],
    ["query 'max_over_time(rate(x[20h])[20h:1m])'", "it reads 40h"],
    ["query 'sum_over_time(x[23h:1ms])'", "more than 11000 steps"],
    ["query 'rate(x[172800])'", "it reads 2d"],
    ["query 'rate(x[1d1h])'", "it reads 25h"],
    ["query 'rate(x[1h * 90])'", "no range that can be read"],
    ["query 'x # \"\n + rate(y[90d]) # \"'", "it has a comment"],
    [`query 'rate(x[1m]) /* " */ + rate(y[90d]) /* " */'`, "it has a comment"],
    [`query 'x{a="\\\\"} + rate(y[90d]) + z{a=""}'`, "it reads 90d"],
    [`query 'x{a="b'`, "is not closed"],
  ])("SR-10 is refused with what to write instead: %s", (command, why) => {
    const parsed = parseQuery(command, prom);
    expect(parsed).toMatchObject({
      ok: false,
      reason: expect.stringContaining(why),
      remedy: expect.stringMatching(/\w{3}/),
    });
  });

  it("SR-10 is low by its first word alone where a source reads it, and never where a shell does", () => {
    const evaluate = createEvaluator();
    const where = { os: "linux", shell: "bash" } as const;
    expect(evaluate("query up", { ...where, source: prom })).toMatchObject({ risk: "low", unknown: false });
    expect(evaluate("systemctl restart web", { ...where, source: prom }).risk).toBe("block");
    expect(evaluate("constructor", { ...where, source: prom }).risk).toBe("block");
    expect(evaluate("query up", where).risk).not.toBe("low");
  });
});
