import type { Agent } from "node:https";
import type { Capture } from "../base/run.ts";
import type { Cluster, KubeContext } from "../base/server.ts";

export interface KubernetesOptions {
  readonly readContext: (cluster: Cluster) => KubeContext;
  readonly createCapture: () => { readonly push: (chunk: Uint8Array) => void; readonly finish: () => Capture };
  /** Maximum age of the last check when a command is sent, and of the proof of the identity when that check begins. */
  readonly freshMs: number;
  readonly kubectl?: string | undefined;
  readonly limits?: Partial<KubernetesLimits>;
}

export interface KubernetesLimits {
  /** For one answer to a command that does not wait. */
  readonly requestMs: number;
  readonly graceMs: number;
}

export const kubernetesLimits: KubernetesLimits = { requestMs: 60_000, graceMs: 5_000 };

/** Identifies a cluster, as host keys do for SSH. */
export const pinOf = ({ caSha256 }: Pick<Cluster, "caSha256">): string => `CA SHA256:${caSha256}`;

export interface KubernetesMeans extends KubernetesOptions {
  readonly limits: KubernetesLimits;
  readonly closing: AbortSignal;
  readonly agent: Agent;
  /** For kubectl's discovery, which without a cache costs as much as the command. */
  readonly cache: { folder?: string };
  /** By path and modification time. */
  readonly versions: Map<string, string>;
}
