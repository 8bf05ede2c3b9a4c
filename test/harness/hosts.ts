import { type Play, startFakeHost } from "../ssh/fake-host.ts";
import { entryOf, type ServerEntry } from "./playground.ts";

/** Machines of one group. */
export interface Hosts {
  /** For the operator's file, in the group `web`. */
  readonly servers: Readonly<Record<string, ServerEntry>>;
  /** How many commands each was sent. */
  readonly sent: () => Readonly<Record<string, number>>;
  readonly close: () => Promise<unknown>;
}

/** Starts a machine for each name. */
export async function startHosts(names: readonly string[], playOf: (name: string) => Play): Promise<Hosts> {
  const hosts = await Promise.all(names.map(async (name) => [name, await startFakeHost(playOf(name))] as const));
  return {
    servers: Object.fromEntries(hosts.map(([name, host]) => [name, { ...entryOf(host), groups: ["web"] }])),
    sent: () => Object.fromEntries(hosts.map(([name, { seen }]) => [name, seen.commands.length])),
    close: () => Promise.all(hosts.map(([, host]) => host.close())),
  };
}
