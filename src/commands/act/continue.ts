import { memberOf } from "../../base/action.ts";
import { soFarOffIssue } from "../../features/run/present-output.ts";
import { answer } from "../../features/thread/answer.ts";
import { show } from "../../features/thread/show.ts";
import { enqueueTurn } from "../../features/turn/turn.ts";
import type { RunSoFar } from "../../features/turn/turn-message.ts";
import { appendAudit } from "../../store/audit/chain.ts";
import type { Tx } from "../../store/database/open.ts";
import type { Incident } from "../../store/incidents.ts";
import { markRuns } from "../../store/runs.ts";
import { turnsOf } from "../../store/turns.ts";
import type { Call, Handler } from "../command.ts";
import { whyNoTurn } from "../steer/agent-turn.ts";
import { findUnderWay, type RunningAction } from "./under-way.ts";

/** Gives the agent a running command's output so far (AR-12). */
export const continueRun: Handler = async (call) => {
  const { deps, slash, incident } = call;
  const named = await deps.store.transaction((tx) => findUnderWay(tx, incident, slash));
  // Output since the last edit is only in memory.
  if (named.kind === "found") await deps.running.draw(named.action.id);
  await call.commit((tx, locked) => giveOutput(tx, call, locked));
};

async function giveOutput(tx: Tx, call: Call, incident: Incident): Promise<void> {
  const { deps, slash, caller, event } = call;
  const mistake = (body: string) => answer(tx, call, incident, { outcome: "mistake", body });
  const found = await findUnderWay(tx, incident, slash);
  if (found.kind === "mistake") return mistake(found.body);
  const { action, runs } = found;
  const { number } = action;
  if (incident.state === "closed")
    return mistake(
      `This incident is closed, so the agent reads no more. **${number}** goes on. Reopen the issue to have its output read.`,
    );
  const stopped = await whyNoTurn(tx, deps, incident);
  if (stopped !== undefined) return mistake(`**${number}** goes on. ${stopped}`);
  const last = (await turnsOf(tx, incident.id)).at(-1);
  const isBeingRead = runs.some(({ continuedAt }) => continuedAt !== null && (!last || last.createdAt < continuedAt));
  if (isBeingRead)
    return mistake(`The agent is reading the output of **${number}** already. Read its answer here in a moment.`);

  const begun = runs.filter(({ startedAt }) => startedAt !== null);
  const now = deps.now();
  await markRuns(tx, begun, { continuedAt: now });
  await appendAudit(tx, {
    kind: "command_continued",
    incidentId: incident.id,
    body: {
      number,
      servers: begun.map(({ server }) => server),
      by: { id: caller.id, login: caller.login, role: caller.role },
      commentId: event.comment.id,
    },
  });
  await enqueueTurn(tx, deps, incident, {
    kind: "continued",
    personId: caller.id,
    login: caller.login,
    runs: soFarOf(found, incident, now),
  });
  await show(tx, deps, incident, `reading the output of ${number} so far`);
  await answer(tx, call, incident, { outcome: "done" });
}

function soFarOf({ action, runs }: RunningAction, incident: Incident, now: Date): readonly RunSoFar[] {
  const begun = runs.flatMap((run) => {
    const { server, startedAt, seenAt, soFar } = run;
    const { command } = memberOf(action.spec, run);
    const said = soFar ?? "";
    const output = incident.public ? soFarOffIssue(said) : said;
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
