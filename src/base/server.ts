import type { Risk } from "./risk.ts";

export type OperatingSystem = "linux" | "windows";
export const allShells = ["bash", "powershell", "cmd"] as const;
export type Shell = (typeof allShells)[number];

/** Reached through kubectl. */
export interface Cluster {
  readonly context: string;
  /** `*` is any. */
  readonly namespaces: readonly string[];
  /** By default the pod's own service account. */
  readonly kubeconfigFile?: string | undefined;
  readonly as?: string | undefined;
  readonly apiServer: string;
  /** In hex, of the CA of the API server. */
  readonly caSha256: string;
}

/** The runner's own machine. */
export interface LocalMachine {
  readonly jobsFolder: string;
  /** See `machineOf`. */
  readonly machine: string;
}

/** Answers queries, or an MCP server's tool calls, over HTTP. */
export interface Source {
  readonly kind: "prometheus" | "loki" | "mcp";
  /** No slash at the end, unless MCP. */
  readonly url: string;
  readonly tokenFile?: string;
  /** In PEM; by default the system's. */
  readonly ca?: string;
  readonly tenant?: string;
  readonly maxRangeMs: number;
  readonly maxSeries: number;
  readonly maxBytes: number;
  /** By first word; other commands do not run. */
  readonly levels: Readonly<Record<string, Risk>>;
  /** MCP: SHA-256 by tool (`hashOfTool`). */
  readonly tools?: Readonly<Record<string, string>>;
}

/** A repository to which patches are proposed as draft pull requests. */
export interface PatchPlace {
  /** `owner/name` */
  readonly repository: string;
  /** Globs of the files that a patch may change. */
  readonly paths: readonly string[];
  /** The branch that pull requests are for. */
  readonly base: string;
}

export interface ClusterConnection {
  /** In PEM, as `cert` and `key`. */
  readonly ca: string;
  /** The certificate's name, if it differs from the address. */
  readonly servername?: string;
  /** Only kubectl can use the proxy. */
  readonly isProxied: boolean;
  readonly token?: string;
  readonly cert?: string;
  readonly key?: string;
}

export interface ClusterAccess {
  readonly apiServer: string;
  /** In hex, of the API server's CA. */
  readonly caSha256: string;
  /** Only this context; names no file. */
  readonly kubeconfig: string;
  readonly connection: ClusterConnection;
  /** No output may contain them. */
  readonly secrets: readonly string[];
}

export type KubeContext =
  | ({ readonly ok: true } & ClusterAccess)
  | { readonly ok: false; readonly message: string; readonly remedy: string };

/** See docs/configuration.md, `servers`. */
export interface Server {
  readonly name: string;
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly os: OperatingSystem | "auto";
  readonly groups: readonly string[];
  readonly description: string;
  readonly keyFile?: string | undefined;
  /** Mode 0600. */
  readonly keyPassphraseFile?: string | undefined;
  /** Uses the ssh-agent at `agentSocket` or SSH_AUTH_SOCK. */
  readonly agent: boolean;
  readonly agentSocket?: string | undefined;
  readonly knownHostsFile?: string | readonly string[] | undefined;
  /** In known_hosts, instead of address and port. */
  readonly hostKeyAlias?: string | undefined;
  /** `"ssh-ed25519 AAAA…"`; wins over known_hosts. */
  readonly hostKey?: string | undefined;
  readonly jump?: string | undefined;
  readonly tty: boolean;
  readonly backend: "ssh2" | "openssh";
  /** Each command needs a certificate of `countersign signer` for its exact bytes. */
  readonly signer?: boolean | undefined;
  readonly sshConfig?: { readonly file: string; readonly host: string } | undefined;
  readonly softTimeoutMs: number;
  readonly hardTimeoutMs: number;
  readonly maxRisk: Risk;
  readonly env?: string | undefined;
  readonly shell: Shell;
  readonly path: string;
  readonly protectedPaths: readonly string[];
  /** By default the usual databases. */
  readonly criticalServices?: readonly string[] | undefined;
  /** Then `host` and `port` are the API server's and `user` the bot's identity there; SSH settings do not apply. */
  readonly cluster?: Cluster | undefined;
  /** Then `host` and `user` are the runner's. */
  readonly local?: LocalMachine | undefined;
  /** Then `host` and `port` are its address. */
  readonly source?: Source | undefined;
  /** Then `host` and `port` are those of GitHub's API, and `user` is empty. */
  readonly patches?: PatchPlace | undefined;
}

/** What the model and all people may see (PA-8). */
export interface ServerSummary {
  readonly name: string;
  readonly os: OperatingSystem | "auto";
  readonly groups: readonly string[];
  readonly description: string;
  /** Absent for a machine. */
  readonly is?: "cluster" | "patches" | Source["kind"] | undefined;
}
