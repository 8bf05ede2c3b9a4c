/** Cloud command lines and configuration management: the verb decides. */
import type { Program, Row } from "../program.ts";
import { elsewhere } from "./facts.ts";
import { familyRules } from "./families.ts";

/** An inventory that is a script is run; so is what stands in a folder of inventories. */
const scriptInventory: Row = {
  if: " (-i|--inventory(-file)?)[ =]?(?!(\\S*/)?(hosts|\\S+\\.(ini|ya?ml|json|toml|cfg)) |[\\w-]+ |\\S*, )[^ =]",
  level: "medium",
  why: "may run the inventory",
};

// biome-ignore format: filled to the width
export const cloudRules: readonly Program[] = [
  ...familyRules,
  { id: "cloud.terraform", names: "terraform tofu terragrunt pulumi packer cdk",
    options: { value: "-var -var-file -s --stack -target -out", script: "-chdir" }, oneDash: true, tag: "cluster",
    rows: [
      { words: "plan show output state_list state_show version validate providers graph preview stack_ls " +
        "stack_output stack_history workspace_list workspace_show inspect diff ls logs config whoami plugin_ls " +
        "policy_ls stack metadata_functions",
        level: "low" },
      { words: "cdk_ls cdk_list cdk_diff cdk_synth init apply import fmt workspace_new workspace_select get up " +
        "refresh login taint untaint state_mv build deploy synth cancel workspace",
        level: "medium" },
      { words: "destroy state_rm state_push force-unlock down workspace_delete stack_rm apply_-destroy " +
        "apply_--destroy run-all",
        level: "high" },
      { names: "terraform tofu", words: "plan", is: "project", why: "runs the programs that its data sources name" },
      { names: "terragrunt", unless: "^ version $", is: "project", why: "its files run commands as they are read" },
      { names: "cdk", unless: "^ (doctor|version) $", is: "project", why: "runs the program that describes the stack" },
      { words: "-destroy --destroy -auto-approve --auto-approve", level: "high" },
      { if: "^ (output|config get|state show) .*(?i:password|passwd|secret|token|private_?key|kubeconfig|credential)",
        level: "high", why: "shows a secret" },
      { words: "-check", is: "rehearsal" },
      { names: "terraform tofu", if: "^ apply (-\\S+ )*[^- ]\\S* $",
        probe: { run: "$0 show $2", shows: "the plan in that file",
          example: ["terraform apply out.plan", "terraform show out.plan"] } },
    ],
    deep: {
      plan: { level: "low", options: { value: "-var -var-file -target -out -state -lock-timeout" }, oneDash: true },
    },
    match: { low: ["terraform validate", "terraform state list"],
      medium: ["terraform apply", "terraform plan", "terraform plan -destroy -lock=false", "terragrunt output"],
      high: ["terraform destroy", "terraform output -raw db_password"] } },
  { id: "config.ansible",
    names: "ansible-playbook ansible-pull salt salt-call salt-ssh chef-client chef-solo cf-agent puppet knife cfengine",
    level: "medium",
    options: { value: "-l -t -e -u -f --limit --tags --extra-vars",
      script: "-i --inventory --inventory-file -M --module-path" },
    rows: [
      { words: "--check --syntax-check --list-hosts --list-tasks --list-tags ~test.ping ~test.version " +
        "~grains.items ~grains.item ~grains.get ~grains.ls ~pkg.version ~pkg.info_installed ~network.ip_addrs " +
        "~network.ip_addrs6 ~network.arp ~network.routes ~network.default_route ~network.netstat " +
        "~network.active_tcp ~ps.top ~ps.cpu_percent ~ps.virtual_memory ~ps.swap_memory ~ps.disk_usage " +
        "~ps.get_users ~service.get_all ~service.available ~service.enabled ~service.get_enabled " +
        "~service.get_disabled ~disk.inodeusage ~disk.percent ~mount.active ~mount.fstab ~timezone.get_zone " +
        "~sys.doc ~sys.list_modules ~sys.list_functions ~test.versions_report --versions-report ~status.* " +
          "~disk.usage ~service.status ~pkg.list_pkgs ~network.interfaces",
        level: "low" },
      // It still runs tasks that say `check_mode: false`, and gathers facts as root.
      { names: "ansible-playbook", if: " (-C|--check) ", unless: " --(list-\\w+|syntax-check) ", level: "medium",
        why: "runs what a playbook runs in check mode, too" },
      { names: "puppet", words: "~config ~facts", level: "low" },
      { names: "puppet", words: "agent apply lookup", unless: " --version ", is: "project",
        why: "fetches plugins and compiles manifests, of which one may say that it is no rehearsal" },
      { names: "chef-client chef-solo", is: "project", why: "runs recipes and their guards in a rehearsal, too" },
      { names: "puppet", level: "low",
        if: "^ (module list|resource (?!user\\b)[\\w:]+( [^ =-]+)?|parser validate( \\S+)+|cert list( --all)?|agent " +
          "--version) $" },
      { names: "knife", words: "~status", level: "low" },
      { names: "knife", if: "^ (node|role|environment|cookbook|client|user|data bag|tag|recipe|spork|supermarket) " +
        "(list|show) |^ (search|status|diff) ",
        unless: " (data bag show|ssh|exec) ", level: "low" },
      { words: "--no-noop ~state.* ~file.* ~user.* ~group.* ~cron.* ~saltutil.* ~pkg.install ~pkg.upgrade " +
        "~service.start ~service.restart ~service.enable",
        level: "medium" },
      { names: "puppet", words: "~set ~delete ~upload", level: "medium" },
      { words: "~pkg.remove ~pkg.purge ~service.stop ~system.* ~cmd.run ~cmd.run_all ~cmd.shell ~clean",
        level: "high" },
      { names: "knife", words: "~ssh ~winrm", level: "high" },
      elsewhere("knife", "ssh winrm", 1),
      { names: "ansible-playbook", ...scriptInventory },
      { names: "ansible-playbook puppet chef-client chef-solo", if: " /(tmp|var/tmp|dev/shm)/", operands: true,
        level: "high", why: "runs what anybody may have written" },
      { does: { is: "runs-text", after: "cmd.*" } },
      { names: "puppet", does: { is: "runs-text", after: "-e --execute", if: "exec\\s*\\{\\s*['\"]([^'\"]+)['\"]" } },
      { names: "puppet", does: { is: "runs-text", after: "-e --execute", if: "command\\s*=>\\s*['\"]([^'\"]+)['\"]" } },
      { names: "puppet",
        does: { is: "deletes", after: "-e --execute",
          if: "file\\s*\\{\\s*['\"]([^'\"]+)['\"][^}]*ensure\\s*=>\\s*absent" } },
      { names: "ansible-playbook ansible-pull salt salt-ssh knife puppet chef-client", reach: { kind: "service" } },
      { names: "ansible-playbook",
        probe: { run: "$0 --list-tasks --list-hosts $@", shows: "which tasks it would run, and on which hosts",
          example: ["ansible-playbook -l web site.yml",
            "ansible-playbook --list-tasks --list-hosts -l web site.yml"] } },
    ],
    match: { low: ["ansible-playbook --list-tasks site.yml", "ansible-playbook --syntax-check --check site.yml"],
      medium: ["ansible-playbook site.yml", "ansible-playbook --check site.yml", "puppet agent -t",
        "puppet agent --test --noop", "chef-client --why-run"],
      high: ["salt '*' cmd.run uptime"] } },
  { id: "config.ansible-adhoc", names: "ansible", level: "medium", why: "signs in to hosts and runs a module there",
    options: { value: "-m -a -u -f -l -e -t --module-name --args --user --limit --extra-vars",
      script: "-i --inventory --inventory-file -M --module-path" },
    rows: [
      { if: "\\b(lookup|query|q)(␠)*\\(", level: "high",
        why: "looks something up: by a command, a file or an address" },
      { if: " --(list-hosts|version) ", level: "low", why: "only lists hosts" },
      scriptInventory,
      { if: " (-\\w*m ?|--module-name[ =])(\\S*\\.)?(reboot|win_reboot|shutdown) ", level: "high" },
      { if: "\\bstate=absent\\b", level: "high", why: "removes something" },
      { unless: " (-\\w*m ?|--module-name[ =])(?!\\S*(shell|command|raw|script) )\\S",
        does: { is: "runs-text", after: "-a --args", if: "\\bcmd=(?:\"((?:[^\"\\\\]|\\\\.)*)\"|'([^']*)'|([^]*))" } },
      { unless: " (-\\w*m ?|--module-name[ =])(?!\\S*(shell|command|raw|script) )\\S",
        does: { is: "runs-text", after: "-a --args",
          if: "^(?![^]*\\bcmd=)(?:(?:chdir|creates|removes|executable|stdin)=\\S+\\s+)*([^]*)$" } },
      { if: " (-\\w*m ?|--module-name[ =])(?!\\S*(shell|command|raw|script) )\\S",
        does: { is: "deletes", after: "-a --args", if: "^(?=[^]*state=absent)[^]*?\\b(?:path|dest|name)=(/\\S+)" } },
      { reach: { kind: "service", options: { host: "-i --inventory" } } },
    ],
    match: { low: ["ansible all --list-hosts"], medium: ["ansible web -a uptime", "ansible all -m ping"],
      high: ["ansible all -m reboot"],
      block: ["ansible all -m shell -a 'rm -rf /'"] } },
  { id: "config.ansible-look", names: "ansible-inventory ansible-doc ansible-config facter ohai augtool-print",
    level: "low", options: { script: "-i --inventory --inventory-file --custom-dir --external-dir" },
    rows: [
      scriptInventory,
      { names: "facter ohai", words: "--custom-dir --external-dir -d --directory --plugin", level: "medium",
        why: "loads code from there" },
    ],
    match: { low: ["ansible-inventory --list", "ansible-inventory -i hosts.yml --graph", "facter os"],
      medium: ["ansible-inventory -i ./inv.py --list", "facter --custom-dir ./f"] } },
  { id: "cloud.parallel-ssh", names: "pssh parallel-ssh clush pdsh dsh mssh", level: "medium",
    why: "runs a command on many hosts", options: { flag: "-a -A -b -B -d -i -I -L -M -N -q -r -R -S -v --inline --all",
      value: "-h -H -l -p -P -t -o -e -w -g -x -X -f -u -O --hosts --host --user --timeout" },
    rows: [
      { unless: " --(r?copy|dest) ",
        does: { is: "runs-elsewhere", operand: 0, joins: true } },
    ],
    match: { medium: ["pssh -h hosts uptime", "clush -w web[1-3] uptime"], block: ["pdsh -w web1 'rm -rf /'"] } },
  { id: "cloud.metadata", names: "cloud-init ec2metadata ec2-metadata waagent", level: "low",
    rows: [
      { names: "waagent", unless: " -{0,2}(version|help|show-configuration) ", level: "medium",
        why: "is the agent itself" },
      { words: "status query analyze features schema", level: "low" },
      { words: "single modules init", level: "medium" },
      { words: "clean", level: "high" },
    ],
    match: { low: ["cloud-init status"], medium: ["cloud-init single"], high: ["cloud-init clean"] } },
  { id: "monitoring.agent",
    names: "promtool amtool telegraf datadog-agent newrelic logcli thanos node_exporter vmctl influxd " +
      "zabbix_get zabbix_sender nagios check_nrpe filebeat metricbeat vector fluent-bit fluentd otelcol " +
      "otelcol-contrib grafana-cli dog pdcli pd newrelic-infra icingacli",
    level: "medium",
    options: { settings: "--config" },
    rows: [
      { names: "zabbix_get", level: "low" },
      { names: "check_nrpe", if: " -c ?check_[\\w.-]+ ", level: "low" },
      { names: "promtool", level: "low", words: "check_config check_rules check_healthy check_ready check_web-config " +
        "query_instant query_range query_series query_labels tsdb_list tsdb_analyze test_rules" },
      { names: "amtool", level: "low", words: "alert alert_query silence silence_query check-config config " +
        "config_show " +
        "config_routes config_routes_show config_routes_test cluster cluster_show" },
      { names: "logcli", level: "low",
        words: "query instant-query labels series stats volume volume_range detected-fields" },
      { names: "telegraf", words: "--test config", level: "low" },
      { names: "datadog-agent", level: "low",
        words: "status health version hostname diagnose configcheck config_get tagger-list workload-list check" },
      { names: "filebeat metricbeat", words: "test_config test_output test_modules version modules_list",
        level: "low" },
      { names: "vector", words: "validate list graph", level: "low" },
      { names: "fluent-bit fluentd", words: "--dry-run", level: "low" },
      { names: "otelcol otelcol-contrib", words: "validate components", level: "low" },
      { names: "grafana-cli", words: "plugins_ls", level: "low" },
      { names: "thanos", words: "tools_bucket_ls tools_bucket_inspect tools_rules-check check_rules", level: "low" },
      { names: "icingacli", words: "monitoring_list module_list", level: "low" },
      { words: "--version -version ~version", level: "low" },
      { names: "zabbix_sender", level: "medium" },
      { names: "nagios", if: "^ -(v+|[sS]) \\S+ $", level: "low" },
      { words: "~add ~set ~create ~update ~import ~setup", level: "medium" },
      { words: "~delete ~expire ~stop ~purge", level: "high" },
      { names: "zabbix_get", if: "web\\.(page|certificate)\\.", level: "medium", why: "asks another host from there" },
      { names: "zabbix_get check_nrpe", if: "system\\.run\\[| -a ", level: "high", why: "may run a command there" },
      { names: "zabbix_get zabbix_sender", reach: { kind: "request", options: { host: "-s -z" } } },
      { names: "check_nrpe", reach: { kind: "lookup", options: { host: "-H" } } },
    ],
    match: { low: ["promtool check config x.yml", "datadog-agent status", "zabbix_get -s web1 -k agent.ping"],
      medium: ["amtool silence add x"], high: ["promtool delete"] } },
  { id: "search.elastic", names: "elasticsearch-plugin elasticsearch-keystore logstash-plugin curator elasticdump",
    level: "medium",
    rows: [
      { words: "~list ~show --dry-run", level: "low" },
      { words: "~remove ~delete_indices ~delete", level: "high" },
      { names: "elasticsearch-keystore", words: "~show", level: "high" },
    ],
    match: { low: ["elasticsearch-plugin list"], medium: ["elasticsearch-plugin"], high: ["curator delete_indices"] } },
];
