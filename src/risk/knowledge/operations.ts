/** Programs of operations that answer a question: quotas, sensors, clusters of databases, monitoring, accounting. */
import type { Program } from "../program.ts";
import { serverClient } from "./facts.ts";

const pcp = "pcp_node_count pcp_node_info pcp_proc_count pcp_proc_info pcp_health_check_stats pcp_watchdog_info";
const s390 = "lscss lsdasd lsqeth lszfcp lszcrypt lsreipl lschp lstape lsshut lsscm lszdev lscpumf";
const power = "lparstat lsslot lsvpd lsmcode lsprop lscfg";
const fabric = "ibhosts ibswitches ibnodes ibrouters sminfo smpquery saquery";

/** They ask this machine alone. */
// biome-ignore format: filled to the width
export const localOperationRules: readonly Program[] = [
  { id: "operate.look",
    names: `arcstat arc_summary ipmi-sel ipmi-fru ipmi-chassis syslog-ng-ctl tuptime uprecords ` +
      `kdumpctl agent_control nagiostats naemonstats wpa_cli hostapd_cli ${s390} ${power} ${fabric}`,
    level: "low",
    rows: [
      { names: "arcstat", ends: { interval: 2, does: "it repeats for ever", instead: "arcstat 1 5" } },
      { names: "ipmi-sel", level: "high", why: "empties the log of the hardware",
        if: " --(clear|delete\\S*|post-clear)[ =]" },
      { names: "ipmi-chassis", unless: "^( --?(get-(chassis-capabilities|chassis-status|system-restart-cause|" +
        "power-on-hours-counter)|[scuQV]|get-system-boot-options|version|help)| -[scgoV])+ $",
        level: "medium", why: "changes how the server runs" },
      { names: "ipmi-chassis", if: " --chassis-control[ =]?(?i:power-(down|cycle)|hard-reset|soft-shutdown)",
        level: "high", why: "stops the server" },
      { names: "syslog-ng-ctl",
        unless: "^ (stats( csv| prometheus)?|query (list|get|sum) [^ -]\\S*|list-files|healthcheck|verbose|debug|" +
          "trace|--version|--help)( --(control|format)[ =]?\\S+)* $|^ *$",
        level: "medium", why: "does more than show" },
      { names: "syslog-ng-ctl", if: "^ stop ", level: "high", why: "stops the log" },
      { names: "kdumpctl", unless: "^ (status|estimate|showmem|get-default-crashkernel) $", level: "medium",
        why: "changes what a crash leaves" },
      { names: "agent_control", unless: "^( -(l|lc|ln|i|j|s|h)| \\d{1,5}){1,6} $", level: "medium",
        why: "acts on an agent" },
      { names: "wpa_cli hostapd_cli",
        unless: "^( -[ip] \\S+)* (status|ping|list_networks|scan_results|list_sta|all_sta|interface|get_capability " +
          "\\w+|signal_poll|pmksa|sta [0-9a-f:]{17}) $",
        level: "medium", why: "opens a console, or changes a radio" },
    ],
    match: {
      low: ["arcstat 2 4", "ipmi-sel --info", "syslog-ng-ctl stats", "syslog-ng-ctl query get 'src.*'", "lsdasd -a",
        "kdumpctl status", "wpa_cli -i wlan0 status", "ibhosts", "ipmi-chassis --get-chassis-status"],
      medium: ["syslog-ng-ctl reload", "syslog-ng-ctl stats --reset", "kdumpctl reload", "wpa_cli"],
      high: ["ipmi-sel --clear", "syslog-ng-ctl stop", "ipmi-chassis --chassis-control=power-cycle"] } },
  { id: "operate.daemons", names: "suricatasc collectdctl wazuh-control ossec-control pmc bcachefs", level: "medium",
    rows: [
      { names: "suricatasc", if: "^ -c (uptime|version|running-mode|capture-mode|iface-list|iface-stat␠[\\w.-]+|" +
        "dump-counters|dataset-lookup␠\\S+|list-hostbit␠\\S+|memcap-list|ruleset-stats|ruleset-reload-time|" +
        "ruleset-failed-rules)( /\\S+)? $", level: "low" },
      { names: "suricatasc", if: "^ -c shutdown", level: "high", why: "stops the sensor" },
      { names: "collectdctl", if: "^( -s /\\S+)* (listval|getval \\S+|getthreshold \\S+) $", level: "low" },
      { names: "wazuh-control ossec-control", if: "^( -j)? (status|info( -[vtr])?) $", level: "low" },
      { names: "wazuh-control ossec-control", if: "^ (stop|disable) ", level: "high", why: "stops the agent" },
      { names: "pmc", if: "^( -(u|2|4|6|v)| -[bdtis] \\S+)* ((?i:get)␠[A-Z_]+ )+$", level: "low" },
      { names: "bcachefs", if: "^ (fs usage|show-super|list_mounted|version)( |$)", level: "low" },
      { names: "bcachefs", if: "^ (format|device (remove|evacuate|offline)|fsck|reset-counters)( |$)", level: "high",
        why: "changes or erases a file system" },
    ],
    match: { low: ["suricatasc -c uptime", "collectdctl listval", "wazuh-control status", "bcachefs fs usage /srv",
      "pmc -u -b 0 'GET TIME_STATUS_NP'"],
      medium: ["suricatasc -c reload-rules", "collectdctl flush", "wazuh-control restart", "pmc -u 'SET PRIORITY1 1'",
        "bcachefs mount /dev/sdb /srv"],
      high: ["suricatasc -c shutdown", "wazuh-control stop", "bcachefs device remove /dev/sdb /srv"] } },
  { id: "operate.files", names: "rrdtool whisper-info whisper-fetch whisper-dump whisper-info.py whisper-fetch.py " +
      "whisper-dump.py sa lastcomm dump-acct ac dump-utmp pg_checksums",
    level: "low",
    options: { "path-read": "-f --file --sort-file", value: "-D --pgdata -s --start -e --end -r --resolution -d" },
    rows: [
      { names: "rrdtool", unless: "^ (lastupdate|info|last|first|list|fetch) [^-]\\S*| (--version|--help) |^ *$",
        level: "medium", why: "does more than show" },
      { names: "rrdtool", if: " (-d|--daemon)[ =]", level: "medium", why: "asks a daemon to write" },
      { names: "sa", if: " (-\\w*s\\w*|--merge) ", level: "high", why: "throws the record away that it sums up" },
      { names: "pg_checksums", if: " (-\\w*[edP]|--(enable|disable|progress))", level: "high",
        why: "rewrites every file of a database" },
      { does: "read" },
    ],
    match: { low: ["rrdtool info /srv/rrd/cpu.rrd", "rrdtool fetch /srv/rrd/cpu.rrd AVERAGE -s -1h", "sa " +
      "-m", "lastcomm bob",
      "pg_checksums --check -D /srv/pg"],
      medium: ["rrdtool update /srv/rrd/cpu.rrd N:1", "rrdtool -"], high: ["sa -s", "pg_checksums --enable"],
      block: ["lastcomm -f /etc/shadow"] } },
  { id: "operate.units", names: "units gunits", level: "low",
    options: { "path-read": "-f --file -c", "path-write": "-L --log" },
    rows: [
      { if: "^( -\\S+)* *$", unless: " (-V|-h|--version|--help) ", level: "medium", why: "waits for questions" },
    ],
    match: { low: ["units -t '3 lbs' kg"], medium: ["units"], high: ["units -L /srv/x.log 1 m"],
      block: ["units -f /etc/shadow 1 m"] } },
  { id: "operate.defaults", names: "my_print_defaults", level: "low", why: "prints options from files",
    options: { "path-read": "-c --defaults-file -e --defaults-extra-file --config-file", value: "-g" },
    rows: [{ words: "-s --show", level: "high", why: "shows passwords" }],
    match: { low: ["my_print_defaults mysqld"], high: ["my_print_defaults -s client"] } },
  { id: "operate.informix", names: "onstat", level: "medium",
    rows: [
      { if: "^ (-|-[bBcCdDfFhjkKlLmOpPRtTuxX]|-g " +
        "(act|ath|buf|cac|ckp|con|dis|dri|glo|ioa|iof|iog|ioq|iov|lmx|lsc|mem|" +
        "mgm|nsc|ntd|nta|osi|rea|rwm|sch|seg|ses|sle|smb|sps|sts|tpf|ufr|wai|wmx|wst)( \\d+)?) $", level: "low" },
      { words: "-z -i", level: "high", why: "clears its counters, or opens a console" },
    ],
    match: { low: ["onstat -", "onstat -g ses 42"], medium: ["onstat -r 5"], high: ["onstat -z"] } },
  { id: "operate.sap", names: "sapcontrol", level: "medium", oneDash: true,
    options: { value: "-nr -function -format -prot -host -user -trace -repeat" },
    rows: [
      { if: " -function (GetProcessList|GetSystemInstanceList|GetVersionInfo|GetQueueStatistic|GetAlertTree|" +
        "GetInstanceProperties|ABAPGetWPTable|EnqGetStatistic|J2EEGetProcessList2?|J2EEGetThreadList2?|HACheckConfig|" +
        "HAGetFailoverConfig|GetSystemUpdateList|GetStartProfile) $",
        unless: " -(host|user|repeat|trace)[ =]", level: "low" },
      { if: " -function (Stop\\w*|Restart\\w*|Shutdown|OSExecute|SendSignal|J2EEDisable\\w*|Remove\\w*) " +
        "", level: "high",
        why: "stops an instance" },
    ],
    match: { low: ["sapcontrol -nr 00 -function GetProcessList"], medium: ["sapcontrol -nr 00 -function Start"],
      high: ["sapcontrol -nr 00 -function StopSystem ALL"] } },
  { id: "operate.linters", names: "kube-linter", level: "medium",
    rows: [{ if: "^ (lint|checks list|templates list|version)( |$)", level: "low" }],
    match: { low: ["kube-linter lint ./k8s", "kube-linter checks list"], medium: ["kube-linter completion bash"] } },
  { id: "operate.redis-files", names: "redis-check-aof valkey-check-aof", level: "low",
    rows: [
      { words: "--fix --truncate-to-timestamp", level: "high", why: "cuts off what it cannot read" },
      { does: "read" },
    ],
    match: { low: ["redis-check-aof /srv/redis/a.aof"], high: ["redis-check-aof --fix /srv/redis/a.aof"],
      block: ["redis-check-aof /etc/shadow"] } },
  { id: "operate.certmonger", names: "getcert ipa-getcert selfsign-getcert local-getcert", level: "medium",
    rows: [
      { words: "list list-cas status", level: "low" },
      { words: "stop-tracking remove-ca", level: "high", why: "lets a certificate expire" },
    ],
    match: { low: ["getcert list", "getcert status -i 20240101"], medium: ["getcert resubmit -i 20240101"],
      high: ["getcert stop-tracking -i 20240101"] } },
  { id: "operate.trees", names: "pipdeptree nix-store", level: "medium",
    rows: [
      { names: "pipdeptree", unless: " --python", level: "low" },
      { names: "nix-store", words: "-q --query", unless: " (-f|--force-realise|--add-root|--indirect) ", level: "low" },
      { names: "nix-store", words: "--delete --gc", level: "high", why: "deletes from the store" },
    ],
    match: { low: ["pipdeptree -p flask", "nix-store -q --references /run/current-system"],
      medium: ["pipdeptree --python /srv/bin/python", "nix-store --realise /nix/store/x", "nix-store -q -f x"],
      high: ["nix-store --gc"] } },
  { id: "operate.kea", names: "kea-dhcp4 kea-dhcp6 kea-dhcp-ddns kea-ctrl-agent", level: "medium",
    why: "starts a server", options: { "path-read": "-t" },
    // `-T` loads its hooks.
    rows: [{ words: "-t -v -V -W", level: "low" }, { words: "-c -T", level: "medium" }],
    match: { low: ["kea-dhcp4 -t /etc/kea/kea-dhcp4.conf", "kea-dhcp6 -V"],
      medium: ["kea-dhcp4 -c /etc/kea/kea-dhcp4.conf", "kea-dhcp4 -T /etc/kea/kea-dhcp4.conf"],
      block: ["kea-dhcp4 -t /etc/shadow"] } },
  { id: "operate.solaris", names: "svcs amstatus", level: "low",
    match: { low: ["svcs -xv", "svcs -p network/ssh", "amstatus daily"] } },
  { id: "operate.gpu", names: "dcgmi", level: "medium",
    rows: [
      { if: "^ discovery (-[lcv] ?)+ ?$|^ (health|stats) (-[cgv] ?\\d* ?)+$|^ (group|fieldgroup) -l ?$|" +
        "^ nvlink (-[se] ?|-g \\d+ ?)+$|^ topo ((-g|--gpuid) \\d+ ?)+$|^ modules -l ?$|^ --version $", level: "low" },
    ],
    match: { low: ["dcgmi discovery -l", "dcgmi nvlink -s"], medium: ["dcgmi diag -r 3", "dcgmi health -s a"] } },
];

/** They ask a server that they were set up for, or that an option names. */
// biome-ignore format: filled to the width
export const operationRules: readonly Program[] = [
  { id: "operate.console", names: "dgmgrl bconsole rman adrci", check: "deviceConsole", oneDash: true,
    options: { flag: "-silent -echo", settings: "-c" },
    rows: [serverClient],
    match: { low: ["rman target / <<< 'report schema;'", "adrci exec='show incident'",
        "dgmgrl -silent / 'show database verbose shop'", "echo 'list volumes pool=Full' | bconsole"],
      medium: ["rman", "rman target / <<< 'backup database;'", "adrci exec='set homepath x'", "dgmgrl",
        "dgmgrl / 'enable configuration'", "bconsole", "echo 'run job=x' | bconsole"],
      high: ["rman target / <<< 'delete noprompt obsolete;'", "adrci exec='purge -age 1'",
        "dgmgrl / 'switchover to shop2'", "echo 'purge volume=V1' | bconsole"],
      block: ["printf '@exec \"rm -rf /\"\\n' | bconsole"] } },
  { id: "operate.cockroach", names: "cockroach",
    rows: [
      { words: "version node_status node_ls cert_list statement-diag_list auth-session_list userfile_list",
        level: "low" },
      { words: "node_decommission node_drain quit userfile_delete auth-session_logout statement-diag_delete",
        level: "high" },
      serverClient,
    ],
    deep: { sql: { check: "sqlClient", tag: "database",
      options: { value: "-e --execute -d --database -u --user --host --port -p --certs-dir --format --url" } } },
    match: { low: ["cockroach node status", "cockroach sql -e 'show ranges from table t'"],
      medium: ["cockroach start", "cockroach sql -e 'update t set a=1 where id=2'"],
      high: ["cockroach quit", "cockroach sql -e 'drop table t'"] } },
  { id: "operate.salt", names: "salt-run",
    rows: [
      { words: "manage.up manage.down manage.status manage.present manage.not_present manage.alived " +
        "manage.not_alived manage.joined manage.not_joined manage.allowed manage.reaped manage.versions " +
        "manage.list_state manage.list_not_state manage.lane_stats jobs.active jobs.list_jobs " +
        "jobs.list_jobs_filter " +
        "jobs.lookup_jid jobs.print_job jobs.exit_success jobs.last_run fileserver.envs fileserver.file_list " +
        "fileserver.dir_list cache.grains doc.runner doc.execution test.stdout_print",
        level: "low" },
      { words: "cache.clear_all cache.clear_pillar cache.clear_grains cache.clear_mine cache.flush " +
        "manage.key_regen " +
        "fileserver.clear_cache fileserver.clear_lock queue.delete", level: "high" },
      { if: "removekeys", level: "high", why: "deletes the keys of what does not answer" },
    ],
    match: { low: ["salt-run manage.up", "salt-run jobs.active"], medium: ["salt-run state.orchestrate deploy"],
      high: ["salt-run manage.down removekeys=True", "salt-run cache.clear_all"] } },
  { id: "operate.sensu", names: "sensuctl", check: "family",
    rows: [{ words: "describe-type silenced", level: "low" }, { words: "env configure prune", level: "medium" },
      serverClient],
    match: { low: ["sensuctl check list", "sensuctl silenced list"], medium: ["sensuctl check execute x"],
      high: ["sensuctl entity delete x"] } },
  { id: "operate.bans", names: "cscli", check: "family",
    rows: [{ words: "explain hub_update machines_add bouncers_add", level: "medium" }, serverClient],
    match: { low: ["cscli decisions list", "cscli lapi status"], medium: ["cscli decisions add --ip 192.0.2.1"],
      high: ["cscli decisions delete --all"] } },
  { id: "operate.servers", names: "pg_autoctl stolonctl ejabberdctl prosodyctl mimirtool",
    rows: [
      { names: "pg_autoctl", if: "^ (show (state|events|standby-names|systemd)|status|version)( |$)",
        unless: " --watch ", level: "low" },
      { names: "pg_autoctl", if: "^ (drop|stop|disable|perform (failover|switchover))( |$)", level: "high" },
      { names: "stolonctl", if: "^ (status|version|spec)( |$)", unless: " spec ", level: "low" },
      { names: "stolonctl", if: "^ (init|failkeeper|removekeeper|promote)( |$)", level: "high" },
      { names: "ejabberdctl",
        if: "^ (status|connected_users(_number|_info|_vhost)?|registered_users|registered_vhosts|stats|stats_host|" +
          "incoming_s2s_number|outgoing_s2s_number|list_cluster|modules_installed|get_loglevel|muc_online_rooms|" +
          "user_sessions_info|num_resources)( [\\w.-]+)* $", level: "low" },
      { names: "ejabberdctl", if: "^ " +
        "(stop\\w*|restart|unregister|leave_cluster|delete_\\w+|kick_\\w+|destroy_\\w+)( |$)",
        level: "high" },
      { names: "prosodyctl", if: "^ (status|about|check( (config|dns|certs|disabled|turn))?) $", level: "low" },
      { names: "prosodyctl", if: "^ (stop|restart|deluser)( |$)", level: "high" },
      { names: "mimirtool", if: "^ (rules (list|print|get|diff|lint|check)|alertmanager verify|version|acl " +
        "generate-header)( |$)", unless: " (generate-header|-i|--in-place) ", level: "low" },
      { names: "mimirtool", if: "^ (rules delete\\S*|alertmanager delete)( |$)", level: "high" },
      serverClient,
    ],
    match: { low: ["pg_autoctl show state", "stolonctl status", "ejabberdctl " +
      "connected_users_number", "prosodyctl status",
      "mimirtool rules list"],
      medium: ["pg_autoctl enable maintenance", "ejabberdctl reload_config", "mimirtool rules load /srv/r.yml"],
      high: ["pg_autoctl drop node", "ejabberdctl stop", "prosodyctl stop"] } },
  { id: "operate.clients", level: "medium",
    names: "rq kong cmctl kafkactl drone dovecot collectd mongofiles bsondump cbstats seff condor_history puppetserver",
    options: { value: "-d --db -b -n --namespace -o --output -C -limit -constraint", "path-write": "--outFile" },
    oneDash: true,
    rows: [
      { names: "rq", if: "^ info( -[RQW]| --(raw|by-queue|only-queues|only-workers)| [\\w-]+)* $", level: "low" },
      { names: "kong", if: "^ (health|version( -a| --all)?|check( /etc/\\S+)?) $", level: "low" },
      { names: "kong", if: "^ (stop|quit|migrations (reset|down)) ", level: "high" },
      { names: "cmctl", if: "^ (check api|status certificate [\\w.-]+|version)( (-n|--namespace)[ =]\\S+)* $",
        level: "low" },
      { names: "kafkactl", if: "^ (get|describe) (topics?|consumer-groups?|consumer-group-offsets|brokers?|users?) ",
        level: "low" },
      { names: "kafkactl", if: "^ (delete|reset) ", level: "high" },
      { names: "drone", if: "^ (build (ls|info|last)|repo (ls|info)|info|log view) ", level: "low" },
      { names: "dovecot", if: "^( -[naN]| --version)+ $", level: "low" },
      { names: "dovecot", words: "~stop", level: "high" },
      { names: "collectd", if: "^( -[tT]| -C /etc/\\S+)+ $", unless: "^( -C \\S+)+ $", level: "low" },
      { names: "mongofiles", if: " (list|search)( [\\w./-]+)? $", unless: " (put|get|delete)(_id)? ", level: "low" },
      { names: "mongofiles", if: " delete(_id)? ", level: "high" },
      { names: "bsondump", level: "low" },
      { names: "bsondump", does: "read" },
      { names: "cbstats", level: "low",
        if: "^ [\\w.-]+:\\d+ (all|allocator|checkpoint|config|dcp|dcpagg|failovers|hash|items|kvstore|kvtimings|" +
          "memory|" +
          "runtimes|scheduler|tasks|timings|uuid|vbucket|vbucket-details|warmup|workload)( -b \\S+| -[aj])* $" },
      { names: "seff", if: "^ \\d+(_\\d+)? $", level: "low" },
      { names: "condor_history", level: "low" },
      { names: "puppetserver", if: "^ ca list( --all)? $", level: "low" },
      { names: "puppetserver", if: "^ (ca (clean|revoke)|stop) ", level: "high" },
    ],
    match: { low: ["rq info --raw", "kong health", "dovecot -n", "collectd -t", "mongofiles -d app list", "seff 123",
      "cbstats 127.0.0.1:11210 all -b default", "bsondump /srv/x.bson", "puppetserver ca list --all"],
      medium: ["rq worker", "kong reload", "dovecot reload", "cbstats 127.0.0.1:11210 reset", "cmctl renew web"],
      high: ["kong stop", "puppetserver ca clean --certname x", "mongofiles -d app delete x"],
      block: ["bsondump /etc/shadow"] } },
  { id: "operate.pool", names: pcp, level: "low",
    options: { value: "-h -p -U -n --host --port --username --node-id" },
    rows: [{ words: "", reach: { kind: "service", options: { host: "-h --host" } } }],
    match: { low: ["pcp_node_info -h 127.0.0.1 -U admin -w -n 0"] } },
  { id: "operate.mqtt", names: "mosquitto_sub", level: "medium",
    options: { value: "-t -C -W -q -p -F -T -U -V -u -i -k --topic", host: "-h --host",
      secret: "-P --pw --key --psk", "path-read": "--cafile --cert" },
    rows: [
      { reach: { kind: "request", options: { host: "-h --host", "path-read": "-f --file" }, stdin: true } },
      { if: " (-C|-W|-E|--help)", unless: " (-t|--topic)[ =]?\\$share/| (-c|-U|--(remove-retained|retained-only|" +
        "unsubscribe|disable-clean-session|will-\\S+)) ", level: "low" },
    ],
    match: { low: ["mosquitto_sub -h localhost -t 'site/+/temp' -C 2 -W 5"],
      medium: ["mosquitto_sub -t x", "mosquitto_sub -t '$share/workers/jobs' -C 1"] } },
];
