import { describe, expect, it } from "vitest";
import { feedbackOf, giveFeedback } from "../../src/store/feedback.ts";
import { sessionOf } from "../../src/store/incidents.ts";
import { lee, mona, useStore } from "./rows.ts";

const { store, incident } = useStore();

describe("AR-11 feedback", () => {
  it("is a session's own, and a person's last word on a comment counts, be it typed or a reaction", async () => {
    const mine = await sessionOf(store().db, (await incident()).id);
    const other = await sessionOf(store().db, (await incident()).id);
    const at = (minute: number) => new Date(Date.UTC(2026, 10, 22, 14, minute));
    const give = (change: Partial<Parameters<typeof giveFeedback>[2]>) =>
      store().transaction((tx) =>
        giveFeedback(tx, mine.id, {
          source: "command",
          slot: "card:1",
          verdict: "up",
          note: "",
          person: lee,
          at: at(1),
          ...change,
        }),
      );
    await give({});
    await give({ verdict: "down", note: "wrong host", at: at(4) });
    await give({ person: mona, at: at(2) });
    await give({ source: "reaction", at: at(3) });
    expect(await feedbackOf(store().db, mine.id)).toMatchObject([
      { login: "mona", verdict: "up" },
      { login: "lee", source: "command", verdict: "down", note: "wrong host" },
    ]);
    expect(await feedbackOf(store().db, other.id)).toEqual([]);
  });
});
