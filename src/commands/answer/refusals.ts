import type { IncidentStanding } from "../../features/incident/hold.ts";
import { type Links, linked, noLinks } from "../../features/thread/links.ts";
import { fillUsage } from "../../github/render/state.ts";
import type { SlashCommand } from "../../slash/grammar.ts";
import type { Action } from "../../store/actions.ts";
import type { Incident } from "../../store/incidents.ts";
import { plain } from "../../text/fence.ts";
import { writeLink } from "../../text/links.ts";

const numbersOf = (actions: readonly Action[], ...states: readonly Action["state"][]): string =>
  actions
    .filter((action) => states.includes(action.state))
    .map((action) => action.number)
    .join(", ");

export const closedText = "This incident is closed. Reopen the issue first.";

/** Lists the open numbers, and what completes the others. */
export function openOnes(actions: readonly Action[]): string {
  const open = numbersOf(actions, "proposed");
  const unfilled = actions.filter(({ state }) => state === "incomplete").map((action) => `\`${fillUsage(action)}\``);
  return [
    open === "" ? "Nothing waits for approval right now." : `Open right now: ${open}.`,
    ...(unfilled.length === 0 ? [] : [`Waiting for values: ${unfilled.join(", ")}.`]),
  ].join(" ");
}

export const nothingRun = (why: string): string => `Nothing was run. ${why}`;

/** `which`: the numbers it takes, by default the open ones. */
export const missingNumber = (verb: string, actions: readonly Action[], which = openOnes(actions)): string =>
  `Which one? Write \`/${verb} <number>\`. ${which}`;

/** Rejections and blocks are final. */
export function retriableOnes(actions: readonly Action[]): string {
  const numbers = numbersOf(actions, ...retriable);
  return numbers === "" ? "There is none yet." : `To propose again: ${numbers}.`;
}

/** Lists the numbers that can have an output. */
export function ranOnes(actions: readonly Action[]): string {
  const numbers = numbersOf(actions, "dispatching", "running", "done");
  return numbers === "" ? "Nothing has run yet." : `Run so far: ${numbers}.`;
}

export const retriable: readonly Action["state"][] = ["done", "expired", "void", "superseded"];

/** A list answers each number separately, so no text is about the others. */
export interface CommandRefusal {
  /** Without a full stop. */
  readonly what: string;
  readonly next?: string;
  /** `/retry` proposes it again. */
  readonly again?: number;
  /** It ran, runs or will, so "nothing was run" would be untrue. */
  readonly goes?: boolean;
  readonly open?: boolean;
}

/** `actions` are the incident's current ones. */
export function sentencesOf(refusals: readonly CommandRefusal[], actions: readonly Action[]): readonly string[] {
  const again = refusals.flatMap((one) => one.again ?? []);
  const isSaidOnce = (one: CommandRefusal): boolean => again.length > 1 && one.again !== undefined;
  return [
    ...refusals.map((one) => `${one.what}.${one.next === undefined || isSaidOnce(one) ? "" : ` ${one.next}`}`),
    ...(again.length > 1 ? [`To propose them again: \`/retry ${again.join(" ")}\`.`] : []),
    ...(refusals.some(({ open }) => open) ? [openOnes(actions)] : []),
  ];
}

export const sentenceOf = (refusal: CommandRefusal, actions: readonly Action[]): string =>
  sentencesOf([refusal], actions).join(" ");

/** For a command that was to run something. */
export const alone = (refusal: CommandRefusal, actions: readonly Action[]): string =>
  refusal.goes ? sentenceOf(refusal, actions) : nothingRun(sentenceOf(refusal, actions));

export const unknownNumber = (number: number): CommandRefusal => ({
  what: `**${number}**: there is no such number`,
  open: true,
});

/** Its card came after the comment. */
export const unseenNumber = (number: number): CommandRefusal => ({
  what: `**${number}** was not on the issue yet when you wrote this`,
  next: "Read it, and approve it then.",
});

interface RefusedAction {
  readonly incident: Pick<Incident, "state">;
  readonly action: Action;
  readonly links?: Links;
}

/** Says what is wrong, and what to type next. */
export function stateRefusal({ incident, action, links = noLinks }: RefusedAction): CommandRefusal {
  const { number } = action;
  const it = `**${number}**`;
  const url = links.get(number);
  // /retry is refused on closed issues.
  const retry = `${incident.state === "closed" ? "reopen the issue, then " : ""}\`/retry ${number}\``;
  const retried = { next: `To propose it again: ${retry}.`, ...(incident.state === "closed" ? {} : { again: number }) };
  const result = url === undefined ? "" : ` (${writeLink("result", url)})`;
  switch (action.state) {
    case "dispatching":
    case "running":
      return { what: `${it} is already running${result}`, next: `\`/cancel ${number}\` ends it.`, goes: true };
    case "done":
      return { what: `${it} has already run${result}`, ...retried, next: `To run it again: ${retry}.`, goes: true };
    case "rejected":
      return { what: `${it} was rejected, and that is final`, open: true };
    case "superseded": {
      const by = action.supersededBy === null ? "" : ` by ${linked(links, action.supersededBy)}`;
      return { what: `${it} was superseded${by}`, ...retried, open: true };
    }
    case "expired":
      return { what: `${it} has expired`, ...retried };
    case "void":
      return { what: `${it} is void: ${plain(action.stateReason ?? "it no longer holds")}`, ...retried };
    case "blocked":
      return {
        what: `${it} is blocked and never runs, whoever approves it: ${plain(action.findings[0]?.text ?? "policy")}`,
      };
    case "approved":
      return {
        what: `${it} is already approved and next in line`,
        next: `\`/cancel ${number}\` undoes that.`,
        goes: true,
      };
    case "incomplete":
      return { what: `${it} is not complete`, next: `Give its values: \`${fillUsage(action)}\`.` };
    case "proposed":
      return { what: `${it} waits for approval`, open: true };
  }
}

/** The comment came late, from before a hold or halt was lifted. */
export const fromBefore =
  "You wrote this before a hold or halt was lifted, and it arrived only now: look again, and write it again.";

/** Nothing is approved during a halt or hold. */
export function stoppedAnswer({ words, lift }: Extract<IncidentStanding, { kind: "stopped" }>): string {
  const sentence = plain(words).replace(/^./, (first) => first.toUpperCase());
  const next = lift === undefined ? "the bot is resumed" : `an approver has lifted it with \`${lift}\``;
  return nothingRun(`${sentence}. Approve it again once ${next}.`);
}

type NamedAction =
  | { readonly kind: "found"; readonly action: Action }
  | { readonly kind: "mistake"; readonly body: string };

/** Finds the one action that is named. Pure. */
export function oneNamed({ verb, ids }: Pick<SlashCommand, "verb" | "ids">, actions: readonly Action[]): NamedAction {
  const [id, ...more] = ids === "all" ? [] : ids;
  if (!id) return { kind: "mistake", body: nothingRun(missingNumber(verb, actions)) };
  if (more.length > 0) return { kind: "mistake", body: nothingRun(`One number at a time: \`/${verb} ${id.number}\`.`) };
  const action = actions.find(({ number }) => number === id.number);
  return action ? { kind: "found", action } : { kind: "mistake", body: alone(unknownNumber(id.number), actions) };
}
