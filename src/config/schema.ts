/**
 * The operator's file as it is written: snake_case keys, their types and defaults (docs/configuration.md). Inside the program the
 * same values have camelCase keys, durations are milliseconds in keys that end in `Ms`, and paths are absolute;
 * `config-shape.ts` derives that from this schema, so a key is written down once.
 */

import * as z from "zod";
import { proposers } from "./agent-schema.ts";
import { alertSourcesSchema } from "./alert-sources.ts";
import { onCallSchema } from "./oncall.ts";
import {
  durationKey,
  durationText,
  path,
  portNumber,
  repositoryName,
  section,
  serverName,
  timerKey,
  webAddress,
} from "./schema-leaves.ts";
import { serverSchema } from "./server-schema.ts";
import { sourceSchema } from "./sources.ts";

const count = (fallback: number) => z.int().positive().default(fallback);
const names = () => z.array(z.string().min(1)).default([]);
const flag = (fallback: boolean) => z.boolean().default(fallback);
const network = z.union([z.literal("github"), z.ipv4(), z.cidrv4(), z.ipv6(), z.cidrv6()]);
const caller = z
  .string()
  .refine(
    (text) => network.safeParse(text).success,
    "is neither `github` nor an address or network, such as 192.0.2.0/24",
  );
const github = section({
  // How the bot hears of what happens on GitHub: GitHub calls it, it asks GitHub again and again, or both.
  mode: z.enum(["webhook", "poll", "both"]).default("webhook"),
  app_id: z.int().positive().optional(),
  private_key_file: path().optional(),
  webhook_secret_file: path().optional(),
  api_url: webAddress.default("https://api.github.com"),
  // Comments, edits and reactions of one installation; GitHub itself takes 80 (RR-08).
  writes_per_minute: z.int().min(4).max(100_000).default(80),
  repositories: z
    .array(
      z.strictObject({
        name: repositoryName,
        id: z.int().positive().optional(),
        servers: names(),
        allow_public: flag(false),
      }),
    )
    .default([]),
});

const amount = z.number().min(0);
const endpoint = z.strictObject({
  url: webAddress,
  model: z.string().min(1),
  api_key_env: z.string().min(1).optional(),
  api_key_file: path().optional(),
  context_window: z.int().positive().optional(),
  /** Per million tokens, in the one currency of every endpoint and of the budget. */
  price: z.strictObject({ input: amount, cached_input: amount.optional(), output: amount }).optional(),
});

const model = section({
  endpoints: z.array(endpoint).default([]),
  deadline: timerKey("5m"),
  retry: section({
    max_retries: z.int().min(0).max(10).default(3),
    base_delay_ms: count(1000),
    max_delay_ms: count(30_000),
    retryable_statuses: z.array(z.int().min(400).max(599)).default([429, 500, 502, 503, 529]),
  }),
  budget: section({
    tokens_per_incident: count(500_000),
    tokens_per_person_per_day: z.int().positive().optional(),
    tokens_per_repository_per_day: z.int().positive().optional(),
    tokens_per_installation_per_day: z.int().positive().optional(),
    tokens_per_day: count(5_000_000),
    cost_per_incident: z.number().positive().optional(),
    cost_per_day: z.number().positive().optional(),
  }),
});

const level = (fallback: { approvals: number; expires: string; careful: boolean }) =>
  section({
    approvals: z.int().min(1).max(10).default(fallback.approvals),
    expires: durationKey(fallback.expires),
    reason: z.enum(["required", "optional"]).default(fallback.careful ? "required" : "optional"),
    restate_server: flag(fallback.careful),
  });

const looseRecords = z.array(z.record(z.string(), z.unknown())).default([]);

const policy = section({
  approvers: section({
    teams: z.array(z.string().regex(/^[\w.-]+\/[\w.-]+$/, "is not `organization/team`")).default([]),
    users: z.array(z.strictObject({ login: z.string().min(1), id: z.int().positive() })).default([]),
    min_role: z.enum(["write", "maintain", "admin"]).default("write"),
  }),
  proposers,
  low: level({ approvals: 1, expires: "60m", careful: false }),
  medium: level({ approvals: 1, expires: "60m", careful: false }),
  high: level({ approvals: 2, expires: "15m", careful: true }),
  lease: section({ allowed: flag(false), max_time: durationKey("30m"), max_commands: count(20), servers: names() }),
  /** What `lease` was called before: where it allows, and no more. */
  auto: section({ allowed: flag(false), max_risk: z.enum(["low"]).default("low"), servers: names() }),
  /** How long whoever was called has before the next one is. */
  escalate: section({
    after: section({ low: durationKey("30m"), medium: durationKey("10m"), high: durationKey("5m") }),
  }),
  many_servers: count(3),
  high_per_hour: count(5),
  passkey: z.enum(["none", "medium", "high"]).default("none"),
  author_counts: z.enum(["none", "low", "medium", "high"]).default("low"),
  egress: z
    .array(z.string().regex(/^(\*\.)?[\w:.-]+(\/\d{1,3})?$/, "is no host, `*.suffix`, address or network"))
    .default([]),
  rules: looseRecords,
  trust: looseRecords,
});

const schedule = z.strictObject({
  repo: repositoryName,
  workflow: z.string().min(1),
  servers: names(),
  sha256: z.string(),
});

/** The whole file; every section may be left out. */
export const configSchema = z.strictObject({
  github,
  server: section({
    host: z.string().min(1).default("127.0.0.1"),
    port: portNumber(0).default(3000),
    max_body_mb: count(25),
    /** Whose webhooks are read; everybody's where it is left out (SR-05). */
    allow_from: z.array(caller).min(1).optional(),
    trusted_proxies: z.int().min(0).max(10).default(0),
    /** Where people reach the pages of passkeys: an origin, whose host every passkey is bound to. */
    public_url: webAddress
      .refine(
        (text) => new URL(text).href === `${new URL(text).origin}/`,
        "is no origin, such as https://bot.example.com",
      )
      .optional(),
    /** Whether GET /metrics is answered, and anything counted for it. */
    metrics: flag(true),
  }),
  store: section({
    url: z
      .string()
      .regex(/^(file:.|postgres(ql)?:\/\/.)/, "is neither `file:FOLDER` nor `postgres://…`")
      .default("file:./data"),
  }),
  incident: section({
    label: z.string().min(1).default("incident"),
    // The issue type that is as good as the label; empty: none is. A form can set it (`type: Incident`).
    type: z.string().max(100).default("Incident"),
    component_label: z.string().min(1).default("path:"),
    // Which of `troubleshoot` and `revive` comes first, e.g. `pillar: revive` (AR-16).
    pillar_label: z.string().min(1).default("pillar:"),
    // How the labels begin that mirror the state; empty: there are none. GitHub takes 50 characters for a name.
    state_label: z.string().max(25).default("countersign: "),
    bots: z.array(z.int().positive()).default([]),
  }),
  commands: section({ prefixes: z.array(z.string().regex(/^[a-z][\w-]*$/i, "is not a word")).default(["ops"]) }),
  execution: section({ enabled: flag(true), stored_output_mb: count(16), at_once: count(8) }),
  model,
  system_prompt: section({
    identity: z.string().optional(),
    identity_file: path().optional(),
    custom_instructions_file: path().optional(),
  }),
  reinjection: section({ enabled: flag(true), turns: count(15) }),
  features: section({ context: flag(true), skills: flag(true), planning: flag(true), sub_agents: flag(true) }),
  context: section({
    filenames: z.array(z.string().min(1)).default(["AGENTS.md"]),
    extra_skill_dirs: names(),
    organization_repo: repositoryName.optional(),
    services: z.record(z.string().min(2), z.array(repositoryName).min(1)).default({}),
  }),
  agent: section({
    max_steps: count(20),
    max_actions_per_response: z.int().min(1).max(3).default(3),
    output_characters: z.int().min(200).max(50_000).default(5000),
    turns_per_person_per_hour: count(30),
  }),
  servers: z.record(serverName, serverSchema).default({}),
  /** In the inventory they are servers. */
  sources: z.record(serverName, sourceSchema).default({}),
  policy,
  alerts: section({ sources: alertSourcesSchema }),
  oncall: onCallSchema,
  schedules: section({ allowed: z.array(schedule).default([]) }),
  retention: section({ outputs: durationKey("14d"), audit: durationText.optional() }),
  audit: section({ signing_key_file: path().optional(), checkpoint_file: path().optional() }),
  logging: section({
    level: z.enum(["debug", "info", "warn", "error"]).default("info"),
    file: path().optional(),
    stdout: flag(true),
    payloads: flag(false),
    rotation: section({ max_days: count(30), max_size_mb: count(100) }),
  }),
});

/** The file with its defaults filled in, keys still as written. */
export type ParsedFile = z.output<typeof configSchema>;
