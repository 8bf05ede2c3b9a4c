import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport, StreamableHTTPError } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { ErrorCode, McpError } from "@modelcontextprotocol/sdk/types.js";
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/sdk/validation/ajv";
import * as z from "zod";
import own from "../../package.json" with { type: "json" };
import { isOlderThan } from "../base/clock.ts";
import { messageOf } from "../base/errors.ts";
import type { Source } from "../base/server.ts";
import { openSource, sendRequest } from "./connect.ts";
import { findTool, type ListedTool, listedTool, type ToolPlan } from "./parse-query.ts";
import type { SourceAnswer, WayOptions, WayResult } from "./run.ts";

const goodbyeMs = 5_000;

type Access = Pick<WayOptions, "token" | "signal" | "withinMs">;

/** Opens a connection for one call of a tool that is still as listed. Never throws. */
export async function openToolCall(source: Source, { wrapped, freshMs, ...access }: WayOptions): Promise<WayResult> {
  const plan: ToolPlan = JSON.parse(wrapped);
  const session = createSession(source, access);
  try {
    const found = findTool(await session.listTools(), plan);
    const reason = found.ok ? misfit(found.tool, plan) : found.reason;
    if (reason !== undefined) {
      session.close();
      return { ok: false, reason };
    }
    const listedAt = Date.now();
    const socket = await session.keepSocket();
    const isOpen = (): boolean => !socket.destroyed;
    const isFresh = (): boolean => isOpen() && !isOlderThan(freshMs, listedAt);
    return {
      ok: true,
      way: { isOpen, isFresh, ask: (timeoutMs) => session.call(plan, timeoutMs), close: session.close },
    };
  } catch (thrown) {
    session.close();
    return { ok: false, reason: `does not answer as an MCP server: ${session.whyOf(thrown)}` };
  }
}

/** Reads all tools of a server. Throws if it does not answer. */
export async function readTools(source: Source, access: Access): Promise<readonly ListedTool[]> {
  const session = createSession(source, access);
  try {
    return await session.listTools();
  } catch (thrown) {
    throw new Error(session.whyOf(thrown));
  } finally {
    session.close();
  }
}

/** Throws if the schema is unreadable. */
function misfit({ inputSchema }: ListedTool, { call, arguments: given }: ToolPlan): string | undefined {
  // ajv warns about each unknown format, which the standard makes a mere remark.
  const schema: Record<string, unknown> = JSON.parse(JSON.stringify(inputSchema), (key, value) =>
    key === "format" && typeof value === "string" ? undefined : value,
  );
  const { valid, errorMessage } = new AjvJsonSchemaValidator().getValidator(schema)(given);
  return valid ? undefined : `would refuse the arguments of \`${call}\`: ${errorMessage}`;
}

const toolResult = z.looseObject({
  content: z.array(z.looseObject({ type: z.string(), text: z.string().optional() })).default([]),
  structuredContent: z.unknown().optional(),
  isError: z.boolean().default(false),
});

/** Indentation would multiply the length of deep values. */
const isDeep = (value: unknown, left = 10): boolean =>
  left === 0 ||
  (typeof value === "object" && value !== null && Object.values(value).some((one) => isDeep(one, left - 1)));

const others = ["image", "audio", "resource", "resource_link"];

/** The texts of a result, or its data if it has none; counts other parts. */
function renderToolResult({ content, structuredContent }: z.infer<typeof toolResult>): string {
  const texts = content.flatMap(({ type, text }) => (type === "text" && text !== undefined ? [text] : []));
  const data =
    texts.length > 0 || structuredContent === undefined
      ? []
      : [JSON.stringify(structuredContent, null, isDeep(structuredContent) ? 0 : 2)];
  const rest = content.filter(({ type, text }) => type !== "text" || text === undefined);
  const left = Map.groupBy(rest, ({ type }) => (others.includes(type) ? type : "part of another kind"));
  return [...texts, ...data, ...[...left].map(([type, { length }]) => `(${length} × ${type} left out)`)].join("\n");
}

interface Session {
  readonly listTools: () => Promise<readonly ListedTool[]>;
  readonly keepSocket: () => Promise<Socket>;
  /** Calls within this tick. Never rejects. */
  readonly call: (plan: ToolPlan, timeoutMs: number) => Promise<SourceAnswer>;
  /** Without the server's own text. */
  readonly whyOf: (thrown: unknown) => string;
  /** Also cancels a running call on the server. */
  readonly close: () => void;
}

const toolPage = z.looseObject({ tools: z.array(listedTool), nextCursor: z.string().nullish() });

/** Turns off the SDK's limit, because ours are shorter. */
const noTimeout = { timeout: 2 ** 31 - 1 };

function createSession(source: Source, { token, signal, withinMs }: Access): Session {
  const wire = createWire(source, token, signal);
  const transport = new StreamableHTTPClientTransport(new URL(source.url), { fetch: wire.fetch });
  // Without capabilities the client refuses a server's requests.
  const client = new Client({ name: own.name, version: own.version }, { capabilities: {} });
  const broken = Promise.withResolvers<never>();
  // Without this a rejection that no request awaits ends the process.
  broken.promise.catch(() => {});
  // The SDK rejects no request if its event stream breaks or is malformed; this does.
  client.onerror = broken.reject;
  const orBroken = <T>(work: Promise<T>): Promise<T> => Promise.race([work, broken.promise]);
  const limit = setTimeout(() => broken.reject(wire.fail(`nothing within ${withinMs} ms`)), withinMs);
  const onAbort = (): void => broken.reject(wire.fail("it was stopped"));
  signal.addEventListener("abort", onAbort, { once: true });
  if (signal.aborted) onAbort();
  let calling: AbortController | undefined;
  const whyOf = (thrown: unknown): string => {
    const why = wire.why();
    if (why !== undefined) return why;
    if (thrown instanceof McpError) return `error ${thrown.code}`;
    if (thrown instanceof StreamableHTTPError && thrown.code !== undefined && thrown.code > 0)
      return `HTTP ${thrown.code}`;
    return "an answer has another form than the protocol documents";
  };
  let isClosed = false;
  return {
    whyOf,
    listTools: async () => {
      // The SDK's type omits `undefined`.
      await orBroken(client.connect(transport as Transport, noTimeout));
      const tools: ListedTool[] = [];
      let params: { readonly cursor?: string } | undefined = {};
      while (params) {
        const asked = { method: "tools/list", params } as const;
        const page: z.infer<typeof toolPage> = await orBroken(client.request(asked, toolPage, noTimeout));
        tools.push(...page.tools);
        const { nextCursor: cursor } = page;
        // Some servers write null for none.
        params = cursor === undefined || cursor === null ? undefined : { cursor };
      }
      return tools;
    },
    keepSocket: async () => {
      const socket = await orBroken(wire.keepSocket());
      clearTimeout(limit);
      return socket;
    },
    call: async ({ call: name, arguments: given }) => {
      wire.useKept();
      calling = new AbortController();
      const asked = { method: "tools/call", params: { name, arguments: given } } as const;
      const options = { ...noTimeout, signal: calling.signal };
      try {
        const result = await orBroken(client.request(asked, toolResult, options));
        return { kind: result.isError ? "refused" : "answered", text: renderToolResult(result) };
      } catch (thrown) {
        return isAnswered(thrown)
          ? { kind: "refused", text: thrown.message }
          : { kind: "lost", text: `The answer did not come: ${whyOf(thrown)}` };
      } finally {
        calling = undefined;
      }
    },
    close: () => {
      if (isClosed) return;
      isClosed = true;
      clearTimeout(limit);
      signal.removeEventListener("abort", onAbort);
      // Cancels a running call on the server.
      calling?.abort();
      wire.closeKept();
      void sayGoodbye(client, transport);
    },
  };
}

/** Never rejects. */
async function sayGoodbye(client: Client, transport: StreamableHTTPClientTransport): Promise<void> {
  const late = setTimeout(() => client.close(), goodbyeMs);
  // The server may be gone, or not support it.
  await transport.terminateSession().catch(() => {});
  clearTimeout(late);
  await client.close();
}

/** The SDK's own codes, for a missing answer. */
const unanswered: readonly number[] = [ErrorCode.ConnectionClosed, ErrorCode.RequestTimeout];

const isAnswered = (thrown: unknown): thrown is McpError =>
  thrown instanceof McpError && !unanswered.includes(thrown.code);

/** Ends endless lists of tools and endless requests from the server. */
const mostRequests = 32;

interface Wire {
  /** Follows no redirect and opens no stream for the server's messages. */
  readonly fetch: (url: string | URL, init?: RequestInit) => Promise<Response>;
  readonly keepSocket: () => Promise<Socket>;
  /** Sends the next request over the kept connection, with `maxBytes` for its response. */
  readonly useKept: () => void;
  readonly closeKept: () => void;
  readonly fail: (why: string) => Error;
  readonly why: () => string | undefined;
}

/**
 * Carries a session over verified connections within the source's limits. `signal` ends the opening of the kept one; the SDK ends the
 * others.
 */
function createWire(source: Source, token: string | undefined, signal: AbortSignal): Wire {
  const left = { requests: mostRequests, bytes: source.maxBytes };
  let why: string | undefined;
  let kept: Socket | undefined;
  let next: Socket | undefined;
  let isClosed = false;
  const fail = (words: string): Error => {
    why ??= words;
    return new Error(words);
  };
  const open = async (until: AbortSignal): Promise<Socket> => {
    const opened = await openSource(source, until);
    if (opened.ok) return opened.socket;
    throw fail(`it cannot be reached: ${opened.reason}`);
  };
  async function* bodyOf(response: IncomingMessage): AsyncGenerator<Uint8Array> {
    try {
      for await (const chunk of response) {
        left.bytes -= chunk.length;
        if (left.bytes < 0) throw new Error(`it is longer than ${source.maxBytes} bytes, so it is not shown`);
        yield chunk;
      }
    } catch (thrown) {
      throw fail(messageOf(thrown));
    }
  }
  return {
    fail,
    why: () => why,
    keepSocket: async () => {
      const socket = await open(signal);
      kept = socket;
      if (isClosed) socket.destroy();
      return socket;
    },
    useKept: () => {
      next = kept;
      left.bytes = source.maxBytes;
    },
    closeKept: () => {
      isClosed = true;
      kept?.destroy();
    },
    fetch: async (_, init = {}) => {
      // The optional stream of a server's own messages.
      if (init.method === "GET") return new Response(null, { status: 405 });
      left.requests--;
      if (left.requests < 0) throw fail(`it takes more than ${mostRequests} requests`);
      const { method = "POST", body, signal: ended } = init;
      const ready = next;
      next = undefined;
      const socket = ready ?? (await open(ended ?? signal));
      ended?.addEventListener("abort", () => socket.destroy(), { once: true });
      const response = await sendRequest(source, {
        socket,
        method,
        path: "",
        body: typeof body === "string" ? body : "",
        token,
        headers: Object.fromEntries(new Headers(init.headers)),
      }).catch((thrown) => {
        throw fail(messageOf(thrown));
      });
      const status = response.statusCode ?? 0;
      if (status < 200 || (status >= 300 && status < 400)) {
        response.destroy();
        throw fail(`HTTP ${status}, and redirects are not followed`);
      }
      const headers = new Headers();
      for (const name of ["content-type", "mcp-session-id"]) {
        const value = response.headers[name];
        if (typeof value === "string") headers.set(name, value);
      }
      return new Response([204, 205].includes(status) ? null : ReadableStream.from(bodyOf(response)), {
        status,
        headers,
      });
    },
  };
}
