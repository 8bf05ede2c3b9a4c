import { effectiveRisk } from "../../approval/need.ts";
import {
  type Guard,
  isUndecided,
  mostInSet,
  mostServersOfSet,
  type NamedValue,
  type Proposal,
  serversIn,
} from "../../base/action.ts";
import type { Reading } from "../../base/agent.ts";
import { capital, messageOf } from "../../base/errors.ts";
import type { Person } from "../../base/github.ts";
import { type Finding, isStricter, type Risk, risks, stricter } from "../../base/risk.ts";
import type { Expectation } from "../../base/run.ts";
import type { PatchPlace, Server } from "../../base/server.ts";
import { storedOutputBytes } from "../../config/values.ts";
import type { RepoFiles } from "../../github/context/read.ts";
import { judgePaths } from "../../patches/judge.ts";
import { parsePatch } from "../../patches/parse.ts";
import { applyPatch, pathsToRead, writePatch } from "../../patches/patch.ts";
import { admit } from "../../risk/admit.ts";
import { type FoundProbe, findProbe } from "../../risk/probe.ts";
import { demandsOf } from "../../runbooks/demand.ts";
import { filledAdvice } from "../../runbooks/prepare.ts";
import { type Advice, adviceOf } from "../../runbooks/sections.ts";
import { fillPlaces } from "../../runbooks/values.ts";
import { type Action, type ActionDraft, addAction, moveAction, type Target } from "../../store/actions.ts";
import { appendAudit } from "../../store/audit/chain.ts";
import type { AuditEvent } from "../../store/audit/events.ts";
import type { Tx } from "../../store/database/open.ts";
import { newNonce } from "../../store/ids.ts";
import type { RowsWith } from "../../store/incident-rows.ts";
import type { Incident } from "../../store/incidents.ts";
import { countRaised, type Lease } from "../../store/leases.ts";
import { slots } from "../../store/outbox/thread-comments.ts";
import type { Batch } from "../../store/runs.ts";
import { setTurnNotes, type Turn } from "../../store/turns.ts";
import { redactText } from "../../text/bare.ts";
import type { Deps, RepoContext } from "../context.ts";
import { reopen } from "../incident/withdraw.ts";
import { pinsOf, runsAsJob, targetOf, whyUnfit } from "../run/target.ts";
import { runbooksOf } from "../turn/runbooks.ts";
import {
  draftAsEarlier,
  type EarlierAction,
  policyInForce,
  readEarlier,
  riskNowOf,
  shellsOf,
  targetServersOf,
  verdictsOn,
  whyLeftToPeople,
  whySignerWaits,
  withNumbers,
} from "./in-force.ts";
import { endLeaseAloud, endLeaseIfOver, openingMark, startLeased } from "./lease.ts";
import {
  type AskedTurn,
  didWords,
  doneBefore,
  effectOf,
  isBehindChange,
  isLiveAction,
  isPointless,
  placeDrafts,
  repeatedBy,
} from "./same-action.ts";

interface ReplyProposals {
  readonly incident: Incident;
  readonly rows: RowsWith<"actions" | "approvals" | "lease" | "runs">;
  /** Undefined while the reply is being made: then they get a card of their own. */
  readonly turn?: Turn;
  readonly reading: Pick<Reading, "replaces" | "withdraws" | "notes">;
  readonly origin: "model" | "offline";
  /** Judged before this transaction. */
  readonly drafts: readonly DraftedProposal[];
  /** The actions with results that the model knows. */
  readonly told: ReadonlySet<number>;
  /** Open actions stay, except those that the reply names: they were posted for it, or it answers a person's question. */
  readonly adds?: boolean;
  readonly asked?: AskedTurn;
  /** What `effectOf` says of riskier proposals that count against the lease already. */
  readonly counted?: ReadonlySet<string>;
  /** Open actions of this turn that the model was told wait for people. */
  readonly keeps?: ReadonlySet<number>;
}

interface ProposedList {
  /** By the drafts' nonces; also of what stands there already. */
  readonly numbers: ReadonlyMap<string, number>;
  /** What a lease runs now. */
  readonly leased: Batch | undefined;
}

/**
 * Makes proposals actions; open ones keep number and card. They replace what they name and the agent's unapproved ones; without new ones
 * only withdrawn ones go. A person's always stay (PA-6). The card names what cannot be an action (PA-4).
 */
export async function propose(
  tx: Tx,
  deps: Deps,
  repoContext: RepoContext,
  given: ReplyProposals,
): Promise<ProposedList> {
  const { incident, rows, turn, reading, origin, counted, asked = { isAsked: false, askedAt: deps.now() } } = given;
  const { replaces = [], withdraws = [] } = reading;
  const open = rows.actions.filter((action) => isLiveAction(deps, repoContext, action));
  const refused: string[] = [];
  const mark = openingMark(rows.lease);
  const made: Action[] = [];
  const kept = new Set<Action>();
  const numbers = new Map<string, number>();
  const add = async (draft: ActionDraft): Promise<Action> => {
    const isMarked = mark !== undefined && draft.spec.risk === "low";
    const marked = isMarked ? { ...draft.spec, opening: mark } : draft.spec;
    const card = turn ? slots.card(turn.step) : made[0]?.card;
    const onCard = withNumbers({ ...draft, spec: marked, card }, numbers);
    const cause = { origin, rulesVersion: draft.spec.rulesVersion };
    const action = await addProposal(tx, incident, onCard, cause);
    made.push(action);
    numbers.set(draft.spec.nonce, action.number);
    const { number, state, spec } = action;
    const line = { module: "agent", number, risk: spec.risk, origin: action.origin, place: spec.place };
    if (state === "blocked") {
      const reason = action.findings[0]?.text;
      deps.log.warn({ ...line, event: "tool_blocked", tool: "propose_actions", command: spec.command, reason });
    } else {
      const sinceOpenedMs = deps.now().getTime() - incident.createdAt.getTime();
      deps.log.info({ ...line, event: "command_proposed", sinceOpenedMs });
    }
    return action;
  };

  const drafts = given.drafts.flatMap((one) => {
    if (one.alone.kind === "draft") return [{ ...one, draft: one.alone.draft }];
    refused.push(one.alone.why);
    return [];
  });
  // Ended while the reply was written; the next turn reads the results.
  const unheard = rows.actions.filter(({ state, number }) => state === "done" && !given.told.has(number));
  const placements = placeDrafts(repoContext, open, drafts);
  const placed: (Action | undefined)[] = [];
  const raised: { readonly action: Action; readonly from: Risk }[] = [];
  /** A change's guard with the number of its read, which stands before it in the list; undefined if that is not proposed. */
  const bindGuard = ({ guard, targets }: ActionDraft["spec"]): Guard | undefined => {
    if (!guard) return undefined;
    const servers = guard.on ?? serversIn(targets);
    const memberOfSet = ({ set = [] }: ActionDraft["spec"]): number =>
      set.findIndex(({ command }) => command === guard.command);
    const isCheck = ({ spec }: Pick<ActionDraft, "spec">): boolean => {
      const step = spec.set ? memberOfSet(spec) : undefined;
      const own = spec.targets.filter((target) => (target.step ?? undefined) === step).map(({ server }) => server);
      return (
        (spec.set ? step !== -1 : spec.command === guard.command) && servers.every((server) => own.includes(server))
      );
    };
    const before = drafts.findLast(
      ({ draft }) => numbers.has(draft.spec.nonce) && draft.state !== "blocked" && isCheck(draft),
    )?.draft;
    // A lease may have run it while the reply was written.
    const ran = rows.actions.findLast(
      (action) => action.state === "done" && given.told.has(action.number) && isCheck(action),
    );
    const check = before ? numbers.get(before.spec.nonce) : ran?.number;
    // Under its number may stand a set that has it, such as a runbook's checks.
    const spec = (rows.actions.find(({ number }) => number === check) ?? before)?.spec;
    if (check === undefined || spec === undefined) return undefined;
    // The set's bytes stand in the change's digest, because one approval is for both.
    const member = memberOfSet(spec) + 1;
    return { ...guard, check, ...(member > 0 && { set: { command: spec.command, member } }) };
  };
  for (const [index, { draft: judged, checks = [], isStep, raisedFrom }] of drafts.entries()) {
    const { guard } = judged.spec;
    const bound = bindGuard(judged.spec);
    if (guard && !bound) {
      refused.push(`${judged.title}: its check is not proposed, so neither is it.`);
      continue;
    }
    const draft = bound ? { ...judged, spec: { ...judged.spec, guard: bound } } : judged;
    refused.push(...checks.flatMap((check) => (check.kind === "refused" ? [check.why] : [])));
    const [ended] = isStep ? [] : repeatedBy(repoContext, unheard, draft);
    if (ended) {
      numbers.set(draft.spec.nonce, ended.number);
      refused.push(`${ended.number} is the same command and ended meanwhile, so it is not proposed again.`);
      continue;
    }
    const mayRepeat = isStep || origin !== "model" || draft.state === "blocked";
    const before = mayRepeat ? undefined : doneBefore(rows, draft.spec);
    if (before && !isBehindChange(drafts, index) && isPointless(before, draft.spec, asked, deps.now())) {
      numbers.set(draft.spec.nonce, before.number);
      refused.push(
        `${didWords(before)}. Nothing has changed since, so it is not offered again: \`/retry ${before.number}\` runs it.`,
      );
      continue;
    }
    const placement = placements[index] ?? { kind: "new" };
    if (placement.kind === "open") {
      const [first] = placement.same;
      if (first) numbers.set(draft.spec.nonce, first.number);
      for (const same of placement.same) {
        for (const one of open)
          if (one.spec.checks === same.number || one.number === same.spec.guard?.check) kept.add(one);
        kept.add(same);
        if (!isUndecided(same) && same.state !== "blocked")
          refused.push(`${same.number} is the same command and under way, so it is not proposed again.`);
      }
      continue;
    }
    const twin = placement.kind === "twice" ? placed[placement.at] : undefined;
    if (twin) {
      placed[index] = twin;
      numbers.set(draft.spec.nonce, twin.number);
      refused.push(`${twin.number} stands twice in the reply, so it is listed once.`);
      continue;
    }
    const action = await add(draft);
    placed[index] = action;
    if (raisedFrom !== undefined) raised.push({ action, from: raisedFrom });
    if (before && action.spec.risk !== "low")
      refused.push(`${action.number} is the same command again: ${didWords(before)}.`);
    for (const check of checks) {
      if (check.kind === "refused") continue;
      if (action.state === "blocked") {
        refused.push(`${check.draft.title} is not proposed, because ${action.number} is blocked.`);
        continue;
      }
      // Only the proposal's own check runs under its approval.
      const isOwn = action.state === "proposed" && mayBeOwnCheck(check.draft);
      const description = `Only reads; runs after ${action.number}, under the same approval.`;
      const spec = { ...check.draft.spec, checks: action.number };
      await add(isOwn ? { ...check.draft, description, spec } : check.draft);
    }
  }
  const own = open.filter((action) => action.origin !== "person");
  const rest = own.filter((action) => !kept.has(action));
  const inTheirPlace = made.length + kept.size > 0;
  // Even one approval of several protects it.
  const isApproved = ({ id }: Action): boolean => rows.approvals.some(({ actionId }) => actionId === id);
  const restatedBy = ({ spec }: Action) => made.find((one) => effectOf(one.spec) === effectOf(spec));
  const givesWay = (action: Action): boolean =>
    replaces.includes(action.number) ||
    !(isApproved(action) || ((given.adds || given.keeps?.has(action.number)) && !restatedBy(action)));
  const gone = rest.filter(
    (action) => isUndecided(action) && (withdraws.includes(action.number) || (inTheirPlace && givesWay(action))),
  );
  for (const action of gone) {
    const { incidentId, number, digest } = action;
    const isWithdrawn = withdraws.includes(number);
    const reason = isWithdrawn ? "taken back by the agent" : undefined;
    const supersededBy = isWithdrawn ? undefined : (restatedBy(action) ?? made[0])?.number;
    // What was approved is no longer there.
    await reopen(tx, [action], reason ?? "the agent proposes something else");
    const step = { ...(reason && { reason }), ...(supersededBy !== undefined && { supersededBy }) };
    if (!(await moveAction(tx, action, { from: action.state, to: "superseded", ...step }))) continue;
    await appendAudit(tx, {
      kind: "command_superseded",
      incidentId,
      body: { number, digest, by: supersededBy ?? null, ...(reason && { reason }) },
    });
  }

  let leased: Batch | undefined;
  if (rows.lease) {
    const isOn = rows.lease.offAt === null;
    const uncounted = raised.filter(({ action: { spec } }) => !counted?.has(effectOf(spec) ?? ""));
    await countRaised(tx, incident.id, uncounted.length);
    const blocked = made.find(({ state }) => state === "blocked");
    if (blocked) await endLeaseAloud(tx, deps, repoContext, incident, `policy blocks ${blocked.number}`);
    await endLeaseIfOver(tx, deps, repoContext, incident);
    leased = await startLeased(tx, deps, repoContext, incident);
    if (isOn)
      for (const { action, from } of raised)
        refused.push(
          `${action.number} is left to people: it ${action.findings[0]?.text}, so policy finds it ${action.spec.risk} risk and not ${from}, as the agent said.`,
        );
  }

  const underWay = rest
    .filter((action) => !gone.includes(action))
    .filter(({ number }) => withdraws.includes(number) || replaces.includes(number))
    .map(({ number }) => `${number} is approved and under way, so it is not taken back.`);
  const again = made.flatMap(({ number, spec }) => {
    const same = open.find((one) => !gone.includes(one) && effectOf(one.spec) === effectOf(spec));
    return same
      ? [`${number} is a step of its workflow and the same command as ${same.number}, which stays as it is.`]
      : [];
  });
  const notes = [...refused, ...underWay, ...again];
  if (turn && notes.length > 0) await setTurnNotes(tx, turn.id, [...reading.notes, ...notes]);
  return { numbers, leased };
}

/** Adds a draft under its number; the audit has the cause (AR-02). */
export async function addProposal(
  tx: Tx,
  incident: Incident,
  draft: ActionDraft,
  cause: Omit<AuditEvent<"command_proposed">["body"], "number" | "digest" | "place" | "risk">,
): Promise<Action> {
  const action = await addAction(tx, incident, draft);
  const { number, digest, spec } = action;
  await appendAudit(tx, {
    kind: action.state === "blocked" ? "command_blocked" : "command_proposed",
    incidentId: incident.id,
    body: { number, digest, place: spec.place, risk: spec.risk, ...cause },
  });
  return action;
}

/** Proposes voided commands again on a new card, because the old one may have shown something else. */
export async function repost(
  tx: Tx,
  deps: Deps,
  repoContext: RepoContext,
  { incident, actions }: { readonly incident: Incident; readonly actions: readonly Action[] },
): Promise<readonly number[]> {
  const numbers: number[] = [];
  const renumbered = new Map<number, number>();
  let card: string | undefined;
  for (const action of actions) {
    const drafted = draftAgain(deps, repoContext, action, {
      card,
      earlier: await readEarlier(tx, incident.id),
    });
    // It stays void; its card says so.
    if (drafted.kind === "refused") continue;
    const { spec } = drafted.draft;
    const check = spec.guard && renumbered.get(spec.guard.check);
    const guard = spec.guard && check !== undefined ? { ...spec.guard, check } : spec.guard;
    const draft = { ...drafted.draft, spec: { ...spec, ...(guard && { guard }) } };
    const proposal = await addProposal(tx, incident, draft, { insteadOf: action.number });
    renumbered.set(action.number, proposal.number);
    card ??= proposal.card;
    numbers.push(proposal.number);
  }
  return numbers;
}

export const reproposedWords = (numbers: readonly number[]): string => `proposed it again as ${numbers.join(", ")}`;

export type DraftResult =
  | { readonly kind: "draft"; readonly draft: ActionDraft }
  /** `why` is for the card's reader. */
  | { readonly kind: "refused"; readonly why: string };

/** What became of members of a set, by their places in it. */
type SetPart = DraftResult & { readonly members: readonly number[] };

export interface ProposalOrigin {
  readonly origin: ActionDraft["origin"];
  readonly author?: Person;
  /** Another agent, which may do no more than the model. */
  readonly isAgent?: boolean;
  readonly card?: string | undefined;
  readonly model: string | null;
  readonly promptSha256: string | null;
  /** What may have run before it, or may yet. */
  readonly earlier?: readonly EarlierAction[];
  /** Under a lease a set holds only what may run unattended; its other reads are one of their own. */
  readonly leased?: boolean;
}

/**
 * Makes a proposal an action: on the repository's servers, with a showable command (SR-32, SR-34) without secrets, at our risk (SR-18,
 * PA-7), and with all that runs fixed now (SR-20).
 */
export function draftAction(
  deps: Deps,
  repoContext: RepoContext,
  proposed: Proposal,
  from: ProposalOrigin,
): DraftResult {
  const { rules, context } = repoContext;
  const title = redactText(deps.redact, proposed.title);
  const refuse = (why: string): DraftResult => ({
    kind: "refused",
    // The model proposes several, so this one is named.
    why: redactText(deps.redact, from.origin === "person" ? capital(why) : `${title || "A command"}: ${why}`),
  });

  const placed = targetServersOf(rules.servers, proposed.server);
  if (placed.kind === "too-many")
    return refuse(`it names more than ${placed.most} servers at once. Make it several actions, on a group each`);
  if (placed.kind === "unknown")
    return refuse(
      `no server or group "${placed.name}" here. Use one of: ${namesOf(rules.servers).join(", ") || "none"}`,
    );
  const { place, servers } = placed;

  if (proposed.unfit !== undefined) return refuse(proposed.unfit);
  const isPatch = servers.some(({ patches }) => patches !== undefined);
  if (isPatch && servers.length > 1) return refuse("a patch is for one repository. Name it alone");
  const { filled = [], open = [] } = proposed;
  const writer = from.origin === "person" && !from.isAgent ? "person" : "model";
  // A patch has a judge of its own, and each of its bytes counts.
  const admitted = isPatch
    ? { ok: true as const, command: proposed.command, tidied: [] }
    : admit(proposed.command, writer, open.length > 0);
  if (!admitted.ok) return refuse(admitted.reason);
  const { command, tidied } = admitted;
  const redacted = deps.redact(command);
  if (!redacted.ok || redacted.text !== command) {
    return refuse(
      "the command seems to hold a secret, so it is not shown. Keep the secret in a file on the server and name that file",
    );
  }

  const { risk, tooRisky, findings, unbounded, rulesVersion } = judge(deps, repoContext, servers, {
    proposal: { ...proposed, command },
    earlier: from.earlier,
  });

  const nonce = newNonce();
  const outputCapBytes = storedOutputBytes(deps.config);
  const targets: Target[] = [];
  for (const [index, server] of servers.entries()) {
    const keys = pinsOf(server);
    if (!keys.ok) return refuse(`${keys.reason}. ${capital(keys.remedy)}`);
    const unfit = whyUnfit(server, command, open);
    if (unfit) return refuse(`${unfit.reason}. ${capital(unfit.remedy)}`);
    const jobId = runsAsJob(server, risk) ? `${nonce}${index}` : null;
    targets.push(targetOf(server, command, keys.fingerprints, { jobId, outputCapBytes, open }));
  }

  const { skills } = runbooksOf(context, () => {});
  const shells = servers.map(({ shell }) => shell);
  const demands = [
    ...new Map(
      [...(proposed.demands ?? []), ...demandsOf(skills, { command, filled, shells })].map((one) => [
        JSON.stringify(one),
        one,
      ]),
    ).values(),
  ];
  const policy = policyInForce(repoContext, { spec: { targets, demands } }, deps.now());
  const isTooRisky = risk !== "block" && isStricter(policy.maxRisk, risk);
  const level = policy[risk === "block" ? "high" : risk];
  return {
    kind: "draft",
    draft: {
      state: tooRisky || isTooRisky || risk === "block" ? "blocked" : open.length > 0 ? "incomplete" : "proposed",
      title,
      description: redactText(deps.redact, proposed.description),
      origin: from.origin,
      author: from.author,
      card: from.card,
      findings: isTooRisky
        ? [
            { ruleId: "policy.for", risk, text: `a rule for ${place} allows ${policy.maxRisk} risk at most` },
            ...findings,
          ]
        : findings,
      spec: {
        place,
        targets,
        command,
        ...withoutEmpty({ tidied, filled, open, demands, placeRules: policy.rules }),
        risk,
        expect: proposed.expect && bareExpectation(deps, proposed.expect),
        guard: proposed.guard,
        ...(unbounded.length === 0 ? {} : { unbounded }),
        ...adviceFor(deps, context, { command, filled, servers }),
        rulesVersion,
        contextCommit: context.commit,
        model: from.model,
        promptSha256: from.promptSha256,
        nonce,
        expiresAt: new Date(deps.now().getTime() + level.expiresMs).toISOString(),
      },
    },
  };
}

/** The possible places: servers, then groups. */
export const namesOf = (servers: readonly Server[]): readonly string[] => [
  ...new Set([...servers.map(({ name }) => name), ...servers.flatMap(({ groups }) => groups)]),
];

/** Omits empty lists, so that the digest is that of an object without them. */
const withoutEmpty = <Lists extends Readonly<Record<string, readonly unknown[]>>>(lists: Lists): Partial<Lists> =>
  Object.fromEntries(Object.entries(lists).filter(([, list]) => list.length > 0)) as Partial<Lists>;

function bareExpectation(deps: Deps, { contains, lacks, ...rest }: Expectation): Expectation {
  return {
    ...rest,
    ...(contains === undefined ? {} : { contains: redactText(deps.redact, contains) }),
    ...(lacks === undefined ? {} : { lacks: redactText(deps.redact, lacks) }),
  };
}

/** The highest over the servers, raised by their number and the proposer's label. */
function judge(
  deps: Deps,
  { rules }: RepoContext,
  servers: readonly Server[],
  { proposal, earlier }: { readonly proposal: Proposal; readonly earlier?: readonly EarlierAction[] | undefined },
) {
  const verdicts = verdictsOn(deps, servers, [proposal.command], earlier);
  const [first] = verdicts.toSorted((a, b) => risks.indexOf(b.risk) - risks.indexOf(a.risk));
  // Nothing can be judged, so nothing runs.
  if (!first) return { risk: "block" as const, tooRisky: true, findings: [], unbounded: [], rulesVersion: "" };
  const found = first.risk;
  const many = effectiveRisk(found, servers.length, rules.policy.manyServers);
  // The label only raises the risk, and `block` is ours to say.
  const label = proposal.risk === "block" ? "high" : proposal.risk;
  const risk = label === undefined || many === "block" ? many : stricter(many, label);
  const strict = servers.filter((server) => risk !== "block" && risks.indexOf(risk) > risks.indexOf(server.maxRisk));
  return {
    risk,
    tooRisky: strict.length > 0,
    findings: [
      ...strict.map((server) => ({
        ruleId: "server.max-risk",
        risk,
        text: `${server.name} accepts ${server.maxRisk} risk at most`,
      })),
      ...(many === found
        ? []
        : [{ ruleId: "many-servers", risk: many, text: `runs on ${servers.length} servers at once` }]),
      ...(risk === many ? [] : [{ ruleId: "label", risk, text: `the proposal itself calls it ${risk}` }]),
      ...first.findings,
    ],
    unbounded: first.unbounded,
    rulesVersion: first.rulesVersion,
  };
}

const knownAdvice = new WeakMap<
  RepoFiles,
  { readonly byCommand: ReadonlyMap<string, Advice>; readonly bodies: readonly string[] }
>();

/** How skills check and undo this command, literal or with these values. */
function adviceFor(
  { config, redact }: Pick<Deps, "config" | "redact">,
  context: RepoFiles,
  given: { readonly command: string; readonly filled: readonly NamedValue[]; readonly servers: readonly Server[] },
): Advice {
  if (!config.features.skills) return {};
  let known = knownAdvice.get(context);
  if (known === undefined) {
    const { skills } = runbooksOf(context, () => {});
    const bodies = skills.flatMap(({ body }) => (/#\s*(?:check|undo):/.test(body) ? [body] : []));
    // The first skill counts.
    known = { bodies, byCommand: new Map(bodies.toReversed().flatMap((body) => [...adviceOf(body)])) };
    knownAdvice.set(context, known);
  }
  let found = known.byCommand.get(given.command);
  if (found === undefined && given.filled.length > 0) {
    const shells = given.servers.map(({ shell }) => shell);
    found = known.bodies
      .values()
      .map((body) => filledAdvice(body, { ...given, shells }))
      .find((advice) => advice !== undefined);
  }
  return Object.fromEntries(Object.entries(found ?? {}).map(([kind, text]) => [kind, redactText(redact, text)]));
}

/**
 * Drafts a set: reads become one action, all others separate ones, in the same order. A read behind a change stays behind it. One read
 * alone is no set.
 */
export function draftSet(
  deps: Deps,
  repoContext: RepoContext,
  members: readonly Proposal[],
  from: ProposalOrigin,
): readonly SetPart[] {
  const drafted = members.map((member, at) => ({ ...draftAction(deps, repoContext, member, from), members: [at] }));
  const sets: SetPart[][] = [[]];
  for (const one of drafted)
    if (one.kind === "draft" && one.draft.state !== "blocked" && one.draft.spec.risk !== "low") sets.push([one], []);
    else sets.at(-1)?.push(one);
  if (!from.leased) return sets.flatMap(joinReads);
  const isLeft = (one: DraftResult): boolean =>
    one.kind === "draft" && whyLeftToPeople(deps, repoContext.rules, one.draft.spec) !== undefined;
  return sets.flatMap((set) => [...joinReads(set.filter((one) => !isLeft(one))), ...joinReads(set.filter(isLeft))]);
}

/** Each keeps its targets; one digest covers all. */
function joinReads(drafted: readonly SetPart[]): readonly SetPart[] {
  const reads = drafted
    .flatMap((one) => (one.kind === "draft" && mayBeInSet(one.draft) ? [one.draft] : []))
    .slice(0, mostInSet);
  const [first] = reads;
  if (first === undefined || reads.length < 2) return drafted;
  const { expect: _expect, check: _check, undo: _undo, ...spec } = first.spec;
  const commands = reads.map((read) => read.spec.command);
  const offsets = commands.map((_, step) => commands.slice(0, step).join("\n").length + (step === 0 ? 0 : 1));
  const different = <T>(lists: readonly (readonly T[] | undefined)[]): readonly T[] => [
    ...new Map(lists.flatMap((list) => list ?? []).map((one) => [JSON.stringify(one), one])).values(),
  ];
  const findings = reads.map((read, step) =>
    read.findings.map((finding): Finding => {
      const [offset, { span }] = [offsets[step] ?? 0, finding];
      return span ? { ...finding, span: [span[0] + offset, span[1] + offset] } : finding;
    }),
  );
  const set: ActionDraft = {
    ...first,
    title: titleOf(reads.map(({ title }) => title)),
    findings: different(findings),
    spec: {
      ...spec,
      command: commands.join("\n"),
      set: reads.map(({ spec: { command, expect } }) => ({ command, ...(expect && { expect }) })),
      targets: reads.flatMap((read, step) => read.spec.targets.map((target) => ({ ...target, step }))),
      ...withoutEmpty({
        tidied: different(reads.map((read) => read.spec.tidied)),
        filled: different(reads.map((read) => read.spec.filled)),
        demands: different(reads.map((read) => read.spec.demands)),
        placeRules: different(reads.map((read) => read.spec.placeRules)),
        open: [],
      }),
    },
  };
  const [joined, apart] = [true, false].map((isRead) =>
    drafted.filter((one) => isRead === (one.kind === "draft" && reads.includes(one.draft))),
  );
  return [{ kind: "draft", draft: set, members: joined?.flatMap(({ members }) => members) ?? [] }, ...(apart ?? [])];
}

/** Only low, complete, bounded, one-line reads on few servers. */
export const mayBeInSet = ({ state, spec }: ActionDraft): boolean =>
  state === "proposed" &&
  spec.risk === "low" &&
  spec.targets.length <= mostServersOfSet &&
  spec.unbounded === undefined &&
  !spec.command.includes("\n");

/** Drafts an action again, judged again; its risk can only rise. A set stays one only if all of it still may. */
export function draftAgain(
  deps: Deps,
  repoContext: RepoContext,
  action: Action,
  shown: {
    readonly card?: string | undefined;
    readonly description?: string;
    readonly earlier: readonly EarlierAction[];
  },
): DraftResult {
  const { title, origin, authorId, authorLogin } = action;
  const { set, place, command, model, promptSha256, risk, expect, guard, demands, filled, open, onMerge } = action.spec;
  const { description = action.description, card, earlier } = shown;
  const author = authorId === null ? {} : { author: { id: authorId, login: authorLogin ?? "ghost" } };
  const from = { origin, ...author, card, model, promptSha256, earlier };
  const proposal = { title, description, server: place, command, demands };
  if (!set) {
    const again = draftAction(deps, repoContext, { ...proposal, risk, expect, guard, filled, open }, from);
    if (again.kind === "refused" || onMerge === undefined) return again;
    return { ...again, draft: { ...again.draft, spec: { ...again.draft.spec, onMerge } } };
  }
  const members = set.map((member) => ({ ...proposal, ...member }));
  const [first, ...others] = draftSet(deps, repoContext, members, from);
  return first !== undefined && others.length === 0
    ? first
    : { kind: "refused", why: "not all of its commands may be one set now; propose each with `/run`" };
}

/** A judged proposal with its checks. */
export interface DraftedProposal {
  readonly alone: DraftResult;
  readonly checks?: readonly DraftResult[];
  /** Those of the proposed set, by place, that it is of. */
  readonly members?: readonly number[];
  /** What the proposer said, if policy finds more risk. */
  readonly raisedFrom?: Risk | undefined;
  /** A workflow's step keeps its place (WF-1). */
  readonly isStep?: boolean | undefined;
}

/** Drafts a reply's proposals before the transaction, because no file may be read under the incident's lock. */
export function draftProposals(
  deps: Deps,
  repoContext: RepoContext,
  proposals: readonly Proposal[],
  by: Pick<ProposalOrigin, "origin" | "promptSha256"> & {
    readonly values: readonly NamedValue[];
    readonly earlier: readonly EarlierAction[];
    readonly lease: Pick<Lease, "offAt"> | null | undefined;
  },
): readonly DraftedProposal[] {
  const { values, lease, ...origin } = by;
  // Each stands before those that follow it in the list.
  let { earlier } = by;
  const model = by.origin === "model" ? (deps.config.model.endpoints[0]?.model ?? null) : null;
  const raisedFrom = ({ risk }: Proposal, alone: DraftResult): Risk | undefined =>
    alone.kind === "draft" && risk !== undefined && isStricter(risk, alone.draft.spec.risk) ? risk : undefined;

  return (by.origin === "offline" ? checksTogether(proposals) : proposals).flatMap(
    (proposed): readonly DraftedProposal[] => {
      const from = { ...origin, model, earlier };
      if (proposed.set !== undefined) {
        const members = proposed.set.map((member) =>
          fillProposal(repoContext, { ...proposed, set: undefined, ...member }, values),
        );
        const drafts = draftSet(deps, repoContext, members, { ...from, leased: lease?.offAt === null });
        earlier = [...earlier, ...drafts.flatMap((one) => (one.kind === "draft" ? draftAsEarlier(one.draft) : []))];
        return drafts.map((alone) => ({
          ...{ alone, members: alone.members },
          raisedFrom: raisedFrom(proposed, alone),
        }));
      }
      const proposal = fillProposal(repoContext, proposed, values);
      const alone = guarded(deps, repoContext, proposal, draftAction(deps, repoContext, proposal, from));
      if (alone.kind === "refused") return [{ alone }];
      earlier = [...earlier, ...draftAsEarlier(alone.draft)];
      const drafted = { alone, raisedFrom: raisedFrom(proposal, alone), isStep: proposal.isStep };
      const { title, server, check = [] } = proposal;
      if (check.length === 0) return [drafted];
      if (proposal.checkOn !== undefined) return [withMergeChecks(deps, repoContext, proposal, drafted)];
      const members = check.map((command) => ({ title: `Check: ${title}`, description: "", server, command }));
      const checks = draftSet(deps, repoContext, members, from);
      // A form is completed as another action without checks, so its checks stand alone.
      const own = checks.flatMap((one) =>
        alone.draft.state === "proposed" && one.kind === "draft" && mayBeOwnCheck(one.draft) ? [one.draft] : [],
      );
      if (own.length === 0) return [{ ...drafted, checks }];
      const spec = { ...alone.draft.spec, ownCheck: own.map((draft) => draft.spec.command).join("\n") };
      return [{ ...drafted, alone: { ...alone, draft: { ...alone.draft, spec } }, checks }];
    },
  );
}

/** A patch takes effect only when people merge it, so its checks are proposed then. */
function withMergeChecks(
  deps: Deps,
  repoContext: RepoContext,
  { check = [], checkOn = "" }: Proposal,
  drafted: DraftedProposal,
): DraftedProposal {
  const { alone } = drafted;
  if (alone.kind === "refused") return drafted;
  // Each gets a number of its own after the merge.
  const checks = check.map((command) => draftGuardCheck(deps, repoContext, { server: checkOn, command }, isWholeRead));
  const fit = checks.flatMap((one) => (one.kind === "draft" ? [one.draft.spec] : []));
  const refused = checks.filter(({ kind }) => kind === "refused");
  const onMerge = fit.map(({ place, command }) => ({ place, command }));
  const spec = { ...alone.draft.spec, ...withoutEmpty({ onMerge }) };
  return { ...drafted, alone: { ...alone, draft: { ...alone.draft, spec } }, checks: refused };
}

/** Binds a change to its condition; `propose` puts the check's number. Refuses what could not be compared. */
function guarded(
  deps: Deps,
  repoContext: RepoContext,
  { when, title, server }: Proposal,
  alone: DraftResult,
): DraftResult {
  if (when === undefined || alone.kind === "refused" || alone.draft.state === "blocked") return alone;
  const { command, shows, on } = when;
  const refuse = (why: string): DraftResult => ({
    kind: "refused",
    why: redactText(deps.redact, `${title || "A command"}: ${why}`),
  });
  if (alone.draft.spec.risk === "low") return refuse("it only reads, so it waits for no check");
  const signed = whySignerWaits(placedIn(repoContext, [server, when.server, ...(on === undefined ? [] : [on])]));
  if (signed !== undefined)
    return refuse(`${signed}, so it can wait for no condition. Propose the check, and the change once it has run`);
  if (redactText(deps.redact, shows) !== shows) return refuse("what its check must show seems to hold a secret");
  const namesAt = (place: string): readonly string[] => placedIn(repoContext, [place]).map(({ name }) => name);
  const names = namesAt(when.server);
  const shown = on === undefined ? serversIn(alone.draft.spec.targets) : namesAt(on);
  if (shown.length === 0) return refuse(`its check is to show it on no server that is known here: ${on}`);
  const missing = shown.find((name) => !names.includes(name));
  if (missing !== undefined) return refuse(`its check does not run on ${missing}`);
  const check = draftGuardCheck(deps, repoContext, { server: on ?? server, command });
  if (check.kind === "refused") return refuse(`its check cannot run: ${check.why}`);
  // The bytes that will run, which have no blanks around them.
  const guard = { check: 0, command: check.draft.spec.command, shows, ...(on !== undefined && { on: shown }) };
  return { ...alone, draft: { ...alone.draft, spec: { ...alone.draft.spec, guard } } };
}

const placedIn = ({ rules }: RepoContext, places: readonly string[]): readonly Server[] =>
  places.flatMap((place) => {
    const placed = targetServersOf(rules.servers, place);
    return placed.kind === "placed" ? placed.servers : [];
  });

/** Drafts the read that a guard compares, on the servers that must show it. */
export function draftGuardCheck(
  deps: Deps,
  repoContext: RepoContext,
  { server, command, title = "" }: Pick<Proposal, "server" | "command"> & { readonly title?: string },
  mayRun: (draft: ActionDraft) => boolean = mayBeOwnCheck,
): DraftResult {
  const from = { origin: "model", model: null, promptSha256: null } as const;
  const drafted = draftAction(deps, repoContext, { title, description: "", server, command }, from);
  if (drafted.kind === "refused") return drafted;
  const isRead = mayRun(drafted.draft) && drafted.draft.spec.unbounded === undefined;
  return isRead ? drafted : { kind: "refused", why: "it is not a low-risk read that ends by itself" };
}

const titleCharacters = 120;

/** Each of them once, and whole. */
function titleOf(titles: readonly string[]): string {
  const [first = "", ...others] = new Set(titles);
  return others.reduce((all, title) => {
    const longer = `${all}; ${title}`;
    return longer.length > titleCharacters ? all : longer;
  }, first);
}

/** Joins a runbook's checks on a server up to its next act. */
function checksTogether(proposals: readonly Proposal[]): readonly Proposal[] {
  const isCheck = ({ risk, open = [] }: Proposal): boolean => risk === undefined && open.length === 0;
  let acts = 0;
  const groups = Map.groupBy(proposals, (proposal) => {
    if (proposal.risk !== undefined) acts += 1;
    return isCheck(proposal) ? JSON.stringify([acts, proposal.server]) : proposal;
  });
  const groupOf = (proposal: Proposal) => [...groups.values()].find((group) => group.includes(proposal)) ?? [];
  return proposals.flatMap((proposal) => {
    const set = isCheck(proposal) ? groupOf(proposal) : [];
    if (set.length < 2) return [proposal];
    return set[0] === proposal ? [{ ...proposal, set }] : [];
  });
}

/** Fills the model's open places or leaves them to people. */
function fillProposal({ rules }: RepoContext, proposal: Proposal, values: readonly NamedValue[]): Proposal {
  if (proposal.filled !== undefined || proposal.open !== undefined) return proposal;
  const how = { shells: shellsOf(rules.servers, proposal.server), isRunbook: false };
  const { command, filled, open } = fillPlaces(proposal.command, values, how);
  const check = proposal.check?.map((one) => fillPlaces(one, values, how).command);
  const when = proposal.when && { ...proposal.when, command: fillPlaces(proposal.when.command, values, how).command };
  return { ...proposal, check, when, command, filled, open };
}

export const isWholeRead = ({ state, spec }: ActionDraft): boolean => state === "proposed" && spec.risk === "low";

/** Only a complete read runs under the approval of what it checks; not on a server with a signer, where reads are jobs. */
export const mayBeOwnCheck = (draft: ActionDraft): boolean =>
  isWholeRead(draft) && draft.spec.targets.every(({ jobId }) => jobId === null);

const none = (why: string): Extract<FoundProbe, { kind: "none" }> => ({ kind: "none", why });

/** Finds a command that shows what a change would do and is low on each server, or says why there is none. */
export function probeOf(deps: Deps, servers: readonly Server[], { spec }: Pick<Action, "spec">): FoundProbe {
  if (spec.risk === "low") return none("it only reads, so it can be run as it is");
  if (spec.open !== undefined) return none("it waits for values");
  const places = spec.targets.flatMap(({ server }) => servers.find(({ name }) => name === server) ?? []);
  if (places.length !== spec.targets.length) return none("one of its servers is no longer known here");
  if (places.some(({ os, shell }) => os === "windows" || shell !== "bash")) return none("there are none for Windows");
  const found = findProbe(spec.command);
  if (found.kind === "none") return found;
  const risk = riskNowOf(deps, places, { command: found.command });
  return risk === "low"
    ? found
    : none(`what would show it, ${deps.markdown.code(found.command)}, is itself ${risk} risk`);
}

/**
 * Makes patches ready to be judged: applied to the newest commit of their base and written out again, so that the text alone names commit, files
 * and what they are before and after. Other proposals stay as they are. What cannot be applied says why; nothing throws.
 */
export const preparePatches = (
  deps: Pick<Deps, "patches">,
  { rules }: { readonly rules: Pick<RepoContext["rules"], "servers"> },
  proposals: readonly Proposal[],
  incident: { readonly public: boolean },
): Promise<readonly Proposal[]> =>
  Promise.all(
    proposals.map(async (proposal): Promise<Proposal> => {
      const placed = targetServersOf(rules.servers, proposal.server);
      const place = placed.kind === "placed" ? placed.servers.find(({ patches }) => patches)?.patches : undefined;
      if (!place || !deps.patches) return proposal;
      // Its lines must not be filled in as a command's places are.
      const exact = { ...proposal, set: undefined, filled: proposal.filled ?? [], open: proposal.open ?? [] };
      if (incident.public)
        return { ...exact, unfit: `this issue is public, and a patch shows lines of ${place.repository}` };
      const ready = await applied(deps.patches, place, proposal.command).catch((error: unknown) => ({
        ok: false as const,
        reason: messageOf(error),
        remedy: "try again later",
      }));
      return ready.ok
        ? { ...exact, command: ready.patch }
        : { ...exact, unfit: `${ready.reason}. ${ready.remedy.charAt(0).toUpperCase()}${ready.remedy.slice(1)}` };
    }),
  );

/**
 * A patch against an older commit counts if it applies as it is to the newest: only from that one a branch may begin. So what its `index`
 * lines say does not.
 */
async function applied(patches: NonNullable<Deps["patches"]>, place: PatchPlace, text: string) {
  const parsed = parsePatch(text);
  if (!parsed.ok) return parsed;
  const misplaced = judgePaths(parsed.files, place);
  if (misplaced) return misplaced;
  const files = parsed.files.map((file) => ({ ...file, beforeId: undefined, afterId: undefined }));
  const commit = await patches.headOf(place);
  const changed = applyPatch(files, await patches.readFiles(place, pathsToRead(files), commit));
  if (!changed.ok) return changed;
  // A card's code block has no empty last line.
  return { ok: true, patch: writePatch(commit, changed.files).slice(0, -1) } as const;
}
