import { type Decision, decideApproval, type EarlierApproval } from "../../approval/authorize.ts";
import { expiryOf } from "../../approval/need.ts";
import { needsPasskey, type PasskeyStanding } from "../../approval/passkey.ts";
import { hoursWords, sameRules } from "../../approval/place.ts";
import { isUndecided, isUnfinished, serversIn } from "../../base/action.ts";
import { reached } from "../../base/crash-point.ts";
import { capital } from "../../base/errors.ts";
import { askPager } from "../../features/alert/take-alert.ts";
import { type IncidentStanding, mayRun, mayRunOn, standingIn } from "../../features/incident/hold.ts";
import { isOpen, reopen } from "../../features/incident/withdraw.ts";
import { askForPasskey, presenceOf } from "../../features/passkey/passkey.ts";
import { approvable, approversIn, policyInForce } from "../../features/proposal/in-force.ts";
import { startLeased } from "../../features/proposal/lease.ts";
import {
  enqueueBatch,
  hasFailed,
  inListOrder,
  type ListPredecessor,
  type ListRows,
  openBefore,
  outOfOrder,
  standBefore,
} from "../../features/proposal/list-order.ts";
import { isLiveAction, whyAlready } from "../../features/proposal/same-action.ts";
import {
  approvalComment,
  approvalReason,
  isOwnWord,
  saidBehind,
  saidIn,
  unfitnessOf,
} from "../../features/run/approval-comment.ts";
import { carriersOf, whyGuardLost } from "../../features/run/check-dispatch.ts";
import { answer } from "../../features/thread/answer.ts";
import { type Links, linksOf } from "../../features/thread/links.ts";
import { show } from "../../features/thread/post.ts";
import { hintOf } from "../../features/thread/views.ts";
import { enqueueTurn } from "../../features/turn/turn.ts";
import { type CommentPosition, isWrittenAfter } from "../../github/facts.ts";
import { hintOn } from "../../github/render/card.ts";
import { clock, name, renderCommand, utcMinute } from "../../github/render/ink.ts";
import { fillUsage } from "../../github/render/state.ts";
import type { Id } from "../../slash/grammar.ts";
import {
  type Action,
  type Approval,
  actionElsewhere,
  actionsOf,
  addApproval,
  approvedBy,
  moveAction,
} from "../../store/actions.ts";
import { appendAudit, auditOf } from "../../store/audit/chain.ts";
import { appendDenial } from "../../store/audit/denials.ts";
import type { Proof } from "../../store/audit/kinds.ts";
import type { Tx } from "../../store/database/open.ts";
import { openPartsOf, partsOf } from "../../store/incident-rows.ts";
import type { Incident } from "../../store/incidents.ts";
import type { Lease } from "../../store/leases.ts";
import { type ShownCard, slots, stoodBefore } from "../../store/outbox/thread-comments.ts";
import { isReadingDue } from "../../store/queue/table.ts";
import { addBatch, type Run, unreadIn } from "../../store/runs.ts";
import { inSpan } from "../../telemetry/trace.ts";
import { redactText } from "../../text/bare.ts";
import { plain } from "../../text/fence.ts";
import {
  type ApprovalOutcome,
  alone,
  type CommandRefusal,
  fromBefore,
  missingNumber,
  nothingRun,
  openOnes,
  passkeyText,
  sentencesOf,
  stateRefusal,
  unknownNumber,
} from "../answers.ts";
import { readTime } from "../arguments.ts";
import type { Call, Handler } from "../command.ts";
import { toldBy, whyNoTurn } from "../steer/agent.ts";

/**
 * The countersignature (DC-4): binds a person to each action's digest and runs what is complete. Takes care at high risk (SR-18, SR-57),
 * audits refusals (SR-67), revives actions superseded after the comment (PA-6), counts only in its own issue (SR-25), and may require a
 * passkey (PK-01).
 */
export const approve: Handler = (call) =>
  inSpan("approval", { incidentId: call.incident.id }, async () => {
    await commitAndHandOn(call, (tx, incident) => countersign(tx, call, incident));
    reached("CP08");
  });

interface ApprovalRequest {
  readonly incident: Incident;
  readonly named: readonly Id[];
  readonly actions: readonly Action[];
  readonly approvals: readonly Approval[];
  readonly seen: ReadonlyMap<number, SeenAs>;
  readonly firstShown: ReadonlyMap<string, ShownCard>;
  readonly links: Links;
  /** Approved by this comment before it was served again for a passkey. */
  readonly counted: ReadonlySet<string>;
  readonly runs: readonly Run[];
  /** Ended, and the agent is to read them in a turn of its own. */
  readonly unread: readonly number[];
}

type SeenAs =
  /** Its card was readable. */
  | "open"
  /** Superseded by the agent after the comment: an older approval counts. */
  | "revived"
  /** Its card came after the comment. */
  | "unseen"
  | "closed";

/**
 * The actions as the comment's writer saw them. For a reposted card the stricter time counts: the new one for what it shows, the
 * first for what it superseded.
 */
export function asSeen(
  actions: readonly Action[],
  firstShown: ReadonlyMap<string, ShownCard>,
  written: CommentPosition,
): ReadonlyMap<number, SeenAs> {
  const wasShown = (action: Action | undefined, since: (shown: ShownCard) => number | null): boolean => {
    const shown = action && firstShown.get(action.id);
    const id = shown ? since(shown) : null;
    return shown !== undefined && id !== null && isWrittenAfter(written, { id, createdAt: shown.createdAt });
  };
  const isThere = (action: Action): boolean => wasShown(action, ({ id }) => id);
  const wasThere = (action: Action | undefined): boolean => wasShown(action, ({ id, gone }) => (gone > 0 ? 0 : id));
  const seenAs = (action: Action): SeenAs => {
    if (action.state === "proposed") return isThere(action) ? "open" : "unseen";
    if (action.state !== "superseded" || action.supersededBy === null || !isThere(action)) return "closed";
    // An action that waited for values was never approvable.
    if (action.spec.open !== undefined) return "closed";
    const successor = actions.find((other) => other.number === action.supersededBy);
    // An edit means that the old command was not wanted.
    return successor?.origin === "person" || wasThere(successor) ? "closed" : "revived";
  };
  return new Map(actions.map((action) => [action.number, seenAs(action)]));
}

interface NumberPlace {
  /** Undecided, even after this comment. */
  readonly waitsFor: readonly Action[];
  /** Waiting for a passkey. Keeps the number from running, but not its page from opening. */
  readonly unproved: readonly Action[];
  /** It had not ended well when the comment was written. */
  readonly failed: ListPredecessor | undefined;
}

/** All rows if something named is not open any more, and then only to say so. */
async function readBasis(tx: Tx, incidentId: string, ids: "all" | readonly Id[]) {
  const parts = ["actions", "approvals", "withdrawn", "runs", "batches", "lease", "posted", "halts", "holds"] as const;
  const open = ids === "all" ? undefined : await openPartsOf(tx, incidentId, ...parts);
  const isOpen = (id: Id): boolean =>
    open?.actions.some((one) => one.number === id.number && isUnfinished(one)) === true;
  return open && ids !== "all" && ids.every(isOpen) ? open : partsOf(tx, incidentId, ...parts);
}

/** Returns the batch's id if something is ready to run. */
async function countersign(tx: Tx, call: Call, incident: Incident): Promise<string | undefined> {
  const { deps, repoContext, caller, slash, event } = call;
  const mistake = async (body: string): Promise<undefined> => {
    await answer(tx, call, incident, { outcome: "mistake", body });
  };
  const rows = await readBasis(tx, incident.id, slash.ids);
  const { actions, approvals } = rows;

  if (!deps.config.execution.enabled)
    return mistake(nothingRun("This bot only proposes here (`execution.enabled: false`): ask its operator."));
  const may = mayRunOn(await standingIn(deps, rows.incident, rows), [saidIn(event)]);
  if (may.kind !== "yes") return mistake(may.kind === "stopped" ? stoppedAnswer(may) : nothingRun(fromBefore));

  // Without cards that were never on the issue.
  const bySlot = new Map(rows.posted.map((comment) => [comment.slot, comment]));
  const firstShown = new Map(
    rows.actions.flatMap(({ id, card }) => {
      const comment = bySlot.get(card);
      const createdAt = comment?.firstPostedAt;
      return comment && createdAt ? [[id, { createdAt, id: comment.githubId, gone: comment.gone }] as const] : [];
    }),
  );
  const seen = asSeen(actions, firstShown, event.comment);
  const { ids } = slash;
  // `all` means what the person saw open; high risk among them is refused separately.
  const named: readonly Id[] =
    ids === "all"
      ? actions
          .filter(({ number }) => seen.get(number) === "open" || seen.get(number) === "revived")
          .map(({ number }) => ({ number }))
      : ids.filter((id, index) => ids.findIndex((other) => other.number === id.number) === index);
  if (named.length === 0)
    return mistake(nothingRun(slash.ids === "all" ? openOnes(actions) : missingNumber("approve", actions)));
  const timeout = slash.flags.get("--timeout");
  const meant = actions.filter(({ number }) => named.some((id) => id.number === number));
  const soft = timeout === undefined ? undefined : readTime(timeout, meant);
  if (soft && "mistake" in soft) return mistake(nothingRun(`\`--timeout\`: ${soft.mistake}`));

  const unread = unreadIn(rows).flatMap(({ numbers }) => numbers);
  const ofComment = [...approvals, ...rows.withdrawn].filter(({ commentId }) => commentId === event.comment.id);
  const counted = new Set(ofComment.map(({ actionId }) => actionId));
  const request = {
    incident,
    named,
    actions,
    approvals,
    seen,
    firstShown,
    links: linksOf(deps, rows),
    counted,
    runs: rows.runs,
    unread: unread.length > 0 && (await isReadingDue(tx, incident.id)) ? unread : [],
  };
  const said = {
    approvals: [{ createdAt: event.comment.createdAt }],
    batch: { numbers: named.map(({ number }) => number), keepGoing: slash.flags.has("--keep-going") },
  };
  // Actions that the person saw open kept their list waiting, even if superseded since.
  const listed = inListOrder(deps, repoContext, rows);
  const order = {
    ...listed,
    actions: listed.actions.map(
      (action): Action => (seen.get(action.number) === "revived" ? { ...action, state: "proposed" } : action),
    ),
  };
  const outcomes: ApprovalOutcome[] = [];
  // A read keeps nothing waiting.
  const passed: Action[] = [];
  const unproved: Action[] = [];
  const isOrdered = slash.ids !== "all" && !said.batch.keepGoing;
  let failedFirst: ListPredecessor | undefined;
  for (const id of asListed(named, order)) {
    const found = actions.find(({ number }) => number === id.number);
    // Served again: the run card shows the result.
    if (found && counted.has(found.id) && seen.get(id.number) === "closed") {
      if (isOrdered && hasFailed(found, rows.runs)) failedFirst ??= { number: found.number, is: "failed" };
      continue;
    }
    const ready = readyIn(outcomes);
    const leftBehind = passed.filter(
      (one) =>
        (isUndecided({ state: one.state }) || ["void", "expired", "superseded"].includes(one.state)) &&
        !ready.includes(one),
    );
    const waitsFor = found ? [...new Set([...openBefore(found, order, ready), ...leftBehind])] : [];
    const failed = found && (failedFirst ?? outOfOrder(found, order, said));
    const outcome = await countOne(tx, call, request, id, { waitsFor, unproved, failed });
    if (found && found.spec.risk !== "low" && isOrdered) {
      if (outcome.kind === "asked") unproved.push(found);
      else if (outcome.kind !== "held") passed.push(found);
    }
    // The read that justifies it goes first, under the same comment.
    const change = outcome.kind === "ready" ? outcome.action : undefined;
    const first =
      change &&
      actions.find(
        (one) =>
          one.number === change.spec.guard?.check && one.state === "proposed" && carriersOf(one, [change]).length > 0,
      );
    if (first && !named.some((one) => one.number === first.number) && !readyIn(outcomes).includes(first)) {
      const place = { waitsFor: [], unproved: [], failed: undefined };
      const check = await countOne(tx, call, request, { number: first.number }, place);
      if (check.kind === "ready") outcomes.push(check);
    }
    outcomes.push(outcome);
    if (outcome.kind !== "ready") continue;
    // Its check goes along, unless policy requires more than this comment.
    const checks = actions.filter(
      ({ spec, number }) => spec.checks === id.number && !named.some((one) => one.number === number),
    );
    for (const { number } of checks) {
      const check = await countOne(tx, call, request, { number }, { waitsFor: [], unproved: [], failed: undefined });
      if (check.kind === "ready") outcomes.push(check);
    }
  }

  const ready = readyIn(outcomes);
  const { lease } = rows;
  const batch =
    ready.length > 0 ? await startBatch(tx, call, incident, { ready, softTimeoutMs: soft?.ms, lease }) : undefined;
  const isCounted = outcomes.some(({ kind }) => kind === "counted");
  const isAsked = outcomes.some(({ kind }) => kind === "asked");
  const outcome = batch || (isAsked && !isCounted) ? "seen" : isCounted ? "done" : "mistake";
  const asTyped = named.flatMap(({ number }) => ready.find((one) => one.number === number) ?? []);
  const isMoved = ready.filter((action) => asTyped.includes(action)).some((action, at) => asTyped[at] !== action);
  await answer(tx, call, incident, { outcome, body: approvalAnswer(outcomes, actions, isMoved) });
  // The answer stands before the run.
  await show(tx, deps, incident);
  deps.log.info({
    module: "commands",
    event: "approve",
    incidentId: incident.id,
    by: caller.login,
    ready: ready.map((a) => a.number),
  });
  return batch;
}

/**
 * "Nothing was run" never stands beside a number that runs. Empty if all run, because the run card shows that. `isMoved`: not in the typed
 * order.
 */
export function approvalAnswer(
  outcomes: readonly ApprovalOutcome[],
  actions: readonly Action[],
  isMoved = false,
): string {
  const ready = outcomes.flatMap((one) => (one.kind === "ready" ? [one.action.number] : []));
  const others = outcomes.filter((one) => one.kind !== "ready");
  const [only, ...more] = others;
  const going = `**${ready.join("**, **")}** ${ready.length === 1 ? "is on its way" : "are on their way"}${isMoved ? ", in the order of their list" : ""}.`;
  const isProved = outcomes.some((one) => one.kind === "ready" && one.isProved);
  if (!only) return isMoved || isProved ? going : "";
  if (more.length === 0 && ready.length === 0)
    return only.kind === "refused" ? alone(only.refusal, actions) : only.text;
  const refused = others.flatMap((one) => (one.kind === "refused" ? [one] : []));
  const named = [...ready, ...refused.map(({ number }) => number)];
  const rest = actions.filter(({ number }) => !named.includes(number));
  return [
    ...others.flatMap((one) => ("text" in one ? [one.text] : [])),
    ...sentencesOf(
      refused.map(({ refusal }) => amongOthers(refusal)),
      rest,
    ),
    ...(ready.length > 0 ? [going] : []),
  ].join("\n\n");
}

const amongOthers = (refusal: CommandRefusal): CommandRefusal =>
  refusal.goes ? refusal : { ...refusal, what: `${refusal.what}; not run` };

/** Nothing is approved during a halt or hold. */
export function stoppedAnswer({ words, lift }: Extract<IncidentStanding, { kind: "stopped" }>): string {
  const sentence = capital(plain(words));
  const next = lift === undefined ? "the bot is resumed" : `an approver has lifted the hold with \`${lift}\``;
  return nothingRun(`${sentence}. Approve it again once ${next}.`);
}

const readyIn = (outcomes: readonly ApprovalOutcome[]): readonly Action[] =>
  outcomes.flatMap((one) => (one.kind === "ready" ? [one.action] : []));

async function countOne(
  tx: Tx,
  call: Call,
  request: ApprovalRequest,
  id: Id,
  { waitsFor, unproved, failed }: NumberPlace,
): Promise<ApprovalOutcome> {
  const { deps, caller, event, slash, repoContext } = call;
  const { incident, named, actions, approvals, seen, firstShown, links, counted, runs, unread } = request;
  const refused = (refusal: CommandRefusal): ApprovalOutcome => ({ kind: "refused", number: id.number, refusal });
  const action = actions.find((candidate) => candidate.number === id.number);
  if (!action) return refused((await findElsewhere(tx, incident, id)) ?? unknownNumber(id.number));
  const { number, digest, incidentId } = action;
  const standing = seen.get(number) ?? "closed";
  if (standing === "closed") return refused(stateRefusal({ incident, action, links }));
  if (standing === "unseen") return refused(unseenNumber(number));
  // A change that ran after this was proposed, if the agent has not read yet what it did.
  const since = actions.find(
    (one) =>
      ofModel(action) &&
      one.spec.risk !== "low" &&
      unread.includes(one.number) &&
      runs.some(
        ({ actionId, startedAt }) => actionId === one.id && startedAt !== null && startedAt >= action.createdAt,
      ),
  )?.number;
  if (since !== undefined)
    return refused({
      what: `**${number}** was proposed before **${since}** ran, and the agent is reading now what **${since}** did`,
      next: `It stays open unless the agent replaces it. Then comment ${action.spec.risk === "high" ? inFull(call, action) : `\`/approve ${number}\``}`,
    });
  const already = slash.ids === "all" ? whyAlready(request, action) : undefined;
  if (already)
    return refused({
      what: `**${number}** is not part of \`all\`: ${already}`,
      next: `To do it again: \`/approve ${number}\``,
    });

  // The last look would find it too, after people had approved it in vain.
  if (!sameRules(policyInForce(repoContext, action, deps.now()).rules, action.spec.placeRules)) {
    const gone = serversIn(action.spec.targets).filter(
      (server) => !repoContext.rules.servers.some(({ name }) => name === server),
    );
    const stateReason =
      gone.length > 0
        ? `${gone.join(", ")} is no server of this repository any more`
        : "the rules of `policy.for` for its place have changed since it was proposed";
    if (await moveAction(tx, action, { from: "proposed", to: "void", reason: stateReason }))
      await appendAudit(tx, { kind: "command_void", incidentId, body: { number, digest, reason: stateReason } });
    return refused(stateRefusal({ incident, action: { ...action, state: "void", stateReason }, links }));
  }
  const lost = whyGuardLost(action, actions);
  if (lost !== undefined) return refused({ what: `**${number}** is not approved: ${lost}` });
  const comment = approvalComment(event);
  const countersigned = { digest, personId: caller.id, comment };
  const presence = needsPasskey(approvable(action), repoContext.rules.policy)
    ? await presenceOf(tx, deps, countersigned)
    : undefined;
  const earlier = approvals.filter((approval) => approval.actionId === action.id);
  // After a withdrawal, another passkey of the same comment does not restore the approval.
  if (counted.has(action.id) && !earlier.some(({ commentId }) => commentId === comment.id))
    return refused({
      what: `**${number}** is not approved: its approval was taken back`,
      next: `Comment \`/approve ${number}\`.`,
    });
  // The failure was unknown when the comment was written.
  if (presence?.proved && failed?.is === "failed")
    return refused({
      what: `**${number}** is not approved: **${failed.number}**, which stands before it, failed after you wrote this`,
      next: `Comment ${action.spec.risk === "high" ? inFull(call, action) : `\`/approve ${number}\``}.`,
    });

  const decision = decideFor(call, action, id, {
    amongOthers: named.length > 1 || slash.ids === "all",
    earlier,
    presence,
    haste: await hasteOf(tx, call, action, firstShown.get(action.id)?.createdAt),
  });
  if (decision.kind === "refuse" && decision.code === "not-alone") {
    // Both are in this comment, so nobody has looked at the file between them.
    const why = action.findings.find(({ ruleId }) => ruleId === "flow.earlier")?.text;
    return refused({
      what:
        why === undefined
          ? `**${number}** is high risk and needs a comment of its own`
          : `**${number}** ${deps.markdown.note(why)}, so it is high risk and needs a comment of its own`,
      next: `Comment ${inFull(call, action)}`,
    });
  }
  if (decision.kind === "refuse") {
    const by = { id: caller.id, login: caller.login };
    const body = { number, digest, code: decision.code, by, role: caller.role, commentId: event.comment.id };
    // Always recorded, because the next approval is compared with it.
    if (decision.code === "confirm") await appendAudit(tx, { kind: "approval_refused", incidentId, body });
    else await appendDenial(tx, { kind: "approval_refused", incidentId, body }, deps.now());
    if (decision.code === "expired" && (await moveAction(tx, action, { from: "proposed", to: "expired" })))
      await appendAudit(tx, { kind: "command_expired", incidentId, body: { number, digest } });
    const other = decision.code === "digest-mismatch" ? await findElsewhere(tx, incident, id) : undefined;
    return refused(other ?? refusalOf(call, incident, action, decision));
  }
  // An approval that is not the last sets nothing going, so it may come before its turn.
  if (decision.kind !== "counted" && decision.have >= decision.need && waitsFor.length > 0)
    return refused(waitingOf(call, action, { waitsFor, named }));
  if (decision.kind === "complete" && unproved.length > 0) {
    const numbers = unproved.map((one) => `**${one.number}**`).join(" and ");
    return {
      kind: "held",
      text: `**${number}** is not run yet: it follows once you have confirmed ${numbers} with your passkey.`,
    };
  }

  if (decision.kind === "prove") {
    // Until the passkey comes the comment is stored without secrets, which would change it.
    if (redactText(deps.redact, event.comment.body) !== event.comment.body)
      return refused({
        what: `**${number}** is not approved: your comment reads as if it held a secret`,
        next: "Write it without.",
      });
    const about = { actionId: action.id };
    const link = await askForPasskey(tx, deps, { ...countersigned, login: caller.login, about });
    return { kind: "asked", text: passkeyText(deps, `**${number}** is not approved yet`, link) };
  }
  if (standing === "revived") await moveAction(tx, action, { from: "superseded", to: "proposed" });
  await recordApproval(tx, call, action, { have: decision.have, need: decision.need, proof: presence?.proof });
  if (decision.kind === "complete") return { kind: "ready", action, isProved: presence?.proved };
  const said = earlier.flatMap(({ verdict, login }) => (verdict === "approve" ? [login] : []));
  const who = [...new Set([...said, caller.login])].map(name).join(", ");
  const until = clock(new Date(expiryOf(approvable(action), repoContext.rules.policy)));
  const lacking = decision.need - decision.have;
  const more = lacking === 1 ? "one more approver" : `${lacking} more approvers`;
  const text = `**${number}**: ${decision.have} of ${decision.need} approvals (${who}), not run yet. Needs ${more}, ${hintOn(hintOf(deps, repoContext), action).who ?? ""}, until ${until}.`;
  return { kind: "counted", text };
}

/** Its card came after the comment. */
export const unseenNumber = (number: number): CommandRefusal => ({
  what: `**${number}** was not on the issue yet when you wrote this`,
  next: "Read it, and approve it then.",
});

const ofModel = ({ origin, spec }: Action): boolean =>
  origin !== "person" && spec.risk !== "low" && spec.checks === undefined;

/** Finds the digest's action in another issue of this repository; silent about other repositories. */
async function findElsewhere(tx: Tx, incident: Incident, { number, pin }: Id): Promise<CommandRefusal | undefined> {
  const found = pin === undefined ? undefined : await actionElsewhere(tx, incident, pin);
  return (
    found && { what: `**${number}@${pin}** is **${found.number}** of issue ${found.issue} and is approved only there` }
  );
}

interface Haste {
  /** How long the card was readable before the approval, in GitHub's whole seconds. */
  readonly readForMs: number;
  /** This person's, in the last hour and all repositories. */
  readonly recentHigh: number;
  /** The bot requested confirmation of this action before this comment. */
  readonly confirmed: boolean;
}

const hourMs = 3_600_000;

async function hasteOf(tx: Tx, call: Call, action: Action, shownAt: Date | undefined): Promise<Haste> {
  const { deps, event, caller } = call;
  const now = deps.now().getTime();
  const readForMs = shownAt ? event.comment.createdAt.getTime() - shownAt.getTime() : now - action.createdAt.getTime();
  if (action.spec.risk !== "high") return { readForMs, recentHigh: 0, confirmed: false };
  const recent = await approvedBy(tx, caller.id, new Date(now - hourMs));
  const recentHigh = recent.filter(({ spec }) => spec.risk === "high").length;
  const refusals = await auditOf(tx, action.incidentId, "approval_refused");
  const requests = refusals.flatMap(({ kind, body }) => {
    if (kind !== "approval_refused" || body.code !== "confirm" || body.digest !== action.digest) return [];
    return body.by.id === caller.id ? [slots.reply(body.commentId)] : [];
  });
  // Two approvals sent at once confirm nothing.
  const confirmed =
    requests.length > 0 && (await stoodBefore(tx, action.incidentId, requests, event.comment.createdAt));
  return { readForMs, recentHigh, confirmed };
}

function decideFor(
  call: Call,
  action: Action,
  id: Id,
  {
    amongOthers,
    earlier,
    haste,
    presence,
  }: {
    readonly amongOthers: boolean;
    readonly earlier: readonly EarlierApproval[];
    readonly haste: Haste;
    readonly presence?: PasskeyStanding | undefined;
  },
): Decision {
  const { repoContext, caller, slash, deps } = call;
  const subject = approvable(action);
  const at = deps.now();
  const policy = policyInForce(repoContext, action, at);
  const now = at.getTime();
  return decideApproval({
    policy,
    roster: policy.approvers,
    standing: { person: caller, type: caller.type, role: caller.role, teams: caller.teams, viaApp: caller.viaApp },
    // Counts as the person saw it; `countOne` revives it.
    action: {
      ...subject,
      state: action.spec.open === undefined ? "proposed" : "incomplete",
      createdAt: now - haste.readForMs,
    },
    earlier,
    slash: {
      alone: !amongOthers,
      pinnedDigest: id.pin,
      ...saidBehind(slash, subject),
      unfit: unfitnessOf(call),
      confirmed: haste.confirmed,
    },
    recentHigh: haste.recentHigh,
    presence,
    now,
  });
}

async function recordApproval(
  tx: Tx,
  call: Call,
  action: Action,
  progress: { readonly have: number; readonly need: number; readonly proof?: Proof | undefined },
) {
  const { deps, caller, event } = call;
  const { number, digest, incidentId, spec } = action;
  const { have, need, proof } = progress;
  const reason = approvalReason(call);
  const comment = approvalComment(event);
  await addApproval(tx, action, { verdict: "approve", person: caller, role: caller.role, comment, reason });
  await askPager(tx, deps, { id: incidentId }, { told: "acknowledge", login: caller.login });
  deps.log.info({
    module: "commands",
    event: "command_approved",
    incidentId,
    number,
    risk: spec.risk,
    have,
    need,
    passkey: proof !== undefined,
  });
  await appendAudit(tx, {
    kind: "command_approved",
    incidentId,
    body: {
      number,
      digest,
      by: { id: caller.id, login: caller.login, role: caller.role, teams: caller.teams },
      comment: { ...comment, writtenAt: event.comment.createdAt.toISOString() },
      reason,
      ...progress,
    },
  });
}

async function startBatch(
  tx: Tx,
  call: Call,
  incident: Incident,
  {
    ready,
    softTimeoutMs,
    lease,
  }: {
    readonly ready: readonly Action[];
    readonly softTimeoutMs: number | undefined;
    readonly lease: Lease | null;
  },
): Promise<string> {
  for (const action of ready) await moveAction(tx, action, { from: "proposed", to: "approved" });
  const batch = await addBatch(tx, {
    incidentId: incident.id,
    commentId: call.event.comment.id,
    person: call.caller,
    numbers: ready.map((action) => action.number),
    keepGoing: call.slash.flags.has("--keep-going"),
    softTimeoutMs,
  });
  await enqueueBatch(tx, call.deps, incident, batch);
  // Reads behind an approved change wait for nobody any more.
  if (lease) await startLeased(tx, call.deps, call.repoContext, incident);
  return batch.id;
}

/**
 * Counts an approver's own `/run`, `/retry` or `/probe` as the approval if the action only reads and policy requires no more. Returns the
 * batch's id if it runs.
 */
export async function sendOwn(
  tx: Tx,
  call: Call,
  incident: Incident,
  actions: readonly Action[],
): Promise<string | undefined> {
  const { deps, repoContext, rights, slash, event } = call;
  if (!rights.approve || !deps.config.execution.enabled) return undefined;
  if ((await mayRun(deps, tx, incident, [saidIn(event)])).kind !== "yes") return undefined;
  // Of what is done again the earlier runs count, which have ended.
  const read = actions.some(({ spec }) => spec.again !== undefined) ? partsOf : openPartsOf;
  const { lease, ...found } = await read(tx, incident.id, "actions", "runs", "lease");
  const rows = inListOrder(deps, repoContext, found);
  const ready: Action[] = [];
  for (const action of actions) {
    if (action.state !== "proposed" || !isOwnWord(slash, action) || openBefore(action, rows, ready).length > 0)
      continue;
    if (isNewToSigner(action, rows)) continue;
    const haste = { readForMs: 0, recentHigh: 0, confirmed: false };
    const decision = decideFor(call, action, { number: action.number }, { amongOthers: false, earlier: [], haste });
    if (decision.kind !== "complete") continue;
    await recordApproval(tx, call, action, decision);
    ready.push(action);
  }
  return ready.length > 0 ? startBatch(tx, call, incident, { ready, softTimeoutMs: undefined, lease }) : undefined;
}

/**
 * A signer takes a `/retry` only of what it has let begin there, which these endings do not tell; else the new number is approved. Only
 * there a read is a job.
 */
function isNewToSigner({ spec }: Action, { actions, runs }: Pick<ReturnType<typeof inListOrder>, "actions" | "runs">) {
  if (spec.again === undefined || spec.targets.every(({ jobId }) => jobId === null)) return false;
  const before = actions.find(({ number }) => number === spec.again);
  const earlier = runs.filter(({ actionId }) => actionId === before?.id);
  const hasBegun = ({ ending }: (typeof runs)[number]): boolean =>
    ending !== null && !["unreachable", "cancelled", "unknown"].includes(ending.kind);
  return earlier.length === 0 || !earlier.every(hasBegun);
}

/** Commits a command that may start a batch, and hands the batch what GitHub said. */
export async function commitAndHandOn(
  call: Call,
  work: (tx: Tx, incident: Incident) => Promise<string | undefined>,
): Promise<void> {
  const batchId = await call.commit(work);
  if (batchId !== undefined) call.deps.factsCache.put(batchId, call.facts);
}

function refusalOf(
  call: Call,
  incident: Pick<Incident, "state">,
  action: Action,
  { code, text }: Extract<Decision, { kind: "refuse" }>,
): CommandRefusal {
  const { markdown } = call.deps;
  const it = `**${action.number}**`;
  const policy = policyInForce(call.repoContext, action, call.deps.now());
  switch (code) {
    case "confirm": {
      const { place, command } = action.spec;
      const shown = `On ${markdown.code(place)} it would run:\n\n${renderCommand(command, markdown)}`;
      const next = `${shown}\n\nTo confirm, comment ${inFull(call, action)} once more.`;
      return { what: `${it} is not approved yet: ${text}`, next };
    }
    case "server-missing":
      return { what: `${it} needs the server's name`, next: `Comment ${inFull(call, action)}` };
    case "reason-missing":
      return { what: `${it} needs a reason after the server's name`, next: `Comment ${inFull(call, action)}` };
    case "not-allowed":
      return {
        what: `${it} is not approved: on ${markdown.code(action.spec.place)} it takes people in ${approversIn(policy.approvers, markdown.code)}, and you are not one of them`,
        next: "Ask one of them.",
      };
    case "outside-hours": {
      const { shut } = policy;
      const within = hoursWords(shut?.hours ?? [], markdown.code);
      return {
        what: `${it} is not approved: on ${markdown.code(action.spec.place)} only reads are approved outside ${within}`,
        next: shut?.opensAt
          ? `It opens at ${utcMinute(shut.opensAt)}: comment \`/approve ${action.number}\` then.`
          : "These hours are never open together: ask the operator of this bot.",
      };
    }
    case "no-passkey":
      return {
        what: `${it} is not approved: it takes a passkey, and you have none in force`,
        next: "Comment `/key add`",
      };
    case "expired":
      return stateRefusal({ incident, action: { ...action, state: "expired" } });
    default:
      return { what: `${it} is not approved: ${text}` };
  }
}

/** A number waits for each undecided change before it. */
function waitingOf(
  call: Call,
  { number }: Action,
  { waitsFor, named }: { readonly waitsFor: readonly Action[]; readonly named: readonly { readonly number: number }[] },
): CommandRefusal {
  const numbers = waitsFor.map((one) => `**${one.number}**`).join(" and ");
  const isOver = !waitsFor.some(isUndecided);
  const isOrAre = waitsFor.length === 1 ? "is" : "are";
  const what = `**${number}** waits for ${numbers}, which ${isOrAre} ${isOver ? "void or expired" : "not approved yet"}`;
  // A number that the comment names has its own answer.
  const first = waitsFor.find((one) => !named.some((id) => id.number === one.number));
  if (!first) return isOver ? { what, next: `Comment \`/approve ${number}\` to run it alone.` } : { what };
  const form = waitsFor.find(({ state }) => state === "incomplete");
  if (form) return { what, next: `Comment ${call.deps.markdown.code(fillUsage(form))}.` };
  const numbered = [...waitsFor.map((one) => one.number), number].join(" ");
  const isPlain = waitsFor.every(({ spec }) => spec.risk !== "high");
  return { what, next: `Comment ${isPlain ? `\`/approve ${numbered}\`` : inFull(call, first)}.` };
}

const inFull = ({ deps }: Call, { number, spec }: Action): string =>
  deps.markdown.code(`/approve ${number} ${spec.place} <why>`);

/** Rejects actions for good: one rejection is final; the reason reaches the agent's next turn. */
export const reject: Handler = (call) =>
  call.commit(async (tx, incident) => {
    const { deps, repoContext, caller, event } = call;
    const { id, login, role } = caller;
    const { ids } = call.slash;
    const reason = approvalReason(call);
    const comment = approvalComment(event);
    const rows = await partsOf(tx, incident.id, "actions", "batches", "posted");
    const { actions } = rows;
    if (ids === "all" || ids.length === 0)
      return answer(tx, call, incident, { outcome: "mistake", body: missingNumber("reject", actions) });
    const links = linksOf(deps, rows);
    const refusals: CommandRefusal[] = [];
    const rejected: number[] = [];
    for (const number of new Set(ids.map((id) => id.number))) {
      const action = actions.find((candidate) => candidate.number === number);
      if (!action || !isOpen(action)) {
        refusals.push(action ? stateRefusal({ incident, action, links }) : unknownNumber(number));
        continue;
      }
      await addApproval(tx, action, { verdict: "reject", person: caller, role, comment, reason });
      await moveAction(tx, action, { from: action.state, to: "rejected", reason });
      await appendAudit(tx, {
        kind: "command_rejected",
        incidentId: incident.id,
        body: { number, digest: action.digest, by: { id, login, role }, commentId: comment.id, reason },
      });
      const others = actions.filter((one) => !ids.some((named) => named.number === one.number));
      for (const check of others.filter(({ spec }) => spec.checks === number || spec.guard?.check === number)) {
        const isOwn = check.spec.checks === number;
        const why = isOwn ? `${number}, which it checks, was turned down` : `its check ${number} was turned down`;
        await reopen(tx, [check], why);
        if (!(await moveAction(tx, check, { from: "proposed", to: "void", reason: why }))) continue;
        const body = { number: check.number, digest: check.digest, reason: why };
        await appendAudit(tx, { kind: "command_void", incidentId: incident.id, body });
      }
      rejected.push(number);
    }
    const isDone = rejected.length > 0;
    const current = await actionsOf(tx, incident.id);
    // With a reason and nothing left to decide, the agent thinks again.
    const reads =
      isDone &&
      reason.trim() !== "" &&
      incident.state === "open" &&
      !current.some((action) => isLiveAction(deps, repoContext, action)) &&
      (await whyNoTurn(tx, deps, incident)) === undefined;
    if (reads)
      await enqueueTurn(tx, deps, incident, {
        kind: "rejected",
        personId: id,
        login,
        numbers: rejected,
        reason: reason.trim(),
        told: toldBy(call),
      });
    if (isDone) await show(tx, deps, incident, reads ? "thinking again" : "");
    const said = [
      ...sentencesOf(refusals, current),
      ...(isDone && refusals.length > 0 ? [`Rejected: **${rejected.join("**, **")}**.`] : []),
    ];
    await answer(tx, call, incident, { outcome: isDone ? "done" : "mistake", body: said.join("\n\n") });
  });

/** The numbers as typed, but predecessors first. */
function asListed<T extends { readonly number: number }>(typed: readonly T[], rows: ListRows): readonly T[] {
  const placed: T[] = [];
  const place = (one: T): void => {
    if (placed.includes(one)) return;
    const action = rows.actions.find(({ number }) => number === one.number);
    // The read that justifies a change goes first too.
    const before = action ? [action.spec.guard?.check, ...standBefore(action, rows).map(({ number }) => number)] : [];
    for (const other of typed) if (before.includes(other.number)) place(other);
    placed.push(one);
  };
  typed.forEach(place);
  return placed;
}
