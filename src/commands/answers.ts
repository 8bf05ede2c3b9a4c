import type { Deps } from "../features/context.ts";
import { pageMs } from "../features/passkey/passkey.ts";
import { type Links, linked, noLinks } from "../features/thread/links.ts";
import { fillUsage } from "../github/render/state.ts";
import type { SlashCommand } from "../slash/grammar.ts";
import type { Action } from "../store/actions.ts";
import type { Incident } from "../store/incidents.ts";
import { plain } from "../text/fence.ts";
import { writeLink } from "../text/links.ts";

/** Lists the numbers in some states; `none` if there are none. */
export function numbersIn(
  actions: readonly Action[],
  states: readonly Action["state"][],
  { some, none }: { readonly some: (numbers: string) => string; readonly none: string },
): string {
  const numbers = actions.filter(({ state }) => states.includes(state)).map(({ number }) => number);
  return numbers.length === 0 ? none : some(numbers.join(", "));
}

export const closedText = "This incident is closed. Reopen the issue first.";

/** Lists the open numbers, and what completes the others. */
export function openOnes(actions: readonly Action[]): string {
  const unfilled = actions.filter(({ state }) => state === "incomplete").map((action) => `\`${fillUsage(action)}\``);
  return [
    numbersIn(actions, ["proposed"], {
      some: (open) => `Open right now: ${open}.`,
      none: "Nothing waits for approval right now.",
    }),
    ...(unfilled.length === 0 ? [] : [`Waiting for values: ${unfilled.join(", ")}.`]),
  ].join(" ");
}

export const nothingRun = (why: string): string => `Nothing was run. ${why}`;

/** `which`: the numbers it takes, by default the open ones. */
export const missingNumber = (verb: string, actions: readonly Action[], which = openOnes(actions)): string =>
  `Which one? Write \`/${verb} <number>\`. ${which}`;

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
        what: `${it} is blocked and never runs, no matter who approves it: ${plain(action.findings[0]?.text ?? "policy")}`,
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

export type ApprovalOutcome =
  | { readonly kind: "ready"; readonly action: Action; readonly isProved?: boolean | undefined }
  /** Another person must approve too. */
  | { readonly kind: "counted"; readonly text: string }
  | { readonly kind: "asked"; readonly text: string }
  /** Complete; waits for passkeys of earlier numbers. */
  | { readonly kind: "held"; readonly text: string }
  | { readonly kind: "refused"; readonly number: number; readonly refusal: CommandRefusal };

export const noAddress = "Passkeys have no address here (`server.public_url`): ask the operator.";

/** `**10** is not approved yet. [Confirm with your passkey](https://…) within 2 minutes.` */
export const passkeyText = ({ markdown }: Pick<Deps, "markdown">, what: string, link: string | undefined): string =>
  link === undefined
    ? nothingRun(noAddress)
    : `${what}. ${markdown.link("Confirm with your passkey", link)} within ${pageMs / 60_000} minutes.`;
