import { digestOf } from "../../src/store/actions.ts";
import type { History } from "./history.ts";

type Sent = History["audit"][number] & { readonly of: string };

/** What was sent to the servers: once, with enough people behind it, between its intent and its outcome, and while nothing stopped it. */
export const judgeSent = (history: History): readonly string[] => [
  ...faultsOfStarts(history),
  ...faultsOfOrder(history),
  ...sentIn(history).flatMap((sent) => [...faultsOfApproval(history, sent), ...faultsOfStop(history, sent)]),
  ...faultsOfIntent(history),
];

const sentIn = ({ audit }: History): readonly Sent[] =>
  audit
    .filter(({ kind }) => kind === "command_dispatched")
    .map((row) => ({ ...row, of: `${row.body.number} of ${row.incidentId}` }));

/** I1: each server began a command once for each run of it, as the server itself counts. */
function faultsOfStarts(history: History): readonly string[] {
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
        : [`I1: ${word} ran ${ran} times; the store knows of ${sure} and perhaps ${perhaps}`],
    ),
    ...twice.map((what) => `I1: ${what} was sent twice`),
  ];
}

/** What one comment approved begins in the order of its list. */
function faultsOfOrder({ batches, actions, runs, begun, wordOf }: History): readonly string[] {
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
        ? [`PRODUCT: ${number} of ${numbers.join(", ")} ran out of order`]
        : [],
    );
  });
}

/** I2: what was sent was approved before by enough people who may, on this very digest and since the last stop; or it is low and a lease was on. */
function faultsOfApproval(history: History, { seq, at, of, body, incidentId }: Sent): readonly string[] {
  const { audit, approvals, approvers, remarks, isClockSet } = history;
  const wrong = (what: string) => [`I2: ${of} was sent at ${at} ${what}`];
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

/** SR-19, SR-68: nothing is sent on an incident, in the whole repository or anywhere, between a stop and what lifts it. */
function faultsOfStop(history: History, { seq, of, incidentId }: Sent): readonly string[] {
  const { audit, halts } = history;
  const own = audit.findLast(
    (row) => row.seq < seq && row.incidentId === incidentId && /^incident_(held|resumed)$/.test(row.kind),
  );
  const all = lastOfRepository(history, { seq, incidentId }, "repository_held", "repository_resumed");
  return [
    ...(own?.kind === "incident_held" ? [`SR-19: row ${seq} sends ${of} while it is held`] : []),
    ...(all?.kind === "repository_held" ? [`SR-19: row ${seq} sends ${of} while its repository is held`] : []),
    ...(halts.some(({ from, to }) => from < seq && seq <= to) ? [`SR-68: row ${seq} sends ${of} while halted`] : []),
  ];
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

/** I3: what was sent was recorded before, and how it ended once, after. */
function faultsOfIntent(history: History): readonly string[] {
  const { audit, runs } = history;
  const ended = audit.filter(({ kind }) => kind === "command_executed" || kind === "command_unknown");
  const intended = new Map(
    sentIn(history).flatMap(({ seq, body }) =>
      Object.values(body.runs as Readonly<Record<string, string>>).map((run) => [run, seq] as const),
    ),
  );
  return [
    ...runs.filter(({ id }) => !intended.has(id)).map(({ id }) => `I3: run ${id} has no intent`),
    ...ended
      .filter(({ body }) => !intended.has(String(body.run)))
      .map(({ body }) => `I3: ${body.run} ended unintended`),
    ...[...intended].flatMap(([run, seq]) => {
      const ends = ended.filter(({ body }) => body.run === run);
      return ends.length > 1 || ends.some((end) => end.seq < seq)
        ? [`I3: run ${run} has ${ends.length} ends for its intent at ${seq}`]
        : [];
    }),
  ];
}

/** I3, once everything is still: what was begun has ended, and the audit says how. */
export function judgeOutcomes({ audit, runs }: History): readonly string[] {
  const ended = new Set(
    audit.flatMap(({ kind, body }) => (/^command_(executed|unknown)$/.test(kind) ? [body.run] : [])),
  );
  return runs.flatMap(({ id, startedAt, endedAt }) => [
    ...(startedAt !== null && endedAt === null ? [`I3: run ${id} has no outcome`] : []),
    ...(ended.has(id) ? [] : [`I3: run ${id} has no outcome in the audit`]),
  ]);
}

/** What stands more than once in a list. */
export const repeated = (words: readonly string[]): readonly string[] =>
  [...Map.groupBy(words, (word) => word)].flatMap(([word, same]) => (same.length > 1 ? [word] : []));
