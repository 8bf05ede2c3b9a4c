import { beforeAll, describe, expect, it } from "vitest";
import type { LogLine } from "./harness/playground.ts";
import { useStage } from "./harness/stage.ts";
import { until } from "./harness/until.ts";

/** The seed's table of events (seed 003, 14.3): each with its level and its fields, and where one played incident makes it. */
const table = [
  { event: "server_start", level: "info", fields: ["host", "port", "version"] },
  { event: "session_created", level: "info", fields: ["sessionId", "source"] },
  { event: "turn_start", level: "info", fields: ["sessionId", "model", "messageCount"] },
  {
    event: "turn_end",
    level: "info",
    fields: ["sessionId", "inputTokens", "outputTokens", "totalTokens", "durationMs", "toolCallCount"],
  },
  { event: "tool_call", level: "info", fields: ["sessionId", "tool", "durationMs", "isError"] },
  { event: "tool_blocked", level: "warn", fields: ["sessionId", "tool", "command", "reason"] },
  { event: "tool_timeout", level: "warn", fields: ["sessionId", "tool", "timeoutMs"] },
  { event: "tool_output_truncated", level: "warn", fields: ["sessionId", "tool", "originalSize", "truncatedSize"] },
  { event: "session_compacted", level: "info", fields: ["sessionId", "removedMessages", "summaryTokens"] },
  { event: "provider_error", level: "error", fields: ["provider", "statusCode", "error", "retryAttempt"] },
  { event: "provider_rate_limit", level: "warn", fields: ["provider", "retryAfterMs"] },
  // In place of the web socket's: deliveries, and the jobs they become.
  { event: "delivery_accepted", level: "info", fields: ["guid", "outcome"] },
  { event: "job_start", level: "debug", fields: ["queue", "key", "attempt"] },
  { event: "job_end", level: "info", fields: ["queue", "key", "attempt", "durationMs"] },
  // What the seed has no word for: the session's sum, and a command from its proposal to its end.
  {
    event: "session_usage",
    level: "info",
    fields: ["sessionId", "totalTurns", "totalTokens", "totalToolCalls", "totalDurationMs"],
  },
  { event: "message", level: "debug", fields: ["sessionId", "role", "bytes", "sha256"] },
  { event: "tool_result", level: "debug", fields: ["sessionId", "tool", "bytes", "sha256"] },
  { event: "delivery_payload", level: "debug", fields: ["guid", "name", "bytes", "sha256"] },
  { event: "command_proposed", level: "info", fields: ["sessionId", "number", "risk", "sinceOpenedMs"] },
  { event: "command_approved", level: "info", fields: ["incidentId", "number", "risk"] },
  { event: "run_start", level: "info", fields: ["sessionId", "run", "server", "sinceApprovedMs"] },
  { event: "run_end", level: "info", fields: ["sessionId", "run", "server", "ending", "durationMs", "isError"] },
  { event: "provider_reply", level: "info", fields: ["sessionId", "provider", "durationMs", "inputTokens"] },
] as const;

const proposal = (server: string, command: string, index: number) => ({
  id: `${index + 1}`,
  api: "ssh.execute",
  title: `Step ${index + 1}`,
  description: "Looks at it.",
  risk: "low",
  params: { server, command },
});
const proposals = (...commands: readonly (readonly [server: string, command: string])[]) => ({
  text: "LIKELY: the spool is full.",
  toolCalls: [
    {
      name: "propose_actions",
      arguments: { actions: commands.map(([server, command], index) => proposal(server, command, index)) },
    },
  ],
});

describe("S14 one incident, from the delivery to the results of its commands", () => {
  const linesOf = (event: string): readonly LogLine[] => stage.log.filter((line) => line.event === event);
  const stage = useStage(() => ({
    beside: { "slow-1": { soft_timeout: "1s", hard_timeout: "1s" } },
    endpoint: { context_window: 30_000 },
    config: { model: { retry: { max_retries: 3, base_delay_ms: 1, max_delay_ms: 2 } } },
  }));
  beforeAll(async () => {
    const { model } = stage;
    stage.play(async (command, { channel }) => {
      if (command.includes("uptime")) await new Promise((resolve) => setTimeout(resolve, 5_000));
      for (let line = 0; line < 2_000; line++) channel.write(`all quiet on part ${line} of the spool\n`);
      return 0;
    });
    model.play(
      { status: 503 },
      { status: 429, headers: { "retry-after": "0" } },
      { text: "", toolCalls: [{ name: "list_servers", arguments: {} }] },
      proposals(["web-1", "df -h"], ["slow-1", "uptime"], ["web-1", "rm -rf / --no-preserve-root"]),
    );
    const thread = await stage.open();
    await thread.waitFor((body) => body.includes("- [ ] **1**"), "the proposal card");
    await stage.quiet();
    model.play({
      ...proposals(["web-1", "uname -s"]),
      text: "LIKELY: 1 says all is quiet; 2 timed out: web-1 alone is known.",
    });
    await thread.say("lee", "/approve 1 2 --keep-going");
    await until(() => expect(linesOf("run_end")).toHaveLength(2));
    await stage.quiet();
    // The next turn's request is told to be too long, and is sent once more with its old outputs shortened.
    model.play(
      { status: 400, body: { error: { code: "context_length_exceeded", message: "maximum context length" } } },
      { text: "LIKELY: 4 says that nothing else is known." },
    );
    await thread.say("lee", "/approve 4");
    await until(() => expect(linesOf("turn_end")).toHaveLength(3));
    await stage.quiet();
    model.verify();
  });

  it.each(table)(
    "S14.1 S14.2 S14.3 S14.5 S14.8 $event is logged at $level with its fields",
    ({ event, level, fields }) => {
      const lines = linesOf(event);
      expect(lines, [...new Set(stage.log.map((line) => line.event))].join(" ")).not.toEqual([]);
      for (const line of lines) expect(line.level).toBe(level);
      const full = lines.filter((line) => fields.every((field) => line[field] !== undefined && line[field] !== null));
      expect(full, JSON.stringify(lines)).not.toEqual([]);
    },
  );

  it("S14.1 every turn begins and ends, in the same session", () => {
    const begun = linesOf("turn_start").map(({ sessionId }) => sessionId);
    expect(begun.length).toBeGreaterThanOrEqual(2);
    expect(linesOf("turn_end").map(({ sessionId }) => sessionId)).toEqual(begun);
    expect(new Set(begun).size).toBe(1);
  });

  it("S14.3 the session's sum is that of its turns", () => {
    const sum = (field: string) => linesOf("turn_end").reduce((total, line) => total + Number(line[field]), 0);
    expect(linesOf("session_usage").at(-1)).toMatchObject({
      totalTurns: linesOf("turn_end").length,
      totalTokens: {
        inputTokens: sum("inputTokens"),
        outputTokens: sum("outputTokens"),
        totalTokens: sum("totalTokens"),
      },
      totalToolCalls: sum("toolCallCount"),
      totalDurationMs: sum("durationMs"),
    });
    expect(sum("toolCallCount")).toBeGreaterThan(1);
  });

  it("S14 every time is in whole milliseconds", () => {
    const times = stage.log.flatMap((line) => Object.entries(line).filter(([name]) => name.endsWith("Ms")));
    expect(times.length).toBeGreaterThan(10);
    expect(times.filter(([, value]) => value !== null && !Number.isInteger(value))).toEqual([]);
  });

  it("S14 at level debug no body is in the log unless the operator asks for it", () => {
    expect(stage.log.filter((line) => line.body !== undefined)).toEqual([]);
    expect(linesOf("tool_result").map(({ tool }) => tool)).toEqual(expect.arrayContaining(["list_servers", "ssh"]));
    expect(new Set(linesOf("message").map(({ role }) => role))).toEqual(new Set(["system", "user", "assistant"]));
  });

  it("S14 every line has ts in ISO 8601, the level as a word, module and event, and its fields are camelCase", () => {
    const named = (value: unknown): readonly string[] =>
      typeof value === "object" && value !== null && !Array.isArray(value)
        ? Object.entries(value).flatMap(([key, inner]) => [key, ...named(inner)])
        : [];
    for (const line of stage.log) {
      expect(line).toMatchObject({
        ts: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        level: expect.stringMatching(/^(debug|info|warn|error)$/),
        module: expect.stringMatching(/^[a-z][A-Za-z]*$/),
        event: expect.stringMatching(/^[a-z][a-z_-]*$/),
      });
      expect(named(line).filter((name) => !/^[a-z][A-Za-z0-9]*$/.test(name))).toEqual([]);
    }
  });

  it("INJ-4 the injection is logged by the module systemPrompt with its trigger, files and hashes", () => {
    expect(linesOf("prompt_injected")[0]).toMatchObject({
      module: "systemPrompt",
      msg: "system prompt injected",
      trigger: "initial",
      sections: expect.arrayContaining([expect.objectContaining({ name: "instructions", sha256: expect.any(String) })]),
    });
  });
});
