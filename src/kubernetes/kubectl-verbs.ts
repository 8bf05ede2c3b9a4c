/** A verb and its flags, which a test compares with `kubectl VERB --help`. */
export interface KubectlVerb {
  readonly flags: FlagTable;
  readonly effect: "reads" | "changes";
  /** `none`: never has one. `kinds`: has one unless a kind is known to be the cluster's. */
  readonly namespace: "none" | "kinds";
  /** It may run up to the server's limit. */
  readonly waits?: true;
}

const print = "-o/--output= --show-managed-fields --allow-missing-template-keys";
const some = "-l/--selector= --field-selector= --all";
const dry = "--dry-run";
const read = { effect: "reads", namespace: "kinds" } as const;
const change = { effect: "changes", namespace: "kinds" } as const;

interface Flag {
  /** With dashes, long if possible: `--output`. */
  readonly name: string;
  /** How many following words it takes if there is no `=`. */
  readonly values: number;
}

export type FlagTable = ReadonlyMap<string, Flag>;

/** Reads a table of flags such as `-o/--output= -w/--watch --arg==`; each final `=` is a word that a flag takes. */
export function flagsOf(...lists: readonly string[]): FlagTable {
  const entries = lists.flatMap((list) =>
    list
      .split(" ")
      .filter((item) => item !== "")
      .flatMap((item): [string, Flag][] => {
        const spelled = item.replace(/=+$/, "");
        const names = spelled.split("/");
        const flag = { name: names.at(-1) ?? spelled, values: item.length - spelled.length };
        return names.map((name) => [name, flag]);
      }),
  );
  return new Map(entries);
}

interface GivenFlag {
  readonly name: string;
  /** Undefined if the flag takes no value and got none. */
  readonly value: string | undefined;
}

export type FlagReading =
  | { readonly ok: true; readonly given: readonly GivenFlag[]; readonly positionals: readonly string[] }
  | { readonly ok: false; readonly name: string; readonly why: "unknown" | "no-value" | "flag-as-value" };

/** `pflag`, kubectl's: `_` in a name is `-`, `-n=x` means `x`, `--` is refused. `getopt`, the filters': long names in full only. */
type Style = "pflag" | "getopt";

/** Separates flags from other words as the program does. Only flags of the table pass. Pure. */
export function readFlags(words: readonly string[], table: FlagTable, style: Style): FlagReading {
  const given: GivenFlag[] = [];
  const positionals: string[] = [];
  const left = [...words];
  const take = (flag: Flag, value: string | undefined): "no-value" | "flag-as-value" | undefined => {
    if (flag.values === 0 || value !== undefined) {
      given.push({ name: flag.name, value });
      return undefined;
    }
    const values = left.splice(0, flag.values);
    for (const one of values) given.push({ name: flag.name, value: one });
    if (values.length < flag.values) return "no-value";
    // kubectl takes it for a value, a reader for a flag.
    return style === "pflag" && values.some((one) => /^-[^\d]/.test(one)) ? "flag-as-value" : undefined;
  };
  for (let word = left.shift(); word !== undefined; word = left.shift()) {
    if (word === "--") {
      if (style === "pflag") return { ok: false, name: "--", why: "unknown" };
      positionals.push(...left.splice(0));
    } else if (word.startsWith("--")) {
      const [, written = "", value] = /^(--[^=]*)(?:=([\s\S]*))?$/.exec(word) ?? [];
      const name = style === "pflag" ? written.replaceAll("_", "-") : written;
      const flag = table.get(name);
      if (!flag) return { ok: false, name, why: "unknown" };
      const why = take(flag, value);
      if (why) return { ok: false, name, why };
    } else if (word.startsWith("-") && word !== "-") {
      for (let rest = word.slice(1); rest !== ""; ) {
        const name = `-${rest.charAt(0)}`;
        const flag = table.get(name);
        if (!flag) return { ok: false, name, why: "unknown" };
        rest = rest.slice(1);
        const hasValue = rest !== "" && (flag.values > 0 || (style === "pflag" && rest.startsWith("=")));
        const value = hasValue ? (style === "pflag" ? rest.replace(/^=/, "") : rest) : undefined;
        const why = take(flag, value);
        if (why) return { ok: false, name, why };
        if (hasValue) rest = "";
      }
    } else positionals.push(word);
  }
  return { ok: true, given, positionals };
}

/** The closed list of verbs. */
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

/** Synonyms of verbs and of the kinds of `top`. */
export const verbNames: ReadonlyMap<string, string> = new Map([
  ["top pods", "top pod"],
  ["top po", "top pod"],
  ["top nodes", "top node"],
  ["top no", "top node"],
  ["log", "logs"],
  ["event", "events"],
  ["create jobs", "create job"],
]);

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

/** Readable without a namespace, never changed. */
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

/** They grant rights, or stand for several kinds. */
export const neverChanged: ReadonlySet<string> = new Set("role roles rolebinding rolebindings all".split(" "));

/** Refused flags, in any position or form, by what they could do. */
const groups: readonly (readonly [flags: string, reason: string, remedy: string])[] = [
  [
    "--context --cluster --server -s --kubeconfig --user --tls-server-name",
    "could reach another cluster",
    "leave it out: the bot sets the cluster; to reach another one, name that server",
  ],
  [
    "--token --as --as-group --as-uid --as-user-extra --username --password --client-certificate --client-key --auth-provider",
    "could act as somebody else",
    "leave it out: the bot sets the identity",
  ],
  [
    "--certificate-authority --insecure-skip-tls-verify --insecure-skip-tls-verify-backend",
    "could talk to a cluster that is not verified",
    "leave it out",
  ],
  [
    "-f --filename -k --kustomize -R --recursive --patch-file --cache-dir --profile --profile-output --output-directory --log-file --log-dir --kuberc",
    "reads or writes files of the machine that runs kubectl",
    "name the objects in the command itself",
  ],
  ["--raw", "sends any request at all", "use `get`, `describe` or another verb"],
  ["--template", "runs a template", "use `-o jsonpath=…` or `-o json` with `jq`"],
  ["-v --v --vmodule", "prints requests with what authorizes them", "leave it out"],
  ["--request-timeout --match-server-version", "is set by the bot", "leave it out"],
  ["-i --interactive --stdin -t --tty", "waits for somebody at a keyboard", "leave it out"],
  ["--", "is followed by a program for a container", "leave it out, or use a verb that reads"],
];

export const refusedFlags: ReadonlyMap<string, { readonly reason: string; readonly remedy: string }> = new Map(
  groups.flatMap(([flags, reason, remedy]) => flags.split(" ").map((flag) => [flag, { reason, remedy }] as const)),
);

const shell = "runs programs in a container, which nothing here can judge";
const reads = "read with `logs`, `describe` or `get`; to run something inside, use a server with SSH";
const files = "reads a file or an editor on the machine that runs kubectl";
const named = "name the change: `patch`, `set image`, `set env`, `scale`, `label` or `annotate`";
const tunnel = "opens a way into the cluster that outlives the command";
const node = "changes a node, which belongs to no namespace";
const nodeWay = "do it by hand, or through a server with SSH that has kubectl";
const notKubectl = "is oc's own";

/** Known verbs that do not run here. */
export const refusedVerbs: Readonly<Record<string, readonly [reason: string, remedy: string]>> = {
  exec: [shell, reads],
  attach: [shell, reads],
  debug: [shell, reads],
  run: [shell, "use `create job NAME --from=cronjob/…` for a job that is there already"],
  cp: ["copies files into or out of a container", reads],
  "port-forward": [tunnel, reads],
  proxy: [tunnel, reads],
  edit: [files, named],
  apply: [files, named],
  replace: [files, named],
  diff: [files, "try the change with `--dry-run=server`"],
  kustomize: [files, named],
  convert: [files, named],
  create: ["makes new objects", "only `create job NAME --from=cronjob/…` runs here"],
  expose: ["makes new objects", named],
  certificate: ["grants access to the cluster", "do it by hand"],
  cordon: [node, nodeWay],
  uncordon: [node, nodeWay],
  drain: [node, nodeWay],
  taint: [node, nodeWay],
  config: ["reads or changes which cluster and identity are used", "the card shows them; leave it out"],
  plugin: ["runs plugins", "use a verb of kubectl itself"],
  alpha: ["is not settled", "use a verb of kubectl itself"],
  completion: ["is for shells", "leave it out"],
  options: ["is help", "leave it out"],
  kuberc: ["changes what kubectl does", "leave it out"],
  rsh: [`${notKubectl} and ${shell}`, reads],
  project: [`${notKubectl} and changes the namespace of later commands`, "write `-n NAMESPACE` in each command"],
  projects: [notKubectl, "write `kubectl get namespaces`"],
  adm: [notKubectl, "it goes through a server with SSH that has oc"],
  whoami: [notKubectl, "write `kubectl auth whoami`"],
  status: [notKubectl, "write `kubectl get all`"],
  login: [`${notKubectl} and changes the identity`, "leave it out"],
  process: [`${notKubectl} and ${files}`, named],
  image: [notKubectl, "it goes through a server with SSH that has oc"],
  "import-image": [notKubectl, "it goes through a server with SSH that has oc"],
  extract: [`${notKubectl} and writes files`, "read with `get -o json`"],
  rsync: [`${notKubectl} and copies files`, reads],
};
