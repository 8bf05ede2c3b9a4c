import type { Proposal } from "./action.ts";

/** A message of the conversation with the model, as sent on the Chat Completions wire. */
export type ChatMessage =
  | { readonly role: "system"; readonly content: string }
  | {
      readonly role: "user";
      readonly content: string;
      /** The last row of the audit that it reports; it is not sent. */
      readonly auditSeq?: number;
      /** The endpoint's count for the last request of the turn that it begins; it is not sent. */
      readonly inputTokens?: number;
    }
  | { readonly role: "assistant"; readonly content: string; readonly toolCalls?: readonly ToolCall[] }
  | { readonly role: "tool"; readonly toolCallId: string; readonly content: string };

export interface ToolCall {
  readonly id: string;
  readonly name: string;
  /** The arguments as the model wrote them: JSON text, not yet validated. */
  readonly arguments: string;
}

/** `estimated`: the endpoint gave no count, so the bot counted. */
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

/** The result of a turn, by the model or by the offline responder. */
export interface Reading {
  /** The agent's words, without markers and blocks. Untrusted Markdown: goes through `text/prose` before it is posted. */
  readonly prose: string;
  readonly confidence?: Confidence | undefined;
  readonly phase?: Phase | undefined;
  readonly proposals: readonly Proposal[];
  /** Numbers of open proposals: approved ones that the new ones replace, and withdrawn ones. */
  readonly replaces?: readonly number[];
  readonly withdraws?: readonly number[];
  readonly suggestions: readonly string[];
  readonly runbooks: readonly RunbookLink[];
  /** Lines that a person must see: a proposal was dropped, a part could not be read, the model was down. */
  readonly notes: readonly string[];
}

export interface RunbookLink {
  readonly label: string;
  readonly url: string;
}
