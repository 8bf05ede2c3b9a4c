/** Objects as the API server keeps them; of most kinds it only knows that they are JSON. */

export interface KubeObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: Metadata;
  readonly [field: string]: unknown;
}

export interface Metadata {
  readonly name: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly creationTimestamp?: string;
  readonly generation?: number;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly ownerReferences?: readonly {
    readonly apiVersion: string;
    readonly kind: string;
    readonly name: string;
    readonly uid: string;
    readonly controller: boolean;
  }[];
}

interface Container {
  readonly name: string;
  readonly image: string;
  readonly resources?: { readonly limits?: { readonly memory?: string } };
}

export interface PodTemplate {
  readonly metadata: Pick<Metadata, "labels" | "annotations">;
  readonly spec: { readonly containers: readonly Container[] };
}

/** A deployment or one of its ReplicaSets. */
export interface Workload extends KubeObject {
  readonly spec: {
    readonly replicas: number;
    readonly selector: { readonly matchLabels: Readonly<Record<string, string>> };
    readonly template: PodTemplate;
    readonly paused?: boolean;
  };
  readonly status?: Readonly<Record<string, unknown>>;
}

export interface Pod extends KubeObject {
  readonly spec: PodTemplate["spec"];
  readonly status: {
    readonly phase: string;
    readonly podIP: string;
    readonly startTime: string;
    readonly containerStatuses: readonly {
      readonly name: string;
      readonly image: string;
      readonly imageID: string;
      readonly ready: boolean;
      readonly restartCount: number;
      readonly state: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
      readonly lastState?: { readonly terminated: Readonly<Record<string, unknown>> };
    }[];
  };
}

/** Reads `spec.replicas`, a way of keys with dots between them; undefined where there is nothing. */
export function at(object: unknown, way: string): unknown {
  let here = object;
  for (const key of way.split(".")) {
    if (typeof here !== "object" || here === null) return undefined;
    here = Reflect.get(here, key);
  }
  return here;
}
