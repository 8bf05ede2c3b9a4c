import { name } from "../github/render/ink.ts";
import { appendAudit } from "../store/audit.ts";
import type { Tx } from "../store/database.ts";
import type { Incident } from "../store/incidents.ts";
import { wantComments } from "../store/outbox.ts";
import { addQuestion, type Question, questionId } from "../store/questions.ts";
import { slots } from "../store/slots.ts";
import { loadTemplate } from "../template.ts";
import { threadOf, wakePoster } from "./show.ts";
import type { World } from "./world.ts";

const template = loadTemplate("comments/question.md");

/** Puts a question of the agent to the people on the issue, as a comment of its own (AR-13). */
export async function askPeople(
  tx: Tx,
  world: World,
  incident: Incident,
  asked: { readonly step: number; readonly text: string; readonly choices: readonly string[] },
): Promise<Question> {
  const question = await addQuestion(tx, incident.id, asked);
  await appendAudit(tx, {
    kind: "question_asked",
    incidentId: incident.id,
    body: { number: question.number, step: question.step, text: question.text },
  });
  await showQuestion(tx, world, incident, question);
  return question;
}

/** Draws the question's comment: how to answer it, or who did and what. */
export async function showQuestion(tx: Tx, world: World, incident: Incident, question: Question): Promise<void> {
  const { ink } = world;
  const id = questionId(question);
  const choices = question.choices.length === 0 ? ["yes", "no"] : question.choices;
  const ways = [...choices, "skip"].map((choice) => ink.code(`/answer ${id} ${choice}`));
  const body = template({
    id,
    text: ink.plain(question.text),
    how: question.answeredAt
      ? ""
      : `${ways.join(" · ")} · or any text behind ${ink.code(`/answer ${id}`)} · anyone with write access. The agent waits for it.`,
    answer:
      question.answeredByLogin === null
        ? ""
        : `Answered by ${name(question.answeredByLogin)}: ${ink.plain(question.answer ?? "")}`,
  });
  await wantComments(tx, threadOf(incident), [{ slot: slots.question(question.number), body }]);
  await wakePoster(tx, world, incident);
}
