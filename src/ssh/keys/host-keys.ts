import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { basename, join } from "node:path";
import type { ServerHostKeyAlgorithm } from "ssh2";
import { type Refusal, refuse } from "../../base/errors.ts";
import { matchesGlob } from "../../base/glob.ts";
import type { LocalMachine, Server } from "../../base/server.ts";

interface PinnedKey {
  readonly type: string;
  readonly blob: Buffer;
  /** For people: `known_hosts line 3`. */
  readonly place: string;
}

export interface HostKeys {
  readonly ok: true;
  readonly keys: readonly PinnedKey[];
  readonly revoked: readonly PinnedKey[];
  /** Only the backend `openssh` can use them. */
  readonly authorities: readonly PinnedKey[];
}

/** Most preferred first, without SHA-1 and DSA. */
const algorithmsByType: Readonly<Record<string, readonly ServerHostKeyAlgorithm[]>> = {
  "ssh-ed25519": ["ssh-ed25519"],
  "ecdsa-sha2-nistp256": ["ecdsa-sha2-nistp256"],
  "ecdsa-sha2-nistp384": ["ecdsa-sha2-nistp384"],
  "ecdsa-sha2-nistp521": ["ecdsa-sha2-nistp521"],
  "ssh-rsa": ["rsa-sha2-512", "rsa-sha2-256"],
};

/**
 * The fingerprints a host key may have, from `hostKey` or known_hosts (SR-51). Refuses a server without one, because nothing is trusted on
 * first use. Reads files; never throws.
 */
export function pinnedKeys(server: Server): { ok: true; fingerprints: readonly string[] } | Refusal {
  if (server.local) return { ok: true, fingerprints: [machinePin(server.local)] };
  const found = loadHostKeys(server);
  if (!found.ok) return found;
  const authorities = found.authorities.map((key) => `authority ${fingerprint(key.blob)}`);
  return { ok: true, fingerprints: [...found.keys.map((key) => fingerprint(key.blob)), ...authorities] };
}

/** Stands for the host key of the runner's own machine. */
export const machinePin = ({ machine }: LocalMachine): string => `machine ${machine}`;

const unpinnedRemedy =
  "take the public key from the server's console (cat /etc/ssh/ssh_host_ed25519_key.pub) and write it as `host_key`, " +
  "or add its line to the known_hosts file; a key is never trusted because it was seen first";

/** As `pinnedKeys`, with the keys themselves. */
export function loadHostKeys(server: Server): HostKeys | Refusal {
  if (server.hostKey !== undefined) {
    const [type, key] = server.hostKey.trim().split(/\s+/);
    const blob = Buffer.from(key ?? "", "base64");
    if (type === undefined || keyType(blob) !== type) {
      return refuse(`host_key of ${server.name} is no public key`, 'write it as `host_key: "ssh-ed25519 AAAA…"`');
    }
    if (!isUsable(server, type)) return unsupported(server, [type]);
    return { ok: true, keys: [{ type, blob, place: "host_key in the inventory" }], revoked: [], authorities: [] };
  }
  const files = knownHostsFiles(server).map((file) => ({ name: basename(file), text: readText(file) }));
  const names = files.map(({ name }) => name).join(", ");
  if (files.every(({ text }) => text === undefined))
    return refuse(`no host key is known for ${server.name}: ${names} cannot be read`, unpinnedRemedy);
  const lines = files.flatMap(({ name, text }) =>
    linesFor(parseKnownHosts(text ?? ""), knownAs(server)).map((line) => ({
      ...line,
      place: `${name} line ${line.line}`,
    })),
  );
  const revoked = lines.filter((line) => line.marker === "revoked");
  const unrevoked = (marker: "cert-authority" | undefined) =>
    lines.filter((line) => line.marker === marker && !revoked.some((bad) => bad.blob.equals(line.blob)));
  const authorities = server.backend === "openssh" ? unrevoked("cert-authority") : [];
  const valid = unrevoked(undefined);
  const keys = valid.filter((key) => isUsable(server, key.type));
  if (keys.length + authorities.length > 0) return { ok: true, keys, revoked, authorities };
  if (valid.length > 0)
    return unsupported(
      server,
      valid.map((key) => key.type),
    );
  if (unrevoked("cert-authority").length > 0) {
    return refuse(
      `${names} knows ${server.name} only by a certificate authority, and host certificates cannot be checked here`,
      `write \`backend: openssh\`, which can check them; or ${unpinnedRemedy}`,
    );
  }
  if (lines.length > 0) return refuse(`the host key of ${server.name} is revoked in ${names}`, unpinnedRemedy);
  return refuse(`no host key is known for ${server.name}: ${names} has no line for it`, unpinnedRemedy);
}

/** The algorithms of known keys only, so that the server shows one of them. */
export function hostKeyAlgorithms(keys: HostKeys): ServerHostKeyAlgorithm[] {
  return Object.entries(algorithmsByType).flatMap(([type, algorithms]) =>
    keys.keys.some((key) => key.type === type) ? algorithms : [],
  );
}

/** Checks a shown key. A refusal has the expected key, its file, and the shown key. */
export function judgeHostKey(server: Server, keys: HostKeys, shown: Buffer): { ok: true } | Refusal {
  if (keys.revoked.some((key) => key.blob.equals(shown))) {
    return refuse(
      `the host key of ${server.name} is revoked: it shows ${fingerprint(shown)}; nothing was sent`,
      "give the server a new host key and pin that one",
    );
  }
  if (keys.keys.some((key) => key.blob.equals(shown))) return { ok: true };
  const known = keys.keys.map((key) => `${key.place} says ${fingerprint(key.blob)}`).join(", ");
  return refuse(
    `the host key of ${server.name} changed: ${known}, the server shows ${fingerprint(shown)}; nothing was sent`,
    `if the change is meant, compare it on the server's console (ssh-keygen -lf /etc/ssh/ssh_host_*_key.pub) and ` +
      `replace ${keys.keys.map((key) => key.place).join(", ")}; if not, somebody may be in between`,
  );
}

/** The server's known_hosts files, with `~` expanded. */
export const knownHostsFiles = ({ knownHostsFile = "~/.ssh/known_hosts" }: Server): readonly string[] =>
  [knownHostsFile].flat().map(expandHome);

/** The system's ssh knows more types (FIDO) than ssh2, and reports unknown ones. */
const isUsable = (server: Server, type: string): boolean =>
  server.backend === "openssh" || algorithmsByType[type] !== undefined;

function unsupported(server: Server, types: readonly string[]): Refusal {
  return refuse(
    `the pinned host key of ${server.name} has a type that is not supported: ${types.join(", ")}`,
    `pin one of ${Object.keys(algorithmsByType).join(", ")}, or write \`backend: openssh\``,
  );
}

/** Expands `~/`. */
export const expandHome = (path: string): string => (path.startsWith("~/") ? join(homedir(), path.slice(2)) : path);

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined; // the caller's refusal says it
  }
}

/** See sshd(8), "SSH_KNOWN_HOSTS FILE FORMAT". */
interface KnownHost {
  readonly marker: "revoked" | "cert-authority" | undefined;
  /** Patterns or a hash, as written. */
  readonly hosts: string;
  readonly type: string;
  readonly blob: Buffer;
  /** Counted from 1. */
  readonly line: number;
}

/** Reads a known_hosts text; skips comments and invalid lines, as OpenSSH does. */
export function parseKnownHosts(text: string): KnownHost[] {
  return text.split("\n").flatMap((raw, index) => {
    const fields = raw.trim().split(/[ \t]+/);
    if (fields[0] === undefined || fields[0] === "" || fields[0].startsWith("#")) return [];
    const word = fields[0].startsWith("@") ? fields.shift()?.slice(1) : undefined;
    if (word !== undefined && word !== "revoked" && word !== "cert-authority") return [];
    const [hosts, type, key] = fields;
    if (hosts === undefined || type === undefined || key === undefined) return [];
    const blob = Buffer.from(key, "base64");
    return keyType(blob) === type ? [{ marker: word, hosts, type, blob, line: index + 1 }] : [];
  });
}

/** A host's name there: `[host]:port` unless the port is 22; an alias replaces both. */
export function knownAs(server: Pick<Server, "host" | "port" | "hostKeyAlias">): string {
  if (server.hostKeyAlias !== undefined) return server.hostKeyAlias.toLowerCase();
  const host = server.host.toLowerCase();
  return server.port === 22 ? host : `[${host}]:${server.port}`;
}

/** The lines that match a host name: plain, wildcard, negated or hashed. */
export const linesFor = (lines: readonly KnownHost[], name: string): KnownHost[] =>
  lines.filter((line) => matches(line.hosts, name));

/** The type in a key blob (RFC 4253 §6.6); undefined if it is none. */
function keyType(blob: Buffer): string | undefined {
  if (blob.length < 4) return undefined;
  const length = blob.readUInt32BE(0);
  return blob.length > 4 + length ? blob.subarray(4, 4 + length).toString("latin1") : undefined;
}

/** Fingerprint as OpenSSH prints it: `SHA256:…` without padding. */
export const fingerprint = (blob: Buffer): string =>
  `SHA256:${createHash("sha256").update(blob).digest("base64").replace(/=+$/, "")}`;

function matches(hosts: string, name: string): boolean {
  if (hosts.startsWith("|1|")) {
    const [, , salt, mac] = hosts.split("|");
    if (salt === undefined || mac === undefined) return false;
    const wanted = Buffer.from(mac, "base64");
    const got = createHmac("sha1", Buffer.from(salt, "base64")).update(name).digest();
    return wanted.length === got.length && timingSafeEqual(wanted, got);
  }
  let found = false;
  for (const part of hosts.toLowerCase().split(",")) {
    if (part.startsWith("!") && matchesGlob(part.slice(1), name)) return false;
    found ||= part !== "" && matchesGlob(part, name);
  }
  return found;
}
