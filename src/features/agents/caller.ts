import type { Person } from "../../base/github.ts";
import type { Server } from "../../base/server.ts";
import { type Config, type McpCaller, repositoryIn, selectServers } from "../../config/values.ts";
import { type Action, proposalsBy } from "../../store/actions.ts";
import type { Tx } from "../../store/database/open.ts";

/** The agent of this name; undefined if the operator does not list it. */
export function callerNamed({ policy }: Pick<Config, "policy">, name: string): McpCaller | undefined {
  const { mcp } = policy.proposers;
  return Object.hasOwn(mcp, name) ? mcp[name] : undefined;
}

/** No account has the id 0, and no login has a colon. */
export const authorOf = (agent: string): Person => ({ id: 0, login: `mcp:${agent}` });

/** Whether the agent made this proposal. */
export const isBy = (agent: string, { authorId, authorLogin }: Action): boolean =>
  authorId === authorOf(agent).id && authorLogin === authorOf(agent).login;

/** The named repository, or the agent's only one, as in the operator's file. */
export function repositoryFor(config: Config, { repositories }: McpCaller, named: string | undefined) {
  const [only, ...others] = repositories;
  const wanted = named ?? (others.length === 0 ? only : undefined);
  const isOwn = repositories.some((one) => one.toLowerCase() === wanted?.toLowerCase());
  return wanted !== undefined && isOwn ? repositoryIn(config, wanted)?.name : undefined;
}

/** The repository's servers that the agent may name. */
export const serversOf = ({ servers: names }: McpCaller, servers: readonly Server[]): readonly Server[] =>
  selectServers(servers, names);

interface ProposalCaps {
  readonly openProposals: number;
  readonly proposalsPerHour: number;
}

const hourMs = 3_600_000;

/** Why an agent may propose no more now (AG-3), in words for it. */
export async function whyTooMany(
  tx: Tx,
  agent: Person,
  { caps, now }: { readonly caps: ProposalCaps; readonly now: Date },
): Promise<string | undefined> {
  const { open, recent } = await proposalsBy(tx, agent, new Date(now.getTime() - hourMs));
  if (open >= caps.openProposals)
    return `You have ${open} proposals open, and an agent may have ${caps.openProposals}. Wait until people have decided.`;
  if (recent >= caps.proposalsPerHour)
    return `You have made ${recent} proposals within an hour, and an agent may make ${caps.proposalsPerHour}. Try again later.`;
  return undefined;
}
