import { createPrivateKey, generateKeyPairSync, type KeyObject, randomBytes } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { basename } from "node:path";
import ssh2, { type ParsedKey } from "ssh2";
import { type Refusal, refuse } from "../../base/errors.ts";
import type { Server } from "../../base/server.ts";
import { expandHome } from "./host-keys.ts";

interface AgentLogin {
  readonly ok: true;
  readonly kind: "agent";
  readonly socket: string;
}

/** A key or an agent, never a password (SR-52). */
export type Identity = { readonly ok: true; readonly kind: "key"; readonly privateKey: ParsedKey } | AgentLogin;

/** A key for one connection, and the certificate that opens one server with it. */
export interface CertificateLogin {
  readonly ok: true;
  readonly kind: "certificate";
  readonly privateKey: string;
  /** Absent to see that the key opens nothing without one. */
  readonly certificate?: string;
}

export type SystemLogin = Omit<KeyFile, "text"> | AgentLogin | CertificateLogin;

/**
 * Loads a key file, or names the ssh-agent. Refuses a key that others may read (SR-56), lacks its passphrase or is unreadable. Never
 * throws.
 */
export function loadIdentity(server: Server, agentSocket: string | undefined): Identity | Refusal {
  const login = findLogin(server, agentSocket);
  if (!login.ok || login.kind === "agent") return login;
  const { keyPassphraseFile } = server;
  const phrase =
    keyPassphraseFile === undefined
      ? undefined
      : readSecret({
          what: "passphrase file",
          key: "key_passphrase_file",
          file: expandHome(keyPassphraseFile),
          serverName: server.name,
        });
  if (phrase?.ok === false) return phrase;
  const passphrase = phrase?.text.toString("utf8").replace(/\r?\n$/, "");
  const { text } = login;
  const name = basename(login.file);
  const its = `the key file ${name} of ${server.name}`;
  if (isPublic(text)) return holdsPublicKey(name, server.name);
  if (text.subarray(0, 15).toString("latin1") === "PuTTY-User-Key-") {
    return refuse(`${its} is in PuTTY's form`, `convert it: puttygen ${name} -O private-openssh -o ${name}.key`);
  }
  const encrypted = isEncrypted(text);
  if (encrypted && passphrase === undefined) {
    return refuse(
      `${its} wants a passphrase, and nobody is there to type it`,
      "put it into a file with mode 0600 and name that as `key_passphrase_file`, or load the key into the ssh-agent and " +
        "write `agent: true`",
    );
  }
  const parsed = isPkcs8(text) ? parsePkcs8(text, passphrase) : ssh2.utils.parseKey(text, passphrase);
  if (!(parsed instanceof Error)) return { ok: true, kind: "key", privateKey: parsed };
  if (encrypted) {
    return refuse(`the passphrase of ${name} of ${server.name} does not open it`, "correct `key_passphrase_file`");
  }
  if (isPkcs8(text)) {
    return refuse(`${its} is a PKCS#8 key of a kind SSH does not know`, `convert it: ssh-keygen -p -f ${name}`);
  }
  return refuse(
    `${its} is no private key that can be read here`,
    "use an ed25519, ECDSA or RSA key in OpenSSH or PEM form: ssh-keygen -t ed25519; for a FIDO key `backend: openssh`",
  );
}

/** As `loadIdentity` for the system's ssh, which reads more formats and gets no passphrase. */
export function loadSystemLogin(server: Server, agentSocket: string | undefined): SystemLogin | Refusal {
  const login = findLogin(server, agentSocket);
  if (!login.ok || login.kind === "agent") return login;
  const name = basename(login.file);
  if (isPublic(login.text)) return holdsPublicKey(name, server.name);
  if (isEncrypted(login.text)) {
    return refuse(
      `the key file ${name} of ${server.name} wants a passphrase, which the backend openssh cannot be given`,
      "load it into the ssh-agent and write `agent: true`",
    );
  }
  return { ok: true, kind: "key-file", file: login.file };
}

interface KeyFile {
  readonly ok: true;
  readonly kind: "key-file";
  readonly file: string;
  readonly text: Buffer;
}

function findLogin(server: Server, agentSocket: string | undefined): AgentLogin | KeyFile | Refusal {
  if (server.agent) {
    const socket = server.agentSocket ?? agentSocket;
    return socket === undefined
      ? refuse(`${server.name} wants the ssh-agent, and none is running`, "set SSH_AUTH_SOCK or write `key_file`")
      : { ok: true, kind: "agent", socket };
  }
  if (server.keyFile === undefined) {
    return refuse(`${server.name} has no key to log in with`, "write `key_file` or `agent: true` in the inventory");
  }
  const file = expandHome(server.keyFile);
  const read = readSecret({ what: "key file", key: "key_file", file, serverName: server.name });
  return read.ok ? { ok: true, kind: "key-file", file, text: read.text } : read;
}

function readSecret(wanted: { what: string; key: string; file: string; serverName: string }) {
  const { what, key, file, serverName } = wanted;
  const name = basename(file);
  try {
    // On Windows the file's ACL is the operator's duty.
    if (process.platform !== "win32" && (statSync(file).mode & 0o077) !== 0) {
      return refuse(`the ${what} ${name} of ${serverName} may be read by others`, `chmod 600 ${name}`);
    }
    return { ok: true, text: readFileSync(file) } as const;
  } catch (thrown) {
    const code = (thrown as NodeJS.ErrnoException).code ?? "error";
    return refuse(`the ${what} ${name} of ${serverName} cannot be read (${code})`, `check \`${key}\` and its owner`);
  }
}

const isPublic = (text: Buffer): boolean =>
  /^(?:(?:ssh|ecdsa|sk-ssh|sk-ecdsa)-[\w@.-]+ AAAA|---- BEGIN SSH2 PUBLIC|-----BEGIN (?:RSA )?PUBLIC)/.test(
    text.toString("latin1"),
  );

const holdsPublicKey = (name: string, serverName: string): Refusal =>
  refuse(`the key file ${name} of ${serverName} holds a public key`, "name the private key, without `.pub`");

const isPkcs8 = (text: Buffer): boolean => /-----BEGIN (ENCRYPTED )?PRIVATE KEY-----/.test(text.toString("latin1"));

/** PEM has a header, OpenSSH a cipher other than "none". */
function isEncrypted(text: Buffer): boolean {
  const lines = text.toString("latin1");
  if (lines.includes("ENCRYPTED")) return true;
  const body = /-----BEGIN OPENSSH PRIVATE KEY-----([^-]+)-----END/.exec(lines)?.[1];
  if (body === undefined) return false;
  const blob = Buffer.from(body, "base64");
  if (blob.length < magic.length + 8) return false;
  return (
    blob.subarray(magic.length + 4, magic.length + 4 + blob.readUInt32BE(magic.length)).toString("latin1") !== "none"
  );
}

/** ssh2 cannot read PKCS#8. Returns an error for a wrong passphrase or a kind that SSH lacks. Never throws. */
function parsePkcs8(text: Buffer, passphrase: string | undefined): ParsedKey | Error {
  try {
    const key = createPrivateKey({ key: text, format: "pem", ...(passphrase === undefined ? {} : { passphrase }) });
    switch (key.asymmetricKeyType) {
      case "rsa":
        return ssh2.utils.parseKey(key.export({ type: "pkcs1", format: "pem" }));
      case "ec":
        return ssh2.utils.parseKey(key.export({ type: "sec1", format: "pem" }));
      case "ed25519":
        return ssh2.utils.parseKey(opensshForm(key));
      default:
        return new Error("a kind of key that SSH does not know");
    }
  } catch (thrown) {
    return thrown instanceof Error ? thrown : new Error("unreadable");
  }
}

const magic = Buffer.from("openssh-key-v1\0");

/** Makes a key that opens nothing by itself. `publicKey` as in an authorized_keys file. */
export function newKey(): { readonly privateKey: string; readonly publicKey: string } {
  const { privateKey } = generateKeyPairSync("ed25519");
  return { privateKey: opensshForm(privateKey), publicKey: `ssh-ed25519 ${publicBlob(privateKey).toString("base64")}` };
}

const publicBlob = (key: KeyObject): Buffer =>
  Buffer.concat([field("ssh-ed25519"), field(Buffer.from(key.export({ format: "jwk" }).x ?? "", "base64url"))]);

/** Unencrypted ed25519 in OpenSSH's format (PROTOCOL.key). */
function opensshForm(key: KeyObject): string {
  const { x = "", d = "" } = key.export({ format: "jwk" });
  const point = Buffer.from(x, "base64url");
  const publicKey = publicBlob(key);
  const check = randomBytes(4);
  const secret = Buffer.concat([
    ...[check, check, publicKey],
    field(Buffer.concat([Buffer.from(d, "base64url"), point])),
    field(""),
  ]);
  const padding = Buffer.from(Array.from({ length: (8 - (secret.length % 8)) % 8 }, (_, index) => index + 1));
  const count = Buffer.from([0, 0, 0, 1]);
  const blob = Buffer.concat([
    ...[magic, field("none"), field("none"), field(""), count, field(publicKey)],
    field(Buffer.concat([secret, padding])),
  ]);
  const lines = blob.toString("base64").replace(/.{70}/g, "$&\n");
  return `-----BEGIN OPENSSH PRIVATE KEY-----\n${lines}\n-----END OPENSSH PRIVATE KEY-----\n`;
}

function field(content: Buffer | string): Buffer {
  const bytes = Buffer.from(content as string);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}
