import type { ChatMessage, Reading, TokenUsage, ToolCall } from "../base/agent.ts";
import { executions } from "./reply/actions.ts";
import { toProposal } from "./reply/proposals.ts";
import { parseReply } from "./reply/protocol.ts";
import { readTurn, type TurnOutcome } from "./reply/reading.ts";
import { type ReviewKind, reviewReply } from "./reply/review.ts";
import { storedReply } from "./reply/stored-reply.ts";
import type { Trouble } from "./reply/trouble.ts";
import type { WeakReply } from "./reply/weak.ts";
import { createToolbox, proposesByCall } from "./tool-calls.ts";
import { type AskedQuestion, type TurnTools, toolSpecs } from "./tools.ts";
import type { FailureKind } from "./wire/failure.ts";
import type { AskModel } from "./wire/model.ts";

/** How often the model is asked within a turn, at most; the last time without tools. */
export const maxAsks = 8;
const maxCallsPerReply = 16;
/** A call that is made again tells nothing new. A model that repeats twice would go on until the turn's end. */
const repeatsToEnd = 2;

/** A log line of a turn; the feature adds the session. */
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
      /** The model that answered. Absent if none did; the line then names the one that was asked. */
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
  /** How often the model is asked at most; by default 8. */
  readonly maxAsks?: number;
  /** The runs that the turn's reply must address. */
  readonly trouble?: readonly Trouble[];
  /** The numbers of what has run so far: a CONFIRMED must name one. Absent if this is not checked. */
  readonly ran?: readonly number[];
  readonly signal: AbortSignal;
  /** Shows a short line on the board: the agent's `<status>`, or why the turn waits for the model. */
  readonly onStatus: (text: string) => void;
  readonly log: (event: TurnEvent) => void;
  /** A monotonic clock in milliseconds. */
  readonly now?: () => number;
  /** Gets each message that this turn adds to the conversation, with the tool if it is a tool's result. */
  readonly onMessage?: (message: ChatMessage, tool?: string) => void;
}

/** What a turn took, answered or not. */
export interface TurnEffort {
  readonly toolCallCount: number;
  readonly durationMs: number;
}

export type TurnResult = TurnEffort & ConversationEnd;

type ConversationEnd =
  | {
      readonly kind: "read";
      readonly outcome: TurnOutcome;
      readonly reading: Reading;
      /** Present if the outcome is `asked`. */
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

export const noUsage: TokenUsage = { inputTokens: 0, outputTokens: 0, cachedTokens: 0, estimated: false };

/**
 * Runs one turn of the model, tool calls included. Never throws. What the model writes becomes words, proposals and tool calls, never
 * an output and never a run: a tool's result comes from `tools` alone (AR-13, AR-15, AR-17, AR-19, OP-7, S14.3).
 */
export async function runTurn(options: TurnOptions): Promise<TurnResult> {
  const { history, log } = options;
  const started = performance.now();
  log({ level: "info", event: "turn_start", messageCount: history.length + 1 });
  const { model, ...outcome } = await converse(options);
  const { inputTokens, outputTokens } = outcome.usage;
  const durationMs = Math.round(performance.now() - started);
  const toolCallCount = outcome.added.filter(({ role }) => role === "tool").length;
  log({
    level: "info",
    event: "turn_end",
    ...(model !== undefined && { model }),
    inputTokens,
    outputTokens,
    totalTokens: inputTokens + outputTokens,
    durationMs,
    toolCallCount,
  });
  return { ...outcome, toolCallCount, durationMs };
}

/** Asks, runs tools and asks again, until the turn is over. */
async function converse(options: TurnOptions): Promise<ConversationEnd & { readonly model: string | undefined }> {
  const { ask, system, history, tools, servers, maxActions, signal, onStatus, log } = options;
  const { maxAsks: askLimit = maxAsks, trouble = [], ran, now = () => performance.now() } = options;
  const added: ChatMessage[] = [];
  const add = (message: ChatMessage, tool?: string): void => {
    added.push(message);
    options.onMessage?.(message, tool);
  };
  add({ role: "user", content: options.news });
  let usage = noUsage;
  const spend = (more: TokenUsage) => {
    usage = {
      inputTokens: usage.inputTokens + more.inputTokens,
      outputTokens: usage.outputTokens + more.outputTokens,
      cachedTokens: usage.cachedTokens + more.cachedTokens,
      estimated: usage.estimated || more.estimated,
    };
  };
  const toolbox = createToolbox({ tools, servers, maxActions, spend });
  let model: string | undefined;
  const replies: WeakReply[] = [];
  const reviewed = new Map<ReviewKind, WeakReply>();

  /** The turn ends with this request: it is the limit, or the model goes round in a circle. */
  const isLast = (asked: number): boolean => asked === askLimit || toolbox.repeats() >= repeatsToEnd;
  const failed = (why: FailureKind, message: string) =>
    ({ kind: "failed", why, message, added, usage, model }) as const;
  const finish = (asked: number, lost?: string) => {
    const sentBack = reviewed.get("fix");
    const { reading, outcome } = readTurn({ replies, sentBack, toolbox, tools, lost, trouble, ran });
    return { kind: "read", outcome, reading, question: toolbox.question(), added, usage, asked, model } as const;
  };

  for (let asked = 1; ; asked += 1) {
    const last = isLast(asked);
    const messages: ChatMessage[] = [{ role: "system", content: system }, ...history, ...added];
    // The last request has the tools too, though none may be called: it begins like the others, so the provider's cache holds.
    const request = { messages, tools: toolSpecs(tools), ...(last && { toolChoice: "none" as const }) };
    const answer = await ask(request, { signal, onStatus, onText: createProgress(onStatus, now) });
    if (answer.kind === "failed") {
      const hasProposed = toolbox.proposed() !== undefined || toolbox.steps().length > 0;
      const isWorthShowing = !signal.aborted && (reviewed.size > 0 || hasProposed);
      return isWorthShowing ? finish(asked, answer.message) : failed(answer.why, answer.message);
    }
    spend(answer.usage);
    model = answer.model;

    const { text, toolCalls, finish: finishReason, lostCalls = 0, refused = false } = answer;
    // Some endpoints let the model call even in the last request. A proposal is then its answer; other calls come too late.
    const fit = last ? toolCalls.filter(({ name }) => proposesByCall(name)) : toolCalls;
    const calls = fit.slice(0, maxCallsPerReply);
    const surplus = fit.length - calls.length;
    const read = parseReply(text, { finish: finishReason, servers, maxActions });
    const parsed: WeakReply = { ...read, called: calls.length > 0, lostCalls: last ? 0 : lostCalls + surplus, refused };
    replies.push(parsed);
    const doing = parsed.status ?? doingOf(calls);
    if (doing !== undefined) onStatus(doing);
    add(storedReply(answer, calls));

    for (const [index, call] of calls.entries()) {
      const at = performance.now();
      const { content, isError } = await toolbox.run(call);
      const durationMs = Math.round(performance.now() - at);
      log({ level: "info", event: "tool_call", tool: call.name, durationMs, isError });
      const isEnd = index === calls.length - 1;
      const notes = [
        ...(isEnd && surplus > 0
          ? [`(${surplus} more calls were left out: at most ${maxCallsPerReply} are taken in one reply.)`]
          : []),
        ...(isEnd && isLast(asked + 1) ? ["(No more tools in this turn: answer now.)"] : []),
      ];
      add({ role: "tool", toolCallId: call.id, content: [content, ...notes].join("\n") }, call.name);
    }
    if (calls.length > 0) {
      if (signal.aborted) return failed("deadline", "stopped");
      if (toolbox.question()) return finish(asked);
      if (!last && (!toolbox.proposed() || parsed.prose === "")) continue;
    }
    const review = last ? undefined : reviewReply(parsed, { toolbox, tools, servers, trouble }, reviewed);
    if (!review) return finish(asked);
    reviewed.set(review.kind, parsed);
    // The results of calls have reported what those proposed.
    const blocked = toolbox.proposed() ? [] : toolbox.keepBlockedOf(executions(parsed).map(toProposal));
    const lines = blocked.map(
      ({ proposal, why }) =>
        `Policy blocks "${proposal.title}" on ${proposal.server} (${why}). People are shown it as blocked in any case: do not send it again.`,
    );
    add({ role: "user", content: [review.message, ...lines].join("\n") });
  }
}

/** What a call does, for people. If a reply has several calls, the first of this table counts. */
const doings: Readonly<Record<string, string>> = {
  use_skill: "reads the runbook",
  read_output: "reads more of an output",
  delegate: "asks a helper",
  start_workflow: "takes up a workflow",
  get_feedback_history: "reads what people thought",
  list_servers: "looks at the servers",
  propose_actions: "proposes commands",
  suggest_ssh_command: "proposes a command",
  update_plan: "updates its plan",
};
function doingOf(calls: readonly ToolCall[]): string | undefined {
  const known = Object.entries(doings).find(([tool]) => calls.some(({ name }) => name === tool));
  return known?.[1] ?? calls.slice(0, 1).map(({ name }) => `using ${name.slice(0, 40).replaceAll("_", " ")}`)[0];
}

/** How often the board is edited at most: about when a person begins to wonder. */
const apartMs = 5_000;

/** Shows now and then how long an answer is while it is being written; not its words, because they are not redacted yet. */
function createProgress(onStatus: (text: string) => void, now: () => number): (text: string) => void {
  let shownAt = now();
  return (text) => {
    const at = now();
    if (at - shownAt < apartMs) return;
    shownAt = at;
    const words = text.trim().split(/\s+/).length;
    onStatus(`writing its answer, ${words} words so far`);
  };
}

/** The tools of a helper: those that only read. */
export const readOnlyTools = ({ listServers, useSkill, skillNames, readOutput }: TurnTools): TurnTools => ({
  ...(listServers && { listServers }),
  ...(useSkill && { useSkill }),
  ...(skillNames && { skillNames }),
  ...(readOutput && { readOutput }),
  mayPropose: false,
  mayAsk: false,
});

/** A helper may ask less often than the turn that waits for it. */
const helperAsks = 5;

/**
 * Runs a helper on a side task and returns its summary and its cost. `system` is a prompt without a planning section. Throws if the
 * model fails: the caller is a tool, and its model reads the reason.
 */
export async function runDelegate(
  options: Pick<TurnOptions, "ask" | "system" | "tools" | "signal" | "log" | "onStatus" | "onMessage"> & {
    readonly task: string;
  },
): Promise<{ readonly summary: string; readonly usage: TokenUsage }> {
  const { task, tools, ...rest } = options;
  const result = await runTurn({
    ...rest,
    tools: readOnlyTools(tools),
    news: task,
    history: [],
    servers: [],
    maxActions: 0,
    maxAsks: helperAsks,
  });
  if (result.kind === "failed") throw new Error(result.message);
  return { summary: result.reading.prose, usage: result.usage };
}
