import { describe, expect, test } from "vitest";
import { helpedIn } from "../../../src/features/incident/cause.ts";
import type { Action } from "../../../src/store/actions.ts";
import type { Run } from "../../../src/store/runs.ts";

/** `bad` or `good`: what a look showed; else it is a change. `web-2: …` runs there. */
type Told = readonly [command: string, showed?: "bad" | "good" | "failed"];

/** The changes that helped, of commands that ran one after another. */
function helped(...told: readonly Told[]): readonly string[] {
  const actions: Action[] = [];
  const runs: Run[] = [];
  for (const [at, [text, showed]] of told.entries()) {
    const [, server = "web-1", command = text] = /^(\S+): (.+)$/.exec(text) ?? [];
    const isLook = showed === "bad" || showed === "good";
    const spec = { command, risk: isLook ? "low" : "medium", targets: [{ server }] };
    actions.push({ id: `${at}`, number: at + 1, spec, state: "done" } as unknown as Action);
    runs.push({
      actionId: `${at}`,
      server,
      step: null,
      startedAt: new Date(at * 1_000),
      endedAt: new Date(at * 1_000 + 500),
      ending: { kind: "exited", code: showed === "failed" ? 1 : 0 },
      outcome: null,
      trouble: showed === "bad" ? "no space left" : null,
    } as unknown as Run);
  }
  return helpedIn({ actions, runs }).map(({ spec }) => spec.command);
}

describe("AR-11 a change helped if a fault was seen before it and is gone after it", () => {
  const df = "df -h /var";
  const status = "systemctl status web";
  test.each<readonly [why: string, told: readonly Told[], helped: readonly string[]]>([
    ["seen and gone", [[df, "bad"], ["rotate"], [df, "good"]], ["rotate"]],
    [
      "two faults, one after another",
      [[df, "bad"], [status, "bad"], ["rotate"], [df, "good"], ["restart"], [status, "good"]],
      ["rotate", "restart"],
    ],
    ["looked at in another way", [[status, "bad"], ["restart"], ["systemctl is-active web", "good"]], ["restart"]],
    [
      "seen on another server than changed",
      [["web-2: curl -s localhost/health", "bad"], ["restart"], ["web-2: curl -s localhost/health", "good"]],
      ["restart"],
    ],
    ["the second attempt did it", [[df, "bad"], ["restart"], [df, "bad"], ["rotate"], [df, "good"]], ["rotate"]],
    ["never seen", [[df, "good"], ["rotate"], [df, "good"]], []],
    ["not looked at before", [["rotate"], [df, "good"]], []],
    ["not looked at after", [[df, "bad"], ["rotate"]], []],
    ["still there", [[df, "bad"], ["rotate"], [df, "bad"]], []],
    ["back again", [[df, "bad"], ["rotate"], [df, "good"], [df, "bad"]], []],
    [
      "the change failed",
      [
        [df, "bad"],
        ["rotate", "failed"],
        [df, "good"],
      ],
      [],
    ],
    ["another thing is well", [[status, "bad"], ["restart"], ["systemctl status db", "good"]], []],
    ["another server is well", [[df, "bad"], ["rotate"], [`web-2: ${df}`, "good"]], []],
    ["nothing that a check could show", [[df, "bad"], ["touch /tmp/x"], ["sleep 60"], [df, "good"]], []],
    [
      "one's own fault undone",
      [[status, "good"], ["systemctl stop web"], [status, "bad"], ["systemctl start web"], [status, "good"]],
      [],
    ],
    [
      "the same, not looked at before",
      [["systemctl stop web"], [status, "bad"], ["systemctl start web"], [status, "good"]],
      [],
    ],
    [
      "an undo of the undo",
      [[df, "bad"], ["undo"], [df, "good"], ["undo"], [df, "bad"], ["undo"], [df, "good"]],
      ["undo"],
    ],
    [
      "a query of the same words",
      [["psql -c 'select a from x'", "bad"], ["restart"], ["psql -c 'select b from x'", "good"]],
      [],
    ],
  ])("%s", (_, told, wanted) => {
    expect(helped(...told)).toEqual(wanted);
  });
});
