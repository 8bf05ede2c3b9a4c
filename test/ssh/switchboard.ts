import net from "node:net";
import type { Duplex } from "node:stream";

/** A port whose other end can be changed, as when a machine is replaced behind its address. */
export interface Switchboard {
  readonly port: number;
  /** How many connections were asked for, and how many of them wait. */
  readonly asked: () => number;
  readonly held: () => number;
  /** New connections lead there. */
  readonly switchTo: (port: number) => void;
  /** New connections are taken, and nothing is passed on before `pass`; the first ones so many are lost. */
  readonly hold: (how?: { readonly dropFirst?: number }) => void;
  readonly pass: () => void;
  /** Ends every connection. */
  readonly cut: () => void;
  /** Takes no new connection; those that stand go on. */
  readonly stopListening: () => void;
  readonly close: () => void;
}

export async function startSwitchboard(first: number): Promise<Switchboard> {
  let port = first;
  let asked = 0;
  let drops = 0;
  let gate: PromiseWithResolvers<void> | undefined;
  let held = 0;
  const sockets = new Set<net.Socket>();
  const listener = net.createServer((socket) => {
    asked++;
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
    socket.on("error", () => socket.destroy());
    if (drops > 0) {
      drops--;
      socket.destroy();
      return;
    }
    void onward(socket);
  });
  const onward = async (socket: net.Socket): Promise<void> => {
    if (gate) {
      held++;
      await gate.promise;
      held--;
    }
    if (!socket.destroyed) passOn(socket, net.connect(port, "127.0.0.1"));
  };
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
  const own = (listener.address() as net.AddressInfo).port;
  const pass = (): void => {
    gate?.resolve();
    gate = undefined;
    drops = 0;
  };
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  const stopListening = (): void => void listener.close();
  return {
    port: own,
    asked: () => asked,
    held: () => held,
    switchTo: (next) => {
      port = next;
    },
    hold: ({ dropFirst = 0 } = {}) => {
      gate ??= Promise.withResolvers<void>();
      drops = dropFirst;
    },
    pass,
    cut,
    stopListening,
    close: () => {
      pass();
      cut();
      stopListening();
    },
  };
}

/** What comes in at one goes out at the other, and both end together. */
export function passOn(one: Duplex, other: Duplex): void {
  for (const [from, to] of [
    [one, other],
    [other, one],
  ] as const) {
    from.on("error", () => to.destroy());
    from.once("close", () => to.destroy());
    from.pipe(to);
  }
}
