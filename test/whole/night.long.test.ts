import { describe, it } from "vitest";
import { seed } from "../harness/chance.ts";
import { aNight } from "../simulation/night/night.ts";

describe("a night", () => {
  it(
    "I1 to I8 hold and every issue reads well, with 30 incidents at once, 400 comments, copies, edits and deletions",
    {
      timeout: 1_800_000,
    },
    () => aNight({ incidents: 30, comments: 400, seed }),
  );
});
