import { quorum, whyLowWaits } from "../../approval/need.ts";
import {
  type ActionPlace,
  hoursWords,
  levelsIn,
  type PolicyInForce,
  placeTable,
  policyFor,
  timedIn,
  whyRunbookWaits,
} from "../../approval/place.ts";
import { listsOf, type Roster } from "../../approval/rights.ts";
import { checksIn, type RunbookDemand, serversIn } from "../../base/action.ts";
import { isStricter, type Risk, risks, stricter, type Verdict } from "../../base/risk.ts";
import type { Server } from "../../base/server.ts";
import { whyAttended } from "../../risk/unattended.ts";
import type { ActionDraft } from "../../store/actions.ts";
import type { Deps, RepoContext } from "../context.ts";
import { isAsApproved, osOf } from "../run/target.ts";
import { type EarlierAction, earlierOn } from "./earlier.ts";
import { targetServersOf } from "./target-servers.ts";

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

/** The rules see only these fields, so equal servers are judged once. */
export function verdictsOn(
  { evaluate }: Pick<Deps, "evaluate">,
  servers: readonly Server[],
  commands: readonly string[],
  earlier: readonly EarlierAction[] = [],
): readonly Verdict[] {
  const places = servers.map((server) => {
    const { shell, env, protectedPaths, criticalServices, source, patches } = server;
    const place = { os: osOf(server), shell, env, protectedPaths, criticalServices, source, patches };
    return { ...place, earlier: earlierOn(server, earlier) };
  });
  const different = new Map(places.map((where) => [JSON.stringify(where), where]));
  return [...different.values()].flatMap((where) => commands.map((command) => evaluate(command, where)));
}

/** The servers in the inventory's order; undefined if one, its keys, its bytes or the place's members are not as approved. */
export function serversNow(
  repoContext: Pick<RepoContext, "rules">,
  spec: ActionDraft["spec"],
): readonly Server[] | undefined {
  const placed = targetServersOf(repoContext.rules.servers, spec.place);
  if (placed.kind !== "placed") return undefined;
  const { servers } = placed;
  if (spec.targets.length !== servers.length * checksIn(spec).length) return undefined;
  const same = spec.targets.every((target, index) => {
    const server = servers[index % servers.length];
    return server !== undefined && server.name === target.server && isAsApproved(server, target, spec);
  });
  return same ? servers : undefined;
}

const verdictsNow = (
  deps: Pick<Deps, "evaluate">,
  servers: readonly Server[],
  spec: SpecCommands,
  earlier?: readonly EarlierAction[],
): readonly Verdict[] =>
  verdictsOn(
    deps,
    servers,
    checksIn(spec).map(({ command }) => command),
    earlier,
  );

export const riskNowOf = (deps: Pick<Deps, "evaluate">, servers: readonly Server[], spec: SpecCommands): Risk =>
  verdictsNow(deps, servers, spec)
    .map(({ risk }) => risk)
    .reduce(stricter, "low");

/** Why today's rules leave a command to people. */
export const whyAttendedNow = (deps: Deps, servers: readonly Server[], spec: SpecCommands): string | undefined =>
  verdictsNow(deps, servers, spec)
    .map(whyAttended)
    .find((why) => why !== undefined);

/** The same on the servers of its targets, as the inventory has them, and by the policy in force there. */
export function whyLeftToPeople(
  deps: Deps,
  rules: Pick<RepoContext["rules"], "servers" | "policy">,
  spec: SpecCommands & Pick<ActionDraft["spec"], "targets" | "demands">,
): string | undefined {
  const names = serversIn(spec.targets);
  const servers = rules.servers.filter(({ name }) => names.includes(name));
  const policy = policyInForce({ rules }, { spec }, deps.now());
  return (
    whySignerWaits(servers) ??
    whyAttendedNow(deps, servers, spec) ??
    whyLowWaits(policy.low) ??
    whyRunbookWaits(spec.demands)
  );
}

/** A signer signs what a comment approves by its own number, and nothing else (docs/signer.md). */
export function whySignerWaits(servers: readonly Server[]): string | undefined {
  const signed = servers.find(({ signer }) => signer === true);
  return signed && `${signed.name} runs only what a comment approves by its number`;
}

/** Whether today's rules are those that judged it and find no higher risk. */
export const isJudgedAsThen = (deps: Deps, servers: readonly Server[], spec: ActionDraft["spec"]): boolean =>
  // The same rules find more once the operator's trust in a command has ended.
  verdictsNow(deps, servers, spec).every(
    (now) => now.rulesVersion === spec.rulesVersion && risks.indexOf(now.risk) <= risks.indexOf(spec.risk),
  );

/** Why it is riskier behind what has been sent since; undefined if it is not. */
export const whyRaised = (
  deps: Pick<Deps, "evaluate">,
  servers: readonly Server[],
  spec: ActionDraft["spec"],
  sent: readonly EarlierAction[],
): string | undefined =>
  verdictsNow(deps, servers, spec, sent).find(({ risk }) => isStricter(spec.risk, risk))?.findings[0]?.text;

type SpecCommands = Pick<ActionDraft["spec"], "command" | "set">;
