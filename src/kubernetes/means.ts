import type { Agent } from "node:https";
import type { Capture } from "../base/run.ts";
import type { Cluster, KubeContext } from "../base/server.ts";

/** What the box is given, since the config and other boxes know it. */
export interface KubernetesOptions {
  /** Reads the server's context out of the operator's kubeconfig, as it is now. */
  readonly readContext: (cluster: Cluster) => KubeContext;
  readonly createCapture: () => { readonly push: (chunk: Uint8Array) => void; readonly finish: () => Capture };
  /** How old the last look may be when a command is sent, and the proof of cluster and identity when that look begins. */
  readonly freshMs: number;
  /** The kubectl to start; the one of the usual folders unless said otherwise. */
  readonly kubectl?: string | undefined;
  /** For tests: shorter times. */
  readonly limits?: Partial<KubernetesLimits>;
}

export interface KubernetesLimits {
  /** For one answer of the API server, for a command that does not wait. */
  readonly requestMs: number;
  /** From TERM to KILL. */
  readonly graceMs: number;
}

export const kubernetesLimits: KubernetesLimits = { requestMs: 60_000, graceMs: 5_000 };

/** The pin of a cluster, as SSH has host keys. */
export const pinOf = ({ caSha256 }: Pick<Cluster, "caSha256">): string => `CA SHA256:${caSha256}`;

/** What everything that is started needs. */
export interface KubernetesMeans extends KubernetesOptions {
  readonly limits: KubernetesLimits;
  readonly closing: AbortSignal;
  /** Keeps the connections over which the bot asks who it is. */
  readonly agent: Agent;
  /** Where kubectl caches what an API server serves; to ask again for each command costs as much as the command. Made when needed. */
  readonly cache: { folder?: string };
  /** Of each kubectl that was asked already, by its path and the time it was written. */
  readonly versions: Map<string, string>;
}
