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
import { wentWell } from "../../base/run.ts";
import type { Server, Shell } from "../../base/server.ts";
import type { EarlierCommand } from "../../risk/evaluate.ts";
import { whyAttended } from "../../risk/unattended.ts";
import type { Action, ActionDraft } from "../../store/actions.ts";
import type { Db, Tx } from "../../store/database/open.ts";
import { openPartsOf, type RowsWith } from "../../store/incident-rows.ts";
import type { Deps, RepoContext } from "../context.ts";
import { isAsApproved, osOf } from "../run/target.ts";

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

type PlacedServers =
  | { readonly kind: "placed"; readonly place: string; readonly servers: readonly Server[] }
  /** No server or group here. */
  | { readonly kind: "unknown"; readonly name: string }
  | { readonly kind: "too-many"; readonly most: number };

/** More cannot be read on a card. */
const mostServers = 200;

/** A server, a group, or several with commas; in the inventory's order, none twice. Only the repository's servers exist (SR-10). */
export function targetServersOf(servers: readonly Server[], text: string): PlacedServers {
  const names = text.split(/[\s,]+/).filter((name) => name !== "");
  const meant = new Set<Server>();
  for (const name of names) {
    const own = servers.filter((server) => server.name === name);
    // A server wins over a group of its name, so that one never becomes many.
    const found = own.length > 0 ? own : servers.filter((server) => server.groups.includes(name));
    if (found.length === 0) return { kind: "unknown", name };
    for (const server of found) meant.add(server);
  }
  if (meant.size === 0) return { kind: "unknown", name: text };
  if (meant.size > mostServers) return { kind: "too-many", most: mostServers };
  return { kind: "placed", place: names.join(", "), servers: servers.filter((server) => meant.has(server)) };
}

/** None if the place does not exist. */
export function shellsOf(servers: readonly Server[], place: string): readonly Shell[] {
  const placed = targetServersOf(servers, place);
  return placed.kind === "placed" ? [...new Set(placed.servers.map(({ shell }) => shell))] : [];
}

/** What another action of the incident may leave in files on its servers (SR-33). */
export interface EarlierAction extends EarlierCommand {
  readonly targets: readonly Pick<ActionDraft["spec"]["targets"][number], "server" | "host" | "port">[];
}

/** More of them are not walked. */
const mostEarlier = 200;

/** What only reads leaves nothing behind, unless it is low by the operator's word alone. */
const mayLeave = ({ spec, findings }: Pick<ActionDraft, "spec" | "findings">): boolean =>
  spec.risk !== "low" || findings.some(({ ruleId }) => ruleId === "operator.trust");

type ListRows = Pick<RowsWith<"actions" | "runs">, "actions" | "runs">;

function asEarlier({ runs }: ListRows, { id, number, state, spec }: Action): EarlierAction {
  const own = runs.filter(({ actionId }) => actionId === id);
  const isSure = state !== "done" || (own.length > 0 && own.every(wentWell));
  return { name: `${number}`, command: spec.command, targets: spec.targets, isSure };
}

/** For a proposal: what ran or may yet run, in the order of numbers. */
export const earlierIn = (rows: ListRows): readonly EarlierAction[] =>
  rows.actions
    .filter((action) => mayLeave(action) && !isOut.has(action.state))
    .toSorted((one, other) => one.number - other.number)
    .map((action) => asEarlier(rows, action))
    .slice(-mostEarlier);

const isOut: ReadonlySet<Action["state"]> = new Set(["blocked", "rejected", "superseded", "expired", "void"]);

export const readEarlier = async (db: Db | Tx, incidentId: string): Promise<readonly EarlierAction[]> =>
  earlierIn(await openPartsOf(db, incidentId, "actions", "runs"));

/** For the last look: all actions that were sent, in the order in which they started. */
export function sentBefore(rows: ListRows, { id }: Action): readonly EarlierAction[] {
  const startOf = (action: Action): number =>
    Math.min(
      ...rows.runs.flatMap(({ actionId, startedAt }) =>
        actionId === action.id && startedAt ? [startedAt.getTime()] : [],
      ),
    );
  return rows.actions
    .filter((action) => action.id !== id && mayLeave(action) && isSent.has(action.state))
    .toSorted((one, other) => startOf(one) - startOf(other) || one.number - other.number)
    .map((action) => ({ ...asEarlier(rows, action), ...(action.state === "done" ? {} : { isSure: false }) }))
    .slice(-mostEarlier);
}

const isSent: ReadonlySet<Action["state"]> = new Set(["dispatching", "running", "done"]);

/** A draft as what stands before the next one of its list. It has no number yet, so its nonce names it. */
export const draftAsEarlier = (draft: ActionDraft): readonly EarlierAction[] =>
  draft.state !== "blocked" && mayLeave(draft)
    ? [{ name: draft.spec.nonce, command: draft.spec.command, targets: draft.spec.targets, isSure: true }]
    : [];

/** Puts numbers, or what else people and model know them by, for the nonces that name the drafts before it. */
export const withNumbers = (draft: ActionDraft, numbers: ReadonlyMap<string, number | string>): ActionDraft => ({
  ...draft,
  findings: draft.findings.map((finding) => ({
    ...finding,
    text: [...numbers].reduce((text, [nonce, number]) => text.replaceAll(nonce, `${number}`), finding.text),
  })),
});

/** Those that run where this server is, under any of its names. */
export const earlierOn = (
  { name, host, port }: Pick<Server, "name" | "host" | "port">,
  earlier: readonly EarlierAction[],
): readonly EarlierCommand[] =>
  earlier
    .filter(({ targets }) =>
      targets.some((target) => target.server === name || (target.host === host && target.port === port)),
    )
    .map(({ targets: _targets, ...command }) => command);

/** An action as policy sees it. */
export const approvable = (
  action: Pick<Action, "origin" | "authorId" | "createdAt" | "expiresAt" | "state" | "digest"> & {
    readonly spec: Pick<Action["spec"], "risk" | "place"> & { readonly targets: Parameters<typeof serversIn>[0] };
  },
) => ({
  risk: action.spec.risk,
  place: action.spec.place,
  servers: serversIn(action.spec.targets),
  origin: action.origin,
  authorId: action.authorId ?? undefined,
  createdAt: action.createdAt.getTime(),
  expiresAt: action.expiresAt.getTime(),
  state: action.state,
  digest: action.digest,
});
