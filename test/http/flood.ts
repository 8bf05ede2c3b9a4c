/** Senders who want the front's places and show nobody who they are. */

import { connect, type Socket } from "node:net";

const head = (more: string, line = "POST / HTTP/1.1"): string => `${line}\r\nhost: x\r\n${more}\r\n`;
const half = "x".repeat(11_999);

interface Kind {
  readonly first: string;
  /** Sent every second from then on. */
  readonly later?: string;
  /** Does not read what it is answered. */
  readonly deaf?: boolean;
}

/** What each of them sends. */
export const floods = {
  "bodies that lack their last byte": { first: head("content-length: 12000\r\n") + half },
  "bodies that lack their last byte, with a signature": {
    first: head(`content-length: 12000\r\nx-hub-signature-256: sha256=${"0".repeat(64)}\r\n`) + half,
  },
  "bodies of one byte at a time": { first: head("content-length: 12000\r\n"), later: "x" },
  "bodies in chunks of one byte": { first: head("transfer-encoding: chunked\r\n"), later: "1\r\nx\r\n" },
  nothing: { first: "" },
  "headers that do not end": { first: `POST / HTTP/1.1\r\nx: ${half}`, later: "x" },
  "a request, and no other": { first: head("", "GET /livez HTTP/1.1") },
  "requests all along": { first: head("", "GET /livez HTTP/1.1"), later: head("", "GET /readyz HTTP/1.1") },
  "many requests at once": { first: head("", "GET /readyz HTTP/1.1").repeat(17) },
  "bodies to nowhere": { first: head("content-length: 12000\r\n", "POST /nowhere HTTP/1.1") + half },
  "requests whose answers they do not read": { first: head("", "GET /metrics HTTP/1.1").repeat(15), deaf: true },
} as const satisfies Readonly<Record<string, Kind>>;

/** Keeps `count` of them connected, from as many addresses of this machine; who loses its place soon takes another. */
export async function startFlood(
  url: string,
  { first, later, deaf = false }: Kind,
  { count, addresses = 1 }: { readonly count: number; readonly addresses?: number },
): Promise<{ readonly ended: () => number; readonly stop: () => void }> {
  const sockets = new Set<Socket>();
  let stopped = false;
  let ended = 0;
  let next = 0;
  const open = (): Promise<void> => {
    const localAddress = `127.0.0.${1 + (next++ % addresses)}`;
    const socket = connect({ port: Number(new URL(url).port), host: "127.0.0.1", localAddress });
    sockets.add(socket);
    const { promise, resolve } = Promise.withResolvers<void>();
    socket.once("connect", () => {
      if (first !== "") socket.write(first);
      resolve();
    });
    if (deaf) socket.pause();
    else socket.resume();
    socket.on("error", () => {});
    socket.once("close", () => {
      sockets.delete(socket);
      ended++;
      resolve();
      if (!stopped) setTimeout(() => !stopped && void open(), 250);
    });
    return promise;
  };
  await Promise.all(Array.from({ length: count }, open));
  const trickle = setInterval(() => {
    if (later !== undefined) for (const socket of sockets) socket.write(later);
  }, 1_000);
  return {
    ended: () => ended,
    stop: () => {
      stopped = true;
      clearInterval(trickle);
      for (const socket of sockets) socket.destroy();
    },
  };
}
