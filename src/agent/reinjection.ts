import type { ChatMessage } from "../base/agent.ts";

/** At these percentages of the window, rules are repeated (INJ-3, INJ-4). */
const shares = [25, 50, 75] as const;
type WindowShare = (typeof shares)[number];

export type Reinjection =
  | { readonly trigger: "rules" | "turns" }
  | { readonly trigger: "window"; readonly share: WindowShare };

export interface ReinjectionState {
  readonly enabled: boolean;
  /** They differ from those that the model has read. */
  readonly rulesChanged: boolean;
  /** Interval if the window is unknown. */
  readonly turns: number;
  /** In tokens. */
  readonly contextWindow?: number | undefined;
  /** The next request by our estimate, or the last by the endpoint's count if that is more. */
  readonly inputTokens: number;
  /** User and agent are one turn. */
  readonly turnsSince: number;
  readonly lastShare?: WindowShare | undefined;
}

/** Decides whether and why to repeat the rules before the next request. */
export function decideReinjection(state: ReinjectionState): Reinjection | undefined {
  if (!state.enabled) return undefined;
  if (state.rulesChanged) return { trigger: "rules" };
  if (state.contextWindow === undefined) return state.turnsSince >= state.turns ? { trigger: "turns" } : undefined;
  const used = (100 * state.inputTokens) / state.contextWindow;
  const share = shares.findLast((one) => used > one);
  return share !== undefined && share > (state.lastShare ?? 0) ? { trigger: "window", share } : undefined;
}

/** Builds the message; `text` is `buildReminder`'s. */
export const reinjectionMessage = (why: Reinjection, step: number, text: string): ChatMessage => ({
  role: "user",
  content: `${headOf(why, step)}\n\n${text}`,
});

const headOf = (why: Reinjection, step: number): string =>
  `Countersign tells its instructions again at step ${step} (${triggerOf(why)}).`;

/** Names the trigger, also for the log. */
export const triggerOf = (why: Reinjection): string =>
  why.trigger === "window" ? `window ${why.share} %` : why.trigger;

/** Finds the last repetition in the messages. None begins with people's text, so none can be forged. */
export function lastReinjection(history: readonly ChatMessage[]): {
  readonly step: number;
  readonly share?: WindowShare;
} {
  const all = history.flatMap((message) => tellingOf(message) ?? []);
  const share = all.findLast((telling) => telling.share !== undefined)?.share;
  return { step: all.at(-1)?.step ?? 0, ...(share && { share }) };
}

/** Returns the endpoint's count for the newest request; 0 if it gave none. */
export function lastInputTokens(history: readonly ChatMessage[]): number {
  const counted = history.flatMap((message) => (message.role === "user" ? (message.inputTokens ?? []) : []));
  return counted.at(-1) ?? 0;
}

/** Removes older versions of this text: below new rules, one would be the last word. */
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
