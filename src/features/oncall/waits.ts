import { isUnfinished } from "../../base/action.ts";
import type { RowsWith } from "../../store/incident-rows.ts";
import { slots } from "../../store/outbox/slots.ts";

/** What an incident waits for that only people can give, besides a decision on a command. */
export interface IncidentWait {
  /** Names this waiting: each has its own calls. */
  readonly round: string;
  readonly since: Date;
  /** A sentence for the people who are called. */
  readonly words: string;
}

/**
 * Decides whether an open incident waits for people although no command waits for their decision: nobody works on it, and there is a
 * question, a value to give, or nothing that could be proposed, as where no runbook or server is known. Pure.
 */
export function waitOf({
  incident,
  actions,
  questions,
  turns,
}: RowsWith<"actions" | "questions" | "turns">): IncidentWait | undefined {
  if (incident.state !== "open" || incident.doing !== "") return undefined;
  if (actions.some((action) => isUnfinished(action) && action.state !== "incomplete")) return undefined;
  const question = questions.findLast(({ answeredAt }) => answeredAt === null);
  if (question)
    return { round: `question:${question.number}`, since: question.askedAt, words: "The agent has asked a question." };
  const form = actions.findLast(({ state }) => state === "incomplete");
  if (form)
    return { round: `values:${form.number}`, since: form.createdAt, words: `Command ${form.number} needs a value.` };
  const last = turns.at(-1);
  if (last?.cause !== "opened" || actions.some(({ card }) => card === slots.card(last.step))) return undefined;
  return { round: `turn:${last.step}`, since: last.createdAt, words: "No command could be proposed for it." };
}
