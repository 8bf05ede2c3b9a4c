import { rightsOf } from "../../approval/rights.ts";
import type { Person } from "../../base/github.ts";
import type { OnCallRoster } from "../../pager/roster.ts";
import type { Approval } from "../../store/actions.ts";
import type { Incident } from "../../store/incidents.ts";
import type { Deps, RepoContext } from "../context.ts";

/** One who is on call or comes next, and whether they may approve here. */
export interface Callee extends Person {
  readonly isNow: boolean;
  /** Why they may not approve; empty if they may. */
  readonly missing: string;
}

const mostAsked = 6;

/**
 * Asks GitHub which of those on call may approve at this moment, in their order; only they are called. Throws where GitHub does not
 * answer.
 */
export async function calleesOf(
  deps: Deps,
  incident: Incident,
  { rules }: Pick<RepoContext, "rules">,
  { now, next }: OnCallRoster,
): Promise<readonly Callee[]> {
  const named = [...now, ...next].slice(0, mostAsked);
  const accounts = await Promise.all(named.map(({ login }) => deps.issues.accountOf(incident, login)));
  const { approvers } = rules.policy;
  const { installationId, repo, number: issue } = incident;
  const people = accounts.flatMap((account) => account ?? []);
  const asked = { installationId, repo, issue, people, comments: [], teams: approvers.teams };
  const facts = people.length === 0 ? undefined : await deps.facts(asked);
  return named.map(({ login }, index): Callee => {
    const isNow = index < now.length;
    const account = accounts[index];
    if (!account) return { id: 0, login, isNow, missing: "nobody on GitHub has this login" };
    const standing = facts?.people.get(account.id) ?? { role: "none" as const, teams: [] };
    const { missing } = rightsOf(approvers, { person: account, type: account.type, viaApp: false, ...standing });
    return { ...account, isNow, missing };
  });
}

/** Of those who were called the logins who have not approved all of it, each once; `verdicts` are those on each action. */
export const silentOf = (
  called: readonly string[],
  verdicts: readonly (readonly Pick<Approval, "login" | "verdict">[])[],
): readonly string[] =>
  [...new Set(called)].filter((who) =>
    verdicts.some((own) => !own.some(({ login, verdict }) => login === who && verdict === "approve")),
  );
