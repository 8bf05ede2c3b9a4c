import { connect } from "node:net";
import ssh2 from "ssh2";
import type { Sandbox, SandboxServer } from "../../../demo/sandbox/start.ts";
import { wrap } from "../../../src/ssh/wrap.ts";
import { server } from "../../ssh/inventory-entry.ts";

interface Ran {
  readonly out: string;
  readonly err: string;
  readonly code: number | null;
  readonly signal: string | undefined;
  /** The order in which pieces of stdout arrived. */
  readonly pieces: readonly string[];
}

export interface Connection {
  readonly run: (
    exec: string,
    options?: { stdin?: string; onData?: (text: string, kill: () => void) => void },
  ) => Promise<Ran>;
  readonly end: () => void;
}

/** A command the way the bot sends it: exactly the bytes of its own wrapper. */
export const wrapped = (command: string): string => wrap(server({ user: "ops" }), command, "linux");

/** Logs in as the bot would: the key, the pinned host key, no TTY. */
export const logIn = async (
  sandbox: Sandbox,
  name: SandboxServer["name"],
  privateKey = sandbox.privateKey,
): Promise<Connection> => {
  const server = sandbox.servers.find((s) => s.name === name);
  if (!server) throw new Error(`no server ${name}`);
  const client = new ssh2.Client();
  await new Promise<void>((resolve, reject) => {
    client.once("ready", resolve).once("error", reject);
    client.connect({
      sock: connect({ host: server.host, port: server.port, noDelay: true }),
      username: server.user,
      privateKey,
      hostVerifier: (key: Buffer) => `ssh-ed25519 ${key.toString("base64")}` === sandbox.hostKey,
    });
  });
  return {
    end: () => client.end(),
    run: (exec, { stdin = "", onData } = {}) =>
      new Promise((resolve, reject) => {
        client.exec(exec, (error, channel) => {
          if (error) return reject(error);
          let out = "";
          let err = "";
          let code: number | null = null;
          let signal: string | undefined;
          const pieces: string[] = [];
          channel.on("data", (chunk: Buffer) => {
            out += chunk;
            pieces.push(String(chunk));
            onData?.(String(chunk), () => channel.signal("TERM"));
          });
          channel.stderr.on("data", (chunk: Buffer) => {
            err += chunk;
          });
          channel.on("exit", (status: number | null, name?: string) => {
            code = status;
            signal = name;
          });
          channel.on("close", () => resolve({ out, err, code, signal, pieces }));
          // Left open where the test wants to send a signal: ssh2 sends none on an ended channel.
          if (onData) channel.write(stdin);
          else channel.end(stdin);
        });
      }),
  };
};
