import { at, type KubeObject } from "./object.ts";

/** A kind as discovery and tables show it. */
export interface ApiKind {
  /** `v1`, `apps/v1`. */
  readonly apiVersion: string;
  readonly kind: string;
  readonly plural: string;
  readonly shortNames: readonly string[];
  readonly isNamespaced: boolean;
  readonly hasScale?: true;
  /** Beside Name and Age. */
  readonly columns: Readonly<Record<string, (object: KubeObject) => string | number>>;
}

const text = (way: string) => (object: KubeObject) => String(at(object, way) ?? "<none>");
const count = (way: string) => (object: KubeObject) => Number(at(object, way) ?? 0);

interface ContainerStatus {
  readonly ready: boolean;
  readonly restartCount: number;
  readonly state: { readonly waiting?: { readonly reason: string } };
}
const containers = (pod: KubeObject) => (at(pod, "status.containerStatuses") ?? []) as readonly ContainerStatus[];

const kind = (
  apiVersion: string,
  name: string,
  shortNames: string,
  columns: ApiKind["columns"] = {},
  more: Partial<ApiKind> = {},
): ApiKind => ({
  apiVersion,
  kind: name,
  plural: `${name.toLowerCase()}s`,
  shortNames: shortNames === "" ? [] : shortNames.split(" "),
  isNamespaced: true,
  columns,
  ...more,
});

/** What the cluster knows. */
export const apiKinds: readonly ApiKind[] = [
  kind("v1", "Pod", "po", {
    Ready: (pod) => `${containers(pod).filter(({ ready }) => ready).length}/${containers(pod).length}`,
    Status: (pod) => containers(pod)[0]?.state.waiting?.reason ?? text("status.phase")(pod),
    Restarts: (pod) => containers(pod)[0]?.restartCount ?? 0,
  }),
  kind("v1", "Event", "ev", {
    Type: text("type"),
    Reason: text("reason"),
    Object: (event) => `${text("involvedObject.kind")(event).toLowerCase()}/${text("involvedObject.name")(event)}`,
    Message: text("message"),
  }),
  kind("v1", "Service", "svc", { Type: text("spec.type"), "Cluster-IP": text("spec.clusterIP") }),
  kind("v1", "ConfigMap", "cm", { Data: (map) => Object.keys(at(map, "data") ?? {}).length }),
  kind("v1", "Namespace", "ns", { Status: text("status.phase") }, { isNamespaced: false }),
  kind("v1", "Node", "no", { Version: text("status.nodeInfo.kubeletVersion") }, { isNamespaced: false }),
  kind(
    "apps/v1",
    "Deployment",
    "deploy",
    {
      Ready: (deployment) => `${count("status.readyReplicas")(deployment)}/${count("spec.replicas")(deployment)}`,
      "Up-to-date": count("status.updatedReplicas"),
      Available: count("status.availableReplicas"),
    },
    { hasScale: true },
  ),
  kind(
    "apps/v1",
    "ReplicaSet",
    "rs",
    { Desired: count("spec.replicas"), Ready: count("status.readyReplicas") },
    { hasScale: true },
  ),
  kind("kubevirt.io/v1", "VirtualMachine", "vm vms"),
  kind("machineconfiguration.openshift.io/v1", "MachineConfig", "mc", {}, { isNamespaced: false }),
  kind("rbac.authorization.k8s.io/v1", "RoleBinding", ""),
];

const own = [
  { apiVersion: "authentication.k8s.io/v1", kind: "SelfSubjectReview" },
  { apiVersion: "authorization.k8s.io/v1", kind: "SelfSubjectAccessReview" },
  { apiVersion: "authorization.k8s.io/v1", kind: "SelfSubjectRulesReview" },
] as const;

/** What discovery answers at a path; undefined where the path is none of its own. */
export function discoveryAt(path: string): object | undefined {
  const versions = [...new Set([...apiKinds, ...own].map(({ apiVersion }) => apiVersion))];
  if (path === "/version")
    return {
      major: "1",
      minor: "32",
      gitVersion: "v1.32.4",
      gitCommit: "0",
      gitTreeState: "clean",
      buildDate: "2025-04-22T16:03:58Z",
      goVersion: "go1.23.6",
      compiler: "gc",
      platform: "linux/amd64",
    };
  if (path === "/api") return { kind: "APIVersions", versions: ["v1"], serverAddressByClientCIDRs: [] };
  if (path === "/apis")
    return {
      kind: "APIGroupList",
      apiVersion: "v1",
      groups: versions.flatMap((groupVersion) => {
        const [name = "", version] = groupVersion.split("/");
        const preferred = { groupVersion, version };
        return version === undefined ? [] : [{ name, versions: [preferred], preferredVersion: preferred }];
      }),
    };
  const groupVersion = versions.find((one) => path === (one.includes("/") ? `/apis/${one}` : `/api/${one}`));
  if (groupVersion === undefined) return undefined;
  const resources = [
    ...apiKinds.filter(({ apiVersion }) => apiVersion === groupVersion).flatMap(resourcesOf),
    ...own
      .filter(({ apiVersion }) => apiVersion === groupVersion)
      .map(({ kind: name }) => resource(`${name.toLowerCase()}s`, name, { namespaced: false, verbs: ["create"] })),
  ];
  return { kind: "APIResourceList", apiVersion: "v1", groupVersion, resources };
}

const resource = (name: string, kindName: string, given: object) => ({
  name,
  singularName: name.includes("/") ? "" : kindName.toLowerCase(),
  kind: kindName,
  ...given,
});

const resourcesOf = ({ plural, kind: name, shortNames, isNamespaced: namespaced, hasScale }: ApiKind) => [
  resource(plural, name, {
    namespaced,
    verbs: ["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"],
    ...(shortNames.length === 0 ? {} : { shortNames }),
  }),
  ...(hasScale
    ? [
        resource(`${plural}/scale`, "Scale", {
          namespaced,
          group: "autoscaling",
          version: "v1",
          verbs: ["get", "patch", "update"],
        }),
      ]
    : []),
  ...(name === "Pod" ? [resource("pods/log", "Pod", { namespaced, verbs: ["get"] })] : []),
];

/** A list or an object as kubectl prints it (`Accept: …;as=Table`). */
export function tableOf({ columns }: ApiKind, objects: readonly KubeObject[], resourceVersion: string) {
  const names = ["Name", ...Object.keys(columns), "Age"];
  return {
    kind: "Table",
    apiVersion: "meta.k8s.io/v1",
    metadata: { resourceVersion },
    columnDefinitions: names.map((name) => ({
      name,
      type: "string",
      format: name === "Name" ? "name" : "",
      description: "",
      priority: 0,
    })),
    rows: objects.map((object) => ({
      cells: [object.metadata.name, ...Object.values(columns).map((cell) => cell(object)), ageOf(object)],
      object: { kind: "PartialObjectMetadata", apiVersion: "meta.k8s.io/v1", metadata: object.metadata },
    })),
  };
}

function ageOf({ metadata: { creationTimestamp = "" } }: KubeObject): string {
  const seconds = Math.max(0, Math.round((Date.now() - Date.parse(creationTimestamp)) / 1000));
  return seconds < 120
    ? `${seconds}s`
    : seconds < 7_200
      ? `${Math.floor(seconds / 60)}m`
      : `${Math.floor(seconds / 3_600)}h`;
}
