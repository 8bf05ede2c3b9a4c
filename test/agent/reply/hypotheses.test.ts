import { describe, expect, it } from "vitest";
import { type NamedHypothesis, readActionList } from "../../../src/agent/reply/actions.ts";
import type { RecordedRun } from "../../../src/agent/reply/claims.ts";
import { confirmedAgainst, isUnproven, judgeHypotheses } from "../../../src/agent/reply/hypotheses.ts";
import { parseReply } from "../../../src/agent/reply/protocol.ts";
import type { Confidence, Hypothesis } from "../../../src/base/agent.ts";
import type { Ending } from "../../../src/base/run.ts";

const run = (number: number, ending: Ending | null = { kind: "exited", code: 0 }): RecordedRun => ({
  ...{ number, ending, servers: ["web-1"], command: "df -h", reads: true, isWell: true, output: "/dev/sda1 95% /var" },
});
/** 3 ended, 5 with an error; 6 runs; 7 ended unknown; 8 was not started; 9 is unknown on one server and ended on the other. */
const runs: readonly RecordedRun[] = [
  ...[run(3), run(5, { kind: "exited", code: 1 }), run(6, null), run(7, { kind: "unknown", reason: "lost" })],
  ...[run(8, { kind: "unreachable", reason: "down" }), run(9, { kind: "unknown", reason: "lost" }), run(9)],
];
const disk: Hypothesis = { id: "disk", says: "the log fills /var", status: "likely", forRuns: [3], againstRuns: [] };

const read = (...hypotheses: readonly unknown[]) => readActionList({ hypotheses }, { maxActions: 3 }).hypotheses;
const judge = (named: readonly unknown[], known: readonly Hypothesis[] = []) =>
  judgeHypotheses(read(...named), { known, runs, findUnfounded: () => [] });
const one = (change: object, known: readonly Hypothesis[] = []) => {
  const { now, faults } = judge([{ id: "disk", says: "the log fills /var", ...change }], known);
  return { ...now[0], faults };
};

describe("AR-15 how a reply names hypotheses", () => {
  const list = [{ id: "disk", says: "the log fills /var", status: "likely", for: ["run 3"], against: ["#5"] }];
  const named = { named: list, unreadable: [] };
  const block = (value: object) =>
    `LIKELY: so it is.\n---ACTIONS_JSON_START---\n${JSON.stringify(value)}\n---ACTIONS_JSON_END---`;
  const action = { api: "ssh.execute", title: "T", description: "d", params: { server: "web-1", command: "df -h" } };

  it("in a block, beside proposals or alone, and in a call written as text", () => {
    const beside = parseReply(block({ actions: [action], hypotheses: list }), {});
    expect([beside.hypotheses, beside.actions.length, beside.notes]).toEqual([named, 1, []]);
    const alone = parseReply(block({ hypotheses: list }), {});
    expect([alone.hypotheses, alone.actions, alone.error, alone.notes]).toEqual([named, [], null, []]);
    const calls = [{ hypotheses: list }, { actions: [action] }, { withdraw: [2] }].map(
      (args) => `<tool_call>${JSON.stringify({ name: "propose_actions", arguments: args })}</tool_call>`,
    );
    const called = parseReply(`LIKELY: so it is.\n${calls.join("\n")}`, {});
    expect([called.hypotheses, called.actions.length, called.withdraw, called.error]).toEqual([named, 1, [2], null]);
  });

  it("a list without proposals that names none is still none", () => {
    expect(parseReply(block({}), {}).error).toBe("bad-shape");
    expect(parseReply(block({ replaces: [2] }), {}).error).toBe("bad-shape");
    expect(parseReply(block({ actions: "none", hypotheses: list }), {}).error).toBe("bad-shape");
  });

  it("takes a number for an id or a run, any case of a status, one reference without a list; a line stays one, and short", () => {
    expect(read({ id: 1, says: "a\n\n b", status: " Likely", for: 3, against: [5, "run 6"] })).toEqual({
      named: [{ id: "1", says: "a b", status: "likely", for: ["3"], against: ["5", "run 6"] }],
      unreadable: [],
    });
  });

  it("says of each what cannot be read, and takes the others", () => {
    const bad = [{ says: "no id" }, { id: "a", status: "proven" }, 7, { id: "i".repeat(41) }];
    expect(read(...bad, { id: "b" })).toEqual({
      named: [{ id: "b" }],
      unreadable: [
        "one: id is missing",
        '"a": status is none of confirmed, likely, open, refuted',
        "one: it is no object",
        "one: id is longer than 40 characters",
      ],
    });
    expect(read(...Array.from({ length: 20 }, (_, at) => ({ id: at }))).unreadable).toEqual(["more than 12 at a time"]);
  });
});

describe("AR-15 PA-4 a hypothesis and the record", () => {
  it.each([
    "run 3",
    "3",
    "#3",
    "Run #3",
    "run of 3",
    "the run 3",
    "action 3",
    "output of 3",
    "**3**",
    "no. 3",
    "run 3 on web-1",
    "run 3, check 2",
  ])("%s names run 3", (written) =>
    expect(one({ status: "confirmed", for: [written] })).toMatchObject({
      status: "confirmed",
      forRuns: [3],
      faults: [],
    }),
  );

  it.each([
    ["run 4", "4 has not run"],
    ["6", "6 has not ended"],
    ["run 7", "how 7 ended is unknown"],
    ["8", "8 was not started"],
    ["the alert", '"the alert" is no run'],
    ["3 pods", '"3 pods" is no run'],
    ["check 3", '"check 3" is no run'],
    ["3 and 5", '"3 and 5" is no run'],
    ["0x3", '"0x3" is no run'],
    ["", '"it" is no run'],
    ["r".repeat(61), '"it" is no run'],
  ])("%s proves nothing: %s", (written, why) => {
    expect(one({ status: "confirmed", for: [written] })).toMatchObject({
      ...{ status: "likely", forRuns: [] },
      faults: [`"disk": ${why}`, '"disk": no run confirms it'],
    });
    expect(one({ status: "refuted", for: ["3"], against: [written] })).toMatchObject({
      ...{ status: "open", forRuns: [3], againstRuns: [] },
      faults: [`"disk": ${why}`, '"disk": no run refutes it'],
    });
  });

  it("a run that is known on one server stands", () => {
    expect(one({ status: "confirmed", for: ["9"] })).toMatchObject({ status: "confirmed", forRuns: [9], faults: [] });
  });

  it("a run that speaks for both sides settles nothing, beside another it does not matter", () => {
    expect(one({ status: "confirmed", for: [3], against: [3] }).status).toBe("likely");
    expect(one({ status: "refuted", for: [3], against: [3] }).status).toBe("open");
    expect(one({ status: "confirmed", for: [3, 5], against: [3] }).status).toBe("confirmed");
  });

  it("what a reply leaves out of one stays; a new one is open, and has to say something", () => {
    expect(judge([{ id: "disk", status: "confirmed" }], [disk])).toMatchObject({
      now: [{ ...disk, status: "confirmed" }],
      faults: [],
    });
    expect(judge([{ id: "disk", against: ["5"] }], [disk])).toMatchObject({ now: [{ ...disk, againstRuns: [5] }] });
    expect(judge([{ id: "disk", for: [] }], [{ ...disk, status: "confirmed" }])).toMatchObject({
      now: [{ ...disk, status: "likely", forRuns: [] }],
      faults: ['"disk": no run confirms it'],
    });
    expect(judge([{ id: "new" }])).toEqual({ now: [], known: [], lowered: [], faults: ['"new": says is missing'] });
    expect(one({ id: "new" })).toMatchObject({ status: "open", forRuns: [], againstRuns: [], faults: [] });
  });

  it("the last of two with one id counts, on top of the one before", () => {
    const twice = [
      { id: "a", says: "x", for: [3] },
      { id: "a", status: "confirmed" },
    ];
    expect(judge(twice).now).toEqual([{ id: "a", says: "x", status: "confirmed", forRuns: [3], againstRuns: [] }]);
  });

  it("there are twelve at most; those that are there change all the same", () => {
    const known = Array.from({ length: 12 }, (_, at) => ({ ...disk, id: `${at}` }));
    const { now, faults } = judge(
      [
        { id: "new", says: "x" },
        { id: "3", says: "y" },
      ],
      known,
    );
    expect(now.map(({ id, says }) => [id, says])).toEqual([["3", "y"]]);
    expect(faults).toEqual(['"new": there are 12 already, change one of those']);
  });

  it("words that no record holds are struck: an earlier one keeps its own, a new one with no others is left out", () => {
    const invented = (named: NamedHypothesis, known: readonly Hypothesis[]) =>
      judgeHypotheses(
        { named: [named], unreadable: [] },
        {
          known,
          runs,
          findUnfounded: (text) => (text === "" ? [] : [{ from: 0, to: text.length, why: "12 has not run" }]),
        },
      );
    const guess = { id: "disk", says: "run 12 will show it", for: ["3"] };
    for (const status of ["open", "likely"] as const)
      expect(invented({ ...guess, status }, []), "a guess claims nothing").toMatchObject({
        now: [{ says: guess.says, status }],
        faults: [],
      });
    const named = { id: "disk", says: "run 12 shows it", status: "confirmed", for: ["3"] } as const;
    expect(invented(named, [disk])).toMatchObject({
      now: [{ ...disk, status: "confirmed" }],
      faults: ['"disk": 12 has not run'],
    });
    expect(invented(named, [])).toMatchObject({ now: [], faults: ['"disk": 12 has not run'] });
  });
});

describe("AR-15 the word of the first line and the hypotheses", () => {
  const confirmed: Hypothesis = { ...disk, status: "confirmed" };
  const refuted: Hypothesis = { ...disk, status: "refuted", againstRuns: [5] };
  const other: Hypothesis = { ...disk, id: "other", says: "nobody rotates it" };
  const judged = (now: readonly Hypothesis[], known: readonly Hypothesis[], lowered: readonly Hypothesis[] = []) => ({
    ...{ now, known, lowered, faults: [] },
  });

  it.each<[Confidence | undefined, readonly Hypothesis[], readonly Hypothesis[], boolean]>([
    ["LIKELY", [confirmed], [], true],
    ["INCONCLUSIVE", [confirmed], [disk], true],
    ["LIKELY", [confirmed, { ...refuted, id: "deploy" }], [], true],
    // The word may be about what is not settled yet, or about what comes next.
    ["LIKELY", [confirmed, other], [], false],
    ["LIKELY", [confirmed], [other], false],
    ["LIKELY", [confirmed], [confirmed], false],
    ["LIKELY", [refuted], [], false],
    ["LIKELY", [], [confirmed], false],
    ["CONFIRMED", [confirmed], [], false],
    [undefined, [confirmed], [], false],
  ])("AR-15 %s beside what a reply confirms: case %#", (word, now, known, isWeaker) => {
    expect(confirmedAgainst(word, judged(now, known))).toEqual(isWeaker ? [confirmed] : []);
  });

  it("AR-15 a CONFIRMED is unproven by a hypothesis that no run confirms, if none other is confirmed", () => {
    expect(isUnproven(judged([disk], [], [disk]))).toBe(true);
    expect(isUnproven(judged([disk], [other], [disk]))).toBe(true);
    expect(isUnproven(judged([disk], [{ ...other, status: "confirmed" }], [disk]))).toBe(false);
    expect(isUnproven(judged([{ ...disk, status: "open" }], [], [{ ...disk, status: "open" }]))).toBe(false);
    expect(isUnproven(judged([disk], []))).toBe(false);
  });
});
