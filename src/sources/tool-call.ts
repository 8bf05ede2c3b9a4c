import { createHash } from "node:crypto";
import canonicalize from "canonicalize";
import * as z from "zod";
import { messageOf, type Refusal, refuse } from "../base/errors.ts";
import { type Fields, isRecord } from "../base/json.ts";
import type { Source } from "../base/server.ts";
import { parseQuery, type QueryPlan } from "./parse-query.ts";

/** A tool's call as an approval binds it. */
export interface ToolPlan {
  readonly call: string;
  readonly arguments: Fields;
  /** Of the tool as listed. */
  readonly sha256: string;
}

type ToolParsing = { readonly ok: true; readonly plan: QueryPlan | ToolPlan } | Refusal;

/** Reads a command line for a source; a refusal says what to write instead. Pure. */
export function parseOnSource(command: string, source: Source): ToolParsing {
  if (source.kind !== "mcp") return parseQuery(command, source);
  const { tools = {} } = source;
  const [, call = "", written = ""] = /^(\S*)\s*(.*)$/s.exec(command.trim()) ?? [];
  const sha256 = Object.hasOwn(tools, call) ? tools[call] : undefined;
  const form = `write \`${sha256 === undefined ? "TOOL" : call} {"name": "value"}\``;
  if (sha256 === undefined) {
    const names = Object.keys(tools);
    return refuse(
      "the operator has not listed that tool",
      names.length === 0 ? "ask the operator to list it in `sources`" : `${form}; the tools here: ${names.join(", ")}`,
    );
  }
  try {
    const json = written === "" ? "{}" : written;
    const given: unknown = JSON.parse(json);
    if (!isRecord(given)) return refuse("its arguments are no JSON object", form);
    const exact = JSON.stringify(given);
    // A repeated name or a too long number would not be sent as the approver reads it.
    return json.replace(/("(?:[^"\\]|\\.)*")|\s+/g, "$1") === exact
      ? { ok: true, plan: { call, arguments: given, sha256 } }
      : refuse("its arguments would not be sent as they are written", `write \`${call} ${exact}\``);
  } catch (thrown) {
    return refuse(`its arguments are no JSON (${messageOf(thrown)})`, form);
  }
}

/** As its server describes it. */
export const listedTool = z.looseObject({
  name: z.string(),
  description: z.string().optional(),
  inputSchema: z.record(z.string(), z.unknown()),
  annotations: z.unknown().optional(),
});
export type ListedTool = z.infer<typeof listedTool>;

/** SHA-256 (hex) of all that a person or model sees of a tool, as canonical JSON (RFC 8785). Throws if there is none. */
export const hashOfTool = ({ name, description, inputSchema, annotations }: ListedTool): string =>
  createHash("sha256")
    .update(canonicalize({ name, description, inputSchema, annotations }) ?? "")
    .digest("hex");

/** Finds the tool if it is as listed. `reason` follows the server's name in a sentence. */
export function findTool(
  tools: readonly ListedTool[],
  { call, sha256 }: Pick<ToolPlan, "call" | "sha256">,
): { readonly ok: true; readonly tool: ListedTool } | { readonly ok: false; readonly reason: string } {
  const [tool, twin] = tools.filter(({ name }) => name === call);
  if (tool === undefined) return { ok: false, reason: `has no tool \`${call}\` any more` };
  if (twin !== undefined) return { ok: false, reason: `has two tools \`${call}\`` };
  const now = hashOfTool(tool);
  return now === sha256
    ? { ok: true, tool }
    : {
        ok: false,
        reason: `has changed its tool \`${call}\` since the operator listed it; if the change is meant, the operator lists \`sha256: ${now}\``,
      };
}
