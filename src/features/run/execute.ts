import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import canonicalize from "canonicalize";
import * as z from "zod";
import { clockBackMs } from "../../approval/lease.ts";
import { needsPasskey } from "../../approval/passkey.ts";
import { type DispatchDecision, endDispatch } from "../../approval/preflight.ts";
import { placeOfRun, type RunPlace, targetOfRun } from "../../base/action.ts";
import { sleep } from "../../base/clock.ts";
import { reached } from "../../base/crash-point.ts";
import { messageOf, RetryLater } from "../../base/errors.ts";
import {
  type ApprovalRecord,
  type CountersignedOrder,
  type Ending,
  type ExecOrder,
  type ExecResult,
  type HowToRun,
  type Reservation,
  stopsRest,
} from "../../base/run.ts";
import type { Server } from "../../base/server.ts";
import { endUnknown } from "../../base/unknown.ts";
import { clock } from "../../github/render/ink.ts";
import { issueUrl } from "../../github/web.ts";
import {
  type Action,
  actionsOf,
  addApproval,
  approvalsOfAction,
  moveAction,
  type Target,
  timesOf,
  withdrawApprovals,
} from "../../store/actions.ts";
import { appendAudit } from "../../store/audit/chain.ts";
import { isStanding } from "../../store/holds.ts";
import { openPartsOf, partsOf, type RowsWith } from "../../store/incident-rows.ts";
import { type Incident, incidentOf, lockIncident } from "../../store/incidents.ts";
import { spendLease } from "../../store/leases.ts";
import { boardOf } from "../../store/outbox/thread-comments.ts";
import { wantReaction } from "../../store/outbox/wanted.ts";
import { assertionFor, hasRevokedKey } from "../../store/passkeys.ts";
import type { Job } from "../../store/queue/queue.ts";
import {
  addNote,
  type Batch,
  batchOf,
  beginRun,
  endBatch,
  hasNumber,
  markRead,
  putBefore,
  type Run,
  runsOfBatch,
  setBatch,
  startRuns,
} from "../../store/runs.ts";
import { type LinePredecessor, leaveLine, queueUp, stillBefore } from "../../store/server-line.ts";
import { logAlso } from "../../telemetry/log.ts";
import { inSpan } from "../../telemetry/trace.ts";
import { type Deps, loadRepoContext, type RepoContext, rulesAlone } from "../context.ts";
import { mayRun, mayRunOn, standingIn } from "../incident/hold.ts";
import { reopen } from "../incident/withdraw.ts";
import { approvable } from "../proposal/in-force.ts";
import { endLeaseAloud, endLeaseIfOver, leaseCostOf } from "../proposal/lease.ts";
import { enqueueBatch, orderOf } from "../proposal/list-order.ts";
import { addProposal, draftGuardCheck } from "../proposal/propose.ts";
import { proposeOnNewBase } from "../pulls/follow.ts";
import { settleAll } from "../settle-all.ts";
import { show, threadOf } from "../thread/post.ts";
import { endParts, tellEnd } from "../thread/tell-end.ts";
import { enqueueReading } from "../turn/turn.ts";
import { isBehindIssue, sealIntent, setBackAt, setRepositoryBack } from "../verify/restored.ts";
import { countersignedIn } from "./approval-comment.ts";
import { checkDispatch, type DispatchCheck, isStale } from "./check-dispatch.ts";
import { finishRun, type RunOutcome, type RunResult, sharesServers } from "./finish-run.ts";
import { createLiveCard, type LiveCard } from "./live-card.ts";
import type { RegisteredRun } from "./run-registry.ts";
import { pinsOf, settledBy } from "./target.ts";

const jobSchema = z.object({ batchId: z.string() });

interface BatchRun {
  readonly deps: Deps;
  readonly job: Job;
  readonly repoContext: Pick<RepoContext, "rules">;
  readonly batch: Batch;
}

export interface ActionRun extends BatchRun {
  readonly action: Action;
  readonly watched: RegisteredRun;
}

interface Dispatch extends ActionRun {
  readonly reservations: Reservations;
  readonly look: () => Promise<DispatchCheck>;
}

/** After a hold or GitHub's silence. */
const waitMs = 15_000;
const leastMs = 1_000;

/**
 * Runs a batch in order until an action fails, each checked just before it is sent (SR-24, SR-51). Runs of an earlier attempt are followed
 * to their end or are UNKNOWN, never sent again (RR-06, SR-63).
 */
export async function execute(deps: Deps, job: Job): Promise<void> {
  const { batchId } = jobSchema.parse(job.data);
  const rows = await openPartsOf(deps.store.db, { batchId }, "session", "actions", "runs", "batches");
  const { incident, session } = rows;
  logAlso({ sessionId: session.id });
  const batch = rows.batches.find(({ id }) => id === batchId);
  // `openPartsOf` leaves out batches whose end the agent has read.
  if (!batch || batch.endedAt !== null) return;
  const repoContext = await loadRepoContext(deps, incident).catch((error) => {
    deps.log.warn({ module: "github", event: "ground_failed", repo: incident.repo, err: error });
    return undefined;
  });
  const at: BatchRun = { deps, job, repoContext: repoContext ?? rulesAlone(deps, incident.repo), batch };
  if (batch.waitsFor !== null) await deps.store.transaction((tx) => setBatch(tx, batch.id, { waitsFor: null }));

  // Settled even if GitHub does not answer. A failure before the crash also stops the rest.
  const earlier = rows.runs
    .filter((run) => run.batchId === batch.id)
    .flatMap((run): readonly UnsettledRun[] => {
      const action = rows.actions.find(({ id }) => id === run.actionId);
      return action ? [{ action, run }] : [];
    });
  const open = earlier.filter(({ run }) => run.ending === null);
  let failed =
    !(await findAgain(at, open)) ||
    earlier.some(({ action, run }) => run.ending !== null && stopsRest(action.spec.risk, run));
  if (!repoContext) return withoutRepoContext(at, incident);

  let missing: number | undefined;
  // The first action uses the rows read above; `claim` reads them again, and refuses what has changed.
  let known: RowsWith<"actions" | "batches"> | undefined = open.length === 0 ? rows : undefined;
  const waiting = [...batch.numbers];
  for (let number = waiting[0]; number !== undefined; number = waiting[0]) {
    if (failed && !batch.keepGoing) break;
    const now = known ?? (await openPartsOf(deps.store.db, incident.id, "actions", "batches"));
    known = undefined;
    const action = now.actions.find((one) => one.number === number);
    if (action?.state !== "approved" || !hasNumber(now.batches, batch, number)) {
      waiting.shift();
      // Those behind were approved to run after it, even if it moved to another card.
      if (action && !["dispatching", "running", "done", "rejected"].includes(action.state)) {
        failed = true;
        missing ??= number;
      }
      continue;
    }
    const busy = await stillBusy(deps, action, incident);
    if (busy !== undefined) return comeBack(at, busy);
    const watched = deps.running.add(action.id, incident);
    const dispatch: Dispatch = {
      ...at,
      action,
      watched,
      reservations: reserveFor(deps, action, { watched, ...(await approvalRecords(deps, action)) }),
      look: () => checkDispatch(deps, repoContext, { action, batch }),
    };
    try {
      const reservation = await sayingWait(dispatch, dispatch.reservations.first());
      const decision = await clearAndClaim(dispatch, reservation);
      // Another process was first: read the row again.
      if (decision.kind === "lost") continue;
      if (decision.kind === "come-back")
        return await comeBack(at, decision.reason, {
          leaves: decision.leaves ? action : undefined,
          soon: decision.soon,
        });
      if (decision.kind === "check-due") {
        const why = await checkFirst(at, repoContext, action);
        if (why === undefined) return;
        waiting.shift();
        await standDown(at, action, endDispatch("guard", why));
        failed = true;
        continue;
      }
      waiting.shift();
      if (decision.kind !== "claimed") {
        await standDown(at, action, decision);
        if (decision.code === "server-refused") await proposeOnNewBase(deps, repoContext, action, batch.id);
        failed = true;
      } else if (!(await runFanOut(dispatch, decision))) failed = true;
    } finally {
      await dispatch.reservations.release();
      watched.release();
    }
  }
  await endOf(at, missing);
}

/** What an action waits for in its servers' line. A held action does not stand in line. */
async function stillBusy(deps: Deps, action: Action, incident: Incident): Promise<string | undefined> {
  if (sharesServers(action)) return undefined;
  const before = await deps.store.transaction(async (tx) =>
    (await mayRun(deps, tx, incident)).kind === "yes" ? stillBefore(tx, action) : undefined,
  );
  return before && busyWords(before, incident);
}

/** Hides the numbers of other repositories. */
function busyWords({ server, number, incidentId, repoId, issue, since }: LinePredecessor, incident: Incident): string {
  const other = repoId === incident.repoId ? `${number} of issue ${issue}` : "a command of another repository";
  return `${server} is busy with ${incidentId === incident.id ? number : other}, in line since ${clock(since)}`;
}

/** An action's sessions, opened early so that nothing waits between final check and send. */
interface Reservations {
  /** The first session or failure; undefined if there is none. */
  readonly first: () => Promise<Reservation | undefined>;
  /** The caller releases it. */
  readonly take: (server: Server, run: Pick<Run, "server" | "step">) => Promise<Reservation>;
  /** Releases those not taken. */
  readonly release: () => Promise<void>;
}

/** Opens sessions on today's first servers; `take` opens the others. */
function reserveFor(
  deps: Deps,
  action: Action,
  { watched, ...records }: { readonly watched: RegisteredRun } & ApprovalRecords,
): Reservations {
  const ask = (server: Server, at: RunPlace): Promise<Reservation> =>
    deps.reserve(orderFor(action, server, at, records), watched.signalOn(placeOfRun(at)));
  const asked = new Map<string, { readonly server: Server; readonly reservation: Promise<Reservation> }>();
  for (const target of action.spec.targets.slice(0, deps.config.execution.atOnce)) {
    const server = deps.config.servers.get(target.server);
    if (server) asked.set(placeOfRun(target), { server, reservation: ask(server, target) });
  }
  const dropOne = async (reservation: Promise<Reservation>): Promise<void> => (await reservation).release();
  return {
    first: async () =>
      asked.size === 0 ? undefined : Promise.race([...asked.values()].map(({ reservation }) => reservation)),
    take: async (server, run) => {
      const own = asked.get(placeOfRun(run));
      asked.delete(placeOfRun(run));
      if (own && isDeepStrictEqual(own.server, server)) return own.reservation;
      if (own) await dropOne(own.reservation);
      return ask(server, run);
    },
    release: async () => {
      const left = [...asked.values()];
      asked.clear();
      await Promise.all(left.map(({ reservation }) => dropOne(reservation)));
    },
  };
}

/** The bytes approved for this server. `sent`: they may be there, so they are found, never sent again. */
function orderFor(
  { spec }: Action,
  server: Server,
  at: RunPlace,
  { sent, approval, countersigned }: ApprovalRecords & { readonly sent?: Pick<Run, "startedAt"> },
): ExecOrder {
  const target = targetOfRun(spec.targets, at);
  if (target?.server !== server.name) throw new Error(`${server.name} is no server of the action`);
  const { wrapped, jobId, hostKeys } = target;
  const how: HowToRun =
    jobId === null
      ? { mode: "direct" }
      : { mode: "job", jobId, ...(sent?.startedAt ? { resume: { sentAt: sent.startedAt } } : {}) };
  const { step } = target;
  return {
    ...{ server, wrapped, hostKeys },
    ...how,
    ...(approval && { approval }),
    ...(server.signer && countersigned && { countersigned: { ...countersigned, ...(step !== undefined && { step }) } }),
  };
}

interface ApprovalRecords {
  readonly approval?: ApprovalRecord | undefined;
  readonly countersigned?: CountersignedOrder | undefined;
}

/** What a pull request says of its approval, and what a signer is to find on GitHub; nothing else needs them. */
async function approvalRecords({ config, store }: Deps, action: Action): Promise<ApprovalRecords> {
  const { incidentId, number, title, description, spec } = action;
  const isPatch = spec.targets.some(({ patches }) => patches !== undefined);
  const isSigned = spec.targets.some(({ server }) => config.servers.get(server)?.signer === true);
  if (!isPatch && !isSigned) return {};
  const { incident, approvals } = await openPartsOf(store.db, incidentId, "approvals");
  const { repo, number: issue } = incident;
  const own = approvalsOfAction(approvals, action);
  const by = own.map(({ login }) => login);
  if (isPatch)
    return { approval: { issue: issueUrl(config.github.apiUrl, { repo, issue }), number, title, description, by } };
  const commentApprovals = own
    .filter(({ via }) => via === "comment")
    .map(async (approval) => {
      const kept = await assertionFor(store.db, countersignedIn(approval));
      return { comment: approval.commentId, ...(kept && { passkey: kept.assertion }) };
    });
  return { countersigned: { repo, issue, spec, approvals: await Promise.all(commentApprovals) } };
}

const patienceMs = 1_000;

async function sayingWait<T>({ deps, batch, action }: ActionRun, waiting: Promise<T>): Promise<T> {
  const draw = (waitsFor: string | null): Promise<void> =>
    deps.store.transaction(async (tx) => {
      await setBatch(tx, batch.id, { waitsFor });
      await show(tx, deps, await lockIncident(tx, batch.incidentId));
    });
  const drawn: Promise<void>[] = [];
  const timer = setTimeout(() => {
    const saying = draw(`${action.spec.place} has no session free yet`).catch((error) =>
      deps.log.warn({ module: "ssh", event: "card_late", batch: batch.id, err: error }),
    );
    drawn.push(saying);
  }, patienceMs);
  try {
    return await waiting;
  } finally {
    clearTimeout(timer);
    await Promise.all(drawn);
    if (drawn.length > 0) await draw(null);
  }
}

/** `lookedAt`: when the facts behind the claim were read (ms of the wall clock). */
interface ClaimedAction {
  readonly kind: "claimed";
  readonly runs: readonly Run[];
  readonly servers: readonly Server[];
  readonly lookedAt: number;
}

const maxLooks = 4;

/**
 * Makes the final check beside the proof of the server's key, and claims. Repeats both until recent. Everything slow is ready before, so
 * nothing stands between claim and send.
 */
async function clearAndClaim(
  dispatch: Dispatch,
  reservation: Reservation | undefined,
): Promise<
  | ClaimedAction
  | { readonly kind: "lost" }
  | { readonly kind: "check-due" }
  /** `leaves`: leaves the servers' line. */
  | { readonly kind: "come-back"; readonly reason: string; readonly leaves: boolean; readonly soon?: boolean }
  | Extract<DispatchCheck, { kind: "end" | "reopen" }>
> {
  for (let looks = 0; looks < maxLooks; looks++) {
    const [check, refusal] = await Promise.all([dispatch.look(), reservation?.prove()]);
    if (check.kind === "go" && refusal !== undefined) return endDispatch("server-refused", refusal);
    if (check.kind === "ask-later") return { kind: "come-back", reason: check.reason, leaves: true, soon: false };
    if (check.kind === "wait" && check.code === "check-due") return { kind: "check-due" };
    if (check.kind === "wait") {
      // GitHub's GraphQL usually lags by seconds.
      const soon = check.code === "card-unread" || check.code === "comment-unread";
      return { kind: "come-back", reason: check.reason, leaves: true, soon };
    }
    if (check.kind !== "go") return check;
    const { servers, lookedAt } = check;
    if (isStale(dispatch.deps, lookedAt)) continue;
    const claimed = await claim(dispatch, lookedAt);
    if (claimed.kind === "stale") continue;
    if (claimed.kind === "wait") return { kind: "come-back", reason: claimed.reason, leaves: false };
    return claimed.kind === "lost" ? claimed : { ...claimed, servers, lookedAt };
  }
  return { kind: "come-back", leaves: true, reason: "GitHub answers too slowly to send anything on what it says" };
}

type ActionClaim =
  | { readonly kind: "claimed"; readonly runs: readonly Run[] }
  | { readonly kind: "lost" }
  /** The last look is too old or no longer holds. */
  | { readonly kind: "stale" }
  /** A hold or the kill switch stops it, or did since the look. */
  | { readonly kind: "wait"; readonly reason: string };

/** Claims by compare-and-set, and commits the intent before anything is sent. */
export async function claim(dispatch: Omit<ActionRun, "watched">, lookedAt: number): Promise<ActionClaim> {
  const { deps, batch, job, repoContext, action } = dispatch;
  return deps.store.transaction(async (tx): Promise<ActionClaim> => {
    await job.fence(tx);
    const incident = await lockIncident(tx, batch.incidentId);
    if (incident.state !== "open") return { kind: "lost" };
    if (isStale(deps, lookedAt)) return { kind: "stale" };
    const rows = await openPartsOf(
      tx,
      incident.id,
      "actions",
      "approvals",
      "batches",
      "runs",
      "messages",
      "halts",
      "holds",
    );
    if (!hasNumber(rows.batches, batch, action.number)) return { kind: "lost" };
    const approvals = approvalsOfAction(rows.approvals, action);
    const approvedAt = approvals.map(timesOf);
    const may = mayRunOn(await standingIn(deps, incident, rows), approvedAt);
    if (may.kind === "stopped") {
      await leaveLine(tx, action.id);
      return { kind: "wait", reason: may.words };
    }
    const needsProof = needsPasskey(approvable(action), repoContext.rules.policy);
    if (needsProof && (await hasRevokedKey(tx, approvals.map(countersignedIn)))) return { kind: "stale" };
    // An earlier action may have been reopened since; the next look says why.
    if (orderOf(deps, repoContext, rows, { action, batch })) return { kind: "stale" };
    if (may.kind === "said-before") return { kind: "wait", reason: "it was approved before a halt or hold was lifted" };
    const [leased] = approvals.filter(({ via }) => via !== "comment");
    const before = sharesServers(action) ? undefined : await queueUp(tx, action);
    if (before) return { kind: "wait", reason: busyWords(before, incident) };
    if (leased) {
      if (rows.actions.find(({ id }) => id === action.id)?.state !== "approved") return { kind: "lost" };
      const { incidentId } = action;
      const { commentId } = leased;
      const commands = leaseCostOf(action);
      if (!(await spendLease(tx, { incidentId, commentId, commands, now: deps.now(), clockBackMs })))
        return { kind: "stale" };
    }
    if (!(await moveAction(tx, action, { from: "approved", to: "dispatching" }))) return { kind: "lost" };
    const runs = await startRuns(tx, action, batch.id, deps.config.execution.atOnce);
    await appendAudit(tx, {
      kind: "command_dispatched",
      incidentId: incident.id,
      body: {
        number: action.number,
        digest: action.digest,
        place: action.spec.place,
        targets: action.spec.targets,
        runs: Object.fromEntries(runs.map((run) => [placeOfRun(run), run.id])),
        command: action.spec.command,
        byLease: leased !== undefined,
        ...provenanceOf(rows, action),
      },
    });
    return { kind: "claimed", runs };
  });
}

/**
 * A command's origin for the audit (SR-65): person, rules, and what the model had seen and said. The hash covers the session's first
 * `messages` messages, each as RFC 8785 JSON on a line.
 */
function provenanceOf({ incident, messages }: RowsWith<"messages">, action: Action) {
  const hash = createHash("sha256");
  for (const { message } of messages) hash.update(`${canonicalize(message)}\n`);
  const { authorId, authorLogin, origin, spec } = action;
  return {
    origin,
    askedBy:
      authorId === null
        ? { id: incident.openerId, login: incident.openerLogin }
        : { id: authorId, login: authorLogin ?? "ghost" },
    model: spec.model,
    conversation: { messages: messages.length, sha256: hash.digest("hex") },
    promptSha256: spec.promptSha256,
    contextCommit: spec.contextCommit,
    risk: spec.risk,
    rulesVersion: spec.rulesVersion,
  };
}

/** Ends an action that may not run, or reopens it without approvals. */
async function standDown(
  at: BatchRun,
  action: Action,
  decision: Extract<DispatchDecision, { kind: "end" | "reopen" }>,
) {
  const { deps, batch } = at;
  await deps.store.transaction(async (tx) => {
    const incident = await lockIncident(tx, batch.incidentId);
    const to = decision.kind === "end" ? decision.to : "proposed";
    // Withdrawn and approved again meanwhile, it belongs to a later batch.
    if (!hasNumber((await openPartsOf(tx, incident.id, "batches")).batches, batch, action.number)) return;
    if (!(await moveAction(tx, action, { from: "approved", to, reason: decision.reason }))) return;
    // A lease whose giver may not approve there any more would approve it again and again.
    if (decision.kind === "reopen" && decision.code === "rights-lost") {
      const { approvals } = await openPartsOf(tx, incident.id, "approvals");
      const leased = approvalsOfAction(approvals, action).find(({ via }) => via === "lease");
      const why = leased && `${leased.login}, who gave it, may not approve on ${action.spec.place} any more`;
      if (why !== undefined) await endLeaseAloud(tx, deps, at.repoContext, incident, why);
    }
    if (decision.kind === "reopen") await withdrawApprovals(tx, { actionIds: [action.id] });
    await appendAudit(tx, {
      kind: to === "proposed" ? "approval_withdrawn" : to === "void" ? "command_void" : "command_expired",
      incidentId: incident.id,
      body: { number: action.number, digest: action.digest, reason: decision.reason },
    });
    await addNote(tx, batch.id, `${action.number} was not run: ${decision.reason}.`);
    await show(tx, deps, incident);
  });
}

/** Pause if GitHub does not answer. */
const laterMs = 5_000;
const laterStepMs = 250;

/**
 * Runs a claimed action on its servers in order, up to `atOnce` in parallel. After a failure the rest ends as never started, except with
 * `--keep-going`. Returns true if all went well.
 */
async function runFanOut(dispatch: Dispatch, claimed: ClaimedAction): Promise<boolean> {
  const { deps, batch, job, action, watched, reservations } = dispatch;
  const waiting = [...claimed.runs];
  const live = createLiveCard(dispatch);
  // Once for all servers, because the claim's audit row names every run.
  const whyNotSealed = await sealIntent(deps);
  /** Why no further run begins. The first reason stands. */
  let stopped = whyNotSealed;
  let { lookedAt } = claimed;
  /** Lanes share one look. */
  let looking: Promise<void> | undefined;
  let [isBroken, allWell] = [false, true];

  /** The bot ends or a lane broke. Runs not begun were never sent; the next attempt settles them. */
  const isOver = (): boolean => isBroken || job.signal.aborted;
  const goesOn = (): boolean => stopped === undefined && !watched.signal.aborted && !isOver();
  const lookOnce = async (): Promise<void> => {
    const check = await dispatch.look();
    if (check.kind === "go") lookedAt = check.lookedAt;
    else if (check.kind === "ask-later")
      for (let waited = 0; waited < laterMs && goesOn(); waited += laterStepMs) await sleep(laterStepMs);
    else stopped ??= check.reason;
  };
  /** Repeats an outdated final check. */
  const lookAgain = async (): Promise<void> => {
    while (isStale(deps, lookedAt) && goesOn()) {
      looking ??= lookOnce().finally(() => {
        looking = undefined;
      });
      await looking;
    }
  };

  const runInTurn = async (): Promise<void> => {
    for (let run = waiting.shift(); run !== undefined; run = waiting.shift()) {
      const { server: name } = run;
      const server = claimed.servers.find((candidate) => candidate.name === name);
      if (!server || stopped !== undefined) {
        await recordNotStarted(dispatch, run, stopped ?? "the server is gone");
        continue;
      }
      const reservation = await reservations.take(server, run);
      let whyNotSent: string | undefined;
      let outcome: RunOutcome | undefined;
      try {
        for (let isLate = false; outcome === undefined; isLate = true) {
          const [refusal] = await Promise.all([reservation.prove(), lookAgain()]);
          if (isOver()) {
            waiting.push(run);
            return;
          }
          if (watched.signal.aborted) stopped ??= "it was cancelled before";
          whyNotSent = stopped ?? refusal;
          if (whyNotSent !== undefined) break;
          const intent = await begin(dispatch, run, isLate);
          if (intent.kind === "stopped") whyNotSent = stopped ??= intent.words;
          if (intent.kind !== "begun") break;
          run = intent.run;
          const followed = live.follow(run, server);
          const place = placeOfRun(run);
          reached("CP09");
          const sent = reservation.send(lookedAt, {
            runId: run.id,
            onOutput: followed.push,
            onSent: () => watched.sent(place),
          });
          if (sent === "stale") await followed.stop();
          else outcome = await followRun(dispatch, run, { server, followed, sent });
        }
      } finally {
        reservation.release();
      }
      if (whyNotSent !== undefined) await recordNotStarted(dispatch, run, whyNotSent);
      // Without an outcome another process has taken it.
      else if (outcome === undefined || !stopsRest(action.spec.risk, outcome)) continue;
      allWell = false;
      // A set's checks are independent.
      if (!batch.keepGoing && action.spec.set === undefined) stopped ??= `it failed on ${name} before`;
    }
  };
  const lane = (): Promise<void> =>
    runInTurn().catch((error) => {
      isBroken = true;
      throw error;
    });
  const lanes = Array.from({ length: Math.min(deps.config.execution.atOnce, waiting.length) }, lane);
  // All lanes end first, even if one broke.
  await Promise.allSettled(lanes);
  await live.stop();
  await Promise.all(lanes);
  if (waiting.length > 0) throw new Error("the bot stops; what was not begun is settled by the next attempt");
  return allWell && stopped === undefined;
}

/**
 * Commits the intent to send; the claim covers the first runs. `isLate`: the process may have stalled while another took the job and
 * reported the run (F-35).
 */
async function begin(
  { deps, batch, job }: BatchRun,
  run: Run,
  isLate: boolean,
): Promise<
  | { readonly kind: "begun"; readonly run: Run }
  | { readonly kind: "stopped"; readonly words: string }
  | { readonly kind: "taken" }
> {
  if (run.startedAt !== null && !isLate) return { kind: "begun", run };
  return deps.store.transaction(async (tx) => {
    await job.fence(tx);
    const incident = await lockIncident(tx, batch.incidentId);
    if (incident.state !== "open") return { kind: "stopped", words: "the issue is closed" };
    const may = await mayRun(deps, tx, incident);
    if (may.kind === "stopped") return { kind: "stopped", words: may.words };
    const begun = run.startedAt === null ? await beginRun(tx, run.id) : run;
    return begun ? { kind: "begun", run: begun } : { kind: "taken" };
  });
}

const recordNotStarted = (at: ActionRun, run: Run, why: string): Promise<unknown> =>
  finishRun(at, run, { ending: { kind: "unreachable", reason: `Not started: ${why}.` }, durationMs: null });

interface RunUnderWay {
  readonly server: Server;
  readonly followed: ReturnType<LiveCard["follow"]>;
  readonly sent: Promise<ExecResult>;
  /** An earlier process has sent it: it is only found. */
  readonly again?: boolean;
}

/** Follows a sent run to its end and records that. An ending is data and not thrown. */
async function followRun(
  at: ActionRun,
  run: Run,
  { server, followed, sent, again = false }: RunUnderWay,
): Promise<RunOutcome> {
  const { deps, batch, job, action } = at;
  const sinceApprovedMs = run.startedAt ? run.startedAt.getTime() - batch.createdAt.getTime() : undefined;
  const line = { module: "ssh", run: run.id, number: action.number, server: server.name, risk: action.spec.risk };
  deps.log.info({ ...line, event: "run_start", ...(!again && { sinceApprovedMs }) });
  const ended = inSpan("run", { run: run.id, server: server.name, risk: action.spec.risk }, () => sent);
  const botStops = new Promise<"bot stops">((resolve) => {
    if (job.signal.aborted) resolve("bot stops");
    else job.signal.addEventListener("abort", () => resolve("bot stops"), { once: true });
  });
  const first = await Promise.race([ended, botStops]);
  await followed.stop();
  const target = targetOfRun(action.spec.targets, run);
  if (first === "bot stops" && target?.jobId) throw new Error("the bot stops; the job goes on and is found again");
  const result: RunResult = first === "bot stops" ? { ending: endLeft(target), durationMs: null } : first;
  if (result.ending.kind === "timed-out")
    deps.log.warn({ ...line, event: "tool_timeout", tool: "ssh", timeoutMs: result.ending.afterMs });
  deps.log.info({
    ...line,
    event: "run_end",
    tool: "ssh",
    ending: result.ending.kind,
    isError: result.ending.kind !== "exited" || result.ending.code !== 0,
    durationMs: result.durationMs,
    bytes: result.capture?.bytes ?? null,
  });
  reached("CP13");
  // The result is in memory, so a brief store failure must not make it UNKNOWN.
  for (const waitMs of [100, 1_000, 5_000, 15_000, 30_000]) {
    try {
      return await finishRun(at, run, result);
    } catch (error) {
      deps.log.error({ module: "ssh", event: "result_not_stored", run: run.id, waitMs, err: error });
      await sleep(waitMs);
    }
  }
  return finishRun(at, run, result);
}

function endLeft(target: Target | undefined): Ending {
  if (target?.source) return endUnknown("bot-stopped-question", {});
  return target?.cluster
    ? endUnknown("bot-stopped-kubectl", { check: settledBy(target) })
    : endUnknown("bot-stopped-command", {});
}

/** Claimed by an earlier attempt at the batch; it may never have been sent. */
interface UnsettledRun {
  readonly action: Action;
  readonly run: Run;
}

/**
 * Settles an earlier process's runs: follows a job to its end (CP11 to CP13), repeats nothing, ends the rest as unknown. Returns true if
 * all went well.
 */
async function findAgain(at: BatchRun, open: readonly UnsettledRun[]): Promise<boolean> {
  const byAction = Map.groupBy(open, ({ action }) => action.id);
  const all = [...byAction.values()].map(async (runs): Promise<boolean> => {
    const [first] = runs;
    if (!first) return true;
    const { action } = first;
    const incident = await incidentOf(at.deps.store.db, action.incidentId);
    const watched = at.deps.running.add(action.id, incident);
    for (const { run } of runs) watched.sent(placeOfRun(run));
    const actionRun: ActionRun = { ...at, action, watched };
    const live = createLiveCard(actionRun);
    let asked: Promise<boolean> | undefined;
    const isOlder = (): Promise<boolean> => {
      asked ??= isSetBackSince(at.deps, incident, at.batch.createdAt);
      return asked;
    };
    try {
      const ended = await settleAll(runs.map(({ run }) => findRunAgain(actionRun, run, { live, isOlder })));
      return ended.every((isGood) => isGood);
    } finally {
      await live.stop();
      watched.release();
    }
  });
  return (await settleAll(all)).every((isGood) => isGood);
}

/** Whether the store became an older copy after `recordedAt`. Throws `RetryLater` if GitHub does not answer. */
async function isSetBackSince(deps: Deps, incident: Incident, recordedAt: Date): Promise<boolean> {
  const { id, installationId, repo, number: issue } = incident;
  if ((await setBackAt(deps, id)) > recordedAt.getTime()) return true;
  const githubId = (await boardOf(deps.store.db, incident))?.githubId ?? null;
  const read = githubId === null ? undefined : await deps.comments.read({ installationId, repo, issue }, githubId);
  if (read && read.kind !== "read" && read.kind !== "never")
    throw new RetryLater(`GitHub does not show the board of ${repo}#${issue}: ${read.why}`);
  const isBehind = await isBehindIssue(deps, incident, read?.kind === "read" ? read.body : undefined).catch((error) => {
    throw new RetryLater(`GitHub does not show the comments of ${repo}#${issue}: ${messageOf(error)}`);
  });
  if (!isBehind) return false;
  deps.log.error({ module: "store", event: "store_restored", repo, issue });
  await setRepositoryBack(deps, incident);
  return true;
}

async function findRunAgain(
  at: ActionRun,
  run: Run,
  { live, isOlder }: { live: LiveCard; isOlder: () => Promise<boolean> },
): Promise<boolean> {
  const { deps, action, watched } = at;
  const target = targetOfRun(action.spec.targets, run);
  const server = target && sameServer(deps, target);
  reached("CP19");
  // A process that this older store has not seen may have sent it (RR-24).
  if (run.startedAt === null && (await isOlder()))
    await finishRun(at, run, { ending: endUnknown("store-put-back", {}), durationMs: null });
  else if (run.startedAt === null) await recordNotStarted(at, run, "the bot stopped before it was sent there");
  else if (!target?.jobId || !server)
    await finishRun(at, run, { ending: endUnknown("bot-stopped", { check: settledBy(target) }), durationMs: null });
  else {
    const order = orderFor(action, server, run, { sent: run, ...(await approvalRecords(deps, action)) });
    const reservation = await deps.reserve(order, watched.signalOn(placeOfRun(run)));
    const followed = live.follow(run, server);
    reached("CP09");
    const sent = reservation.send(Date.now(), { runId: run.id, onOutput: followed.push });
    if (sent !== "stale")
      return !stopsRest(action.spec.risk, await followRun(at, run, { server, followed, sent, again: true }));
    await followed.stop();
  }
  return false;
}

/** The server if address and keys are unchanged: only then its runs can be followed. */
function sameServer(deps: Deps, target: Target): Server | undefined {
  const server = deps.config.servers.get(target.server);
  const keys = server && pinsOf(server);
  const same =
    keys?.ok === true &&
    server?.host === target.host &&
    server.port === target.port &&
    server.user === target.user &&
    isDeepStrictEqual(keys.fingerprints, target.hostKeys);
  return same ? server : undefined;
}

/** Retries until every approved action has expired (RR-11). */
async function withoutRepoContext(at: BatchRun, incident: Incident): Promise<void> {
  const { deps, job, batch } = at;
  const isOver = ({ expiresAt }: Action): boolean => expiresAt <= deps.now();
  const { actions, batches } = await openPartsOf(deps.store.db, incident.id, "actions", "batches");
  const open = actions.filter(({ number, state }) => state === "approved" && hasNumber(batches, batch, number));
  const decision = endDispatch("unanswered", "GitHub cannot be asked whether the approval holds");
  for (const action of open.filter(isOver)) await standDown(at, action, decision);
  if (open.every(isOver)) return endOf(at);
  await deps.store.transaction(async (tx) => {
    for (const { id } of open) await leaveLine(tx, id);
    await job.settle(tx);
    await enqueueBatch(tx, deps, incident, batch, { afterMs: waitMs });
  });
}

async function comeBack(
  at: BatchRun,
  reason: string,
  { leaves, soon = false }: { readonly leaves?: Action | undefined; readonly soon?: boolean | undefined } = {},
): Promise<void> {
  const { deps, job, batch } = at;
  // Waits as long as the batch is old, up to `waitMs`: each wait is about twice the last.
  const afterMs = soon ? Math.min(Math.max(Date.now() - batch.createdAt.getTime(), leastMs), waitMs) : waitMs;
  await deps.store.transaction(async (tx) => {
    const incident = await lockIncident(tx, batch.incidentId);
    if (leaves) await leaveLine(tx, leaves.id);
    await setBatch(tx, batch.id, { waitsFor: reason });
    await show(tx, deps, incident);
    await job.settle(tx);
    await enqueueBatch(tx, deps, incident, batch, { afterMs });
  });
}

/**
 * Adds the check of a change's condition once more, right before the change and under its approval; the batch then begins again. Returns
 * why it cannot, and then the batch goes on here.
 */
async function checkFirst(at: BatchRun, repoContext: RepoContext, change: Action): Promise<string | undefined> {
  const { deps, job, batch } = at;
  return deps.store.transaction(async (tx) => {
    await job.fence(tx);
    const incident = await lockIncident(tx, batch.incidentId);
    const { guard, place } = change.spec;
    const rows = await openPartsOf(tx, incident.id, "approvals", "batches");
    if (guard && hasNumber(rows.batches, batch, change.number)) {
      const title = `Check ${guard.check} once more, for ${change.number}`;
      const server = guard.on?.join(", ") ?? place;
      const drafted = draftGuardCheck(deps, repoContext, { server, command: guard.command, title });
      if (drafted.kind === "refused") return `its check cannot run: ${drafted.why}`;
      const { draft } = drafted;
      const spec = { ...draft.spec, guards: change.number };
      const cause = { insteadOf: guard.check };
      const check = await addProposal(tx, incident, { ...draft, card: change.card, spec }, cause);
      await moveAction(tx, check, { from: "proposed", to: "approved" });
      const approvals = approvalsOfAction(rows.approvals, change);
      for (const [index, approval] of approvals.entries()) {
        const { via, personId: id, login, role, reason } = approval;
        const comment = { id: approval.commentId, nodeId: approval.commentNodeId, sha256: approval.commentSha256 };
        await addApproval(tx, check, { verdict: "approve", via, person: { id, login }, role, comment, reason });
        await appendAudit(tx, {
          kind: "command_approved",
          incidentId: incident.id,
          body: {
            ...{ number: check.number, digest: check.digest, by: { id, login, role }, comment, reason },
            ...{ have: index + 1, need: approvals.length },
          },
        });
      }
      await putBefore(tx, batch.id, { number: check.number, before: change.number });
    }
    await leaveLine(tx, change.id);
    await show(tx, deps, incident);
    await job.settle(tx);
    await enqueueBatch(tx, deps, incident, batch);
    return undefined;
  });
}

const notRun = (number: number): string => `${number}, which stands before it, did not run`;

/** Ends the batch: the rest reopens without approvals, the agent reads. */
async function endOf(at: BatchRun, missing?: number): Promise<void> {
  const { deps, job, batch } = at;
  await deps.store.transaction(async (tx) => {
    const incident = await lockIncident(tx, batch.incidentId);
    const rows = await openPartsOf(tx, incident.id, ...endParts, "batches", "holds", "lease");
    const rest = rows.actions.filter(
      ({ number, state }) => state === "approved" && hasNumber(rows.batches, batch, number),
    );
    const why = missing === undefined ? "the batch stopped at a failure before it" : notRun(missing);
    const reopened = await reopen(tx, rest, why);
    if (reopened.length > 0) {
      const stop = missing === undefined ? "Stopped at the first failure" : `Stopped: ${notRun(missing)}`;
      await addNote(tx, batch.id, `${stop} (\`--keep-going\` goes on).`);
    }
    await endBatch(tx, batch.id);
    deps.store.queue.announce(tx, batch.id);
    const ran = rows.runs.filter(({ batchId }) => batchId === batch.id);
    // Nothing settles an ended batch's runs; the next attempt settles these.
    if (ran.some(({ endedAt }) => endedAt === null)) throw new Error(`batch ${batch.id} has runs that have not ended`);
    // All actions have run to a known end, good or not.
    const content =
      new Set(ran.map(({ actionId }) => actionId)).size === batch.numbers.length &&
      ran.every(({ ending }) => ending !== null && ending.kind !== "unknown" && ending.kind !== "unreachable")
        ? "rocket"
        : "confused";
    if (batch.commentId !== null) await wantReaction(tx, threadOf(incident), { commentId: batch.commentId, content });
    if (rows.lease) await endLeaseIfOver(tx, deps, at.repoContext, incident);
    // A hold stops the agent too; /resume gives it this turn.
    const next =
      incident.state === "open" && !rows.holds.some(isStanding) ? await enqueueReading(tx, deps, rows, batch) : "none";
    await tellEnd(tx, deps, rows, { batch, reading: next !== "none" });
    await show(tx, deps, incident, next === "turn" ? "reading the results" : "");
    await job.settle(tx);
  });
  reached("CP20");
}

/**
 * Gives up a batch after its last attempt (RR-17): sent runs end as unknown, other actions reopen without approvals, and the issue says so.
 * Throws if the job is lost, because another process may run it.
 */
export async function giveUpBatch(deps: Deps, job: Job, reason: string): Promise<void> {
  const batch = await batchOf(deps.store.db, jobSchema.parse(job.data).batchId);
  if (batch.endedAt !== null) return;
  const incident = await incidentOf(deps.store.db, batch.incidentId);
  const actions = await actionsOf(deps.store.db, incident.id);
  for (const run of await runsOfBatch(deps.store.db, batch.id)) {
    const action = actions.find(({ id }) => id === run.actionId);
    if (!action || run.ending !== null) continue;
    const ending =
      run.startedAt === null
        ? ({ kind: "unreachable", reason: "Not started: the bot failed before it was sent there." } as const)
        : endUnknown("bot-failed", {});
    await finishRun({ deps, batch, action, fence: job.fence }, run, { ending, durationMs: null });
  }
  await deps.store.transaction(async (tx) => {
    await job.fence(tx);
    const locked = await lockIncident(tx, incident.id);
    const now = await partsOf(tx, incident.id, "actions", "batches", "runs", "session", "holds");
    const rest = now.actions.filter(
      ({ number, state }) => state === "approved" && hasNumber(now.batches, batch, number),
    );
    await reopen(tx, rest, "the bot failed to carry it out");
    await endBatch(
      tx,
      batch.id,
      `I failed to carry this out and have given up: ${reason}. The operator's log has the details.`,
    );
    deps.store.queue.announce(tx, batch.id);
    if (batch.commentId !== null)
      await wantReaction(tx, threadOf(locked), { commentId: batch.commentId, content: "confused" });
    await endLeaseAloud(tx, deps, rulesAlone(deps, locked.repo), locked, "a step of it could not be carried out");
    // People are told of this one; what ended before it, and a first turn that left its place to it, still want the agent.
    await markRead(tx, [batch.id], deps.now());
    const others = now.batches.map((one) => (one.id === batch.id ? { ...one, readAt: deps.now() } : one));
    if (locked.state === "open" && !now.holds.some(isStanding))
      await enqueueReading(tx, deps, { ...now, batches: others }, batch);
    await tellEnd(tx, deps, await partsOf(tx, locked.id, ...endParts), { batch, reading: false });
    await show(tx, deps, locked);
  });
}
