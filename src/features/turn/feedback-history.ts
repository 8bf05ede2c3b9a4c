import { checksIn } from "../../base/action.ts";
import type { Db } from "../../store/database/open.ts";
import { feedbackOf } from "../../store/feedback.ts";
import { partsOf } from "../../store/incident-rows.ts";
import type { Session } from "../../store/incidents.ts";
import { delimit } from "../../text/read/visible.ts";

/**
 * What people thought of the agent's proposals and words in this session (AR-10): what they turned down and why, and their
 * thumbs. As text for the model; what people wrote stands between delimiters (SR-39).
 */
export async function feedbackHistory(db: Db, session: Pick<Session, "id" | "incidentId" | "nonce">): Promise<string> {
  const { id, incidentId, nonce } = session;
  const { actions, approvals } = await partsOf(db, incidentId, "actions", "approvals");
  const rejected = approvals
    .filter(({ verdict }) => verdict === "reject")
    .flatMap(({ actionId, login, reason }) => {
      const action = actions.find((candidate) => candidate.id === actionId);
      return action
        ? [
            {
              what: `${action.number} (${checksIn(action.spec)
                .map(({ command }) => command)
                .join("; ")})`,
              how: "turned down",
              login,
              note: reason,
            },
          ]
        : [];
    });
  const thumbs = (await feedbackOf(db, id)).map(({ slot, verdict, login, note }) => ({
    what: nameOf(slot),
    how: verdict === "up" ? "👍" : "👎",
    login,
    note,
  }));
  const lines = [...rejected, ...thumbs].map(({ what, how, login, note }) => {
    const said = note.trim() === "" ? "" : `\n${delimit(note, `comment by ${login}`, nonce)}`;
    return `- ${what}: ${how} by ${login}${said}`;
  });
  return lines.join("\n") || "Nobody has said anything of it yet.";
}

/** A comment of ours as the model knows it. */
function nameOf(slot: string): string {
  const [kind, rest = ""] = slot.split(":", 2);
  return kind === "card" ? `your reply at step ${rest}` : (kind ?? slot);
}
