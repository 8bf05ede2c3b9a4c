import type { ChatMessage, Reading, TokenUsage, ToolCall } from "../base/agent.ts";
import { createProgress } from "./progress.ts";
import { executions } from "./reply/actions.ts";
import { toProposal } from "./reply/proposals.ts";
import { parseReply } from "./reply/protocol.ts";
import { readTurn, type TurnOutcome } from "./reply/reading.ts";
import { type ReviewKind, reviewReply } from "./reply/review.ts";
import { storedReply } from "./reply/stored-reply.ts";
import type { Trouble } from "./reply/trouble.ts";
import type { WeakReply } from "./reply/weak.ts";
import { createToolbox, proposesByCall, type Toolbox } from "./tool-calls.ts";
import { type AskedQuestion, type BlockedProposal, type TurnTools, toolSpecs } from "./tools.ts";
import type { FailureKind } from "./wire/failure.ts";
import type { AskModel } from "./wire/model.ts";
import type { Reply } from "./wire/request.ts";

/** AR-17: within a turn the model is asked at most this often, the last time without tools. */
export const maxAsks = 8;
const maxCallsPerReply = 16;
/** A call that was answered before tells nothing new; whoever makes one twice would go on to the end of the turn. */
const repeatsToEnd = 2;

/** S14.3 events of a turn; the feature adds the session. */
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
export interface TurnEffort {
  readonly toolCallCount: number;
  readonly durationMs: number;
}

export type TurnResult = TurnEffort & Outcome;

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

/** Asks, runs tools, asks again, until the turn is over. */
async function converse(options: TurnOptions): Promise<Outcome & { readonly model: string | undefined }> {
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
    usage = sum(usage, more);
  };
  const toolbox = createToolbox({ tools, servers, maxActions, spend });
  let model: string | undefined;
  const replies: WeakReply[] = [];
  const reviewed = new Map<ReviewKind, WeakReply>();

  /** True where the next request is the last: so many were made, or the model goes round in a circle. */
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
    // With its tools, though none may be called: the request begins as those before it, and the provider's cache holds.
    const request = { messages, tools: toolSpecs(tools), ...(last && { toolChoice: "none" as const }) };
    const answer = await ask(request, { signal, onStatus, onText: createProgress(onStatus, now) });
    if (answer.kind === "failed") {
      const worthTelling = !signal.aborted && (reviewed.size > 0 || hasProposed(toolbox));
      return worthTelling ? finish(asked, answer.message) : failed(answer.why, answer.message);
    }
    spend(answer.usage);
    model = answer.model;
    const { calls, surplus, parsed, doing } = readReply(answer, last, options);
    replies.push(parsed);
    if (doing !== undefined) onStatus(doing);
    add(storedReply(answer, calls));
    for (const [index, call] of calls.entries()) {
      const content = await answerCall(call, toolbox, log);
      const notes = index === calls.length - 1 ? notesBehind(surplus, isLast(asked + 1)) : [];
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
    // What calls have proposed is reported with their results.
    const blocked = toolbox.proposed() ? [] : toolbox.keepBlockedOf(executions(parsed).map(toProposal));
    add({ role: "user", content: [review.message, ...blocked.map(tellBlocked)].join("\n") });
  }
}

const tellBlocked = ({ proposal, why }: BlockedProposal): string =>
  `Policy blocks "${proposal.title}" on ${proposal.server} (${why}). People are shown it as blocked in any case: do not send it again.`;

/** Whether calls have proposed anything, which the conversation then says. */
const hasProposed = ({ proposed, steps }: Toolbox): boolean => proposed() !== undefined || steps().length > 0;

/** What the model is told behind the result of its last call. */
const notesBehind = (surplus: number, isLast: boolean): readonly string[] => [
  ...(surplus > 0
    ? [`(${surplus} more calls were left out: at most ${maxCallsPerReply} are taken in one reply.)`]
    : []),
  ...(isLast ? ["(No more tools in this turn: answer now.)"] : []),
];

/** The reply of one request, what it does, which of its calls are answered, and how many are beyond those that are taken. */
function readReply(answer: Reply, last: boolean, { servers, maxActions }: TurnOptions) {
  const { text, toolCalls, finish, lostCalls = 0, refused = false } = answer;
  // Some endpoints let it call all the same. What it proposes then is its answer; the rest comes too late.
  const fit = last ? toolCalls.filter(({ name }) => proposesByCall(name)) : toolCalls;
  const calls = fit.slice(0, maxCallsPerReply);
  const surplus = fit.length - calls.length;
  const read = parseReply(text, { finish, servers, maxActions });
  const parsed: WeakReply = { ...read, called: calls.length > 0, lostCalls: last ? 0 : lostCalls + surplus, refused };
  return { calls, surplus, parsed, doing: parsed.status ?? doingOf(calls) };
}

async function answerCall(call: ToolCall, toolbox: Toolbox, log: TurnOptions["log"]): Promise<string> {
  const at = performance.now();
  const { content, isError } = await toolbox.run(call);
  const durationMs = Math.round(performance.now() - at);
  log({ level: "info", event: "tool_call", tool: call.name, durationMs, isError });
  return content;
}

/** What a call does, for people; of a reply's calls the one that stands first here. */
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
