/** What carries the messages to an MCP server: connections that are opened and proven as of every source, within its caps. */

import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { messageOf } from "../base/errors.ts";
import type { Source } from "../base/server.ts";
import { openSource, sendRequest } from "./connect.ts";

/** Of one session: a list of tools without an end, or a server that asks back without an end, ends here. */
const mostRequests = 32;

export interface Wire {
  /** For the SDK. Follows no redirect and opens no stream of the server's own. */
  readonly fetch: (url: string | URL, init?: RequestInit) => Promise<Response>;
  /** Opens a connection that goes on to be held. */
  readonly keepSocket: () => Promise<Socket>;
  /** Sends the next request over that connection, and allows its answer `maxBytes` of its own. */
  readonly useKept: () => void;
  readonly closeKept: () => void;
  /** Makes an error whose words are ours. */
  readonly fail: (why: string) => Error;
  /** The words of the first of them. */
  readonly why: () => string | undefined;
}

/** Makes the wire of one session. `signal` ends the opening of the connection that is kept; the others end with the SDK's own. */
export function createWire(source: Source, token: string | undefined, signal: AbortSignal): Wire {
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
  const count = (bytes: number): void => {
    left.bytes -= bytes;
    if (left.bytes < 0) throw new Error(`it is longer than ${source.maxBytes} bytes, so it is not shown`);
  };
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
      // The stream of a server's own messages, which it need not offer.
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
      return responseOf(response, { count, fail });
    },
  };
}

interface Reading {
  /** Throws where they are too many. */
  readonly count: (bytes: number) => void;
  readonly fail: Wire["fail"];
}

async function* bodyOf(response: IncomingMessage, { count, fail }: Reading): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of response) {
      count(chunk.length);
      yield chunk;
    }
  } catch (thrown) {
    throw fail(messageOf(thrown));
  }
}

function responseOf(response: IncomingMessage, reading: Reading): Response {
  const status = response.statusCode ?? 0;
  if (status < 200 || (status >= 300 && status < 400)) {
    response.destroy();
    throw reading.fail(`HTTP ${status}, and redirects are not followed`);
  }
  const headers = new Headers();
  for (const name of ["content-type", "mcp-session-id"]) {
    const value = response.headers[name];
    if (typeof value === "string") headers.set(name, value);
  }
  return new Response([204, 205].includes(status) ? null : ReadableStream.from(bodyOf(response, reading)), {
    status,
    headers,
  });
}
