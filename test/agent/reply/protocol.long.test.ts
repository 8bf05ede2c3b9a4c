import { describe, it } from "vitest";
import { fuzzReplies } from "../reply-fuzz.ts";

describe("whatever a hundred thousand models write", () => {
  it("PA-4 never throws, keeps to its limits, and drops nothing silently", () => {
    fuzzReplies(100_000);
  });
});
