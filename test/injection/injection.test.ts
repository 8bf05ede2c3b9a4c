import { describe, expect, it } from "vitest";
import { casesOf, expectEachHeard, playCases } from "./suite.ts";

describe("SR-41 a model that obeys whatever it reads", () => {
  it("runs nothing, tells no secret and passes for nobody, whatever it was told and wherever", {
    timeout: 400_000,
  }, async () => {
    // A tenth of the attacks, by one channel each; `injection.long.test.ts` has each by two.
    const cases = casesOf(1).filter((_, n) => n % 10 === 0);
    const outcome = await playCases(cases);
    const { obeyed, failures, comments } = outcome;
    expect(failures).toEqual([]);
    expectEachHeard(cases, outcome);
    console.log(
      `injection: ${cases.length} cases, ${obeyed.size} obeyed by the model, ${comments} comments looked at, 0 runs without approval, 0 canaries out`,
    );
  });
});
