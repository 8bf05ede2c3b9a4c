import { type FlagTable, flagsOf } from "./flags.ts";

/** A verb that runs here, with all flags that it may have. `kubectl VERB --help` knows each of them (a test compares). */
export interface KubectlVerb {
  readonly flags: FlagTable;
  readonly effect: "reads" | "changes";
  /** `none`: it knows no namespace. `kinds`: only where none of its kinds is known to belong to the cluster. */
  readonly namespace: "none" | "kinds";
  /** It goes on as long as there is something to wait for. */
  readonly waits?: true;
}

const print = "-o/--output= --show-managed-fields --allow-missing-template-keys";
const some = "-l/--selector= --field-selector= --all";
const dry = "--dry-run";
const read = { effect: "reads", namespace: "kinds" } as const;
const change = { effect: "changes", namespace: "kinds" } as const;

/** The closed list; a verb with a second word is written with it. */
export const kubectlVerbs: Readonly<Record<string, KubectlVerb>> = {
  get: {
    ...read,
    flags: flagsOf(
      print,
      "-A/--all-namespaces -l/--selector= --field-selector= --chunk-size= --ignore-not-found -L/--label-columns= --no-headers",
      "--output-watch-events --server-print --show-kind --show-labels --sort-by= --subresource= -w/--watch --watch-only",
    ),
  },
  describe: { ...read, flags: flagsOf("-A/--all-namespaces -l/--selector= --chunk-size= --show-events") },
  logs: {
    ...read,
    flags: flagsOf(
      "--all-containers --all-pods -c/--container= -f/--follow --ignore-errors --limit-bytes= --max-log-requests=",
      "--pod-running-timeout= --prefix -p/--previous -l/--selector= --since= --since-time= --tail= --timestamps",
    ),
  },
  "top pod": {
    ...read,
    flags: flagsOf("-A/--all-namespaces --containers --field-selector= --no-headers -l/--selector= --sort-by= --sum"),
  },
  "top node": { ...read, namespace: "none", flags: flagsOf("--no-headers -l/--selector= --show-capacity --sort-by=") },
  events: {
    ...read,
    flags: flagsOf(print, "-A/--all-namespaces --chunk-size= --for= --no-headers --types= -w/--watch"),
  },
  explain: { ...read, namespace: "none", flags: flagsOf("--api-version= --recursive -o/--output=") },
  "api-resources": {
    ...read,
    namespace: "none",
    flags: flagsOf("--api-group= --categories= --namespaced --no-headers -o/--output= --sort-by= --verbs="),
  },
  "api-versions": { ...read, namespace: "none", flags: flagsOf("") },
  version: { ...read, namespace: "none", flags: flagsOf("-o/--output= --client") },
  "cluster-info": { ...read, namespace: "none", flags: flagsOf("") },
  "auth can-i": { ...read, flags: flagsOf("-A/--all-namespaces --list --no-headers -q/--quiet --subresource=") },
  "auth whoami": { ...read, namespace: "none", flags: flagsOf(print) },
  wait: { ...read, waits: true, flags: flagsOf(print, some, "--for= --timeout=") },
  "rollout status": { ...read, waits: true, flags: flagsOf("--revision= -l/--selector= --timeout= -w/--watch") },
  "rollout history": { ...read, flags: flagsOf(print, "--revision= -l/--selector=") },
  "rollout restart": { ...change, flags: flagsOf(print, "-l/--selector=") },
  "rollout undo": { ...change, flags: flagsOf(print, dry, "-l/--selector= --to-revision=") },
  "rollout pause": { ...change, flags: flagsOf(print, "-l/--selector=") },
  "rollout resume": { ...change, flags: flagsOf(print, "-l/--selector=") },
  scale: {
    ...change,
    flags: flagsOf(print, dry, "--all --current-replicas= --replicas= --resource-version= -l/--selector= --timeout="),
  },
  autoscale: { ...change, flags: flagsOf(print, dry, "--cpu-percent= --max= --min= --name=") },
  delete: {
    ...change,
    waits: true,
    flags: flagsOf(
      dry,
      some,
      "-o/--output= --cascade --force --grace-period= --ignore-not-found --now --timeout= --wait",
    ),
  },
  patch: { ...change, flags: flagsOf(print, dry, "-p/--patch= --type= --subresource=") },
  "set image": { ...change, flags: flagsOf(print, dry, "--all -l/--selector=") },
  "set resources": {
    ...change,
    flags: flagsOf(print, dry, "--all -c/--containers= --limits= --requests= -l/--selector="),
  },
  "set env": { ...change, flags: flagsOf(print, dry, "--all -c/--containers= -e/--env= --overwrite -l/--selector=") },
  label: { ...change, flags: flagsOf(print, dry, some, "--list --overwrite --resource-version=") },
  annotate: { ...change, flags: flagsOf(print, dry, some, "--list --overwrite --resource-version=") },
  "create job": { ...change, flags: flagsOf(print, dry, "--from=") },
};

/** Other names that kubectl knows its verbs by, and kinds that `top` takes. */
export const verbNames: ReadonlyMap<string, string> = new Map([
  ["top pods", "top pod"],
  ["top po", "top pod"],
  ["top nodes", "top node"],
  ["top no", "top node"],
  ["log", "logs"],
  ["event", "events"],
  ["create jobs", "create job"],
]);

/** Kinds of a namespace that may be changed. */
export const namespacedKinds: ReadonlySet<string> = new Set(
  (
    "po pod pods deploy deployment deployments deployments.apps deployment.apps ds daemonset daemonsets daemonset.apps " +
    "daemonsets.apps sts statefulset statefulsets statefulset.apps statefulsets.apps rs replicaset replicasets " +
    "rc replicationcontroller replicationcontrollers job jobs job.batch jobs.batch cj cronjob cronjobs cronjob.batch " +
    "cronjobs.batch svc service services ep endpoints cm configmap configmaps secret secrets pvc persistentvolumeclaim " +
    "persistentvolumeclaims hpa horizontalpodautoscaler horizontalpodautoscalers pdb poddisruptionbudget " +
    "poddisruptionbudgets ing ingress ingresses netpol networkpolicy networkpolicies sa serviceaccount serviceaccounts " +
    "quota resourcequota resourcequotas limits limitrange limitranges lease leases ev event events"
  ).split(" "),
);

/** Kinds of the whole cluster: they are read without a namespace, as far as the identity may, and never changed. */
export const clusterKinds: ReadonlySet<string> = new Set(
  (
    "no node nodes ns namespace namespaces pv persistentvolume persistentvolumes sc storageclass storageclasses crd crds " +
    "customresourcedefinition customresourcedefinitions clusterrole clusterroles clusterrolebinding clusterrolebindings " +
    "pc priorityclass priorityclasses csr certificatesigningrequest certificatesigningrequests apiservice apiservices " +
    "validatingwebhookconfiguration validatingwebhookconfigurations mutatingwebhookconfiguration " +
    "mutatingwebhookconfigurations volumeattachment volumeattachments csinode csinodes csidriver csidrivers ingressclass " +
    "ingressclasses runtimeclass runtimeclasses cs componentstatus componentstatuses co clusteroperator clusteroperators " +
    "clusterversion clusterversions mc machineconfig machineconfigs mcp machineconfigpool machineconfigpools " +
    "storageprofile storageprofiles kubecontrollermanager kubecontrollermanagers kubescheduler kubeschedulers " +
    "kubeapiserver kubeapiservers containerruntimeconfig containerruntimeconfigs kubeletconfig kubeletconfigs"
  ).split(" "),
);

/** Kinds that a namespace has and that grant rights, and names for several kinds at once. */
export const neverChanged: ReadonlySet<string> = new Set("role roles rolebinding rolebindings all".split(" "));
