import { expect, test } from "vitest";
import { agentsCause, lastConfirmed, ownWords } from "../../../src/features/incident/cause.ts";
import type { Turn } from "../../../src/store/turns.ts";

const output = "cp: error writing '/var/log/app.log': No space left on device";
const turn = (prose: string) =>
  ({ prose, confidence: "CONFIRMED", offline: false, createdAt: new Date(0) }) as unknown as Turn;

test.each([
  "CONFIRMED by 3: the debug log fills the disk (run 3: `No space left on device`).",
  'CONFIRMED by 3: the debug log fills the disk. (3: "No space left on device"; run 4: "app.log")',
])("AR-15 the cause is the agent's sentence without the output that it cites: %s", (prose) => {
  const past = { actions: [], runs: [], turns: [turn(prose)], hypotheses: [], foreign: [output] };
  const words = "The debug log fills the disk.";
  expect(agentsCause(past)).toMatchObject({ sure: "CONFIRMED by 3", words });
  expect(lastConfirmed(past.turns)?.words).toBe(words);
  expect(ownWords("The debug log fills the disk (run 3: `No space left on device`)", [output])).toBe(
    "The debug log fills the disk",
  );
});
