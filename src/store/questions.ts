import type { Selectable } from "kysely";
import type { Db, Tx } from "./database/connection.ts";
import type { Tables } from "./database/tables.ts";
import { newId } from "./ids.ts";

export type Question = Selectable<Tables["question"]>;

/** As in `/answer q1 yes`. */
export const questionId = ({ number }: Pick<Question, "number">): string => `q${number}`;

/** Oldest first. */
export async function questionsOf(db: Db | Tx, incidentId: string): Promise<readonly Question[]> {
  return db.selectFrom("question").selectAll().where("incidentId", "=", incidentId).orderBy("number").execute();
}

/** Returns the open one with the same words, if any. The caller holds the incident's lock. */
export async function addQuestion(
  tx: Tx,
  incidentId: string,
  asked: { readonly step: number; readonly text: string; readonly choices: readonly string[] },
): Promise<Question> {
  const before = await questionsOf(tx, incidentId);
  const same = before.find(({ text, answeredAt }) => answeredAt === null && text === asked.text);
  if (same) return same;
  return tx
    .insertInto("question")
    .values({
      id: newId(),
      incidentId,
      number: (before.at(-1)?.number ?? 0) + 1,
      step: asked.step,
      text: asked.text,
      choices: JSON.stringify(asked.choices),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Returns undefined if it has an answer already (AR-13). */
export async function answerQuestion(
  tx: Tx,
  question: Question,
  given: {
    readonly answer: string;
    readonly person: { readonly id: number; readonly login: string };
    readonly commentId: number;
    readonly at: Date;
  },
): Promise<Question | undefined> {
  return tx
    .updateTable("question")
    .set({
      answer: given.answer,
      answeredById: given.person.id,
      answeredByLogin: given.person.login,
      answeredCommentId: given.commentId,
      answeredAt: given.at,
    })
    .where("id", "=", question.id)
    .where("answeredAt", "is", null)
    .returningAll()
    .executeTakeFirst();
}
