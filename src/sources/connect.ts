import { request } from "node:http";
import { connect as connectPlain, isIP, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { messageOf } from "../base/errors.ts";
import type { Source } from "../base/server.ts";

export type SourceConnection =
  | { readonly ok: true; readonly socket: Socket }
  | { readonly ok: false; readonly reason: string };

const connectMs = 10_000;

/** Connects, and over TLS has the source prove who it is. Never throws. */
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
          // Whatever NODE_TLS_REJECT_UNAUTHORIZED says.
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
    // One that breaks while it waits is seen by `destroyed`.
    socket.on("error", () => {});
    signal.addEventListener("abort", onAbort, { once: true });
    if (signal.aborted) onAbort();
  });
}

export interface QueryForm {
  readonly socket: Socket;
  readonly path: string;
  readonly form: URLSearchParams;
  readonly token: string | undefined;
}

export type SourceReply =
  | { readonly kind: "answered"; readonly status: number; readonly text: string }
  | { readonly kind: "too-large" }
  | { readonly kind: "lost"; readonly why: string };

/** Posts a form within this very tick over an open connection and reads at most `maxBytes`. Follows no redirect. Never rejects. */
export function postForm(
  { url, tenant, maxBytes }: Source,
  { socket, path, form, token }: QueryForm,
): Promise<SourceReply> {
  const body = form.toString();
  const { host, pathname } = new URL(url);
  return new Promise((resolve) => {
    const asked = request({
      method: "POST",
      path: `${pathname.replace(/\/$/, "")}${path}`,
      createConnection: () => socket,
      headers: {
        host,
        accept: "application/json",
        "accept-encoding": "identity",
        "content-type": "application/x-www-form-urlencoded",
        "content-length": Buffer.byteLength(body),
        connection: "close",
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(tenant === undefined ? {} : { "x-scope-orgid": tenant }),
      },
    });
    asked.on("error", (error) => resolve({ kind: "lost", why: messageOf(error) }));
    asked.on("response", (response) => {
      const chunks: Buffer[] = [];
      let bytes = 0;
      response.on("data", (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes <= maxBytes) return void chunks.push(chunk);
        resolve({ kind: "too-large" });
        socket.destroy();
      });
      response.on("error", (error) => resolve({ kind: "lost", why: messageOf(error) }));
      response.on("end", () =>
        resolve({ kind: "answered", status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString("utf8") }),
      );
    });
    asked.end(body);
  });
}
