/** Everyone with push access can write it, so it can only narrow the rules (SR-38, AR-03). */

import * as z from "zod";
import { nearest, parseFile } from "../base/problems.ts";
import { isStricter, type LeaseCaps } from "../base/risk.ts";
import type { Server } from "../base/server.ts";
import { type Camel, durationText, toProgramSide } from "./shape.ts";
import { type Config, type Policy, selectServers, serversFor } from "./values.ts";

const repoLevel = z
  .strictObject({
    approvals: z.int().positive().optional(),
    reason: z.enum(["required", "optional"]).optional(),
    restate_server: z.boolean().optional(),
  })
  .optional();

const repoConfigSchema = z.strictObject({
  servers: z.array(z.string().min(1)).optional(),
  max_risk: z.enum(["low", "medium", "high"]).optional(),
  incident: z.strictObject({ label: z.string().min(1).optional() }).optional(),
  policy: z
    .strictObject({
      low: repoLevel,
      medium: repoLevel,
      high: repoLevel,
      lease: z
        .strictObject({
          allowed: z.boolean().optional(),
          servers: z.array(z.string().min(1)).optional(),
          max_time: durationText.optional(),
          max_commands: z.int().positive().optional(),
          opening: z
            .strictObject({
              servers: z.array(z.string().min(1)).optional(),
              max_time: durationText.optional(),
              max_commands: z.int().positive().optional(),
            })
            .optional(),
        })
        .optional()
        .meta({ formerly: "auto" }),
    })
    .optional(),
});
type RepoConfig = Camel<(typeof repoConfigSchema)["_output"]>;

/** The operator's policy, narrowed by the repo. */
export interface RepoPolicy {
  /** With the repo's `maxRisk`. */
  readonly servers: readonly Server[];
  readonly policy: Policy;
  readonly incidentLabel: string;
  /** No server unless operator and repo allow some. */
  readonly lease: LeaseCaps;
  /** The lease with which each incident begins. */
  readonly opening: LeaseCaps;
  /** The repo's attempts to widen a rule, for `/status`. */
  readonly notes: readonly string[];
  /** The same by key, for `check`. */
  readonly widened: readonly IgnoredWidening[];
}

export interface IgnoredWidening {
  readonly path: readonly string[];
  readonly note: string;
}

/** An empty file narrows nothing. Never throws. */
export function parseRepoConfig(text: string, file: string) {
  const parsed = parseFile(repoConfigSchema, text, file);
  if (!parsed.ok) return parsed;
  return { ok: true, config: toProgramSide(repoConfigSchema, parsed.value, file), locate: parsed.locate } as const;
}

/** What a repo can narrow. */
type OperatorRules = Pick<Config, "repositories" | "servers" | "policy" | "incident">;

/** Applies the stricter of operator and repo. */
export function restrict(config: OperatorRules, repoFullName: string, repo: RepoConfig = {}): RepoPolicy {
  const { servers: names, maxRisk, policy: wishes = {} } = repo;
  const allowed = serversFor(config, repoFullName);
  const known = allowed.flatMap(({ name, groups }) => [name, ...groups]);
  const strangers = (names ?? []).filter((name) => !known.includes(name));
  const kept = names === undefined ? allowed : selectServers(allowed, names);
  const riskier = maxRisk === undefined ? [] : kept.filter((server) => isStricter(server.maxRisk, maxRisk));
  const servers = kept.map((server) =>
    maxRisk !== undefined && isStricter(maxRisk, server.maxRisk) ? { ...server, maxRisk } : server,
  );
  const widened: IgnoredWidening[] = [
    ...strangers.map((name) => {
      const near = nearest(name, known);
      const note = `servers: \`${name}\` is not among those the operator gives this repo, so it is left out${near ? ` (did you mean \`${near}\`?)` : ""}`;
      return { path: ["servers"], note };
    }),
    ...riskier.map(({ name, maxRisk: held }) => ({
      path: ["max_risk"],
      note: `max_risk: ${maxRisk} is more than the operator's ${held} on \`${name}\`; ${held} holds`,
    })),
  ];
  const levels = (["low", "medium", "high"] as const).map((risk) => {
    const held = config.policy[risk];
    const wish = wishes[risk] ?? {};
    const hold = (key: string, asked: unknown, kept: unknown) => widened.push(looser(risk, key, asked, kept));
    if (wish.approvals !== undefined && wish.approvals < held.approvals)
      hold("approvals", wish.approvals, held.approvals);
    if (wish.reason === "optional" && held.reason === "required") hold("reason", wish.reason, held.reason);
    if (wish.restateServer === false && held.restateServer) hold("restate_server", false, true);
    const level: Policy["low"] = {
      ...held,
      approvals: Math.max(held.approvals, wish.approvals ?? 0),
      reason: wish.reason === "required" ? "required" : held.reason,
      restateServer: held.restateServer || wish.restateServer === true,
    };
    return [risk, level] as const;
  });
  const { lease, opening, widened: leased } = narrowLease(config.policy, servers, wishes);
  widened.push(...leased);
  return {
    servers,
    policy: { ...config.policy, ...Object.fromEntries(levels) },
    incidentLabel: repo.incident?.label ?? config.incident.label,
    lease,
    opening,
    notes: widened.map(({ note }) => note),
    widened,
  };
}

const looser = (section: string, key: string, asked: unknown, kept: unknown): IgnoredWidening => ({
  path: ["policy", section, ...key.split(".")],
  note: `policy.${section}.${key}: ${asked} is looser than the operator's ${kept}; ${kept} holds`,
});

function narrowLease(
  { lease }: Policy,
  servers: readonly Server[],
  wishes: NonNullable<RepoConfig["policy"]>,
): { readonly lease: LeaseCaps; readonly opening: LeaseCaps; readonly widened: readonly IgnoredWidening[] } {
  const held = lease.allowed ? selectServers(servers, lease.servers) : [];
  const wish = wishes.lease ?? {};
  // What the repository says of leases narrows the opening one too.
  const wishedIn =
    (names: readonly string[] | undefined) =>
    (server: Server): boolean =>
      names === undefined || selectServers([server], names).length > 0;
  const given = servers.filter((server) => wish.allowed !== false && wishedIn(wish.servers)(server));
  const kept = given.filter((server) => held.includes(server));
  const { opening: atOpening = {} } = wish;
  const begun = given.filter(wishedIn(lease.opening.servers)).filter(wishedIn(atOpening.servers));
  const least = (...limits: readonly (number | undefined)[]): number =>
    Math.min(...limits.filter((limit) => limit !== undefined));
  const { maxTime: maxTimeMs = lease.maxTimeMs, maxCommands = lease.maxCommands } = wish;
  const widen = (name: string, isWider: boolean, wished: unknown, holds: unknown) =>
    isWider ? [looser("lease", name, wished, holds)] : [];
  return {
    lease: {
      servers: kept.map(({ name }) => name),
      maxTimeMs: Math.min(lease.maxTimeMs, maxTimeMs),
      maxCommands: Math.min(lease.maxCommands, maxCommands),
    },
    opening: {
      servers: begun.map(({ name }) => name),
      maxTimeMs: least(lease.opening.maxTimeMs, wish.maxTime, atOpening.maxTime),
      maxCommands: least(lease.opening.maxCommands, wish.maxCommands, atOpening.maxCommands),
    },
    widened: [
      ...widen(
        "opening.max_time",
        (atOpening.maxTime ?? 0) > lease.opening.maxTimeMs,
        `${atOpening.maxTime} ms`,
        `${lease.opening.maxTimeMs} ms`,
      ),
      ...widen(
        "opening.max_commands",
        (atOpening.maxCommands ?? 0) > lease.opening.maxCommands,
        atOpening.maxCommands,
        lease.opening.maxCommands,
      ),
      ...widen("allowed", wish.allowed === true && held.length === 0, true, false),
      ...widen("max_time", maxTimeMs > lease.maxTimeMs, `${maxTimeMs} ms`, `${lease.maxTimeMs} ms`),
      ...widen("max_commands", maxCommands > lease.maxCommands, maxCommands, lease.maxCommands),
    ],
  };
}
