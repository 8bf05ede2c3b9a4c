import { type IncomingMessage, request } from "node:http";
import { connect as connectPlain, isIP, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { messageOf } from "../base/errors.ts";
import type { Source } from "../base/server.ts";

export type SourceConnection =
  | { readonly ok: true; readonly socket: Socket }
  | { readonly ok: false; readonly reason: string };

const connectMs = 10_000;

/** Connects, and verifies a TLS certificate. Never throws. */
export function openSource({ url, ca }: Source, signal: AbortSignal): Promise<SourceConnection> {
  const { protocol, hostname, port } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, "");
  return new Promise((resolve) => {
    const isTls = protocol === "https:";
    const at = { host, port: Number(port || (isTls ? 443 : 80)) };
    const socket = isTls
      ? connectTls({
          ...at,
          ...(ca === undefined ? {} : { ca }),
          ...(isIP(host) ? {} : { servername: host }),
          // NODE_TLS_REJECT_UNAUTHORIZED must not turn this off.
          rejectUnauthorized: true,
        })
      : connectPlain(at);
    const fail = (reason: string): void => {
      socket.destroy();
      resolve({ ok: false, reason });
    };
    const onAbort = (): void => fail("it was stopped");
    socket.setTimeout(connectMs, () => fail(`no connection within ${connectMs / 1000} s`));
    socket.once("error", (error) => fail(messageOf(error)));
    socket.once(isTls ? "secureConnect" : "connect", () => {
      signal.removeEventListener("abort", onAbort);
      socket.setTimeout(0);
      resolve({ ok: true, socket });
    });
    // Without this a break while it waits would be thrown; `destroyed` shows it.
    socket.on("error", () => {});
    signal.addEventListener("abort", onAbort, { once: true });
    if (signal.aborted) onAbort();
  });
}

export interface SourceRequest {
  readonly socket: Socket;
  readonly method: string;
  /** Follows the source's own path; may be empty. */
  readonly path: string;
  readonly body: string;
  readonly token: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
}

/** Sends a request within this tick; the connection ends with the response. Follows no redirect. Rejects if no response begins. */
export function sendRequest(
  { url }: Source,
  { socket, method, path, body, token, headers }: SourceRequest,
): Promise<IncomingMessage> {
  const { host, pathname } = new URL(url);
  return new Promise((resolve, reject) => {
    const asked = request({
      method,
      path: path === "" ? pathname : `${pathname.replace(/\/$/, "")}${path}`,
      createConnection: () => socket,
      headers: {
        ...headers,
        host,
        "accept-encoding": "identity",
        "content-length": Buffer.byteLength(body),
        connection: "close",
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
    });
    asked.on("error", reject);
    // Without this neither response nor error comes.
    asked.on("upgrade", () => {
      socket.destroy();
      reject(new Error("it is no HTTP answer"));
    });
    asked.on("response", resolve);
    asked.end(body);
  });
}
