import type { Problem } from "../base/errors.ts";
import { type Refusal, refuse } from "../base/errors.ts";
import type { Server } from "../base/server.ts";

type Servers = ReadonlyMap<string, Server>;

/** Of host and user (SR-53); a leading dash is an option to programs. */
const safeName = /^[a-z0-9._][a-z0-9._-]*$/;

/** Finds faults in names, jump hosts and logins. Reads no files. */
export function checkInventory(servers: Servers): Problem[] {
  const ours = [...servers.values()].filter(({ cluster, source, patches }) => !cluster && !source && !patches);
  return ours.flatMap((server) => {
    const place = `servers.${server.name}`;
    const names = nameProblem(server);
    const chain = jumpChain(server, servers);
    return [
      ...(names ? [{ place, message: names.reason, remedy: names.remedy }] : []),
      ...(chain.ok ? [] : [{ place: `${place}.jump`, message: chain.reason, remedy: chain.remedy }]),
      ...(server.agent || server.keyFile !== undefined || server.local || server.signer
        ? []
        : [{ place, message: "no key to log in with", remedy: "write `key_file` or `agent: true`" }]),
    ];
  });
}

/** Checks host and user; undefined if valid. */
export function nameProblem(server: Server): Refusal | undefined {
  for (const field of ["host", "user"] as const) {
    if (safeName.test(server[field])) continue;
    return refuse(
      `${field} of ${server.name} is not a plain name`,
      `${field} may hold a-z, 0-9, dot, dash and underscore, and must not begin with a dash`,
    );
  }
  return undefined;
}

/** The jump hosts to a server, nearest to us first; a refusal for an unknown one or a cycle. */
export function jumpChain(server: Server, servers: Servers): { ok: true; chain: readonly Server[] } | Refusal {
  const chain: Server[] = [];
  for (let at = server; at.jump !== undefined; ) {
    const next = servers.get(at.jump);
    if (next === undefined) {
      const names = [...servers.keys()].filter((name) => name !== server.name).join(", ");
      return refuse(`the jump host ${at.jump} of ${at.name} is not in the inventory`, `use one of: ${names || "none"}`);
    }
    if (next.name === server.name || chain.includes(next)) {
      const path = [server, ...chain.toReversed(), next].map(({ name }) => name).join(" → ");
      return refuse(`the jump hosts of ${server.name} go in a circle: ${path}`, "take `jump` out of one of them");
    }
    chain.unshift(next);
    at = next;
  }
  return { ok: true, chain };
}
