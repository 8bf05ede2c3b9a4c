/** Addresses, networks, and callers behind proxies (SR-05). Pure. */

import { BlockList, isIP } from "node:net";

export interface Caller {
  readonly remote: string | undefined;
  /** As received. Callers can forge it; only the operator's proxies' parts are true. */
  readonly forwarded: string | undefined;
}

/** The caller as seen by the outermost trusted proxy: `trustedProxies` places before the end; undefined if there is none. */
export function addressOf({ remote, forwarded }: Caller, trustedProxies: number): string | undefined {
  const way = [...(forwarded?.split(",") ?? []), remote ?? ""].map((place) => place.trim());
  const place = way.at(-1 - trustedProxies) ?? "";
  const [, bracketed, plain] = /^(?:\[([^\]]+)\](?::\d+)?|(\d+(?:\.\d+){3}):\d+)$/.exec(place) ?? [];
  const address = (bracketed ?? plain ?? place).replace(/^::ffff:(?=\d+\.)|%.*$/gi, "");
  return isIP(address) === 0 ? undefined : address;
}
/** One sender: an IPv4 address, or the IPv6 /64 that one customer has. */
export function networkOfAddress(address: string | undefined): string | undefined {
  const plain = address?.replace(/^::ffff:(?=\d+\.)|%.*$/gi, "");
  if (plain === undefined || isIP(plain) !== 6) return plain;
  const [head = "", tail] = plain.split("::");
  const groups = head.split(":").filter(Boolean);
  const after = tail?.split(":").filter(Boolean) ?? [];
  while (groups.length + after.length < 8) groups.push("0");
  return `${[...groups, ...after]
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(":")}::/64`;
}

interface Network {
  readonly address: string;
  readonly bits: number;
  readonly family: "ipv4" | "ipv6";
}

function networkOf(text: string): Network | undefined {
  const [, address = "", prefix] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const version = isIP(address);
  const most = version === 4 ? 32 : 128;
  const bits = prefix === undefined ? most : Number(prefix);
  return version === 0 || bits > most ? undefined : { address, bits, family: version === 4 ? "ipv4" : "ipv6" };
}

/** Tests addresses; invalid networks contain none. */
export function createNetworks(texts: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const { address, bits, family } of texts.flatMap((text) => networkOf(text) ?? []))
    list.addSubnet(address, bits, family);
  return (address) => list.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");
}
