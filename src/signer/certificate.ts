import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { messageOf } from "../base/errors.ts";
import { makePrivateFolder, removePrivateFolder } from "../base/private-folder.ts";

export interface CertificateAuthority {
  readonly keyFile: string;
  /** The agent that holds the private key; `keyFile` is then the public one. */
  readonly agentSocket?: string | undefined;
}

interface CertificateOrder {
  readonly publicKey: string;
  readonly server: string;
  /** In sshd's log. */
  readonly keyId: string;
  readonly serial: number;
  readonly command: string;
  readonly sourceAddresses: readonly string[];
}

/** In the file of principals on a server. */
export const principalOf = (server: string): string => `countersign:${server}`;

/** The minute before is for a server whose clock is behind. */
const validity = "-1m:+60s";
const timeoutMs = 10_000;

/** Signs a user certificate for one command on one server. Rejects with ssh-keygen's words. */
export async function signCertificate(
  { keyFile, agentSocket }: CertificateAuthority,
  { publicKey, server, keyId, serial, command, sourceAddresses }: CertificateOrder,
): Promise<string> {
  const folder = makePrivateFolder("signer");
  try {
    writeFileSync(join(folder, "key.pub"), `${publicKey}\n`, { mode: 0o600 });
    // sshd wants a network's length.
    const networks = sourceAddresses.map((one) => (one.includes("/") ? one : `${one}/${one.includes(":") ? 128 : 32}`));
    const flags = [
      ...["-q", ...(agentSocket === undefined ? [] : ["-U"]), "-s", keyFile, "-I", keyId, "-z", `${serial}`],
      ...["-n", principalOf(server), "-V", validity],
      // `clear` also takes away ~/.ssh/rc, terminals and all forwarding.
      ...["-O", "clear", "-O", `force-command=${command}`, "-O", `source-address=${networks.join(",")}`],
    ];
    const env = {
      PATH: "/usr/local/bin:/usr/bin:/bin",
      ...(agentSocket === undefined ? {} : { SSH_AUTH_SOCK: agentSocket }),
    };
    await new Promise<void>((resolve, reject) => {
      const child = execFile(
        "ssh-keygen",
        [...flags, join(folder, "key.pub")],
        { env, timeout: timeoutMs },
        (error, _, words) =>
          error ? reject(new Error(`ssh-keygen did not sign: ${words.trim() || messageOf(error)}`)) : resolve(),
      );
      // It would wait for a passphrase.
      child.stdin?.end();
    });
    return readFileSync(join(folder, "key-cert.pub"), "utf8").trim();
  } finally {
    removePrivateFolder(folder);
  }
}
