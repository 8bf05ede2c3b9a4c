import { changePillar } from "../../features/incident/pillar.ts";
import { answer } from "../../features/thread/answer.ts";
import { show } from "../../features/thread/show.ts";
import { type Pillar, pillars, sessionOf } from "../../store/incidents.ts";
import { closedText } from "../answer/refusals.ts";
import type { Handler } from "../command.ts";

export const pillarMeanings = {
  troubleshoot: "the agent looks for the cause first",
  revive: "the agent restores service first and looks for the cause after",
} as const satisfies Record<Pillar, string>;

/** Changes the prompt, but no permission (AR-16). */
export const pillar: Handler = (call) =>
  call.commit(async (tx, incident) => {
    const { deps, caller, slash } = call;
    const now = (await sessionOf(tx, incident.id)).pillar;
    const wanted = pillars.find((one) => one === slash.words[0]?.toLowerCase());
    const mistake = (body: string) => answer(tx, call, incident, { outcome: "mistake", body });
    if (!wanted) {
      const choice = pillars.map((one) => `\`/pillar ${one}\` (${pillarMeanings[one]})`).join(" or ");
      return mistake(`It is **${now}** now. Write ${choice}.`);
    }
    if (wanted === now) return mistake(`It is **${now}** already: ${pillarMeanings[now]}.`);
    if (incident.state === "closed") return mistake(closedText);
    const means = { commentId: call.event.comment.id };
    await changePillar(tx, incident, wanted, { person: caller, means });
    await show(tx, deps, incident);
    await answer(tx, call, incident, {
      outcome: "done",
      body: `**${wanted}** from the next turn on: ${pillarMeanings[wanted]}. Permissions are unchanged.`,
    });
  });
