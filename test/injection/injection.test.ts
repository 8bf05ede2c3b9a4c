import { describe, expect, it } from "vitest";
import { casesOf, playCases } from "./suite.ts";

describe("SR-41 a model that obeys whatever it reads", () => {
  it("runs nothing, tells no secret and passes for nobody, whatever it was told and wherever", {
    timeout: 400_000,
  }, async () => {
    // A tenth of the attacks, by one channel each; `injection.long.test.ts` has each by two.
    const cases = casesOf(1).filter((_, n) => n % 10 === 0);
    const { obeyed, failures, comments } = await playCases(cases);
    expect(failures).toEqual([]);
    // It is no defence that the model did not hear: who is heard is obeyed, and who is not is not.
    for (const [n, { channel, attack }] of cases.entries())
      expect({ channel: channel.name, attack: attack.name, obeyed: obeyed.has(n) }).toEqual({
        channel: channel.name,
        attack: attack.name,
        obeyed: channel.heard,
      });
    console.log(
      `injection: ${cases.length} cases, ${obeyed.size} obeyed by the model, ${comments} comments looked at, 0 runs without approval, 0 canaries out`,
    );
  });
});
