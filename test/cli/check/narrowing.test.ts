import { describe, expect, it } from "vitest";
import { checkNarrowing } from "../../../src/cli/check/repo.ts";
import { configSchema } from "../../../src/config/schema.ts";
import { toProgramSide } from "../../../src/config/shape.ts";
import { inventory, server } from "../../ssh/inventory-entry.ts";

const defaults = toProgramSide(configSchema, configSchema.parse({}), "countersign.yml");
const servers = inventory(
  server({ name: "web-1", groups: ["web"], maxRisk: "medium" }),
  server({ name: "web-2", groups: ["web"] }),
  server({ name: "db-1" }),
);
const repositories = [{ name: "acme/oncall", servers: ["web"], allowPublic: false }];
const rules = { ...defaults, servers, repositories };

const text = `servers: [nowhere, web-1]
max_risk: high
policy:
  high: { approvals: 1, reason: optional }
  lease: { allowed: true }
`;
const at = (folder: string, given: string, holding: Parameters<typeof checkNarrowing>[2]) => {
  const looked = checkNarrowing(folder, { text: given, path: "repo.yml" }, holding);
  const lines = (found: typeof looked.problems) => found.map(({ place, message }) => `${place} ${message}`);
  for (const { message, remedy } of [...looked.problems, ...looked.warnings])
    expect(remedy ?? message).toMatch(/take it out|must be/);
  return { problems: lines(looked.problems), warnings: lines(looked.warnings) };
};

describe("a repository's own file that asks for more", () => {
  it("SR-38 is held against the operator's rules for the repository of that name, each wish with its line", () => {
    expect(at("/src/oncall", text, { by: "operator", rules })).toEqual({
      problems: [
        "repo.yml:1:1 servers: `nowhere` is not among those the operator gives this repo, so it is left out",
        "repo.yml:4:11 policy.high.approvals: 1 is looser than the operator's 2; 2 holds",
        "repo.yml:4:25 policy.high.reason: optional is looser than the operator's required; required holds",
        "repo.yml:5:12 policy.lease.allowed: true is looser than the operator's false; false holds",
      ],
      warnings: ["repo.yml:2:1 max_risk: high is more than the operator's medium on `web-1`; medium holds"],
    });
  });

  it("SR-38 a folder of another name is held against everything that the operator has", () => {
    expect(at("/src/elsewhere", "servers: [db-1, nowhere]", { by: "operator", rules }).problems).toEqual([
      "repo.yml:1:1 servers: `nowhere` is not among those the operator gives this repo, so it is left out",
    ]);
    expect(at("/src/oncall", "servers: [db-1]", { by: "operator", rules }).problems).toHaveLength(1);
  });

  it("SR-38 where nobody knows the operator's it is held against the defaults, its servers against nothing", () => {
    const unknown = { ...defaults, servers: inventory(), repositories: [] };
    expect(at("/src/oncall", text, { by: "defaults", rules: unknown })).toEqual({
      problems: [
        expect.stringContaining("policy.high.approvals"),
        expect.stringContaining("policy.high.reason"),
        expect.stringContaining("policy.lease.allowed"),
      ],
      warnings: [],
    });
  });

  it("is content with one that narrows, and names what is broken", () => {
    const narrows = "servers: [web-2]\nmax_risk: low\npolicy: { low: { approvals: 2 } }\n";
    expect(at("/src/oncall", narrows, { by: "operator", rules })).toEqual({ problems: [], warnings: [] });
    expect(at("/src/oncall", "max_risk: sky", { by: "operator", rules }).problems).toEqual([
      expect.stringMatching(/^repo\.yml:1:1 /),
    ]);
  });
});
