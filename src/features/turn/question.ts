import { loadTemplate } from "../../base/template.ts";
import { type Markdown, name } from "../../github/render/ink.ts";
import type { Incident } from "../../store/incidents.ts";
import { type Question, questionId } from "../../store/questions.ts";

const template = loadTemplate("comments/question.md");

/** An agent's question with how to answer it, or its answer (AR-13). */
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
