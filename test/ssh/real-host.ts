import { afterAll, afterEach } from "vitest";
import type { ExecResult } from "../../src/base/run.ts";
import type { Server } from "../../src/base/server.ts";
import type { SshLimits } from "../../src/ssh/limits.ts";
import { createSsh, type Ssh } from "../../src/ssh/run.ts";
import { wrap } from "../../src/ssh/wrap.ts";
import { missing } from "../harness/missing.ts";
import { type Sshd, startSshd } from "../harness/sshd.ts";
import { inventory, server } from "./inventory-entry.ts";

/** A real sshd for one test file, or word of what is missing; closed after the file. */
export async function sshdFor(file: string, extra: readonly string[] = []): Promise<Sshd | undefined> {
  const started = await startSshd(extra);
  if ("missing" in started) {
    missing("sshd", `${file} was left out: ${started.missing}`);
    return undefined;
  }
  afterAll(started.close);
  return started;
}

/** Clients for one test file; all are closed after each test, and what else was to be cleaned up, last first. */
export function createClients() {
  const steps: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const step of steps.splice(0).reverse()) await step();
  });
  const cleanUp = (step: () => Promise<void>): void => void steps.push(step);
  const client = (entries: readonly Server[], limits: Partial<SshLimits> = {}): Ssh => {
    const ssh = createSsh({ servers: inventory(...entries), limits: { graceMs: 400, drainMs: 400, ...limits } });
    cleanUp(ssh.close);
    return ssh;
  };
  return { client, cleanUp };
}

export const entryOf = (sshd: Sshd, given: Partial<Server> = {}): Server =>
  server({
    port: sshd.port,
    user: sshd.user,
    keyFile: sshd.clientKeyFile,
    knownHostsFile: sshd.knownHostsFile,
    ...given,
  });

interface Asked {
  readonly ssh: Ssh;
  readonly entry: Server;
  readonly signal?: AbortSignal;
  readonly onOutput?: (chunk: Uint8Array) => void;
}

export const run = ({ ssh, entry, signal, onOutput }: Asked, command: string): Promise<ExecResult> =>
  ssh.exec(
    { server: entry, wrapped: wrap(entry, command, "linux") },
    { signal: signal ?? new AbortController().signal, ...(onOutput ? { onOutput } : {}) },
  );

export const text = ({ capture }: ExecResult): string => Buffer.concat([capture.head, capture.tail]).toString();

/** Cancels as soon as the command has printed its first bytes, so that it surely runs. */
export async function cancelled(ssh: Ssh, entry: Server, command: string): Promise<ExecResult> {
  const cancel = new AbortController();
  return run({ ssh, entry, signal: cancel.signal, onOutput: () => cancel.abort("mona") }, command);
}
