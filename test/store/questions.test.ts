import { describe, expect, it } from "vitest";
import { addQuestion, answerQuestion, questionId, questionsOf } from "../../src/store/questions.ts";
import { lee, mona, useStore } from "./rows.ts";

const { store, incident } = useStore();

describe("AR-13 questions", () => {
  it("have numbers of their incident's own, and one that waits is not asked twice", async () => {
    const given = await incident();
    const other = await incident();
    const ask = (id: string, text: string) =>
      store().transaction((tx) => addQuestion(tx, id, { step: 1, text, choices: ["yes", "no"] }));
    expect(questionId(await ask(given.id, "Now?"))).toBe("q1");
    expect(questionId(await ask(given.id, "Now?"))).toBe("q1");
    expect(questionId(await ask(given.id, "Where?"))).toBe("q2");
    expect(questionId(await ask(other.id, "Now?"))).toBe("q1");
    expect(await questionsOf(store().db, given.id)).toMatchObject([{ choices: ["yes", "no"] }, { text: "Where?" }]);
  });

  it("are answered once, and may be asked again afterwards", async () => {
    const given = await incident();
    const ask = () => store().transaction((tx) => addQuestion(tx, given.id, { step: 1, text: "Now?", choices: [] }));
    const question = await ask();
    const answer = (text: string, person: typeof lee) =>
      store().transaction((tx) => answerQuestion(tx, question, { answer: text, person, commentId: 5, at: new Date() }));
    expect(await answer("yes", lee)).toMatchObject({ answer: "yes", answeredByLogin: "lee", answeredCommentId: 5 });
    expect(await answer("no", mona)).toBeUndefined();
    expect((await ask()).number).toBe(2);
    expect(await questionsOf(store().db, given.id)).toMatchObject([{ answer: "yes" }, { answer: null }]);
  });
});
