import type { Standing } from "../jobs/hold.ts";
import type { Action } from "../store/actions.ts";
import { plain } from "../text/fence.ts";

const numbersOf = (actions: readonly Action[], ...states: readonly Action["state"][]): string =>
  actions
    .filter((action) => states.includes(action.state))
    .map((action) => action.number)
    .join(", ");

/** Which numbers are open, for whoever named one that is not. */
export function openOnes(actions: readonly Action[]): string {
  const open = numbersOf(actions, "proposed");
  return open === "" ? "Nothing waits for approval right now." : `Open right now: ${open}.`;
}

/** A command that wants a number and got none. */
export const missingNumber = (verb: string, actions: readonly Action[]): string =>
  `Which one? Write \`/${verb} <number>\`. ${openOnes(actions)} Nothing was run.`;

/** Why this number cannot be decided on, and the next thing to type. Nothing was run in any of these cases. */
export function stateRefusal(number: number, action: Action | undefined, actions: readonly Action[]): string {
  if (!action) return `There is no **${number}** here. ${openOnes(actions)} Nothing was run.`;
  switch (action.state) {
    case "dispatching":
    case "running":
      return `**${number}** is running already; it runs once.`;
    case "done":
      return `**${number}** has run already, and one approval runs a command once. Nothing was run again.`;
    case "rejected":
      return `**${number}** was rejected, and that is final. Nothing was run.`;
    case "superseded":
      return `**${number}** was superseded${action.supersededBy === null ? "" : ` by **${action.supersededBy}**`}. ${openOnes(actions)} Nothing was run.`;
    case "expired":
      return `**${number}** has expired. Write \`/run ${action.spec.place}\` with the command below it to propose it anew. Nothing was run.`;
    case "void":
      return `**${number}** is void: ${action.stateReason ?? "it no longer holds"}. Nothing was run.`;
    case "blocked":
      return `**${number}** is blocked and never runs, whoever approves it: ${plain(action.findings[0]?.text ?? "policy")}. Nothing was run.`;
    case "approved":
      return `**${number}** is approved already and next in line.`;
    case "proposed":
      return `**${number}** waits for approval.`;
  }
}

/** Nothing is approved while the bot is halted or the incident is held. */
export function stoppedAnswer({ words, lift }: Extract<Standing, { kind: "stopped" }>): string {
  const sentence = plain(words).replace(/^./, (first) => first.toUpperCase());
  const next = lift === undefined ? "the bot is resumed" : `an approver has lifted that with \`${lift}\``;
  return `${sentence}; nothing was run. Approve it again when ${next}.`;
}
