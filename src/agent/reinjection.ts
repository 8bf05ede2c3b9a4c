import type { ChatMessage } from "../base/agent.ts";

/** Shares of the context window, in percent, at which the rules are repeated (INJ-3, INJ-4). */
const shares = [25, 50, 75] as const;
type WindowShare = (typeof shares)[number];

/** Why the instructions and rules are repeated. */
export type Reinjection =
  | { readonly trigger: "rules" | "turns" }
  | { readonly trigger: "window"; readonly share: WindowShare };

export interface ReinjectionState {
  readonly enabled: boolean;
  /** The repository's rules are not those that the model has read. */
  readonly rulesChanged: boolean;
  /** After how many turns, if the window is not known. */
  readonly turns: number;
  /** In tokens, if known. */
  readonly contextWindow?: number | undefined;
  /** The size of the next request by our estimate, or of the last one by the endpoint's count if that is more. */
  readonly inputTokens: number;
  /** Turns since the last time (user and agent are one turn). */
  readonly turnsSince: number;
  /** The highest share so far at which they were repeated. */
  readonly lastShare?: WindowShare | undefined;
}

/** Decides whether the instructions and rules are repeated before the next request, and why. */
export function decideReinjection(state: ReinjectionState): Reinjection | undefined {
  if (!state.enabled) return undefined;
  if (state.rulesChanged) return { trigger: "rules" };
  if (state.contextWindow === undefined) return state.turnsSince >= state.turns ? { trigger: "turns" } : undefined;
  const used = (100 * state.inputTokens) / state.contextWindow;
  const share = shares.findLast((one) => used > one);
  return share !== undefined && share > (state.lastShare ?? 0) ? { trigger: "window", share } : undefined;
}

/** The message that repeats them at the session's step `step`; `text` is `buildReminder`'s. */
export const reinjectionMessage = (why: Reinjection, step: number, text: string): ChatMessage => ({
  role: "user",
  content: `${headOf(why, step)}\n\n${text}`,
});

const headOf = (why: Reinjection, step: number): string =>
  `Countersign tells its instructions again at step ${step} (${triggerOf(why)}).`;

/** The trigger in a word or two, also for the log. */
export const triggerOf = (why: Reinjection): string =>
  why.trigger === "window" ? `window ${why.share} %` : why.trigger;

/**
 * When a conversation last repeated them, by its messages, so that nothing else has to be stored. No message begins with people's
 * text, so nobody can forge one.
 */
export function lastReinjection(history: readonly ChatMessage[]): {
  readonly step: number;
  readonly share?: WindowShare;
} {
  const all = history.flatMap((message) => tellingOf(message) ?? []);
  const share = all.findLast((telling) => telling.share !== undefined)?.share;
  return { step: all.at(-1)?.step ?? 0, ...(share && { share }) };
}

/** The endpoint's count for the newest request of a conversation; 0 if it has given none. */
export function lastInputTokens(history: readonly ChatMessage[]): number {
  const counted = history.flatMap((message) => (message.role === "user" ? (message.inputTokens ?? []) : []));
  return counted.at(-1) ?? 0;
}

/** The conversation without older versions of this text: below the new rules, an old version would be the last word. */
export const withoutOutdated = (history: readonly ChatMessage[], text: string): readonly ChatMessage[] =>
  history.filter((message) => (tellingOf(message)?.text ?? text) === text);

function tellingOf({ role, content }: ChatMessage) {
  const [head, step, percent] = (role === "user" && heading.exec(content)) || [];
  if (head === undefined) return undefined;
  return {
    step: Number(step),
    share: shares.find((one) => String(one) === percent),
    text: content.slice(head.length),
  };
}

const heading = /^Countersign tells its instructions again at step (\d+) \((?:rules|turns|window (\d+) %)\)\.\n\n/;
