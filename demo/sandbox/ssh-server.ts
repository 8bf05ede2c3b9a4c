import ssh2 from "ssh2";
import type { Sibling } from "./housekeeping.ts";

/** One command as a client sent it, and where its bytes go. Resolves to the exit code. */
export type Serve = (
  exec: string,
  terminal: {
    readonly stdin: string;
    readonly stdout: (bytes: Uint8Array) => void;
    readonly stderr: (bytes: Uint8Array) => void;
    readonly signal: AbortSignal;
  },
  /** Other commands of the same connection, in order of start. */
  siblings: readonly Sibling[],
) => Promise<number>;

export interface SshServer {
  readonly port: number;
  readonly close: () => Promise<void>;
}

const maxSessions = 10;
const maxStdinBytes = 1024 * 1024;
const stdinGraceMs = 100;

/** Reads stdin: a script on `sh -s` to its end, otherwise what comes at once, since most commands read none. */
const readStdin = (channel: ssh2.ServerChannel, toTheEnd: boolean): Promise<string> =>
  new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const finish = () => {
      clearTimeout(timer);
      resolve(Buffer.concat(chunks).toString("utf8"));
    };
    const timer = setTimeout(finish, toTheEnd ? 30_000 : stdinGraceMs);
    channel.on("data", (chunk: Buffer) => {
      bytes += chunk.byteLength;
      if (bytes <= maxStdinBytes) chunks.push(chunk);
    });
    channel.once("end", finish);
    channel.once("close", finish);
  });

const handleSession = (session: ssh2.Session, serve: Serve, running: Set<Sibling>, ended: () => void): void => {
  const cancel = new AbortController();
  let signalled: string | undefined;
  session.on("pty", (accept) => accept?.());
  session.on("env", (accept) => accept?.());
  session.on("window-change", (accept) => accept?.());
  const end = (signal: string): void => {
    signalled = signal.replace(/^SIG/, "");
    cancel.abort();
  };
  session.on("signal", (accept, _reject, info) => {
    end(info.name);
    accept?.();
  });
  session.on("close", () => {
    cancel.abort();
    ended();
  });
  session.on("exec", (accept, _reject, info) => {
    const channel = accept();
    channel.on("error", () => cancel.abort()); // The client went away; `close` follows.
    const siblings = [...running];
    let settle = (): void => {};
    const self: Sibling = {
      end,
      ended: new Promise((resolve) => {
        settle = resolve;
      }),
    };
    running.add(self);
    const run = async (): Promise<void> => {
      const stdin = await readStdin(channel, /(^|\/)(ba|da)?sh( -s)?\s*$/.test(info.command));
      const code = await serve(
        info.command,
        {
          stdin,
          stdout: (bytes) => void (channel.writable && channel.write(Buffer.from(bytes))),
          stderr: (bytes) => void (channel.writable && channel.stderr.write(Buffer.from(bytes))),
          signal: cancel.signal,
        },
        siblings,
      );
      if (signalled !== undefined) channel.exit(signalled, false, "");
      else channel.exit(code);
      channel.end();
    };
    run()
      .catch((thrown: unknown) => {
        channel.stderr.write(`sandbox: ${thrown instanceof Error ? thrown.message : String(thrown)}\n`);
        channel.exit(255);
        channel.end();
      })
      .finally(() => {
        running.delete(self);
        settle();
      });
  });
};

const mayEnter = (context: ssh2.AuthContext, user: string, key: ssh2.ParsedKey): boolean =>
  context.method === "publickey" &&
  context.username === user &&
  context.key.algo === key.type &&
  context.key.data.equals(key.getPublicSSH()) &&
  (!context.signature || key.verify(context.blob ?? Buffer.alloc(0), context.signature, context.hashAlgo) === true);

/** A pair of ed25519 keys in OpenSSH's own format. ssh2 now and then writes one it cannot read itself; then another is made. */
export const createKeys = (): { readonly privateKey: string; readonly publicKey: string } => {
  for (;;) {
    const { private: privateKey, public: publicKey } = ssh2.utils.generateKeyPairSync("ed25519");
    if (ssh2.utils.parseKey(privateKey) instanceof Error) continue;
    return { privateKey, publicKey: publicKey.split(" ").slice(0, 2).join(" ") };
  }
};

/** An SSH server on 127.0.0.1 that lets one key in and hands each exec request to `serve`. It starts no process. */
export const startSshServer = async (options: {
  readonly hostKey: string;
  readonly clientKey: string;
  readonly user: string;
  readonly serve: Serve;
}): Promise<SshServer> => {
  const key = ssh2.utils.parseKey(options.clientKey);
  if (key instanceof Error) throw key;
  const connections = new Set<ssh2.Connection>();
  const server = new ssh2.Server({ hostKeys: [options.hostKey], ident: "countersign-sandbox" }, (connection) => {
    let open = 0;
    const running = new Set<Sibling>();
    connections.add(connection);
    // Missing in the types; without it each small answer waits for the client's delayed ACK.
    (connection as ssh2.Connection & { setNoDelay: (on: boolean) => void }).setNoDelay(true);
    connection.on("close", () => connections.delete(connection));
    connection.on("error", () => connection.end()); // A reset by the client is no event of the sandbox.
    connection.on("authentication", (context) =>
      mayEnter(context, options.user, key) ? context.accept() : context.reject(["publickey"]),
    );
    connection.on("session", (accept, reject) => {
      if (open >= maxSessions) return reject();
      open += 1;
      handleSession(accept(), options.serve, running, () => {
        open -= 1;
      });
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the sandbox has no port");
  return {
    port: address.port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const connection of connections) connection.end();
      }),
  };
};
