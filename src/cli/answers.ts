import { createHash } from "node:crypto";
import { parseReply, replyRecord } from "../agent/reply/protocol.ts";
import { readTurn, replyFaultOf } from "../agent/reply/reading.ts";
import { createToolbox } from "../agent/tool-calls.ts";
import { isKeptBack } from "../agent/wire/shapes.ts";
import type { Skill } from "../base/github.ts";
import type { Fields } from "../base/json.ts";
import { allShells, type OperatingSystem } from "../base/server.ts";
import { commandFor } from "../commands/slash-comment.ts";
import type { Config } from "../config/values.ts";
import { admit } from "../risk/admit.ts";
import { createEvaluator, inventoryOf } from "../risk/evaluate.ts";
import { createTracer } from "../risk/trace.ts";
import { whyAttended } from "../risk/unattended.ts";
import { createMatcher } from "../runbooks/match/matcher.ts";
import { parseSlashCommand } from "../slash/grammar.ts";
import { createRedactor } from "../text/redact.ts";
import { textOfLine } from "./terminal.ts";

/** Pure functions from record to record (CONFIG, POLICY-6). */

export type AnswerRecord = (record: Fields) => unknown;

/** `{command, os?, shell?, server?}` → `{risk, reasons}`, rules strictest first, and the versions that an approval binds. */
export function explainAnswer(config: Config | undefined): AnswerRecord {
  const inventory = inventoryOf(config?.servers.values() ?? []);
  const evaluate = createEvaluator({ ...config?.policy, inventory, now: Date.now });
  return (record) => {
    const server = typeof record.server === "string" ? config?.servers.get(record.server) : undefined;
    if (config && record.server !== undefined && !server)
      throw new Error(`there is no server ${JSON.stringify(record.server)}`);
    const os: OperatingSystem = record.os === "windows" || server?.os === "windows" ? "windows" : "linux";
    const command = textOfLine(record, "command");
    const tracer = createTracer();
    const where = {
      ...server,
      os,
      shell:
        allShells.find((one) => one === record.shell) ?? server?.shell ?? (os === "windows" ? "powershell" : "bash"),
    };
    const verdict = evaluate(command, where, tracer);
    const { risk, unknown, findings, egress, sends, unbounded, rulesVersion } = verdict;
    return {
      risk,
      reasons: findings.map(({ text }) => text),
      rule: findings[0]?.ruleId,
      unknown,
      egress,
      sends,
      bounded: unbounded.length === 0,
      unbounded,
      attended: whyAttended(verdict),
      findings,
      ...tracer.finish(),
      rulesVersion,
      sha256: createHash("sha256").update(command).digest("hex"),
    };
  };
}

/** `{text}` → `{text}`; an error if the text cannot be redacted. */
export function redactAnswer(): (text: string) => { readonly text: string } | { readonly error: string } {
  const redact = createRedactor();
  return (text) => {
    const redacted = redact(text);
    return redacted.ok ? { text: redacted.text } : { error: `output withheld: ${redacted.reason}` };
  };
}

/** `{text, finish?, shown?}` → the reply as the bot reads it, and its `turn`. */
export function reply(config: Config | undefined): AnswerRecord {
  const servers = config ? [...config.servers.keys()] : undefined;
  const tools = { mayPropose: true, mayAsk: true };
  const maxActions = config?.agent.maxActionsPerResponse ?? 3;
  return (record) => {
    const finish = typeof record.finish === "string" ? record.finish : undefined;
    const text = textOfLine(record, "text");
    const said = { called: false, lostCalls: 0, refused: isKeptBack(finish) };
    const shown = typeof record.shown === "string" ? record.shown : undefined;
    const parsed = parseReply(text, { finish, servers, maxActions, shown });
    const replies = [{ ...parsed, ...said }];
    const toolbox = createToolbox({ tools, servers: servers ?? [], maxActions, spend: () => {} });
    const { outcome, reading } = readTurn({
      replies,
      sentBack: undefined,
      toolbox,
      tools,
      trouble: [],
      findUnfounded: () => [],
      judge: () => ({ now: [], known: [], lowered: [], faults: [] }),
    });
    const refused = reading.proposals.flatMap(({ title, command }) => {
      const admitted = admit(command, "model");
      return admitted.ok ? [] : [`${title}: ${admitted.reason}`];
    });
    return {
      ...replyRecord(parseReply(text, { finish, servers, shown })),
      turn: {
        outcome,
        confidence: reading.confidence ?? null,
        phase: reading.phase ?? null,
        proposals: reading.proposals.map(({ server, command }) => ({ server, command })),
        calls: parsed.calls,
        asksAgain: replyFaultOf({ ...parsed, ...said }, toolbox) !== undefined,
        warnings: [...reading.notes, ...refused],
      },
    };
  };
}

export function comment(config: Config | undefined): AnswerRecord {
  const prefixes = config?.commands.prefixes ?? ["ops"];
  return (record) => {
    const slash = parseSlashCommand(textOfLine(record, "body"), prefixes);
    if (slash?.kind !== "command" || !commandFor(slash.verb)) return null;
    const flags = [...slash.flags].flatMap(([flag, value]) => (value === "" ? [flag] : [flag, value]));
    const isApprove = slash.verb === "approve";
    const [first] = slash.words;
    const names = config ? [...config.servers.values()].flatMap(({ name, groups }) => [name, ...groups]) : [];
    const restated = isApprove && first !== undefined && names.includes(first) ? [first] : [];
    const words = isApprove ? restated : slash.words;
    const line = slash.words.slice(words.length).join(" ");
    return {
      verb: slash.verb,
      ids: slash.ids === "all" ? "all" : slash.ids.map(({ number, pin }) => (pin ? `${number}@${pin}` : number)),
      args: [...flags, ...words],
      note: [line, slash.rest].filter((part) => part !== "").join("\n"),
    };
  };
}

/** `{id, title, body}` → the matching runbooks, best first. */
export function suggest(skills: readonly Skill[]): AnswerRecord {
  const match = createMatcher(skills);
  return (record) => {
    const { ranked, band } = match({ title: textOfLine(record, "title"), body: textOfLine(record, "body") });
    return { id: record.id, ranked: ranked.map(({ name }) => name), band };
  };
}
