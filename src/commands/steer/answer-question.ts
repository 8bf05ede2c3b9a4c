import { shownNote } from "../../features/intake/read-comment.ts";
import { answer } from "../../features/thread/answer.ts";
import { show } from "../../features/thread/show.ts";
import { enqueueTurn } from "../../features/turn/turn.ts";
import { verbs } from "../../slash/verbs.ts";
import { appendAudit } from "../../store/audit/chain.ts";
import type { Tx } from "../../store/database/open.ts";
import type { Incident } from "../../store/incidents.ts";
import { answerQuestion, type Question, questionId, questionsOf } from "../../store/questions.ts";
import { toldBy } from "../answer/reported.ts";
import type { Call, Command } from "../command.ts";
import { whyNoTurn } from "./no-turn.ts";

const maxAnswerCharacters = 4_000;

/** Answers a question of the agent, whose next turn goes on with it (AR-13). */
export const answerTheQuestion: Command = {
  ...verbs.answer,
  summary: "answers the agent's question: yes, no, skip, or any text",
  examples: ["/answer q1 yes", "/answer q1 only since the deploy of 14:00"],
  may: "act",
  run: (call) =>
    call.commit(async (tx, incident) => {
      const found = await findAnswer(tx, call, incident);
      if ("mistake" in found) return answer(tx, call, incident, { outcome: "mistake", body: found.mistake });
      await take(tx, call, incident, found);
    }),
};

interface Found {
  readonly question: Question;
  readonly text: string;
  /** The comment, where this is all that it says. */
  readonly told: number | undefined;
}

/** The question and what is answered, or what is wrong and the next thing to type. */
async function findAnswer(tx: Tx, call: Call, incident: Incident): Promise<Found | { readonly mistake: string }> {
  const { slash, deps } = call;
  const questions = await questionsOf(tx, incident.id);
  const open = questions.filter(({ answeredAt }) => answeredAt === null);
  const waiting =
    open.length === 0
      ? "No question is open right now; `/ask` tells the agent anything else."
      : `Open right now: ${open.map((one) => `**${questionId(one)}** ${deps.markdown.plain(one.text)}`).join(" · ")}`;
  const named = slash.ids === "all" ? undefined : (slash.ids[0]?.number ?? numberOf(slash.words[0]));
  if (named === undefined) return { mistake: `Which question? Write \`/answer q1 yes\`. ${waiting}` };
  const question = questions.find(({ number }) => number === named);
  if (!question) return { mistake: `There is no question **q${named}** here. ${waiting}` };
  if (question.answeredAt) {
    const said = deps.markdown.plain(question.answer ?? "");
    return {
      mistake: `**q${named}** was already answered by ${deps.markdown.code(`@${question.answeredByLogin}`)}: ${said}. ${waiting}`,
    };
  }
  const seen = shownNote(call, slash.ids.length > 0 ? 0 : 1);
  if (seen === "") {
    return { mistake: `What is the answer? Write \`/answer q${named} yes\`, \`no\`, \`skip\` or any text after it.` };
  }
  const stopped = await whyNot(tx, call, incident);
  if (stopped !== undefined) return { mistake: stopped };
  const told = seen.length <= maxAnswerCharacters ? toldBy(call) : undefined;
  return { question, text: seen.slice(0, maxAnswerCharacters).toWellFormed(), told };
}

const numberOf = (word: string | undefined): number | undefined => {
  const digits = /^q(\d{1,6})$/i.exec(word ?? "")?.[1];
  return digits === undefined ? undefined : Number(digits);
};

/** Why the agent cannot go on with an answer now; the question stays open. */
async function whyNot(tx: Tx, { deps }: Call, incident: Incident): Promise<string | undefined> {
  if (incident.state === "closed") return "This incident is closed, so the agent does not go on.";
  const stopped = await whyNoTurn(tx, deps, incident);
  return stopped && `${stopped} Then answer again.`;
}

async function take(tx: Tx, call: Call, incident: Incident, { question, text, told }: Found): Promise<void> {
  const { deps, caller, event } = call;
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
