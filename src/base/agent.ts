import type { Proposal } from "./action.ts";

/** A message of the conversation with the model, as sent on the Chat Completions wire. */
export type ChatMessage =
  | { readonly role: "system"; readonly content: string }
  | {
      readonly role: "user";
      readonly content: string;
      /** Up to which row of the audit it tells what became of the actions; it is not sent. */
      readonly auditSeq?: number;
      /** What the endpoint counted for the last request of the turn that it begins; it is not sent. */
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

/** `estimated`: the endpoint told nothing and we counted ourselves. */
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

/** What a turn came to, from the model or from the offline responder alike. */
export interface Reading {
  /** The agent's words, without markers and blocks. Untrusted Markdown: goes through `text/prose` before it is posted. */
  readonly prose: string;
  readonly confidence?: Confidence | undefined;
  readonly phase?: Phase | undefined;
  readonly proposals: readonly Proposal[];
  /** Numbers of open proposals: those that these replace though somebody has approved them, and those that are taken back. */
  readonly replaces?: readonly number[];
  readonly withdraws?: readonly number[];
  readonly suggestions: readonly string[];
  readonly runbooks: readonly RunbookLink[];
  /** Lines a person must see: what was dropped, what could not be read, that the model was down. */
  readonly notes: readonly string[];
}

export interface RunbookLink {
  readonly label: string;
  readonly url: string;
}
