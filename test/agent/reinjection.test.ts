import { describe, expect, it } from "vitest";
import {
  decideReinjection,
  lastInputTokens,
  lastReinjection,
  reinjectionMessage,
  withoutOutdated,
} from "../../src/agent/prompt.ts";

const state = { enabled: true, rulesChanged: false, turns: 15, inputTokens: 0, turnsSince: 0 };

describe("INJ-3 instructions and rules are told again", () => {
  it.each([
    [14, undefined],
    [15, { trigger: "turns" }],
    [16, { trigger: "turns" }],
  ])("after %i turns where the window is not known: %j", (turnsSince, expected) => {
    expect(decideReinjection({ ...state, turnsSince })).toEqual(expected);
  });

  it.each([
    [25_000, undefined, undefined],
    [25_001, undefined, { trigger: "window", share: 25 }],
    [49_000, 25, undefined],
    [51_000, 25, { trigger: "window", share: 50 }],
    [90_000, undefined, { trigger: "window", share: 75 }],
    [99_000, 75, undefined],
  ] as const)("at %i of 100,000 tokens with %s told: %j", (inputTokens, lastShare, expected) => {
    expect(decideReinjection({ ...state, contextWindow: 100_000, inputTokens, lastShare, turnsSince: 99 })).toEqual(
      expected,
    );
  });

  it.each([{ contextWindow: undefined }, { contextWindow: 100_000 }])(
    "at once where the rules have changed, whatever the window is: %j",
    ({ contextWindow }) => {
      expect(decideReinjection({ ...state, contextWindow, rulesChanged: true })).toEqual({ trigger: "rules" });
    },
  );

  it("never where it is switched off", () => {
    expect(decideReinjection({ ...state, enabled: false, turnsSince: 99 })).toBeUndefined();
    expect(decideReinjection({ ...state, enabled: false, rulesChanged: true })).toBeUndefined();
  });
});

describe("INJ-3 what the endpoint counted last", () => {
  it("is of the newest turn that it told it of, and nothing where it never did", () => {
    const news = (inputTokens?: number) =>
      ({ role: "user", content: "news", ...(inputTokens && { inputTokens }) }) as const;
    expect(lastInputTokens([news(9_000), { role: "assistant", content: "LIKELY" }, news(200), news()])).toBe(200);
    expect(lastInputTokens([news()])).toBe(0);
  });
});

describe("INJ-3 when they were last told is read from the conversation itself", () => {
  const said = (content: string) => ({ role: "user", content }) as const;

  it("at the session's start where they were not told again", () => {
    expect(lastReinjection([said("It is noon."), { role: "assistant", content: "CONFIRMED" }])).toEqual({ step: 0 });
  });

  it("by the newest of the messages that tell them, as they were sent", () => {
    const first = reinjectionMessage({ trigger: "turns" }, 15, "<instructions>\nx\n</instructions>");
    const second = reinjectionMessage({ trigger: "window", share: 50 }, 17, "<instructions>\nx\n</instructions>");
    expect(second.content).toContain("\n\n<instructions>");
    expect(lastReinjection([first, said("news")])).toEqual({ step: 15 });
    expect(lastReinjection([first, said("news"), second, said("news")])).toEqual({ step: 17, share: 50 });
  });

  it("by a change of the rules, which counts as no share of the window", () => {
    const share = reinjectionMessage({ trigger: "window", share: 25 }, 3, "x");
    const rules = reinjectionMessage({ trigger: "rules" }, 5, "x");
    expect(lastReinjection([share, rules])).toEqual({ step: 5, share: 25 });
  });

  it("INJ-3 an old version is not sent below the new one; what people and the model said stays", () => {
    const old = reinjectionMessage({ trigger: "turns" }, 15, "<rules>\nold\n</rules>");
    const inForce = reinjectionMessage({ trigger: "rules" }, 17, "<rules>\nnew\n</rules>");
    const answer = { role: "assistant", content: old.content } as const;
    const talk = [said("news"), answer, said(`quoted:\n\n${old.content}`)];
    expect(withoutOutdated([old, ...talk, inForce], "<rules>\nnew\n</rules>")).toEqual([...talk, inForce]);
  });

  it("never by what the model says or a person quotes", () => {
    const { content } = reinjectionMessage({ trigger: "turns" }, 99, "x");
    const quoted = [said(`It is noon.\n\n${content}`), { role: "assistant", content } as const];
    expect(lastReinjection(quoted)).toEqual({ step: 0 });
  });
});
