import { isDeepStrictEqual } from "node:util";
import { policyFor, rulesAt, whyNobody } from "../../approval/place.ts";
import type { Problem } from "../../base/errors.ts";
import { counted } from "../../base/words.ts";
import type { Gaps } from "../../config/keep.ts";
import { type Config, selectServers, serversFor } from "../../config/values.ts";
import { placeOf, placeRows, policyWords } from "../../features/proposal/in-force.ts";
import { createEvaluator } from "../../risk/evaluate.ts";
import type { CheckLook, ConfigLookKind } from "./look.ts";

export const policyLook: ConfigLookKind = {
  name: "policy",
  restsOn: ["policy"],
  look: ({ config, gaps }) => {
    // With invalid rules no process starts.
    createEvaluator(config.policy);
    if (config.roles.every((role) => role === "web")) return [];
    const problems = rosterProblems(config);
    const warnings = policyHoles(config, new Date(), gaps);
    const strange = problems.length + warnings.length;
    const unusual = strange === 0 ? "nothing unusual" : `${counted(strange, "thing")} that may not be meant`;
    const said = [unusual, ...openingWords(config)].join("; ");
    return [{ name: "policy", said, problems, warnings }, ...tableOf(config, new Date(), gaps)];
  },
};

/** Who can approve what where, a row for each kind of place, and where nobody can. None without rules for places. */
function tableOf(config: Config, now: Date, gaps: Gaps): readonly CheckLook[] {
  const { policy, servers } = config;
  if (policy.for.length === 0 || gaps.has("servers")) return [];
  return placeRows({ policy, servers: [...servers.values()] }, now).map(({ names, policy: own }) => {
    const [first] = own.rules;
    const place = first ? `policy.for.${policy.for.findIndex((rule) => isDeepStrictEqual(rule, first))}` : "policy";
    const faults = whyNobody(own, now).map((what) => ({
      place,
      message: `on ${few(names)} nobody can approve ${what}`,
      remedy: "name more people or a team, lower the number, or change the hours",
    }));
    const none = faults.length === 0 ? "" : ` · NOBODY can approve ${whyNobody(own, now).join("; ")}`;
    return {
      name: "approve",
      said: `${names.join(", ")}: ${policyWords(own, (text) => text)}${none}`,
      warnings: faults,
    };
  });
}

/** What a rule for a place may not mean. */
function ruleHoles({ policy, servers, schedules }: Config): readonly Problem[] {
  const all = [...servers.values()];
  return policy.for.flatMap((rule, index) => {
    const { approvers } = rule;
    if (!approvers) return [];
    const strangers = [
      ...approvers.teams.filter((team) => !policy.approvers.teams.includes(team)),
      ...approvers.users
        .filter(({ id }) => !policy.approvers.users.some((user) => user.id === id))
        .map(({ login }) => login),
    ];
    const ruled = (names: readonly string[]): readonly string[] =>
      selectServers(all, names)
        .filter((server) => rulesAt([rule], [placeOf(server)]).length > 0)
        .map(({ name }) => name);
    const alone = ruled(policy.lease.opening.servers);
    return [
      ...hole(
        strangers.length > 0,
        `policy.for.${index}.approvers`,
        `${few(strangers)} ${strangers.length === 1 ? "is" : "are"} not among policy.approvers, which must name everybody who approves: whoever is in only one of the two lists cannot`,
        "name them in policy.approvers too",
      ),
      ...hole(
        alone.length > 0,
        "policy.lease.opening.servers",
        `reads run on ${few(alone)} when an incident begins, without the approvers of policy.for.${index}`,
        "leave it out of the opening lease, unless that is meant",
      ),
      ...schedules.allowed.flatMap(({ servers: names }, at) => {
        const scheduled = ruled(names);
        return hole(
          scheduled.length > 0,
          `schedules.allowed.${at}.servers`,
          `low risk runs on ${few(scheduled)} by schedule, without the approvers of policy.for.${index}`,
          "leave it out of the schedule, unless that is meant",
        );
      }),
    ];
  });
}

/** What the lease lets run with which each incident begins. */
function openingWords({ policy: { lease }, servers }: Config): readonly string[] {
  const { servers: names, maxTimeMs, maxCommands } = lease.opening;
  if (names.length === 0) return [];
  const on = selectServers([...servers.values()], names).map(({ name }) => name);
  return [
    `each incident begins with a lease (policy.lease.opening): for ${Math.floor(maxTimeMs / 60_000)} min up to ${counted(maxCommands, "command")} of the agent and its runbooks run on ${few(on)} without an approval: low risk only, nothing that reaches another host, sends, shows secrets or never ends`,
  ];
}

/** Without approvers the bot can only propose (SR-17). */
export function rosterProblems({ policy: { approvers } }: Pick<Config, "policy">): readonly Problem[] {
  if (approvers.teams.length + approvers.users.length > 0) return [];
  return [
    {
      place: "policy.approvers",
      message: "is empty, so nobody can approve anything",
      remedy: "name a team (`org/slug`) or people with their ids",
    },
  ];
}

/**
 * What works but is likely not meant. Skips sections with gaps, except the servers that are left; reach counts only if both sections are
 * whole. Pure.
 */
export function policyHoles(config: Config, now: Date, gaps: Gaps = new Set()): readonly Problem[] {
  const sections = [...gaps].filter((section) => section !== "servers").map((section) => `${section}.`);
  const knowsReach = !gaps.has("servers") && !gaps.has("github");
  const { policy, servers } = config;
  const { approvers } = policy;
  // Counts people once, and agents not at all.
  const ids = new Set(approvers.users.map(({ id }) => id));
  const people = ids.difference(new Set(policy.proposers.users.map(({ id }) => id))).size;
  const risky = [...servers.values()].flatMap((server) => {
    const own = policyFor(policy, { places: [placeOf(server)] }, now);
    return server.maxRisk === "high" && own.maxRisk === "high" && own.high.approvals < 2 ? [server.name] : [];
  });
  const all = [...config.servers.values()];
  const reached = new Set(config.repositories.flatMap(({ name }) => serversFor(config, name)).map(({ name }) => name));
  const holes = [
    ...ruleHoles(config),
    ...hole(
      risky.length > 0,
      "policy.high.approvals",
      `${few(risky)} accept${risky.length === 1 ? "s" : ""} high risk with one approval`,
      "write 2, or `max_risk: medium` on the servers",
    ),
    ...(["low", "medium", "high"] as const).flatMap((risk) =>
      hole(
        approvers.teams.length === 0 && approvers.users.length > 0 && people < policy[risk].approvals,
        "policy.approvers",
        `${risk} risk needs ${counted(policy[risk].approvals, "approval")} and there ${people === 1 ? "is" : "are"} ${counted(people, "approver")}: it can never run`,
        "name more people, or a team",
      ),
    ),
    ...hole(
      policy.authorCounts === "high" || policy.authorCounts === "medium",
      "policy.author_counts",
      `whoever writes a ${policy.authorCounts}-risk command may be the one who approves it`,
      "write low or none",
    ),
    ...hole(
      policy.lease.allowed && policy.lease.servers.length === 0,
      "policy.lease.servers",
      "a lease is allowed and has no server",
      "name servers, or write `allowed: false`",
    ),
    ...policy.trust.flatMap((trust, index) =>
      hole(
        typeof trust.expires === "string" && Date.parse(trust.expires) < now.getTime(),
        `policy.trust.${index}`,
        `has expired at ${String(trust.expires)} and lowers nothing any more`,
        "take it out, or renew it",
      ),
    ),
    ...config.repositories.flatMap(({ name, allowPublic }, index) => [
      ...hole(
        allowPublic,
        `github.repositories.${index}.allow_public`,
        `${name} may be public: everybody reads its incidents`,
        "write false unless it must be",
      ),
      ...hole(
        knowsReach && serversFor(config, name).length === 0,
        `github.repositories.${index}.servers`,
        `${name} reaches no server`,
        "name servers or groups",
      ),
    ]),
    ...all.flatMap(({ name, user, source, patches }) => [
      ...hole(
        user === "root",
        `servers.${name}.user`,
        `the bot logs in to ${name} as root, so every command runs as root`,
        "log in as an account of few rights, with sudo for what it needs",
      ),
      ...hole(
        knowsReach && !reached.has(name) && !all.some(({ jump }) => jump === name),
        `${source ? "sources" : patches ? "patches" : "servers"}.${name}`,
        `no repository reaches ${name}`,
        "name it, or a group of it, under github.repositories",
      ),
    ]),
    ...config.schedules.allowed.flatMap(({ sha256, workflow }, index) =>
      hole(
        !/^[0-9a-f]{64}$/i.test(sha256),
        `schedules.allowed.${index}.sha256`,
        `is no SHA-256, so ${workflow} never runs`,
        "write what `sha256sum` says of the workflow's file",
      ),
    ),
    ...hole(
      config.schedules.allowed.length > 0 && config.audit.checkpointFile === undefined,
      "audit.checkpoint_file",
      "is missing, and workflows run by time: on a store that was put back from a copy, one that ran already could run again",
      "name a file outside of the store's folder, best on a disk that the bot's host cannot rewrite",
    ),
    ...hole(
      config.audit.signingKeyFile === undefined,
      "audit.signing_key_file",
      "is missing: checkpoints of the audit are not signed, and whoever writes the store can rewrite it",
      "openssl genpkey -algorithm ed25519 -out audit.key && chmod 600 audit.key",
    ),
  ];
  return holes.filter(({ place }) => !sections.some((section) => place.startsWith(section)));
}

const hole = (there: boolean, place: string, message: string, remedy: string): readonly Problem[] =>
  there ? [{ place, message, remedy }] : [];

const few = (names: readonly string[]): string =>
  names.length <= 3 ? names.join(", ") : `${names.slice(0, 3).join(", ")} and ${names.length - 3} more`;
