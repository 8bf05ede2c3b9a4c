import { expect, it } from "vitest";
import { fullDisk } from "./full-disk.ts";
import { play } from "./play.ts";

it("AR-17 DC-5 an incident is played whole by people and a model that read what they are told, and ends solved", async () => {
  const { figures, issue, commands } = await play(fullDisk);
  expect(issue).toContain("Closed by `@lee`");
  expect(issue).toContain(`/close ${fullDisk.cause}`);
  // Whatever went through is not run again, and people approve less often than commands run.
  expect(commands).toEqual([...new Set(commands)]);
  expect(figures.runs).toBe(commands.length);
  expect(figures.approvals).toBeLessThan(figures.runs);
  expect(figures.requests).toBeGreaterThanOrEqual(figures.turns);
});
