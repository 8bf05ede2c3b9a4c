import type { Server, Shell } from "../../base/server.ts";

export type PlacedServers =
  | { readonly kind: "placed"; readonly place: string; readonly servers: readonly Server[] }
  /** One of the names is no server and no group of this repository. */
  | { readonly kind: "unknown"; readonly name: string }
  | { readonly kind: "too-many"; readonly most: number };

/** More servers than this cannot be read on a card. */
const mostServers = 200;

/**
 * Returns the servers that a place names: a server, a group, or several of them with commas between. Only servers that the repository
 * may reach exist (SR-10). They come in the inventory's order, none twice.
 */
export function targetServersOf(servers: readonly Server[], text: string): PlacedServers {
  const names = text.split(/[\s,]+/).filter((name) => name !== "");
  const meant = new Set<Server>();
  for (const name of names) {
    const own = servers.filter((server) => server.name === name);
    // If a server and a group share a name, the server counts: what was meant for one server never becomes many.
    const found = own.length > 0 ? own : servers.filter((server) => server.groups.includes(name));
    if (found.length === 0) return { kind: "unknown", name };
    for (const server of found) meant.add(server);
  }
  if (meant.size === 0) return { kind: "unknown", name: text };
  if (meant.size > mostServers) return { kind: "too-many", most: mostServers };
  return { kind: "placed", place: names.join(", "), servers: servers.filter((server) => meant.has(server)) };
}

/** The shells that read what is sent to a place; none if there is no such place. */
export function shellsOf(servers: readonly Server[], place: string): readonly Shell[] {
  const placed = targetServersOf(servers, place);
  return placed.kind === "placed" ? [...new Set(placed.servers.map(({ shell }) => shell))] : [];
}
