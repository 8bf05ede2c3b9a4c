import { it } from "vitest";
import { seed } from "../harness/chance.ts";
import { aNight } from "../simulation/night/night.ts";

it.each([
  { incidents: 3, comments: 24 },
  { incidents: 30, comments: 400 },
])(
  "I1 to I8 hold in a night and every issue reads well, with $incidents incidents at once, $comments comments, copies, edits and deletions",
  { timeout: 1_800_000 },
  ({ incidents, comments }) => aNight({ incidents, comments, seed }),
);
