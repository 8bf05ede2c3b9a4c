import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createRate } from "../base/clock.ts";
import { isRecord, parseJson } from "../base/json.ts";
import type { McpTools } from "./mcp-server.ts";
import { markVerified, readBody } from "./places.ts";
import { sendAnswer } from "./server.ts";

interface McpAccess {
  /** Hex; two during a rotation. */
  readonly tokenSha256: readonly string[];
  readonly callsPerMinute: number;
}

interface McpDoorOptions {
  readonly agents: () => Readonly<Record<string, McpAccess>>;
  readonly tools: (agent: string) => McpTools;
  readonly log: (event: { readonly status: number; readonly reason: McpRefusal; readonly agent?: string }) => void;
  readonly now: () => Date;
}

const refusals = {
  "wrong token": 401,
  "from a browser": 403,
  "not a POST": 405,
  "body too large": 413,
  "no JSON-RPC message": 400,
  "too many calls": 429,
} as const;
type McpRefusal = keyof typeof refusals;

const path = "/mcp";
const bodyCapBytes = 64 * 1024;

/**
 * Serves `POST /mcp` (docs/agents.md), one message per call; returns false for other addresses. Reads no body without a valid token, and
 * answers nothing if no agent has one.
 */
export function createMcpDoor(
  options: McpDoorOptions,
): (request: IncomingMessage, response: ServerResponse) => Promise<boolean> {
  const mayCall = createRate(options.now);

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const agents = options.agents();
    const agent = agentOf(agents, request.headers.authorization);
    const refuse = (reason: McpRefusal): void => {
      const status = refusals[reason];
      options.log({ status, reason, ...(agent === undefined ? {} : { agent }) });
      if (status === 401) response.setHeader("www-authenticate", "Bearer");
      if (status === 405) response.setHeader("allow", "POST");
      if (status === 429) response.setHeader("retry-after", "60");
      sendAnswer(response, status, reason);
    };
    if (agent === undefined) return refuse("wrong token");
    if (request.headers.origin !== undefined) return refuse("from a browser");
    // No stream to open, no session to end.
    if (request.method !== "POST") return refuse("not a POST");
    if (!mayCall(agent, agents[agent]?.callsPerMinute ?? 0)) return refuse("too many calls");
    markVerified(request);
    const body = await readBody(request, bodyCapBytes);
    if (body === "cut off") return;
    if (typeof body === "string") return refuse(body);
    const message = parseJson(body.toString("utf8"));
    // A list of messages would be many calls.
    if (!isRecord(message) || Array.isArray(message)) return refuse("no JSON-RPC message");
    const { answerMcp } = await import("./mcp-server.ts");
    await answerMcp(options.tools(agent), { request, response, message });
  };

  return async (request, response) => {
    if ((request.url ?? "/").split("?", 1)[0] !== path) return false;
    if (Object.values(options.agents()).every(({ tokenSha256 }) => tokenSha256.length === 0)) return false;
    await serve(request, response);
    return true;
  };
}

/** Compares all hashes, which have one length, in constant time. */
function agentOf(agents: Readonly<Record<string, McpAccess>>, authorization = ""): string | undefined {
  const [, token = ""] = /^bearer +(\S+) *$/i.exec(authorization) ?? [];
  const given = createHash("sha256").update(token).digest();
  const known = Object.entries(agents).flatMap(([name, { tokenSha256 }]) =>
    tokenSha256.map((hex) => ({ name, isIts: timingSafeEqual(given, Buffer.from(hex, "hex")) })),
  );
  return token === "" ? undefined : known.find(({ isIts }) => isIts)?.name;
}
