import { shownNote } from "../../features/intake/read-comment.ts";
import { answer } from "../../features/thread/answer.ts";
import { show } from "../../features/thread/show.ts";
import { enqueueTurn } from "../../features/turn/turn.ts";
import { appendAudit } from "../../store/audit/chain.ts";
import type { Tx } from "../../store/database/open.ts";
import type { Incident } from "../../store/incidents.ts";
import { answerQuestion, questionId, questionsOf } from "../../store/questions.ts";
import type { Call, Handler } from "../command.ts";
import { toldBy, whyNoTurn } from "./agent-turn.ts";

const maxAnswerCharacters = 4_000;

/** The agent's next turn continues with the answer (AR-13). */
export const answerTheQuestion: Handler = (call) => call.commit((tx, incident) => answerAgent(tx, call, incident));

async function answerAgent(tx: Tx, call: Call, incident: Incident): Promise<void> {
  const { slash, deps, caller, event } = call;
  const { plain, code } = deps.markdown;
  const mistake = (body: string) => answer(tx, call, incident, { outcome: "mistake", body });
  const questions = await questionsOf(tx, incident.id);
  const open = questions.filter(({ answeredAt }) => answeredAt === null);
  const waiting =
    open.length === 0
      ? "No question is open right now; `/ask` tells the agent anything else."
      : `Open right now: ${open.map((one) => `**${questionId(one)}** ${plain(one.text)}`).join(" · ")}`;
  const digits = /^q(\d{1,6})$/i.exec(slash.words[0] ?? "")?.[1];
  const named = slash.ids === "all" ? undefined : (slash.ids[0]?.number ?? (digits && Number(digits)));
  if (named === undefined) return mistake(`Which question? Write \`/answer q1 yes\`. ${waiting}`);
  const question = questions.find(({ number }) => number === named);
  if (!question) return mistake(`There is no question **q${named}** here. ${waiting}`);
  if (question.answeredAt) {
    const said = plain(question.answer ?? "");
    return mistake(
      `**q${named}** was already answered by ${code(`@${question.answeredByLogin}`)}: ${said}. ${waiting}`,
    );
  }
  const typed = shownNote(call, slash.ids.length > 0 ? 0 : 1);
  if (typed === "")
    return mistake(`What is the answer? Write \`/answer q${named} yes\`, \`no\`, \`skip\` or any text after it.`);
  // The question stays open until the agent can go on.
  if (incident.state === "closed")
    return mistake("This incident is closed, so the agent does not go on. Reopen the issue, then answer again.");
  const stopped = await whyNoTurn(tx, deps, incident);
  if (stopped !== undefined) return mistake(`${stopped} Then answer again: \`/answer q${named} …\``);

  const text = typed.slice(0, maxAnswerCharacters).toWellFormed();
  const told = typed.length <= maxAnswerCharacters ? toldBy(call) : undefined;
  const person = { id: caller.id, login: caller.login };
  const commentId = event.comment.id;
  const answered = await answerQuestion(tx, question, { answer: text, person, commentId, at: deps.now() });
  if (!answered) throw new Error(`${questionId(question)} was answered while its incident was locked`);
  await appendAudit(tx, {
    kind: "question_answered",
    incidentId: incident.id,
    body: { number: question.number, by: { ...person, role: caller.role }, commentId, answer: text },
  });
  await enqueueTurn(tx, deps, incident, { kind: "answered", personId: caller.id, number: question.number, told });
  await show(tx, deps, incident, `going on with the answer to ${questionId(question)}`);
  await answer(tx, call, incident, { outcome: "done" });
}
