import { isOpen } from "../../features/incident/withdraw.ts";
import { shownNote } from "../../features/intake/read-comment.ts";
import { answer } from "../../features/thread/answer.ts";
import { actionsOf } from "../../store/actions.ts";
import { oneNamed } from "../answer/refusals.ts";
import type { Handler } from "../command.ts";
import { besideBlock, proposeOwn } from "./own-proposal.ts";
import { isUnderWay } from "./under-way.ts";

const edited = ", edited";

/** Replaces a command by a new action, whose author is the editor (SR-18, SR-20). */
export const edit: Handler = (call) =>
  call.commit(async (tx, incident) => {
    const actions = await actionsOf(tx, incident.id);
    const named = oneNamed(call.slash, actions);
    const mistake = (body: string) => answer(tx, call, incident, { outcome: "mistake", body });
    if (named.kind === "mistake") return mistake(named.body);
    const { action } = named;
    const { number, title, spec } = action;
    if (isUnderWay(action)) {
      return mistake(
        `**${number}** is already running, so its command cannot change. \`/cancel ${number}\` ends it; \`/run\` proposes another.`,
      );
    }
    const note = besideBlock(shownNote(call));
    const description = `${number} as edited by @${call.caller.login}${note === "" ? "" : `: ${note}`}`.slice(0, 300);
    await proposeOwn(tx, call, incident, {
      // Otherwise people would take it for the old command.
      title: title.endsWith(edited) ? title : `${title}${edited}`,
      description,
      server: spec.place,
      ...(isOpen(action) ? { insteadOf: action } : {}),
    });
  });
