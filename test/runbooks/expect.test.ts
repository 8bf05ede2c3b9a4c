import { expect, test } from "vitest";
import { type Ending, type Expectation, wentWell } from "../../src/base/run.ts";
import { outcomeOf } from "../../src/runbooks/expect.ts";
import { createPatternSearch } from "../../src/text/pattern.ts";

const why = (
  expectation: Expectation,
  ending: Ending,
  output: string | undefined = "",
  durationMs: number | null = 1,
) => {
  const has = (pattern: string): boolean | undefined => {
    if (output === undefined) return undefined;
    const search = createPatternSearch(pattern);
    search.push(output);
    return search.found();
  };
  const outcome = outcomeOf(expectation, { ending, durationMs, has });
  expect(wentWell({ ending, outcome })).toBe(outcome.kind === "as-expected");
  return outcome.kind === "surprise" ? outcome.why : undefined;
};
const exited = (code: number): Ending => ({ kind: "exited", code });

test("WF-2 an expectation that does not hold says why, and what cannot be checked does not hold", () => {
  expect(why({ exit: 0 }, exited(2))).toBe("it exited with 2, not 0");
  expect(why({ exit: 1 }, { kind: "exited", code: 1, of: "kubectl" })).toBe("kubectl itself failed, with 1");
  expect(why({ exit: 1 }, exited(1))).toBeUndefined();
  expect(why({ exit: 0, contains: "ok" }, exited(0), "all ok")).toBeUndefined();
  expect(why({ exit: 0, contains: "ok" }, exited(0), "bad")).toBe('its output lacks "ok"');
  expect(why({ exit: 1, lacks: "100%" }, exited(1), "/var 100%")).toBe('its output has "100%"');
  expect(outcomeOf({ exit: 0, contains: "ok" }, { ending: exited(0), durationMs: 1, has: () => undefined })).toEqual({
    kind: "surprise",
    why: 'not all of its output is there to look for "ok"',
  });
  expect(outcomeOf({ exit: 0, lacks: "x" }, { ending: exited(0), durationMs: 1, has: () => undefined })).toMatchObject({
    kind: "surprise",
  });
  expect(why({ exit: 0, withinMs: 500 }, exited(0), "", 500)).toBeUndefined();
  expect(why({ exit: 0, withinMs: 500 }, exited(0), "", 501)).toBe("it took 0.501 s, not at most 0.5 s");
  expect(why({ exit: 0, withinMs: 500 }, exited(0), "", null)).toContain("a time nobody knows");
  expect(why({ exit: 0 }, { kind: "timed-out", afterMs: 1 })).toContain("timed-out");
  expect(why({ exit: 0 }, { kind: "unknown", reason: "lost" })).toContain("unknown");
});

test("WF-2 without an expectation exit code 0 is a good end", () => {
  expect(wentWell({ ending: exited(0), outcome: null })).toBe(true);
  expect(wentWell({ ending: exited(1), outcome: null })).toBe(false);
  expect(wentWell({ ending: null, outcome: null })).toBe(false);
});
