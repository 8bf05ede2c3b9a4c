import { pino } from "pino";
import { describe, expect, it } from "vitest";
import type { AskModel } from "../../../src/agent/wire/model.ts";
import type { Deps } from "../../../src/features/context.ts";
import { budgetModel, inFlood, refusalText, tooManyTurns } from "../../../src/features/turn/budget.ts";
import { type Incident, openIncident, sessionOf } from "../../../src/store/incidents.ts";
import { addTurn } from "../../../src/store/turns.ts";
import { incidentInput, mona, useStore } from "../../store/rows.ts";

const { store, incident } = useStore();

const watch = { signal: new AbortController().signal, onStatus: () => undefined };
const request = { messages: [{ role: "user", content: "hello" }] } as const;
const usage = { inputTokens: 900, outputTokens: 100, cachedTokens: 0, estimated: false };
const answering: AskModel = () =>
  Promise.resolve({ kind: "reply", text: "", toolCalls: [], finish: "stop", usage, model: "m", cost: 0.25 });

const worldOf = (budget: object, change: object = {}): Deps =>
  ({
    store: store(),
    config: {
      model: { budget, endpoints: [{ price: { input: 1, output: 10 } }] },
      agent: { turnsPerPersonPerHour: 2 },
      incident: { bots: [99] },
      ...change,
    },
    log: pino({ level: "silent" }),
    now: () => new Date("2026-11-22T12:00:00Z"),
  }) as unknown as Deps;

const accountOf = async (given: Incident, personId = 7) => ({
  incident: given,
  sessionId: (await sessionOf(store().db, given.id)).id,
  personId,
  step: 1,
});

describe("SR-58 a purse", () => {
  it("asks while there is something in it, and says why not when there is not", async () => {
    const account = await accountOf(await incident());
    const purse = budgetModel(worldOf({ tokensPerIncident: 6_000 }), answering, account);
    expect(await purse.ask(request, watch)).toMatchObject({ kind: "reply" });
    expect(await purse.ask(request, watch)).toMatchObject({ kind: "reply" });
    expect(purse.refusal()).toBeUndefined();
    expect(await purse.ask(request, watch)).toMatchObject({ kind: "failed", why: "budget" });
    expect(purse.refusal()?.long).toMatch(
      /^The model's budget of this incident is spent \(2,000 of 6,000 tokens\): it is not asked here any more, or when the operator raises model\.budget\.tokens_per_incident\./,
    );
  });

  it("in money counts what the endpoints ask", async () => {
    const account = await accountOf(await incident());
    const purse = budgetModel(worldOf({ costPerIncident: 0.5 }), answering, account);
    expect(await purse.ask(request, watch)).toMatchObject({ kind: "reply" });
    expect(await purse.ask(request, watch)).toMatchObject({ kind: "reply" });
    expect(await purse.ask(request, watch)).toMatchObject({ kind: "failed", why: "budget" });
  });

  it("an ask that fails costs nothing", async () => {
    const account = await accountOf(await incident());
    const down: AskModel = () => Promise.resolve({ kind: "failed", why: "unreachable", message: "down" });
    const purse = budgetModel(worldOf({ tokensPerIncident: 6_000 }), down, account);
    for (let n = 0; n < 5; n += 1) expect(await purse.ask(request, watch)).toMatchObject({ why: "unreachable" });
  });

  it("many issues at once stay within the budget of the day, and hear of it at length once a repository", {
    tags: ["long"],
  }, async () => {
    const day = 100_000;
    const world = { ...worldOf({ tokensPerDay: day }), now: () => new Date("2026-11-24T12:00:00Z") };
    let spent = 0;
    const slow: AskModel = async (...given) => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      spent += usage.inputTokens + usage.outputTokens;
      return answering(...given);
    };
    const issues = Array.from({ length: 150 }, (_, at) => at);
    const said: (string | undefined)[] = [];
    // As many side by side as the worker serves.
    const serve = async (): Promise<void> => {
      for (let at = issues.shift(); at !== undefined; at = issues.shift()) {
        const input = incidentInput(5_000 + at);
        const issue = { ...input.issue, repoId: 100 + (at % 3) };
        const opened = await store().transaction((tx) => openIncident(tx, { ...input, issue }));
        const purse = budgetModel(world, slow, await accountOf(opened.incident, at));
        await purse.ask(request, watch);
        const over = purse.refusal();
        said.push(over && (await store().transaction((tx) => refusalText(tx, over))));
      }
    };
    await Promise.all([serve(), serve(), serve(), serve()]);
    expect(spent).toBeLessThanOrEqual(day);
    expect(spent).toBeGreaterThan(0.8 * day);
    const notices = said.filter((words) => words !== undefined);
    expect(notices.length).toBe(150 - spent / 1_000);
    expect(notices.filter((words) => words.includes("model.budget.tokens_per_day"))).toHaveLength(3);
    expect(notices.filter((words) => !words.includes("model.budget"))[0]).toBe(
      "The model's budget for today is spent: it is asked again from 2026-11-25 00:00Z.",
    );
  });
});

describe("SR-60 turns of one person", () => {
  it("are at most so many within an hour, over all incidents; a bot that the operator listed may more", async () => {
    const reading = { prose: "", proposals: [], suggestions: [], runbooks: [], notes: [] };
    const given = await incident();
    const session = await sessionOf(store().db, given.id);
    const take = (personId: number, offline = false) =>
      store().transaction((tx) =>
        addTurn(tx, session, { cause: "asked", offline, reading, messages: [], usage, personId }),
      );
    const world = { ...worldOf({}), now: () => new Date() };
    const account = await accountOf(await incident(), mona.id);
    const asked = { kind: "asked", personId: mona.id, login: "mona", text: "why?" } as const;
    await take(mona.id);
    await take(mona.id, true);
    expect(await tooManyTurns(world, account, asked)).toBeUndefined();
    await take(mona.id);
    expect((await tooManyTurns(world, account, asked))?.long).toMatch(
      /^One person has started 2 turns of the agent within/,
    );
    for (let n = 0; n < 3; n += 1) await take(99);
    expect(await tooManyTurns(world, { ...account, personId: 99 }, asked)).toBeUndefined();
    expect(await tooManyTurns(world, { ...account, personId: 12 }, asked)).toBeUndefined();
  });
});

it("F-40 SR-62 in a flood the model is not asked for each incident that was opened, and what people ask for is never shed", async () => {
  const account = await accountOf(await incident());
  const world = worldOf({});
  const { queue, transaction } = store();
  const flood = (count: number, share: string): Promise<void> =>
    transaction((tx) =>
      queue.enqueueMany(
        tx,
        "turn",
        Array.from({ length: count }, (_, n) => ({ key: `${share} ${n}`, share, data: {} })),
      ),
    );
  const opened = { kind: "opened", fresh: true } as const;
  await flood(49, String(account.incident.repoId));
  await flood(60, "another");
  expect(await inFlood(world, account, opened)).toBeUndefined();
  await flood(60, String(account.incident.repoId));
  expect((await inFlood(world, account, opened))?.long).toMatch(
    /^The model was not asked: too many incidents came at once\. `\/ask` has it read this one\./,
  );
  expect(await inFlood(world, account, { kind: "batch-ended", numbers: [1] })).toBeUndefined();
});
