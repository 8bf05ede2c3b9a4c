import { describe, expect, it } from "vitest";
import {
  findIncident,
  type Incident,
  idleIncidents,
  incidentOf,
  lockIncident,
  openIncident,
  reopenIncident,
  sessionOf,
  setIncident,
} from "../../src/store/incidents.ts";
import { addQuestion } from "../../src/store/questions.ts";
import { addTurn, messagesOf, modelSteps, turnsOf } from "../../src/store/turns.ts";
import { incidentInput, useStore } from "./rows.ts";

const { store, incident, action } = useStore();

describe("incidents", () => {
  it("SR-61 twenty starts of one issue at the same time are one incident with one session", async () => {
    const opened = await Promise.all(
      Array.from({ length: 20 }, () => store().transaction((tx) => openIncident(tx, incidentInput(900)))),
    );
    expect(opened.filter((one) => one.opened)).toHaveLength(1);
    expect(new Set(opened.map((one) => one.incident.id)).size).toBe(1);
  });

  it("SR-25 are found by the repository's id and the number, never by its name", async () => {
    const given = await incident();
    expect(await findIncident(store().db, given.repoId, given.number)).toMatchObject({ id: given.id });
    expect(await findIncident(store().db, given.repoId + 1, given.number)).toBeUndefined();
  });

  it("AR-16 closed and opened again, one keeps its session", async () => {
    const given = await incident();
    const before = await sessionOf(store().db, given.id);
    await store().transaction((tx) => setIncident(tx, given.id, { state: "closed", closedAt: new Date() }));
    expect(await incidentOf(store().db, given.id)).toMatchObject({ state: "closed", closedAt: expect.any(Date) });
    await store().transaction((tx) => reopenIncident(tx, given.id));
    expect(await store().transaction((tx) => lockIncident(tx, given.id))).toMatchObject({
      state: "open",
      closedAt: null,
    });
    expect(await sessionOf(store().db, given.id)).toEqual(before);
  });
});

describe("OC-1 the open incidents that may wait for people although no command does", () => {
  const asked = { step: 1, text: "Which one?", choices: [] };
  const reading = { prose: "", proposals: [], suggestions: [], runbooks: [], notes: [] };
  const usage = { inputTokens: 0, cachedTokens: 0, outputTokens: 0 };
  const turn = (cause: "opened" | "asked") => async (given: Incident) => {
    const session = await sessionOf(store().db, given.id);
    await store().transaction((tx) => addTurn(tx, session, { cause, offline: false, reading, messages: [], usage }));
  };
  const question = async (given: Incident) => {
    await store().transaction((tx) => addQuestion(tx, given.id, asked));
  };
  const proposed = async (given: Incident) => {
    await action(given);
  };
  const incomplete = async (given: Incident) => {
    await action(given, { state: "incomplete" });
  };
  const set = (change: Parameters<typeof setIncident>[2]) => async (given: Incident) => {
    await store().transaction((tx) => setIncident(tx, given.id, change));
  };

  const busy = async ({ id }: Incident) => {
    await store().db.updateTable("incident").set({ doing: "reading" }).where("id", "=", id).execute();
  };

  it.each([
    ["nothing was asked or told", [], false],
    ["a question stands", [question], true],
    ["a value is missing", [incomplete], true],
    ["its first turn proposed nothing", [turn("opened")], true],
    ["a person has asked since", [turn("opened"), turn("asked")], false],
    ["a command waits for a decision", [question, proposed], false],
    ["the agent is at it", [question, busy], false],
    ["it is closed", [question, set({ state: "closed", closedAt: new Date() })], false],
  ])("%s", async (_what, steps, isIdle) => {
    const given = await incident();
    for (const step of steps) await step(given);
    expect((await idleIncidents(store().db)).has(given.id)).toBe(isIdle);
  });
});

describe("turns", () => {
  const reading = { prose: "First line\nsecond", proposals: [], suggestions: ["a"], runbooks: [], notes: [] };
  const usage = { inputTokens: 10, cachedTokens: 4, outputTokens: 3 };

  it("AR-17 S14 each is the next step and adds to what the session has cost; the phase stays where none is named", async () => {
    const given = await incident();
    const session = await sessionOf(store().db, given.id);
    const add = (change: object) =>
      store().transaction((tx) =>
        addTurn(tx, session, {
          cause: "opened",
          offline: false,
          reading: { ...reading, ...change },
          messages: [],
          usage,
        }),
      );
    await add({ phase: "plan", confidence: "LIKELY" });
    await add({});
    // It never goes back.
    await add({ phase: "identify" });
    expect(await turnsOf(store().db, given.id)).toMatchObject([
      { step: 1, phase: "plan", confidence: "LIKELY", suggestions: ["a"] },
      { step: 2, phase: "plan", confidence: null },
      { step: 3, phase: "plan", confidence: null },
    ]);
    expect(await sessionOf(store().db, given.id)).toMatchObject({
      steps: 3,
      inputTokens: 30,
      cachedTokens: 12,
      outputTokens: 9,
    });
    // Turns without the model come beside, and the counter has one denominator.
    const [counted, turns] = [await sessionOf(store().db, given.id), await turnsOf(store().db, given.id)];
    const offline = [...turns, { step: 4, offline: true }, { step: 5, offline: true }, { step: 0, offline: true }];
    const later = { steps: counted.steps + 2, stepLimit: counted.stepLimit + 2 };
    expect(modelSteps(later, offline)).toEqual(modelSteps(counted, turns));
    expect(modelSteps(counted, turns)).toEqual({ steps: 3, stepLimit: counted.stepLimit });
    expect(await incidentOf(store().db, given.id)).toMatchObject({ headline: "First line", confidence: null });
  });

  it("OP-1 the conversation comes back as it was said, in order, tool calls and odd characters included", async () => {
    const given = await incident();
    const session = await sessionOf(store().db, given.id);
    const messages = [
      { role: "user", content: 'what\u2028is "this" 🙂' },
      { role: "assistant", content: "", toolCalls: [{ id: "1", name: "read_output", arguments: '{"number":1}' }] },
      { role: "tool", toolCallId: "1", content: "x".repeat(100_000) },
    ] as const;
    for (const part of [messages.slice(0, 1), messages.slice(1)])
      await store().transaction((tx) =>
        addTurn(tx, session, { cause: "asked", offline: false, reading, messages: part, usage }),
      );
    expect(await messagesOf(store().db, session.id)).toEqual(messages);
  });
});
