import { describe, it } from "vitest";
import { seed } from "../harness/chance.ts";
import { aNight } from "../simulation/night/night.ts";

describe("a short night", () => {
  it("I1 to I8 hold and every issue reads well, with 3 incidents at once, 24 comments, copies, edits and deletions", () =>
    aNight({ incidents: 3, comments: 24, seed }));
});
