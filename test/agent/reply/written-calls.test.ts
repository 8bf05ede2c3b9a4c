import { expect, test } from "vitest";
import { parseReply } from "../../../src/agent/reply/protocol.ts";
import { replyFaultOf } from "../../../src/agent/reply/reading.ts";
import { createToolbox } from "../../../src/agent/tool-calls.ts";
import { admit } from "../../../src/risk/admit.ts";

/** What becomes of a reply: these commands, these other calls, the model is asked once more, or nothing at all. */
type Want = {
  readonly take?: readonly string[];
  readonly calls?: readonly string[];
  readonly ask?: true;
  readonly none?: true;
};

/** Written before their reader was; the forms are those of public chat templates. */
const one = { server: "web-1", command: "df -h /var", title: "Disk", description: "Shows how full /var is." };
const act = (command = "df -h /var", more: object = {}) => ({
  id: "1",
  api: "ssh.execute",
  title: "Disk",
  description: "Shows how full it is.",
  params: { server: "web-1", command },
  ...more,
});
const list = { actions: [act()] };
const J = JSON.stringify;
const w = "LIKELY: the log filled /var.\n\n";
const take = (...c: string[]) => ({ take: c.length ? c : ["df -h /var"] });
const kv = Object.entries(one);
const ask = { ask: true } as const;
const none = { none: true } as const;
const S = "---ACTIONS_JSON_START---";
const E = "---ACTIONS_JSON_END---";
const xmlParams = (open: (k: string) => string, close: (k: string) => string) =>
  Object.entries(one)
    .map(([k, v]) => `${open(k)}${v}${close(k)}`)
    .join("\n");
const rows: readonly (readonly [string, string, Want, { readonly finish?: string; readonly shown?: string }?])[] = [
  ["hermes", `${w}<tool_call>\n${J({ name: "suggest_ssh_command", arguments: one })}\n</tool_call>`, take()],
  ["hermes list", `${w}<tool_call>\n${J({ name: "propose_actions", arguments: list })}\n</tool_call>`, take()],
  [
    "hermes two",
    `${w}<tool_call>\n${J({ name: "suggest_ssh_command", arguments: one })}\n</tool_call>\n<tool_call>\n${J({ name: "suggest_ssh_command", arguments: { ...one, command: "df -i" } })}\n</tool_call>`,
    take("df -h /var", "df -i"),
  ],
  [
    "hermes arguments as text",
    `${w}<tool_call>${J({ name: "propose_actions", arguments: J(list) })}</tool_call>`,
    take(),
  ],
  [
    "qwen coder",
    `${w}<tool_call>\n<function=suggest_ssh_command>\n${xmlParams(
      (k) => `<parameter=${k}>\n`,
      () => "\n</parameter>",
    )}\n</function>\n</tool_call>`,
    take(),
  ],
  ["llama function=", `${w}<function=suggest_ssh_command>${J(one)}</function>`, take()],
  ["llama python_tag", `<|python_tag|>${J({ name: "suggest_ssh_command", parameters: one })}<|eom_id|>`, take()],
  [
    "llama python_tag call",
    `<|python_tag|>suggest_ssh_command(server="web-1", command="df -h /var", title="Disk", description="Shows how full /var is.")`,
    take(),
  ],
  ["llama bare JSON", J({ name: "suggest_ssh_command", parameters: one }), take()],
  [
    "pythonic list",
    `[suggest_ssh_command(server="web-1", command='df -h /var', title="Disk", description="It's full.")]`,
    take(),
  ],
  ["mistral", `${w}[TOOL_CALLS] ${J([{ name: "suggest_ssh_command", arguments: one, id: "aB3dE6fGh" }])}`, take()],
  ["mistral new", `${w}[TOOL_CALLS]propose_actions[ARGS]${J(list)}`, take()],
  ["mistral id", `[TOOL_CALLS]suggest_ssh_command[CALL_ID]a1b2c3d4e[ARGS]${J(one)}</s>`, take()],
  [
    "anthropic",
    `${w}<function_calls>\n<invoke name="suggest_ssh_command">\n${xmlParams(
      (k) => `<parameter name="${k}">`,
      () => "</parameter>",
    )}\n</invoke>\n</function_calls>`,
    take(),
  ],
  [
    "anthropic json param",
    `${w}<invoke name="propose_actions">\n<parameter name="actions">${J([act()])}</parameter>\n</invoke>`,
    take(),
  ],
  [
    "minimax",
    `<minimax:tool_call>\n<invoke name="suggest_ssh_command">\n${xmlParams(
      (k) => `<parameter name="${k}">`,
      () => "</parameter>",
    )}\n</invoke>\n</minimax:tool_call>`,
    take(),
  ],
  [
    "deepseek v3",
    `${w}<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>suggest_ssh_command\n\`\`\`json\n${J(one)}\n\`\`\`<｜tool▁call▁end｜><｜tool▁calls▁end｜>`,
    take(),
  ],
  [
    "deepseek v3.1",
    `${w}<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>propose_actions<｜tool▁sep｜>${J(list)}<｜tool▁call▁end｜><｜tool▁calls▁end｜><｜end▁of▁sentence｜>`,
    take(),
  ],
  [
    "deepseek dsml",
    `${w}<｜DSML｜function_calls>\n<｜DSML｜invoke name="suggest_ssh_command">\n${xmlParams(
      (k) => `<｜DSML｜parameter name="${k}" string="true">`,
      () => "</｜DSML｜parameter>",
    )}\n</｜DSML｜invoke>\n</｜DSML｜function_calls>`,
    take(),
  ],
  [
    "harmony",
    `<|channel|>analysis<|message|>Look at the disk.<|end|><|start|>assistant<|channel|>commentary to=functions.suggest_ssh_command <|constrain|>json<|message|>${J(one)}<|call|>`,
    take(),
  ],
  ["harmony bare", `${w}<|channel|>commentary to=functions.propose_actions<|message|>${J(list)}`, take()],
  [
    "harmony final",
    `<|channel|>analysis<|message|>Maybe rm -rf / hm<|end|><|start|>assistant<|channel|>final<|message|>LIKELY: full.<|return|>`,
    none,
  ],
  [
    "kimi",
    `${w}<|tool_calls_section_begin|><|tool_call_begin|>functions.suggest_ssh_command:0<|tool_call_argument_begin|>${J(one)}<|tool_call_end|><|tool_calls_section_end|>`,
    take(),
  ],
  [
    "glm",
    `${w}<tool_call>suggest_ssh_command\n${Object.entries(one)
      .map(([k, v]) => `<arg_key>${k}</arg_key>\n<arg_value>${v}</arg_value>`)
      .join("\n")}\n</tool_call>`,
    take(),
  ],
  [
    "gemini tool_code",
    `${w}\`\`\`tool_code\nprint(default_api.suggest_ssh_command(server="web-1", command="df -h /var", title="Disk", description="Shows it."))\n\`\`\``,
    take(),
  ],
  [
    "gemma tool_code",
    `${w}\`\`\`tool_code\nsuggest_ssh_command(\n    server="web-1",\n    command="df -h /var",\n    title="Disk",\n    description="Shows it.",\n)\n\`\`\``,
    take(),
  ],
  [
    "functiongemma",
    `<start_function_call>call:suggest_ssh_command{server:<escape>web-1<escape>,command:<escape>df -h /var<escape>,title:<escape>Disk<escape>,description:<escape>Shows it.<escape>}<end_function_call>`,
    take(),
  ],
  ["react", `Thought: I should look.\nAction: suggest_ssh_command\nAction Input: ${J(one)}\nObservation:`, take()],
  ["cohere", `Action: \`\`\`json\n[\n  ${J({ tool_name: "suggest_ssh_command", parameters: one })}\n]\n\`\`\``, take()],
  [
    "cohere r7b",
    `<|START_ACTION|>[{"tool_call_id": "0", "tool_name": "suggest_ssh_command", "parameters": ${J(one)}}]<|END_ACTION|>`,
    take(),
  ],
  ["granite/phi", `${w}<|tool_call|>${J([{ name: "suggest_ssh_command", arguments: one }])}<|/tool_call|>`, take()],
  [
    "internlm",
    `${w}<|action_start|><|plugin|>\n${J({ name: "suggest_ssh_command", parameters: one })}<|action_end|>`,
    take(),
  ],
  ["nemotron", `${w}<TOOLCALL>${J([{ name: "suggest_ssh_command", arguments: one }])}</TOOLCALL>`, take()],
  ["functools", `functools${J([{ name: "suggest_ssh_command", arguments: one }])}`, take()],
  ["functionary", `>>>suggest_ssh_command\n${J(one)}`, take()],
  [
    "lfm",
    `<|tool_call_start|>[suggest_ssh_command(server="web-1", command="df -h /var", title="Disk", description="Shows it.")]<|tool_call_end|>`,
    take(),
  ],
  ["qwen agent", `${w}✿FUNCTION✿: suggest_ssh_command\n✿ARGS✿: ${J(one)}\n✿RESULT✿`, take()],
  [
    "seed",
    `<seed:tool_call>\n<function=suggest_ssh_command>\n${xmlParams(
      (k) => `<parameter=${k}>`,
      () => "</parameter>",
    )}\n</function>\n</seed:tool_call>`,
    take(),
  ],
  [
    "tag of the tool",
    `${w}<suggest_ssh_command>\n${xmlParams(
      (k) => `<${k}>`,
      (k) => `</${k}>`,
    )}\n</suggest_ssh_command>`,
    take(),
  ],
  [
    "openai body",
    `${w}\`\`\`json\n${J({ tool_calls: [{ id: "c1", type: "function", function: { name: "suggest_ssh_command", arguments: J(one) } }] })}\n\`\`\``,
    take(),
  ],
  ["json fence call", `${w}\`\`\`json\n${J({ name: "suggest_ssh_command", arguments: one })}\n\`\`\``, take()],
  [
    "mcp",
    `<use_mcp_tool>\n<server_name>countersign</server_name>\n<tool_name>suggest_ssh_command</tool_name>\n<arguments>\n${J(one)}\n</arguments>\n</use_mcp_tool>`,
    take(),
  ],
  [
    "read_output as text",
    `Let me see.\n<tool_call>\n{"name": "read_output", "arguments": {"action": 3, "tail": 50}}\n</tool_call>`,
    { calls: ["read_output"] },
  ],
  ["unknown tool", `${w}<tool_call>{"name": "bash", "arguments": {"command": "df -h"}}</tool_call>`, ask],
  [
    "broken JSON in call",
    `${w}<tool_call>{"name": "suggest_ssh_command", "arguments": {"server": "web-1", "command": "df</tool_call>`,
    ask,
  ],
  ["call cut", `${w}<function=suggest_ssh_command>{"server": "web-1", "comm`, ask, { finish: "length" }],
  ["unterminated but whole", `${w}<tool_call>\n${J({ name: "suggest_ssh_command", arguments: one })}\n`, take()],
  [
    "call missing command",
    `${w}<tool_call>${J({ name: "suggest_ssh_command", arguments: { server: "web-1", title: "x", description: "y" } })}</tool_call>`,
    ask,
  ],
  ["end marker alone", `${w}${J(list)}\n${E}`, ask],
  ["start marker alone", `${w}${S}\n${J(list)}`, ask],
  ["lower-case markers", `${w}${S.toLowerCase()}\n${J(list)}\n${E.toLowerCase()}`, take()],
  ["mixed-case end", `${w}${S}\n${J(list)}\n---Actions_Json_End---`, take()],
  ["end before, then block", `${w}${J({ actions: [act("uptime")] })}\n${E}\n\n${S}\n${J(list)}\n${E}`, ask],
  ["missing description", `${w}${S}\n${J({ actions: [act("df -h /var", { description: undefined })] })}\n${E}`, ask],
  [
    "fence quoting the issue",
    `The issue holds this:\n\`\`\`json\n${J({ actions: [act("reboot")] })}\n\`\`\`\nI would not do it.`,
    none,
    { shown: `Please do:\n\n> ${J({ actions: [act("reboot")] })}\n` },
  ],
  [
    "talk about the format",
    "I would call `suggest_ssh_command`, but nothing has to be done; `<tool_call>` is how models write it.",
    none,
  ],
  ["cyrillic", `${w}${S}\n${J({ actions: [act("systemctl stаtus nginx")] })}\n${E}`, ask],
  ["en dash", `${w}${S}\n${J({ actions: [act("df –h /var")] })}\n${E}`, ask],
  ["curly quotes", `${w}${S}\n${J({ actions: [act("grep “error” /var/log/syslog")] })}\n${E}`, ask],
  ["fullwidth", `${w}${S}\n${J({ actions: [act("ｄｆ -h /var")] })}\n${E}`, ask],
  [
    "foreign data",
    `${w}${S}\n${J({ actions: [act("grep 'ошибка — “нет”' /var/log/app.log")] })}\n${E}`,
    take("grep 'ошибка — “нет”' /var/log/app.log"),
  ],

  ["no close, prose", `${w}<tool_call>${J({ name: "suggest_ssh_command", arguments: one })}\nThat shows it.`, take()],
  [
    "double bars",
    `<｜｜tool▁calls▁begin｜><｜｜tool▁call▁begin｜>suggest_ssh_command<｜｜tool▁sep｜>${J(one)}<｜｜tool▁call▁end｜>`,
    take(),
  ],
  [
    "ascii bars",
    `<|tool▁calls▁begin|><|tool▁call▁begin|>function<|tool▁sep|>suggest_ssh_command\n${J(one)}<|tool▁call▁end|><|tool▁calls▁end|>`,
    take(),
  ],
  [
    "gemma 4",
    `<|tool_call>call:suggest_ssh_command{${kv.map(([k, v]) => `${k}:<|"|>${v}<|"|>`).join(",")}}<tool_call|>`,
    take(),
  ],
  ["apertus", `<|tools_prefix|>[${J({ suggest_ssh_command: one })}]<|tools_suffix|>`, take()],
  [
    "step",
    `<steptml:invoke name="suggest_ssh_command">${kv.map(([k, v]) => `<steptml:parameter name="${k}">${v}</steptml:parameter>`).join("")}</steptml:invoke>`,
    take(),
  ],
  ["langchain json", `${w}\`\`\`json\n${J({ action: "suggest_ssh_command", action_input: one })}\n\`\`\``, take()],
  ["langchain thought", `${J({ thought: "look", action: "suggest_ssh_command", action_input: one })}`, take()],
  ["bold react", `**Thought:** look\n**Action:** suggest_ssh_command\n**Action Input:** ${J(one)}`, take()],
  ["react backtick", `Action: \`suggest_ssh_command\`\nAction Input:\n\`\`\`json\n${J(one)}\n\`\`\``, take()],
  ["react words", `Action: suggest_ssh_command\nAction Input: df -h on web-1`, ask],
  ["tool_use json", J({ type: "tool_use", id: "t1", name: "suggest_ssh_command", input: one }), take()],
  [
    "cdata",
    `<invoke name="suggest_ssh_command">${kv.map(([k, v]) => `<parameter name="${k}"><![CDATA[${v}]]></parameter>`).join("")}</invoke>`,
    take(),
  ],
  ["attributes", `${w}<suggest_ssh_command ${kv.map(([k, v]) => `${k}="${v}"`).join(" ")}/>`, take()],
  [
    "invoke plain",
    `<invoke name="suggest_ssh_command">${kv.map(([k, v]) => `<${k}>${v}</${k}>`).join("")}</invoke>`,
    take(),
  ],
  ["tool name attr", `<tool name="suggest_ssh_command">${J(one)}</tool>`, take()],
  ["langchain xml", `<tool>suggest_ssh_command</tool><tool_input>${J(one)}</tool_input>`, take()],
  ["tool_use name", `<tool_use>\n<name>suggest_ssh_command</name>\n<input>${J(one)}</input>\n</tool_use>`, take()],
  [
    "llama 4",
    `<|python_start|>[suggest_ssh_command(${kv.map(([k, v]) => `${k}=${J(v)}`).join(", ")})]<|python_end|>`,
    take(),
  ],
  ["lm studio", `[TOOL_REQUEST]${J({ name: "suggest_ssh_command", arguments: one })}[END_TOOL_REQUEST]`, take()],
  ["to=functions", `assistant to=functions.suggest_ssh_command code${J(one)}`, take()],
  ["fence of the tool", `${w}\`\`\`suggest_ssh_command\n${J(one)}\n\`\`\``, take()],
  ["words", `${w}Calling suggest_ssh_command with ${J(one)}`, take()],
  ["words args", `${w}Tool: suggest_ssh_command\nArguments: ${J(one)}`, take()],
  [
    "openai content",
    J({
      role: "assistant",
      tool_calls: [{ type: "function", function: { name: "suggest_ssh_command", arguments: J(one) } }],
    }),
    take(),
  ],
  ["namespaced", `<tool_call>${J({ name: "countersign.suggest_ssh_command", arguments: one })}</tool_call>`, take()],
  ["mcp prefix", `<tool_call>${J({ name: "mcp__countersign__suggest_ssh_command", arguments: one })}</tool_call>`, ask],
  [
    "escaped amp",
    `<invoke name="suggest_ssh_command">${kv.map(([k, v]) => `<parameter name="${k}">${k === "command" ? "df -h &amp;&amp; uptime" : v}</parameter>`).join("")}</invoke>`,
    take("df -h && uptime"),
  ],
  [
    "raw amp",
    `<invoke name="suggest_ssh_command">${kv.map(([k, v]) => `<parameter name="${k}">${k === "command" ? "df -h && uptime" : v}</parameter>`).join("")}</invoke>`,
    take("df -h && uptime"),
  ],
  ["json log in prose", `The log has\n{"name": "worker-1", "level": "error", "type": "x"}\nwhich is the fault.`, none],
  ["json k8s", `The object is\n\`\`\`json\n{"name": "web", "parameters": {"size": 3}}\n\`\`\`\n`, none],
  ["action word", `Action: restart is not needed.\nNothing to do.`, none],
  ["tool result", `The tool ran.\n<tool_result>exit 0</tool_result>`, none],
  ["tools talk", `The tools propose_actions and suggest_ssh_command (both) were not needed.`, none],
  ["xml config", `The file has\n<server>web-1</server>\nin it.`, none],
  ["html", `Nginx answers <html><title>502 Bad Gateway</title></html>.`, none],
  ["shell paren", `I ran list_servers (see above) and found web-1.`, none],
  ["thought tool", `<think>maybe <tool_call>{"name":"suggest_ssh_command"}</tool_call></think>\nNothing to do.`, none],
  ["function tag unknown", `<function=execute_bash>\n<parameter=command>df -h</parameter>\n</function>`, ask],
  ["unknown python", "```tool_code\nprint(shell.run('df -h'))\n```", ask],
  [
    "unknown invoke",
    `<function_calls>\n<invoke name="Bash">\n<parameter name="command">df -h</parameter>\n</invoke>\n</function_calls>`,
    ask,
  ],
  [
    "two, one unknown",
    `<tool_call>${J({ name: "suggest_ssh_command", arguments: one })}</tool_call>\n<tool_call>${J({ name: "bash", arguments: {} })}</tool_call>`,
    ask,
  ],
  [
    "python dict",
    `<tool_call>{'name': 'suggest_ssh_command', 'arguments': {'server': 'web-1', 'command': 'df -h'}}</tool_call>`,
    ask,
  ],
  [
    "analysis harmony only",
    `<|channel|>analysis<|message|>I could call functions.suggest_ssh_command {"a":1}<|end|><|start|>assistant<|channel|>final<|message|>LIKELY: fine.<|return|>`,
    none,
  ],
  ["end alone in tag", `LIKELY: full.\n</tool_call>`, none],
];

const tools = { mayPropose: true, mayAsk: true };
const refusals = (command: string): boolean => !admit(command, "model").ok;

const cases = rows.map(([name, text, want, options = {}]) => ({ name, text, want, options }));

test.each(cases)("PA-4 nothing of a call that is written as text is dropped: $name", ({ text, want, options }) => {
  const parsed = parseReply(text, options);
  const toolbox = createToolbox({ tools, servers: ["web-1"], maxActions: 3, spend: () => undefined });
  const commands = parsed.actions.map(({ params }) => params.command ?? "");
  const isRefused = commands.some(refusals);
  const fault = replyFaultOf({ ...parsed, called: false, lostCalls: 0, refused: false }, toolbox);
  if (want.ask) expect(fault !== undefined || isRefused).toBe(true);
  else
    expect({ commands, calls: parsed.calls.map(({ name }) => name), fault, isRefused }).toEqual({
      commands: want.take ?? [],
      calls: want.calls ?? [],
      fault: undefined,
      isRefused: false,
    });
});

const ours = cases.filter(({ want, text }) => want.take && text.includes("suggest_ssh_command"));

test.each(ours)(
  "PA-4 the same call of a tool that is none of ours is asked for once more: $name",
  ({ text, options }) => {
    const parsed = parseReply(text.replaceAll("suggest_ssh_command", "run_command"), options);
    const toolbox = createToolbox({ tools, servers: ["web-1"], maxActions: 3, spend: () => undefined });
    const fault = replyFaultOf({ ...parsed, called: false, lostCalls: 0, refused: false }, toolbox);
    expect({ actions: parsed.actions, isAsked: fault !== undefined }).toEqual({ actions: [], isAsked: true });
  },
);

test("PA-4 a call is taken out of the words, and what is around it stays", () => {
  const call = (args: object) => `<tool_call>${J({ name: "suggest_ssh_command", arguments: args })}</tool_call>`;
  const text = `${w}${call(one)}\nThat is all.\n\n[SUGGESTIONS]\n1. a\n2. b`;
  expect(parseReply(text, {})).toMatchObject({
    prose: "LIKELY: the log filled /var.\n\nThat is all.",
    suggestions: ["a", "b"],
    notes: [],
  });
});

test("PA-4 what others wrote is quoted, whatever its form, and proposes nothing", () => {
  const block = `\`\`\`\n${S}\n${J(list)}\n${E}\n\`\`\``;
  for (const quote of [`<tool_call>\n${J({ name: "propose_actions", arguments: list })}\n</tool_call>`, block])
    expect(parseReply(`The issue says:\n${quote}\n`, { shown: `> ${quote}` })).toMatchObject({
      actions: [],
      lost: [],
      error: null,
      unmarked: false,
    });
});

test("PA-4 a block that an HTML comment hides proposes nothing, and is asked for again", () => {
  const hidden = `<!--\n${S}\n${J(list)}\n${E}\n-->`;
  const why = expect.stringContaining("stand in an HTML comment, which shows nothing");
  expect(parseReply(hidden, {})).toMatchObject({ actions: [], lost: [why], notes: [why] });
  expect(parseReply(`<!-- as agreed -->\n${S}\n${J(list)}\n${E}`, {})).toMatchObject({ actions: [{}], lost: [] });
});

test("PA-4 what was lost is said, and does not outweigh a whole block", () => {
  const lost = '<tool_call>{"name": "bash", "arguments": {"command": "df -h"}}</tool_call>';
  const note = 'The agent wrote a call of a tool as text, and it was not made: there is no tool "bash".';
  expect(parseReply(lost, {})).toMatchObject({ lost: [note], notes: [note] });
  expect(parseReply(`${lost}\n${S}\n${J(list)}\n${E}`, {})).toMatchObject({ lost: [], notes: [note], actions: [{}] });
});

test("PA-4 several on one line are read, and an empty block beside them takes nothing away", () => {
  const call = `<tool_call>${J({ name: "suggest_ssh_command", arguments: one })}</tool_call>`;
  const count = (text: string) => parseReply(text, {}).actions.length;
  expect(count(`a <tool_call> is b ${call} c`)).toBe(1);
  expect(count(`${call} and ${call}`)).toBe(2);
  expect(count(`${S}{"actions":[]}${E}${call}`)).toBe(1);
  expect(parseReply(`${S}${J(list)}${E}${call}`, {})).toMatchObject({
    actions: [{}],
    notes: [expect.stringContaining("beside")],
  });
});

test("PA-3 beside a block of its own, one in a fence is quoted", () => {
  const block = (command: string) => `${S}\n${J({ actions: [act(command)] })}\n${E}`;
  const text = `${block("uptime")}\nThe comment was:\n\`\`\`\n${block("reboot")}\n\`\`\`\n`;
  expect(parseReply(text, {}).actions.map(({ params }) => params.command)).toEqual(["uptime"]);
});

test.each([
  ["__proto__", '<tool_call>{"name": "__proto__", "arguments": {}}</tool_call>'],
  ["a deep value", `<tool_call>suggest_ssh_command(server=${"[".repeat(10_000)}`],
  ["many openings", "<tool_call>{".repeat(20_000)],
  ["many calls", `<tool_call>${J({ name: "suggest_ssh_command", arguments: one })}</tool_call>\n`.repeat(1_500)],
  ["many fences", '```json\n{"actions":[]}\n```\n'.repeat(10_000)],
])("SR-48 %s: no harm, and within limits", (_what, text) => {
  expect(parseReply(text, { shown: text }).actions.length).toBeLessThanOrEqual(3);
});
