import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { messageOf } from "../../src/base/errors.ts";
import { isPerson } from "../access.ts";
import type { Faults } from "../faults.ts";
import type { RequestTraffic } from "../interface.ts";
import type { RateLimit } from "../rate-limit.ts";
import type { Described, Request } from "./handle.ts";
import { type Answer, refuse } from "./shapes.ts";

export interface GatewayInput {
  readonly faults: Faults;
  readonly rateLimit: RateLimit;
  readonly describe: (request: Request) => Described;
  readonly handle: (request: Request) => Promise<Answer>;
  readonly onTraffic: (traffic: RequestTraffic) => void;
}

export interface Gateway {
  readonly url: string;
  readonly close: () => Promise<void>;
}

/** The HTTP side: reads, strikes with faults, answers, counts. */
export function createGateway(): {
  readonly listen: () => Promise<Gateway>;
  readonly serve: (input: GatewayInput) => void;
} {
  let input: GatewayInput | undefined;
  const server = createServer((request, response) => {
    if (!input) return void response.writeHead(503).end();
    answer(input, request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  // Clients keep their connections; one that is closed under a request looks like a fault nobody asked for.
  server.keepAliveTimeout = 120_000;
  return {
    serve: (given) => {
      input = given;
    },
    listen: () =>
      new Promise((resolve, reject) => {
        server.once("error", reject);
        server.listen(0, "127.0.0.1", () => {
          const { port } = server.address() as AddressInfo;
          resolve({ url: `http://127.0.0.1:${port}`, close: () => close(server) });
        });
      }),
  };
}

async function answer(input: GatewayInput, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const started = performance.now();
  const method = request.method ?? "GET";
  const target = request.url ?? "/";
  const { authorization } = request.headers;
  const text = await read(request);
  const parsed = parse(text);
  const asked = { method, target, authorization, body: parsed.ok ? parsed.body : undefined };
  const fault = isPerson(authorization) ? undefined : input.faults.forRequest(method, target, text);
  const described = input.describe(asked);
  const log = (status: number) => {
    const ms = performance.now() - started;
    input.onTraffic({ kind: "request", method, path: target, status, ms, ...described });
  };
  const hangUp = () => {
    log(0);
    request.socket.destroy();
  };

  if (fault?.delayMs) await new Promise((resolve) => setTimeout(resolve, fault.delayMs));
  await fault?.meanwhile?.before?.();
  if (fault?.drop === "before") return hangUp();
  const reply = (answer: Answer) =>
    log(send(request, response, answer, { limit: input.rateLimit, described, more: fault?.headers }));
  if (fault?.status !== undefined)
    return reply({ status: fault.status, body: fault.body ?? { message: "Injected fault" } });
  const answered = parsed.ok ? await survive(input.handle, asked) : refuse(400, "Problems parsing JSON");
  await fault?.meanwhile?.after?.();
  if (fault?.drop === "after") return hangUp();
  reply(answered);
}

/** A mistake in the emulation is an answer that says so, not a dead connection. */
async function survive(handle: GatewayInput["handle"], request: Request): Promise<Answer> {
  try {
    return await handle(request);
  } catch (error) {
    return refuse(500, `The emulated GitHub failed: ${messageOf(error)}`);
  }
}

/**
 * Writes the answer, or 304 where the caller has it already; returns the status sent. An ETag is good for the token that got it alone,
 * as on GitHub: after an hour, with the next token, everything is read once more.
 */
function send(
  request: IncomingMessage,
  response: ServerResponse,
  answer: Answer,
  given: { readonly limit: RateLimit; readonly described: Described; readonly more: Answer["headers"] | undefined },
): number {
  const body =
    answer.body === undefined ? "" : typeof answer.body === "string" ? answer.body : JSON.stringify(answer.body);
  const etag = `W/"${createHash("sha256").update(`${request.headers.authorization}\n${body}`).digest("hex")}"`;
  const cacheable = request.method === "GET" && answer.status === 200;
  const known = cacheable && request.headers["if-none-match"] === etag;
  const status = known ? 304 : answer.status;
  const { by, operationId = "" } = given.described;
  const isFree = status === 304 || operationId === "rate-limit/get" || operationId.startsWith("graphql");
  if (by === "installation" && !isFree) given.limit.count();
  const rate = given.limit.now();
  response.writeHead(status, {
    "content-type": "application/json; charset=utf-8",
    "x-github-media-type": "github.v3; format=json",
    "x-github-request-id": createHash("sha256")
      .update(String(performance.now()))
      .digest("hex")
      .slice(0, 16)
      .toUpperCase(),
    "x-ratelimit-limit": String(rate.limit),
    "x-ratelimit-remaining": String(rate.remaining),
    "x-ratelimit-used": String(rate.used),
    "x-ratelimit-reset": String(rate.reset),
    "x-ratelimit-resource": "core",
    ...(cacheable ? { etag } : {}),
    ...answer.headers,
    ...given.more,
  });
  response.end(known ? undefined : body);
  return status;
}

async function read(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

function parse(text: string): { readonly ok: true; readonly body: unknown } | { readonly ok: false } {
  if (text === "") return { ok: true, body: undefined };
  try {
    return { ok: true, body: JSON.parse(text) };
  } catch {
    return { ok: false };
  }
}

async function close(server: Server): Promise<void> {
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
