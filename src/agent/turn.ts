import type { ChatMessage, Reading, TokenUsage, ToolCall } from "../base/agent.ts";
import { createProgress } from "./progress.ts";
import { parseReply } from "./reply/protocol.ts";
import { readTurn, type TurnOutcome } from "./reply/reading.ts";
import { type Review, type ReviewKind, reviewReply } from "./reply/review.ts";
import { storedReply } from "./reply/stored-reply.ts";
import type { Trouble } from "./reply/trouble.ts";
import type { WeakReply } from "./reply/weak.ts";
import { createToolbox, proposing } from "./tool-calls.ts";
import { type AskedQuestion, type TurnTools, toolSpecs } from "./tools.ts";
import type { FailureKind } from "./wire/failure.ts";
import type { AskModel } from "./wire/model.ts";

/** AR-17: within a turn the model is asked at most this often, the last time without tools. */
export const maxAsks = 8;
const maxCallsPerReply = 16;
/** A call that was answered before tells nothing new; whoever makes one twice would go on to the end of the turn. */
const repeatsToEnd = 2;

/** S14.3 events of a turn; the story adds the session. */
export type TurnEvent =
  | { readonly level: "info"; readonly event: "turn_start"; readonly messageCount: number }
  | {
      readonly level: "info";
      readonly event: "tool_call";
      readonly tool: string;
      readonly durationMs: number;
      readonly isError: boolean;
    }
  | {
      readonly level: "info";
      readonly event: "turn_end";
      /** The one that answered; without it nobody has, and the line names the one that was asked. */
      readonly model?: string;
      readonly inputTokens: number;
      readonly outputTokens: number;
      readonly totalTokens: number;
      readonly durationMs: number;
      readonly toolCallCount: number;
    };

export interface TurnOptions {
  readonly ask: AskModel;
  readonly system: string;
  /** The messages of the session so far, as they were sent. */
  readonly history: readonly ChatMessage[];
  /** The newest user message: what happened, time, step, phase. */
  readonly news: string;
  readonly tools: TurnTools;
  /** Names of the servers and groups that may be named. */
  readonly servers: readonly string[];
  readonly maxActions: number;
  /** How often the model is asked at most; 8 unless said otherwise. */
  readonly maxAsks?: number;
  /** The runs that the words of this turn must address (AR-15). */
  readonly trouble?: readonly Trouble[];
  /** The numbers of what has run so far; what is CONFIRMED must name one. Nothing where nobody looks. */
  readonly ran?: readonly number[];
  readonly signal: AbortSignal;
  /** A short line for the board: the agent's `<status>`, or that the model has to be waited for. */
  readonly onStatus: (text: string) => void;
  readonly log: (event: TurnEvent) => void;
  /** A monotonic clock in milliseconds. */
  readonly now?: () => number;
  /** Gets each message once that this turn adds to the conversation, with the tool whose result it is. */
  readonly onMessage?: (message: ChatMessage, tool?: string) => void;
}

/** What a turn took, whatever came of it (S14.3). */
export interface Took {
  readonly toolCallCount: number;
  readonly durationMs: number;
}

export type TurnResult = Took & Outcome;

type Outcome =
  | {
      readonly kind: "read";
      readonly outcome: TurnOutcome;
      readonly reading: Reading;
      /** There with outcome `asked` (AR-13). */
      readonly question?: AskedQuestion | undefined;
      /** The exact messages to store, the news first. */
      readonly added: readonly ChatMessage[];
      readonly usage: TokenUsage;
      readonly asked: number;
    }
  | {
      readonly kind: "failed";
      readonly why: FailureKind;
      readonly message: string;
      readonly added: readonly ChatMessage[];
      readonly usage: TokenUsage;
    };

/** What nothing costs. */
export const noUsage: TokenUsage = { inputTokens: 0, outputTokens: 0, cachedTokens: 0, estimated: false };

const sum = (a: TokenUsage, b: TokenUsage): TokenUsage => ({
  inputTokens: a.inputTokens + b.inputTokens,
  outputTokens: a.outputTokens + b.outputTokens,
  cachedTokens: a.cachedTokens + b.cachedTokens,
  estimated: a.estimated || b.estimated,
});

/**
 * One run of the model, tool calls included (AR-17). Never throws. What the model wrote becomes words, proposals and
 * tool calls, never an output and never a run: results of tools come from `tools` alone (AR-19).
 */
export async function runTurn(options: TurnOptions): Promise<TurnResult> {
  const { ask, system, history, tools, servers, maxActions, signal, onStatus, log } = options;
  const { maxAsks: askLimit = maxAsks, trouble = [], ran, onMessage, now = () => performance.now() } = options;
  const started = performance.now();
  const added: ChatMessage[] = [];
  const add = (message: ChatMessage, tool?: string): void => {
    added.push(message);
    onMessage?.(message, tool);
  };
  add({ role: "user", content: options.news });
  let usage = noUsage;
  const spend = (more: TokenUsage) => {
    usage = sum(usage, more);
  };
  const toolbox = createToolbox({ tools, servers, maxActions, spend });
  let model: string | undefined;
  let toolCallCount = 0;
  log({ level: "info", event: "turn_start", messageCount: history.length + 1 });

  /** True where the next request is the last: so many were made, or the model goes round in a circle. */
  const isLast = (asked: number): boolean => asked === askLimit || toolbox.repeats() >= repeatsToEnd;

  async function answerCalls(calls: readonly ToolCall[], asked: number): Promise<void> {
    for (const [index, call] of calls.entries()) {
      const at = performance.now();
      const result =
        index < maxCallsPerReply
          ? await toolbox.run(call)
          : { content: `Error: at most ${maxCallsPerReply} calls in one reply.`, isError: true };
      toolCallCount += 1;
      log({
        level: "info",
        event: "tool_call",
        tool: call.name,
        durationMs: Math.round(performance.now() - at),
        isError: result.isError,
      });
      const isOver = index === calls.length - 1 && isLast(asked + 1);
      const content = isOver ? `${result.content}\n(No more tools in this turn: answer now.)` : result.content;
      add({ role: "tool", toolCallId: call.id, content }, call.name);
    }
  }

  const replies: WeakReply[] = [];
  const reviewed = new Map<ReviewKind, WeakReply>();

  const finish = (asked: number, lost?: string): Outcome => {
    const sentBack = reviewed.get("mend");
    const { reading, outcome } = readTurn({ replies, sentBack, toolbox, tools, lost, trouble, ran });
    return { kind: "read", outcome, reading, question: toolbox.question(), added, usage, asked };
  };

  /** What to send back for this reply before the turn may end; nothing where it may end. */
  const followUp = (parsed: WeakReply): Review | undefined => {
    const review = reviewReply(parsed, { toolbox, tools, servers, trouble }, new Set(reviewed.keys()));
    if (review) reviewed.set(review.kind, parsed);
    return review;
  };

  async function loop(): Promise<Outcome> {
    for (let asked = 1; ; asked += 1) {
      const last = isLast(asked);
      const messages: ChatMessage[] = [{ role: "system", content: system }, ...history, ...added];
      // With its tools, though none may be called: the request begins as those before it, and the provider's cache holds.
      const request = { messages, tools: toolSpecs(tools), ...(last && { toolChoice: "none" as const }) };
      const answer = await ask(request, { signal, onStatus, onText: createProgress(onStatus, now) });
      if (answer.kind === "failed") {
        const worthTelling = !signal.aborted && (reviewed.size > 0 || toolbox.proposed() !== undefined);
        if (worthTelling) return finish(asked, answer.message);
        return { kind: "failed", why: answer.why, message: answer.message, added, usage };
      }
      spend(answer.usage);
      model = answer.model;
      // Some endpoints let it call all the same. What it proposes then is its answer; the rest comes too late.
      const calls = last ? answer.toolCalls.filter(({ name }) => proposing.has(name)) : answer.toolCalls;
      const { finish: why, lostCalls = 0, refused = false } = answer;
      const read = parseReply(answer.text, { finish: why, servers, maxActions });
      const parsed: WeakReply = { ...read, called: calls.length > 0, lostCalls: last ? 0 : lostCalls, refused };
      replies.push(parsed);
      const doing = parsed.status ?? (calls[0] && doingOf(calls[0].name));
      if (doing !== undefined) onStatus(doing);
      add(storedReply(answer, calls));
      if (calls.length > 0) {
        await answerCalls(calls, asked);
        if (signal.aborted) return { kind: "failed", why: "deadline", message: "stopped", added, usage };
        if (toolbox.question()) return finish(asked);
        if (!last && (!toolbox.proposed() || parsed.prose === "")) continue;
      }
      const review = last ? undefined : followUp(parsed);
      if (!review) return finish(asked);
      add({ role: "user", content: review.message });
    }
  }

  const outcome = await loop();
  const durationMs = Math.round(performance.now() - started);
  log({
    level: "info",
    event: "turn_end",
    ...(model !== undefined && { model }),
    inputTokens: usage.inputTokens,
    outputTokens: usage.outputTokens,
    totalTokens: usage.inputTokens + usage.outputTokens,
    durationMs,
    toolCallCount,
  });
  return { ...outcome, toolCallCount, durationMs };
}

/** What a call does, for people. */
const doings: Readonly<Record<string, string>> = {
  list_servers: "looks at the servers",
  use_skill: "reads the runbook",
  read_output: "reads more of an output",
  update_plan: "updates its plan",
  start_workflow: "takes up a workflow",
  delegate: "asks a helper",
};
const doingOf = (tool: string): string => doings[tool] ?? `using ${tool.slice(0, 40).replaceAll("_", " ")}`;
