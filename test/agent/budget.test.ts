import { describe, expect, it } from "vitest";
import { type BudgetLimits, budgets, dayOf, judgeBudget, nextTurnAt } from "../../src/agent/tokens.ts";
import { configSchema } from "../../src/config/schema.ts";
import { toProgramSide } from "../../src/config/shape.ts";

const now = new Date("2026-11-22T14:30:00Z");
const nothing = { tokens: 0, cost: 0 };
const unspent = { incident: nothing, person: nothing, repository: nothing, installation: nothing, everything: nothing };
const judge = (limits: BudgetLimits, change: object, more = { tokens: 10, cost: 0.1 }) =>
  judgeBudget({ limits, spent: { ...unspent, ...change }, more, now });

describe("SR-58 a budget", () => {
  it("that the operator did not set is none", () => {
    expect(judge({}, { everything: { tokens: 1e12, cost: 1e9 } })).toEqual({ kind: "within" });
  });

  it.each(budgets.map((budget) => [budget.key, budget] as const))("%s holds to the last unit", (key, budget) => {
    const at = (units: number) => ({ [budget.of]: { ...nothing, [budget.in]: units } });
    const more = { tokens: 10, cost: 10 };
    expect(judge({ [key]: 100 }, at(90), more)).toEqual({ kind: "within" });
    expect(judge({ [key]: 100 }, at(91), more)).toMatchObject({ kind: "over", budget, spent: 91, limit: 100 });
  });

  it("of a day frees up at midnight UTC, that of an incident never by itself", () => {
    const spent = { incident: { tokens: 5, cost: 0 }, everything: { tokens: 5, cost: 0 } };
    expect(judge({ tokensPerDay: 5 }, spent)).toMatchObject({ until: new Date("2026-11-23T00:00:00Z") });
    expect(judge({ tokensPerIncident: 5 }, spent)).toMatchObject({ kind: "over", until: undefined });
    expect(dayOf(now)).toEqual(new Date("2026-11-22T00:00:00Z"));
    expect(dayOf(dayOf(now))).toEqual(dayOf(now));
  });

  it("of several that are spent, the narrowest is told", () => {
    const spent = { incident: { tokens: 9, cost: 0 }, everything: { tokens: 9, cost: 0 } };
    expect(judge({ tokensPerDay: 5, tokensPerIncident: 5 }, spent)).toMatchObject({ budget: { of: "incident" } });
  });
});

describe("SR-58 the operator's file", () => {
  it("has a key for every budget and a price for every endpoint", () => {
    const written = {
      tokens_per_incident: 1,
      cost_per_incident: 0.5,
      tokens_per_person_per_day: 2,
      tokens_per_repository_per_day: 3,
      tokens_per_installation_per_day: 4,
      tokens_per_day: 5,
      cost_per_day: 6.5,
    };
    const price = { input: 1.25, cached_input: 0.125, output: 10 };
    const endpoints = [{ url: "http://127.0.0.1:1/v1", model: "m", price }];
    const parsed = configSchema.parse({ model: { endpoints, budget: written } });
    const { model } = toProgramSide(configSchema, parsed, "/etc/countersign.yml");
    expect(Object.keys(model.budget).sort()).toEqual(budgets.map(({ key }) => key).sort());
    expect(model.endpoints[0]?.price).toEqual({ input: 1.25, cachedInput: 0.125, output: 10 });
  });
});

describe("SR-60 the turns of one person", () => {
  const at = (minute: number) => new Date(Date.UTC(2026, 10, 22, 14, minute));

  it("are as many as may be in an hour, the next when the first of them is an hour old", () => {
    expect(nextTurnAt([], 2)).toBeUndefined();
    expect(nextTurnAt([at(1)], 2)).toBeUndefined();
    expect(nextTurnAt([at(1), at(5)], 2)).toEqual(new Date("2026-11-22T15:01:00Z"));
    expect(nextTurnAt([at(1), at(5), at(7)], 2)).toEqual(new Date("2026-11-22T15:05:00Z"));
  });
});
