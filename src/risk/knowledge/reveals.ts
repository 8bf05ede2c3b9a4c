/** Reads that show what may hold secrets among other things: low, because the answer is redacted, but never run with nobody there. */
import { words } from "../engine/options.ts";

/** What programs show with such words, each between blanks. */
interface Reveal {
  readonly names: string;
  readonly if: RegExp;
  readonly shows: string;
}

const environment = "what is in an environment";
const stored = "stored values";
const traffic = "what others send";

// biome-ignore format: a row a line
export const reveals: readonly Reveal[] = [
  { names: "env", shows: environment, if: /^ +(-\S+ )*$/ },
  { names: "printenv", shows: environment, if: /^ +(-\S+ )*$/ },
  { names: "set", shows: environment, if: /^ *$/ },
  { names: "export readonly", shows: environment, if: /^ +(-p )?$/ },
  { names: "declare typeset local", shows: environment, if: /^ +(-\w*[px]\w* )?$/ },
  { names: "compgen", shows: environment, if: / -\w*[ev]/ },
  { names: "awk gawk mawk nawk", shows: environment, if: /\bENVIRON\b/ },
  { names: "jq gojq yq", shows: environment, if: /\$ENV\b|(^|[^.\w])env\b|strenv/ },
  { names: "systemctl", shows: environment, if: / show-environment | (-p|--property)[ =]?Environment\w* / },
  { names: "docker podman nerdctl", shows: environment, if: / inspect (?!.*(-f|--format)[ =])| inspect .*(\bEnv\b|json␠\.(Config)?[}␠])/ },
  { names: "docker docker-compose podman-compose", shows: environment, if: / (compose .*)?config (?!.*--(services|volumes|images|profiles|hash|quiet))/ },
  { names: "busctl", shows: traffic, if: / (capture|monitor) / },
  { names: "crictl", shows: environment, if: / inspectp? / },
  { names: "pm2", shows: environment, if: / (env|prettylist|jlist|show|describe|info) / },
  { names: "php", shows: environment, if: / (-i|-\w*r .*phpinfo)/ },
  { names: "rails rake", shows: stored, if: /credentials/ },
  { names: "helm", shows: stored, if: / get (values|all|manifest|hooks) | status .*-o/ },
  { names: "terraform tofu pulumi", shows: stored, if: / (output|show|config|stack|state) .*(-json|--json|-raw|--show-secrets)| output $/ },
  { names: "etcdctl", shows: stored, if: / (get|watch) (?!.*--keys-only)/ },
  { names: "consul", shows: stored, if: / kv (get|export) (?!.*-keys )/ },
  { names: "redis-cli valkey-cli keydb-cli", shows: stored, if: / (?:get|mget|hgetall|hvals|hget|getrange|lrange|smembers|zrange|dump|xrange) /i },
  { names: "git", shows: "addresses and credentials of a repository", if: / config .*(-l|--list|--get-regexp|url|credential|token|header)/i },
  { names: "cloud-init", shows: "the data an instance was started with", if: / query / },
  { names: "supervisorctl", shows: "what a program writes", if: / maintail / },
  { names: "vtysh birdc vppctl", shows: "a configuration with its passwords", if: /show␠(run|startup|conf)/ },
  { names: "tcpdump", shows: traffic, if: / (-[a-zA-Z]*[AxX]|--print-hex)/ },
  { names: "ngrep httpry", shows: traffic, if: /^/ },
  { names: "tshark", shows: traffic, if: / -[a-zA-Z]*[xV]|authorization|cookie|-T|-z follow/i },
  { names: "curl wget http https xh", shows: "what a service says about itself",
    if: /\/actuator\/(env|configprops|heapdump)|\/debug\/(vars|pprof\/cmdline)|\/v1\/kv\/|\/api\/definitions|\/containers\/[^/ ]+\/json|\/latest\/user-data|\/server-info|phpinfo/ },
  { names: "grep egrep fgrep zgrep rg ag ack journalctl", shows: "lines that speak of secrets",
    if: /AKIA|(?<!failed[␠ ])password[=:]|passwd[=:]|secret|api[_-]?key|token[=:]|private.key|authorization:|bearer/i },
];

const byName: ReadonlyMap<string, readonly Reveal[]> = new Map(
  reveals
    .flatMap((one) => words(one.names))
    .map((name) => [name, reveals.filter((one) => words(one.names).includes(name))]),
);

/** What a call shows that may hold secrets; undefined if nothing is known of it. */
export const revealedBy = (program: string, text: string): string | undefined =>
  byName.get(program)?.find((one) => one.if.test(text))?.shows;
