/** Calls that print secrets by design, so that a redacted output is no promise: a person must ask for them. */

interface SecretPrint {
  /** Fits the call's words, each between blanks. */
  readonly if?: RegExp;
  readonly unless?: RegExp;
  /** A clause that follows "it". */
  readonly what: string;
  /**
   * `medium` if nothing is said. `high`: nothing but secrets, so redaction could only leave an empty answer. `low`: a person sees as much
   * by plainer reads (the server's own environment, a key by its name, a search of a log), and only an unattended run is refused.
   */
  readonly level?: "low" | "high";
}

const environment = "prints an environment";
const settings = "prints settings, which may hold secrets";
const state = "prints a state that holds secrets in plain text";
const traffic = "prints what others send";
const speech = "looks for lines that speak of secrets";
const hashes = "prints hashes of passwords";
const store = "prints values of a store that may hold secrets";

/** A program in another's container or environment that prints all of it. */
const printsInside =
  / (exec|exec-env|run|rsh|enter|shell|ssh|--) (.* )?(\S*[/;&|(])?(env|printenv|export|export -p)( -0| --null)? *([;|&>)]|$)/;
const inside: SecretPrint = { if: printsInside, unless: /env *\| *(grep|sort -u \| *wc|wc)\b/, what: environment };

/** A filter behind a print that picks what it names, so that the rest is not shown. */
export const picks =
  /^\s*(sudo )?((e|f)?grep (-\S+ )*['"]?\^?[A-Za-z]\w|rg (-\S+ )*['"]?\^?[A-Za-z]\w|wc\b|jq (-\S+ )*['"]?(length\b|keys\b|\.\S*\.[\w[\].]+)|yq (-\S+ )*['"]?\.\S*\.\w)/;
/** What such a filter may not name: a secret, all there is, or what holds one. */
export const speaksOfSecrets =
  /pass|pwd|secret|token|key|cred|auth|priv|dsn|url|env\b|data\b|vars?\b|values?\b|config['"]?\s*$|\.\*|\.\+|\\|\||grep .*-\w*[vP]/i;

/** A filter that asks for the very lines of secrets, and shows them. */
export const asksForSecrets =
  /^\s*(sudo )?((e|f)?grep|rg|ag|awk|sed)\b(?![^|]* -\w*[cqvL])[^|]*(pass|secret|token|cred|(api|access|private)[_-]?key)/i;

/** Options with which a composition's settings are not filled in or not printed. */
const namesOnly = / (-q|--quiet|--services|--images|--profiles|--volumes|--networks|--hash\S*|--no-interpolate) /;

/** Addresses at which services show their environment, their memory or what they keep. */
const servesMemory =
  /\/(actuator|manage|management|admin)\/(env|configprops|heapdump|httptrace)\b|\/(env|heapdump|configprops|debug\/(pprof\/(heap|cmdline)|vars|requests)|latest\/user-data|server-info)( |\?|$)|phpinfo/;
/** What a server may ask the cloud for at its address for metadata: user data, its own credentials, attributes with keys. */
const servesUserData =
  /(169\.254\.169\.254|100\.100\.100\.200|fd00:ec2::254|metadata\.google\.internal|\/\/metadata)\S*\/(user-?_?data|vendor-?_?data\S*|customdata|security-credentials\/\S+|token|identity-credentials\S*|attributes|oauth2|opc\/v\d\/instance\/metadata|.*\?.*recursive=true)|\/(openstack|hetzner)\/\S*\/?(user_?data|vendor_data\S*|password)/i;
const servesSecrets =
  /\/(api\/(definitions|users|datasources|v1\/status\/(config|flags))|v1\/(kv|acl|secret)|v2\/keys|_security|_nodes\/settings|config_dump|containers\/[^/ ]+\/json)\b/;

/** The same of Windows: calls that print an environment, or a file of settings in which passwords stand. */
export const windowsSecretPrints =
  /^(get-variable $|wmic environment|(get-content|select-string|type|more|get-webconfig\S*) .*((web|app|machine|applicationhost)\.config|appsettings[\w.]*\.json|secrets\.json|unattend\.xml|sysprep\.(xml|inf)|docker\\config\\key\.json|\.env)\b)/i;

/** The last name of a path in an expression, if it is shown and not only counted, compared or left out. */
const secretField =
  /(?<!(?:del|has|delpaths|paths)\()\.["[]{0,2}(?!next|page|continu)(\w*_)?\w{0,20}(password|passwd|passphrase|secret|token|api_?key|access_?key|private_?key)["\]]{0,2}(?![\w.[(:]|\s*(==|!=|\|\s*(length|type|not)\b))/i;

/** By the names of programs, separated by spaces. */
// biome-ignore format: a program a line
export const secretPrints: Readonly<Record<string, readonly SecretPrint[]>> = {
  "env printenv": [{ unless: / ([^-\s=]|--?(help|version) )/, what: environment, level: "low" }],
  "export declare typeset": [{ unless: / -\w*f| [^-\s]/i, what: environment, level: "low" }],
  set: [{ unless: /\S/, what: environment, level: "low" }],
  systemctl: [{ if: / show-environment /, what: environment, level: "low" },
    { if: / show .*(-\w*p|--property)[ =]?\S*Environment|\.service .*Environment/, what: environment }],
  "docker podman nerdctl": [{ if: / inspect .*\{\{.*(\.Env\b|json \.( ?\}\}|Config ?\}\}))/, unless: / image /, what: environment },
    { if: / image inspect /, what: environment, level: "low" },
    { if: / inspect (?!.*(-f|--format)[ =])/, unless: / (volume|network|manifest|context|buildx|node|plugin|secret|trust|imagetools|machine) inspect /,
      what: environment },
    { if: / compose (.* )?(config|convert) /, unless: namesOnly, what: settings }, inside],
  "docker-compose podman-compose": [{ if: / config /, unless: namesOnly, what: settings }, inside],
  "nomad": [{ if: / var (get|read) /, what: store, level: "high" }, inside],
  "kubectl oc k k3s microk8s kubecolor lxc incus pct runc crun youki runsc": [inside],
  "ctr": [{ if: / (c|containers?) info /, what: environment }, inside],
  "chamber aws-vault doppler infisical op teller summon envconsul berglas gopass": [inside],
  "awk gawk mawk nawk original-awk": [{ if: /\bENVIRON\b/, what: environment, level: "low" }],
  "jq gojq jaq yq": [{ if: /\$ENV\b(?!\.)|(^|[^.\w])env\b(?! *:|\.)/, what: environment },
    { if: /\$ENV\b|(^|[^.\w])(str)?env\b(?! *:)/, what: environment, level: "low" },
    { if: secretField, what: "shows a field whose name says that it is a secret" }],
  "compgen": [{ if: / -\w*[ev]/, what: environment, level: "low" }],
  "crictl": [{ if: / inspectp? /, unless: / --template[ =](?!.*env)/i, what: environment }, inside],
  "busctl": [{ if: / (capture|monitor) /, what: traffic }],
  "tcpdump": [{ if: / (-[a-zA-Z]*[AxX]|--print-hex|-[a-zA-Z]*w ?- )/, what: traffic }],
  "aureport ausearch": [{ if: / (--tty|-m \S*TTY|--message[= ]\S*TTY)\b/, what: "prints what people typed" }],
  "tdbdump": [{ what: settings, level: "high" }],
  "py-spy": [{ if: / (-\w*l|--locals) /, what: "prints what variables hold" }],
  "named-checkconf": [{ if: / -\w*p/, unless: / -\w*x/, what: "prints settings with their keys" }],
  "icinga2": [{ if: / variable get .*(Salt|Password|Secret)/i, what: settings, level: "high" }],
  "doveadm": [{ if: / auth lookup /, what: hashes, level: "high" }],
  "asterisk": [{ if: /(pjsip|sip|iax2|manager) show (auths?|user|users)\b/, what: settings }],
  "tshark": [{ if: / -[a-zA-Z]*[xV]| -w ?- |authorization|cookie|-z (follow|credentials)/i, what: traffic }, { if: /-T/, what: traffic, level: "low" }],
  "istioctl": [{ if: / (proxy-config|pc) (secrets?|s|all|bootstrap|b) /, what: "prints certificates and keys" }],
  "ngrep httpry": [{ what: traffic }],
  "supervisorctl": [{ if: / maintail /, what: "prints what a program writes", level: "low" }],
  "rails rake": [{ if: /credentials/, what: store }],
  "vtysh birdc vppctl": [{ if: /show (run|startup|conf)/, what: settings }],
  "grep egrep fgrep zgrep rg ag ack journalctl": [{ what: speech, level: "low",
    if: /AKIA|(?<!failed )password[=:]|passwd[=:]|secret|api[_-]?key|token[=:]|private.key|authorization:|bearer/i }],
  "rabbitmqctl rabbitmq-diagnostics rabbitmqadmin": [{ if: / (environment|report|os_env) /, what: settings, level: "low" },
    { if: / (list_(global_)?parameters|list (global_)?parameters) /, what: "prints addresses with passwords" }],
  "barman": [{ if: / (diagnose|show-servers?) /, what: settings, level: "low" }],
  "pcs crm cibadmin crm_resource": [{ if: / (stonith (config|show)|config|configure show|-\w*[qQ]|--query|--query-xml) /, what: settings, level: "low" }],
  "drbdadm drbdsetup": [{ if: / (dump|show) /, what: settings, level: "low" }],
  "squidclient": [{ if: / mgr:config\b/, what: settings, level: "low" }],
  "influx": [{ if: / telegrafs /, what: settings, level: "low" }],
  "php php-fpm": [{ if: / (-\w*i|--info) |phpinfo/, what: environment }],
  "jinfo": [{ unless: / -flags? /, what: "prints properties, which may hold secrets", level: "low" }],
  "jcmd": [{ if: / VM\.(system_properties|command_line) /, what: "prints properties, which may hold secrets", level: "low" }],
  "envsubst": [{ unless: / (-v|--variables|-h|--help|-V|--version) /, what: environment, level: "low" }],
  "mlflow": [{ if: / doctor /, unless: / --mask-envs /, what: environment, level: "low" }],
  "uci": [{ if: /^ (-\S+ )*(show|changes|export) $/, what: settings }],
  "gcloud": [{ if: / auth describe /, what: "prints tokens", level: "high" }],
  "gitlab-runner": [{ if: / list /, what: "prints tokens", level: "low" }],
  "pm2": [{ if: / (env|jlist|prettylist) /, what: environment }],
  "tmux byobu": [{ if: / (show-environment|showenv) /, what: environment, level: "low" }],
  "at batch": [{ if: / -\w*c /, what: environment }],
  "heroku cf fly flyctl": [{ if: / (config|config:get|env|e) /, what: environment }, inside],
  "git": [{ if: / config .*(passw|secret|token|credential|extraheader|api.?key)/i, what: settings },
    { if: / config .*(-l |--list|--get-regexp|url)/i, what: settings, level: "low" }],
  "pip pip3 npm yarn pnpm": [{ if: / (config|c) (list|ls|get|debug) .*(index-url|auth|token|passw)/i, what: settings },
    { if: / (config|c) (list|ls|get|debug)/, what: settings, level: "low" }],
  "pg_conftool": [{ if: / show all /, what: settings, level: "low" }],
  "psql pgcli": [{ if: /\b(primary_conninfo|subconninfo|umoptions)\b/i, what: settings }],
  "helm": [{ if: / status .*(json|yaml)/, what: settings }, { if: / get all /, what: settings },
    { if: / get values (.* )?(-a|--all) /, what: settings }, { if: / get (values|manifest|hooks) /, what: settings, level: "low" }],
  "ansible-inventory": [{ if: / (--list|--host(=\S*)?|--export|--vars) /, what: settings, level: "low" }],
  "salt salt-call": [{ if: / (pillar\.\w+|config\.get|environ\.\w+) /, what: settings }],
  "cloud-init": [{ if: / query .*(user-?data|vendor-?data|\bds\b|-a |--all )/, what: "prints user data" }],
  "sensuctl": [{ if: / (handler|mutator|check|asset|hook) (info|list .*--format) /, what: settings, level: "low" }],
  "my_print_defaults": [{ what: settings, level: "low" }],
  "ec2metadata ec2-metadata": [{ if: / (-\w*[du]|--user-?data) |^ *$/, what: "prints user data" }],
  "terraform tofu terragrunt": [{ if: / output .*(-raw|-json)/, what: state }, { if: / show .*-json/, what: state },
    { if: / state pull /, what: state }, { if: / state show /, what: state, level: "low" }],
  "pulumi": [{ if: / (stack export|--show-secrets) /, what: state }],
  "aws": [{ if: / lambda get-function(-configuration)? /, unless: /--query[ =](?!\S*Environment)/, what: environment },
    { if: / ec2 describe-instance-attribute .*userData/, what: "prints user data" },
    { level: "low", unless: / --query[ =](?!\S*(Env|UserData|\*))/, what: environment,
      if: / lambda list-(functions|versions-by-function) | ec2 describe-spot-(instance|fleet)-requests | ecs describe-(daemon-)?task-definition | ecs describe-express-gateway-service | imagebuilder get-image(-recipe)? | batch describe-(job-definitions|jobs) | codebuild batch-get-(projects|builds|build-batches|sandboxes|command-executions) | (describe-launch-configurations|describe-launch-template-versions|get-launch-template-data|describe-configuration-settings) | amplify (get|list)-(apps?|branch(es)?) | apprunner describe-service / }],
  "doctl": [{ if: / (databases?|db) (get|list|ls) /, unless: /--format[ =](?!\S*URI)/, what: "prints addresses with passwords" },
    { if: / (databases?|db) (users?|u) (get|list|ls) | (databases?|db) (connection|conn) /, what: "prints passwords" }],
  "consul": [{ if: / kv (get|export) /, unless: / -keys /, what: store, level: "low" }],
  "talosctl": [{ what: "prints settings and keys of a node", level: "high",
    if: / get (mc|machineconfigs?|\w*(secret|cert|root)\w*) | (read|copy|cp|kubeconfig) /,
    unless: / (read|cp|copy) \/(var\/log|proc\/(cpuinfo|meminfo|loadavg)|sys)\/?(?!\S*\.\.)/ }],
  "etcdctl etcdutl": [{ if: / (get|watch) /, unless: / (--keys-only|--count-only) /, what: store }],
  "zkCli.sh zkcli": [{ if: / get /, what: store, level: "low" }],
  "kubeadm": [{ if: / (token (list|create|generate)|certs certificate-key) /, what: "prints tokens", level: "high" }],
  "radosgw-admin": [{ if: / user (info|create|modify) | key /, what: "prints keys", level: "high" }],
  "ip": [{ if: / x\w* s\w* /, unless: / (policy|p|po|count) /, what: "prints keys" }],
  "slapcat": [{ unless: / -n ?0 /, what: hashes, level: "high" }, { what: settings, level: "low" }],
  "redis-cli valkey-cli keydb-cli": [{ if: / acl (list|getuser|users) /i, unless: / acl users /i, what: hashes, level: "high" },
    { if: / config get .*( \* |pass|auth|key)/i, what: "prints passwords", level: "high" },
    { if: / (get|mget|hm?get|hgetall|hvals|hrandfield|getrange|substr|lcs|lrange|lindex|smembers|srandmember|sinter|sunion|sdiff|z\w*range\w*|zrandmember|dump|xrev\w*|xrange|sort_ro|json\.get) /i, level: "low",
      unless: / (config|acl|slowlog|latency) /i, what: store }],
  "snmpget snmpwalk": [{ if: /usm/i, what: "prints keys" }],
  "airflow": [{ if: / (connections|variables) (get|export|list) /, what: store, level: "high" }],
  "bw bws lpass dashlane dcli keepassxc-cli": [{ if: / (list|get|show|export|secret|password|note) /, what: "prints passwords", level: "high" }],
  "vault bao openbao": [{ if: / token lookup /, unless: / -accessor[ =]/, what: "prints a token", level: "low" }],
  "wp": [{ if: / config (list|get) /, what: settings }],
  "debconf-show debconf-get-selections": [{ if: / --db[= ]pass/, what: "prints passwords", level: "high" }, { what: settings, level: "low" }],
  "curl wget http xh": [{ if: servesUserData, what: "asks the cloud for what this server was given, with secrets" },
    { if: servesMemory, what: "asks a service for its environment or memory" },
    { if: servesSecrets, what: store }],
};
