import { answer } from "../../features/thread/answer.ts";
import { name } from "../../github/render/ink.ts";
import type { Audience } from "../../slash/verbs.ts";
import type { Call, Handler } from "../command.ts";

/** Says what the bot knows about the caller and their rights, and why. */
export const whoami: Handler = (call) =>
  call.commit((tx, incident) => answer(tx, call, incident, { outcome: "done", body: rightsText(call) }));

const rightsText = ({ caller, rights, repoContext, deps }: Call): string => {
  const { code } = deps.markdown;
  const { users } = repoContext.rules.policy.approvers;
  const teams = caller.teams.map(code).join(", ");
  const listed = users.some(({ id }) => id === caller.id) ? "you are named in `policy.approvers`" : "";
  const why = [listed, teams === "" ? "" : `you are in ${teams}`].filter((part) => part !== "").join(" and ");
  const line = (may: Audience, what: string, because: string): string =>
    `- ${rights[may] ? "✅" : "❌"} ${what}: ${because}`;
  return [
    `You are ${name(caller.login)}, GitHub ID ${code(String(caller.id))}, with the role **${caller.role}** here${teams === "" ? "" : `, in ${teams}`}.`,
    "",
    line("see", "follow along", `needs read access; you have ${caller.role}`),
    line("act", "propose, hold, close", `needs write access; you have ${caller.role}`),
    line("approve", "approve", rights.approve ? why : rights.missing),
    "",
    "As GitHub reports it right now. `/help` lists the commands.",
  ].join("\n");
};
