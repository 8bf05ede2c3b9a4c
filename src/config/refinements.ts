/** Contradictions in the file: `refinements` refuse it, `doubts` warn. To add one, add a row. Pure. */

import { globProblem } from "../base/glob.ts";
import { overlap, parseHours } from "../base/hours.ts";
import { nearest, type SchemaFinding } from "../base/problems.ts";
import { configSchema, type ParsedFile } from "./schema.ts";
import { serverName } from "./shape.ts";

type Refinement = (file: ParsedFile) => readonly SchemaFinding[];
type FilePath = readonly PropertyKey[];

const mistake = (isThere: boolean, path: FilePath, message: string, remedy?: string): readonly SchemaFinding[] =>
  isThere ? [{ path, message, remedy }] : [];

type ServerEntry = ParsedFile["servers"][string];

const login = "host user";
/** The keys that only one kind of server has. */
const ownKeys: Readonly<Record<ServerEntry["kind"], string>> = {
  ssh: `${login} port ssh_config key_file key_passphrase_file agent known_hosts_file host_key_alias host_key jump tty shell signer`,
  kubernetes: "kubeconfig_file in_cluster context namespaces as identity api_server ca_sha256",
  local: `${login} allow jobs_folder machine`,
};

function refineCluster(name: string, server: ServerEntry): readonly SchemaFinding[] {
  const { kubeconfig_file: kubeconfig, in_cluster: inCluster, api_server: apiServer, ca_sha256: ca } = server;
  const missing = (isMissing: boolean, key: keyof ServerEntry, remedy: string) =>
    mistake(isMissing, ["servers", name, key], `\`servers.${name}.${key}\` is missing`, remedy);
  return [
    ...missing(
      kubeconfig === undefined && !inCluster,
      "kubeconfig_file",
      "write the path of a kubeconfig, or `in_cluster: true` for a bot in a pod",
    ),
    ...mistake(
      kubeconfig !== undefined && inCluster,
      ["servers", name, "kubeconfig_file"],
      "is there beside `in_cluster: true`",
      "leave one of them out",
    ),
    ...missing(server.context === undefined && !inCluster, "context", "write the name of a context in the kubeconfig"),
    ...missing(server.namespaces.length === 0, "namespaces", "list those that commands may name, or `*`"),
    ...missing(
      (apiServer === undefined) !== (ca === undefined),
      apiServer === undefined ? "api_server" : "ca_sha256",
      "write both of them, or neither",
    ),
    ...missing(server.identity === undefined, "identity", "write who the bot is there: `kubectl auth whoami` says it"),
  ];
}

const groupsNamedLikeServers = (servers: object, groups: readonly string[], path: FilePath) =>
  groups.flatMap((group, index) =>
    mistake(
      Object.hasOwn(servers, group),
      [...path, "groups", index],
      `\`${group}\` is a group here and also a server: an approval could mean either`,
      "rename one of them",
    ),
  );

const refinements: readonly Refinement[] = [
  // What a server has, lacks, or has in vain.
  ({ servers, sources, patches, signer, signing }) => {
    return Object.entries(servers).flatMap(([name, server]) => {
      const { kind, user, key_file: keyFile, agent, ssh_config: sshConfig } = server;
      const at = (...keys: FilePath): FilePath => ["servers", name, ...keys];
      const isSsh = kind === "ssh" && sshConfig === undefined;
      return [
        ...Object.entries(server).flatMap(([key, value]) => {
          const owners = Object.entries(ownKeys).flatMap(([kind, keys]) =>
            keys.split(" ").includes(key) ? [kind] : [],
          );
          const isEmpty = value === undefined || value === false || (Array.isArray(value) && value.length === 0);
          const isWindows = key === "os" && value === "windows" && server.kind !== "ssh";
          const remedy = server.kind === "ssh" ? `leave it out, or write \`kind: ${owners[0]}\`` : "leave it out";
          return mistake(
            isWindows || (owners.length > 0 && !owners.includes(server.kind) && !isEmpty),
            ["servers", name, key],
            `\`${key}\` means nothing for \`${name}\``,
            remedy,
          );
        }),
        ...(kind === "kubernetes" ? refineCluster(name, server) : []),
        ...mistake(
          isSsh && user === undefined,
          at("user"),
          `\`servers.${name}.user\` is missing; text belongs here`,
          "write `user: …`, or name an `ssh_config` that has it",
        ),
        ...mistake(
          isSsh && keyFile === undefined && !agent && !server.signer,
          at(),
          `\`${name}\` has no way to log in`,
          "add `key_file: …` or `agent: true`",
        ),
        ...mistake(
          server.signer && signer === undefined && signing === undefined,
          at("signer"),
          `\`${name}\` takes only certificates, and the file names no signer`,
          "write `signer: { socket: … }`, where `countersign signer` is asked",
        ),
        ...mistake(
          server.signer && (server.backend !== "openssh" || server.os !== "linux" || server.tty),
          at("signer"),
          "a certificate needs `backend: openssh`, `os: linux` and no `tty`",
        ),
        ...mistake(
          server.signer && (server.jump !== undefined || sshConfig !== undefined),
          at("signer"),
          "with a certificate there is no jump host and no `ssh_config`",
          "write `host` and `user`, and let the bot reach it directly",
        ),
        ...mistake(
          server.jump !== undefined && servers[server.jump]?.signer === true,
          at("jump"),
          `\`${server.jump}\` takes only certificates for one command each, so it is no jump host`,
          "name a jump host with a key",
        ),
        ...mistake(
          server.hard_timeout < server.soft_timeout,
          at("hard_timeout"),
          "the hard timeout is shorter than the soft one",
        ),
        ...groupsNamedLikeServers({ ...servers, ...sources, ...patches }, server.groups, at()),
      ];
    });
  },
  ({ servers, sources, patches }) =>
    Object.entries({ sources, patches }).flatMap(([section, entries]) =>
      Object.entries<{ readonly groups: readonly string[] }>(entries).flatMap(([name, { groups }]) =>
        groupsNamedLikeServers({ ...servers, ...sources, ...patches }, groups, [section, name]),
      ),
    ),
  ({ patches }) =>
    Object.entries(patches).flatMap(([name, { paths }]) =>
      paths.flatMap((glob, index): readonly SchemaFinding[] => {
        const problem = globProblem(glob);
        return problem ? [{ path: ["patches", name, "paths", index], ...problem }] : [];
      }),
    ),
  // One place where the signer is asked.
  ({ signer, signing }) => {
    if (signer === undefined) return [];
    const { socket, address, fingerprints, cert_file: certFile, key_file: keyFile } = signer;
    const isTls = address !== undefined;
    const tls = { cert_file: certFile, key_file: keyFile, fingerprints: fingerprints.length > 0 ? true : undefined };
    return [
      ...mistake(
        signing !== undefined,
        ["signer"],
        "`signer` is the bot's, and `signing` makes this the signer's own file",
        "write two files",
      ),
      ...mistake(
        (socket === undefined) !== isTls,
        ["signer"],
        "says not one place where the signer is asked",
        "write `socket`, or `address` with `fingerprints`, `cert_file` and `key_file`",
      ),
      ...Object.entries(tls).flatMap(([key, value]) =>
        mistake(
          (value !== undefined) !== isTls,
          ["signer", key],
          isTls ? `\`signer.${key}\` is missing` : `\`${key}\` means nothing without \`address\``,
          isTls ? "TLS needs the signer's pinned certificate, and the bot's own with its key" : "leave it out",
        ),
      ),
    ];
  },
  // Only the second App can write.
  ({ github, patches }) =>
    mistake(
      Object.keys(patches).length > 0 && github.patches_app === undefined,
      ["patches"],
      "no App can propose them: `github.patches_app` is missing",
      "`countersign register --patches` makes it",
    ).map((finding) => ({ ...finding, restsOn: ["github"] })),
  ({ github }) =>
    mistake(
      github.patches_app !== undefined && github.patches_app.app_id === github.app_id,
      ["github", "patches_app", "app_id"],
      "is this bot's own App, which may write to no repository",
      "`countersign register --patches` makes a second one",
    ),
  // Names of servers and groups elsewhere in the file.
  ({ servers, sources, patches, github, policy, schedules }) => {
    const all = { ...servers, ...sources, ...patches };
    const targets = [...new Set([...Object.keys(all), ...Object.values(all).flatMap(({ groups }) => groups)])];
    const known = targets.length > 0 ? `known: ${targets.join(", ")}` : "`servers` is empty";
    const refine = (names: readonly string[], path: FilePath): readonly SchemaFinding[] =>
      names.flatMap((name, index) => {
        const near = nearest(name, targets);
        const remedy = near ? `did you mean \`${near}\`?` : known;
        const message = `\`${name}\` is neither a server nor a group`;
        return mistake(!targets.includes(name), [...path, index], message, remedy);
      });
    const found = [
      ...github.repositories.flatMap((one, index) => refine(one.servers, ["github", "repositories", index, "servers"])),
      ...refine(policy.lease.servers, ["policy", "lease", "servers"]),
      ...refine(policy.lease.opening.servers, ["policy", "lease", "opening", "servers"]),
      ...schedules.allowed.flatMap((one, index) => refine(one.servers, ["schedules", "allowed", index, "servers"])),
      ...Object.entries(policy.proposers.mcp).flatMap(([name, one]) =>
        refine(one.servers, ["policy", "proposers", "mcp", name, "servers"]),
      ),
    ];
    return found.map((finding) => ({ ...finding, restsOn: ["servers", "sources", "patches"] }));
  },
  // Rules for a place.
  ({ servers, sources, patches, policy }) => {
    const known = { ...servers, ...sources, ...patches };
    const groupsOf = (all: Readonly<Record<string, { readonly groups: readonly string[] }>>): readonly string[] =>
      Object.values(all).flatMap(({ groups }) => groups);
    const clusters = Object.keys(servers).filter((name) => servers[name]?.kind === "kubernetes");
    /** By the list that names them. */
    const meant = {
      servers: { names: [...Object.keys(known), ...groupsOf(known)], what: "neither a server nor a group" },
      groups: { names: groupsOf(known), what: "no group" },
      clusters: { names: clusters, what: "no server of `kind: kubernetes`" },
      sources: { names: [...Object.keys(sources), ...groupsOf(sources)], what: "no source" },
      patches: { names: [...Object.keys(patches), ...groupsOf(patches)], what: "not in `patches`, nor a group there" },
    };
    const found = policy.for.flatMap((rule, index) => {
      const path = ["policy", "for", index];
      const places = (["servers", "groups", "clusters", "sources", "patches"] as const).flatMap((list) =>
        rule[list].map((name, at) => ({ name, path: [...path, list, at], ...meant[list] })),
      );
      const strangers = places.filter(({ name, names }) => !names.includes(name));
      const reached = clusters.filter((cluster) =>
        places.some(({ name }) => [cluster, ...(servers[cluster]?.groups ?? [])].includes(name)),
      );
      const { namespaces, approvers, low, medium, high, max_risk: mostRisk, hours } = rule;
      const asks = [approvers, low, medium, high, mostRisk].some((one) => one !== undefined) || hours.length > 0;
      return [
        ...mistake(places.length === 0, path, "names no place, so it holds nowhere", "write `servers: [NAME]`"),
        ...mistake(
          !asks,
          path,
          "asks for nothing",
          "write `approvers`, `low`, `medium`, `high`, `max_risk` or `hours`, or leave it out",
        ),
        ...strangers.flatMap(({ name, names, what, path: place }) => {
          const near = nearest(name, names);
          const all = [...new Set(names)].join(", ");
          const remedy = near ? `did you mean \`${near}\`?` : all === "" ? "there is none" : `known: ${all}`;
          return mistake(true, place, `\`${name}\` is ${what}`, remedy);
        }),
        ...namespaces.flatMap((namespace, at) => {
          const place = [...path, "namespaces", at];
          const isServed = ({ namespaces: own = [] }: ServerEntry) => own.includes("*") || own.includes(namespace);
          const isThere = reached.some((name) => servers[name] !== undefined && isServed(servers[name]));
          if (reached.length === 0 && strangers.length === 0)
            return mistake(at === 0, place, "the rule names no cluster", "write `clusters: [NAME]`");
          const message = `the namespace \`${namespace}\` is not listed for ${reached.join(", ")}`;
          return mistake(!isThere && reached.length > 0, place, message, "list it there, or leave it out");
        }),
        ...mistake(
          approvers !== undefined && approvers.teams.length + approvers.users.length === 0,
          [...path, "approvers"],
          "is empty, so nobody could approve there",
          "name a team or people, or leave it out",
        ),
        ...hours.flatMap((text, at) => {
          const parsed = parseHours(text);
          if (!parsed.ok) return mistake(true, [...path, "hours", at], `\`${text}\` ${parsed.message}`, parsed.remedy);
          const other = hours.slice(0, at).find((one) => overlap(one, text));
          const message = `\`${text}\` covers a time that \`${other}\` covers too`;
          return mistake(other !== undefined, [...path, "hours", at], message, "make one of the two, or part them");
        }),
      ];
    });
    return found.map((finding) => ({ ...finding, restsOn: ["servers", "sources", "patches"] }));
  },
  // Names of repositories elsewhere in the file.
  ({ github, schedules, policy }) => {
    const listed = github.repositories.map(({ name }) => name.toLowerCase());
    const refine = (repo: string, path: FilePath) =>
      mistake(!listed.includes(repo.toLowerCase()), path, `\`${repo}\` is not among github.repositories`);
    const found = [
      ...github.repositories.flatMap(({ name }, index) =>
        mistake(
          listed.indexOf(name.toLowerCase()) !== index,
          ["github", "repositories", index, "name"],
          `\`${name}\` is listed twice`,
          "make one entry of the two",
        ),
      ),
      ...schedules.allowed.flatMap(({ repo }, index) => refine(repo, ["schedules", "allowed", index, "repo"])),
      ...Object.entries(policy.proposers.mcp).flatMap(([agent, { repositories }]) =>
        repositories.flatMap((repo, index) =>
          refine(repo, ["policy", "proposers", "mcp", agent, "repositories", index]),
        ),
      ),
    ];
    return found.map((finding) => ({ ...finding, restsOn: ["github"] }));
  },
  // Jump hosts.
  ({ servers }) => {
    return Object.keys(servers).flatMap((start): readonly SchemaFinding[] => {
      const path = ["servers", start, "jump"];
      const hops = [start];
      for (let next = servers[start]?.jump; next !== undefined; next = servers[next]?.jump) {
        if (next === start) return [{ path, message: `the jumps go in a circle: ${[...hops, next].join(" → ")}` }];
        // A loop or gap further on is that server's own finding.
        if (hops.includes(next)) return [];
        if (!Object.hasOwn(servers, next)) {
          const near = nearest(next, Object.keys(servers));
          const remedy = near ? `did you mean \`${near}\`?` : "add it to `servers`";
          return mistake(hops.length === 1, path, `there is no server \`${next}\` to jump through`, remedy);
        }
        const { kind } = servers[next] ?? {};
        if (kind !== undefined && kind !== "ssh" && hops.length === 1) {
          const what = kind === "kubernetes" ? "a cluster, and nothing jumps through one" : "this machine itself";
          return [{ path, message: `\`${next}\` is ${what}`, remedy: "leave it out" }];
        }
        hops.push(next);
      }
      return [];
    });
  },
  // An agent that answers itself would never stop.
  ({ github, policy: { proposers } }) =>
    proposers.apps.flatMap((id, index) =>
      mistake(
        id === github.app_id,
        ["policy", "proposers", "apps", index],
        "is this bot's own App",
        "name the App of the other agent",
      ),
    ),
  // Browsers offer passkeys only over TLS or to this machine.
  ({ policy, server: { public_url: url } }) => {
    const path = ["server", "public_url"];
    if (url === undefined)
      return mistake(
        policy.passkey !== "none",
        path,
        "`server.public_url` is missing: `policy.passkey` needs a page that people can reach",
        "write `public_url: https://…`",
      );
    const { protocol, hostname } = new URL(url);
    const isOffered = protocol === "https:" || hostname === "localhost";
    return mistake(!isOffered, path, "no browser offers a passkey there", "use an https:// address");
  },
];

/** `configSchema` says what a broken file still holds. */
export const refinedSchema = configSchema.superRefine((file, context) => {
  for (const { path, message, ...params } of refinements.flatMap((refine) => refine(file)))
    context.addIssue({ code: "custom", path: [...path], message, params });
});

/** Warnings: usable, without all that the file promises. */
export const doubts: readonly Refinement[] = [
  // Keys and tokens travel with each request, so only this machine may be reached without TLS.
  ({ github, model, sources }) => {
    const settings = [
      { path: ["github", "api_url"], url: github.api_url },
      ...model.endpoints.map(({ url }, index) => ({ path: ["model", "endpoints", index, "url"], url })),
      ...Object.entries(sources).map(([name, { url }]) => ({ path: ["sources", name, "url"], url })),
    ];
    return settings.flatMap(({ path, url }) => {
      const { protocol, hostname } = new URL(url);
      const isSafe = protocol === "https:" || /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
      return mistake(!isSafe, path, `${hostname} is spoken to without encryption`, "use an https:// address");
    });
  },
  // At high risk an approval must name the server, or its group.
  ({ servers, sources, patches }) => {
    return Object.entries({ servers, sources, patches }).flatMap(([section, entries]) =>
      Object.entries<{ readonly groups: readonly string[] }>(entries).flatMap(([name, { groups }]) =>
        groups.flatMap((group, index) =>
          mistake(
            !serverName.safeParse(group).success,
            [section, name, "groups", index],
            `no comment can name the group \`${group}\``,
            "name it as servers are named",
          ),
        ),
      ),
    );
  },
  ({ policy: { approvers, proposers } }) =>
    proposers.users.flatMap(({ login, id }, index) =>
      mistake(
        approvers.users.some((user) => user.id === id),
        ["policy", "proposers", "users", index],
        `${login} is also in policy.approvers, and approves nothing: agents only propose`,
        "leave it in one of the two",
      ),
    ),
  ({ retention }) =>
    mistake(
      retention.audit !== undefined,
      ["retention", "audit"],
      "it is taken, and not used: of the audit nothing is ever removed",
      "leave it out",
    ),
];
