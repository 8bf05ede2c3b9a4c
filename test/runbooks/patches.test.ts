import { describe, expect, it } from "vitest";
import { fillPatch, offlineReading, patchesIn } from "../../src/runbooks/offline.ts";
import { parseSkill } from "../../src/runbooks/skills.ts";

const diff = [
  "--- a/k8s/<deployment>.yaml",
  "+++ b/k8s/<deployment>.yaml",
  "@@ -1 +1 @@",
  "-memory: 128Mi",
  "+memory: 256Mi",
].join("\n");

describe("a runbook's patch", () => {
  it.each([
    ["by its name", "```diff infra\na\n```\n", [{ repository: "infra", text: "a\n" }]],
    ["without a name", "~~~diff\na\nb\n~~~\n", [{ repository: undefined, text: "a\nb\n" }]],
    ["of a longer fence, with a shorter one in it", "````diff x\n+```\n````\n", [{ repository: "x", text: "+```\n" }]],
    ["no other block", "```sh\ndiff a b\n```\n", []],
  ])("is found %s", (_, body, found) => {
    expect(patchesIn(body)).toEqual(found);
  });

  it.each([
    ["a plain value", "pricing", "--- a/k8s/pricing.yaml", []],
    ["no value", undefined, "--- a/k8s/<deployment>.yaml", ["deployment"]],
    ["a value that would need quotes", "a: b\n+c", "--- a/k8s/<deployment>.yaml", ["deployment"]],
  ])("is filled with %s", (_, value, line, open) => {
    const values = value === undefined ? [] : [{ source: "alert", name: "Deployment", value } as const];
    const filled = fillPatch(diff, values);
    expect(filled.text.split("\n")[0]).toBe(line);
    expect(filled.open).toEqual(open);
  });

  const skill = (block: string) =>
    parseSkill({
      path: ".github/skills/oom/SKILL.md",
      source: "acme/web",
      text: `---\nname: oom\ndescription: Pricing is killed for its memory. Use when PricingOutOfMemory fires.\nmetadata:\n  alerts: PricingOutOfMemory\n---\n\n## Fix\n\n${block}\n`,
    });
  const read = (block: string, more: object = {}) => {
    const parsed = skill(block);
    if (!parsed.ok) throw new Error("the skill is broken");
    return offlineReading({
      skills: [parsed.skill],
      incident: { title: "PricingOutOfMemory", body: "" },
      servers: [{ name: "prod", os: "linux", groups: [], description: "" }],
      repositories: ["infra"],
      values: [{ source: "alert", name: "deployment", value: "pricing" }],
      reason: "no-model",
      ...more,
    });
  };
  const block = `\`\`\`diff\n${diff}\n\`\`\``;

  it("is proposed once, in its repository, with the incident's values", () => {
    const { proposals, prose } = read(block);
    expect(proposals).toMatchObject([{ server: "infra", risk: "medium" }]);
    expect(proposals[0]?.command).toContain("+++ b/k8s/pricing.yaml");
    expect(prose).toContain("patch");
    const proposed = [{ command: "commit …", place: "infra", by: "agent", state: "open" }];
    expect(read(block, { proposed }).proposals).toEqual([]);
  });

  it.each([
    ["nothing takes patches", { repositories: [] }, /^(?!.*patch)/s],
    ["a value is missing", { values: [] }, /needs a value for `<deployment>`/],
    ["several take patches and it names none", { repositories: ["infra", "apps"] }, /names no repository/],
  ])("is not proposed if %s", (_, more, note) => {
    const { proposals, notes } = read(block, more);
    expect(proposals).toEqual([]);
    expect(notes.join("\n")).toMatch(note);
  });
});
