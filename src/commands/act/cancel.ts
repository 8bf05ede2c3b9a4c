import { placeOfRun, serversIn } from "../../base/action.ts";
import { reopen } from "../../features/incident/withdraw.ts";
import { approvalComment, approvalReason } from "../../features/run/approval-comment.ts";
import { answer } from "../../features/thread/answer.ts";
import { linksOf } from "../../features/thread/links.ts";
import { show } from "../../features/thread/show.ts";
import { name } from "../../github/render/ink.ts";
import { type Action, actionsOf } from "../../store/actions.ts";
import { appendAudit } from "../../store/audit/chain.ts";
import type { Tx } from "../../store/database/open.ts";
import { partsOf } from "../../store/incident-rows.ts";
import type { Incident } from "../../store/incidents.ts";
import { markRuns, type Run, runsOfAction } from "../../store/runs.ts";
import { leaveLine } from "../../store/server-line.ts";
import { writeLink } from "../../text/links.ts";
import { unknownNumber } from "../answer/refusals.ts";
import type { Call, Handler } from "../command.ts";
import { isUnderWay, notUnderWay, runningOnes } from "./under-way.ts";

interface CancelOutcome {
  readonly said: string;
  readonly ends?: { readonly actionId: string; readonly servers: readonly (string | undefined)[] };
  readonly did: boolean;
  readonly isUnknown?: boolean;
}

/**
 * Ends a running command: TERM, grace, KILL, and a look at what is left (F-29, F-30); undoes an unsent approval. The request is in the
 * runs' rows, so it reaches every process that follows the command.
 */
export const cancel: Handler = async (call) => {
  const outcomes = await call.commit((tx, incident) => cancelEach(tx, call, incident));
  // Other processes read the rows in time.
  for (const { ends } of outcomes)
    for (const server of ends?.servers ?? []) call.deps.running.cancel(ends?.actionId ?? "", call.caller.login, server);
};

async function cancelEach(tx: Tx, call: Call, incident: Incident): Promise<readonly CancelOutcome[]> {
  const { deps, slash } = call;
  const actions = await actionsOf(tx, incident.id);
  const numbers = slash.ids === "all" ? [] : [...new Set(slash.ids.map(({ number }) => number))];
  if (numbers.length === 0) {
    const body = `Which one? Write \`/cancel <number>\`, or \`/hold --kill\` to stop everything here. ${runningOnes(actions)}`;
    await answer(tx, call, incident, { outcome: "mistake", body });
    return [];
  }
  const outcomes: CancelOutcome[] = [];
  for (const number of numbers) {
    const action = actions.find((candidate) => candidate.number === number);
    outcomes.push(
      action
        ? await cancelOne(tx, call, { incident, action, actions })
        : { said: `${unknownNumber(number).what}.`, did: false, isUnknown: true },
    );
  }
  const did = outcomes.some((one) => one.did);
  if (did) {
    await show(tx, deps, incident);
    // A batch may wait for an undone approval.
    await deps.store.queue.hasten(tx, "execute", incident.id);
  }
  const hint = !did && outcomes.some(({ isUnknown }) => isUnknown) ? [runningOnes(actions)] : [];
  const body = [...outcomes.map(({ said }) => said), ...hint].join("\n\n");
  await answer(tx, call, incident, { outcome: did ? "done" : "mistake", body });
  return outcomes;
}

async function cancelOne(
  tx: Tx,
  call: Call,
  given: { readonly incident: Incident; readonly action: Action; readonly actions: readonly Action[] },
): Promise<CancelOutcome> {
  const { deps, caller } = call;
  const { incident, action, actions } = given;
  const { number } = action;
  const runs = await runsOfAction(tx, action.id);
  if (!isUnderWay(action)) {
    const isNotSent = action.state === "proposed" || action.state === "approved";
    const reopened = isNotSent ? await reopen(tx, [action], `cancelled by ${caller.login}`) : [];
    if (reopened.length === 0) return { said: notUnderWay(incident, action, { runs, actions }), did: false };
    await leaveLine(tx, action.id);
    await recordCancel(tx, call, action, []);
    return { said: `**${number}** needs approval again; it was not run.`, did: true };
  }
  const named = namedServers(call, action);
  if ("mistake" in named) return { said: named.mistake, did: false };
  const chosen = named.servers.length === 0 ? runs : runs.filter(({ server }) => named.servers.includes(server));
  const open = chosen.filter(({ endedAt }) => endedAt === null);
  const wanted = open.filter(({ cancelledBy }) => cancelledBy === null);
  const where = (some: readonly Run[]): string => serversIn(some).map(deps.markdown.code).join(", ");
  if (wanted.length === 0) {
    const [first] = open;
    if (!first) return { said: `**${number}** has already ended on ${where(chosen)}.`, did: false };
    const by = first.cancelledBy === null ? "" : ` by ${name(first.cancelledBy)}`;
    return { said: `**${number}** is already being stopped on ${where(open)}${by}.`, did: false };
  }
  await markRuns(tx, wanted, { cancelledBy: caller.login });
  await recordCancel(tx, call, action, serversIn(wanted));
  const links = linksOf(deps, await partsOf(tx, incident.id, "actions", "batches", "posted"));
  const result = links.get(number);
  const isAll = runs.every((run) => run.endedAt !== null || open.includes(run));
  return {
    said: `Stopping **${number}** on ${where(wanted)} (TERM, then KILL).${result === undefined ? "" : ` Result: ${writeLink("here", result)}`}`,
    ends: { actionId: action.id, servers: isAll ? [undefined] : wanted.map(placeOfRun) },
    did: true,
  };
}

/** After the number, `web-9` or `db2.acme.example` is a server and no reason. */
const isLikeServer = (word: string): boolean => /^[a-z][\w.-]*\w$/i.test(word) && /\d|\w\.\w/.test(word);

/** An unknown name must not end the action elsewhere. */
function namedServers(
  { slash, repoContext, deps }: Call,
  { number, spec }: Action,
): { readonly servers: readonly string[] } | { readonly mistake: string } {
  const own = serversIn(spec.targets);
  const words = slash.words.flatMap((word) => word.split(",")).filter((word) => word !== "");
  const known = words.findIndex((word) => !own.includes(word));
  const servers = known === -1 ? words : words.slice(0, known);
  const [stranger] = known === -1 ? [] : words.slice(known);
  if (stranger === undefined) return { servers };
  const isKnown = repoContext.rules.servers.some((server) => server.name === stranger);
  if (own.length === 1 && !isKnown && !(servers.length === 0 && isLikeServer(stranger))) return { servers };
  const names = own.map(deps.markdown.code).join(", ");
  return {
    mistake: `Nothing was stopped: **${number}** runs on ${names}, not on ${deps.markdown.code(stranger)}. Comment \`/cancel ${number}\` to stop it; a reason goes on the next line.`,
  };
}

const recordCancel = (tx: Tx, call: Call, action: Action, servers: readonly string[]): Promise<void> =>
  appendAudit(tx, {
    kind: "command_cancelled",
    incidentId: action.incidentId,
    body: {
      number: action.number,
      digest: action.digest,
      by: { id: call.caller.id, login: call.caller.login, role: call.caller.role },
      comment: { ...approvalComment(call.event), writtenAt: call.event.comment.createdAt.toISOString() },
      reason: approvalReason(call),
      servers,
    },
  });
