/** What is written in two ways and means one: options with two names, units, kinds. From the programs' own help. */
import { words } from "../engine/options.ts";

const paged = "-n|--lines -o|--output -H|--host -M|--machine -q|--quiet -a|--all -l|--full";

/** By program: the names of one option; the first stands for all. Only options that mean the same in every sub-command. */
export const equivalents: Readonly<Record<string, string>> = {
  "kubectl oc":
    "-n|--namespace -f|--filename -k|--kustomize -l|--selector -o|--output -c|--container -A|--all-namespaces -R|--recursive " +
    "-i|--stdin -t|--tty -w|--watch -q|--quiet -L|--label-columns -s|--server -h|--help",
  systemctl: `${paged} -t|--type -p|--property -s|--signal -r|--recursive -f|--force -h|--help`,
  journalctl:
    "-n|--lines -o|--output -u|--unit -p|--priority -S|--since -U|--until -b|--boot -k|--dmesg -r|--reverse -f|--follow -a|--all " +
    "-g|--grep -t|--identifier -x|--catalog -q|--quiet -M|--machine -D|--directory",
  helm: "-n|--namespace -f|--values -o|--output -A|--all-namespaces",
  "tail head": "-n|--lines -c|--bytes -q|--quiet|--silent -v|--verbose",
  ls: "-a|--all -A|--almost-all -d|--directory -h|--human-readable -i|--inode -r|--reverse -R|--recursive -s|--size",
  df: "-a|--all -h|--human-readable -i|--inodes -l|--local -T|--print-type -t|--type -x|--exclude-type",
  du: "-a|--all -c|--total -h|--human-readable -s|--summarize -d|--max-depth -x|--one-file-system -S|--separate-dirs",
  grep:
    "-i|--ignore-case -v|--invert-match -c|--count -o|--only-matching -w|--word-regexp -x|--line-regexp -E|--extended-regexp " +
    "-F|--fixed-strings -P|--perl-regexp -n|--line-number -q|--quiet|--silent -r|--recursive -l|--files-with-matches " +
    "-A|--after-context -B|--before-context -C|--context -m|--max-count -e|--regexp -s|--no-messages",
  ss: "-a|--all -l|--listening -n|--numeric -p|--processes -t|--tcp -u|--udp -s|--summary -o|--options -e|--extended -i|--info -m|--memory -4|--ipv4 -6|--ipv6",
  uptime: "-p|--pretty -s|--since",
  free: "-h|--human -m|--mebi -k|--kibi -g|--gibi -t|--total -w|--wide",
  rm: "-r|-R|--recursive -f|--force -d|--dir -v|--verbose",
  chmod: "-R|--recursive",
  chown: "-R|--recursive",
};

/** The order of their words has a meaning of its own: predicates, filters, expressions, places, other programs' words. */
export const orderedPrograms: ReadonlySet<string> = new Set(
  words(
    "find tar gtar bsdtar star rsync iptables ip6tables iptables-legacy iptables-nft ebtables arptables nft tc ip dd sed gsed awk gawk " +
      "mawk xargs parallel curl wget ffmpeg convert socat openssl test [ expr echo printf zip unzip cpio python python3 perl ruby node php " +
      "bash sh dash zsh ksh ash make git gcc jq yq sort mysql mariadb gdb screen tmux at ln cp mv install kill psql redis-cli valkey-cli",
  ),
);

/** A unit's name has one of these, or means a service. */
export const unitSuffixes = /\.(?:service|socket|target|timer|mount|automount|swap|path|slice|scope|device)$|[*?[\]/]/;

const kinds =
  "po|pod|pods deploy|deployment|deployments|deployments.apps|deployment.apps ds|daemonset|daemonsets|daemonset.apps|daemonsets.apps " +
  "sts|statefulset|statefulsets|statefulset.apps|statefulsets.apps rs|replicaset|replicasets|replicaset.apps|replicasets.apps " +
  "rc|replicationcontroller|replicationcontrollers job|jobs|job.batch|jobs.batch cj|cronjob|cronjobs|cronjob.batch|cronjobs.batch " +
  "svc|service|services ep|endpoint|endpoints cm|configmap|configmaps secret|secrets pvc|persistentvolumeclaim|persistentvolumeclaims " +
  "hpa|horizontalpodautoscaler|horizontalpodautoscalers pdb|poddisruptionbudget|poddisruptionbudgets ing|ingress|ingresses " +
  "netpol|networkpolicy|networkpolicies sa|serviceaccount|serviceaccounts quota|resourcequota|resourcequotas limits|limitrange|limitranges " +
  "ev|event|events no|node|nodes ns|namespace|namespaces pv|persistentvolume|persistentvolumes sc|storageclass|storageclasses";

/** Every name of a kind of Kubernetes' own, with its short one. */
export const kindNames: ReadonlyMap<string, string> = new Map(
  words(kinds).flatMap((one) => {
    const [first = "", ...others] = one.split("|");
    return [first, ...others].map((other) => [other, first] as const);
  }),
);
