import { shownNote } from "../../features/intake/read-comment.ts";
import { answer } from "../../features/thread/answer.ts";
import { appendAudit } from "../../store/audit/chain.ts";
import type { Tx } from "../../store/database/open.ts";
import { giveFeedback } from "../../store/feedback.ts";
import { type Incident, sessionOf } from "../../store/incidents.ts";
import { slots } from "../../store/outbox/slots.ts";
import { turnsOf } from "../../store/turns.ts";
import type { Call, Handler } from "../command.ts";

const maxNoteCharacters = 1_000;

/** Rates the agent's newest reply (AR-10), even on a closed incident; a person's last verdict counts. */
export const feedback: Handler = (call) => call.commit((tx, incident) => give(tx, call, incident));

async function give(tx: Tx, call: Call, incident: Incident): Promise<void> {
  const { deps, slash, caller, event } = call;
  const mistake = (body: string) => answer(tx, call, incident, { outcome: "mistake", body });
  const verdict = verdicts.get(slash.words[0]?.toLowerCase() ?? "");
  if (!verdict)
    return mistake("Was it of use? Write `/feedback up` or `/feedback down`, with a note after it if you like.");
  const last = (await turnsOf(tx, incident.id)).at(-1);
  if (!last) return mistake("The agent has not replied here yet. Write `/feedback` again when it has.");
  const note = shownNote(call, 1);
  if (note.length > maxNoteCharacters)
    return mistake(`That note has ${note.length.toLocaleString("en")} characters; 1,000 are kept. Shorten it.`);
  const session = await sessionOf(tx, incident.id);
  const person = { id: caller.id, login: caller.login };
  const slot = slots.card(last.step);
  await giveFeedback(tx, session.id, { source: "command", slot, verdict, note, person, at: deps.now() });
  await appendAudit(tx, {
    kind: "feedback_given",
    incidentId: incident.id,
    body: { by: person, commentId: event.comment.id, step: last.step, verdict, note },
  });
  await answer(tx, call, incident, { outcome: "done" });
}

const verdicts: ReadonlyMap<string, "up" | "down"> = new Map([
  ["up", "up"],
  ["👍", "up"],
  ["down", "down"],
  ["👎", "down"],
]);
