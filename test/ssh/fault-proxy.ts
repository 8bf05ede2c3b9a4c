import net from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { Worker } from "node:worker_threads";

export interface Piece {
  readonly from: "client" | "server";
  readonly bytes: Buffer;
  readonly link: Link;
}

/** What becomes of bytes that arrive at the proxy. Whatever it does not pass on is lost. */
export type Rule = (piece: Piece) => void;

/** One connection through the proxy: `near` is the client's side, `far` the server's. */
export interface Link {
  readonly near: net.Socket;
  readonly far: net.Socket;
  rule: Rule;
}

export interface FaultProxy {
  readonly port: number;
  /** The connections so far, oldest first. */
  readonly links: readonly Link[];
  readonly close: () => Promise<void>;
}

const onward = ({ from, link }: Piece): net.Socket => (from === "client" ? link.far : link.near);

const pass: Rule = (piece) => {
  const to = onward(piece);
  if (to.writable) to.write(piece.bytes);
};

export const swallow: Rule = () => undefined;

export const reset = ({ near, far }: Link): void => {
  near.resetAndDestroy();
  far.resetAndDestroy();
};

/** Resets the connection at the first bytes from there, which are lost; the other side's go on until then. */
export const resetAtBytesFrom =
  (side: Piece["from"]): Rule =>
  (piece) => {
    if (piece.from === side) reset(piece.link);
    else pass(piece);
  };

/** Passes on so many bytes at a time, and then waits. */
export function drip(size: number, everyMs: number): Rule {
  const last = new WeakMap<net.Socket, Promise<void>>();
  return (piece) => {
    const to = onward(piece);
    const slowly = async (): Promise<void> => {
      for (let at = 0; at < piece.bytes.length && to.writable; at += size) {
        to.write(piece.bytes.subarray(at, at + size));
        await sleep(everyMs);
      }
    };
    last.set(to, (last.get(to) ?? Promise.resolve()).then(slowly));
  };
}

/** A way to a server whose bytes go as `rule` says; each connection's rule can be changed while it stands. */
export async function startFaultProxy(port: number, rule: Rule = pass): Promise<FaultProxy> {
  const links: Link[] = [];
  const listener = net.createServer({ allowHalfOpen: true, noDelay: true }, (near) => {
    const far = net.connect({ port, host: "127.0.0.1", noDelay: true, allowHalfOpen: true });
    const link: Link = { near, far, rule };
    links.push(link);
    for (const [from, one, other] of [
      ["client", near, far],
      ["server", far, near],
    ] as const) {
      one.on("data", (bytes: Buffer) => link.rule({ from, bytes, link }));
      one.on("end", () => other.end());
      one.on("error", () => other.destroy());
    }
  });
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
  return {
    port: (listener.address() as net.AddressInfo).port,
    links,
    close: async () => {
      for (const { near, far } of links) for (const socket of [near, far]) socket.destroy();
      await new Promise<void>((resolve) => listener.close(() => resolve()));
    },
  };
}

/** A port whose queue of connections is full and never emptied: the kernel drops every further SYN. */
export async function startSynHole(): Promise<{ readonly port: number; readonly close: () => Promise<void> }> {
  // A thread that listens and then stands still, since Node would take every connection.
  const standsStill = `
    const { parentPort } = require("node:worker_threads");
    const listener = require("node:net").createServer().listen({ port: 0, host: "127.0.0.1", backlog: 1 }, () => {
      parentPort.postMessage(listener.address().port);
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
    });`;
  const worker = new Worker(standsStill, { eval: true });
  const port = await new Promise<number>((resolve) => worker.once("message", resolve));
  const fillers = Array.from({ length: 8 }, () => net.connect(port, "127.0.0.1").on("error", () => undefined));
  await Promise.all(fillers.slice(0, 2).map((socket) => new Promise((resolve) => socket.once("connect", resolve))));
  return {
    port,
    close: async () => {
      for (const socket of fillers) socket.destroy();
      await worker.terminate();
    },
  };
}
