import { expect } from "vitest";
import { endMarker as end, startMarker as start } from "../../src/agent/reply/markers.ts";
import { parseReply } from "../../src/agent/reply/protocol.ts";
import { fc } from "../harness/chance.ts";

/** In every action of the fuzz, and in nothing else: where it turns up is what became of the action. */
const probe = "probe-7f3a";

const action = (change: object = {}) => ({
  id: "1",
  api: "ssh.execute",
  title: "Look",
  description: "looks",
  params: { server: "web-1", command: `echo ${probe}` },
  ...change,
});

const shards = fc.constantFrom(
  start,
  end,
  start.toLowerCase(),
  "[SUGGESTIONS]",
  "<think>",
  "</think>",
  "<status>",
  "```",
  "```json",
  "~~~~",
  "> ",
  "    ",
  "\t",
  "\n",
  "\r\n",
  "\r",
  "1. ",
  "- ",
  '"',
  "\\",
  "{",
  "}",
  "[",
  "]",
  JSON.stringify({ actions: [action()] }),
  JSON.stringify([action({ id: "__proto__" })]),
  JSON.stringify([action({ api: "ssh.format" }), action(), action(), action(), action()]),
  `${start}\n${JSON.stringify([action({ risk: "none" })])}\n${end}`,
  "<tool_call>",
  "</tool_call>",
  "<|channel|>commentary to=functions.propose_actions<|message|>",
  "[TOOL_CALLS]",
  "```tool_code",
  JSON.stringify({ name: "propose_actions", arguments: { actions: [action()] } }),
  JSON.stringify({ name: "bash", arguments: { command: `echo ${probe}` } }),
  `<function=suggest_ssh_command>\n<parameter=command>echo ${probe}</parameter>\n</function>`,
  `suggest_ssh_command(server="web-1", command="echo ${probe}", title="Look", description="looks")`,
  "[Open runbook](x)",
  "[PHASE] act",
  "CONFIRMED",
);
const replies = fc.array(fc.oneof({ weight: 4, arbitrary: shards }, fc.string({ unit: "binary", maxLength: 20 })), {
  maxLength: 60,
});

/** Thoughts are dropped on purpose, and what a status holds is for the board. */
const mayVanish = /<\/?think|<status>/i;

/**
 * Reads this many replies of whatever models write and worse (PA-4): no exception, no more than may be, the same text always
 * alike, and an action that stands in a reply is taken, told of, or read by people as it stands.
 */
export function fuzzReplies(numRuns: number): void {
  fc.assert(
    fc.property(replies, fc.constantFrom("stop", "length", undefined), (parts, finish) => {
      const text = parts.join("");
      const parsed = parseReply(text, { finish });
      expect(parsed.actions.length).toBeLessThanOrEqual(3);
      expect(parsed.suggestions.length).toBeLessThanOrEqual(4);
      expect(new Set(parsed.actions.map((one) => one.id)).size).toBe(parsed.actions.length);
      for (const one of parsed.actions) expect(one.params.command ?? "").not.toMatch(/[\p{Cc}\p{Cf}]/u);
      if (parsed.error) expect(parsed.actions).toEqual([]);
      expect(parseReply(text, { finish })).toEqual(parsed);
      if (!text.includes(probe) || mayVanish.test(text)) return;
      const read = [parsed.prose, ...parsed.suggestions].some((words) => words.includes(probe));
      const told = parsed.notes.length > 0 || parsed.warnings.includes("too-many-suggestions");
      expect(read || told || parsed.actions.length > 0).toBe(true);
    }),
    { numRuns },
  );
}
