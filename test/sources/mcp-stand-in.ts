import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import {
  CallToolRequestSchema,
  type CallToolResult,
  ListToolsRequestSchema,
  type Tool,
} from "@modelcontextprotocol/sdk/types.js";
import type { Server as InventoryServer, Source } from "../../src/base/server.ts";
import { hashOfTool } from "../../src/sources/parse-query.ts";
import { ca, listen } from "./stand-in.ts";
import { sourceServer } from "./world.ts";

export const search: Tool = {
  name: "search_logs",
  description: "Searches the logs.",
  inputSchema: {
    type: "object",
    properties: { query: { type: "string" }, limit: { type: "integer", maximum: 100 } },
    required: ["query"],
  },
};
export const restart: Tool = { name: "restart", inputSchema: { type: "object" } };

interface StandIn {
  /** What it lists; a test may change it. */
  tools: Tool[];
  /** What it answers a call. */
  call: (name: string, given: unknown) => CallToolResult | Promise<CallToolResult>;
  /** Answers a message in the place of the server where it returns true. */
  instead: (message: { readonly method?: string; readonly id?: number }, response: ServerResponse) => boolean;
  /** Sessions with event streams, or neither. */
  hasSessions: boolean;
}

/** A real server of the SDK on the loopback, over TLS unless said otherwise. `asked`: the messages by method, other than POST by that. */
export async function mcpServer(given: Partial<StandIn> = {}, tls = true) {
  const server: StandIn = {
    tools: [search, restart],
    call: (name, input) => ({ content: [{ type: "text", text: `${name} ${JSON.stringify(input)}` }] }),
    instead: () => false,
    hasSessions: true,
    ...given,
  };
  const asked: string[] = [];
  const tokens = new Set<string | undefined>();
  const sessions = new Map<unknown, StreamableHTTPServerTransport>();
  const transportFor = async (): Promise<StreamableHTTPServerTransport> => {
    const transport: StreamableHTTPServerTransport = new StreamableHTTPServerTransport({
      ...(server.hasSessions
        ? { sessionIdGenerator: randomUUID, onsessioninitialized: (id: string) => void sessions.set(id, transport) }
        : { enableJsonResponse: true }),
      onsessionclosed: (id) => void sessions.delete(id),
    });
    const spoken = new Server({ name: "stand-in", version: "1" }, { capabilities: { tools: {} } });
    spoken.setRequestHandler(ListToolsRequestSchema, () => ({ tools: server.tools }));
    spoken.setRequestHandler(CallToolRequestSchema, ({ params }) => server.call(params.name, params.arguments));
    await spoken.connect(transport as Transport);
    return transport;
  };
  const { url, server: http } = await listen(async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const message = chunks.length === 0 ? {} : JSON.parse(Buffer.concat(chunks).toString("utf8"));
    asked.push(message.method ?? request.method);
    tokens.add(request.headers.authorization);
    if (server.instead(message, response)) return;
    const transport = sessions.get(request.headers["mcp-session-id"]) ?? (await transportFor());
    await transport.handleRequest(request, response, request.method === "POST" ? message : undefined);
  }, tls);
  return { server, http, url: `${url}/mcp`, asked, tokens, sessions };
}

/** It as a server of the inventory, with the tools as they are listed now. */
export const toolServer = (
  { url, server }: Awaited<ReturnType<typeof mcpServer>>,
  given: Partial<Source> = {},
  more: Partial<InventoryServer> = {},
): InventoryServer =>
  sourceServer(
    {
      kind: "mcp",
      url,
      ca,
      levels: { search_logs: "low", restart: "high" },
      tools: Object.fromEntries(server.tools.map((tool) => [tool.name, hashOfTool(tool)])),
      ...given,
    },
    { name: "tickets", maxRisk: "high", ...more },
  );
