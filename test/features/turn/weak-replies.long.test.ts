import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Stage, startStage } from "../../harness/stage.ts";
import { type WeakReply, weakReplies } from "./weak-replies.ts";

const cases = Object.values(weakReplies).flat();

/** The card and the actions that each case came to, by its place among them. */
interface Ending {
  readonly card: string;
  readonly actions: readonly { readonly command: string; readonly risk: string; readonly state: string }[];
}

let stage: Stage;
const endings = new Map<WeakReply, Ending>();

beforeAll(async () => {
  stage = await startStage({ config: { agent: { turns_per_person_per_hour: 1_000 } } });
  const asked = new Map<number, number>();
  stage.model.otherwise(({ messages }) => {
    const [, of = "0"] = /weak case (\d+)/.exec(messages.map(({ content }) => content).join("\n")) ?? [];
    const turn = asked.get(Number(of)) ?? 0;
    asked.set(Number(of), turn + 1);
    const steps = cases[Number(of)]?.steps ?? [];
    return steps[Math.min(turn, steps.length - 1)] ?? { status: 500 };
  });
  const threads: Awaited<ReturnType<Stage["open"]>>[] = [];
  // Side by side, and fewer than make a flood.
  for (let at = 0; at < cases.length; at += 20) {
    const some = cases
      .slice(at, at + 20)
      .map((_one, place) => stage.open({ title: `weak case ${at + place}`, body: "Odd." }));
    threads.push(...(await Promise.all(some)));
    await stage.quiet();
  }
  const actions = await stage.bot.deps.store.db
    .selectFrom("action")
    .innerJoin("incident", "incident.id", "action.incidentId")
    .select(["incident.number as issue", "action.state as state", "action.spec as spec"])
    .execute();
  for (const [at, thread] of threads.entries()) {
    const one = cases[at];
    const bodies = (await thread.comments()).map(({ body }) => body);
    const card = bodies.find((body) => body.includes("**Phase") && !body.includes("Board of this")) ?? "";
    const own = actions.filter(({ issue }) => issue === thread.number);
    const made = own.map(({ state, spec: { command, risk } }) => ({ command, risk, state }));
    if (one) endings.set(one, { card, actions: made });
  }
});
afterAll(() => stage.close());

describe.each(Object.entries(weakReplies))("issue 18 a weak reply, %s", (_kind, replies) => {
  it.each(replies)("ends in a card that says what is missing, or in what policy judged: $name", (one) => {
    const { card, actions } = endings.get(one) ?? { card: "", actions: [] };
    const { ends } = one;
    expect(card).not.toBe("");
    if ("says" in ends) {
      expect(card).toMatch(ends.says);
      expect(actions.filter(({ state }) => state !== "proposed")).toEqual([]);
    } else if ("blocked" in ends) {
      expect(actions).toMatchObject([{ command: ends.blocked, state: "blocked" }]);
      expect(card).toContain("blocked");
    } else {
      const made = ends.proposed.map(([command, risk]) => ({ command, risk, state: "proposed" }));
      expect(actions).toEqual(made);
      for (const { command } of made) expect(card).toContain(command);
    }
  });
});

it("issue 18 they are sixty-three", () => {
  expect(cases).toHaveLength(63);
  expect(stage.ran()).toEqual([]);
});
