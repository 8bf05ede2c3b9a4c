/** Which host an argument names, and how far away it is: this machine, one that the operator knows, one nearby, or any other. */
import { hole } from "../engine/arg.ts";
import { addressVersion, createKnownNetworks } from "./addresses.ts";

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

/** `scheme://user@host:port/…`; undefined where the text is no address of that form, `own` for a file's. */
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
