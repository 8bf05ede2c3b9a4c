import { expect, test } from "vitest";
import { reply } from "../../src/cli/answers.ts";

const answer = (text: string) => {
  const { turn } = reply(undefined)({ text }) as {
    turn: { outcome: string; proposals: readonly { command: string }[]; warnings: readonly string[] };
  };
  return turn;
};
const action = (command: string, at = 1) => ({
  id: `${at}`,
  api: "ssh.execute",
  title: `Look ${at}`,
  description: "Looks.",
  params: { server: "web-1", command },
});
const block = (...actions: readonly object[]): string =>
  ["LIKELY: full.", "---ACTIONS_JSON_START---", JSON.stringify({ actions }), "---ACTIONS_JSON_END---"].join("\n");

test("PA-4 PA-5 `reply` shows what the turn itself makes of a reply, each thing that is wrong by name", () => {
  expect(answer(block(action("df -h")))).toMatchObject({
    outcome: "answered",
    proposals: [{ server: "web-1", command: "df -h" }],
    warnings: [],
  });
  const four = answer(block(...[1, 2, 3, 4].map((at) => action(`df -h /${at}`, at))));
  expect(four.proposals).toHaveLength(3);
  expect(four.warnings.join()).toMatch(/more than 3|at most 3|4 /);
  expect(answer(block(action("l\u0455 -l"))).warnings.join()).toContain("mixes scripts");
  const unmarked = answer(`LIKELY: full.\n${JSON.stringify({ actions: [action("df -h")] })}`);
  expect(unmarked.outcome).toBe("unreadable");
  expect(unmarked.warnings.join()).toMatch(/marker/);
  expect(answer("I'm sorry, but I can't help with that.").warnings.join()).toContain("declined");
  expect(answer("LIKELY: full. Run `df -h` on web-1.").warnings.join()).toContain("does not propose it");
});
