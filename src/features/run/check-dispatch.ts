import { countsTowards } from "../../approval/authorize.ts";
import { clockBackMs } from "../../approval/lease.ts";
import { expiryOf, isOver, peopleNeeded, unsaidIn } from "../../approval/need.ts";
import { needsPasskey } from "../../approval/passkey.ts";
import { hoursWords, type PolicyInForce, sameRules, teamsOf } from "../../approval/place.ts";
import { type DispatchDecision, decideDispatch, endDispatch } from "../../approval/preflight.ts";
import { rightsOf } from "../../approval/rights.ts";
import { serversIn } from "../../base/action.ts";
import { isOlderThan, ofSystem, sleep, type TimeSource } from "../../base/clock.ts";
import { addressedIn, wentWell } from "../../base/run.ts";
import type { Server } from "../../base/server.ts";
import { repositoryIn } from "../../config/values.ts";
import { withoutMarker } from "../../github/comments.ts";
import { type CommentFact, type CommentPosition, type Facts, isWrittenAfter } from "../../github/facts.ts";
import { renderAction } from "../../github/render/card.ts";
import { readCard, sameCard } from "../../github/render/read-card.ts";
import { type Id, leaseIn, parseSlashCommand, type SlashCommand } from "../../slash/grammar.ts";
import { verbs } from "../../slash/verbs.ts";
import { defaultLimits } from "../../ssh/limits.ts";
import { type Action, type Approval, approvalsOfAction, digestOf, isByFile, timesOf } from "../../store/actions.ts";
import { auditOf } from "../../store/audit/chain.ts";
import type { Db } from "../../store/database/open.ts";
import { lookRows, openPartsOf } from "../../store/incident-rows.ts";
import type { Incident } from "../../store/incidents.ts";
import { shownComments, slots } from "../../store/outbox/thread-comments.ts";
import type { OutboxComment } from "../../store/outbox/wanted.ts";
import { outputOf, outputParts } from "../../store/outputs.ts";
import type { Batch, Run } from "../../store/runs.ts";
import { ourMark, redactionMark } from "../../text/marks.ts";
import { createPatternSearch } from "../../text/pattern.ts";
import { type Deps, type RepoContext, repoContextAt, withRulesNow } from "../context.ts";
import { isSaidSince, standingIn } from "../incident/hold.ts";
import { tenancyWith } from "../intake/tenancy.ts";
import { presenceOf } from "../passkey/passkey.ts";
import { approvable, isJudgedAsThen, policyInForce, sentBefore, serversNow, whyRaised } from "../proposal/in-force.ts";
import { type LeaseUse, leaseTermsOf, leaseUseOf } from "../proposal/lease.ts";
import { orderOf } from "../proposal/list-order.ts";
import { isBehindIssue, setBackAt, voidIfRestored } from "../verify/restored.ts";
import { countersignedIn, hashBody, isOwnWord, saidBehind } from "./approval-comment.ts";

export type DispatchCheck =
  | { readonly kind: "go"; readonly servers: readonly Server[]; readonly lookedAt: number }
  | Exclude<DispatchDecision, { kind: "go" }>
  /** GitHub does not answer. */
  | { readonly kind: "ask-later"; readonly reason: string };

/** Decides after reading again all that an approval rests on: store, inventory, GitHub (SR-24, RR-11, RR-24). */
export async function checkDispatch(
  deps: Deps,
  begun: RepoContext,
  { action, batch }: { readonly action: Action; readonly batch: Batch },
): Promise<DispatchCheck> {
  const { db } = deps.store;
  await waitForConfig(deps);
  // The card of what people approved shows the check.
  const shownBy = action.spec.guards ?? action.number;
  const { incident, pin, ...known } = await lookRows(db, { incidentId: action.incidentId, number: shownBy });
  const approvals = approvalsOfAction(known.approvals, action);
  // First, because the token is for what the name means now. Whether it is public is checked below.
  const tenancy = tenancyWith(deps, pin ?? undefined, { ...incident, private: true });
  if (tenancy.kind === "refused") return endDispatch("not-served", tenancy.reason);
  /** The batch of a deleted issue would retry forever. */
  const later = (reason: string): DispatchCheck =>
    isOver(expiryNow(withRulesNow(deps, begun, incident.repo), action), deps.now().getTime())
      ? endDispatch("unanswered", reason)
      : { kind: "ask-later", reason };
  const standing = approvals.some(({ via }) => via !== "comment");
  // Approved without its card, which must at least be posted before the command runs (AR-08).
  const isUnread = standing || action.origin === "person" || action.spec.again !== undefined;
  const shownAs = known.actions.find(({ number }) => number === action.spec.guards) ?? action;
  const ours = isUnread ? await untilPosted(db, known.shown, { incident, action: shownAs }) : known.shown;
  const isPending = isUnread && !cardIn(ours)?.nodeId;
  const carriers = carriersOf(action, known.actions);
  const subject = { incident, action: shownAs, approvals, demands: action.spec.demands };
  const handed = deps.factsCache.take(batch.id);
  const { facts, card, shown, unread, board } = await lookAtIssue(deps, subject, { ours, handed });
  if (!facts) return later("GitHub cannot be asked whether the approval holds");
  const isOlder = await isStoreOlder(deps, incident, { facts, board });
  if (typeof isOlder !== "boolean") return later(isOlder.unknown);

  // Today's rules decide (CFG-1).
  const now = withRulesNow(deps, begun, incident.repo);
  const repoContext = facts.repository ? await repoContextAt(deps, now, incident, facts.repository.commit) : now;
  if (!repoContext) return later("the repository's files have changed and cannot be read");
  const policy = policyInForce(repoContext, action, deps.now());
  const servers = serversNow(repoContext, action.spec);
  const lease = standing ? await leaseUseOf(deps, db, repoContext, { incident, action }) : undefined;
  const proved = await provedOnes(deps, repoContext, { action, approvals });
  if (!deps.isConfigCurrent()) return later("the operator's files have changed and are being read");
  // Last, because it must hold at the send.
  const rows = await openPartsOf(db, incident.id, "actions", "approvals", "runs", "halts", "holds");
  const guard = await guardStandingOf(deps, action, { ...rows, batch, incident });
  const before = orderOf(deps, repoContext, rows, { action, batch });
  const stop = await standingIn(deps, incident, rows);
  const decision = decideDispatch({
    action: {
      ...action,
      expiresAt: new Date(expiryNow(repoContext, action)),
      digestNow: digestOf(action.spec),
      serverUnchanged: servers !== undefined,
      rulesUnchanged: servers !== undefined && isJudgedAsThen(deps, servers, action.spec),
      placeRulesUnchanged: sameRules(policy.rules, action.spec.placeRules),
      raised: servers && whyRaised(deps, servers, action.spec, sentBefore(rows, action)),
    },
    before: before ?? "none",
    guard,
    incident: { open: incident.state === "open" },
    stopped: stop.kind === "stopped" ? stop.words : undefined,
    issue: {
      sameName: facts.repository?.name.toLowerCase() === incident.repo.toLowerCase(),
      installed: facts.installed,
      open: facts.issue?.open === true,
      sameRepository: facts.repository?.id === action.spec.repoId,
      sameIssue: facts.issue?.nodeId === action.spec.issueNodeId,
      asPrivate:
        facts.repository?.private === true ||
        (incident.public && repositoryIn(deps.config, incident.repo)?.allowPublic === true),
    },
    storeIsCurrent: !isOlder,
    executes: deps.config.execution.enabled,
    needed: peopleNeeded(approvable(action), policy),
    shut: policy.shut && hoursWords(policy.shut.hours),
    approvals: approvals.map((approval) => ({
      personId: approval.personId,
      digest: approval.digest,
      byLease: approval.via !== "comment",
      counts: isByFile(approval) || countsTowards(approval.personId, approvable(action), policy),
      comment: unread.has(approval.commentNodeId)
        ? "unread"
        : checkApprovalComment(deps, { ...repoContext, policy }, action, {
            approval,
            card: shown,
            fact: facts.comments.get(approval.commentNodeId),
            leased: lease?.use,
            carriers,
          }),
      sinceClosing: isSinceClosing(facts, approval),
      mayApprove: mayApprove(policy, facts, approval),
      proved: proved?.includes(approval) === true,
      fresh: stop.kind === "stopped" || isSaidSince(stop, timesOf(approval)),
    })),
    passkey: proved !== undefined,
    lease: lease?.decision,
    // If the issue is gone, no card is ever posted.
    card: card?.nodeId && unread.has(card.nodeId) ? "unread" : (shown ?? (isPending ? "not-posted" : undefined)),
    now: deps.now(),
  });
  if (decision.kind !== "go") return decision;
  return servers ? { kind: "go", servers, lookedAt: facts.askedAt } : endDispatch("server-gone");
}

/** How old a check may be when its change is sent. */
const freshMs = 60_000;

/** A change that keeps waiting has its check repeated, but not for ever. */
const mostRepeats = 5;

type GuardStanding =
  | { readonly kind: "holds" }
  /** No check of this batch is recent enough. */
  | { readonly kind: "due" }
  | { readonly kind: "broken"; readonly why: string };

const holds: GuardStanding = { kind: "holds" };

const broken = (why: string): GuardStanding => ({ kind: "broken", why });

/**
 * Whether a change's condition holds: every server that must show it did, in a check that this batch ran, so after the approval, and not
 * long ago. What is unknown, failed, withheld or cut away does not show it.
 */
async function guardStandingOf(
  deps: Deps,
  change: Action,
  given: {
    readonly batch: Pick<Batch, "id">;
    readonly incident: Pick<Incident, "public">;
    readonly actions: readonly Action[];
    readonly runs: readonly Run[];
  },
): Promise<GuardStanding | undefined> {
  const { guard } = change.spec;
  if (!guard) return undefined;
  const { batch, actions, incident } = given;
  const lost = whyGuardLost(change, actions);
  if (lost !== undefined) return broken(lost);
  const checks = actions.filter((one) => isGuardedBy(change, one));
  const ranOf = ({ id, spec }: Action): readonly Run[] =>
    given.runs.filter(
      (run) =>
        run.actionId === id && run.batchId === batch.id && (!spec.set || run.step === (guard.set?.member ?? 0) - 1),
    );
  const last = checks.findLast((check) => ranOf(check).length > 0);
  const runs = last ? ranOf(last) : [];
  const repeats = checks.filter(({ spec }) => spec.guards === change.number).length;
  const due = repeats < mostRepeats ? ({ kind: "due" } as const) : broken("its check grew too old, again and again");
  if (!last) return due;
  const name = last.spec.set ? `${last.number}.${guard.set?.member}` : `${last.number}`;
  for (const server of shownOn(change.spec)) {
    const run = runs.find((one) => one.server === server);
    if (run?.ending?.kind !== "exited" || !wentWell(run)) return broken(`check ${name} did not end well on ${server}`);
    const shown = await shows(deps, run, guard.shows);
    if (shown === true) continue;
    const quoted = JSON.stringify(guard.shows);
    return broken(
      shown === undefined
        ? `not all that check ${name} printed on ${server} is there to look for ${quoted}`
        : `check ${name} does not show ${quoted} on ${server}${incident.public ? "" : lastWords(run)}`,
    );
  }
  // Its age counts up to the first server's start; what it shows is compared each time.
  const begun = ranOf(change).flatMap(({ startedAt }) => startedAt?.getTime() ?? []);
  const isOld = runs.some(({ endedAt }) => {
    if (endedAt === null) return true;
    return begun.length === 0
      ? isOlderThan(freshMs, endedAt.getTime())
      : Math.min(...begun) - endedAt.getTime() > freshMs;
  });
  return isOld ? due : holds;
}

/** Whether a line of the stored output has it; undefined if the part that could is missing. Words of ours are no output. */
async function shows({ store: { db } }: Deps, run: Run, pattern: string): Promise<boolean | undefined> {
  const output = await outputOf(db, run.id);
  if (!output || output.withheld !== null) return run.bytes === 0 ? false : undefined;
  let open = "";
  let isCut = (run.dropped ?? 0) > 0;
  const search = createPatternSearch(pattern);
  const look = (line: string): void => {
    if (ourMark.test(line)) isCut = true;
    // What was hidden may have been several lines.
    else search.push(`${line.replaceAll(redactionMark, "\n")}\n`);
  };
  for await (const part of outputParts(db, run.id)) {
    const lines = (open + part).split("\n");
    open = lines.pop() ?? "";
    for (const line of lines) look(line);
  }
  look(open);
  return search.found() || (isCut ? undefined : false);
}

const mostCharacters = 80;

/** What people read beside the verdict. A line that speaks to the agent is never the one. */
function lastWords({ excerpt, trouble }: Run): string {
  const line = (excerpt ?? "").trimEnd().split("\n").at(-1)?.trim() ?? "";
  if (line === "") return "; it printed nothing";
  if (addressedIn(trouble) !== undefined) return "";
  return `; its last line is ${JSON.stringify(line.length > mostCharacters ? `${line.slice(0, mostCharacters)}…` : line)}`;
}

interface CardState extends CommentPosition {
  readonly asWeWroteIt: boolean;
  /** Others changed only its task boxes, even if we overwrote it since. */
  readonly untouched: boolean;
  readonly showsIt: boolean;
}

/** Compares the card on GitHub with ours. */
function cardState(
  { markdown }: Pick<Deps, "markdown">,
  action: Action,
  card: OutboxComment | undefined,
  { facts, ticks }: { readonly facts: Facts /** Of boxes ticked by hand. */; readonly ticks: readonly Date[] },
): CardState | undefined {
  const fact = card?.nodeId ? facts.comments.get(card.nodeId) : undefined;
  if (!card || !fact) return undefined;
  const seen = withoutMarker(fact.body);
  const [own] = readCard(renderAction({ ...action, verdicts: [], runs: [] }, markdown));
  return {
    asWeWroteIt: isAsWritten(card, seen),
    untouched: fact.editedByOthers.every((at) =>
      ticks.some((tick) => Math.abs(tick.getTime() - at.getTime()) <= 1_000),
    ),
    showsIt: readCard(seen).some(
      ({ number, risk, place, command }) =>
        // A patch may hold CRs, which no comment keeps apart.
        number === own?.number &&
        risk === own.risk &&
        place === own.place &&
        command === action.spec.command.replaceAll("\r\n", "\n"),
    ),
    id: fact.id,
    createdAt: fact.createdAt,
  };
}

/** Whether a card reads as our last write or pending edit. */
const isAsWritten = ({ postedBody, postingBody, body }: OutboxComment, seen: string): boolean =>
  [postedBody, postingBody, body].some((ours) => ours !== null && sameCard(ours, seen));

/** Checks the comment as GitHub has it: author, words, unedited, not by email, in time. Undefined if GitHub does not show it. */
function checkApprovalComment(
  deps: Pick<Deps, "config" | "now">,
  repoContext: Pick<RepoContext, "rules"> & { readonly policy: PolicyInForce },
  action: Action,
  given: {
    readonly approval: Approval;
    readonly card: CommentPosition | undefined;
    readonly fact: CommentFact | undefined;
    readonly leased?: LeaseUse | undefined;
    /** What was approved with this read in it. */
    readonly carriers: readonly Action[];
  },
): { readonly unchanged: boolean; readonly approves: boolean } | undefined {
  const { approval, card, fact, leased: by, carriers } = given;
  // The file has no comment; its lease is decided beside this.
  if (isByFile(approval))
    return {
      unchanged: true,
      approves:
        by?.lease.via === "opening" &&
        approval.commentSha256 === by.lease.commentSha256 &&
        action.spec.opening === approval.commentSha256,
    };
  if (!fact) return undefined;
  const unchanged =
    !fact.edited &&
    !fact.byEmail &&
    fact.authorId === approval.personId &&
    hashBody(fact.body) === approval.commentSha256;
  const slash = parseSlashCommand(fact.body, deps.config.commands.prefixes);
  const isHere = fact.issueNodeId === action.spec.issueNodeId && slash?.kind === "command";
  if (!isHere) return { unchanged, approves: false };
  if (approval.via === "lease")
    return { unchanged, approves: leases(deps, repoContext, { action, approval, fact, slash, leased: given.leased }) };
  const said = { ...approvable(action), createdAt: fact.createdAt.getTime(), expiresAt: Number.POSITIVE_INFINITY };
  const isLate = isOver(expiryOf(said, repoContext.rules.policy), deps.now().getTime());
  // Its author did not need to read a card.
  if (isOwnWord(slash, action)) return { unchanged, approves: card !== undefined && !isLate };
  const isInTime = card !== undefined && isWrittenAfter(fact, card) && !isLate;
  return { unchanged, approves: isInTime && isSaidIn(slash, repoContext, { action, carriers }) };
}

/** Whether a lease covers the action by its comment's terms, not by the store's (AR-03). */
function leases(
  { now }: Pick<Deps, "now">,
  repoContext: Pick<RepoContext, "rules">,
  given: {
    readonly action: Action;
    readonly approval: Approval;
    readonly fact: CommentFact;
    readonly slash: SlashCommand;
    readonly leased: LeaseUse | undefined;
  },
): boolean {
  const { action, approval, fact, slash, leased } = given;
  if (slash.verb !== verbs.lease.verb && slash.verb !== verbs.auto.verb) return false;
  const word = leaseIn(slash);
  if (word?.kind !== "on" || leased?.lease.via !== "lease" || leased.lease.commentId !== approval.commentId)
    return false;
  const said = leaseTermsOf(repoContext, word);
  if (said.kind === "no") return false;
  const { terms } = said;
  const age = now().getTime() - fact.createdAt.getTime();
  return (
    age >= -clockBackMs &&
    age < terms.timeMs &&
    leased.lease.used + leased.cost <= terms.commands &&
    action.spec.targets.every(({ server }) => terms.servers.includes(server))
  );
}

/** Whether the words approve the action, with all that high risk demands (SR-19). */
function isSaidIn(
  slash: SlashCommand,
  { policy }: { readonly policy: PolicyInForce },
  { action, carriers }: { readonly action: Action; readonly carriers: readonly Action[] },
): boolean {
  if (slash.verb !== verbs.approve.verb) return false;
  const { ids } = slash;
  // A change's card and digest include its checks.
  const isNamed = (id: Id): boolean =>
    [action, ...carriers].some(({ number, digest }) => id.number === number && digest.startsWith(id.pin ?? ""));
  if (ids !== "all" && !ids.some(isNamed)) return false;
  // `/approve all` leaves out high risk.
  const alone = ids !== "all" && new Set(ids.map((id) => id.number)).size === 1;
  const subject = approvable(action);
  return subject.risk !== "block" && unsaidIn({ alone, ...saidBehind(slash, subject) }, subject, policy).length === 0;
}

/** Whether the store is an older copy of itself, or why that is unknown. */
async function isStoreOlder(
  deps: Deps,
  incident: Incident,
  { facts, board }: { readonly facts: Facts; readonly board: OutboxComment | undefined },
): Promise<boolean | { readonly unknown: string }> {
  const shownBoard = board?.nodeId ? facts.comments.get(board.nodeId)?.body : undefined;
  const isFileNewer = await voidIfRestored(deps).catch((error) =>
    deps.log.error({ module: "audit", event: "checkpoint_failed", err: error }),
  );
  if (isFileNewer === undefined) return { unknown: "the audit's checkpoint file cannot be read" };
  const isOlder = isFileNewer || (await isBehindIssue(deps, incident, shownBoard).catch(noFacts(deps, incident)));
  if (isOlder === undefined) return { unknown: "GitHub cannot be asked whether the store is up to date" };
  if (!isOlder) return false;
  // After a restore the board is old until redrawn, and until then new approvals look old.
  const isUndrawn = incident.changed > incident.drawn && (await setBackAt(deps, incident.id)) > 0;
  return isOnItsWay(board) || isUndrawn ? { unknown: "the board on the issue is not up to date" } : true;
}

/** GitHub's times are whole seconds; within the same second the approval is void. */
function isSinceClosing({ issue, comments }: Facts, approval: Approval): boolean {
  const { commentNodeId, createdAt } = approval;
  if (isByFile(approval))
    return issue?.closedAt === undefined || createdAt.getTime() >= issue.closedAt.getTime() + 1_000;
  const written = comments.get(commentNodeId)?.createdAt;
  return issue?.closedAt === undefined || (written !== undefined && written > issue.closedAt);
}

/** The approvals whose passkey verifies again (PK-01). Undefined if policy demands none. */
async function provedOnes(
  deps: Deps,
  { rules: { policy } }: RepoContext,
  { action, approvals }: { readonly action: Action; readonly approvals: readonly Approval[] },
): Promise<readonly Approval[] | undefined> {
  if (!needsPasskey(approvable(action), policy)) return undefined;
  const found = approvals.map(async (approval) => {
    const presence = await presenceOf(deps.store.db, deps, countersignedIn(approval));
    return presence.proved ? [approval] : [];
  });
  return (await Promise.all(found)).flat();
}

const expiryNow = ({ rules: { policy } }: RepoContext, action: Action): number => expiryOf(approvable(action), policy);

function mayApprove({ approvers }: PolicyInForce, facts: Facts, approval: Approval): boolean {
  if (isByFile(approval)) return true;
  const standing = facts.people.get(approval.personId);
  if (!standing) return false;
  const person = { id: approval.personId, login: approval.login };
  return rightsOf(approvers, { person, type: "User", viaApp: false, ...standing }).approve;
}

const maxLooks = 10;
const lookAgainMs = 300;

interface IssueLook {
  /** Undefined if GitHub does not answer. */
  readonly facts: Facts | undefined;
  readonly card: OutboxComment | undefined;
  readonly board: OutboxComment | undefined;
  readonly shown: CardState | undefined;
  /** Node ids of comments that GitHub has but shows outdated or not yet. */
  readonly unread: ReadonlySet<string>;
}

interface IssueSubject {
  readonly incident: Incident;
  /** The one whose card shows it. */
  readonly action: Action;
  readonly approvals: readonly Approval[];
  readonly demands: Action["spec"]["demands"];
}

/** What is known before GitHub is asked. */
interface KnownIssue {
  /** The board and the card, just read. */
  readonly ours: readonly OutboxComment[];
  /** Used if they cover everything. */
  readonly handed?: Facts | undefined;
}

async function lookAtIssue(deps: Deps, subject: IssueSubject, known: KnownIssue): Promise<IssueLook> {
  const { incident, action } = subject;
  let seen = await lookOnce(deps, subject, known);
  // The card may be older or newer than our record: look again before calling it tampering.
  for (let looks = 0; seen.shown?.asWeWroteIt === false && looks < maxLooks; looks++) {
    if (looks > 0 && !isOnItsWay(seen.card)) break;
    if (looks > 0) await sleep(lookAgainMs);
    seen = await lookOnce(deps, subject, { ours: await shownComments(deps.store.db, incident, action) });
  }
  return { ...seen, unread: await unreadIn(deps, subject, seen) };
}

/** GitHub's GraphQL can lag by seconds, so REST confirms that a comment is deleted, or that a card without another editor was edited. */
async function unreadIn(
  { comments }: Pick<Deps, "comments">,
  { incident, approvals }: IssueSubject,
  { facts, card, shown }: Omit<IssueLook, "unread">,
): Promise<ReadonlySet<string>> {
  if (!facts) return new Set();
  const place = { installationId: incident.installationId, repo: incident.repo, issue: incident.number };
  const unread = new Set<string>();
  for (const { commentNodeId, commentId } of approvals.filter((one) => !isByFile(one))) {
    if (facts.comments.has(commentNodeId)) continue;
    if (!isGone(await comments.read(place, commentId))) unread.add(commentNodeId);
  }
  const isDoubtful = !shown || (!shown.asWeWroteIt && shown.untouched);
  if (card?.nodeId && card.githubId !== null && isDoubtful) {
    const now = await comments.read(place, card.githubId);
    const isEdited = now.kind === "read" && shown !== undefined && !isAsWritten(card, withoutMarker(now.body));
    if (!isGone(now) && !isEdited) unread.add(card.nodeId);
  }
  return unread;
}

const isGone = (read: Awaited<ReturnType<Deps["comments"]["read"]>>): boolean =>
  read.kind === "never" && read.isGone === true;

async function lookOnce(
  deps: Deps,
  { incident, action, approvals, demands }: IssueSubject,
  { ours, handed }: KnownIssue,
): Promise<Omit<IssueLook, "unread">> {
  const { db } = deps.store;
  const board = ours.find(({ slot }) => slot === slots.board);
  const said = approvals.filter((approval) => !isByFile(approval));
  const comments = [
    ...said.map(({ commentNodeId }) => commentNodeId),
    ...[cardIn(ours), board].flatMap((comment) => comment?.nodeId ?? []),
  ];
  const isHanded =
    handed !== undefined &&
    comments.every((nodeId) => handed.comments.has(nodeId)) &&
    said.every(({ personId }) => handed.people.has(personId));
  const question = {
    installationId: incident.installationId,
    repo: incident.repo,
    issue: incident.number,
    people: said.map(({ personId, login }) => ({ id: personId, login })),
    comments,
    teams: teamsOf(deps.config.policy, demands),
  };
  const facts = isHanded ? handed : await deps.facts(question).catch(noFacts(deps, incident));
  // Our edit may have gone out meanwhile.
  const card = cardIn(isHanded ? ours : await shownComments(db, incident, action));
  const edits = card?.nodeId ? facts?.comments.get(card.nodeId)?.editedByOthers : undefined;
  // A tick is an edit that means nothing (SR-27).
  const ticked = edits?.length ? await auditOf(db, incident.id, "card_ticked") : [];
  const ticks = ticked.flatMap(({ kind, body }) =>
    kind === "card_ticked" && body.slot === card?.slot && body.editedAt ? [new Date(body.editedAt)] : [],
  );
  return { facts, card, board, shown: facts && cardState(deps, action, card, { facts, ticks }) };
}

const cardIn = (ours: readonly OutboxComment[]): OutboxComment | undefined =>
  ours.find(({ slot }) => slot !== slots.board);

/** The board and the card once it is posted, or as they are after a while. */
async function untilPosted(
  db: Db,
  known: readonly OutboxComment[],
  { incident, action }: Pick<IssueSubject, "incident" | "action">,
): Promise<readonly OutboxComment[]> {
  let ours = known;
  for (let looks = 1; looks < maxLooks && !cardIn(ours)?.nodeId; looks++) {
    await sleep(lookAgainMs);
    ours = await shownComments(db, incident, action);
  }
  return ours;
}

const isOnItsWay = (card: OutboxComment | undefined): boolean =>
  card !== undefined && card.version > card.postedVersion;

const noFacts =
  ({ log }: Deps, { repo, number: issue }: Incident) =>
  (error: unknown): undefined => {
    log.warn({ module: "github", event: "facts_failed", repo, issue, err: error });
  };

/** Whether a check (ms of the wall clock) is too old to send on (F-35). The write checks again. */
export const isStale = ({ freshMs }: Pick<Deps, "freshMs">, lookedAt: number): boolean =>
  isOlderThan(freshMs - defaultLimits.toWriteMs, lookedAt);

/** Waits up to 3 s for the operator's files. The caller checks again at its end. */
export async function waitForConfig({ isConfigCurrent }: Pick<Deps, "isConfigCurrent">): Promise<void> {
  for (let looks = 0; !isConfigCurrent() && looks < maxLooks; looks++) await sleep(lookAgainMs);
}

/** The changes whose approval is this read's too: it checks them, or is what their guard compares, with the rest of its set. */
export const carriersOf = (read: Action, actions: readonly Action[]): readonly Action[] =>
  read.spec.risk === "low" ? actions.filter((one) => one.number === read.spec.checks || isGuardedBy(one, read)) : [];

/** The servers that must show it. */
const shownOn = ({ guard, targets }: Action["spec"]): readonly string[] => guard?.on ?? serversIn(targets);

function isGuardedBy({ number, spec: change }: Action, { number: check, spec }: Action): boolean {
  const { guard } = change;
  if (!guard || serversIn(spec.targets).toSorted().join("\n") !== shownOn(change).toSorted().join("\n")) return false;
  if (spec.guards === number) return spec.set === undefined && spec.command === guard.command;
  if (check !== guard.check) return false;
  if (!guard.set) return spec.set === undefined && spec.command === guard.command;
  return spec.command === guard.set.command && spec.set?.[guard.set.member - 1]?.command === guard.command;
}

/** Why a change's condition can never hold again; undefined if it still may. */
export function whyGuardLost({ spec: { guard } }: Action, actions: readonly Action[]): string | undefined {
  if (!guard) return undefined;
  const check = actions.find(({ number }) => number === guard.check);
  if (!check) return `its check ${guard.check} does not exist`;
  switch (check.state) {
    case "rejected":
      return `its check ${guard.check} was rejected`;
    case "superseded":
      return `its check ${guard.check} was replaced`;
    case "void":
    case "blocked":
      return `its check ${guard.check} is ${check.state}`;
    default:
      return undefined;
  }
}

/**
 * Keeps `/approve`'s facts from GitHub for two seconds, for the first check of its batch. In memory only, because a job's payload proves
 * nothing.
 */
export interface FactsCache {
  readonly put: (batchId: string, facts: Facts) => void;
  /** Once, while fresh. */
  readonly take: (batchId: string) => Facts | undefined;
}

const handedMs = 2_000;

/** By both clocks: the monotonic one stops while the machine sleeps, and the wall clock can be set back. */
export function createFactsCache({ shown, elapsed }: TimeSource = ofSystem): FactsCache {
  const kept = new Map<string, { readonly facts: Facts; readonly shownAt: number; readonly at: number }>();
  const isFresh = ({ shownAt, at }: { readonly shownAt: number; readonly at: number }): boolean =>
    Math.max(shown() - shownAt, elapsed() - at) <= handedMs;
  return {
    put: (batchId, facts) => {
      for (const [id, entry] of kept) if (!isFresh(entry)) kept.delete(id);
      kept.set(batchId, { facts, shownAt: shown(), at: elapsed() });
    },
    take: (batchId) => {
      const entry = kept.get(batchId);
      kept.delete(batchId);
      return entry && isFresh(entry) ? entry.facts : undefined;
    },
  };
}
