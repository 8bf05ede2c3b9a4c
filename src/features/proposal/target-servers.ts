import type { Server, Shell } from "../../base/server.ts";

export type PlacedServers =
  | { readonly kind: "placed"; readonly place: string; readonly servers: readonly Server[] }
  /** No server or group here. */
  | { readonly kind: "unknown"; readonly name: string }
  | { readonly kind: "too-many"; readonly most: number };

/** More cannot be read on a card. */
const mostServers = 200;

/** A server, a group, or several with commas; in the inventory's order, none twice. Only the repository's servers exist (SR-10). */
export function targetServersOf(servers: readonly Server[], text: string): PlacedServers {
  const names = text.split(/[\s,]+/).filter((name) => name !== "");
  const meant = new Set<Server>();
  for (const name of names) {
    const own = servers.filter((server) => server.name === name);
    // A server wins over a group of its name, so that one never becomes many.
    const found = own.length > 0 ? own : servers.filter((server) => server.groups.includes(name));
    if (found.length === 0) return { kind: "unknown", name };
    for (const server of found) meant.add(server);
  }
  if (meant.size === 0) return { kind: "unknown", name: text };
  if (meant.size > mostServers) return { kind: "too-many", most: mostServers };
  return { kind: "placed", place: names.join(", "), servers: servers.filter((server) => meant.has(server)) };
}

/** None if the place does not exist. */
export function shellsOf(servers: readonly Server[], place: string): readonly Shell[] {
  const placed = targetServersOf(servers, place);
  return placed.kind === "placed" ? [...new Set(placed.servers.map(({ shell }) => shell))] : [];
}
