import { createPublicKey, generateKeyPairSync, verify } from "node:crypto";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { loadIdentity } from "../../../src/ssh/keys/identity.ts";
import { useFolder, writerIn } from "../../harness/use-started.ts";
import { server } from "../inventory-entry.ts";
import { ed25519Pair } from "../keys.ts";

const folder = useFolder();

const write = writerIn(folder);
const keyFile = (text: string, mode?: number): string => write("ops_key", text, mode);

const ed25519 = ed25519Pair();
const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey;
const ec = generateKeyPairSync("ec", { namedCurve: "prime256v1" }).privateKey;
const ed = generateKeyPairSync("ed25519").privateKey;
const secret = "correct horse";
const encrypted = { cipher: "aes-256-cbc", passphrase: secret } as const;

const passphraseFile = (text: string, mode?: number): string => write("phrase", text, mode);

const withPassphrase = [
  ["OpenSSH", ed25519Pair({ passphrase: secret, cipher: "aes256-ctr", rounds: 1 }).private],
  ["PKCS#1", rsa.export({ type: "pkcs1", format: "pem", ...encrypted }).toString()],
  ["SEC1", ec.export({ type: "sec1", format: "pem", ...encrypted }).toString()],
  ["PKCS#8 RSA", rsa.export({ type: "pkcs8", format: "pem", ...encrypted }).toString()],
  ["PKCS#8 ed25519", ed.export({ type: "pkcs8", format: "pem", ...encrypted }).toString()],
] as const;

describe("loadIdentity", () => {
  it.each([
    ["OpenSSH", ed25519.private],
    ["PEM", rsa.export({ type: "pkcs1", format: "pem" }).toString()],
    ["SEC1", ec.export({ type: "sec1", format: "pem" }).toString()],
    ["PKCS#8 RSA", rsa.export({ type: "pkcs8", format: "pem" }).toString()],
    ["PKCS#8 EC", ec.export({ type: "pkcs8", format: "pem" }).toString()],
    ["PKCS#8 ed25519", ed.export({ type: "pkcs8", format: "pem" }).toString()],
  ])("takes a key without passphrase: %s", (_form, text) => {
    expect(loadIdentity(server({ keyFile: keyFile(text) }), undefined)).toMatchObject({ ok: true, kind: "key" });
  });

  it("a converted PKCS#8 key signs what its own public key verifies", () => {
    const text = ed.export({ type: "pkcs8", format: "pem" }).toString();
    const identity = loadIdentity(server({ keyFile: keyFile(text) }), undefined);
    if (!identity.ok || identity.kind !== "key") throw new Error("no key");
    const signature = identity.privateKey.sign(Buffer.from("message"));
    expect(verify(null, Buffer.from("message"), createPublicKey(ed), signature as Buffer)).toBe(true);
  });

  it.each(withPassphrase)("takes a key with its passphrase from a file: %s", (_form, text) => {
    const given = { keyFile: keyFile(text), keyPassphraseFile: passphraseFile(`${secret}\n`) };
    expect(loadIdentity(server(given), undefined)).toMatchObject({ ok: true, kind: "key" });
  });

  it.each(withPassphrase)("a wrong passphrase is said so: %s", (_form, text) => {
    const given = { keyFile: keyFile(text), keyPassphraseFile: passphraseFile("wrong") };
    expect(loadIdentity(server(given), undefined)).toEqual({
      ok: false,
      reason: "the passphrase of ops_key of web-1 does not open it",
      remedy: "correct `key_passphrase_file`",
    });
  });

  it("SR-56 a passphrase file that others may read is refused, and one that is not there", () => {
    const keyed = keyFile(withPassphrase[0][1]);
    const open = server({ keyFile: keyed, keyPassphraseFile: passphraseFile(secret, 0o644) });
    expect(loadIdentity(open, undefined)).toEqual({
      ok: false,
      reason: "the passphrase file phrase of web-1 may be read by others",
      remedy: "chmod 600 phrase",
    });
    expect(loadIdentity(server({ keyFile: keyed, keyPassphraseFile: join(folder, "no") }), undefined)).toMatchObject({
      reason: "the passphrase file no of web-1 cannot be read (ENOENT)",
    });
  });

  it.each([
    ["a PuTTY key", "PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none\n", "PuTTY's form", "puttygen ops_key -O"],
    [
      "a PKCS#8 key of another kind",
      generateKeyPairSync("x25519").privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
      "a kind SSH does not know",
      "ssh-keygen -p -f ops_key",
    ],
    [
      "an OpenSSH key with a passphrase",
      ed25519Pair({ passphrase: "secret", cipher: "aes256-ctr", rounds: 1 }).private,
      "wants a passphrase",
      "agent: true",
    ],
    [
      "a PEM key with a passphrase",
      rsa.export({ type: "pkcs1", format: "pem", cipher: "aes-128-cbc", passphrase: "secret" }).toString(),
      "wants a passphrase",
      "agent: true",
    ],
    ["a public key", ed25519.public, "holds a public key", "without `.pub`"],
    ["junk", "not a key", "is no private key", "ssh-keygen -t ed25519"],
  ])("refuses %s and says what to do", (_name, text, reason, remedy) => {
    expect(loadIdentity(server({ keyFile: keyFile(text) }), undefined)).toEqual({
      ok: false,
      reason: expect.stringContaining(reason),
      remedy: expect.stringContaining(remedy),
    });
  });

  it.each([0o640, 0o604, 0o660, 0o644])("SR-56 refuses a key file with mode %o", (mode) => {
    expect(loadIdentity(server({ keyFile: keyFile(ed25519.private, mode) }), undefined)).toEqual({
      ok: false,
      reason: "the key file ops_key of web-1 may be read by others",
      remedy: "chmod 600 ops_key",
    });
  });

  it("says that a key file is not there, or that none is named", () => {
    expect(loadIdentity(server({ keyFile: join(folder, "gone") }), undefined)).toMatchObject({
      reason: "the key file gone of web-1 cannot be read (ENOENT)",
    });
    expect(loadIdentity(server(), undefined)).toMatchObject({ ok: false, reason: "web-1 has no key to log in with" });
  });

  it("an agent needs a socket", () => {
    expect(loadIdentity(server({ agent: true }), "/run/agent")).toEqual({
      ok: true,
      kind: "agent",
      socket: "/run/agent",
    });
    expect(loadIdentity(server({ agent: true }), undefined)).toMatchObject({
      ok: false,
      remedy: expect.stringContaining("SSH_AUTH_SOCK"),
    });
  });
});
