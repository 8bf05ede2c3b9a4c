import { loadTemplate } from "../../base/template.ts";
import { type Markdown, name } from "../../github/render/ink.ts";
import { appendAudit } from "../../store/audit/chain.ts";
import type { Tx } from "../../store/database/open.ts";
import type { Incident } from "../../store/incidents.ts";
import { addQuestion, type Question, questionId } from "../../store/questions.ts";

const template = loadTemplate("comments/question.md");

/** Keeps a question of the agent to the people on the issue; the card of its step shows it (AR-13). */
export async function askPeople(
  tx: Tx,
  incident: Incident,
  asked: { readonly step: number; readonly text: string; readonly choices: readonly string[] },
): Promise<Question> {
  const question = await addQuestion(tx, incident.id, asked);
  await appendAudit(tx, {
    kind: "question_asked",
    incidentId: incident.id,
    body: { number: question.number, step: question.step, text: question.text },
  });
  return question;
}

/** The question as its card has it: how to answer it, or who did and what. */
export function renderQuestion(question: Question, { state }: Pick<Incident, "state">, markdown: Markdown): string {
  const id = questionId(question);
  const choices = question.choices.length === 0 ? ["yes", "no"] : question.choices;
  const ways = [...choices, "skip"].map((choice) => markdown.code(`/answer ${id} ${choice}`));
  return template({
    id,
    text: markdown.plain(question.text),
    how: question.answeredAt
      ? ""
      : state === "closed"
        ? "Not answered."
        : `${ways.join(" · ")} · or any text after ${markdown.code(`/answer ${id}`)} · anyone with write access. The agent waits for it.`,
    answer:
      question.answeredByLogin === null
        ? ""
        : `Answered by ${name(question.answeredByLogin)}: ${markdown.plain(question.answer ?? "")}`,
  });
}
