import { memberOf, placeOfRun, serversIn } from "../../base/action.ts";
import { reopen } from "../../features/incident/withdraw.ts";
import { approvalComment, approvalReason } from "../../features/run/approval-comment.ts";
import { answer } from "../../features/thread/answer.ts";
import { linksOf } from "../../features/thread/links.ts";
import { show } from "../../features/thread/post.ts";
import { enqueueTurn } from "../../features/turn/turn.ts";
import type { RunSoFar } from "../../features/turn/turn-message.ts";
import { runsWords } from "../../github/render/ending.ts";
import { name } from "../../github/render/ink.ts";
import type { SlashCommand } from "../../slash/grammar.ts";
import { type Action, actionsOf } from "../../store/actions.ts";
import { appendAudit } from "../../store/audit/chain.ts";
import type { Tx } from "../../store/database/open.ts";
import { partsOf } from "../../store/incident-rows.ts";
import type { Incident } from "../../store/incidents.ts";
import { batchOf, markRuns, type Run, runsOfAction } from "../../store/runs.ts";
import { leaveLine } from "../../store/server-line.ts";
import { turnsOf } from "../../store/turns.ts";
import { code, note } from "../../text/fence.ts";
import { writeLink } from "../../text/links.ts";
import { numbersIn, sentenceOf, stateRefusal, unknownNumber } from "../answers.ts";
import { readTime } from "../arguments.ts";
import type { Call, Handler } from "../command.ts";
import { whyNoTurn } from "../steer/agent.ts";

/** Only its unfinished runs. */
interface RunningAction {
  readonly action: Action;
  readonly runs: readonly Run[];
}

type FoundRun = ({ readonly kind: "found" } & RunningAction) | { readonly kind: "mistake"; readonly body: string };

const underWay: readonly Action["state"][] = ["dispatching", "running"];

export const isUnderWay = ({ state }: Action): boolean => underWay.includes(state);

export function runningOnes(actions: readonly Action[]): string {
  return numbersIn(actions, underWay, {
    some: (running) => `Running right now: ${running}.`,
    none: "Nothing is running right now.",
  });
}

/** Finds the one running command that is named. */
async function findUnderWay(tx: Tx, incident: Incident, { verb, ids }: SlashCommand): Promise<FoundRun> {
  const mistake = (body: string): FoundRun => ({ kind: "mistake", body });
  const actions = await actionsOf(tx, incident.id);
  const [id, ...more] = ids === "all" ? [] : ids;
  if (!id) return mistake(`Which one? Write \`/${verb} <number>\`. ${runningOnes(actions)}`);
  if (more.length > 0) return mistake(`One number at a time; a time has its unit, as in \`/wait ${id.number} 10m\`.`);
  const action = actions.find(({ number }) => number === id.number);
  if (!action) return mistake(`${unknownNumber(id.number).what}. ${runningOnes(actions)}`);
  const runs = await runsOfAction(tx, action.id);
  if (!isUnderWay(action)) return mistake(notUnderWay(incident, action, { runs, actions }));
  return { kind: "found", action, runs: runs.filter(({ endedAt }) => endedAt === null) };
}

/** Says why nothing runs, and what to type next. */
export function notUnderWay(
  incident: Pick<Incident, "state">,
  action: Action,
  { runs, actions }: { readonly runs: readonly Run[]; readonly actions: readonly Action[] },
): string {
  const { number } = action;
  switch (action.state) {
    case "done":
      return `**${number}** has already ended: ${runsWords(runs, { code, note })}. \`/output ${number}\` shows its output.`;
    case "approved":
      return `**${number}** is approved and next in line; nothing of it runs yet. \`/cancel ${number}\` undoes that.`;
    case "proposed":
      return `**${number}** waits for approval; nothing of it runs. \`/reject ${number}\` turns it down.`;
    default:
      return sentenceOf(stateRefusal({ incident, action }), actions);
  }
}

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
  const { deps, slash, caller } = call;
  const outcomes = await call.commit(async (tx, incident) => {
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
      if (!action) {
        outcomes.push({ said: `${unknownNumber(number).what}.`, did: false, isUnknown: true });
        continue;
      }
      const runs = await runsOfAction(tx, action.id);
      if (!isUnderWay(action)) {
        const isNotSent = action.state === "proposed" || action.state === "approved";
        const reopened = isNotSent ? await reopen(tx, [action], `cancelled by ${caller.login}`) : [];
        if (reopened.length === 0) {
          outcomes.push({ said: notUnderWay(incident, action, { runs, actions }), did: false });
          continue;
        }
        await leaveLine(tx, action.id);
        await recordCancel(tx, call, action, []);
        outcomes.push({ said: `**${number}** needs approval again; it was not run.`, did: true });
        continue;
      }
      const named = namedServers(call, action);
      if ("mistake" in named) {
        outcomes.push({ said: named.mistake, did: false });
        continue;
      }
      const chosen = named.servers.length === 0 ? runs : runs.filter(({ server }) => named.servers.includes(server));
      const open = chosen.filter(({ endedAt }) => endedAt === null);
      const wanted = open.filter(({ cancelledBy }) => cancelledBy === null);
      const where = (some: readonly Run[]): string => serversIn(some).map(deps.markdown.code).join(", ");
      if (wanted.length === 0) {
        const [first] = open;
        const by = first?.cancelledBy ? ` by ${name(first.cancelledBy)}` : "";
        const said = first
          ? `**${number}** is already being stopped on ${where(open)}${by}.`
          : `**${number}** has already ended on ${where(chosen)}.`;
        outcomes.push({ said, did: false });
        continue;
      }
      await markRuns(tx, wanted, { cancelledBy: caller.login });
      await recordCancel(tx, call, action, serversIn(wanted));
      const links = linksOf(deps, await partsOf(tx, incident.id, "actions", "batches", "posted"));
      const result = links.get(number);
      const isAll = runs.every((run) => run.endedAt !== null || open.includes(run));
      outcomes.push({
        said: `Stopping **${number}** on ${where(wanted)} (TERM, then KILL).${result === undefined ? "" : ` Result: ${writeLink("here", result)}`}`,
        ends: { actionId: action.id, servers: isAll ? [undefined] : wanted.map(placeOfRun) },
        did: true,
      });
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
  });
  // Other processes read the rows in time.
  for (const { ends } of outcomes)
    for (const server of ends?.servers ?? []) deps.running.cancel(ends?.actionId ?? "", caller.login, server);
};

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
  // After the number, `web-9` or `db2.acme.example` is a server and no reason.
  if (
    own.length === 1 &&
    !isKnown &&
    !(servers.length === 0 && /^[a-z][\w.-]*\w$/i.test(stranger) && /\d|\w\.\w/.test(stranger))
  )
    return { servers };
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

/** Gives the agent a running command's output so far (AR-12). */
export const continueRun: Handler = async (call) => {
  const { deps, slash, incident } = call;
  const named = await deps.store.transaction((tx) => findUnderWay(tx, incident, slash));
  // Output since the last edit is only in memory.
  if (named.kind === "found") await deps.running.draw(named.action.id);
  await call.commit(async (tx, locked) => {
    const { caller, event } = call;
    const mistake = (body: string) => answer(tx, call, locked, { outcome: "mistake", body });
    const found = await findUnderWay(tx, locked, slash);
    if (found.kind === "mistake") return mistake(found.body);
    const { action, runs } = found;
    const { number } = action;
    if (locked.state === "closed")
      return mistake(
        `This incident is closed, so the agent reads no more. **${number}** goes on. Reopen the issue to have its output read.`,
      );
    const stopped = await whyNoTurn(tx, deps, locked);
    if (stopped !== undefined) return mistake(`**${number}** goes on. ${stopped}`);
    const last = (await turnsOf(tx, locked.id)).at(-1);
    const isBeingRead = runs.some(({ continuedAt }) => continuedAt !== null && (!last || last.createdAt < continuedAt));
    if (isBeingRead)
      return mistake(`The agent is reading the output of **${number}** already. Read its answer here in a moment.`);

    const begun = runs.filter(({ startedAt }) => startedAt !== null);
    const now = deps.now();
    await markRuns(tx, begun, { continuedAt: now });
    await appendAudit(tx, {
      kind: "command_continued",
      incidentId: locked.id,
      body: {
        number,
        servers: begun.map(({ server }) => server),
        by: { id: caller.id, login: caller.login, role: caller.role },
        commentId: event.comment.id,
      },
    });
    await enqueueTurn(tx, deps, locked, {
      kind: "continued",
      personId: caller.id,
      login: caller.login,
      runs: soFarOf(found, locked, now),
    });
    await show(tx, deps, locked, `reading the output of ${number} so far`);
    await answer(tx, call, locked, { outcome: "done" });
  });
};

function soFarOf({ action, runs }: RunningAction, incident: Incident, now: Date): readonly RunSoFar[] {
  const begun = runs.flatMap((run) => {
    const { server, startedAt, seenAt, soFar } = run;
    const { command } = memberOf(action.spec, run);
    const output = incident.public && soFar ? "what it says is kept off this public issue" : (soFar ?? "");
    return startedAt ? [{ server, command, startedAt, seenAt: seenAt ?? now, output }] : [];
  });
  const alike = Map.groupBy(begun, ({ command, output }) => JSON.stringify([command, output]));
  return [...alike.values()]
    .flatMap(([first, ...rest]) => (first ? [[first, ...rest]] : []))
    .map((same) => ({
      number: action.number,
      servers: same.map(({ server }) => server),
      command: same[0]?.command ?? action.spec.command,
      output: same[0]?.output ?? "",
      ranMs: Math.max(...same.map(({ startedAt, seenAt }) => seenAt.getTime() - startedAt.getTime())),
    }));
}

/** Lets a long command go on, until a new comment asks again. */
export const wait: Handler = async (call) => {
  const { deps, slash, caller, event } = call;
  const actionId = await call.commit(async (tx, incident) => {
    const mistake = async (body: string): Promise<undefined> => {
      await answer(tx, call, incident, { outcome: "mistake", body });
    };
    const found = await findUnderWay(tx, incident, slash);
    if (found.kind === "mistake") return mistake(found.body);
    const { action, runs } = found;
    const [text] = slash.words;
    const time = text === undefined ? undefined : readTime(text, [action]);
    if (time && "mistake" in time) return mistake(`${time.mistake} For example: \`/wait ${action.number} 10m\`.`);
    const [first] = runs;
    const own = first ? (await batchOf(tx, first.batchId)).softTimeoutMs : null;
    // The servers' longest by default, because one question covers all.
    const longest = Math.max(1_000, ...runs.map(({ server }) => deps.config.servers.get(server)?.softTimeoutMs ?? 0));
    const begun = runs.filter(({ startedAt }) => startedAt !== null);
    const waitUntil = new Date(deps.now().getTime() + (time?.ms ?? own ?? longest));
    await markRuns(tx, begun, { waitUntil });
    await appendAudit(tx, {
      kind: "command_waited_for",
      incidentId: incident.id,
      body: {
        number: action.number,
        until: waitUntil.toISOString(),
        servers: begun.map(({ server }) => server),
        by: { id: caller.id, login: caller.login, role: caller.role },
        commentId: event.comment.id,
      },
    });
    await show(tx, deps, incident);
    await answer(tx, call, incident, { outcome: "done" });
    return action.id;
  });
  if (actionId !== undefined) await deps.running.draw(actionId);
};
