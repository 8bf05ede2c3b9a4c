/** By which names an alert, an issue form and a runbook call the same thing, and what can be one. Data. */

export const valueKinds = {
  name: {
    pattern: /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,251}[A-Za-z0-9])?$/,
    words: "a name of letters, digits, dots, dashes and underscores",
  },
  host: {
    pattern: /^(?:[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?|[0-9A-Fa-f:]{2,39})$/,
    words: "a host's name or address",
  },
  number: { pattern: /^\d{1,15}(?:\.\d{1,9})?$/, words: "a number" },
  quantity: { pattern: /^\d{1,15}(?:\.\d{1,9})?(?:[A-Za-z]{1,3}|%)?$/, words: "a number with its unit" },
  path: { pattern: /^(?!.*\.\.)[A-Za-z0-9/._][A-Za-z0-9/._@%+:,-]{0,199}$/, words: "a path without spaces" },
  /** Of what no name is known. */
  word: {
    pattern: /^[A-Za-z0-9_](?:[A-Za-z0-9._-]{0,198}[A-Za-z0-9_])?$/,
    words: "one word: letters, digits and `.`, `_`, `-` within it",
  },
  /** Of what no name is known, and a person gives it: quoted for its place. */
  text: { pattern: /^.{1,200}$/su, words: "one line of text" },
} as const satisfies Readonly<Record<string, { readonly pattern: RegExp; readonly words: string }>>;
export type ValueKind = keyof typeof valueKinds;

/** What holds a secret; the name, the place or the age of one is none. */
const secretName =
  /pass(?:wor[dt]|wd|phrase|code)|secret|token|credential|kennwort|(?:api|access|private|signing|encryption|unseal|recovery|master|auth|license|account|storage|shared|ssh|root|webhook)_?keys?(?:_|$)|(?:^|_)(?:pass|pw|pwd|psk|pin|otp|creds?|bearer|jwt|cookie|dsn|auth|authorization|basic_auth|connection_string)(?:_|$)|pwd$/;
const besideSecret = /(?:name|file|path|dir|namespace|ttl|age|count|length)$/;

/** Whether a name (in small letters, with `_` between) means a secret: it is read on the server, and asked of nobody. */
export const isSecretName = (name: string): boolean => secretName.test(name) && !besideSecret.test(name);

/** What decides what is run: only a person gives it. */
const programName =
  /(?:^|_)(?:commands?|cmd|scripts?|actions?|verbs?|subcommand|flags?|options?|opts|arg|args|arguments?|program|binary|executable|exec|query|expression)(?:_|$)/;

export const isProgramName = (name: string): boolean => programName.test(name);

/** Whether a value that nobody here has written is plain enough for its kind. */
export function isPlainValue(value: string, kind: ValueKind): boolean {
  if (/[%@,+]|--|\.\./.test(value)) return false;
  return !value.includes(":") || kind === "host" || (kind === "path" && value.startsWith("/"));
}

interface SameThing {
  readonly kind: ValueKind;
  readonly names: readonly string[];
  /** The first of the names that has a value counts, whichever of them is asked for: a scraper's `job` is no Job of a cluster. */
  readonly inOrder?: boolean;
}

export const sameThings: readonly SameThing[] = [
  { kind: "name", names: ["namespace", "ns", "project", "kubernetes_namespace"] },
  { kind: "name", names: ["pod", "po", "podname", "kubernetes_pod_name"] },
  { kind: "name", names: ["container", "container_name", "kubernetes_container_name"] },
  {
    kind: "host",
    names: ["node", "nodename", "kubernetes_node", "host", "hostname", "server", "server_name", "machine", "instance"],
  },
  { kind: "name", names: ["deployment", "deploy"] },
  { kind: "name", names: ["statefulset", "sts"] },
  { kind: "name", names: ["daemonset", "ds"] },
  { kind: "name", names: ["replicaset", "rs"] },
  { kind: "name", names: ["job_name", "jobname", "job"], inOrder: true },
  { kind: "name", names: ["cronjob", "cj"] },
  { kind: "name", names: ["service", "svc"] },
  { kind: "name", names: ["ingress", "ing"] },
  { kind: "name", names: ["horizontalpodautoscaler", "hpa"] },
  { kind: "name", names: ["poddisruptionbudget", "pdb"] },
  { kind: "name", names: ["persistentvolumeclaim", "pvc"] },
  { kind: "name", names: ["persistentvolume", "pv"] },
  { kind: "name", names: ["storageclass", "sc"] },
  { kind: "name", names: ["configmap", "cm"] },
  { kind: "name", names: ["vm", "virtualmachine"] },
  { kind: "name", names: ["vmi", "virtualmachineinstance"] },
  { kind: "name", names: ["cluster"] },
  { kind: "name", names: ["name"] },
  { kind: "name", names: ["unit"] },
  { kind: "name", names: ["database", "db", "datname"] },
  { kind: "name", names: ["interface", "iface", "nic"] },
  { kind: "path", names: ["mountpoint", "mount", "mount_point"] },
  { kind: "path", names: ["path", "file", "filename", "directory", "dir", "folder"] },
  { kind: "path", names: ["device", "disk"] },
  { kind: "number", names: ["pid"] },
  { kind: "number", names: ["port"] },
  { kind: "number", names: ["replicas", "count"] },
  { kind: "quantity", names: ["size", "bytes", "duration", "seconds", "minutes"] },
];
