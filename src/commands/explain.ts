import { renderHow } from "../github/render/card.ts";
import { riskMark } from "../github/render/ink.ts";
import { stateWords } from "../github/render/state.ts";
import { hintOf, viewsOf } from "../jobs/show.ts";
import { actionsOf } from "../store/actions.ts";
import { answer } from "./answer.ts";
import type { Command } from "./command.ts";
import { missingNumber, stateRefusal } from "./refusals.ts";

/** Why an action has its risk, who may approve it, and the exact bytes that will run (POLICY.md 6). */
export const explain: Command = {
  verb: "explain",
  usage: "/explain 2",
  summary: "why this risk, who may approve, what exactly will run",
  may: "see",
  run: (call) =>
    call.commit(async (tx, incident) => {
      const { world, ground, slash } = call;
      const { ink } = world;
      const actions = await actionsOf(tx, incident.id);
      const id = slash.ids === "all" ? undefined : slash.ids[0];
      const action = actions.find((candidate) => candidate.number === id?.number);
      if (!id || !action) {
        const body = id ? stateRefusal(id.number, undefined, actions) : missingNumber("explain", actions);
        await answer(tx, call, incident, { outcome: "mistake", body });
        return;
      }
      const view = (await viewsOf(tx, incident.id)).find((candidate) => candidate.number === action.number);
      const { spec } = action;
      const body = [
        `**${action.number}** · ${riskMark(spec.risk)} · ${ink.code(spec.server)} · ${view ? stateWords(view) : action.state}`,
        [
          "**Why this risk**",
          "",
          ...action.findings.map((it) => `- ${riskMark(it.risk)} · ${ink.plain(it.text)}`),
        ].join("\n"),
        `**What runs**, as ${ink.code(spec.user)}, ended after ${Math.round(spec.hardTimeoutMs / 60_000)} min at the latest:\n\n${ink.fence(spec.wrapped, "sh")}`,
        `Digest ${ink.code(action.digest.slice(0, 16))} · rules ${ink.code(spec.rulesVersion.slice(0, 12))} · host key ${spec.hostKeys.map(ink.code).join(", ")} · proposed by ${action.origin === "person" ? ink.code(`@${action.authorLogin ?? "ghost"}`) : action.origin === "model" ? `the model ${ink.code(spec.model ?? "")}` : "a runbook"}`,
        view ? renderHow([view], hintOf(world, ground), ink) : "",
      ];
      await answer(tx, call, incident, { outcome: "done", body: body.filter((part) => part !== "").join("\n\n") });
    }),
};
