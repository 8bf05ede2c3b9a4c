import { Readable } from "node:stream";
import { memberOf, outputPlace, serversIn } from "../../base/action.ts";
import { wentWell } from "../../base/run.ts";
import type { Deps } from "../../features/context.ts";
import { answer } from "../../features/thread/answer.ts";
import { duration } from "../../github/render/ink.ts";
import type { Id } from "../../slash/grammar.ts";
import { type Action, actionOf, actionsOf } from "../../store/actions.ts";
import type { Tx } from "../../store/database/open.ts";
import type { Incident } from "../../store/incidents.ts";
import { outputOf, outputParts } from "../../store/outputs.ts";
import { type Run, runsOf } from "../../store/runs.ts";
import { openerOf } from "../../store/schedules.ts";
import { type OutputSelection, readOutput } from "../../text/page.ts";
import { isUnderWay } from "../act/under-way.ts";
import { missingNumber, ranOnes, unknownNumber } from "../answer/refusals.ts";
import type { Call, Handler } from "../command.ts";

/** Shows a page, the end, or lines with a text (AR-14); of a running command, the output so far. */
export const output: Handler = async (call) => {
  const { deps, slash, incident } = call;
  const id = slash.ids === "all" ? undefined : slash.ids[0];
  const action = id && (await actionOf(deps.store.db, incident.id, id.number));
  // Output since the last edit is only in memory.
  if (action && isUnderWay(action)) await deps.running.draw(action.id);
  await call.commit((tx, locked) => showOutput(tx, call, locked, id));
};

async function showOutput(tx: Tx, call: Call, incident: Incident, id: Id | undefined): Promise<void> {
  const { deps, slash, event } = call;
  const mistake = (body: string) => answer(tx, call, incident, { outcome: "mistake", body });
  const actions = await actionsOf(tx, incident.id);
  if (!id)
    return mistake(`${missingNumber("output", actions, ranOnes(actions))}${await scheduledNote(tx, deps, incident)}`);
  const action = actions.find((candidate) => candidate.number === id.number);
  const runs = (await runsOf(tx, incident.id)).filter((candidate) => candidate.actionId === action?.id);
  const isSet = action?.spec.set !== undefined;
  const [first, ...words] = slash.words;
  const second = slash.ids === "all" ? undefined : slash.ids[1];
  const ofCheck = second === undefined ? runs : runs.filter(({ step }) => step === second.number - 1);
  if (ofCheck.length === 0 && runs.length > 0)
    return mistake(
      `**${id.number}** has no check ${second?.number}. Write \`/output ${id.number}${isSet ? " 1" : ""}\`.`,
    );
  const onServer = ofCheck.filter(({ server }) => server === first);
  const named = onServer.length > 0 ? onServer : ofCheck;
  // People mean the failed run.
  const run = named.find((one) => one.ending && !wentWell(one)) ?? named[0];
  if (!run?.startedAt) return mistake(`${noOutput(id.number, actions)}${await scheduledNote(tx, deps, incident)}`);
  if (incident.public || !event.private)
    return mistake("This issue is public, so outputs stay off it: ask the operator of this bot, whose store has them.");
  const how = howToRead(onServer.length > 0 ? words : slash.words);
  if (!how) {
    const which = `${id.number} ${outputPlace(runs, run)}`.trimEnd();
    return mistake(`Write \`/output ${which} page 2\`, \`tail 50\` or \`grep text\`.`);
  }
  const stored = run.ending ? await outputOf(tx, run.id) : undefined;
  if (stored?.withheld)
    return mistake(`The output of **${id.number}** is withheld: ${deps.markdown.plain(stored.withheld)}`);
  const pieces = run.ending ? outputParts(tx, run.id) : Readable.from([run.soFar ?? ""]);
  const { text, note } = await readOutput(pieces, how, deps.config.agent.outputCharacters);
  const check =
    isSet && action ? `check ${(run.step ?? 0) + 1}, ${deps.markdown.code(memberOf(action.spec, run).command)}` : "";
  const on = serversIn(runs).length > 1 ? deps.markdown.code(run.server) : "";
  const parts = [check, on].filter((part) => part !== "");
  const where = parts.length === 0 ? "" : ` of ${parts.join(" on ")}`;
  const what = run.ending ? `output${where} · ${deps.markdown.plain(note)}` : `${soFarOf(run)}${where}`;
  const body = [`**${id.number}** · ${what}`, ...(text === "" ? [] : [deps.markdown.fence(text, "text")])].join("\n\n");
  await answer(tx, call, incident, { outcome: "done", body });
}

function noOutput(number: number, actions: readonly Action[]): string {
  const known = actions.some((action) => action.number === number);
  const ran = actions.filter((action) => action.state === "done" || isUnderWay(action)).map((action) => action.number);
  const others = ran.length === 0 ? "Nothing has run here yet." : `There is output of: ${ran.join(", ")}.`;
  return `${known ? `**${number}** has not run, so it has no output` : unknownNumber(number).what}. ${others}`;
}

/** `soFar` is cleaned and redacted. */
function soFarOf({ startedAt, seenAt, soFar }: Run): string {
  if (!startedAt || !seenAt) return "running; no output yet";
  const after = duration(seenAt.getTime() - startedAt.getTime());
  return soFar ? `still running, its output after ${after}` : `still running; no output in ${after}`;
}

/** A schedule's runs before the incident have no number (WF-2). */
async function scheduledNote(tx: Tx, { markdown }: Deps, incident: Incident): Promise<string> {
  const schedule = await openerOf(tx, incident.id);
  if (!schedule) return "";
  const runs = schedule.issue === null ? "" : `, and all its runs in issue ${schedule.issue}`;
  return ` What the schedule ${markdown.code(schedule.workflow)} ran has no number here: it is in the text of this issue${runs}.`;
}

function howToRead(words: readonly string[]): OutputSelection | undefined {
  const [kind, ...rest] = words;
  const value = rest.join(" ");
  const count = /^[1-9]\d{0,5}$/.test(value) ? Number(value) : undefined;
  switch (kind?.toLowerCase()) {
    case undefined:
      return { kind: "page", page: 1 };
    case "page":
      return count === undefined ? undefined : { kind: "page", page: count };
    case "tail":
      return count === undefined ? undefined : { kind: "tail", lines: count };
    case "grep":
      return value === "" ? undefined : { kind: "grep", text: value };
    default:
      return undefined;
  }
}
