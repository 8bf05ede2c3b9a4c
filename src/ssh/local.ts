import { type ChildProcess, spawn } from "node:child_process";
import { EventEmitter } from "node:events";
import { existsSync } from "node:fs";
import { PassThrough } from "node:stream";
import type { Client, ClientChannel } from "ssh2";
import { reached } from "../base/crash-point.ts";
import { messageOf, type Refusal, refuse } from "../base/errors.ts";
import { machineOf, whereWeAre } from "../base/host/machine.ts";
import { withPipes } from "../base/host/with-pipes.ts";
import type { LocalMachine, Server } from "../base/server.ts";
import type { DialResult } from "./dial.ts";
import { machinePin } from "./keys/host-keys.ts";
import { unwire } from "./wire.ts";

/**
 * Makes a client whose commands start here, if this is the inventory's machine and account. A shell runs each command line in its own
 * process group, as under sshd. The client has only the members in use. Never throws.
 */
export function connectHere(server: Server, local: LocalMachine): DialResult {
  const elsewhere = whyElsewhere(server, local);
  if (elsewhere) return { ...elsewhere, transient: false, identity: true };
  const { user, path } = server;
  const { home } = whereWeAre();
  // The bot's own environment holds secrets.
  const environment = {
    HOME: home,
    USER: user,
    LOGNAME: user,
    SHELL: "/bin/sh",
    PATH: path,
    COUNTERSIGN_DIR: local.jobsFolder,
  };
  const leaders = new WeakMap<ClientChannel, number>();
  const open = new Set<ClientChannel>();
  let closed = false;
  const begin = (command: string): ClientChannel => {
    const { channel, pid } = startChannel(command, { environment, folder: home });
    open.add(channel);
    channel.once("close", () => open.delete(channel));
    if (pid !== undefined) leaders.set(channel, pid);
    return channel;
  };
  const end = (): void => {
    if (closed) return;
    closed = true;
    for (const channel of open) channel.close();
    client.emit("close");
  };
  const exec = (command: string, callback: (error: undefined, channel: ClientChannel) => void): void => {
    if (closed) throw new Error("Not connected");
    callback(undefined, begin(command));
  };
  const client = Object.assign(new EventEmitter(), { exec, end, destroy: end }) as unknown as Client;
  unwire(client, {
    exec: ({ command, onReady }, callback) => {
      if (closed) throw new Error("Not connected");
      const send = (): void => {
        callback(undefined, begin(command));
        reached("CP11");
      };
      onReady({ isOpen: () => !closed && whyElsewhere(server, local) === undefined, send, drop: () => undefined });
    },
    leaderOf: (channel) => leaders.get(channel),
  });

  return {
    ok: true,
    connection: {
      client,
      hostKey: machinePin(local),
      provedAt: Date.now(),
      closedBecause: () => (closed ? "the bot closed it" : undefined),
    },
  };
}

function whyElsewhere({ name, host, user }: Server, { jobsFolder, machine }: LocalMachine): Refusal | undefined {
  const here = whereWeAre();
  if (here.host !== host || here.user !== user)
    return refuse(
      `this runner is ${here.user} on ${here.host}, and ${name} is ${user} on ${host}; nothing was run`,
      "start the runner there, or correct `host` and `user`",
    );
  const found = machineOf(jobsFolder);
  if (found === machine) return undefined;
  return refuse(
    `the jobs of ${name} in ${jobsFolder} are ${found === undefined ? "gone" : `those of ${found}`}, not of ${machine}; nothing was run`,
    "restart the bot, or correct `jobs_folder` and `machine`; what was approved before must be proposed again",
  );
}

/** A shell's code for a program that cannot start. */
const notStarted = 126;

/** A channel reports its own failed start. Never throws. */
function startChannel(
  command: string,
  { environment, folder }: { readonly environment: Readonly<Record<string, string>>; readonly folder: string },
): { readonly channel: ClientChannel; readonly pid: number | undefined } {
  const output = new PassThrough();
  const stderr = new PassThrough();
  const finish = output.end.bind(output);
  let child: ChildProcess | undefined;
  const close = (): void => {
    for (const stream of [child?.stdout, child?.stderr, output, stderr]) stream?.destroy();
  };
  const channel = Object.assign(output, { stderr, close, end: () => output }) as unknown as ClientChannel;
  const ended = (): void => {
    finish();
    stderr.end();
  };
  const refuse = (error: unknown): void => {
    output.write(`${messageOf(error)}\n`);
    output.emit("exit", notStarted);
    ended();
  };
  // bash replaces itself with the command, which then leads the group, as `timeout` needs.
  const shells = ["/bin/bash", "/usr/bin/bash", "/usr/local/bin/bash"];
  const shell = shells.find((file) => existsSync(file)) ?? "/bin/sh";
  try {
    const started = withPipes(
      spawn(shell, ["-c", command], {
        cwd: folder,
        env: environment,
        detached: true,
        stdio: ["ignore", "pipe", "pipe"],
      }),
    );
    child = started;
    started.stdout.pipe(output, { end: false });
    started.stderr.pipe(stderr, { end: false });
    started.once("exit", (code, signal) => output.emit("exit", code, signal ?? undefined));
    // After the exit, in any order of the streams' ends.
    started.once("close", ended);
    started.once("error", (error) => {
      if (started.pid === undefined) refuse(error);
    });
  } catch (thrown) {
    // Thrown if the command is too long; reported once the caller listens.
    queueMicrotask(() => refuse(thrown));
  }
  return { channel, pid: child?.pid };
}
