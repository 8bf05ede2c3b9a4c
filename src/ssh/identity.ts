import { readFileSync, statSync } from "node:fs";
import { basename } from "node:path";
import ssh2 from "ssh2";
import type { Server } from "../types.ts";
import { type Refusal, refuse } from "./failure.ts";
import { expandHome } from "./host-keys.ts";

/** What we log in with: public keys only, never a password (SR-52). */
export type Identity =
  | { readonly ok: true; readonly kind: "key"; readonly privateKey: Buffer }
  | { readonly ok: true; readonly kind: "agent"; readonly socket: string };

/**
 * Loads a server's key file, or names the ssh-agent. A key that others may read (SR-56), that wants a passphrase, or
 * that ssh2 cannot read is refused with what to type. Never throws.
 */
export function loadIdentity(server: Server, agentSocket: string | undefined): Identity | Refusal {
  if (server.agent) {
    return agentSocket === undefined
      ? refuse(`${server.name} wants the ssh-agent, and none is running`, "set SSH_AUTH_SOCK or write `key_file`")
      : { ok: true, kind: "agent", socket: agentSocket };
  }
  if (server.keyFile === undefined) {
    return refuse(`${server.name} has no key to log in with`, "write `key_file` or `agent: true` in the inventory");
  }
  return loadKeyFile(server.name, expandHome(server.keyFile));
}

function loadKeyFile(serverName: string, file: string): Identity | Refusal {
  const name = basename(file);
  let text: Buffer;
  try {
    // Windows has no such mode bits; there the file's ACL is the operator's care.
    if (process.platform !== "win32" && (statSync(file).mode & 0o077) !== 0) {
      return refuse(`the key file ${name} of ${serverName} may be read by others`, `chmod 600 ${name}`);
    }
    text = readFileSync(file);
  } catch (thrown) {
    const code = (thrown as NodeJS.ErrnoException).code ?? "error";
    return refuse(`the key file ${name} of ${serverName} cannot be read (${code})`, "check `key_file` and its owner");
  }
  return judgeKey(serverName, name, text);
}

function judgeKey(serverName: string, name: string, text: Buffer): Identity | Refusal {
  if (/-----BEGIN (ENCRYPTED )?PRIVATE KEY-----/.test(text.toString("latin1"))) {
    return refuse(
      `the key file ${name} of ${serverName} is in PKCS#8, which cannot be read here`,
      `convert it: ssh-keygen -p -f ${name}`,
    );
  }
  const parsed = ssh2.utils.parseKey(text);
  if (!(parsed instanceof Error)) {
    return parsed.isPrivateKey()
      ? { ok: true, kind: "key", privateKey: text }
      : refuse(`the key file ${name} of ${serverName} holds a public key`, "name the private key, without `.pub`");
  }
  if (isEncrypted(text)) {
    return refuse(
      `the key file ${name} of ${serverName} wants a passphrase, and nobody is there to type it`,
      "load it into the ssh-agent and write `agent: true`, or use a key without one",
    );
  }
  return refuse(
    `the key file ${name} of ${serverName} is no private key that can be read here`,
    "use an ed25519, ECDSA or RSA key in OpenSSH or PEM form: ssh-keygen -t ed25519",
  );
}

/** Both forms say it in the clear: PEM in a header, OpenSSH by the name of a cipher that is not "none". */
function isEncrypted(text: Buffer): boolean {
  const lines = text.toString("latin1");
  if (lines.includes("ENCRYPTED")) return true;
  const body = /-----BEGIN OPENSSH PRIVATE KEY-----([^-]+)-----END/.exec(lines)?.[1];
  if (body === undefined) return false;
  const blob = Buffer.from(body, "base64");
  const magicLength = "openssh-key-v1\0".length;
  if (blob.length < magicLength + 8) return false;
  return blob.subarray(magicLength + 4, magicLength + 4 + blob.readUInt32BE(magicLength)).toString("latin1") !== "none";
}
