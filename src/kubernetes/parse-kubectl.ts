import { type Refusal, refuse } from "../base/errors.ts";
import { splitPipeline } from "../base/words.ts";
import {
  clusterKinds,
  type FlagReading,
  type FlagTable,
  flagsOf,
  type KubectlVerb,
  kubectlVerbs,
  namespacedKinds,
  neverChanged,
  readFlags,
  refusedFlags,
  refusedVerbs,
  verbNames,
} from "./kubectl-verbs.ts";
import { isPair, objectsOf } from "./settle.ts";

/** What a command line runs, as an approval binds it. */
export interface KubectlPlan {
  /** Without the words that the runner sets. */
  readonly kubectl: readonly string[];
  readonly filters: readonly (readonly string[])[];
  /** A dry run only reads. */
  readonly effect: KubectlVerb["effect"];
  readonly namespace?: string;
  readonly waits: boolean;
  /** The read that shows if a change took effect after its answer was lost. */
  readonly settledBy?: string;
  /** Kinds only the API server knows: nothing is sent unless they are namespaced. */
  readonly unproven?: readonly string[];
}

type KubectlParsing = { readonly ok: true; readonly plan: KubectlPlan } | Refusal;

const anyNamespace = "*";

const namespaceFlags = flagsOf("-n/--namespace=");

/**
 * Turns a command line into a plan, or refuses it with what to write instead. No listed verb or flag reaches another cluster, identity or
 * namespace, a file or a shell. kubectl gets words rebuilt from what was understood, so it cannot read them in another way. Pure.
 */
export function parseKubectl(command: string, namespaces: readonly string[]): KubectlParsing {
  const split = splitPipeline(command);
  if (!split.ok) return split;
  const [first = [], ...filters] = split.stages;
  const [program = "", ...words] = first;
  if (program !== "kubectl" && program !== "oc")
    return refuse(`\`${program}\` does not run here: this server is a cluster`, "begin the line with `kubectl`");
  for (const filter of filters) {
    const refused = filterRefusal(filter);
    if (refused) return refused;
  }
  const found = findVerb(words);
  if (!found.ok) return found;
  const { name, verb, rest, before } = found;
  const read = readFlags([...before, ...rest], new Map([...namespaceFlags, ...verb.flags]), "pflag");
  if (!read.ok) return flagRefusal(read, name, verb.flags);
  const kinds = kindsNamed(name, read.positionals);
  const problem =
    checkOnce(read.given) ??
    checkOutput(read.given) ??
    checkWords(name, read.positionals) ??
    checkSubresource(verb.effect, read.given) ??
    checkCreate(name, read.given) ??
    checkKinds(verb.effect, kinds);
  if (problem) return problem;
  const placed = placeIn({ name, verb, given: read.given, kinds }, namespaces);
  if (!placed.ok) return placed;
  const { namespace } = placed;
  const flags = read.given.filter((flag) => flag.name !== "--namespace");
  const own = flags.map(({ name: flag, value }) => (value === undefined ? flag : `${flag}=${value}`));
  const follows = flags.some(({ name: flag }) => ["--follow", "--watch", "--watch-only"].includes(flag));
  const at = namespace === undefined ? [] : [`--namespace=${namespace}`];
  // `checkOnce` refuses dry runs that may change something.
  const effect = flags.some((flag) => flag.name === "--dry-run") ? "reads" : verb.effect;
  const plan = { kubectl: [...name.split(" "), ...at, ...own, ...read.positionals], filters, effect };
  const unproven = verb.effect === "changes" ? kinds.filter((kind) => !namespacedKinds.has(kind)) : [];
  const settledBy = effect === "changes" ? settlingRead({ name, positionals: read.positionals, flags }) : undefined;
  return {
    ok: true,
    plan: {
      ...plan,
      waits: verb.waits === true || follows,
      ...(namespace === undefined ? {} : { namespace }),
      ...(settledBy === undefined ? {} : { settledBy: [settledBy, ...at].join(" ") }),
      ...(unproven.length === 0 ? {} : { unproven }),
    },
  };
}

/** The kinds a command names: before each `/`, else in the first word. */
function kindsNamed(name: string, positionals: readonly string[]): readonly string[] {
  if (name === "create job") return ["job"];
  const words = objectsOf(name, positionals);
  const kinds = words.some((word) => word.includes("/"))
    ? words.map((word) => word.split("/")[0] ?? "")
    : (words[0] ?? "").split(",");
  return kinds.map((kind) => kind.toLowerCase());
}

/**
 * Finds the first unchangeable kind by `kubectl api-resources --no-headers`. All resources of its name, in any group, must be custom and
 * namespaced, because kubectl chooses among them. Pure.
 */
export function firstNotOfNamespace(kinds: readonly string[], apiResources: string): string | undefined {
  const resources = apiResources.split("\n").map((line) => {
    const [kind = "", isNamespaced, apiVersion = "", ...names] = line.trim().split(/\s+/).toReversed();
    const group = apiVersion.split("/").toReversed()[1] ?? "";
    return {
      // Kubernetes' own groups have no dot, or end so: their kinds are in our tables, or grant rights.
      isFit: isNamespaced === "true" && group.includes(".") && !group.endsWith(".k8s.io"),
      names: [kind.toLowerCase(), ...names.flatMap((name) => name.split(","))],
    };
  });
  return kinds.find((kind) => {
    const meant = resources.filter(({ names }) => names.includes(kind.split(".")[0] ?? ""));
    return meant.length === 0 || meant.some(({ isFit }) => !isFit);
  });
}

interface KubectlChange {
  readonly name: string;
  readonly positionals: readonly string[];
  readonly flags: readonly { readonly name: string; readonly value: string | undefined }[];
}

const rollouts = /^(?:deploy|deployment|deployments|ds|daemonset|daemonsets|sts|statefulset|statefulsets)(?:\.apps)?$/i;

/** The read that shows if a change took effect, without its namespace. Pure. */
function settlingRead({ name, positionals, flags }: KubectlChange): string {
  if (name === "create job") return `kubectl get job ${positionals[0] ?? ""}`;
  const objects = objectsOf(name, positionals);
  const [kind = "", object = ""] = (objects.find((word) => word.includes("/")) ?? objects.join("/")).split("/");
  const selector = flags.find((flag) => flag.name === "--selector");
  const isOne = object !== "" && objects.length <= 2 && !selector;
  if (/^(?:rollout|set|patch)/.test(name) && isOne && rollouts.test(kind))
    return `kubectl rollout status ${kind}/${object}`;
  const chosen = selector === undefined ? "" : ` --selector='${selector.value}'`;
  return `kubectl get ${objects.join(" ")}${chosen}${name === "delete" ? "" : " -o yaml"}`;
}

type FoundVerb =
  | {
      readonly ok: true;
      readonly name: string;
      readonly verb: KubectlVerb;
      readonly before: readonly string[];
      readonly rest: readonly string[];
    }
  | Refusal;

function findVerb(words: readonly string[]): FoundVerb {
  let at = 0;
  while (words[at]?.startsWith("-")) {
    const word = words[at] ?? "";
    // The value follows; `readFlags` reports a missing one.
    const taken = /^(-n|--namespace)$/.test(word) ? words.slice(at, at + 2) : [word];
    const read = readFlags(taken, namespaceFlags, "pflag");
    if (!read.ok) return flagRefusal(read, "before its verb", namespaceFlags);
    at += taken.length;
  }
  const before = words.slice(0, at);
  // `oc adm top` is kubectl's `top`.
  if (words[at] === "adm" && words[at + 1] === "top") at++;
  const [first = "", second = ""] = words.slice(at);
  if (Object.hasOwn(refusedVerbs, first) && !(first === "create" && second === "job")) {
    const [reason, remedy] = refusedVerbs[first] ?? ["", ""];
    return refuse(`\`kubectl ${first}\` ${reason}`, remedy);
  }
  for (const [count, written] of [
    [2, `${first} ${second}`],
    [1, first],
  ] as const) {
    const name = verbNames.get(written) ?? written;
    const verb = Object.hasOwn(kubectlVerbs, name) ? kubectlVerbs[name] : undefined;
    if (verb) return { ok: true, name, verb, before, rest: words.slice(at + count) };
  }
  const family = Object.keys(kubectlVerbs).filter((name) => name.startsWith(`${first} `));
  if (first !== "" && family.length > 0)
    return refuse(`\`kubectl ${first}\` needs another second word`, `write one of: ${family.join(", ")}`);
  const known = [...new Set(Object.keys(kubectlVerbs).map((name) => name.split(" ")[0]))];
  return refuse(`\`kubectl ${first}\` is not known here; plugins do not run`, `use one of: ${known.join(", ")}`);
}

function flagRefusal({ name, why }: Extract<FlagReading, { ok: false }>, verb: string, table: FlagTable): Refusal {
  if (why === "no-value") return refuse(`\`${name}\` lacks its value`, "write it behind the flag");
  if (why === "flag-as-value")
    return refuse(
      `behind \`${name}\` stands another flag, which would be its value`,
      "write its value behind the flag",
    );
  const refused = refusedFlags.get(name);
  if (refused) return refuse(`\`${name}\` ${refused.reason}`, refused.remedy);
  const known = [...new Set([...table.values()].map((flag) => flag.name))].join(" ");
  return refuse(
    `\`${name}\` is not known for \`kubectl ${verb}\``,
    known === "" ? "leave it out" : `use only ${known}`,
  );
}

type GivenFlags = Extract<FlagReading, { ok: true }>["given"];

const repeatable = ["--env", "--label-columns", "--namespace"];

/** kubectl takes the last of two values; a person or the policy could read the first. */
function checkOnce(given: GivenFlags): Refusal | undefined {
  const names = given.map(({ name }) => name).filter((name) => !repeatable.includes(name));
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) return refuse(`${twice} is there twice`, "write it once");
  const dryRun = given.find(({ name }) => name === "--dry-run");
  if (dryRun && !["server", "client"].includes(dryRun.value ?? ""))
    return refuse("--dry-run without `server` or `client` may change something", "write `--dry-run=server`");
  return undefined;
}

const plainOutputs =
  /^(?:wide|yaml|json|name|plaintext(?:-openapiv2)?|(?:jsonpath|jsonpath-as-json|custom-columns)=[\s\S]+)$/;

function checkOutput(given: GivenFlags): Refusal | undefined {
  const bad = given.find(({ name, value }) => name === "--output" && !plainOutputs.test(value ?? ""));
  if (!bad) return undefined;
  const kind = (bad.value ?? "").split("=")[0];
  return refuse(
    `\`-o ${kind}\` runs a template or reads a file`,
    "use `-o wide`, `yaml`, `json`, `name`, `jsonpath=…` or `custom-columns=…`",
  );
}

/** Not `ephemeralcontainers`, which starts a program in a pod as `debug` does. */
const changedParts = ["status", "scale", "resize"];

function checkSubresource(effect: KubectlVerb["effect"], given: GivenFlags): Refusal | undefined {
  const part = given.find((flag) => flag.name === "--subresource")?.value;
  if (effect !== "changes" || part === undefined || changedParts.includes(part)) return undefined;
  const [reason, remedy] = refusedVerbs.debug ?? ["", ""];
  return part === "ephemeralcontainers"
    ? refuse(`\`--subresource=${part}\` ${reason}`, remedy)
    : refuse(`the subresource \`${part}\` is not changed here`, `use only ${changedParts.join(", ")}`);
}

function checkWords(name: string, words: readonly string[]): Refusal | undefined {
  if (name === "cluster-info" && words.length > 0)
    return refuse("`kubectl cluster-info dump` prints the logs of whole namespaces", "use `logs` or `get`");
  if (words.includes("-")) return refuse("`-` reads standard input, which is empty here", "leave it out");
  const late = words.slice(objectsOf(name, words).length).find((word) => !isPair(word));
  return late === undefined
    ? undefined
    : refuse(`\`${late}\` stands behind what is to be set`, "name the objects first");
}

/** Only copies of cron jobs, which the cluster would start too. */
function checkCreate(name: string, given: GivenFlags): Refusal | undefined {
  if (name !== "create job" || given.some((flag) => flag.name === "--from" && flag.value?.startsWith("cronjob/")))
    return undefined;
  return refuse("`kubectl create job` runs an image of the command's choice", "write `--from=cronjob/NAME`");
}

/** Refuses unchangeable kinds. Custom resources pass, because the runner asks the API server about them. */
function checkKinds(effect: KubectlVerb["effect"], kinds: readonly string[]): Refusal | undefined {
  if (effect !== "changes") return undefined;
  if (kinds.includes("")) return refuse("it names no object", "write a kind and a name");
  const bad = kinds.find((kind) => {
    const [first = ""] = kind.split(".");
    return clusterKinds.has(first) || neverChanged.has(first) || !isKind(kind);
  });
  return bad === undefined
    ? undefined
    : refuse(
        `\`${bad}\` is not changed here: it reaches further than one namespace`,
        "change it by hand, or through a server with SSH that has kubectl",
      );
}

const isKind = (word: string): boolean => /^[a-z][a-z0-9-]*(?:\.[a-z0-9-]+)*$/.test(word);

function placeIn(
  { name, verb, given, kinds }: { name: string; verb: KubectlVerb; given: GivenFlags; kinds: readonly string[] },
  listed: readonly string[],
): { readonly ok: true; readonly namespace: string | undefined } | Refusal {
  const isAny = listed.includes(anyNamespace);
  const one = `write \`-n\` with one of: ${listed.join(", ")}`;
  const everywhere = given.some((flag) => flag.name === "--all-namespaces");
  if (everywhere && !isAny) return refuse("-A reaches every namespace", one);
  const named = given.flatMap((flag) => (flag.name === "--namespace" ? [flag.value ?? ""] : []));
  const [namespace, ...others] = new Set(named);
  const stranger = named.find((each) => !(isAny ? /^[a-z0-9][a-z0-9-]*$/.test(each) : listed.includes(each)));
  if (stranger !== undefined) return refuse(`the namespace \`${stranger}\` is not listed for this server`, one);
  if (others.length > 0) return refuse("it names several namespaces", one);
  // kubectl would read all of them, and the rules for the one that is named would count.
  if (everywhere && namespace !== undefined) return refuse("`-A` reaches every namespace, also beside `-n`", one);
  const isOfCluster = (kind: string): boolean =>
    clusterKinds.has(kind) || (ofPlatform.test(kind) && clusterKinds.has(kind.split(".")[0] ?? ""));
  const readsCluster = ["get", "describe"].includes(name) && kinds.every(isOfCluster);
  // A namespace beside what belongs to the cluster says nothing, so it must not choose the rules either.
  if (readsCluster && kinds.length > 0 && namespace !== undefined) return { ok: true, namespace: undefined };
  if (namespace !== undefined || everywhere || verb.namespace === "none") return { ok: true, namespace };
  const [only, ...more] = listed;
  if (only !== undefined && more.length === 0 && !isAny) return { ok: true, namespace: only };
  if (readsCluster) return { ok: true, namespace: undefined };
  return refuse("it names no namespace", isAny ? "write `-n NAMESPACE`" : one);
}

const ofPlatform = /\.(?:openshift|k8s)\.io$/;

interface Filter {
  readonly flags: FlagTable;
  /** The most words that are no flags: a pattern or program, never a file. */
  readonly words: number;
}

/** Each reads only its input, and none of its flags reads, writes or runs anything else. */
const filters: Readonly<Record<string, Filter>> = {
  grep: {
    flags: flagsOf(
      "-i/--ignore-case -v/--invert-match -c/--count -o/--only-matching -w/--word-regexp -x/--line-regexp",
      "-E/--extended-regexp -F/--fixed-strings -P/--perl-regexp -G/--basic-regexp -n/--line-number -q/--quiet -a/--text",
      "-A/--after-context= -B/--before-context= -C/--context= -m/--max-count= -e/--regexp= --color -s/--no-messages",
    ),
    words: 1,
  },
  head: { flags: flagsOf("-n/--lines= -c/--bytes= -q/--quiet"), words: 0 },
  tail: { flags: flagsOf("-n/--lines= -c/--bytes= -q/--quiet"), words: 0 },
  sort: {
    flags: flagsOf(
      "-n/--numeric-sort -r/--reverse -u/--unique -h/--human-numeric-sort -V/--version-sort -f/--ignore-case -s/--stable",
      "-b/--ignore-leading-blanks -d/--dictionary-order -g/--general-numeric-sort -M/--month-sort -k/--key= -t/--field-separator=",
    ),
    words: 0,
  },
  uniq: {
    flags: flagsOf(
      "-c/--count -d/--repeated -u/--unique -i/--ignore-case -f/--skip-fields= -s/--skip-chars= -w/--check-chars=",
    ),
    words: 0,
  },
  wc: { flags: flagsOf("-l/--lines -w/--words -c/--bytes -m/--chars -L/--max-line-length"), words: 0 },
  cut: {
    flags: flagsOf(
      "-d/--delimiter= -f/--fields= -c/--characters= -b/--bytes= -s/--only-delimited --complement --output-delimiter=",
    ),
    words: 0,
  },
  tr: { flags: flagsOf("-d/--delete -s/--squeeze-repeats -c/-C/--complement -t/--truncate-set1"), words: 2 },
  jq: {
    flags: flagsOf(
      "-r/--raw-output -c/--compact-output -S/--sort-keys -e/--exit-status -s/--slurp -n/--null-input -j/--join-output",
      "-a/--ascii-output -M/--monochrome-output --tab --indent= --arg== --argjson==",
    ),
    words: 1,
  },
};

const instead: Readonly<Record<string, string>> = {
  awk: "choose columns with kubectl's own `-o custom-columns=…`, or with `cut`",
  sed: "choose with `grep`, or with `jq`",
  egrep: "write `grep -E`",
  fgrep: "write `grep -F`",
  less: "leave it out: the whole output is kept",
  more: "leave it out: the whole output is kept",
  cat: "leave it out",
  column: "leave it out",
  tee: "leave it out: the output is kept here, and nothing is written to a file",
  base64: "leave it out: what it decodes cannot be checked for secrets",
  xargs: "run the second command as its own action, with the names written out",
  kubectl: "make it its own action, with the names written out",
  oc: "make it its own action, with the names written out",
};

const known = Object.keys(filters).join(", ");

function filterRefusal([name = "", ...rest]: readonly string[]): Refusal | undefined {
  const filter = Object.hasOwn(filters, name) ? filters[name] : undefined;
  if (!filter) {
    const remedy = Object.hasOwn(instead, name) ? instead[name] : undefined;
    return refuse(`\`${name}\` does not run behind a pipe`, remedy ?? `pipe only to ${known}`);
  }
  const words = /^(?:head|tail)$/.test(name) && /^-\d+$/.test(rest[0] ?? "") ? rest.slice(1) : rest;
  const read = readFlags(words, filter.flags, "getopt");
  if (!read.ok) {
    if (read.why !== "unknown") return refuse(`\`${name} ${read.name}\` lacks its value`, "write it behind the flag");
    return refuse(
      `\`${name}\` does not take ${read.name} here: it could read, write or run something else`,
      `use only ${[...new Set([...filter.flags.values()].map((flag) => flag.name))].join(" ")}`,
    );
  }
  const hasPattern = name === "grep" && read.given.some((flag) => flag.name === "--regexp");
  const files = read.positionals.slice(hasPattern ? 0 : filter.words);
  if (files.length > 0) return refuse(`\`${name}\` reads the pipe alone, not \`${files[0]}\``, "leave the file out");
  const reach = name === "jq" ? read.positionals.map((program) => jqReach.exec(program)?.[0]).find(Boolean) : undefined;
  if (reach) return refuse(`a jq program with \`${reach}\` reads files or decodes secrets`, "leave it out");
  const loop = name === "jq" ? read.positionals.map((program) => jqLoop.exec(program)?.[0]).find(Boolean) : undefined;
  if (loop)
    return refuse(`a jq program with \`${loop}\` may never end, beside the bot`, "choose with `select`, `map` or `..`");
  return undefined;
}

// `jqReach` refuses `format`, because `format("base64d")` is `@base64d` and its argument can be computed.
/** Functions with no bound on time and memory, on the bot's machine. */
const jqLoop =
  /(?<![.$\w"])(?:def|repeat|while|until|infinite|combinations|recurse(?=\s*\()|range(?=\s*\([^)]*(?:\d{6}|\de|;[^)]*;)))\b(?!\s*:)/;
const jqReach = /\b(?:import|include|modulemeta|get_search_list)\b|(?<!\.)\bformat\b|@base64d\b/;
