import { type OpenParts, openTogether } from "../../src/base/opened.ts";
import { stopSibling } from "./housekeeping.ts";
import { withJobs } from "./jobs.ts";
import type { Machine } from "./machine.ts";
import { createDb1 } from "./machines/db-1.ts";
import { createWeb1 } from "./machines/web-1.ts";
import { createWeb2 } from "./machines/web-2.ts";
import { runCommand } from "./shell.ts";
import { createKeys, type SshServer, startSshServer } from "./ssh-server.ts";

export interface SandboxServer {
  readonly name: "web-1" | "web-2" | "db-1";
  readonly host: "127.0.0.1";
  readonly port: number;
  readonly user: string;
  readonly description: string;
  readonly groups: readonly string[];
}

export interface Sandbox {
  readonly servers: readonly SandboxServer[];
  /** The one key that is let in, in OpenSSH format. */
  readonly privateKey: string;
  /** `ssh-ed25519 AAAA…`, the same for all servers. */
  readonly hostKey: string;
  /** Puts every machine back into its incident. */
  readonly reset: () => Promise<void>;
  readonly close: () => Promise<void>;
}

const user = "ops";
const plans = [
  { name: "web-1", create: createWeb1, groups: ["web"], description: "checkout-api behind nginx" },
  { name: "web-2", create: createWeb2, groups: ["web"], description: "shop front end, nginx with TLS" },
  { name: "db-1", create: createDb1, groups: ["db"], description: "PostgreSQL 15, primary" },
] as const;

/**
 * Starts the three servers of the demo: SSH on 127.0.0.1, each over an imagined machine in memory with an incident in it.
 * What a command changes lasts until `reset`. Touches no file and starts no process of the host.
 */
export const startSandbox = (startedAt: Date = new Date()): Promise<Sandbox> =>
  openTogether(["servers"], (opened) => openSandbox(startedAt, opened));

const openSandbox = async (startedAt: Date, opened: OpenParts<"servers">): Promise<Sandbox> => {
  const client = createKeys();
  const host = createKeys();
  const machines = new Map<string, Machine>();
  const fill = async (): Promise<void> => {
    for (const { name, create } of plans) machines.set(name, await create(startedAt));
  };
  await fill();
  const running: SshServer[] = [];
  for (const { name } of plans) {
    const server = await startSshServer({
      hostKey: host.privateKey,
      clientKey: client.privateKey,
      user,
      serve: withJobs(async (exec, terminal, siblings) => {
        const report = await stopSibling(exec, siblings);
        if (report !== undefined) {
          terminal.stdout(Buffer.from(report));
          return 0;
        }
        const machine = machines.get(name);
        return machine ? runCommand(machine, exec, terminal) : 255;
      }),
    });
    opened.add("servers", server.close);
    running.push(server);
  }
  return {
    servers: plans.map(({ name, groups, description }, i) => ({
      name,
      host: "127.0.0.1",
      port: running[i]?.port ?? 0,
      user,
      description,
      groups,
    })),
    privateKey: client.privateKey,
    hostKey: host.publicKey,
    reset: fill,
    close: opened.close,
  };
};
