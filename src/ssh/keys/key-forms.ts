import { createPrivateKey, type KeyObject, randomBytes } from "node:crypto";
import ssh2, { type ParsedKey } from "ssh2";

export const isPkcs8 = (text: Buffer): boolean =>
  /-----BEGIN (ENCRYPTED )?PRIVATE KEY-----/.test(text.toString("latin1"));

/** Whether a key wants a passphrase: PEM says it in a header, OpenSSH by the name of a cipher that is not "none". */
export function isEncrypted(text: Buffer): boolean {
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

/**
 * Reads a PKCS#8 key, which ssh2 cannot: converted in memory to a form that it knows. An error for a wrong passphrase
 * or a kind of key that SSH has no name for. Never throws.
 */
export function parsePkcs8(text: Buffer, passphrase: string | undefined): ParsedKey | Error {
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

/** An ed25519 key as OpenSSH writes it (PROTOCOL.key), without a passphrase. */
function opensshForm(key: KeyObject): string {
  const { x = "", d = "" } = key.export({ format: "jwk" });
  const point = Buffer.from(x, "base64url");
  const publicKey = Buffer.concat([field("ssh-ed25519"), field(point)]);
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
