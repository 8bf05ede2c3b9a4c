import type { Risk } from "./risk.ts";

export type OperatingSystem = "linux" | "windows";
export type Shell = "bash" | "powershell" | "cmd";

/** A context of a Kubernetes cluster: commands go there through kubectl, without SSH. */
export interface Cluster {
  readonly context: string;
  /** The namespaces that commands may name; `*` is any. */
  readonly namespaces: readonly string[];
  /** If missing, the pod's own service account logs in. */
  readonly kubeconfigFile?: string | undefined;
  /** The user that the identity of the kubeconfig impersonates. */
  readonly as?: string | undefined;
  readonly apiServer: string;
  /** SHA-256, in hex, of the certificate authority that proves the API server. */
  readonly caSha256: string;
}

/** The machine of the runner itself: commands start there without SSH. */
export interface LocalMachine {
  readonly jobsFolder: string;
  /** The name of that folder (`machineOf`). */
  readonly machine: string;
}

/** A server that answers over HTTP instead of running commands: queries, which only read, or calls of an MCP server's tools. */
export interface Source {
  readonly kind: "prometheus" | "loki" | "mcp";
  /** Without a slash at its end; for an MCP server as the operator wrote it. */
  readonly url: string;
  /** A file with a bearer token. */
  readonly tokenFile?: string;
  /** In PEM; by default the system's certificate authorities. */
  readonly ca?: string;
  /** The tenant, if a server has several. */
  readonly tenant?: string;
  readonly maxRangeMs: number;
  readonly maxSeries: number;
  readonly maxBytes: number;
  /** The risk of a command by its first word; a command with another word does not run there. */
  readonly levels: Readonly<Record<string, Risk>>;
  /** For an MCP server: the operator's SHA-256 of each tool (`hashOfTool`). */
  readonly tools?: Readonly<Record<string, string>>;
}

/** The bot's own connection to a cluster's API server, with the login of the kubeconfig. */
export interface ClusterConnection {
  /** In PEM, as `cert` and `key`. */
  readonly ca: string;
  /** The name in the API server's certificate, if it is not the one of the address. */
  readonly servername?: string;
  /** Only kubectl can use the proxy. */
  readonly isProxied: boolean;
  readonly token?: string;
  readonly cert?: string;
  readonly key?: string;
}

/** One context of a kubeconfig, or why it cannot be used. */
export interface ClusterAccess {
  readonly apiServer: string;
  /** SHA-256, in hex, of the CA that must have signed the API server's certificate. */
  readonly caSha256: string;
  /** A kubeconfig with this context alone, which names no other file. */
  readonly kubeconfig: string;
  readonly connection: ClusterConnection;
  /** Token and key, which no output may contain. */
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
  /** The file with the key file's passphrase; mode 0600. */
  readonly keyPassphraseFile?: string | undefined;
  /** Use the ssh-agent at SSH_AUTH_SOCK, or at `agentSocket`, instead of a key file. */
  readonly agent: boolean;
  readonly agentSocket?: string | undefined;
  readonly knownHostsFile?: string | readonly string[] | undefined;
  /** The name of the server in known_hosts files, instead of address and port. */
  readonly hostKeyAlias?: string | undefined;
  /** A pinned host key, `"ssh-ed25519 AAAA…"`; wins over the known_hosts file. */
  readonly hostKey?: string | undefined;
  readonly jump?: string | undefined;
  readonly tty: boolean;
  readonly backend: "ssh2" | "openssh";
  /** The ssh_config with its address, user and keys, and its name there. */
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
  /** If present, `host` and `port` are those of its API server, `user` is the bot's identity there, and no SSH setting applies. */
  readonly cluster?: Cluster | undefined;
  /** If present, `host` and `user` are the runner's own, and no key or connection applies. */
  readonly local?: LocalMachine | undefined;
  /** If present, `host` and `port` are those of its address, and no SSH setting applies. */
  readonly source?: Source | undefined;
}

/** The part of a server that the model and all people may see (PA-8): never address, user or key. */
export interface ServerSummary {
  readonly name: string;
  readonly os: OperatingSystem | "auto";
  readonly groups: readonly string[];
  readonly description: string;
}
