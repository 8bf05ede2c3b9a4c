import { serversIn } from "../../base/action.ts";
import { isOlderThan } from "../../base/clock.ts";
import { addressedIn, wentWell } from "../../base/run.ts";
import { type Action, addApproval, approvalsOfAction, moveAction } from "../../store/actions.ts";
import { appendAudit } from "../../store/audit/chain.ts";
import type { Tx } from "../../store/database/open.ts";
import { partsOf } from "../../store/incident-rows.ts";
import type { Incident } from "../../store/incidents.ts";
import { outputOf, outputParts } from "../../store/outputs.ts";
import { type Batch, hasNumber, putBefore, type Run } from "../../store/runs.ts";
import { ourMark, redactionMark } from "../../text/marks.ts";
import { createPatternSearch } from "../../text/pattern.ts";
import type { Deps, RepoContext } from "../context.ts";
import { draftGuardCheck } from "../proposal/draft.ts";
import { addProposal } from "../proposal/propose.ts";

/** How old a check may be when its change is sent. */
const freshMs = 60_000;
/** A change that keeps waiting has its check repeated, but not for ever. */
const mostRepeats = 5;

export type GuardStanding =
  | { readonly kind: "holds" }
  /** No check of this batch is recent enough. */
  | { readonly kind: "due" }
  | { readonly kind: "broken"; readonly why: string };

const holds: GuardStanding = { kind: "holds" };
const broken = (why: string): GuardStanding => ({ kind: "broken", why });

/** The changes whose approval is this read's too: it checks them, or is what their guard compares, with the rest of its set. */
export const carriersOf = (read: Action, actions: readonly Action[]): readonly Action[] =>
  read.spec.risk === "low" ? actions.filter((one) => one.number === read.spec.checks || isGuardedBy(one, read)) : [];

/** The servers that must show it. */
const shownOn = ({ guard, targets }: Action["spec"]): readonly string[] => guard?.on ?? serversIn(targets);

function isGuardedBy({ number, spec: change }: Action, { number: check, spec }: Action): boolean {
  const { guard } = change;
  if (!guard || !sameServers(serversIn(spec.targets), shownOn(change))) return false;
  if (spec.guards === number) return spec.set === undefined && spec.command === guard.command;
  if (check !== guard.check) return false;
  if (!guard.set) return spec.set === undefined && spec.command === guard.command;
  return spec.command === guard.set.command && spec.set?.[guard.set.member - 1]?.command === guard.command;
}

const sameServers = (one: readonly string[], other: readonly string[]): boolean =>
  one.toSorted().join("\n") === other.toSorted().join("\n");

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
 * Whether a change's condition holds: every server that must show it did, in a check that this batch ran, so after the approval, and not
 * long ago. What is unknown, failed, withheld or cut away does not show it.
 */
export async function guardStandingOf(
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

/** Adds the check once more, right before its change and under that approval. Returns why it cannot. */
export async function repeatCheck(
  tx: Tx,
  deps: Deps,
  repoContext: RepoContext,
  { incident, change, batch }: { readonly incident: Incident; readonly change: Action; readonly batch: Batch },
): Promise<string | undefined> {
  const { guard, place } = change.spec;
  const rows = await partsOf(tx, incident.id, "approvals", "batches");
  if (!guard || !hasNumber(rows.batches, batch, change.number)) return undefined;
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
  return undefined;
}
