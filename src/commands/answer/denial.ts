import { roles } from "../../base/github.ts";
import { name } from "../../github/render/ink.ts";
import type { Call, Command } from "../command.ts";
import { nothingRun } from "./refusals.ts";

/** Why somebody may not give a command: who may, what they have, and whom to ask. */
export function denialText({ deps, repoContext, caller, rights }: Omit<Call, "slash">, { verb, may }: Command): string {
  const { code } = deps.markdown;
  if (rights.propose && !rights.act)
    return nothingRun(
      `${code(`/${verb}`)} is for people: \`policy.proposers\` lets you use \`/run\` and \`/ask\` alone.`,
    );
  const { teams, users, minRole } = repoContext.rules.policy.approvers;
  const members = teams.length === 0 ? [] : [`members of ${teams.map(code).join(", ")}`];
  const approvers = [...members, ...users.map(({ login }) => name(login))].join(" and ");
  const command = code(`/${verb}`);
  const have = caller.role === "none" ? "no access" : `${caller.role} access`;
  const among = may === "approve" ? "them" : members.length > 0 ? `the ${approvers}` : approvers;
  const next = `Ask ${approvers === "" ? "the operator of this bot" : `one of ${among}`}, or see \`/help\`.`;
  if (may !== "approve") return nothingRun(`${command} needs write access; you have ${have}. ${next}`);
  if (approvers === "") return nothingRun(`Nobody may use ${command} here: \`policy.approvers\` is empty. ${next}`);
  if (caller.viaApp || caller.type !== "User") return nothingRun(`${rights.missing}. ${next}`);
  const isShort = roles.indexOf(caller.role) < roles.indexOf(minRole);
  const you = isShort ? `you have ${have}` : "you are not one of them";
  return nothingRun(`Only ${approvers} with ${minRole} access can use ${command}; ${you}. ${next}`);
}

/** To whoever may write here and has been told at length a moment ago. */
export const shortDenial = ({ verb }: Command): string => nothingRun(`\`/${verb}\` is for approvers only.`);
