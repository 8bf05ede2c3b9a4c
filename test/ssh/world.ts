import { afterEach } from "vitest";
import type { ExecResult } from "../../src/base/run.ts";
import type { Server } from "../../src/base/server.ts";
import type { SshLimits } from "../../src/ssh/limits.ts";
import { createSsh, type Ssh } from "../../src/ssh/run.ts";
import { type FakeHost, type Faults, type Play, startFakeHost } from "./fake-host.ts";
import { inventory } from "./inventory-entry.ts";

/** Short enough for tests, long enough for a busy machine. */
const short: Partial<SshLimits> = {
  connectMs: 300,
  handshakeMs: 300,
  openMs: 300,
  graceMs: 100,
  drainMs: 300,
  retryBaseMs: 10,
  quietMs: 50,
};

export interface World {
  readonly host: (play: Play, faults?: Faults) => Promise<FakeHost>;
  readonly client: (servers: readonly Server[], limits?: Partial<SshLimits>) => Ssh;
  /** Runs after the test, last first. */
  readonly cleanUp: (step: () => Promise<void>) => void;
}

/** Fake hosts and clients for one test file; all are closed after each test. */
export function createWorld(): World {
  const steps: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const step of steps.splice(0).reverse()) await step();
  });
  return {
    host: async (play, faults) => {
      const fake = await startFakeHost(play, faults);
      steps.push(fake.close);
      return fake;
    },
    client: (servers, limits = {}) => {
      const ssh = createSsh({ servers: inventory(...servers), limits: { ...short, ...limits } });
      steps.push(ssh.close);
      return ssh;
    },
    cleanUp: (step) => steps.push(step),
  };
}

export const noCancel = (): AbortSignal => new AbortController().signal;

export const run = (
  ssh: Ssh,
  entry: Server,
  wrapped = "true",
  signal = noCancel(),
  onSent = () => {},
): Promise<ExecResult> => ssh.exec({ server: entry, wrapped }, { signal, onSent });

export const exits =
  (code: number): Play =>
  async () =>
    code;
