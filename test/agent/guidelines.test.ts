import { describe, expect, it } from "vitest";
import { buildGuidelines } from "../../src/agent/guidelines.ts";

describe("OP-5 the tool guidelines", () => {
  it("are empty without tools", () => {
    expect(buildGuidelines([])).toBe("");
  });

  it.each([
    ["read_output", /before you propose to run that command again/],
    ["use_skill", /Never propose `cat`/],
    ["list_servers", /before you name a server/],
    ["read_output", /<status>.*at most 6 words/],
    ["propose_actions", /never both in one reply/],
    ["update_plan", /Keep the plan/],
    ["delegate", /long outputs/],
    ["ask_question", /one thing at a time/],
    ["get_feedback_history", /turned down/],
    ["suggest_ssh_command", /one next step/],
  ])("with %s they say %s, and without it they do not", (tool, words) => {
    expect(buildGuidelines([tool])).toMatch(words);
    expect(buildGuidelines(["start_workflow"])).not.toMatch(words);
  });
});
