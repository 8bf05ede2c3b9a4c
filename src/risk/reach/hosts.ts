import { hole } from "../engine/arg.ts";

/** Which host an argument names, and how far away it is: this machine, one that the operator knows, one nearby, or any other. */

/**
 * `own`: this machine. `known`: `policy.egress` or the inventory names it. `near`: an address or a name that only means something
 * in a network of one's own, and nobody named. `unseen`: known only when the command runs. `outside`: all others.
 */
export type HostKind = "own" | "known" | "near" | "unseen" | "outside";

export type KindOfHost = (host: string) => HostKind;

const isOwn = createKnownNetworks(["127.0.0.0/8", "0.0.0.0", "::1", "::"]);
const isNear = createKnownNetworks([
  "10.0.0.0/8",
  "172.16.0.0/12",
  "192.168.0.0/16",
  "169.254.0.0/16",
  "100.64.0.0/10",
  "fc00::/7",
  "fe80::/10",
]);
/** Names that no public name server answers for (RFC 6761, RFC 6762, RFC 9476, and what clusters and offices use). */
const nearName = /^[^.]+$|\.(local|localdomain|internal|intranet|lan|corp|home|home\.arpa|private|svc|consul|alt)$/;

/** Tells how far a host is. `known`: names, `*.suffix`, addresses, and networks as `10.0.0.0/8`. */
export function createKindOfHost(known: readonly string[]): KindOfHost {
  const inKnown = createKnownNetworks(known);
  const names = new Set(known.filter((text) => !text.startsWith("*.")).map((text) => text.toLowerCase()));
  const suffixes = known.filter((text) => text.startsWith("*.")).map((text) => text.slice(1).toLowerCase());
  return (given) => {
    const host = given
      .toLowerCase()
      .replace(/^\[|\]$/g, "")
      .replace(/(?<=\w)\.$/, "");
    if (host === "" || host === "localhost" || host.endsWith(".localhost")) return "own";
    if (addressVersion(host) !== 0)
      return isOwn(host) ? "own" : inKnown(host) ? "known" : isNear(host) ? "near" : "outside";
    if (names.has(host) || suffixes.some((suffix) => host.endsWith(suffix))) return "known";
    if (host.replaceAll(hole, "") === "") return "unseen";
    return nearName.test(host) ? "near" : "outside";
  };
}

/** `scheme://user@host:port/…`; undefined if the text is no address of that form, `own` for a file's. */
export function hostOfAddress(text: string): string | undefined {
  const [, scheme, authority] = /^["']?([a-z][\w+.-]*):\/\/([^/?#\s]*)/i.exec(text) ?? [];
  if (scheme === undefined || authority === undefined) return undefined;
  if (/^(file|unix|ipc)$/i.test(scheme)) return "";
  return withoutPort(authority.slice(authority.lastIndexOf("@") + 1));
}

/** `host`, `host:port`, `user@host`, `host:path`, `[::1]:80`, `http://host/`. */
export function hostOf(text: string): string {
  return (
    hostOfAddress(text) ??
    withoutPort(
      text
        .replace(/^\/\/(?=[^/])/, "")
        .replace(/^[^@/]*@/, "")
        .replace(/[/?#].*$/s, ""),
    )
  );
}

const withoutPort = (authority: string): string =>
  /^\[([^\]]*)\]/.exec(authority)?.[1] ??
  (addressVersion(authority) === 6 ? authority : authority.replace(/:.*$/s, ""));

/** The 16 bytes of an address, an IPv4 one as ::ffff:a.b.c.d (RFC 4291); undefined if the text is none. Without `node:net`: this box loads nothing that could touch one. */
function bytesOf(text: string): readonly number[] | undefined {
  if (/^\d{1,3}(\.\d{1,3}){3}$/.test(text)) {
    const four = text.split(".").map(Number);
    return four.every((byte) => byte < 256) ? [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255, ...four] : undefined;
  }
  if (!/^[0-9a-f:]*:[0-9a-f:.]*$/i.test(text) || text.split("::").length > 2) return undefined;
  const [before = "", after] = text.split("::").map((half) => (half === "" ? [] : half.split(":").flatMap(groupOf)));
  if (before === "") return undefined;
  const missing = 16 - before.length - (after?.length ?? 0);
  if (after === undefined ? missing !== 0 : missing < 1) return undefined;
  const bytes = [...before, ...new Array<number>(after === undefined ? 0 : missing).fill(0), ...(after ?? [])];
  return bytes.some((byte) => !(byte >= 0 && byte < 256)) ? undefined : bytes;
}

/** The two bytes of a group, the four of a dotted end; what is neither makes no address. */
function groupOf(text: string): readonly number[] {
  if (text.includes(".")) return bytesOf(text)?.slice(12) ?? [Number.NaN];
  const value = /^[0-9a-f]{1,4}$/i.test(text) ? Number.parseInt(text, 16) : Number.NaN;
  return [value >> 8, Number.isNaN(value) ? value : value & 255];
}

/** 4, 6, or 0 where the text is no address. */
const addressVersion = (text: string): 0 | 4 | 6 => (bytesOf(text) === undefined ? 0 : text.includes(":") ? 6 : 4);

/** Whether an address lies in one of the networks (`10.0.0.0/8`, `::1`); a text that is no network holds none. */
function createKnownNetworks(texts: readonly string[]): (address: string) => boolean {
  const networks = texts.flatMap((text) => {
    const [address = "", prefix] = text.split("/");
    const bytes = bytesOf(address);
    const most = address.includes(":") ? 128 : 32;
    const bits = prefix === undefined ? most : Number(prefix);
    return bytes && bits <= most ? [{ bytes, bits: bits + 128 - most }] : [];
  });
  return (address) => {
    const given = bytesOf(address);
    return given !== undefined && networks.some(({ bytes, bits }) => isWithin(given, bytes, bits));
  };
}

const isWithin = (given: readonly number[], network: readonly number[], bits: number): boolean =>
  network.every((byte, at) => {
    const rest = Math.min(8, Math.max(0, bits - at * 8));
    return byte >> (8 - rest) === (given[at] ?? 0) >> (8 - rest);
  });
