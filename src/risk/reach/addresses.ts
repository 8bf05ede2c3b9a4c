/** Addresses and networks as numbers: this box loads nothing that could touch one (`node:net` among it). */

/** The 16 bytes of an address, an IPv4 one as ::ffff:a.b.c.d (RFC 4291); undefined where the text is none. */
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
export const addressVersion = (text: string): 0 | 4 | 6 =>
  bytesOf(text) === undefined ? 0 : text.includes(":") ? 6 : 4;

/** Whether an address lies in one of the networks (`10.0.0.0/8`, `::1`); a text that is no network holds none. */
export function createKnownNetworks(texts: readonly string[]): (address: string) => boolean {
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
