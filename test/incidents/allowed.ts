import type { Action } from "../../src/store/actions.ts";
import type { Run } from "../../src/store/runs.ts";

/** A comment of a person, and when it was posted. */
export interface Said {
  readonly login: string;
  readonly body: string;
  readonly at: Date;
}

/** Terms of every lease that is given here. */
export const leaseTerms = { minutes: 15, commands: 20 } as const;

/** What ran, as the store has it. */
interface Ran {
  readonly actions: readonly (Pick<Action, "id" | "number"> & {
    readonly spec: Pick<Action["spec"], "risk" | "command" | "checks" | "guards">;
  })[];
  readonly runs: readonly Pick<Run, "actionId" | "server" | "startedAt">[];
}

/**
 * Returns each run that no person had allowed, by what people have said: a run needs a `/approve` of its number, or of the change
 * that it checks or justifies, of two people for high risk; or it only reads, and there was a `/lease` of its server, no older and not used up. Empty
 * where all of it was allowed. Pure.
 */
export function runsNotAllowed({ actions, runs }: Ran, said: readonly Said[]): readonly string[] {
  const used = new Map<Said, number>();
  return runs.flatMap(({ actionId, server, startedAt }) => {
    if (startedAt === null) return [];
    const action = actions.find(({ id }) => id === actionId);
    if (!action) return [`a run on ${server} of no action`];
    const { number, spec } = action;
    const earlier = said.filter(({ at }) => at <= startedAt);
    const approvers = earlier.flatMap(({ login, body }) => {
      const numbers = /^\/approve ((?:\d+ ?)+)/.exec(body)?.[1]?.trim().split(" ").map(Number) ?? [];
      return [number, spec.checks, spec.guards].some((one) => one !== undefined && numbers.includes(one))
        ? [login]
        : [];
    });
    if (new Set(approvers).size >= (spec.risk === "high" ? 2 : 1)) return [];
    const lease = earlier.findLast(({ body }) => body.startsWith("/lease "));
    const count = lease ? (used.get(lease) ?? 0) + 1 : 0;
    if (lease) used.set(lease, count);
    const [, minutes = "", servers = "", commands = ""] = lease?.body.split(" ") ?? [];
    const isLeased =
      lease !== undefined &&
      spec.risk === "low" &&
      servers.split(",").includes(server) &&
      startedAt.getTime() - lease.at.getTime() <= Number.parseInt(minutes, 10) * 60_000 &&
      count <= Number(commands);
    return isLeased ? [] : [`${number} (${spec.risk}) on ${server}: ${spec.command}`];
  });
}
