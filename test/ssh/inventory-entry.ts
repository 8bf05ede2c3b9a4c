import type { Server } from "../../src/base/server.ts";

/** A server of the inventory for tests; what is not given is what the config's defaults would be. */
export function server(given: Partial<Server> = {}): Server {
  return {
    name: "web-1",
    host: "127.0.0.1",
    port: 22,
    user: "demo",
    os: "linux",
    groups: [],
    description: "",
    agent: false,
    tty: false,
    backend: "ssh2",
    softTimeoutMs: 120_000,
    hardTimeoutMs: 1_800_000,
    maxRisk: "high",
    shell: "bash",
    path: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
    protectedPaths: [],
    ...given,
  };
}

export const inventory = (...servers: Server[]): ReadonlyMap<string, Server> =>
  new Map(servers.map((entry) => [entry.name, entry]));
