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

const failures = [
  { what: "no answer at all", error: new TypeError("fetch failed"), is: "ambiguous" },
  { what: "a deadline", error: new DOMException("timed out", "TimeoutError"), is: "ambiguous" },
  { what: "something that is no error", error: "broken", is: "ambiguous" },
  { what: "nothing", error: undefined, is: "ambiguous" },
  { what: "a status that is no number", error: { status: "404" }, is: "ambiguous" },
  { what: "500", error: answered(500), is: "ambiguous" },
  { what: "502", error: answered(502), is: "ambiguous" },
  { what: "503 with retry-after", error: answered(503, { "retry-after": "5" }), is: "ambiguous" },
  { what: "401", error: answered(401, {}, "Bad credentials"), is: "later", afterMs: 60_000 },
  {
    what: "403 of a suspended installation",
    error: answered(403, {}, "This installation has been suspended"),
    is: "later",
    afterMs: 60_000,
  },
  { what: "403 without a limit", error: answered(403, {}, "Resource not accessible by integration"), is: "never" },
  { what: "403 with requests left", error: answered(403, { "x-ratelimit-remaining": "4000" }), is: "never" },
  { what: "404", error: answered(404, {}, "Not Found"), is: "never" },
  { what: "410", error: answered(410, {}, "This issue was deleted"), is: "never" },
  { what: "422", error: answered(422, {}, "Validation Failed"), is: "never" },
  { what: "429", error: answered(429), is: "later", afterMs: 60_000 },
  { what: "429 with retry-after", error: answered(429, { "retry-after": "90" }), is: "later", afterMs: 90_000 },
  { what: "403 with retry-after", error: answered(403, { "retry-after": "61" }), is: "later", afterMs: 61_000 },
  {
    what: "403 that speaks of a secondary rate limit",
    error: answered(403, {}, "You have exceeded a secondary rate limit"),
    is: "later",
    afterMs: 60_000,
  },
  {
    what: "403 that speaks of abuse",
    error: answered(403, {}, "abuse detection mechanism"),
    is: "later",
    afterMs: 60_000,
  },
  {
    what: "403 with none left until a reset",
    error: answered(403, { "x-ratelimit-remaining": "0", "x-ratelimit-reset": inSeconds(2_400) }),
    is: "later",
    afterMs: 2_400_000,
  },
  {
    what: "a reset that is past",
    error: answered(429, { "x-ratelimit-remaining": "0", "x-ratelimit-reset": inSeconds(-30) }),
    is: "later",
    afterMs: 1_000,
  },
  {
    what: "a reset while some are left",
    error: answered(429, { "x-ratelimit-remaining": "7", "x-ratelimit-reset": inSeconds(5) }),
    is: "later",
    afterMs: 60_000,
  },
  {
    what: "none left and no reset",
    error: answered(403, { "x-ratelimit-remaining": "0" }),
    is: "later",
    afterMs: 60_000,
  },
  {
    what: "a retry-after that is no number",
    error: answered(403, { "retry-after": "soon" }),
    is: "later",
    afterMs: 60_000,
  },
  { what: "a retry-after of nothing", error: answered(403, { "retry-after": "0" }), is: "later", afterMs: 60_000 },
  {
    what: "retry-after before the reset",
    error: answered(403, { "retry-after": "10", "x-ratelimit-remaining": "0", "x-ratelimit-reset": inSeconds(99) }),
    is: "later",
    afterMs: 10_000,
  },
  { what: "GraphQL that finds nothing", error: graphql(["NOT_FOUND"]), is: "never" },
  { what: "GraphQL that forbids it", error: graphql(["FORBIDDEN"]), is: "never" },
  { what: "GraphQL that cannot do it", error: graphql([undefined, "UNPROCESSABLE"]), is: "never" },
  { what: "GraphQL that does not say why", error: graphql([undefined]), is: "ambiguous" },
  { what: "GraphQL that is down", error: graphql(["SERVICE_UNAVAILABLE"]), is: "ambiguous" },
  { what: "GraphQL that limits", error: graphql(["RATE_LIMITED"]), is: "later", afterMs: 60_000 },
  {
    what: "GraphQL that limits until a reset",
    error: graphql(["RATE_LIMITED"], { "x-ratelimit-remaining": "0", "x-ratelimit-reset": inSeconds(120) }),
    is: "later",
    afterMs: 120_000,
  },
  {
    what: "GraphQL that limits by its newer word",
    error: graphql(["RATE_LIMIT"], { "x-ratelimit-remaining": "0", "x-ratelimit-reset": inSeconds(120) }),
    is: "later",
    afterMs: 120_000,
  },
] as const;

describe("a write that failed", () => {
  test.each(failures)("RR-07 RR-08 $what: $is", ({ error, is, ...rest }) => {
    const failure = writeFailure(error, now);
    expect(failure.kind).toBe(is);
    expect(failure.why).toMatch(/\w{3}/);
    // Only GitHub says anything but a minute.
    if ("isTold" in failure) expect(failure.isTold).toBe(failure.afterMs !== 60_000);
    expect("afterMs" in failure ? failure.afterMs : undefined).toBe("afterMs" in rest ? rest.afterMs : undefined);
  });

  test("RR-08 what is kept of GitHub's words is short", () => {
    expect(writeFailure(answered(422, {}, "x".repeat(100_000)), now).why.length).toBeLessThan(300);
  });
});
