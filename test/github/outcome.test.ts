import { describe, expect, test } from "vitest";
import { isAway, writeFailure } from "../../src/github/outcome.ts";

const now = Date.UTC(2026, 0, 1, 12);
const inSeconds = (seconds: number): string => `${now / 1000 + seconds}`;
const answered = (status: number, headers: Readonly<Record<string, string>> = {}, message = "") =>
  Object.assign(new Error(message), { status, response: { status, headers } });

const graphql = (types: readonly (string | undefined)[], headers: Readonly<Record<string, string>> = {}) =>
  Object.assign(new Error("Request failed due to following response errors"), {
    headers,
    errors: types.map((type) => ({ message: "no", ...(type && { type }) })),
  });

test.each([
  ["a lost connection, as Octokit tells it", answered(500), true],
  ["503", answered(503), true],
  ["a limit", answered(429), true],
  ["a token that is not taken", answered(401), true],
  ["GraphQL without an answer", graphql([undefined]), true],
  ["404", answered(404), false],
  ["GraphQL that finds nothing", graphql(["NOT_FOUND"]), false],
  ["a mistake of ours", new TypeError("x is not a function"), false],
  ["several mistakes of ours", new AggregateError([new Error("no")]), false],
  ["nothing", undefined, false],
])("RR-11 tells GitHub that is away for a while from all else: %s", (_, error, away) => {
  expect(isAway(error)).toBe(away);
});

const minute = 60_000;
const limits = (remaining: number, resetsIn: number) => ({
  "x-ratelimit-remaining": `${remaining}`,
  "x-ratelimit-reset": inSeconds(resetsIn),
});

describe("a write that failed", () => {
  test.each([
    ["no answer at all", new TypeError("fetch failed"), "ambiguous"],
    ["a deadline", new DOMException("timed out", "TimeoutError"), "ambiguous"],
    ["something that is no error", "broken", "ambiguous"],
    ["nothing", undefined, "ambiguous"],
    ["a status that is no number", { status: "404" }, "ambiguous"],
    ["500", answered(500), "ambiguous"],
    ["502", answered(502), "ambiguous"],
    ["503 with retry-after", answered(503, { "retry-after": "5" }), "ambiguous"],
    ["401", answered(401, {}, "Bad credentials"), minute],
    ["403 of a suspended installation", answered(403, {}, "This installation has been suspended"), minute],
    ["403 without a limit", answered(403, {}, "Resource not accessible by integration"), "never"],
    ["403 with requests left", answered(403, { "x-ratelimit-remaining": "4000" }), "never"],
    ["404", answered(404, {}, "Not Found"), "never"],
    ["410", answered(410, {}, "This issue was deleted"), "never"],
    ["422", answered(422, {}, "Validation Failed"), "never"],
    ["429", answered(429), minute],
    ["429 with retry-after", answered(429, { "retry-after": "90" }), 90_000],
    ["403 with retry-after", answered(403, { "retry-after": "61" }), 61_000],
    ["403 that speaks of a secondary limit", answered(403, {}, "You have exceeded a secondary rate limit"), minute],
    ["403 that speaks of abuse", answered(403, {}, "abuse detection mechanism"), minute],
    ["403 with none left until a reset", answered(403, limits(0, 2_400)), 2_400_000],
    ["a reset that is past", answered(429, limits(0, -30)), 1_000],
    ["a reset while some are left", answered(429, limits(7, 5)), minute],
    ["none left and no reset", answered(403, { "x-ratelimit-remaining": "0" }), minute],
    ["a retry-after that is no number", answered(403, { "retry-after": "soon" }), minute],
    ["a retry-after of nothing", answered(403, { "retry-after": "0" }), minute],
    ["retry-after before the reset", answered(403, { "retry-after": "10", ...limits(0, 99) }), 10_000],
    ["GraphQL that finds nothing", graphql(["NOT_FOUND"]), "never"],
    ["GraphQL that forbids it", graphql(["FORBIDDEN"]), "never"],
    ["GraphQL that cannot do it", graphql([undefined, "UNPROCESSABLE"]), "never"],
    ["GraphQL that does not say why", graphql([undefined]), "ambiguous"],
    ["GraphQL that is down", graphql(["SERVICE_UNAVAILABLE"]), "ambiguous"],
    ["GraphQL that limits", graphql(["RATE_LIMITED"]), minute],
    ["GraphQL that limits until a reset", graphql(["RATE_LIMITED"], limits(0, 120)), 120_000],
    ["GraphQL that limits by its newer word", graphql(["RATE_LIMIT"], limits(0, 120)), 120_000],
  ] as const)("RR-07 RR-08 %s: %3$s", (_what, error, is) => {
    const failure = writeFailure(error, now);
    expect(failure.why).toMatch(/\w{3}/);
    if (typeof is === "string") expect(failure.kind).toBe(is);
    // Only GitHub says anything but a minute.
    else expect(failure).toMatchObject({ kind: "later", afterMs: is, isTold: is !== minute });
    expect("afterMs" in failure).toBe(typeof is === "number");
  });

  test("RR-08 what is kept of GitHub's words is short", () => {
    expect(writeFailure(answered(422, {}, "x".repeat(100_000)), now).why.length).toBeLessThan(300);
  });
});
