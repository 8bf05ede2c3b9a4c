import { type AddressInfo, isIPv6, type Server } from "node:net";
import { messageOf, OperatorError } from "./errors.ts";

export interface Spot {
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  /** The setting or option. */
  readonly place: string;
  readonly remedy: string;
}

/** The system's `net.core.somaxconn` may be lower. */
const backlog = 4_096;

/** Returns the port. Throws an `OperatorError` with the remedy. */
export async function listenAt(server: Server, { host, port, place, remedy }: Spot): Promise<number> {
  try {
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen({ port, host, backlog }, () => {
        server.off("error", reject);
        resolve();
      });
    });
  } catch (error) {
    const message = `${host}:${port} ${listenReason(error)}`;
    const isHost = error instanceof Error && "code" in error && /^(EADDRNOTAVAIL|ENOTFOUND)$/.test(String(error.code));
    throw new OperatorError(
      isHost ? { place: hostOf(place), message, remedy: ownAddress } : { place, message, remedy },
    );
  }
  return (server.address() as AddressInfo).port;
}

const everywhere: Readonly<Record<string, string>> = { "0.0.0.0": "127.0.0.1", "::": "::1" };

/** The server's URL from its own machine. */
export function nearUrl({ host, port }: Pick<Spot, "host" | "port">): string {
  const near = everywhere[host] ?? host;
  return `http://${isIPv6(near) ? `[${near}]` : near}:${port}`;
}

const ownAddress = "name an address of this machine: 127.0.0.1, or 0.0.0.0 for all of them";

const hostOf = (place: string): string => place.replace(/port$/, "host");

const reasons: Readonly<Record<string, string>> = {
  EADDRINUSE: "is taken: something listens there already (`ss -ltnp` names it)",
  EACCES: "may not be listened on by this account: ports below 1024 are kept for root",
  EADDRNOTAVAIL: "is no address of this machine",
  ENOTFOUND: "is no address: its name leads nowhere",
};

/** A clause that follows the address. */
export const listenReason = (error: unknown): string =>
  (error instanceof Error && "code" in error ? reasons[String(error.code)] : undefined) ??
  `cannot be listened on: ${messageOf(error)}`;
