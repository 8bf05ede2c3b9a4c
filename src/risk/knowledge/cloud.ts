/** Cloud command lines and configuration management: the verb decides. */
import type { CallEffect } from "../call-effect.ts";
import type { Program } from "../program.ts";
import { familyRules } from "./families.ts";

const module = " (-\\w*m ?|--module-name[ =])";
const otherModule = `${module}(?!\\S*(shell|command|raw|script) )\\S`;
const ansibleRuns: readonly CallEffect[] = [
  {
    does: "runs-text",
    after: "-a --args",
    unless: otherModule,
    if: `\\bcmd=(?:"((?:[^"\\\\]|\\\\.)*)"|'([^']*)'|([^]*))`,
  },
  {
    does: "runs-text",
    after: "-a --args",
    unless: otherModule,
    if: "^(?![^]*\\bcmd=)(?:(?:chdir|creates|removes|executable|stdin)=\\S+\\s+)*([^]*)$",
  },
  {
    does: "deletes",
    after: "-a --args",
    where: otherModule,
    if: "^(?=[^]*state=absent)[^]*?\\b(?:path|dest|name)=(/\\S+)",
  },
];

// biome-ignore format: filled to the width
export const cloudRules: readonly Program[] = [
  ...familyRules,
  { id: "cloud.terraform", names: "terraform tofu terragrunt pulumi packer cdk",
    flags: { high: "-destroy --destroy -auto-approve --auto-approve" },
    sub: { low: "plan show output state_list state_show version validate providers graph preview " +
    "stack_ls stack_output workspace_list workspace_show inspect diff ls logs",
    medium: "cdk_ls cdk_list cdk_diff cdk_synth init apply import fmt workspace_new workspace_select get up refresh login taint " +
    "untaint state_mv build deploy synth cancel workspace",
    high: "destroy state_rm state_push force-unlock down workspace_delete stack_rm " +
    "apply_-destroy apply_--destroy run-all" }, options: { value: "-var -var-file -s --stack -target -out", script: "-chdir" },
    ladder: [{ level: "high", if: "^ (output|config get|state show) .*(?i:password|passwd|secret|token|private_?key|kubeconfig|credential)", why: "shows a secret" }],
    oneDash: true, dry: "-check", tag: "cluster", deep: { plan: { level: "low",
    options: { value: "-var -var-file -target -out -state -lock-timeout" }, oneDash: true } },
    probes: [{ names: "terraform tofu", if: "^ (apply|destroy) (-\\S+ )*$", unless: " (destroy|-destroy) ", without: "^-auto-approve(=.*)?$", run: "$0 plan -lock=false -input=false $-", shows: "the plan",
      example: ["terraform apply -auto-approve",
      "terraform plan -lock=false -input=false"] }, { names: "terraform tofu", if: "^ destroy (-\\S+ )*$", without: "^(-auto-approve(=.*)?|-force)$", run: "$0 plan -destroy -lock=false -input=false $-", shows: "the plan",
      example: ["terraform destroy -target=aws_instance.web",
      "terraform plan -destroy -lock=false -input=false -target=aws_instance.web"] }, { names: "terraform tofu", if: "^ apply (-\\S+ )*[^- ]\\S* $", run: "$0 show $2", shows: "the plan in that file",
      example: ["terraform apply out.plan",
      "terraform show out.plan"] }],
    match: { low: ["terraform plan", "terraform plan -destroy", "terraform state list"], medium: ["terraform apply", "terraform plan -out x.plan"],
      high: ["terraform destroy", "terraform output -raw db_password"] } },
  { id: "config.ansible",
    names: "ansible-playbook ansible-pull salt salt-call salt-ssh chef-client chef-solo cf-agent " +
    "puppet knife cfengine", level: "medium",
    when: { low: "--check --syntax-check --list-hosts --list-tasks --list-tags --noop test.ping test.version grains.items grains.ls status.* disk.usage service.status pkg.list_pkgs network.interfaces " +
    "--why-run -W puppet_lookup puppet_config puppet_facts knife_status",
    medium: "puppet_set puppet_delete puppet_upload --no-noop state.* file.* user.* group.* cron.* saltutil.* pkg.install pkg.upgrade service.start service.restart service.enable", high: "pkg.remove pkg.purge service.stop system.* knife_ssh cmd.run cmd.run_all cmd.shell clean" },
    options: { value: "-l -t -e -u -f --limit --tags --extra-vars", script: "-i --inventory --inventory-file -M --module-path" }, effects: [{ does: "runs-text", after: "cmd.*" },
    { names: "puppet", does: "runs-text", after: "-e --execute", if: "exec\\s*\\{\\s*['\"]([^'\"]+)['\"]" },
    { names: "puppet", does: "runs-text", after: "-e --execute", if: "command\\s*=>\\s*['\"]([^'\"]+)['\"]" },
    { names: "puppet", does: "deletes", after: "-e --execute", if: "file\\s*\\{\\s*['\"]([^'\"]+)['\"][^}]*ensure\\s*=>\\s*absent" }],
    ladder: [{ level: "high", names: "ansible-playbook puppet chef-client chef-solo", operands: true, if: " /(tmp|var/tmp|dev/shm)/",
    why: "runs what anybody may have written" }],
    reach: [{ names: "ansible-playbook ansible-pull salt salt-ssh knife puppet chef-client", kind: "service" }],
    probes: [{ names: "ansible-playbook", run: "$0 --check --diff $@", shows: "what it would change",
      example: ["ansible-playbook -l web site.yml", "ansible-playbook --check --diff -l web site.yml"] },
      { names: "puppet", if: "^ (agent|apply) ", run: "$0 $@ --noop", shows: "what it would change",
      example: ["puppet agent -t", "puppet agent -t --noop"] }],
    match: { low: ["ansible-playbook --check site.yml"], medium: ["ansible-playbook site.yml", "puppet agent -t", "puppet agent --test"],
      high: ["salt '*' cmd.run uptime"] } },
  { id: "config.ansible-adhoc", names: "ansible",
    options: { value: "-m -a -u -f -l -e -t --module-name --args --user --limit --extra-vars",
    script: "-i --inventory --inventory-file -M --module-path" },
    reach: [{ kind: "service", options: { host: "-i --inventory" } }],
    ladder: [{ level: "high", if: "\\b(lookup|query|q)(␠)*\\(", why: "looks something up: by a command, a file or an address" },
    { level: "low", if: " --(list-hosts|version) ", why: "only lists hosts" }, { level: "low",
    if: `${module}(ansible\\.builtin\\.)?(ping|setup|debug|stat|gather_facts|service_facts|package_facts) `,
    unless: `${module}.*${module}|state=absent` }, { level: "high", if: `${module}(\\S*\\.)?(reboot|win_reboot|shutdown) ` },
    { level: "high", if: "\\bstate=absent\\b", why: "removes something" }, { level: "medium" }], effects: ansibleRuns,
    match: { low: ["ansible all -m ping"], medium: ["ansible web -a uptime"], high: ["ansible all -m reboot"],
      block: ["ansible all -m shell -a 'rm -rf /'"] } },
  { id: "config.ansible-look", names: "ansible-inventory ansible-doc ansible-lint facter ohai augtool-print",
    level: "low", options: { script: "-i --inventory --inventory-file --custom-dir --external-dir" },
    match: { low: ["ansible-inventory --list", "facter os"] } },
  { id: "cloud.parallel-ssh", names: "pssh parallel-ssh clush pdsh dsh mssh",
    options: { value: "-h -H -l -p -P -t -o -e -w -g -x -X -f -u -O" }, level: "medium", why: "runs a command on many hosts",
    effects: [{ does: "runs-argv", operand: 0, joins: true }],
    match: { medium: ["pssh -h hosts uptime", "clush -w web[1-3] uptime"], block: ["pdsh -w web1 'rm -rf /'"] } },
  { id: "cloud.metadata", names: "cloud-init ec2metadata ec2-metadata waagent", level: "low",
    sub: { low: "status query analyze features schema", medium: "single modules init", high: "clean" },
    match: { low: ["cloud-init status"], medium: ["cloud-init single"], high: ["cloud-init clean"] } },
  { id: "monitoring.agent",
    names: "promtool amtool telegraf datadog-agent newrelic logcli thanos node_exporter vmctl " +
    "influxd zabbix_get zabbix_sender nagios check_nrpe filebeat metricbeat vector " +
    "fluent-bit otelcol grafana-cli dog pdcli pd", level: "medium",
    when: { low: "check query status alert_query alert config test --check --test -t diagnose " +
    "check-config configcheck health version validate labels series instant --dry-run ls zabbix_get " + "check_nrpe list",
    medium: "add set create update import setup zabbix_sender", high: "delete expire stop purge" },
    ladder: [{ names: "zabbix_get check_nrpe", level: "high", if: "system\\.run\\[| -a ", why: "may run a command there" }],
    reach: [{ names: "zabbix_get zabbix_sender", kind: "request", options: { host: "-s -z" } }, { names: "check_nrpe", kind: "lookup",
    options: { host: "-H" } }],
    match: { low: ["promtool check config x.yml", "datadog-agent status", "zabbix_get -s web1 -k agent.ping"], medium: ["amtool silence add x"],
      high: ["promtool delete"] } },
  { id: "search.elastic",
    names: "elasticsearch-plugin elasticsearch-keystore logstash-plugin curator elasticdump",
    level: "medium", when: { low: "list show --dry-run",
    high: "elasticsearch-keystore_show remove delete_indices delete" },
    match: { low: ["elasticsearch-plugin list"], medium: ["elasticsearch-plugin"], high: ["curator delete_indices"] } },
];
