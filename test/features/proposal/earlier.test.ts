import { describe, expect, it } from "vitest";
import { earlierIn, earlierOn, sentBefore } from "../../../src/features/proposal/in-force.ts";
import type { Action } from "../../../src/store/actions.ts";
import type { Run } from "../../../src/store/runs.ts";

const target = (server: string, host = server) => ({ server, host, port: 22 });
const action = (number: number, state: Action["state"], more: object = {}): Action =>
  ({
    id: `${number}`,
    number,
    state,
    findings: [],
    spec: { risk: "medium", command: `touch ${number}`, targets: [target("web-1")], ...more },
  }) as unknown as Action;
const run = (number: number, startedAt: number, code = 0): Run =>
  ({
    actionId: `${number}`,
    startedAt: new Date(startedAt),
    ending: { kind: "exited", code },
    outcome: null,
  }) as unknown as Run;
const names = (earlier: readonly { readonly name: string }[]) => earlier.map(({ name }) => name);

describe("what may have left files when a command is judged", () => {
  it("SR-33 is what ran or may yet run, in the order of numbers", () => {
    const actions = (
      [
        "done",
        "rejected",
        "superseded",
        "blocked",
        "void",
        "expired",
        "proposed",
        "incomplete",
        "approved",
        "running",
      ] as const
    ).map((state, index) => action(index + 1, state));
    expect(names(earlierIn({ actions: actions.toReversed(), runs: [] }))).toEqual(["1", "7", "8", "9", "10"]);
  });

  it("SR-33 leaves out what only reads, unless only the operator's trust calls it low", () => {
    const trusted = { ...action(2, "done", { risk: "low" }), findings: [{ ruleId: "operator.trust" }] } as never;
    const actions = [action(1, "done", { risk: "low" }), trusted];
    expect(names(earlierIn({ actions, runs: [] }))).toEqual(["2"]);
  });

  it("SR-24 before sending is what was sent, in the order in which it started", () => {
    const actions = [
      action(1, "done"),
      action(2, "done"),
      action(3, "proposed"),
      action(4, "approved"),
      action(5, "running"),
    ];
    const runs = [run(1, 2000), run(2, 1000, 1), run(5, 3000)];
    const sent = sentBefore({ actions, runs }, action(4, "approved"));
    expect(sent.map(({ name, isSure }) => [name, isSure])).toEqual([
      ["2", false],
      ["1", true],
      ["5", false],
    ]);
  });

  it("SR-33 is of one place: a server as a member of a group, or under another name", () => {
    const rows = [
      action(1, "done", { targets: [target("web-1"), target("web-2")] }),
      action(2, "done", { targets: [target("db-1")] }),
      action(3, "done", { targets: [target("web-2-admin", "10.0.0.2")] }),
    ];
    const earlier = earlierIn({ actions: rows, runs: [] });
    expect(names(earlierOn({ name: "web-2", host: "10.0.0.2", port: 22 }, earlier))).toEqual(["1", "3"]);
    expect(names(earlierOn({ name: "db-1", host: "10.0.0.9", port: 22 }, earlier))).toEqual(["2"]);
  });
});
