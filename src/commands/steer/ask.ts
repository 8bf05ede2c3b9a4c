import { answer } from "../../features/thread/answer.ts";
import { show } from "../../features/thread/show.ts";
import { enqueueTurn } from "../../features/turn/turn.ts";
import { suggestionLetters, suggestionLines } from "../../github/render/card.ts";
import { noteOf, type SlashCommand } from "../../slash/grammar.ts";
import { verbs } from "../../slash/verbs.ts";
import { appendAudit } from "../../store/audit/chain.ts";
import type { Tx } from "../../store/database/open.ts";
import type { Incident } from "../../store/incidents.ts";
import { turnsOf } from "../../store/turns.ts";
import { redactMarkdown } from "../../text/bare.ts";
import { toldBy } from "../answer/reported.ts";
import type { Call, Command } from "../command.ts";
import { whyNoTurn } from "./no-turn.ts";

const maxQuestionCharacters = 4_000;

/** Talks to the agent: its next turn answers. A letter alone takes that suggestion of its newest reply, and so does its number (AR-21). */
export const ask: Command = {
  ...verbs.ask,
  summary: "asks the agent; a letter takes that suggestion of its newest reply",
  examples: ["/ask what changed since 14:00?", "/ask b", "/ask act"],
  may: "propose",
  run: (call) =>
    call.commit(async (tx, incident) => {
      const found = await findQuestion(tx, call, incident);
      if ("mistake" in found) return answer(tx, call, incident, { outcome: "mistake", body: found.mistake });
      await take(tx, call, incident, found);
    }),
};

/** What `/ask` alone says to a model that did not answer the last time. */
const goOn = "Go on: you could not be reached before.";

interface Found {
  readonly text: string;
  /** Which suggestion it is. */
  readonly suggestion?: number;
}

/** What is asked, or why nothing is and the next thing to type. */
async function findQuestion(tx: Tx, call: Call, incident: Incident): Promise<Found | { readonly mistake: string }> {
  const { slash, deps } = call;
  if (incident.state === "closed")
    return { mistake: "This incident is closed, so the agent no longer answers here. Reopen the issue first." };
  const typed = textOf(slash).trim();
  const taken = async (found: Found): Promise<Found | { readonly mistake: string }> => {
    const stopped = await whyNoTurn(tx, deps, incident);
    return stopped === undefined ? found : { mistake: stopped };
  };
  const letter = suggestionLetters.indexOf(typed.toLowerCase());
  const number = typed.length === 1 && letter >= 0 ? letter + 1 : /^\d{1,6}$/.test(typed) ? Number(typed) : undefined;
  if (typed === "" || number !== undefined) {
    const newest = (await turnsOf(tx, incident.id)).at(-1);
    const suggestions = newest?.suggestions ?? [];
    if (typed === "" && deps.ask && newest?.offline) return taken({ text: goOn });
    const listed = suggestionLines(suggestions, deps.markdown).join(" · ");
    const offer = listed === "" ? "Its newest reply suggests nothing." : `It suggests: ${listed}`;
    if (number === undefined) return { mistake: `What do you want to ask? Write it after \`/ask\`. ${offer}` };
    const text = suggestions[number - 1];
    if (text === undefined)
      return { mistake: `The agent's newest reply has no suggestion **${typed.toLowerCase()}**. ${offer}` };
    return taken({ text, suggestion: number });
  }
  const stopped = await whyNoTurn(tx, deps, incident);
  if (stopped !== undefined) return { mistake: stopped };
  const seen = redactMarkdown(deps.redact, typed).trim();
  if (seen === "")
    return { mistake: "I cannot read any of that. Write what you want to know in plain words after `/ask`." };
  if (seen.length <= maxQuestionCharacters) return { text: seen };
  const length = seen.length.toLocaleString("en");
  return {
    mistake: `That question has ${length} characters, and the agent is asked at most ${maxQuestionCharacters.toLocaleString("en")} at a time. Shorten it, or put the rest into a comment: it reads those too.`,
  };
}

/** The whole line, numbers and all: `2 servers are down` is a question. */
const textOf = (slash: SlashCommand): string =>
  [slash.ids === "all" ? "all" : slash.ids.map(({ number }) => number).join(" "), noteOf(slash)]
    .filter((part) => part !== "")
    .join(" ");

async function take(tx: Tx, call: Call, incident: Incident, { text, suggestion }: Found): Promise<void> {
  const { deps, caller, event } = call;
  await appendAudit(tx, {
    kind: "agent_asked",
    incidentId: incident.id,
    body: { by: { id: caller.id, login: caller.login }, commentId: event.comment.id, suggestion: suggestion ?? null },
  });
  const asked = { personId: caller.id, login: caller.login, text, told: toldBy(call) };
  await enqueueTurn(tx, deps, incident, { kind: "asked", ...asked });
  const doing = suggestion === undefined ? "" : `, suggestion ${suggestionLetters[suggestion - 1]}: ${text}`;
  await show(tx, deps, incident, `answering ${caller.login}${doing}`);
  await answer(tx, call, incident, { outcome: "done" });
}
