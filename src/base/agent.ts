import type { Proposal } from "./action.ts";

/** As sent on the Chat Completions wire. */
export type ChatMessage =
  | { readonly role: "system"; readonly content: string }
  | {
      readonly role: "user";
      readonly content: string;
      /** The last audit row it reports; not sent. */
      readonly auditSeq?: number;
      /** The endpoint's count for the turn's last request; not sent. */
      readonly inputTokens?: number;
      /** It sends a reply back and quotes it, so it proves nothing; not sent. */
      readonly ofReply?: true;
    }
  | { readonly role: "assistant"; readonly content: string; readonly toolCalls?: readonly ToolCall[] }
  | { readonly role: "tool"; readonly toolCallId: string; readonly content: string };

export interface ToolCall {
  readonly id: string;
  readonly name: string;
  /** JSON text as the model wrote it, not validated. */
  readonly arguments: string;
}

/** `estimated` if the endpoint gave no count. */
export interface TokenUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedTokens: number;
  readonly estimated: boolean;
}

export const phases = ["identify", "verify", "investigate", "plan", "act"] as const;
export type Phase = (typeof phases)[number];

export const confidences = ["CONFIRMED", "LIKELY", "INCONCLUSIVE"] as const;
export type Confidence = (typeof confidences)[number];

/** The most telling first. */
export const hypothesisStatuses = ["confirmed", "likely", "open", "refuted"] as const;
export type HypothesisStatus = (typeof hypothesisStatuses)[number];

/** Longer lines wrap twice on a phone. */
export const maxHypothesisCharacters = 200;

/** A cause that the agent weighs, with the numbers of the runs that speak for and against it. */
export interface Hypothesis {
  /** The agent's own, within its incident. */
  readonly id: string;
  /** One line of the agent's; once it is stored, short and without secrets. */
  readonly says: string;
  readonly status: HypothesisStatus;
  readonly forRuns: readonly number[];
  readonly againstRuns: readonly number[];
}

export interface Reading {
  /** Untrusted Markdown; goes through `text/prose` before it is posted. */
  readonly prose: string;
  readonly confidence?: Confidence | undefined;
  readonly phase?: Phase | undefined;
  readonly proposals: readonly Proposal[];
  readonly replaces?: readonly number[];
  readonly withdraws?: readonly number[];
  /** Those that the agent named, as they are now. */
  readonly hypotheses?: readonly Hypothesis[];
  readonly suggestions: readonly string[];
  readonly runbooks: readonly RunbookLink[];
  /** A person must see them. */
  readonly notes: readonly string[];
}

export interface RunbookLink {
  readonly label: string;
  readonly url: string;
}
