import { describe, expect, it } from "vitest";
import { pillarNamed, pillarOf } from "../../../src/features/incident/open-close.ts";

describe("AR-16 the pillar of an issue by its labels", () => {
  it.each([
    ["pillar: revive", "revive"],
    ["pillar:revive", "revive"],
    ["Pillar: Troubleshoot ", "troubleshoot"],
    ["pillar: faster", undefined],
    ["pillar", undefined],
    ["revive", undefined],
    ["my pillar: revive", undefined],
  ] as const)("%s names %s", (label, pillar) => expect(pillarNamed(label, "pillar:")).toBe(pillar));

  it.each([
    [[], "troubleshoot"],
    [["incident", "pillar: revive"], "revive"],
    [["pillar:revive", "pillar: revive"], "revive"],
    [["pillar: revive", "pillar: troubleshoot"], "troubleshoot"],
  ] as const)("%j are %s", (labels, pillar) => expect(pillarOf(labels, "pillar:")).toBe(pillar));
});
