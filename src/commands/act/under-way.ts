import { runsWords } from "../../github/render/ending.ts";
import type { SlashCommand } from "../../slash/grammar.ts";
import { type Action, actionsOf } from "../../store/actions.ts";
import type { Tx } from "../../store/database/open.ts";
import type { Incident } from "../../store/incidents.ts";
import { type Run, runsOfAction } from "../../store/runs.ts";
import { code, note } from "../../text/fence.ts";
import { sentenceOf, stateRefusal, unknownNumber } from "../answer/refusals.ts";

/** Only its unfinished runs. */
export interface RunningAction {
  readonly action: Action;
  readonly runs: readonly Run[];
}

export type FoundRun =
  | ({ readonly kind: "found" } & RunningAction)
  | { readonly kind: "mistake"; readonly body: string };

export const isUnderWay = ({ state }: Action): boolean => state === "dispatching" || state === "running";

export function runningOnes(actions: readonly Action[]): string {
  const running = actions.filter(isUnderWay).map(({ number }) => number);
  return running.length === 0 ? "Nothing is running right now." : `Running right now: ${running.join(", ")}.`;
}

/** Finds the one running command that is named. */
export async function findUnderWay(tx: Tx, incident: Incident, { verb, ids }: SlashCommand): Promise<FoundRun> {
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
