import type { Person } from "../../base/github.ts";
import type { Server } from "../../base/server.ts";
import { type Config, type McpCaller, repositoryIn, selectServers } from "../../config/load.ts";
import type { Action } from "../../store/actions.ts";

/** The agent of this name; undefined where the operator lists none (any more). */
export function callerNamed({ policy }: Pick<Config, "policy">, name: string): McpCaller | undefined {
  const { mcp } = policy.proposers;
  return Object.hasOwn(mcp, name) ? mcp[name] : undefined;
}

/** Whose its proposals are. No account has the id 0, and no login a colon. */
export const authorOf = (agent: string): Person => ({ id: 0, login: `mcp:${agent}` });

/** Whether the agent made this proposal. */
export const isBy = (agent: string, { authorId, authorLogin }: Action): boolean =>
  authorId === authorOf(agent).id && authorLogin === authorOf(agent).login;

/** The repository that is meant, as the operator's file writes it: the one named, or the agent's only one. */
export function repositoryFor(config: Config, { repositories }: McpCaller, named: string | undefined) {
  const [only, ...others] = repositories;
  const wanted = named ?? (others.length === 0 ? only : undefined);
  const isOwn = repositories.some((one) => one.toLowerCase() === wanted?.toLowerCase());
  return wanted !== undefined && isOwn ? repositoryIn(config, wanted)?.name : undefined;
}

/** Of a repository's servers those that the agent may name. */
export const serversOf = ({ servers: names }: McpCaller, servers: readonly Server[]): readonly Server[] =>
  selectServers(servers, names);
