import { describe, expect, it } from "vitest";
import { executions, readActionList, toListItem } from "../../../src/agent/reply/actions.ts";
import { toProposal } from "../../../src/agent/reply/proposals.ts";

const call = {
  server: "infra",
  commit: "a".repeat(40),
  patch: "--- a/k8s/web.yaml\n+++ b/k8s/web.yaml\n@@ -1 +1 @@\n-a: 1\n+a: 2\n",
  title: "Set a",
  description: "It is too small.",
};
const limits = { servers: ["infra", "web-1"], maxActions: 5 };
const read = (more: object = {}) => readActionList([toListItem("propose_patch", { ...call, ...more })], limits);

describe("PA-3 a patch that a model proposes", () => {
  it("is a proposal whose command is the diff, behind the commit that it is against", () => {
    const [proposal] = executions(read({ check: ["uptime"], check_on: "web-1" })).map(toProposal);
    expect(proposal).toEqual({
      title: "Set a",
      description: "It is too small.",
      server: "infra",
      command: `commit ${call.commit}\n${call.patch}`,
      check: ["uptime"],
      checkOn: "web-1",
    });
  });

  it.each([
    ["without a patch", { patch: "" }, "patch is missing"],
    ["longer than a card", { patch: "+".repeat(60_001) }, "patch is longer than 60,000 characters"],
    ["with a check that has no server", { check: ["uptime"] }, "server is missing"],
    ["for a repository that is not there", { server: "apps" }, 'there is no server "apps"'],
    // Without its condition it would be proposed always.
    ["that waits for a check", { when: { check: 1, shows: "x" } }, "a patch waits for no check"],
  ])("is left out %s", (_, more, why) => {
    const { actions, notes } = read(more);
    expect(actions).toEqual([]);
    expect(notes).toEqual([`Left out the proposal "Set a": ${why}.`]);
  });
});
