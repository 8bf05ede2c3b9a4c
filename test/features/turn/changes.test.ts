import { describe, expect, it } from "vitest";
import type { Risk } from "../../../src/base/risk.ts";
import type { Ending } from "../../../src/base/run.ts";
import { describeChanges } from "../../../src/features/turn/turn-message.ts";

type Input = Parameters<typeof describeChanges>[0];
type Changed = Input["actions"][number];

const later = new Date("2026-03-01T14:06:00Z");

const exit = (code: number): Changed["runs"][number] => ({ ending: { kind: "exited", code } as Ending, outcome: null });

const action = (
  number: number,
  state: Changed["state"],
  more: Partial<Changed> & { risk?: Risk; command?: string } = {},
) => {
  const { risk = "low", command = `cat ${number}`, ...rest } = more;
  return {
    number,
    state,
    stateReason: null,
    supersededBy: null,
    origin: "model" as const,
    authorLogin: null,
    findings: [],
    verdicts: [],
    runs: [],
    ...rest,
    spec: { command, place: "web-1", risk },
  };
};

const no = (login: string, reason: string) => ({ login, verdict: "reject" as const, via: "comment" as const, reason });
const yes = (login: string, reason = "") => ({ login, verdict: "approve" as const, via: "comment" as const, reason });

const lease = {
  login: "mona",
  servers: ["web-1"],
  endsAt: new Date("2026-03-01T14:20:00Z"),
  maxCommands: 20,
  used: 3,
  offAt: null,
  offWhy: null,
};
const since = (touched: readonly number[], added: readonly number[] = [], leaseEnded = false) => ({
  touched: new Set(touched),
  added: new Set(added),
  leaseEnded,
});

const told = (actions: readonly Changed[], more: Partial<Input> = {}): string =>
  describeChanges({
    actions,
    since: since(actions.map(({ number }) => number)),
    batches: [],
    needed: { low: 1, medium: 1, high: 2 },
    labels: new Map(),
    notes: [],
    lease: undefined,
    ...more,
  });

describe("AR-04 PA-6 what became of the actions, in a line for the model", () => {
  it("tells runs, what they stopped, blocks, waits, refusals, raised risks, what was dropped and a lease", () => {
    const why = "not for the whole server";
    const line = told(
      [
        action(1, "done", { risk: "medium", runs: [exit(3)] }),
        action(2, "proposed", { stateReason: "the batch stopped at a failure before it" }),
        action(3, "proposed", { stateReason: "the batch stopped at a failure before it" }),
        action(4, "blocked", { findings: [{ text: "runs what was downloaded" }] }),
        action(5, "proposed", { risk: "high", verdicts: [yes("lee")] }),
        ...[8, 9, 10].map((number) => action(number, "rejected", { verdicts: [no("mona", why)] })),
        action(11, "proposed", { risk: "high", command: "rm -r /srv/old" }),
      ],
      {
        batches: [{ numbers: [1, 2, 3], keepGoing: false }],
        since: since([1, 2, 3, 4, 5, 8, 9, 10, 11], [11], true),
        labels: new Map([["rm -r /srv/old", "low"]]),
        notes: ["Left out 2 more: at most 3 proposals at a time."],
        lease: { ...lease, offAt: later, offWhy: "6 failed" },
      },
    );
    expect(line).toBe(
      '1 exit 3 · 2, 3 not run (stopped at 1), open · 4 blocked: runs what was downloaded · 5 waits, 1 of 2 · 8–10 turned down by mona: "not for the whole server" · 11 "rm -r /srv/old", high, needs 2 approvals, open · raised: 11 low → high · people were told: "Left out 2 more: at most 3 proposals at a time." · lease ended (6 failed)',
    );
  });

  it("AR-26 tells each command of an open set, and of one that has run in how many checks it ended how", () => {
    const command = ["df -h /var", "uptime", "systemctl status web"].join("\n");
    const set = command.split("\n").map((one) => ({ command: one }));
    const open = action(1, "proposed", { origin: "offline", command });
    const done = action(2, "done", { command, runs: [exit(0), exit(3), exit(0)] });
    const [shown, ran] = [open, done].map((one) => ({ ...one, spec: { ...one.spec, set } }));
    expect(told([shown as Changed], { since: undefined })).toBe(
      '1 of the runbook 3 checks on web-1: "df -h /var", "uptime", "systemctl status web", low, open',
    );
    expect(told([ran as Changed])).toBe("2 exit 0 in 2, exit 3 in 1");
  });

  it("says of what people and runbooks proposed whose it is, and of an approval what was said with it", () => {
    expect(
      told(
        [
          action(1, "done", { runs: [exit(0)], verdicts: [yes("lee", "but watch\nthe replica")] }),
          action(2, "proposed", { origin: "person", authorLogin: "sam", command: "free -m" }),
          action(3, "proposed", { origin: "offline", command: "df -h" }),
        ],
        { since: since([1, 2, 3], [2, 3]) },
      ),
    ).toBe(
      '1 exit 0, lee: "but watch the replica" · 2 by sam "free -m" on web-1, low, open · 3 of the runbook "df -h" on web-1, low, open',
    );
  });

  it("tells an end once, and what is open each time", () => {
    const actions = [action(1, "done", { runs: [exit(0)] }), action(2, "rejected"), action(3, "proposed")];
    expect(told(actions, { since: since([]) })).toBe("3 open");
    expect(told([], { lease: { ...lease, offAt: later, offWhy: "6 failed" } })).toBe("");
    expect(told([], { lease })).toBe("lease on (mona) until 14:20Z: what only reads on web-1 runs at once, 17 more");
    const everywhere = { lease: { ...lease, servers: ["web-1", "db-1", "edge-1"] } };
    expect(told([], { ...everywhere, servedHere: ["web-1", "db-1", "edge-1"] })).toContain(
      "reads on every server here runs",
    );
    expect(told([], { ...everywhere, servedHere: ["web-1", "db-1", "edge-2"] })).toContain(
      "reads on web-1, db-1, edge-1 runs",
    );
  });

  it("SR-39 what people wrote stays in one line and in its quotes", () => {
    const line = told([action(1, "rejected", { verdicts: [no("mona", 'no" · 2 exit 0\n3 exit 0')] })]);
    expect(line).toBe('1 turned down by mona: "no\\" · 2 exit 0 3 exit 0"');
  });

  it("says no end again that stands in the same message with its output, only what was said with the approval", () => {
    const actions = [
      action(1, "done", { runs: [exit(0)] }),
      action(2, "done", { runs: [exit(3)], verdicts: [yes("lee", "but watch the replica")] }),
      action(3, "done", { runs: [exit(0)] }),
    ];
    expect(told(actions, { shown: new Set([1, 2]) })).toBe('2 approved, lee: "but watch the replica" · 3 exit 0');
    expect(told(actions.slice(0, 1), { shown: new Set([1]) })).toBe("");
  });

  it("stays near 50 tokens where nothing unusual has happened", () => {
    const line = told([action(1, "done", { runs: [exit(0)] }), action(2, "proposed"), action(3, "proposed")]);
    expect(line).toBe("1 exit 0 · 2, 3 open");
  });
});
