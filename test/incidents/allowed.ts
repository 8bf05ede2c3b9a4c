import { actionsOf } from "../../src/store/actions.ts";
import type { Db } from "../../src/store/database/open.ts";
import { runsOf } from "../../src/store/runs.ts";

/** A comment of a person, and when it was posted. */
export interface Said {
  readonly login: string;
  readonly body: string;
  readonly at: Date;
}

/** Terms of every lease that is given here. */
export const leaseTerms = { minutes: 15, commands: 20 } as const;

/**
 * Returns each run that no person had allowed, by what people have said: a run needs a `/approve` of its number, or of the change that it
 * checks, one of each of two people for high risk; or it only reads, and a `/lease` of its server, which was no older and not used up,
 * was there. Empty where all of it was allowed.
 */
export async function runsNotAllowed(db: Db, incidentId: string, said: readonly Said[]): Promise<readonly string[]> {
  const actions = await actionsOf(db, incidentId);
  const runs = (await runsOf(db, incidentId)).filter(({ startedAt }) => startedAt !== null);
  const used = new Map<Said, number>();
  return runs.flatMap(({ actionId, server, startedAt }) => {
    const action = actions.find(({ id }) => id === actionId);
    if (!action || !startedAt) return [`a run on ${server} of no action`];
    const { number, spec } = action;
    const earlier = said.filter(({ at }) => at <= startedAt);
    const approvers = earlier.flatMap(({ login, body }) => {
      const numbers = /^\/approve ((?:\d+ ?)+)/.exec(body)?.[1]?.trim().split(" ").map(Number) ?? [];
      return numbers.includes(number) || (spec.checks !== undefined && numbers.includes(spec.checks)) ? [login] : [];
    });
    if (new Set(approvers).size >= (spec.risk === "high" ? 2 : 1)) return [];
    const lease = earlier.findLast(({ body }) => body.startsWith("/lease "));
    const count = lease ? (used.get(lease) ?? 0) + 1 : 0;
    if (lease) used.set(lease, count);
    const isLeased =
      lease !== undefined &&
      spec.risk === "low" &&
      (lease.body.split(" ")[2] ?? "").split(",").includes(server) &&
      startedAt.getTime() - lease.at.getTime() <= leaseTerms.minutes * 60_000 &&
      count <= leaseTerms.commands;
    return isLeased ? [] : [`${number} (${spec.risk}) on ${server}: ${spec.command}`];
  });
}
