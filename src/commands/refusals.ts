import type { Standing } from "../jobs/hold.ts";
import type { Action } from "../store/actions.ts";
import type { Incident } from "../store/incidents.ts";
import { plain } from "../text/fence.ts";
import { writeLink } from "../text/links.ts";
import { type Links, linked, noLinks } from "./links.ts";

const numbersOf = (actions: readonly Action[], ...states: readonly Action["state"][]): string =>
  actions
    .filter((action) => states.includes(action.state))
    .map((action) => action.number)
    .join(", ");

/** Whatever changes an incident, on one that is over. */
export const closedText = "This incident is closed. Reopen the issue first.";

/** Which numbers are open, for whoever named one that is not. */
export function openOnes(actions: readonly Action[]): string {
  const open = numbersOf(actions, "proposed");
  return open === "" ? "Nothing waits for approval right now." : `Open right now: ${open}.`;
}

/** A command that wants a number and got none. */
export const missingNumber = (verb: string, actions: readonly Action[]): string =>
  `Which one? Write \`/${verb} <number>\`. ${openOnes(actions)} Nothing was run.`;

/** A number that is no action of the incident. */
export const unknownNumber = (number: number, actions: readonly Action[]): string =>
  `There is no **${number}** here. ${openOnes(actions)} Nothing was run.`;

/** An action that is not in the state that is needed, among the others of its incident. */
interface Refused {
  readonly incident: Pick<Incident, "state">;
  readonly action: Action;
  readonly actions: readonly Action[];
  readonly links?: Links;
}

/** Why this action cannot be decided on, and the next thing to type. Nothing was run in any of these cases. */
export function stateRefusal({ incident, action, actions, links = noLinks }: Refused): string {
  const { number } = action;
  const it = `**${number}**`;
  const url = links.get(number);
  // On a closed issue /retry is refused.
  const reopen = incident.state === "closed" ? "Reopen the issue; then " : "";
  const anew = `${reopen}\`/retry ${number}\` proposes it anew.`;
  const there = url === undefined ? "" : ` (${writeLink("there", url)})`;
  switch (action.state) {
    case "dispatching":
    case "running":
      return `${it} is running already; it runs once${there}. \`/cancel ${number}\` ends it.`;
    case "done":
      return `${it} has run already${there}, and one approval runs a command once. ${anew} Nothing was run again.`;
    case "rejected":
      return `${it} was rejected, and that is final. Nothing was run.`;
    case "superseded": {
      const by = action.supersededBy === null ? "" : ` by ${linked(links, action.supersededBy)}`;
      return `${it} was superseded${by}. ${openOnes(actions)} Nothing was run.`;
    }
    case "expired":
      return `${it} has expired. ${anew} Nothing was run.`;
    case "void":
      return `${it} is void: ${plain(action.stateReason ?? "it no longer holds")}. ${anew} Nothing was run.`;
    case "blocked":
      return `${it} is blocked and never runs, whoever approves it: ${plain(action.findings[0]?.text ?? "policy")}. Nothing was run.`;
    case "approved":
      return `${it} is approved already and next in line.`;
    case "proposed":
      return `${it} waits for approval.`;
  }
}

/** To what came late, and was written before a hold or halt was lifted. */
export const fromBefore =
  "You wrote this before a hold or halt was lifted, and it came only now: look again, and write it anew.";

/** Nothing is approved while the bot is halted or the incident is held. */
export function stoppedAnswer({ words, lift }: Extract<Standing, { kind: "stopped" }>): string {
  const sentence = plain(words).replace(/^./, (first) => first.toUpperCase());
  const next = lift === undefined ? "the bot is resumed" : `an approver has lifted that with \`${lift}\``;
  return `${sentence}; nothing was run. Approve it again when ${next}.`;
}
