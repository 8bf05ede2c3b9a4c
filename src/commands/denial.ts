import { name } from "../github/render/ink.ts";
import type { Audience, Call, Command } from "./command.ts";

const takes = {
  see: "it takes read access",
  act: "it takes write access",
  approve: "it takes an approver",
} as const satisfies Record<Audience, string>;

/** Why a command is not somebody's to give: what it takes, what they have, and whom to ask. Nothing was run. */
export function denialText({ world, ground, caller, rights }: Omit<Call, "slash">, { verb, may }: Command): string {
  const { code } = world.ink;
  const { teams, users } = ground.rules.policy.approvers;
  const approvers = [...teams.map(code), ...users.map(({ login }) => name(login))].join(", ");
  const needs = may === "approve" && rights.missing !== "" ? `${takes[may]}; ${rights.missing}` : takes[may];
  const own = caller.teams.length === 0 ? "" : `, in ${caller.teams.map(code).join(", ")}`;
  const ask = approvers === "" ? "the operator of this bot" : `anyone in ${approvers}`;
  return `${code(`/${verb}`)} is not yours to give here: ${needs}. You have the role ${caller.role}${own}. Ask ${ask}; \`/help\` lists what you may say. Nothing was run.`;
}
