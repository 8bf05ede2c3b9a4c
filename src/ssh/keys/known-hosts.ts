import { createHash, createHmac, timingSafeEqual } from "node:crypto";

/** See sshd(8), "SSH_KNOWN_HOSTS FILE FORMAT". */
export interface KnownHost {
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
export function knownAs(server: {
  readonly host: string;
  readonly port: number;
  readonly hostKeyAlias?: string | undefined;
}): string {
  if (server.hostKeyAlias !== undefined) return server.hostKeyAlias.toLowerCase();
  const host = server.host.toLowerCase();
  return server.port === 22 ? host : `[${host}]:${server.port}`;
}

/** The lines that match a host name: plain, wildcard, negated or hashed. */
export const linesFor = (lines: readonly KnownHost[], name: string): KnownHost[] =>
  lines.filter((line) => matches(line.hosts, name));

/** The type in a key blob (RFC 4253 §6.6); undefined if it is none. */
export function keyType(blob: Buffer): string | undefined {
  if (blob.length < 4) return undefined;
  const length = blob.readUInt32BE(0);
  return blob.length > 4 + length ? blob.subarray(4, 4 + length).toString("latin1") : undefined;
}

/** Fingerprint as OpenSSH prints it: `SHA256:…` without padding. */
export const fingerprint = (blob: Buffer): string =>
  `SHA256:${createHash("sha256").update(blob).digest("base64").replace(/=+$/, "")}`;

function matches(hosts: string, name: string): boolean {
  if (hosts.startsWith("|1|")) return matchesHash(hosts, name);
  let found = false;
  for (const part of hosts.toLowerCase().split(",")) {
    if (part.startsWith("!") && matchesGlob(part.slice(1), name)) return false;
    found ||= part !== "" && matchesGlob(part, name);
  }
  return found;
}

function matchesHash(hosts: string, name: string): boolean {
  const [, , salt, mac] = hosts.split("|");
  if (salt === undefined || mac === undefined) return false;
  const wanted = Buffer.from(mac, "base64");
  const got = createHmac("sha1", Buffer.from(salt, "base64")).update(name).digest();
  return wanted.length === got.length && timingSafeEqual(wanted, got);
}

/** Linear time, because a regular expression of a hostile pattern could take forever. */
function matchesGlob(pattern: string, text: string): boolean {
  let at = 0;
  let star = -1;
  let starText = 0;
  for (let i = 0; i < text.length; ) {
    if (pattern[at] === "*") {
      star = at++;
      starText = i;
    } else if (at < pattern.length && (pattern[at] === "?" || pattern[at] === text[i])) {
      at++;
      i++;
    } else if (star >= 0) {
      at = star + 1;
      i = ++starText;
    } else return false;
  }
  while (pattern[at] === "*") at++;
  return at === pattern.length;
}
