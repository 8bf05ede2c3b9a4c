import { createHmac, generateKeyPairSync } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import ssh2 from "ssh2";
import { describe, expect, it } from "vitest";
import {
  fingerprint,
  hostKeyAlgorithms,
  judgeHostKey,
  loadHostKeys,
  pinnedKeys,
} from "../../../src/ssh/keys/host-keys.ts";
import { useFolder } from "../../harness/use-started.ts";
import { server } from "../inventory-entry.ts";
import { ed25519Pair } from "../keys.ts";

const folder = useFolder();

const publicKey = (type: "ed25519" | "ecdsa"): string =>
  (type === "ed25519" ? ed25519Pair() : ssh2.utils.generateKeyPairSync("ecdsa", { bits: 256 })).public
    .split(" ")
    .slice(0, 2)
    .join(" ");
const [one, two, ecdsa] = [publicKey("ed25519"), publicKey("ed25519"), publicKey("ecdsa")];
const blobOf = (key: string): Buffer => Buffer.from(key.split(" ")[1] ?? "", "base64");
const print = (key: string): string => fingerprint(blobOf(key));

function hashed(name: string): string {
  const salt = Buffer.from("0123456789abcdefghij");
  return `|1|${salt.toString("base64")}|${createHmac("sha1", salt).update(name).digest("base64")}`;
}

function entry(lines: string, given = {}) {
  const knownHostsFile = join(folder, "known_hosts");
  writeFileSync(knownHostsFile, lines);
  return server({ host: "web1.example.com", knownHostsFile, ...given });
}

describe("pinnedKeys", () => {
  it.each([
    ["plain", `web1.example.com ${one}`, [one]],
    ["several names, other case, comment", `other,WEB1.example.com ${one} root@web1`, [one]],
    ["wildcard", `*.example.com ${one}`, [one]],
    ["question mark", `web?.example.com ${one}`, [one]],
    ["negated", `!web1.example.com,*.example.com ${one}\nweb1.example.com ${two}`, [two]],
    ["hashed", `${hashed("web1.example.com")} ${one}`, [one]],
    ["several keys", `web1.example.com ${one}\n# old\n\nweb1.example.com ${ecdsa}`, [one, ecdsa]],
    ["one of two revoked", `web1.example.com ${one}\nweb1.example.com ${two}\n@revoked * ${one}`, [two]],
  ])("SR-51 finds a host in known_hosts: %s", (_name, lines, keys) => {
    expect(pinnedKeys(entry(lines))).toEqual({ ok: true, fingerprints: keys.map(print) });
  });

  it("SR-51 another port is another host", () => {
    const lines = `web1.example.com ${one}\n[web1.example.com]:2222 ${two}`;
    expect(pinnedKeys(entry(lines))).toEqual({ ok: true, fingerprints: [print(one)] });
    expect(pinnedKeys(entry(lines, { port: 2222 }))).toEqual({ ok: true, fingerprints: [print(two)] });
  });

  it.each([
    ["no line", `db1.example.com ${one}`, "no host key is known for web-1: known_hosts has no line for it"],
    ["only revoked", `web1.example.com ${one}\n@revoked * ${one}`, "the host key of web-1 is revoked in known_hosts"],
    ["only a CA", `@cert-authority *.example.com ${one}`, "known_hosts knows web-1 only by a certificate authority"],
    ["a key that is none", `web1.example.com ssh-ed25519 AAAA`, "no host key is known for web-1"],
    [
      "a type that does not fit its key",
      `web1.example.com ssh-rsa ${one.split(" ")[1]}`,
      "no host key is known for web-1",
    ],
    ["an unknown marker", `@trusted web1.example.com ${one}`, "no host key is known for web-1"],
  ])("SR-51 refuses without trust on first use: %s", (_name, lines, reason) => {
    expect(pinnedKeys(entry(lines))).toMatchObject({
      ok: false,
      reason: expect.stringContaining(reason),
      remedy: expect.any(String),
    });
  });

  it("a known_hosts file that is not there is said so", () => {
    const missingFile = server({ knownHostsFile: join(folder, "nowhere") });
    expect(pinnedKeys(missingFile)).toMatchObject({
      ok: false,
      reason: "no host key is known for web-1: nowhere cannot be read",
    });
  });

  it("a key in the inventory wins over the file", () => {
    expect(pinnedKeys(entry(`web1.example.com ${one}`, { hostKey: `${two} comment` }))).toEqual({
      ok: true,
      fingerprints: [print(two)],
    });
  });

  it("a DSA key is refused with the types that are supported", () => {
    const blob = Buffer.concat([Buffer.from([0, 0, 0, 7]), Buffer.from("ssh-dss"), Buffer.alloc(8)]);
    const result = pinnedKeys(server({ hostKey: `ssh-dss ${blob.toString("base64")}` }));
    expect(result).toMatchObject({ ok: false, remedy: expect.stringContaining("ssh-ed25519") });
  });
});

describe("judging the key a server shows", () => {
  const keysOf = (lines: string) => {
    const keys = loadHostKeys(entry(lines));
    if (!keys.ok) throw new Error(keys.reason);
    return keys;
  };

  it("SR-51 takes a pinned key, refuses another and names both with the line", () => {
    const keys = keysOf(`\nweb1.example.com ${one}`);
    expect(judgeHostKey(server(), keys, blobOf(one))).toEqual({ ok: true });
    expect(judgeHostKey(server(), keys, blobOf(two))).toMatchObject({
      ok: false,
      reason: `the host key of web-1 changed: known_hosts line 2 says ${print(one)}, the server shows ${print(two)}; nothing was sent`,
    });
  });

  it("SR-51 a revoked key is refused as revoked", () => {
    const keys = keysOf(`web1.example.com ${two}\n@revoked * ${one}`);
    expect(judgeHostKey(server(), keys, blobOf(one))).toMatchObject({ reason: expect.stringContaining("is revoked") });
  });

  it("offers only the algorithms of keys we hold, and RSA never with SHA-1", () => {
    expect(hostKeyAlgorithms(keysOf(`web1.example.com ${ecdsa}`))).toEqual(["ecdsa-sha2-nistp256"]);
    const { publicKey: rsa } = generateKeyPairSync("rsa", { modulusLength: 2048 });
    const parsed = ssh2.utils.parseKey(rsa.export({ type: "pkcs1", format: "pem" }));
    const blob = parsed instanceof Error ? rsaBlob(rsa.export({ format: "jwk" })) : parsed.getPublicSSH();
    expect(hostKeyAlgorithms(keysOf(`web1.example.com ssh-rsa ${blob.toString("base64")}`))).toEqual([
      "rsa-sha2-512",
      "rsa-sha2-256",
    ]);
  });
});

/** RFC 4253 §6.6: the type, then exponent and modulus. */
function rsaBlob({ e = "", n = "" }: { e?: string; n?: string }): Buffer {
  const field = (bytes: Buffer): Buffer => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(bytes.length);
    return Buffer.concat([length, bytes]);
  };
  const number = (text: string): Buffer => Buffer.concat([Buffer.from([0]), Buffer.from(text, "base64url")]);
  return Buffer.concat([field(Buffer.from("ssh-rsa")), field(Buffer.from(e, "base64url")), field(number(n))]);
}
