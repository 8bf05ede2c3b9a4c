import * as z from "zod";
import { allShells } from "../base/server.ts";
import { alertSourcesSchema } from "./alert-sources.ts";
import { onCallSchema } from "./oncall.ts";
import {
  countKey,
  durationKey,
  durationText,
  path,
  portNumber,
  repositoryName,
  section,
  serverName,
  timerKey,
  webAddress,
} from "./shape.ts";

/**
 * The file as written, in snake_case (docs/configuration.md). `shape.ts` derives the program's side: camelCase, absolute paths, durations
 * as milliseconds in `…Ms`.
 */

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
  mode: z.enum(["webhook", "poll", "both"]).default("webhook"),
  app_id: z.int().positive().optional(),
  private_key_file: path().optional(),
  webhook_secret_file: path().optional(),
  api_url: webAddress.default("https://api.github.com"),
  /** The second App, which alone may write to repositories: it proposes patches. */
  patches_app: z.strictObject({ app_id: z.int().positive(), private_key_file: path() }).optional(),
  // For one installation; GitHub takes 80.
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
  /** Per million tokens, in one currency. */
  price: z.strictObject({ input: amount, cached_input: amount.optional(), output: amount }).optional(),
});

const model = section({
  endpoints: z.array(endpoint).default([]),
  deadline: timerKey("5m"),
  at_once: countKey(32),
  retry: section({
    max_retries: z.int().min(0).max(10).default(3),
    base_delay_ms: countKey(1000),
    max_delay_ms: countKey(30_000),
    retryable_statuses: z.array(z.int().min(400).max(599)).default([429, 500, 502, 503, 529]),
  }),
  budget: section({
    tokens_per_incident: countKey(500_000),
    tokens_per_person_per_day: z.int().positive().optional(),
    tokens_per_repository_per_day: z.int().positive().optional(),
    tokens_per_installation_per_day: z.int().positive().optional(),
    tokens_per_day: countKey(5_000_000),
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

/** For one agent, over all issues. */
const caps = { open_proposals: countKey(5), proposals_per_hour: countKey(20) };

/** Calls by MCP (docs/agents.md). */
const mcpCaller = z.strictObject({
  // Two while the token changes; without one the agent can call only on this machine.
  token_sha256: z
    .array(z.string().regex(/^[0-9a-f]{64}$/, "is no SHA-256: 64 digits 0-9 a-f"))
    .max(2)
    .default([]),
  repositories: z.array(repositoryName).min(1),
  servers: z.array(z.string().min(1)).min(1),
  calls_per_minute: countKey(60),
  ...caps,
});
const mcpCallerName = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,39}$/, "cannot name an agent: a lower-case letter, then letters, digits and `-`");

const teamName = z.string().regex(/^[\w.-]+\/[\w.-]+$/, "is not `organization/team`");
const account = z.strictObject({ login: z.string().min(1), id: z.int().positive() });

/** What a rule for a place may ask beyond the general level. */
const placeLevel = z
  .strictObject({
    approvals: z.int().min(1).max(10).optional(),
    reason: z.enum(["required"]).optional(),
    restate_server: z.literal(true).optional(),
  })
  .optional();

/** Who may approve what where (docs/policy.md). `refinements.ts` says what its names must be. */
const placeRule = z.strictObject({
  servers: names(),
  groups: names(),
  clusters: names(),
  sources: names(),
  patches: names(),
  namespaces: z.array(z.string().regex(/^[a-z0-9][a-z0-9-]*$/, "is no namespace")).default([]),
  approvers: z.strictObject({ teams: z.array(teamName).default([]), users: z.array(account).default([]) }).optional(),
  low: placeLevel,
  medium: placeLevel,
  high: placeLevel,
  max_risk: z.enum(["low", "medium", "high"]).optional(),
  hours: z.union([z.string().transform((text) => [text]), z.array(z.string())]).default([]),
});

/** Propose and never approve. */
const proposers = section({
  apps: z.array(z.int().positive()).default([]),
  users: z.array(account).default([]),
  mcp: z.record(mcpCallerName, mcpCaller).default({}),
  ...caps,
});

const policy = section({
  approvers: section({
    teams: z.array(teamName).default([]),
    users: z.array(account).default([]),
    min_role: z.enum(["write", "maintain", "admin"]).default("write"),
  }),
  proposers,
  low: level({ approvals: 1, expires: "60m", careful: false }),
  medium: level({ approvals: 1, expires: "60m", careful: false }),
  high: level({ approvals: 2, expires: "15m", careful: true }),
  for: z.array(placeRule).default([]),
  lease: section({
    allowed: flag(false),
    max_time: durationKey("30m"),
    max_commands: countKey(40),
    servers: names(),
    /** The lease with which each incident begins; on if it names servers. */
    opening: section({ servers: names(), max_time: durationKey("30m"), max_commands: countKey(40) }),
  }).meta({ formerly: "auto" }),
  /** Until the next person is called. */
  escalate: section({
    after: section({ low: durationKey("30m"), medium: durationKey("10m"), high: durationKey("5m") }),
  }),
  many_servers: countKey(3),
  high_per_hour: countKey(5),
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

/** A host over SSH, a cluster's context, or the runner's machine. */
export const serverSchema = z
  .strictObject({
    kind: z.enum(["ssh", "kubernetes", "local"]).default("ssh"),
    host: z.string().min(1).optional(),
    port: portNumber(1).optional(),
    user: z.string().min(1).optional(),
    /** Fills in address and login if they are missing here. */
    ssh_config: path().optional(),
    os: z.enum(["linux", "windows", "auto"]).default("auto"),
    groups: z.array(z.string().min(1)).default([]),
    description: z.string().default(""),
    key_file: path().optional(),
    key_passphrase_file: path().optional(),
    agent: z.boolean().default(false),
    known_hosts_file: path().optional(),
    host_key_alias: z.string().min(1).optional(),
    host_key: z
      .string()
      .regex(/^[\w@.-]+ [A-Za-z0-9+/]+={0,2}/, 'is not a public key such as "ssh-ed25519 AAAA…"')
      .optional(),
    jump: z.string().min(1).optional(),
    tty: z.boolean().default(false),
    backend: z.enum(["ssh2", "openssh"]).default("ssh2"),
    signer: z.boolean().default(false),
    soft_timeout: timerKey("2m"),
    hard_timeout: timerKey("30m"),
    max_risk: z.enum(["low", "medium", "high"]).default("high"),
    env: z.string().min(1).optional(),
    shell: z.enum(allShells).optional(),
    path: z.string().min(1).default("/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"),
    protected_paths: z.array(z.string().min(1)).default([]),
    critical_services: z.array(z.string().min(1)).optional(),
    kubeconfig_file: path().optional(),
    in_cluster: z.boolean().default(false),
    context: z
      .string()
      .regex(/^[^-\s]\S*$/, "cannot name a context")
      .optional(),
    namespaces: z.array(z.string().regex(/^(?:\*|[a-z0-9][a-z0-9-]*)$/, "is neither a namespace nor `*`")).default([]),
    as: z.string().min(1).optional(),
    /** If both are pinned, only the runner reads the kubeconfig. */
    api_server: z.url({ protocol: /^https$/, error: "is not an https address" }).optional(),
    ca_sha256: z
      .string()
      .regex(/^[0-9a-f]{64}$/, "is not a SHA-256 in small hex digits")
      .optional(),
    /** Who the API server must say the bot is. */
    identity: z.string().min(1).optional(),
    /** Allows `kind: local` although bot and runner are one process. */
    allow: z.boolean().default(false),
    jobs_folder: path().optional(),
    /** For processes that cannot read the folder. */
    machine: z
      .string()
      .regex(/^[0-9a-f]{32}$/, "is not 32 small hex digits")
      .optional(),
  })
  .refine(({ kind, host }) => kind !== "ssh" || host !== undefined, {
    path: ["host"],
    error: "is missing; text belongs here",
    when: () => true,
  });

/** The version the operator has read, and its risk. */
const toolSchema = z.strictObject({
  sha256: z.string().regex(/^[0-9a-f]{64}$/, "is no SHA-256; `countersign check` shows the tool's"),
  level: z.enum(["low", "medium", "high"]),
  example: z.string().default(""),
});

/** See docs/sources.md. */
const sourceSchema = z.strictObject({
  kind: z.enum(["prometheus", "loki", "mcp"]),
  url: webAddress,
  token_file: path().optional(),
  ca_file: path().optional(),
  tenant: z
    .string()
    .regex(/^[\w!.*'()|-]{1,150}$/, "cannot name a tenant")
    .optional(),
  groups: z.array(z.string().min(1)).default([]),
  description: z.string().default(""),
  timeout: timerKey("30s"),
  max_range: durationKey("7d"),
  max_series: z.int().min(1).max(1000).default(50),
  max_bytes: z.int().min(1024).max(67_108_864).default(2_097_152),
  tools: z.record(z.string().regex(/^[\w./-]{1,128}$/, "cannot name a tool"), toolSchema).default({}),
});

/** Where patches are proposed (docs/configuration.md). */
const patchSchema = z.strictObject({
  repository: repositoryName,
  paths: z
    .array(
      z
        .string()
        .regex(
          /^(?!.*(?:^|\/)(?:\.{0,2})(?:\/|$))[^\\\s]+$/,
          "is no path below the repository's root, such as `k8s/**`",
        ),
    )
    .min(1),
  base: z
    .string()
    .regex(
      /^(?![-/.])(?!.*(?:\.\.|\/\/|\/\.|@\{|\.lock(?:\/|$)|[/.]$))[^\s~^:?*[\\\p{Cc}]+$/u,
      "is no name of a branch",
    )
    .default("main"),
  groups: z.array(z.string().min(1)).default([]),
  description: z.string().default(""),
});

const hexSha256 = z.string().regex(/^[0-9a-f]{64}$/, "is no SHA-256: 64 digits 0-9 a-f");

/** Of `countersign signer` alone (docs/signer.md). */
const signing = z.strictObject({
  socket: path().optional(),
  listen: z
    .string()
    .regex(/^\S+:\d{1,5}$/, "is no address with a port, such as 192.0.2.7:7443")
    .optional(),
  cert_file: path().optional(),
  key_file: path().optional(),
  /** Of the bots' certificates, in DER. */
  clients: z.array(hexSha256).default([]),
  /** The public key, if an ssh-agent holds the private one. */
  ca_key_file: path(),
  agent_socket: path().optional(),
  record_file: path(),
  source_addresses: z.array(z.union([z.ipv4(), z.cidrv4(), z.ipv6(), z.cidrv6()])).min(1),
  /** The account that writes the bot's comments. */
  app_user: z.int().positive(),
  passkeys: z.array(account.extend({ key_id: z.string().min(1), public_key: z.string().min(1) })).default([]),
});

/** Where the bot asks for certificates (docs/signer.md). */
const signer = z.strictObject({
  socket: path().optional(),
  address: z
    .string()
    .regex(/^\S+:\d{1,5}$/, "is no address with a port, such as 192.0.2.7:7443")
    .optional(),
  /** Of the signer's certificates, in DER; two while it changes. */
  fingerprints: z.array(hexSha256).default([]),
  cert_file: path().optional(),
  key_file: path().optional(),
});

/** A plain list is its repositories. */
const serviceSchema = z.union([
  z
    .array(repositoryName)
    .min(1)
    .transform((repositories) => ({ repositories, dependsOn: [] as string[] })),
  z
    .strictObject({ repositories: z.array(repositoryName).min(1), depends_on: z.array(z.string()).default([]) })
    .transform(({ repositories, depends_on: dependsOn }) => ({ repositories, dependsOn })),
]);

export const configSchema = z.strictObject({
  github,
  server: section({
    host: z.string().min(1).default("127.0.0.1"),
    port: portNumber(0).default(3000),
    max_body_mb: countKey(25),
    /** By default all senders. */
    allow_from: z.array(caller).min(1).optional(),
    trusted_proxies: z.int().min(0).max(10).default(0),
    /** Passkeys are bound to its host. */
    public_url: webAddress
      .refine(
        (text) => new URL(text).href === `${new URL(text).origin}/`,
        "is no origin, such as https://bot.example.com",
      )
      .optional(),
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
    // Counts like the label; issue forms can set it (`type: Incident`). Empty: none.
    type: z.string().max(100).default("Incident"),
    component_label: z.string().min(1).default("path:"),
    // `pillar: revive` puts `revive` before `troubleshoot`.
    pillar_label: z.string().min(1).default("pillar:"),
    // Prefix of the labels that show the state; empty: none. GitHub allows 50 characters.
    state_label: z.string().max(25).default("countersign: "),
    bots: z.array(z.int().positive()).default([]),
  }),
  commands: section({ prefixes: z.array(z.string().regex(/^[a-z][\w-]*$/i, "is not a word")).default(["ops"]) }),
  execution: section({ enabled: flag(true), stored_output_mb: countKey(16), at_once: countKey(8) }),
  model,
  system_prompt: section({
    identity: z.string().optional(),
    identity_file: path().optional(),
    custom_instructions_file: path().optional(),
  }),
  reinjection: section({ enabled: flag(true), turns: countKey(15) }),
  features: section({ context: flag(true), skills: flag(true), planning: flag(true), sub_agents: flag(true) }),
  context: section({
    filenames: z.array(z.string().min(1)).default(["AGENTS.md"]),
    extra_skill_dirs: names(),
    organization_repo: repositoryName.optional(),
    services: z.record(z.string().min(2), serviceSchema).default({}),
    infrastructure: z.array(repositoryName).default([]),
  }),
  agent: section({
    max_steps: countKey(20),
    max_actions_per_response: z.int().min(1).max(3).default(3),
    output_characters: z.int().min(200).max(50_000).default(5000),
    turns_per_person_per_hour: countKey(30),
  }),
  servers: z.record(serverName, serverSchema).default({}),
  sources: z.record(serverName, sourceSchema).default({}),
  patches: z.record(serverName, patchSchema).default({}),
  policy,
  alerts: section({ sources: alertSourcesSchema }),
  oncall: onCallSchema,
  schedules: section({ allowed: z.array(schedule).default([]) }),
  signer: signer.optional(),
  signing: signing.optional(),
  retention: section({ outputs: durationKey("14d"), audit: durationText.optional() }),
  audit: section({ signing_key_file: path().optional(), checkpoint_file: path().optional() }),
  logging: section({
    level: z.enum(["debug", "info", "warn", "error"]).default("info"),
    file: path().optional(),
    stdout: flag(true),
    payloads: flag(false),
    rotation: section({ max_days: countKey(30), max_size_mb: countKey(100) }),
  }),
});

export type ParsedFile = z.output<typeof configSchema>;
