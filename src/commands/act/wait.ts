import { answer } from "../../features/thread/answer.ts";
import { show } from "../../features/thread/show.ts";
import { appendAudit } from "../../store/audit/chain.ts";
import type { Tx } from "../../store/database/open.ts";
import type { Incident } from "../../store/incidents.ts";
import { batchOf, markRuns, type Run } from "../../store/runs.ts";
import type { Call, Handler } from "../command.ts";
import { readTime } from "../reading/time-limit.ts";
import { findUnderWay } from "./under-way.ts";

/** Lets a long command go on, until a new comment asks again (AR-12). */
export const wait: Handler = async (call) => {
  const actionId = await call.commit((tx, incident) => putOff(tx, call, incident));
  if (actionId !== undefined) await call.deps.running.draw(actionId);
};

async function putOff(tx: Tx, call: Call, incident: Incident): Promise<string | undefined> {
  const { deps, slash, caller, event } = call;
  const mistake = async (body: string): Promise<undefined> => {
    await answer(tx, call, incident, { outcome: "mistake", body });
  };
  const found = await findUnderWay(tx, incident, slash);
  if (found.kind === "mistake") return mistake(found.body);
  const { action, runs } = found;
  const [text] = slash.words;
  const time = text === undefined ? { ms: await softLimitOf(tx, call, runs) } : readTime(text, [action]);
  if ("mistake" in time) return mistake(`${time.mistake} For example: \`/wait ${action.number} 10m\`.`);
  const begun = runs.filter(({ startedAt }) => startedAt !== null);
  const waitUntil = new Date(deps.now().getTime() + time.ms);
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
}

/** Its servers' longest by default, because one question covers all. */
async function softLimitOf(tx: Tx, { deps }: Call, runs: readonly Run[]): Promise<number> {
  const [first] = runs;
  const own = first ? (await batchOf(tx, first.batchId)).softTimeoutMs : null;
  const servers = runs.map(({ server }) => deps.config.servers.get(server)?.softTimeoutMs ?? 0);
  return own ?? Math.max(...servers, 1_000);
}
