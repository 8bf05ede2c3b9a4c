import { digestOf } from "../../src/store/actions.ts";
import type { AuditRow } from "../../src/store/audit/chain.ts";
import type { History } from "./history.ts";
import { isLeftOut, issueInvariants } from "./judge-issues.ts";

/** What holds of each life of the bot, however it was scheduled (docs/requirements.md). */
export interface Invariant {
  readonly id: string;
  readonly says: string;
  /** At any moment of a life; once what was begun has ended; once nothing moves any more. */
  readonly holds: "always" | "once ended" | "at rest";
  /** What is wrong by it; nothing is right. */
  readonly check: (history: History) => readonly string[];
}

const always = (id: string, says: string, check: Invariant["check"]): Invariant => ({
  id,
  says,
  holds: "always",
  check,
});
const onceEnded = (id: string, says: string, check: Invariant["check"]): Invariant => ({
  ...always(id, says, check),
  holds: "once ended",
});
const atRest = (id: string, says: string, check: Invariant["check"]): Invariant => ({
  ...always(id, says, check),
  holds: "at rest",
});

export const invariants: readonly Invariant[] = [
  always("I1", "a server begins a command once for each run of it, as the server itself counts", checkStarts),
  always("DC-4", "what one comment approves begins in the order of its list", checkOrder),
  always(
    "I2",
    "what is sent was approved before by enough people who may, on this digest and since the last stop; or it is low and a lease is on",
    (history) => sentIn(history).flatMap((sent) => checkApproval(history, sent)),
  ),
  always("SR-19", "nothing is sent on an incident, or in its repository, between a hold and what lifts it", checkHolds),
  always("SR-68", "nothing is sent while the operator has all stopped", checkHalts),
  always("I3", "what is sent was recorded before, and how it ended once, after", checkIntents),
  always("I4", "no secret stands in what the bot wrote, kept, logged or sent", ({ sinks, secrets }) =>
    sinks.flatMap(({ name, text }) =>
      secrets.filter(({ needle }) => text.includes(needle)).map((secret) => `${name} holds ${secret.name}`),
    ),
  ),
  always("I5", "a delivery that was accepted is known, and has one effect", checkIntake),
  always("I7", "the audit verifies", ({ chain }) =>
    chain.ok ? [] : [`row ${chain.seq} of the audit ${chain.reason}`],
  ),
  always("PRODUCT", "GitHub would refuse none of its requests", ({ invalid }) =>
    invalid.map((fault) => `a request that GitHub would refuse: ${fault}`),
  ),
  onceEnded("I3", "what was begun has ended, and the audit says how", checkOutcomes),
  ...issueInvariants.map(({ id, says, check }) => onceEnded(id, says, check)),
  atRest("I8", "nothing still moves, or never will though it should", checkRest),
  atRest(
    "RR-07",
    "nothing is given up but reactions that may be left out, and what was said to a comment or on an issue that is gone",
    checkParked,
  ),
];

const moments = ["always", "once ended", "at rest"] as const;

/** What is wrong with a life of the bot that has come so far; nothing is right. */
export const judge = (history: History, moment: Invariant["holds"] = "at rest"): readonly string[] =>
  invariants
    .filter(({ holds }) => moments.indexOf(holds) <= moments.indexOf(moment))
    .flatMap(({ id, check }) => check(history).map((fault) => `${id}: ${fault}`));

type Sent = History["audit"][number] & { readonly of: string };

const sentIn = ({ audit }: History): readonly Sent[] =>
  audit
    .filter(({ kind }) => kind === "command_dispatched")
    .map((row) => ({ ...row, of: `${row.body.number} of ${row.incidentId}` }));

function checkStarts(history: History): readonly string[] {
  const { runs, begun, wordOf } = history;
  const specs = new Map(history.actions.map(({ id, spec }) => [id, spec]));
  const counts = new Map<string, { sure: number; perhaps: number; ran: number }>();
  const countOf = (word: string) => {
    const count = counts.get(word) ?? { sure: 0, perhaps: 0, ran: 0 };
    counts.set(word, count);
    return count;
  };
  for (const run of runs) {
    const spec = specs.get(run.actionId);
    const count = countOf(spec ? wordOf(run, spec) : run.id);
    // Cancelled may be before it began; of unknown that is what the word says; and it may still go on.
    if (run.ending === null || run.ending.kind === "cancelled" || run.ending.kind === "unknown") count.perhaps++;
    else if (run.ending.kind !== "unreachable") count.sure++;
  }
  for (const word of begun) countOf(word).ran++;
  const twice = [
    ...repeated(runs.map(({ actionId, server }) => `${actionId} on ${server}`)),
    ...repeated(sentIn(history).map(({ body }) => `digest ${body.digest}`)),
  ];
  return [
    ...[...counts].flatMap(([word, { sure, perhaps, ran }]) =>
      ran >= sure && ran <= sure + perhaps
        ? []
        : [`${word} ran ${ran} times; the store knows of ${sure} and perhaps ${perhaps}`],
    ),
    ...twice.map((what) => `${what} was sent twice`),
  ];
}

function checkOrder({ batches, actions, runs, begun, wordOf }: History): readonly string[] {
  const words = runs.map((run) => {
    const action = actions.find(({ id }) => id === run.actionId);
    return { run, number: action?.number ?? 0, word: action ? wordOf(run, action.spec) : run.id };
  });
  const shared = new Set(repeated(words.map(({ word }) => word)));
  return batches.flatMap(({ id, numbers }) => {
    const places = numbers.map((number) =>
      words
        .filter(({ run, word, ...of }) => run.batchId === id && of.number === number && !shared.has(word))
        .map(({ word }) => begun.indexOf(word))
        .filter((place) => place >= 0),
    );
    return numbers.flatMap((number, at) =>
      Math.min(...(places[at] ?? [])) < Math.max(...places.slice(0, at).flat())
        ? [`${number} of ${numbers.join(", ")} ran out of order`]
        : [],
    );
  });
}

function checkApproval(history: History, { seq, at, of, body, incidentId }: Sent): readonly string[] {
  const { audit, approvals, approvers, remarks, isClockSet } = history;
  const wrong = (what: string) => [`${of} was sent at ${at} ${what}`];
  const action = history.actions.find((one) => one.incidentId === incidentId && one.number === body.number);
  if (!action || action.digest !== body.digest || digestOf(action.spec) !== body.digest)
    return wrong("under a digest that is not its own");
  if (!isClockSet && new Date(at) > action.expiresAt) return wrong("after its time");
  const { risk } = action.spec;
  const before = audit.filter((row) => row.seq < seq && row.incidentId === incidentId);
  const liftedAt = Math.max(
    before.findLast(({ kind }) => kind === "incident_resumed")?.seq ?? 0,
    lastOfRepository(history, { seq, incidentId }, "repository_resumed")?.seq ?? 0,
    ...history.halts.filter(({ to }) => to < seq).map(({ to }) => to),
  );
  const said = before.filter(
    (row) => row.kind === "command_approved" && row.body.number === body.number && row.seq > liftedAt,
  );
  const counted = approvals.filter(
    (one) =>
      one.actionId === action.id &&
      one.verdict === "approve" &&
      one.digest === action.digest &&
      said.some((row) => (row.body.by as { readonly id: number }).id === one.personId) &&
      (isClockSet || one.withdrawnAt === null || one.withdrawnAt > new Date(at)),
  );
  if (before.some(({ kind, body: { number } }) => kind === "command_rejected" && number === body.number))
    return wrong("after it was rejected (SR-18)");
  if (counted.some(({ via }) => via === "lease")) return risk === "low" ? [] : wrong("by a lease and is not low");
  const strange = counted.find(({ login }) => approvers && !approvers.includes(login));
  if (strange) return wrong(`under the word of ${strange.login}`);
  const people = new Set(
    counted.filter(({ personId }) => risk === "low" || personId !== action.authorId).map(({ personId }) => personId),
  );
  if (people.size < history.approvalsNeeded[risk]) return wrong(`with ${people.size} approvals at ${risk}`);
  const changed = counted.find(({ commentId }) =>
    remarks.some(
      // An approver's own low command is an approval itself.
      ({ id, by, body: text }) =>
        id === commentId &&
        ((approvers && !approvers.includes(by)) ||
          !(/approve/i.test(text) || (risk === "low" && /^\/(run|retry|probe)\b/.test(text)))),
    ),
  );
  return changed ? wrong(`under comment ${changed.commentId}, which did not approve`) : [];
}

function checkHolds(history: History): readonly string[] {
  return sentIn(history).flatMap(({ seq, of, incidentId }) => {
    const own = history.audit.findLast(
      (row) => row.seq < seq && row.incidentId === incidentId && /^incident_(held|resumed)$/.test(row.kind),
    );
    const all = lastOfRepository(history, { seq, incidentId }, "repository_held", "repository_resumed");
    return [
      ...(own?.kind === "incident_held" ? [`row ${seq} sends ${of} while it is held`] : []),
      ...(all?.kind === "repository_held" ? [`row ${seq} sends ${of} while its repository is held`] : []),
    ];
  });
}

function checkHalts(history: History): readonly string[] {
  return sentIn(history).flatMap(({ seq, of }) =>
    history.halts.some(({ from, to }) => from < seq && seq <= to) ? [`row ${seq} sends ${of} while halted`] : [],
  );
}

/** The last row of one of these kinds before another, on any incident of its repository. */
function lastOfRepository(
  { audit, incidents }: History,
  { seq, incidentId }: Pick<Sent, "seq" | "incidentId">,
  ...kinds: readonly string[]
) {
  const repos = new Map<string | null, string>(incidents.map(({ id, repo }) => [id, repo]));
  return audit.findLast(
    (row) => row.seq < seq && kinds.includes(row.kind) && repos.get(row.incidentId) === repos.get(incidentId),
  );
}

const isEnd = ({ kind }: AuditRow): boolean => kind === "command_executed" || kind === "command_unknown";

function checkIntents(history: History): readonly string[] {
  const { audit, runs } = history;
  const ended = audit.filter(isEnd);
  const intended = new Map(
    sentIn(history).flatMap(({ seq, body }) =>
      Object.values(body.runs as Readonly<Record<string, string>>).map((run) => [run, seq] as const),
    ),
  );
  return [
    ...runs.filter(({ id }) => !intended.has(id)).map(({ id }) => `run ${id} has no intent`),
    ...ended.filter(({ body }) => !intended.has(String(body.run))).map(({ body }) => `${body.run} ended unintended`),
    ...[...intended].flatMap(([run, seq]) => {
      const ends = ended.filter(({ body }) => body.run === run);
      return ends.length > 1 || ends.some((end) => end.seq < seq)
        ? [`run ${run} has ${ends.length} ends for its intent at ${seq}`]
        : [];
    }),
  ];
}

function checkOutcomes({ audit, runs }: History): readonly string[] {
  const ended = new Set(audit.filter(isEnd).map(({ body }) => body.run));
  return runs.flatMap(({ id, startedAt, endedAt }) => [
    ...(startedAt !== null && endedAt === null ? [`run ${id} has no outcome`] : []),
    ...(ended.has(id) ? [] : [`run ${id} has no outcome in the audit`]),
  ]);
}

function checkIntake(history: History): readonly string[] {
  const { accepted, sent, deliveries, approvals, batches, actions, audit } = history;
  const known = new Set(deliveries.map(({ guid }) => guid));
  const keys = new Set(deliveries.map(({ semanticKey }) => semanticKey));
  const absent = accepted.filter(({ guid }) => !known.has(guid));
  // A comment that was read before its webhook came stands under a name of its own; its webhook is known by it then (RR-02).
  const lost = absent.filter(
    ({ comment, action = "created" }) => comment !== undefined && !keys.has(`issue_comment:${action}:${comment}`),
  );
  const nameless = absent.filter(({ comment }) => comment === undefined);
  const read = deliveries.filter(({ guid }) => !sent.has(guid)).length;
  const proposals = audit
    .filter(({ kind }) => /^command_(proposed|blocked)$/.test(kind))
    .flatMap(({ incidentId, body }) => {
      const spec = actions.find((one) => one.incidentId === incidentId && one.number === body.number)?.spec;
      if (!spec || body.commentId === undefined || body.commentId === null) return [];
      // A comment can propose several commands, each once.
      return `${spec.command} on ${spec.place} by comment ${body.commentId}${spec.again ?? ""}${spec.checks ?? ""}`;
    });
  return [
    ...lost.map(({ guid }) => `${guid} was accepted and is not known`),
    ...(nameless.length <= read
      ? []
      : [`${nameless.length} deliveries were accepted and are not known; ${read} comments were read`]),
    ...repeated(approvals.map((one) => `${one.commentId} for ${one.actionId}`)).map((it) => `${it} counted twice`),
    ...repeated(batches.flatMap(({ commentId }) => (commentId === null ? [] : `${commentId}`))).map(
      (id) => `${id} began two batches`,
    ),
    ...repeated(proposals).map((what) => `${what} was proposed twice`),
  ];
}

/** What still moves, or never will though it should. */
export function checkRest({
  actions,
  runs,
  batches,
  comments,
  reactions,
  deliveries,
}: Pick<History, "actions" | "runs" | "batches" | "comments" | "reactions" | "deliveries">): readonly string[] {
  return [
    ...actions
      .filter(({ state }) => ["approved", "dispatching", "running"].includes(state))
      .map(({ number, state }) => `action ${number} is ${state}`),
    ...runs.filter(({ endedAt }) => endedAt === null).map(({ id }) => `run ${id} has not ended`),
    ...batches
      .filter(({ endedAt }) => endedAt === null)
      .map(({ numbers }) => `the batch of ${numbers.join(", ")} has not ended`),
    ...comments
      .filter(({ version, postedVersion, parked, mayWait }) => version > postedVersion && parked === null && !mayWait)
      .map(({ issue, slot }) => `${slot} of ${issue} is not posted`),
    ...reactions
      .filter(({ posted, parked }) => !posted && parked === null)
      .map(({ commentId }) => `a reaction on ${commentId} is not posted`),
    ...deliveries
      .filter(({ state }) => state !== "done")
      .map(
        ({ guid, event, action, state, outcome }) => `delivery ${guid}, ${event} ${action}, is ${state}: ${outcome}`,
      ),
  ];
}

function checkParked({ remarks, reactions, comments, issues, batches }: History): readonly string[] {
  const gone = new Set(remarks.flatMap(({ id, changed }) => (changed === "deleted" ? [id] : [])));
  const isGivenUp = (row: { readonly parked: string | null; readonly repo: string; readonly issue: number }) =>
    row.parked !== null &&
    !issues.some(({ repo, number, isGone }) => isGone && repo === row.repo && number === row.issue);
  return [
    ...reactions
      .filter((row) => isGivenUp(row) && !gone.has(row.commentId) && !isLeftOut(row, batches))
      .map(({ commentId, parked }) => `a reaction on ${commentId} was given up: ${parked}`),
    ...comments.filter(isGivenUp).map(({ issue, slot, parked }) => `${slot} of ${issue} was given up: ${parked}`),
  ];
}

/** What stands more than once in a list. */
const repeated = (words: readonly string[]): readonly string[] =>
  [...Map.groupBy(words, (word) => word)].flatMap(([word, same]) => (same.length > 1 ? [word] : []));
