import type { Risk } from "./risk.ts";

export type OperatingSystem = "linux" | "windows";
export type Shell = "bash" | "powershell" | "cmd";

/** A context of a Kubernetes cluster: commands go there through kubectl, without SSH. */
export interface Cluster {
  readonly context: string;
  /** Those that commands may name; `*` is any. */
  readonly namespaces: readonly string[];
  /** Absent: the pod's own service account. */
  readonly kubeconfigFile?: string | undefined;
  /** Whom the identity of the kubeconfig acts as. */
  readonly as?: string | undefined;
  readonly apiServer: string;
  /** SHA-256 of the certificate authority by which the API server is known, in hex. */
  readonly caSha256: string;
}

/** The machine of the runner itself: commands start there without SSH. */
export interface LocalMachine {
  readonly jobsFolder: string;
  /** The name of that folder (`machineOf`). */
  readonly machine: string;
}

/** What answers over HTTP in place of running commands: queries, which only read, or calls of an MCP server's tools. */
export interface Source {
  readonly kind: "prometheus" | "loki" | "mcp";
  /** Without a slash at its end, but of an MCP server as the operator wrote it. */
  readonly url: string;
  /** Holds a bearer token. */
  readonly tokenFile?: string;
  /** In PEM; the system's certificate authorities where it is left out. */
  readonly ca?: string;
  /** Whose data, where a Loki has several tenants. */
  readonly tenant?: string;
  readonly maxRangeMs: number;
  readonly maxSeries: number;
  readonly maxBytes: number;
  /** The risk of a command by its first word; any other word does not run there. */
  readonly levels: Readonly<Record<string, Risk>>;
  /** Of an MCP server: the SHA-256 of each tool as the operator listed it, by name (`hashOfTool`). */
  readonly tools?: Readonly<Record<string, string>>;
}

/** How the bot itself asks a cluster's API server; the login is that of the kubeconfig. */
export interface ClusterConnection {
  /** In PEM, as `cert` and `key`. */
  readonly ca: string;
  /** The name in the API server's certificate where it is not the one of the address. */
  readonly servername?: string;
  /** Then only kubectl knows the way. */
  readonly isProxied: boolean;
  readonly token?: string;
  readonly cert?: string;
  readonly key?: string;
}

/** What the one context of a kubeconfig holds that a server is. */
export interface ClusterAccess {
  readonly apiServer: string;
  /** Of the CA that the API server's certificate must have, in hex. */
  readonly caSha256: string;
  /** A kubeconfig with this context alone, which names no other file. */
  readonly kubeconfig: string;
  readonly connection: ClusterConnection;
  /** What must leave with no output: token and key. */
  readonly secrets: readonly string[];
}

export type KubeContext =
  | ({ readonly ok: true } & ClusterAccess)
  | { readonly ok: false; readonly message: string; readonly remedy: string };

/** A server of the operator's inventory, as the config file describes it (docs/configuration.md, `servers`). */
export interface Server {
  readonly name: string;
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly os: OperatingSystem | "auto";
  readonly groups: readonly string[];
  readonly description: string;
  readonly keyFile?: string | undefined;
  /** Holds the key file's passphrase; mode 0600. */
  readonly keyPassphraseFile?: string | undefined;
  /** Use the ssh-agent at SSH_AUTH_SOCK, or at `agentSocket`, instead of a key file. */
  readonly agent: boolean;
  readonly agentSocket?: string | undefined;
  readonly knownHostsFile?: string | readonly string[] | undefined;
  /** The name under which known_hosts files know the server, whatever its address and port. */
  readonly hostKeyAlias?: string | undefined;
  /** A pinned host key, `"ssh-ed25519 AAAA…"`; wins over the known_hosts file. */
  readonly hostKey?: string | undefined;
  readonly jump?: string | undefined;
  readonly tty: boolean;
  readonly backend: "ssh2" | "openssh";
  /** The ssh_config its address, user and keys were read from, and the name it has there. */
  readonly sshConfig?: { readonly file: string; readonly host: string } | undefined;
  readonly softTimeoutMs: number;
  readonly hardTimeoutMs: number;
  readonly maxRisk: Risk;
  readonly env?: string | undefined;
  readonly shell: Shell;
  readonly path: string;
  readonly protectedPaths: readonly string[];
  /** Undefined where the operator names none: then the usual databases are. */
  readonly criticalServices?: readonly string[] | undefined;
  /** Then `host` and `port` are those of its API server, and `user` is who the bot is there; nothing of SSH holds. */
  readonly cluster?: Cluster | undefined;
  /** Then `host` and `user` are the runner's own; nothing of keys and connections holds. */
  readonly local?: LocalMachine | undefined;
  /** Then `host` and `port` are those of its address; nothing of SSH holds. */
  readonly source?: Source | undefined;
}

/** What the model, and people who may not see more, learn of a server (PA-8): never address, user or key. */
export interface ServerSummary {
  readonly name: string;
  readonly os: OperatingSystem | "auto";
  readonly groups: readonly string[];
  readonly description: string;
}
