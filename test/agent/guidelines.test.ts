import { describe, expect, it } from "vitest";
import { buildGuidelines } from "../../src/agent/prompt.ts";

describe("OP-5 the tool guidelines", () => {
  it("are empty without tools", () => expect(buildGuidelines([])).toBe(""));

  it.each([
    ["read_output", /before you propose to run that command again/],
    ["use_skill", /Never propose `cat`/],
    ["list_servers", /before you name a server/],
    ["read_output", /<status>.*at most 6 words/],
    ["propose_actions", /all of a reply in one call.* never beside a block/],
    ["propose_actions", /never propose `echo`/],
    ["update_plan", /Keep the plan .* before you start, then after each step/],
    ["delegate", /long outputs/],
    ["ask_question", /one thing at a time.* yes, no, skip or in their own words/],
    ["get_feedback_history", /turned down/],
    ["suggest_ssh_command", /one command is the next step/],
  ])("with %s they say %s, and without it they do not", (tool, words) => {
    expect(buildGuidelines([tool])).toMatch(words);
    expect(buildGuidelines(["start_workflow"])).not.toMatch(words);
  });

  it("with start_workflow they say to use it", () => {
    expect(buildGuidelines(["start_workflow"])).toMatch(/Use `start_workflow` where a workflow fits/);
    expect(buildGuidelines(["list_servers"])).not.toContain("start_workflow");
  });
});
