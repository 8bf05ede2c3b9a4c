import { readFileSync } from "node:fs";
import { messageOf, type Problem } from "../../base/errors.ts";
import type { Server, Source } from "../../base/server.ts";
import { createSources, type SourceRunner, withinMs, writeQuery } from "../../sources/run.ts";
import { findTool, hashOfTool, type ListedTool } from "../../sources/tool-call.ts";
import { createCapture } from "../../ssh/capture.ts";
import type { CheckLook } from "./look.ts";

const readToken = (tokenFile: string): string => readFileSync(tokenFile, "utf8").trim();

/** What `check` looks at a source with. */
export const sourceRunner = (): SourceRunner =>
  createSources({ readToken, createCapture: () => createCapture(4096), freshMs: Number.POSITIVE_INFINITY });

const unanswered = (server: Server, message: string): Omit<CheckLook, "name"> => ({
  said: message,
  problems: [{ place: `sources.${server.name}`, message, remedy: "check `url`, `ca_file` and `token_file`" }],
});

/** Asks for real whether it answers queries; of an MCP server, whether its tools are what the operator listed. Never throws. */
export async function lookAtSource(sources: SourceRunner, server: Server): Promise<Omit<CheckLook, "name">> {
  if (server.source?.kind === "mcp") return lookAtTools(server, server.source);
  const wrapped = writeQuery({
    call: "query",
    query: "vector(1)",
    ...(server.source?.kind === "loki" && { limit: 1 }),
  });
  const reservation = await sources.reserve({ server, wrapped }, new AbortController().signal);
  const result = await reservation.send(Date.now(), {});
  const ending = result === "stale" ? undefined : result.ending;
  if (ending?.kind === "exited" && ending.code === 0) return { said: `${server.source?.url} answers queries` };
  const printed = result === "stale" ? "" : Buffer.from(result.capture.head).toString("utf8").trim();
  return unanswered(
    server,
    ending?.kind === "unreachable" ? ending.reason : printed || `it did not answer (${ending?.kind})`,
  );
}

async function lookAtTools(server: Server, source: Source): Promise<Omit<CheckLook, "name">> {
  const { readTools } = await import("../../sources/mcp.ts");
  try {
    const token = source.tokenFile === undefined ? undefined : readToken(source.tokenFile);
    const signal = new AbortController().signal;
    return compared(server.name, source, await readTools(source, { token, signal, withinMs: withinMs(server) }));
  } catch (thrown) {
    return unanswered(server, `${server.name} does not answer as an MCP server: ${messageOf(thrown)}`);
  }
}

function compared(name: string, { tools: listed = {} }: Source, tools: readonly ListedTool[]): Omit<CheckLook, "name"> {
  const found = Object.entries(listed).map(([call, sha256]) => ({ call, ...findTool(tools, { call, sha256 }) }));
  const same = found.flatMap(({ call, ok }) => (ok ? [call] : []));
  const problems = found.flatMap((one): Problem[] => {
    if (one.ok) return [];
    const now = tools.find((tool) => tool.name === one.call);
    const remedy = now ? `read what it is now: ${shown(now)}` : "take it out of `tools`";
    return [{ place: `sources.${name}.tools.${one.call}`, message: `${name} ${one.reason}`, remedy }];
  });
  const others = tools.filter((tool) => !Object.hasOwn(listed, tool.name));
  const rows = others.map((tool) => `\n  not listed: ${shown(tool)}`);
  return { said: `as listed: ${same.join(", ") || "none"}${rows.join("")}`, problems };
}

/** A tool's hash and all that it covers. It is the server's text: on one line, with what is not plain ASCII escaped. */
const shown = (tool: ListedTool): string => {
  const { name, description, inputSchema, annotations } = tool;
  const json = JSON.stringify({ name, description, inputSchema, annotations });
  const plain = json.replace(/[^\x20-\x7e]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`);
  return `sha256: ${hashOfTool(tool)} ${plain}`;
};
