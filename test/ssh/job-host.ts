import { randomBytes } from "node:crypto";
import { mkdirSync } from "node:fs";
import net from "node:net";
import { join } from "node:path";
import type { ExecResult, ExecWatch } from "../../src/base/run.ts";
import type { Server } from "../../src/base/server.ts";
import type { Ssh } from "../../src/ssh/run.ts";
import { wrap } from "../../src/ssh/wrap.ts";
import type { Sshd } from "../harness/sshd.ts";
import { useFolder } from "../harness/use-started.ts";
import { sshdFor } from "./real-host.ts";

export const newJobId = (): string => randomBytes(16).toString("hex");

/** A folder for one test file, removed after it. */
export function folderFor(): string {
  const folder = useFolder();
  return folder;
}

/** A real sshd whose account keeps its jobs below `folder`. */
export async function jobSshd(file: string, folder: string, extra: readonly string[] = []): Promise<Sshd | undefined> {
  const home = join(folder, "home");
  mkdirSync(home, { recursive: true });
  return sshdFor(file, [`SetEnv HOME=${home} COUNTERSIGN_DIR=${join(folder, "jobs")}`, ...extra]);
}

interface Asked extends Partial<ExecWatch> {
  readonly ssh: Ssh;
  readonly entry: Server;
  readonly jobId?: string;
  readonly resume?: { readonly sentAt: Date };
}

/** Runs a command as a job; with `resume` it only finds one again. */
export function runJob(
  { ssh, entry, jobId = newJobId(), resume, ...watch }: Asked,
  command: string,
): Promise<ExecResult> {
  const wrapped = wrap(entry, command, "linux", { mode: "job", jobId });
  return ssh.exec(
    { server: entry, wrapped, mode: "job", jobId, ...(resume ? { resume } : {}) },
    { signal: new AbortController().signal, ...watch },
  );
}

/** Cancels as soon as the job has printed its first bytes, so that it surely runs. */
export function cancelledJob(asked: Asked, command: string): Promise<ExecResult> {
  const cancel = new AbortController();
  return runJob({ ...asked, signal: cancel.signal, onOutput: () => cancel.abort("mona") }, command);
}

export interface Wire {
  readonly port: number;
  /** How many connections were cut so far. */
  readonly cuts: () => number;
  /** Cuts all that stands; `deaf`: and takes no new connection until told otherwise. */
  readonly cut: (deaf?: boolean) => void;
  readonly close: () => Promise<void>;
}

/** A way to a server that is cut again and again: `lifeBytes` says after how many bytes from the server. */
export async function startWire(port: number, lifeBytes: () => number): Promise<Wire> {
  const open = new Set<net.Socket>();
  let cuts = 0;
  let deafNow = false;
  const listener = net.createServer((near) => {
    if (deafNow) {
      near.destroy();
      return;
    }
    const far = net.connect({ port, host: "127.0.0.1", noDelay: true });
    near.setNoDelay(true);
    let left = lifeBytes();
    const end = (): void => {
      near.destroy();
      far.destroy();
      open.delete(near);
    };
    open.add(near);
    for (const socket of [near, far]) socket.on("error", end).on("close", end);
    near.pipe(far);
    far.on("data", (chunk: Buffer) => {
      near.write(chunk.subarray(0, left));
      left -= chunk.length;
      if (left > 0) return;
      cuts++;
      end();
    });
  });
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
  const cut = (deaf = false): void => {
    deafNow = deaf;
    for (const socket of open) socket.destroy();
  };
  return {
    port: (listener.address() as net.AddressInfo).port,
    cuts: () => cuts,
    cut,
    close: async () => {
      cut(true);
      await new Promise<void>((resolve) => listener.close(() => resolve()));
    },
  };
}
