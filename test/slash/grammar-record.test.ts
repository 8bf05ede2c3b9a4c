import { describe, expect, test } from "vitest";
import { comment } from "../../src/cli/answers.ts";

const record = (verb: string, ids: "all" | readonly (number | string)[], args: readonly string[], note: string) => ({
  verb,
  ids,
  args,
  note,
});

/** `comment --jsonl` without a config: bodies and its answer (CONFIG), one line each. */
const answers: readonly (readonly [body: string, answer: object | null])[] = [
  // Commands.
  ["/approve 1, 2 because", record("approve", [1, 2], [], "because")],
  ["/approve 3@1A2B3C4D 4", record("approve", ["3@1a2b3c4d", 4], [], "")],
  ["/Approve ALL --keep-going\nthe db team agrees", record("approve", "all", ["--keep-going"], "the db team agrees")],
  ["/approve --timeout 10m 1 web-1 why", record("approve", [1], ["--timeout", "10m"], "web-1 why")],
  ["/ops reject 2 too risky\n\nsee #12", record("reject", [2], ["too", "risky"], "see #12")],
  ["/output 2 tail 50", record("output", [2], ["tail", "50"], "")],
  ["/help", record("help", [], [], "")],
  ["> /approve 1\n/approve 2", record("approve", [2], [], "")],
  // Wrong arguments are still a command: its file says what is wrong.
  ["/approve", record("approve", [], [], "")],
  ["/approve #1", record("approve", [], [], "#1")],
  ["/approve 1@abc", record("approve", [], [], "1@abc")],
  ["/approve １", record("approve", [], [], "１")],
  ["/approve 1 not --keep-going", record("approve", [1], [], "not --keep-going")],
  // Hints, typos and other bots' commands are no command.
  ["`/approve 1`", null],
  ["/aprove 1", null],
  ["/lgtm", null],
  // Talk.
  ["I think 2 is right", null],
  ["> /approve 1", null],
  ["```\n/approve 1\n```", null],
  ["<!-- /approve 1 -->", null],
  ["    /approve 1", null],
  ["/аpprove 1", null],
  ["yes", null],
  ["", null],
];

describe("the record of a comment", () => {
  test.each(answers)("CONFIG SR-22 comment: %j", (body, answer) =>
    expect(comment(undefined)({ body })).toEqual(answer),
  );
});
