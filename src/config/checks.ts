/** What a schema cannot see: whether the parts of the file fit each other. */

import { existsSync } from "node:fs";
import { nearest, type SchemaFinding } from "../base/problems.ts";
import type { ProcessRole } from "../base/roles.ts";
import type { Gaps } from "./keep.ts";
import { checkKind } from "./kinds.ts";
import type { ParsedFile } from "./schema.ts";
import { serverName } from "./schema-leaves.ts";
import { openToOthers } from "./secrets.ts";
import { resolvePath } from "./shape.ts";

/** Everything about the file as a whole that keeps it from being used. Nothing is said of names that point into a gap. */
export function crossCheck(parsed: ParsedFile, file: string, gaps: Gaps): readonly SchemaFinding[] {
  return [
    ...checkServers(parsed, file),
    ...checkSources(parsed, file),
    ...(gaps.has("servers") || gaps.has("sources") ? [] : checkTargets(parsed)),
    ...(gaps.has("github") ? [] : checkRepositories(parsed)),
    ...checkJumps(parsed),
    ...checkAgents(parsed),
    ...checkFiles(parsed, file),
    ...checkPasskeys(parsed),
  ];
}

/** What can be used, but not for all that it promises. Only the runner has the servers' keys (SR-55). */
export function crossWarnings(
  parsed: ParsedFile,
  file: string,
  roles: readonly ProcessRole[],
): readonly SchemaFinding[] {
  const missingKeys = Object.entries(parsed.servers).flatMap(([name, { key_file }]): SchemaFinding[] => {
    if (key_file === undefined || existsSync(resolvePath(key_file, file))) return [];
    const message = `\`${name}\` cannot be reached: there is no ${resolvePath(key_file, file)}`;
    return [{ path: ["servers", name, "key_file"], message, remedy: "create the key, or correct the path" }];
  });
  return [
    ...(roles.includes("runner") ? missingKeys : []),
    ...plainAddresses(parsed),
    ...unspeakableGroups(parsed),
    ...agentsDoNotApprove(parsed),
    ...auditIsKept(parsed),
  ];
}

/** An agent that could answer itself would go on for ever. */
function checkAgents({ github, policy: { proposers } }: ParsedFile): readonly SchemaFinding[] {
  return proposers.apps.flatMap((id, index): SchemaFinding[] => {
    if (id !== github.app_id) return [];
    const path = ["policy", "proposers", "apps", index];
    return [{ path, message: "is this bot's own App", remedy: "name the App of the other agent" }];
  });
}

function agentsDoNotApprove({ policy: { approvers, proposers } }: ParsedFile): readonly SchemaFinding[] {
  return proposers.users.flatMap(({ login, id }, index): SchemaFinding[] => {
    if (!approvers.users.some((user) => user.id === id)) return [];
    const message = `${login} is also in policy.approvers, and approves nothing: agents only propose`;
    return [{ path: ["policy", "proposers", "users", index], message, remedy: "leave it in one of the two" }];
  });
}

function auditIsKept({ retention }: ParsedFile): readonly SchemaFinding[] {
  if (retention.audit === undefined) return [];
  const message = "it is taken, and not used: of the audit nothing is ever removed";
  return [{ path: ["retention", "audit"], message, remedy: "leave it out" }];
}

/** Keys and tokens travel with each request, so only this machine may be spoken to without TLS. */
function plainAddresses({ github, model, sources }: ParsedFile): readonly SchemaFinding[] {
  const settings = [
    { path: ["github", "api_url"], url: github.api_url },
    ...model.endpoints.map(({ url }, index) => ({ path: ["model", "endpoints", index, "url"], url })),
    ...Object.entries(sources).map(([name, { url }]) => ({ path: ["sources", name, "url"], url })),
  ];
  return settings.flatMap(({ path, url }) => {
    const { protocol, hostname } = new URL(url);
    if (protocol === "https:" || /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)) return [];
    return [{ path, message: `${hostname} is spoken to without encryption`, remedy: "use an https:// address" }];
  });
}

/** Without a page nobody could approve what takes a passkey, and browsers hand one out over TLS or to this machine alone. */
function checkPasskeys({ policy, server: { public_url: url } }: ParsedFile): readonly SchemaFinding[] {
  const path = ["server", "public_url"];
  if (url === undefined) {
    const message = "`server.public_url` is missing: `policy.passkey` needs a page that people can reach";
    return policy.passkey === "none" ? [] : [{ path, message, remedy: "write `public_url: https://…`" }];
  }
  const { protocol, hostname } = new URL(url);
  if (protocol === "https:" || hostname === "localhost") return [];
  return [{ path, message: "no browser offers a passkey there", remedy: "use an https:// address" }];
}

function checkServers({ servers, sources }: ParsedFile, file: string): readonly SchemaFinding[] {
  return Object.entries(servers).flatMap(([name, server]) => {
    const path = ["servers", name];
    const found: SchemaFinding[] = [...checkKind(name, server, file)];
    const isSsh = server.kind === "ssh";
    if (isSsh && server.user === undefined && server.ssh_config === undefined) {
      const message = `\`servers.${name}.user\` is missing; text belongs here`;
      found.push({ path: [...path, "user"], message, remedy: "write `user: …`, or name an `ssh_config` that has it" });
    }
    if (isSsh && server.key_file === undefined && !server.agent && server.ssh_config === undefined) {
      found.push({ path, message: `\`${name}\` has no way to log in`, remedy: "add `key_file: …` or `agent: true`" });
    }
    for (const key of ["key_file", "key_passphrase_file"] as const) {
      if (server[key] !== undefined) found.push(...openToOthers(resolvePath(server[key], file), [...path, key]));
    }
    if (server.hard_timeout < server.soft_timeout) {
      found.push({ path: [...path, "hard_timeout"], message: "the hard timeout is shorter than the soft one" });
    }
    return [...found, ...groupsThatAre({ ...servers, ...sources }, server.groups, path)];
  });
}

function checkSources({ servers, sources }: ParsedFile, file: string): readonly SchemaFinding[] {
  return Object.entries(sources).flatMap(([name, { groups, token_file }]) => {
    const path = ["sources", name];
    const token = token_file === undefined ? [] : openToOthers(resolvePath(token_file, file), [...path, "token_file"]);
    return [...token, ...groupsThatAre({ ...servers, ...sources }, groups, path)];
  });
}

/** Groups with the name of a server. */
const groupsThatAre = (servers: object, groups: readonly string[], path: readonly string[]): readonly SchemaFinding[] =>
  groups.flatMap((group, index) => {
    if (!Object.hasOwn(servers, group)) return [];
    const message = `\`${group}\` is a group here and also a server: an approval could mean either`;
    return [{ path: [...path, "groups", index], message, remedy: "rename one of them" }];
  });

/** A comment could not name it, and for high risk it must. */
function unspeakableGroups({ servers, sources }: ParsedFile): readonly SchemaFinding[] {
  return Object.entries({ servers, sources }).flatMap(([section, entries]) =>
    Object.entries<{ readonly groups: readonly string[] }>(entries).flatMap(([name, { groups }]) =>
      groups.flatMap((group, index): SchemaFinding[] => {
        if (serverName.safeParse(group).success) return [];
        const message = `no comment can name the group \`${group}\``;
        return [{ path: [section, name, "groups", index], message, remedy: "name it as servers are named" }];
      }),
    ),
  );
}

/** Names of servers and groups that are none. */
function checkTargets(parsed: ParsedFile): readonly SchemaFinding[] {
  const targets = targetsOf(parsed);
  const unknownTargets = (names: readonly string[], path: readonly PropertyKey[]): readonly SchemaFinding[] =>
    names.flatMap((name, index) => {
      if (targets.includes(name)) return [];
      const near = nearest(name, targets);
      const known = targets.length > 0 ? `known: ${targets.join(", ")}` : "`servers` is empty";
      const message = `\`${name}\` is neither a server nor a group`;
      return [{ path: [...path, index], message, remedy: near ? `did you mean \`${near}\`?` : known }];
    });
  return [
    ...parsed.github.repositories.flatMap(({ servers }, index) =>
      unknownTargets(servers, ["github", "repositories", index, "servers"]),
    ),
    ...unknownTargets(parsed.policy.lease.servers, ["policy", "lease", "servers"]),
    ...unknownTargets(parsed.policy.auto.servers, ["policy", "auto", "servers"]),
    ...parsed.schedules.allowed.flatMap(({ servers }, index) =>
      unknownTargets(servers, ["schedules", "allowed", index, "servers"]),
    ),
    ...Object.entries(parsed.policy.proposers.mcp).flatMap(([name, { servers }]) =>
      unknownTargets(servers, ["policy", "proposers", "mcp", name, "servers"]),
    ),
  ];
}

/** Repositories that are named twice, or by a schedule and nowhere else. */
function checkRepositories(parsed: ParsedFile): readonly SchemaFinding[] {
  const repositories = parsed.github.repositories.map(({ name }) => name.toLowerCase());
  return [
    ...parsed.github.repositories.flatMap(({ name }, index): SchemaFinding[] => {
      if (repositories.indexOf(name.toLowerCase()) === index) return [];
      const path = ["github", "repositories", index, "name"];
      return [{ path, message: `\`${name}\` is listed twice`, remedy: "make one entry of the two" }];
    }),
    ...parsed.schedules.allowed.flatMap(({ repo }, index): SchemaFinding[] => {
      if (repositories.includes(repo.toLowerCase())) return [];
      const path = ["schedules", "allowed", index, "repo"];
      return [{ path, message: `\`${repo}\` is not among github.repositories` }];
    }),
    ...Object.entries(parsed.policy.proposers.mcp).flatMap(([agent, { repositories: own }]) =>
      own.flatMap((repo, index): SchemaFinding[] => {
        if (repositories.includes(repo.toLowerCase())) return [];
        const path = ["policy", "proposers", "mcp", agent, "repositories", index];
        return [{ path, message: `\`${repo}\` is not among github.repositories` }];
      }),
    ),
  ];
}

function checkJumps({ servers }: ParsedFile): readonly SchemaFinding[] {
  return Object.keys(servers).flatMap((start): SchemaFinding[] => {
    const path = ["servers", start, "jump"];
    const way = [start];
    for (let next = servers[start]?.jump; next !== undefined; next = servers[next]?.jump) {
      if (next === start) return [{ path, message: `the jumps go in a circle: ${[...way, next].join(" → ")}` }];
      // A circle or a hole further on is that server's own finding.
      if (way.includes(next)) return [];
      if (!Object.hasOwn(servers, next)) {
        if (way.length > 1) return [];
        const near = nearest(next, Object.keys(servers));
        const remedy = near ? `did you mean \`${near}\`?` : "add it to `servers`";
        return [{ path, message: `there is no server \`${next}\` to jump through`, remedy }];
      }
      const { kind } = servers[next] ?? {};
      if (kind !== undefined && kind !== "ssh" && way.length === 1) {
        const what = kind === "kubernetes" ? "a cluster, and nothing jumps through one" : "this machine itself";
        return [{ path, message: `\`${next}\` is ${what}`, remedy: "leave it out" }];
      }
      way.push(next);
    }
    return [];
  });
}

function checkFiles(parsed: ParsedFile, file: string): readonly SchemaFinding[] {
  const { identity_file: identity } = parsed.system_prompt;
  const { signing_key_file: signing } = parsed.audit;
  const found: SchemaFinding[] = [];
  if (identity !== undefined && !existsSync(resolvePath(identity, file))) {
    const path = ["system_prompt", "identity_file"];
    found.push({
      path,
      message: `there is no ${resolvePath(identity, file)}`,
      remedy: "create it, or leave the key out for the default",
    });
  }
  if (signing !== undefined) found.push(...openToOthers(resolvePath(signing, file), ["audit", "signing_key_file"]));
  return found;
}

/** Names that a repo, a schedule or `/approve` may point at. */
const targetsOf = ({ servers, sources }: ParsedFile): readonly string[] => {
  const all = { ...servers, ...sources };
  return [...new Set([...Object.keys(all), ...Object.values(all).flatMap(({ groups }) => groups)])];
};
