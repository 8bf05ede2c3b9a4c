import { quorum } from "../../approval/need.ts";
import {
  type ActionPlace,
  hoursWords,
  levelsIn,
  type PolicyInForce,
  placeTable,
  policyFor,
  timedIn,
} from "../../approval/place.ts";
import { listsOf, type Roster } from "../../approval/rights.ts";
import type { RunbookDemand } from "../../base/action.ts";
import type { Risk } from "../../base/risk.ts";
import type { Server } from "../../base/server.ts";
import type { RepoContext } from "../context.ts";

/** Where a server's command runs, as the rules for places know it. */
export const placeOf = (
  { name, groups, cluster }: Pick<Server, "name" | "groups" | "cluster">,
  namespace?: string,
): ActionPlace => ({ name, groups, isCluster: cluster !== undefined, namespace });

/** Who may approve what where on these servers; only places where a rule holds differ from the general policy. */
export const placeRows = ({ policy, servers }: Pick<RepoContext["rules"], "policy" | "servers">, at: Date) =>
  placeTable(
    policy,
    servers.map((server) => ({ ...placeOf(server), namespaces: server.cluster?.namespaces })),
    at,
  );

/** ``anyone in `acme/dba` · approvals: low 1, medium 2 · medium within `09:00-17:00 UTC` ``, up to the highest risk there. */
export function policyWords(policy: PolicyInForce, code: (text: string) => string): string {
  const who = approversIn(policy.approvers, code);
  const levels = levelsIn(policy).map((risk) => `${risk} ${quorum(policy[risk].approvals)}`);
  const timed = timedIn(policy);
  return [
    who ? `anyone in ${who}` : "nobody",
    `approvals: ${levels.join(", ")}`,
    ...(policy.maxRisk === "high" ? [] : [`${policy.maxRisk} risk at most`]),
    ...(timed.length === 0 ? [] : [`${timed.join(", ")} within ${hoursWords(policy.hours, code)}`]),
  ].join(" · ");
}

/** ``acme/dba`, `@lee` who is also in `acme/oncall` ``; undefined if nobody may approve. */
export function approversIn(roster: Roster, code: (text: string) => string): string | undefined {
  const lists = listsOf(roster).map(({ teams, users }) =>
    [...teams.map(code), ...users.map((user) => code(`@${user.login}`))].join(", "),
  );
  return lists.includes("") ? undefined : lists.join(" who is also in ");
}

interface PlacedSpec {
  readonly targets: readonly {
    readonly server: string;
    readonly cluster?: { readonly namespace?: string | undefined } | undefined;
  }[];
  readonly demands?: readonly RunbookDemand[] | undefined;
  readonly risk?: Risk | undefined;
}

/** The policy that holds for an action: the general one, the rules for its places, what its runbook asks. By the inventory of now. */
export function policyInForce(
  { rules }: { readonly rules: Pick<RepoContext["rules"], "policy" | "servers"> },
  { spec: { targets, demands, risk } }: { readonly spec: PlacedSpec },
  at: Date,
): PolicyInForce {
  const places = targets.map(({ server, cluster }): ActionPlace => {
    const known = rules.servers.find(({ name }) => name === server);
    return known
      ? placeOf(known, cluster?.namespace)
      : { name: server, groups: undefined, isCluster: cluster !== undefined };
  });
  return policyFor(rules.policy, { places, demands, risk }, at);
}
