import { answer } from "../../features/thread/answer.ts";
import { show } from "../../features/thread/show.ts";
import { enqueueTurn } from "../../features/turn/turn.ts";
import { suggestionLetters, suggestionLines } from "../../github/render/card.ts";
import { noteOf } from "../../slash/grammar.ts";
import { appendAudit } from "../../store/audit/chain.ts";
import type { Tx } from "../../store/database/open.ts";
import type { Incident } from "../../store/incidents.ts";
import { turnsOf } from "../../store/turns.ts";
import { redactMarkdown } from "../../text/bare.ts";
import type { Call, Handler } from "../command.ts";
import { toldBy, whyNoTurn } from "./agent-turn.ts";

const maxQuestionCharacters = 4_000;

/** A bare `/ask` after a model failure. */
const goOn = "Go on: you could not be reached before.";

/** The agent's next turn answers. A single letter or number takes that suggestion of its newest reply (AR-21). */
export const ask: Handler = (call) => call.commit((tx, incident) => askAgent(tx, call, incident));

async function askAgent(tx: Tx, call: Call, incident: Incident): Promise<void> {
  const { slash, deps, caller, event } = call;
  const mistake = (body: string) => answer(tx, call, incident, { outcome: "mistake", body });
  if (incident.state === "closed")
    return mistake("This incident is closed, so the agent no longer answers here. Reopen the issue first.");
  // `2 servers are down` is a question.
  const numbers = slash.ids === "all" ? "all" : slash.ids.map(({ number }) => number).join(" ");
  const typed = [numbers, noteOf(slash)]
    .filter((part) => part !== "")
    .join(" ")
    .trim();
  const letter = suggestionLetters.indexOf(typed.toLowerCase());
  const number = typed.length === 1 && letter >= 0 ? letter + 1 : /^\d{1,6}$/.test(typed) ? Number(typed) : undefined;
  let text: string | undefined;
  if (typed === "" || number !== undefined) {
    const newest = (await turnsOf(tx, incident.id)).at(-1);
    const suggestions = newest?.suggestions ?? [];
    const listed = suggestionLines(suggestions, deps.markdown).join(" · ");
    const offer = listed === "" ? "Its newest reply suggests nothing." : `It suggests: ${listed}`;
    text = number !== undefined ? suggestions[number - 1] : deps.ask && newest?.offline ? goOn : undefined;
    if (text === undefined)
      return mistake(
        number === undefined
          ? `What do you want to ask? Write it after \`/ask\`. ${offer}`
          : `The agent's newest reply has no suggestion **${typed.toLowerCase()}**. ${offer}`,
      );
  }
  const stopped = await whyNoTurn(tx, deps, incident);
  if (stopped !== undefined) return mistake(stopped);
  if (text === undefined) {
    text = redactMarkdown(deps.redact, typed).trim();
    if (text === "")
      return mistake("I cannot read any of that. Write what you want to know in plain words after `/ask`.");
    if (text.length > maxQuestionCharacters) {
      const [length, most] = [text.length, maxQuestionCharacters].map((one) => one.toLocaleString("en"));
      return mistake(
        `That question has ${length} characters, and the agent is asked at most ${most} at a time. Shorten it, or put the rest into a comment: it reads those too.`,
      );
    }
  }
  const by = { id: caller.id, login: caller.login };
  const body = { by, commentId: event.comment.id, suggestion: number ?? null };
  await appendAudit(tx, { kind: "agent_asked", incidentId: incident.id, body });
  const person = { personId: caller.id, login: caller.login };
  await enqueueTurn(tx, deps, incident, { kind: "asked", ...person, text, told: toldBy(call) });
  const doing = number === undefined ? "" : `, suggestion ${suggestionLetters[number - 1]}: ${text}`;
  await show(tx, deps, incident, `answering ${caller.login}${doing}`);
  await answer(tx, call, incident, { outcome: "done" });
}
