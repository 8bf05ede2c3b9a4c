import type { AuditRow } from "../../src/store/audit/rows.ts";
import type { History } from "./history.ts";
import { judgeOutcomes, judgeSent, repeated } from "./judge-sent.ts";
import { isLeftOut, judgeTold } from "./judge-told.ts";

/**
 * What is wrong with a life of the bot that has come to rest, by the invariants of docs/requirements.md; nothing is right. However the
 * life was scheduled, its history is held against all of them.
 */
export const judge = (history: History): readonly string[] => [
  ...judgeUnfinished(history),
  ...judgeOutcomes(history),
  ...faultsOfRest(history),
  ...faultsOfParked(history),
  ...judgeTold(history),
];

/** What holds at any moment of a life, however much is still under way. */
export const judgeUnfinished = (history: History): readonly string[] => [
  ...judgeSent(history),
  ...faultsOfSecrets(history),
  ...faultsOfIntake(history),
  ...(history.chain.ok ? [] : [`I7: row ${history.chain.seq} of the audit ${history.chain.reason}`]),
  ...history.invalid.map((fault) => `a request that GitHub would refuse: ${fault}`),
];

/** I4: no secret stands in what the bot wrote, kept, logged or sent. */
const faultsOfSecrets = ({ sinks, secrets }: History): readonly string[] =>
  sinks.flatMap(({ name, text }) =>
    secrets.filter(({ needle }) => text.includes(needle)).map((secret) => `I4: ${name} holds ${secret.name}`),
  );

/** I5: a delivery that was accepted is known, and has one effect. */
function faultsOfIntake({
  accepted,
  sent,
  deliveries,
  approvals,
  batches,
  actions,
  audit,
}: History): readonly string[] {
  const known = new Set(deliveries.map(({ guid }) => guid));
  const keys = new Set(deliveries.map(({ semanticKey }) => semanticKey));
  const absent = accepted.filter(({ guid }) => !known.has(guid));
  // A comment that was read before its webhook came stands under a name of its own; its webhook is known by it then (RR-02).
  const lost = absent.filter(({ comment }) => comment !== undefined && !keys.has(`issue_comment:created:${comment}`));
  const nameless = absent.filter(({ comment }) => comment === undefined);
  const read = deliveries.filter(({ guid }) => !sent.has(guid)).length;
  const proposals = audit
    .filter(({ kind }) => /^command_(proposed|blocked)$/.test(kind))
    .flatMap((row) => {
      const spec = actions.find((one) => one.incidentId === row.incidentId && one.number === row.body.number)?.spec;
      return spec ? whatProposed(row, spec) : [];
    });
  return [
    ...lost.map(({ guid }) => `I5: ${guid} was accepted and is not known`),
    ...(nameless.length <= read
      ? []
      : [`I5: ${nameless.length} deliveries were accepted and are not known; ${read} comments were read`]),
    ...repeated(approvals.map((one) => `${one.commentId} for ${one.actionId}`)).map((it) => `I5: ${it} counted twice`),
    ...repeated(batches.flatMap(({ commentId }) => (commentId === null ? [] : `${commentId}`))).map(
      (id) => `I5: ${id} began two batches`,
    ),
    ...repeated(proposals).map((what) => `I5: ${what} was proposed twice`),
  ];
}

/** A comment can propose several commands, each once. */
function whatProposed({ body }: AuditRow, { place, command, again, checks }: History["actions"][number]["spec"]) {
  if (body.commentId === undefined || body.commentId === null) return [];
  return `${command} on ${place} by comment ${body.commentId}${again ?? ""}${checks ?? ""}`;
}

/** I8: nothing still moves, or never will though it should. */
export function faultsOfRest(
  kept: Pick<History, "actions" | "runs" | "batches" | "comments" | "reactions" | "deliveries">,
) {
  const { actions, runs, batches, comments, reactions, deliveries } = kept;
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
      .map(({ guid, state, outcome }) => `delivery ${guid} is ${state}: ${outcome}`),
  ].map((fault) => `I8: ${fault}`);
}

/** RR-07: nothing was given up, but for reactions that may be left out, and for what was said to a comment or on an issue that is gone. */
function faultsOfParked({ remarks, reactions, comments, issues, batches }: History): readonly string[] {
  const gone = new Set(remarks.flatMap(({ id, changed }) => (changed === "deleted" ? [id] : [])));
  const parked = <T extends { readonly parked: string | null; readonly repo: string; readonly issue: number }>(
    rows: readonly T[],
  ) =>
    rows.filter(
      (row) =>
        row.parked !== null &&
        !issues.some(({ repo, number, isGone }) => isGone && repo === row.repo && number === row.issue),
    );
  return [
    ...parked(reactions)
      .filter((row) => !gone.has(row.commentId) && !isLeftOut(row, batches))
      .map(({ commentId, parked: why }) => `RR-07: a reaction on ${commentId} was given up: ${why}`),
    ...parked(comments).map(({ issue, slot, parked: why }) => `RR-07: ${slot} of ${issue} was given up: ${why}`),
  ];
}
