import type { ChatMessage } from "../base/agent.ts";

/** Shares of the context window at which the rules are told again, in percent. */
const shares = [25, 50, 75] as const;
type WindowShare = (typeof shares)[number];

/** Why the instructions and rules are told again (INJ-4). */
export type Reinjection =
  | { readonly trigger: "rules" | "turns" }
  | { readonly trigger: "window"; readonly share: WindowShare };

export interface ReinjectionState {
  readonly enabled: boolean;
  /** The repository's rules are others than were last told. */
  readonly rulesChanged: boolean;
  /** After how many turns, where the window is not known. */
  readonly turns: number;
  /** In tokens, where it is known. */
  readonly contextWindow?: number | undefined;
  /** What the next request takes by our estimate, or the last one took by the endpoint's own count if that is more. */
  readonly inputTokens: number;
  /** Turns (user and agent = one) since they were last told. */
  readonly turnsSince: number;
  /** The highest share that was told already; undefined before the first. */
  readonly lastShare?: WindowShare | undefined;
}

/** Whether the instructions and rules are to be told again before the next request, and why (INJ-3). */
export function decideReinjection(state: ReinjectionState): Reinjection | undefined {
  if (!state.enabled) return undefined;
  if (state.rulesChanged) return { trigger: "rules" };
  if (state.contextWindow === undefined) return state.turnsSince >= state.turns ? { trigger: "turns" } : undefined;
  const used = (100 * state.inputTokens) / state.contextWindow;
  const share = shares.findLast((one) => used > one);
  return share !== undefined && share > (state.lastShare ?? 0) ? { trigger: "window", share } : undefined;
}

/** The message that tells them again, at the session's step `step`; `text` is `buildReminder`'s. */
export const reinjectionMessage = (why: Reinjection, step: number, text: string): ChatMessage => ({
  role: "user",
  content: `${headOf(why, step)}\n\n${text}`,
});

const headOf = (why: Reinjection, step: number): string =>
  `Countersign tells its instructions again at step ${step} (${triggerOf(why)}).`;

/** The trigger in a word or two, for the log too (INJ-4). */
export const triggerOf = (why: Reinjection): string =>
  why.trigger === "window" ? `window ${why.share} %` : why.trigger;

/**
 * When they were last told in a conversation, from the messages themselves, so that nothing else has to be kept. What people
 * write never begins a message, so nobody can forge one.
 */
export function lastReinjection(history: readonly ChatMessage[]): {
  readonly step: number;
  readonly share?: WindowShare;
} {
  const all = history.flatMap((message) => tellingOf(message) ?? []);
  const share = all.findLast((telling) => telling.share !== undefined)?.share;
  return { step: all.at(-1)?.step ?? 0, ...(share && { share }) };
}

/** What the endpoint counted for the newest request of a conversation; 0 if it never told. */
export function lastInputTokens(history: readonly ChatMessage[]): number {
  const counted = history.flatMap((message) => (message.role === "user" ? (message.inputTokens ?? []) : []));
  return counted.at(-1) ?? 0;
}

/**
 * The conversation without tellings of another text than this, which is the one in force: below the new rules an old version
 * would be the last word (INJ-3).
 */
export const withoutOutdated = (history: readonly ChatMessage[], text: string): readonly ChatMessage[] =>
  history.filter((message) => (tellingOf(message)?.text ?? text) === text);

function tellingOf({ role, content }: ChatMessage) {
  const [head, step, percent] = (role === "user" && told.exec(content)) || [];
  if (head === undefined) return undefined;
  return {
    step: Number(step),
    share: shares.find((one) => String(one) === percent),
    text: content.slice(head.length),
  };
}

const told = /^Countersign tells its instructions again at step (\d+) \((?:rules|turns|window (\d+) %)\)\.\n\n/;
