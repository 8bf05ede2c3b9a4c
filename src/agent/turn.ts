import { randomUUID } from "node:crypto";
import type { ChatMessage, Hypothesis, Reading, TokenUsage, ToolCall } from "../base/agent.ts";
import { shortenRead } from "./compact.ts";
import { executions, type NamedHypotheses, noHypotheses } from "./reply/actions.ts";
import { bareClaims, findUnfounded, type TurnRecord } from "./reply/claims.ts";
import { hasKnownEnd, judgeHypotheses } from "./reply/hypotheses.ts";
import { toProposal } from "./reply/proposals.ts";
import { parseReply } from "./reply/protocol.ts";
import {
  type ReviewKind,
  readTurn,
  reviewReply,
  type Trouble,
  type TurnOutcome,
  type WeakReply,
} from "./reply/reading.ts";
import { createToolbox, proposesByCall } from "./tool-calls.ts";
import { type AskedQuestion, readArguments, type TurnTools, toolSpecs } from "./tools.ts";
import type { FailureKind } from "./wire/failure.ts";
import type { AskModel } from "./wire/model.ts";
import type { Reply } from "./wire/request.ts";
import { dropThoughts } from "./wire/thoughts.ts";

/** Requests per turn, at most; in the last, no tools may be called. */
export const maxAsks = 8;
const maxCallsPerReply = 16;
/** A model that repeats calls twice would go on until the turn's end. */
const repeatsToEnd = 2;

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
      /** Absent if none answered. */
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
  readonly history: readonly ChatMessage[];
  /** What happened, time, step, phase. */
  readonly news: string;
  readonly tools: TurnTools;
  readonly servers: readonly string[];
  readonly maxActions: number;
  readonly maxAsks?: number;
  /** The reply must address them. */
  readonly trouble?: () => readonly Trouble[];
  /** The words are compared with it as it is then; absent if they are not. */
  readonly record?: TurnRecord;
  /** Without secrets: of what the record does not hold, only what is left is named. */
  readonly bare: (text: string) => string;
  /** As the agent left them. */
  readonly hypotheses?: readonly Hypothesis[];
  readonly signal: AbortSignal;
  /** For the board: `<status>`, or why the turn waits. */
  readonly onStatus: (text: string) => void;
  readonly log: (event: TurnEvent) => void;
  /** Monotonic, in milliseconds. */
  readonly now?: () => number;
  /** Gets each message of this turn; `tool` if it is a tool's result. */
  readonly onMessage?: (message: ChatMessage, tool?: string) => void;
}

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
      readonly question?: AskedQuestion | undefined;
      /** To store, the news first. */
      readonly added: readonly ChatMessage[];
      readonly usage: TokenUsage;
      readonly asked: number;
      /** Why the model did not answer to the end. */
      readonly lost?: string | undefined;
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
 * Runs one turn of the model. Never throws. The model writes words, proposals and tool calls, never an output or a run: results come from
 * `tools` alone (AR-13, AR-15, AR-17, AR-19, OP-7, S14.3).
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

async function converse(options: TurnOptions): Promise<ConversationEnd & { readonly model: string | undefined }> {
  const { ask, system, history, tools, servers, maxActions, signal, onStatus, log } = options;
  const {
    maxAsks: askLimit = maxAsks,
    trouble = () => [],
    record,
    hypotheses: known = [],
    now = () => performance.now(),
  } = options;
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

  /** The limit, or the model goes in a circle. */
  const isLast = (asked: number): boolean => asked === askLimit || toolbox.repeats() >= repeatsToEnd;
  const failed = (why: FailureKind, message: string) =>
    ({ kind: "failed", why, message, added, usage, model }) as const;
  const unfoundedIn = (text: string) => {
    if (!record) return [];
    const proposals = [...toolbox.steps(), ...toolbox.standing()].flatMap(({ command, check = [] }) => [
      command,
      ...check,
    ]);
    const written = replies.flatMap(executions);
    const commands = written.flatMap(({ params, check = [] }) => [
      params.command ?? "",
      ...(params.commands ?? []),
      ...check,
    ]);
    const own = {
      ids: written.flatMap(({ id }) => (/^\d{1,3}$/.test(id) ? [Number(id)] : [])),
      commands: [...proposals, ...commands]
        .flatMap((command) => command.split("\n"))
        .filter((command) => command !== ""),
    };
    const shown = evidenceIn([{ role: "system", content: system }, ...history, ...added]);
    return bareClaims(findUnfounded(text, { record, shown, own }), text, options.bare);
  };
  /** Of the newest list in words and of all calls of the turn; a call wins. */
  const judge = (read: readonly WeakReply[]) => {
    const isThere = ({ named, unreadable }: NamedHypotheses): boolean => named.length + unreadable.length > 0;
    const written = read.map(({ hypotheses }) => hypotheses).findLast(isThere) ?? noHypotheses;
    const called = toolbox.hypotheses();
    const all = {
      named: [...written.named, ...called.named],
      unreadable: [...written.unreadable, ...called.unreadable],
    };
    return judgeHypotheses(all, { known, runs: record?.runs ?? [], findUnfounded: unfoundedIn });
  };
  const finish = (asked: number, lost?: string) => {
    const ran = record?.runs.filter(hasKnownEnd).map(({ number }) => number);
    const sentBack = reviewed.get("fix");
    const { reading, outcome } = readTurn({
      replies,
      sentBack,
      toolbox,
      tools,
      lost,
      trouble: trouble(),
      ran,
      judge,
      findUnfounded: unfoundedIn,
    });
    return { kind: "read", outcome, reading, question: toolbox.question(), added, usage, asked, lost, model } as const;
  };

  const past = shortenRead(history);
  for (let asked = 1; ; asked += 1) {
    const last = isLast(asked);
    const messages: ChatMessage[] = [{ role: "system", content: system }, ...past, ...added];
    // Lists the tools all the same, so that the provider's cache holds.
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
    // Some endpoints allow calls even in the last request: a proposal is then the answer, other calls come too late.
    const shown = [...history, ...added].flatMap(({ role, content }) =>
      role === "user" || role === "tool" ? [content] : [],
    );
    const read = parseReply(text, { finish: finishReason, servers, maxActions, shown: shown.join("\n") });
    const written = read.calls.map(({ name, args }) => ({
      id: `call_${randomUUID()}`,
      name,
      arguments: JSON.stringify(args),
    }));
    const made = [...toolCalls, ...written];
    const fit = last ? made.filter(({ name }) => proposesByCall(name)) : made;
    const calls = fit.slice(0, maxCallsPerReply);
    const surplus = fit.length - calls.length;
    const parsed: WeakReply = { ...read, called: calls.length > 0, lostCalls: last ? 0 : lostCalls + surplus, refused };
    replies.push(parsed);
    const doing = parsed.status ?? doingOf(calls);
    if (doing !== undefined) onStatus(doing);
    add(storedReply(answer, calls));

    let hasNews = false;
    for (const [index, call] of calls.entries()) {
      const at = performance.now();
      const { content, isError, isNews } = await toolbox.run(call, { last });
      hasNews ||= isNews === true;
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
      const isNamed = calls.every(({ name }) => proposesByCall(name)) && toolbox.hypotheses().named.length > 0;
      if (!last && (hasNews || !(toolbox.proposed() || isNamed) || parsed.prose === "")) continue;
    }
    const review = last
      ? undefined
      : reviewReply(
          parsed,
          {
            ...{ toolbox, tools, servers, trouble: trouble() },
            findUnfounded: ({ prose }) => unfoundedIn(prose),
            judge: (reply) => judge([reply]),
          },
          reviewed,
        );
    if (!review) return finish(asked);
    for (const kind of review.kinds) reviewed.set(kind, parsed);
    toolbox.forgetCalls();
    // Results of calls have already reported what is blocked.
    const blocked = toolbox.proposed() ? [] : toolbox.keepBlockedOf(executions(parsed).map(toProposal));
    const lines = blocked.map(
      ({ proposal, why }) =>
        `Policy blocks "${proposal.title}" on ${proposal.server} (${why}). People are shown it as blocked in any case: do not send it again.`,
    );
    add({ role: "user", content: [review.message, ...lines].join("\n"), ofReply: true });
  }
}

/** The agent's hypotheses, given back to it (`delimit`). */
const ownHypotheses = /<(your-hypotheses) nonce="([^"\n]{0,80})">\n(?:- [^\n]*\n)+<\/\1 nonce="\2">/g;

/** What others wrote; neither the model's own words, nor what quotes them, nor a helper's. */
function evidenceIn(messages: readonly ChatMessage[]): string {
  const calls = messages.flatMap((message) => (message.role === "assistant" ? (message.toolCalls ?? []) : []));
  const helpers = new Set(calls.filter(({ name }) => name === "delegate").map(({ id }) => id));
  return messages
    .filter((message) => {
      if (message.role === "tool") return !helpers.has(message.toolCallId);
      return message.role === "system" || (message.role === "user" && !message.ofReply);
    })
    .map(({ content }) => content.replace(ownHypotheses, ""))
    .join("\n\n");
}

/** If a reply has several calls, the first here counts. */
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

/** About when a person begins to wonder. */
const apartMs = 5_000;

/** Shows an answer's length, not its words, which are not redacted yet. */
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

/** Returns the tools that only read, for a helper. */
export const readOnlyTools = ({ listServers, useSkill, skillNames, readOutput }: TurnTools): TurnTools => ({
  ...(listServers && { listServers }),
  ...(useSkill && { useSkill }),
  ...(skillNames && { skillNames }),
  ...(readOutput && { readOutput }),
  mayPropose: false,
  mayAsk: false,
});

/** Fewer than the turn that waits for it. */
const helperAsks = 5;

/**
 * Runs a helper and returns its summary and cost; `system` has no planning section. Throws if the model fails: the calling tool's model
 * reads the reason.
 */
export async function runDelegate(
  options: Pick<TurnOptions, "ask" | "system" | "tools" | "signal" | "log" | "onStatus" | "onMessage"> & {
    readonly task: string;
  },
): Promise<{ readonly summary: string; readonly usage: TokenUsage }> {
  const { task, tools, ...rest } = options;
  const result = await runTurn({
    ...rest,
    // No record, so no claims.
    bare: (text) => text,
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

/** Sent again with each request of the session. */
const maxKeptCharacters = 6_000;
/** Words may have proposals too. */
const maxCallsCharacters = 4_500;
const maxNameCharacters = 64;

/** Returns the reply to store and send again: bounded, without thoughts, which models must not be shown. */
function storedReply(reply: Reply, calls: readonly ToolCall[]): ChatMessage {
  let left = maxCallsCharacters;
  const toolCalls = calls.map((call) => {
    const kept = keptArguments(call.arguments, left);
    left -= kept.length;
    return { ...call, name: call.name.slice(0, maxNameCharacters), arguments: kept };
  });
  const used = toolCalls.reduce((total, { arguments: json }) => total + json.length, 0);
  const content = kept(dropThoughts(reply.text.split("\n")).join("\n").trim(), maxKeptCharacters - used);
  return { role: "assistant", content, ...(calls.length > 0 && { toolCalls }) };
}

/** Proposals and suggestions are at the end. */
function kept(text: string, most: number): string {
  if (text.length <= most) return text;
  const half = Math.floor(most / 2) - 30;
  return `${text.slice(0, half)}\n⋯ ${text.length - 2 * half} characters left out ⋯\n${text.slice(-half)}`;
}

/** Endpoints refuse a conversation if a call's arguments are no JSON object. */
function keptArguments(json: string, most: number): string {
  if (json.length <= most && readArguments(json)) return json;
  const cut = JSON.stringify({ unreadable: kept(json, 400) });
  return cut.length <= most ? cut : "{}";
}
