/** What the operator's rules for a place, and runbooks, ask beyond the general policy (`policy.for`). Pure. They only ever ask for more. */

import { isDeepStrictEqual } from "node:util";
import type { RunbookDemand } from "../base/action.ts";
import type { Person } from "../base/github.ts";
import { isOpenAt, opensAt } from "../base/hours.ts";
import { isStricter, type Risk } from "../base/risk.ts";
import { type ApprovalPolicy, quorum, type RiskPolicy } from "./need.ts";
import { listsOf, type Roster } from "./rights.ts";

type LevelDemand = {
  readonly [Key in "approvals" | "reason" | "restateServer"]?: RiskPolicy[Key] | undefined;
};

/** An entry of `policy.for`. */
export interface PlaceRule {
  /** Servers, clusters, sources and patches, or groups of them. */
  readonly servers?: readonly string[] | undefined;
  readonly groups?: readonly string[] | undefined;
  readonly clusters?: readonly string[] | undefined;
  readonly sources?: readonly string[] | undefined;
  readonly patches?: readonly string[] | undefined;
  /** Of its clusters; without them all. */
  readonly namespaces?: readonly string[] | undefined;
  readonly approvers?: { readonly teams: readonly string[]; readonly users: readonly Person[] } | undefined;
  readonly low?: LevelDemand | undefined;
  readonly medium?: LevelDemand | undefined;
  readonly high?: LevelDemand | undefined;
  readonly maxRisk?: Exclude<Risk, "block"> | undefined;
  /** Open while one of them is. */
  readonly hours?: readonly string[] | undefined;
}

/** Where an action runs. */
export interface ActionPlace {
  readonly name: string;
  /** Undefined for a server that is not known any more: every rule may be meant. */
  readonly groups: readonly string[] | undefined;
  readonly isCluster: boolean;
  /** Undefined if the command is not bound to one: it may reach each. */
  readonly namespace?: string | undefined;
}

interface PlacedSubject {
  readonly places: readonly ActionPlace[];
  /** If unknown, its hours count. */
  readonly risk?: Risk | undefined;
  readonly demands?: readonly RunbookDemand[] | undefined;
}

interface GeneralPolicy extends ApprovalPolicy {
  readonly approvers: Roster;
  readonly for?: readonly PlaceRule[] | undefined;
}

/** The policy that holds for one action. */
export interface PolicyInForce extends ApprovalPolicy {
  readonly approvers: Roster;
  /** Those that match it; the digest holds them. */
  readonly rules: readonly PlaceRule[];
  readonly maxRisk: Exclude<Risk, "block">;
  /** Each rule's; all must be open for what is riskier than low. */
  readonly hours: readonly (readonly string[])[];
  /** Outside of them, unless it only reads. */
  readonly shut: ShutTime | undefined;
}

export interface ShutTime {
  readonly hours: readonly (readonly string[])[];
  /** Undefined if they are never open together. */
  readonly opensAt: Date | undefined;
}

/** Whether a rule is for a place. What is not known counts as meant. */
function isFor(rule: PlaceRule, { name, groups, isCluster, namespace }: ActionPlace): boolean {
  if (groups === undefined) return true;
  const { servers = [], groups: named = [], clusters = [], sources = [], patches = [], namespaces = [] } = rule;
  const isNamed =
    [servers, clusters, sources, patches].some((names) => [name, ...groups].some((one) => names.includes(one))) ||
    groups.some((group) => named.includes(group));
  return (
    isNamed && (!isCluster || namespaces.length === 0 || namespace === undefined || namespaces.includes(namespace))
  );
}

/** The rules for any of an action's places, so that a group has those of all its members. */
export const rulesAt = (rules: readonly PlaceRule[], places: readonly ActionPlace[]): readonly PlaceRule[] =>
  rules.filter((rule) => places.some((place) => isFor(rule, place)));

/** All rules that match hold at once: approvers must be in each list, numbers are the highest, risk the lowest. */
export function policyFor(policy: GeneralPolicy, subject: PlacedSubject, at: Date): PolicyInForce {
  const rules = rulesAt(policy.for ?? [], subject.places);
  const { demands = [] } = subject;
  const lists = [
    ...rules.flatMap(({ approvers }) => approvers ?? []),
    ...demands.flatMap(({ approvers }) => (approvers ? [{ teams: approvers, users: [] }] : [])),
  ];
  const level = (risk: "low" | "medium" | "high"): RiskPolicy => {
    const wants = [
      ...rules.flatMap((rule) => rule[risk] ?? []),
      ...demands.map(({ approvals }): LevelDemand => ({ approvals })),
    ];
    const general = policy[risk];
    if (wants.length === 0) return general;
    return {
      ...general,
      // NaN stays NaN, and no number of approvals reaches it.
      approvals: Math.max(quorum(general.approvals), ...wants.map(({ approvals = 1 }) => quorum(approvals))),
      reason: wants.some(({ reason }) => reason === "required") ? "required" : general.reason,
      restateServer: general.restateServer === true || wants.some(({ restateServer }) => restateServer === true),
    };
  };
  const hours = rules.flatMap(({ hours: texts = [] }) => (texts.length === 0 ? [] : [texts]));
  const isOpen = subject.risk === "low" || hours.every((texts) => isOpenAt(texts, at));
  const { for: _, ...general } = policy;
  return {
    ...general,
    low: level("low"),
    medium: level("medium"),
    high: level("high"),
    approvers: lists.length === 0 ? policy.approvers : { ...policy.approvers, also: lists },
    rules,
    maxRisk: rules.reduce<Exclude<Risk, "block">>(
      (most, { maxRisk }) => (maxRisk !== undefined && isStricter(maxRisk, most) ? maxRisk : most),
      "high",
    ),
    hours,
    shut: isOpen ? undefined : { hours, opensAt: opensAt(hours, at) },
  };
}

/** Whether an action's digest holds exactly the rules that match now, in any order. */
export const sameRules = (now: readonly PlaceRule[], held: readonly PlaceRule[] = []): boolean =>
  now.length === held.length && now.every((rule) => held.some((one) => isDeepStrictEqual(one, rule)));

/** All teams that may decide somewhere, for GitHub to say who is in them. */
export const teamsOf = (
  { approvers, for: rules = [] }: Pick<GeneralPolicy, "approvers" | "for">,
  demands: readonly RunbookDemand[] = [],
): readonly string[] => [
  ...new Set([
    ...approvers.teams,
    ...rules.flatMap((rule) => rule.approvers?.teams ?? []),
    ...[...new Set(demands.flatMap((demand) => demand.approvers ?? []))].slice(0, mostDemanded),
  ]),
];

/** Anyone with push access can write a runbook, and each team makes one request longer. A team beyond this number has no members. */
const mostDemanded = 20;

/** Those who may be in all lists: undefined if each list has a team, whose members are not known. */
export function peopleOf(roster: Roster): readonly Person[] | undefined {
  const agents = new Set(roster.proposers?.users.map(({ id }) => id));
  const named = listsOf(roster).filter(({ teams }) => teams.length === 0);
  const [first, ...others] = named;
  if (!first) return undefined;
  const people = new Map(first.users.map((user) => [user.id, user]));
  const isInAll = (id: number): boolean => others.every(({ users }) => users.some((user) => user.id === id));
  return [...people.values()].filter(({ id }) => !agents.has(id) && isInAll(id));
}

/** Why a read that may otherwise run by a lease or a schedule waits for people; undefined if it does not. */
export const whyRunbookWaits = (demands: readonly RunbookDemand[] = []): string | undefined =>
  demands.some(({ approvers }) => approvers) ? "its runbook asks for approvers of its own" : undefined;

/** `09:00-17:00 Europe/Berlin`; of several rules all. */
export const hoursWords = (hours: PolicyInForce["hours"], write = (text: string) => text): string =>
  [...new Set(hours.map((texts) => texts.map(write).join(" or ")))].join(" and ");

/** The places that have the same rules. */
export interface PlaceRow {
  /** `db-1`, `prod · payments`, `prod · other namespaces`. */
  readonly names: readonly string[];
  readonly policy: PolicyInForce;
}

/** Who may approve what where: all places of an inventory, those with the same rules together. */
export function placeTable(
  policy: GeneralPolicy,
  inventory: readonly (Omit<ActionPlace, "namespace"> & { readonly namespaces?: readonly string[] | undefined })[],
  at: Date,
): readonly PlaceRow[] {
  const rules = policy.for ?? [];
  const places = inventory.flatMap(({ namespaces = [], ...place }) => {
    const named = rulesAt(rules, [place]).flatMap((rule) => rule.namespaces ?? []);
    if (!place.isCluster || named.length === 0) return [{ label: place.name, place }];
    const own = namespaces.includes("*") ? [...new Set([...named, "*"])] : namespaces;
    return own.map((namespace) => ({
      label: `${place.name} · ${namespace === "*" ? "other namespaces" : namespace}`,
      place: { ...place, namespace },
    }));
  });
  const alike = Map.groupBy(places, ({ place }) =>
    rulesAt(rules, [place])
      .map((rule) => rules.indexOf(rule))
      .join(" "),
  );
  return [...alike.values()].flatMap((same) => {
    const [first] = same;
    const names = same.map(({ label }) => label);
    return first ? [{ names, policy: policyFor(policy, { places: [first.place] }, at) }] : [];
  });
}

/** Up to the highest risk that may run there. */
export const levelsIn = ({ maxRisk }: Pick<PolicyInForce, "maxRisk">): readonly Exclude<Risk, "block">[] =>
  (["low", "medium", "high"] as const).filter((risk) => !isStricter(maxRisk, risk));

/** The levels that wait for the hours. */
export const timedIn = (policy: Pick<PolicyInForce, "hours" | "maxRisk">): readonly Exclude<Risk, "block">[] =>
  policy.hours.length === 0 ? [] : levelsIn(policy).filter((risk) => risk !== "low");

/** Why nobody can approve something there, each in words; team members are not known, so they count as enough. */
export function whyNobody(policy: PolicyInForce, at: Date): readonly string[] {
  const people = listsOf(policy.approvers).some(({ teams, users }) => teams.length + users.length === 0)
    ? []
    : peopleOf(policy.approvers);
  const lacking = levelsIn(policy).filter((risk) => people && people.length < quorum(policy[risk].approvals));
  const [first] = lacking;
  const have = people?.length === 0 ? "nobody" : `only ${people?.map(({ login }) => login).join(", ")}`;
  const timed = timedIn(policy);
  const isShut = timed.length > 0 && opensAt(policy.hours, at) === undefined;
  return [
    ...(first
      ? [`${lacking.join(", ")} risk: it takes ${quorum(policy[first].approvals)}, and ${have} may approve`]
      : []),
    ...(isShut ? [`${timed.join(", ")} risk: ${hoursWords(policy.hours)} are never open together`] : []),
  ];
}
