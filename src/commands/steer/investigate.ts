import { shownNote } from "../../features/intake/read-comment.ts";
import { answer } from "../../features/thread/answer.ts";
import { show } from "../../features/thread/show.ts";
import { enqueueTurn } from "../../features/turn/turn.ts";
import { appendAudit } from "../../store/audit/chain.ts";
import type { Tx } from "../../store/database/open.ts";
import { addSessionInstruction, type Incident, takeInByHand } from "../../store/incidents.ts";
import type { Call, Handler } from "../command.ts";
import { whyNoTurn } from "./agent-turn.ts";

const maxNoteCharacters = 4_000;

/**
 * Makes an issue an incident, even without the label. The note holds for the session (S13.4); on an existing incident the agent looks
 * again.
 */
export const investigate: Handler = (call) => call.commit((tx, incident) => begin(tx, call, incident));

async function begin(tx: Tx, call: Call, incident: Incident): Promise<void> {
  const { deps, caller, event } = call;
  const mistake = (body: string) => answer(tx, call, incident, { outcome: "mistake", body });
  if (!event.open) return mistake("This issue is closed. Reopen it first, then comment `/investigate`.");
  const note = shownNote(call);
  if (note.length > maxNoteCharacters) {
    const length = note.length.toLocaleString("en");
    return mistake(
      `That note has ${length} characters, and the agent is told at most ${maxNoteCharacters.toLocaleString("en")} at a time. Shorten it, or put the rest into a comment: it reads those too.`,
    );
  }
  const reopened = incident.state === "closed";
  if (reopened) await takeInByHand(tx, incident.id);
  if (note !== "") await addSessionInstruction(tx, incident.id, { source: `@${caller.login}`, text: note });
  await appendAudit(tx, {
    kind: "investigation_asked",
    incidentId: incident.id,
    body: { by: { id: caller.id, login: caller.login }, commentId: event.comment.id, note, reopened },
  });
  const now: Incident = { ...incident, state: "open" };
  const stopped = await whyNoTurn(tx, deps, now);
  if (stopped) {
    await show(tx, deps, now);
    const body = note === "" ? stopped : `${stopped} Your note is kept and goes with its next turn.`;
    return answer(tx, call, incident, { outcome: note === "" ? "mistake" : "done", body });
  }
  await enqueueTurn(tx, deps, now, {
    kind: "investigated",
    personId: caller.id,
    login: caller.login,
    noted: note !== "",
  });
  await show(tx, deps, now, "reading the incident");
  await answer(tx, call, incident, { outcome: "done" });
}
