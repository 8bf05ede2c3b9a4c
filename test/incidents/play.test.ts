import { expect, it } from "vitest";
import { fullDisk } from "./full-disk.ts";
import { play } from "./play.ts";

it("AR-17 DC-5 an incident is played whole by people and a model that read what they are told, and ends solved", async () => {
  const { figures, issue } = await play(fullDisk);
  expect(issue).toMatch(/^\*\*Closed by `@lee`\*\*/m);
  expect(issue).toContain(`**Cause** · ${fullDisk.cause}`);
  // Each needed command once: nothing that went through is run again.
  const commands = [...issue.matchAll(/^- \S+ \S+ · \*\*\d+\*\* `(.+)` on `web-1` · \S+ exit/gm)].map(([, one]) => one);
  expect(commands).toHaveLength(figures.runs);
  expect(new Set(commands).size).toBe(figures.runs);
  expect(figures.requests).toBeGreaterThanOrEqual(figures.turns);
  expect(figures.approvals).toBeLessThan(figures.runs);
});
