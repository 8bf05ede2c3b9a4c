/** Flags that no command may have, by what they could do; each is refused in every position and form. */
const groups: readonly (readonly [flags: string, reason: string, remedy: string])[] = [
  [
    "--context --cluster --server -s --kubeconfig --user --tls-server-name",
    "could reach another cluster",
    "leave it out: the bot sets the cluster; to reach another, name another server",
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

/** The reason and the remedy for each refused flag. */
export const refusedFlags: ReadonlyMap<string, { readonly reason: string; readonly remedy: string }> = new Map(
  groups.flatMap(([flags, reason, remedy]) => flags.split(" ").map((flag) => [flag, { reason, remedy }] as const)),
);

const shell = "runs programs in a container, which nothing here can judge";
const reads = "read with `logs`, `describe` or `get`; what must run inside goes through a server with SSH";
const files = "reads a file or an editor on the machine that runs kubectl";
const named = "name the change: `patch`, `set image`, `set env`, `scale`, `label` or `annotate`";
const tunnel = "opens a way into the cluster that outlives the command";
const node = "changes a node, which belongs to no namespace";
const nodeWay = "do it by hand, or through a server with SSH that has kubectl";
const notKubectl = "is oc's own";

/** Verbs that are known and do not run here: why, and what to write instead. */
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
