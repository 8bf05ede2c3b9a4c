/** Clients of clouds, clusters, databases and queues that are mostly asked for a state, and readers of their files. */
import type { Program } from "../program.ts";
import type { ReadTable } from "../reads.ts";
import { actsAlone, serverClient } from "./facts.ts";
import { looks } from "./reads/families.ts";

const service = { words: "", reach: { kind: "service" } } as const;

const percona =
  "pt-variable-advisor pt-slave-find pt-replica-find pt-deadlock-logger pt-fk-error-logger pt-heartbeat pt-find";

// biome-ignore format: filled to the width
export const stateRules: readonly Program[] = [
  { id: "client.clouds", check: "family",
    names: "flarectl cloudflared scalingo clever koyeb neonctl supabase upctl ionosctl stackit yc tccli atlas " +
      "confluent cinder neutron glance heat ironic manila magnum trove aodh gnocchi awslogs sam rain cbt bosh " +
      "chef-server-ctl graylog-ctl chef-automate hab rudder hammer spacecmd cobbler foreman-maintain " +
      "satellite-maintain wwctl oc-mirror crc",
    rows: [
      actsAlone("cloudflared spacecmd cobbler hammer"),
      { words: "rain_log load-balancer connect sync-plan cinder_transfer-list upgrade_list-versions", level: "low" },
      { names: "spacecmd", words: "system_reboot", level: "high" },
      service,
    ],
    match: { low: ["bosh vms --vitals", "neutron agent-list", "hammer host list", "confluent kafka topic list"],
      medium: ["bosh deploy x.yml", "cloudflared", "cinder extend x 20"],
      high: ["bosh delete-deployment", "glance image-delete x", "hammer host delete --id 4"] } },
  { id: "client.clusters", check: "family",
    names: "oras umoci buildctl kata-runtime crio kubeaudit kapp kctrl imgpkg kpt vela consul-k8s kumactl glooctl " +
      "fission faas-cli subctl cilium-health antctl sonobuoy linstor pxctl storkctl juicefs heketi-cli rbd-nbd " +
      "cephfs-journal-tool lctl lnetctl kudu oozie alluxio ambari-server ambari-agent proxmox-backup-manager pvenode " +
      "pveceph pve-firewall pveam mmhealth mmces dsmc cman_tool cl_status booth sbd",
    rows: [
      actsAlone("dsmc crio kubeaudit linstor lctl lnetctl oozie ambari-agent ambari-server"),
      { words: "oras_manifest manifest_fetch manifest_fetch-config tag_list route_show alluxio_fs repo_tags",
        level: "low" },
      { words: "sbd_dump sync-job prune-job", level: "low" },
      { names: "lctl", if: "^ (-\\S+ )*(set_param|conf_param|deactivate|mark|clear|debug_\\w+)( |$)", level: "medium" },
      { names: "oozie", if: " -(kill|suspend|killnodes)[ =]", level: "high", why: "stops a job" },
      { names: "sbd", if: " (message|create)( |$)", level: "high", why: "stops a node, or empties what all share" },
      { names: "faas-cli", words: "", reach: { kind: "service", options: { host: "-g --gateway" } } },
      { names: "linstor", words: "", reach: { kind: "service", options: { host: "--controllers" } } },
      service,
    ],
    match: { low: ["linstor resource list", "kapp inspect -a web --tree", "lctl list_nids", "sbd -d /dev/sdc list"],
      medium: ["oras push registry.internal/x:1 f", "lctl", "lctl set_param debug=0", "oozie job -rerun 7"],
      high: ["linstor node delete a", "oozie job -kill 7", "sbd -d /dev/sdc message web1 reset",
        "kapp delete -a web"] } },
  { id: "client.stores", check: "family",
    names: "emqx_ctl vmq-admin riak-repl qpid-config nsc topicctl pbm pmm-admin pgagroal-cli " +
      "pgmoneta-cli efm pg_probackup sctool dsetool medusa clickhouse-backup influx_inspect kapacitor tempo-cli " +
      "grafana grafana-server netdatacli cmk-agent-ctl mkp elastic-agent elasticsearch-users curator_cli vespa " +
      "splunk tetra cbbackupmgr nuocmd gadmin dmctl cdc obd sdb-admin memsql-admin memsqlctl yb-admin yugabyted tt " +
      "litestream dolt opatch oifcfg oclumon acfsutil emctl opmnctl odacli nzsession HDB",
    rows: [
      actsAlone("nsc dmctl nuocmd grafana-server kapacitor cdc vespa HDB"),
      { words: "obd_mirror", level: "low" },
      { names: "yb-admin", words: "", reach: { kind: "service",
        options: { host: "--master_addresses -master_addresses --init_master_addrs" } } },
      { names: "dmctl", words: "", reach: { kind: "service", options: { host: "--master-addr" } } },
      { names: "cdc", words: "", reach: { kind: "service", options: { host: "--server --pd" } } },
      { names: "HDB", words: "stop kill kill-9", level: "high", why: "stops the database" },
      { names: "opatch", words: "rollback nrollback", level: "high" },
      { names: "netdatacli", words: "shutdown-agent", level: "high" },
      serverClient,
    ],
    match: { low: ["emqx_ctl clients list", "kapacitor list tasks", "yb-admin list_all_masters", "opatch lsinventory",
        "HDB info"],
      medium: ["emqx_ctl clients kick a", "HDB start", "splunk reload deploy-server", "grafana-server"],
      high: ["HDB stop", "netdatacli shutdown-agent", "opatch rollback -id 1", "splunk stop"] } },
  { id: "client.applications", check: "family",
    names: "traffic_ctl asadmin productInfo gops pueue syncthing ipfs bitcoin-cli frpc frps svnlook svnadmin p4 jmod " +
      "badmin lsadmin tea jf",
    rows: [
      actsAlone("asadmin syncthing frpc frps badmin lsadmin"),
      { words: "svnlook_lock svnlook_date pin_ls p4_annotate", level: "low" },
      { names: "bitcoin-cli", words: "stop", level: "high" },
      { names: "svnadmin", words: "rmlocks rmtxns", level: "high", why: "deletes what others began" },
      { names: "p4", words: "obliterate", level: "high", why: "deletes for good" },
      { names: "badmin lsadmin", words: "hshutdown limshutdown resshutdown", level: "high", why: "stops a daemon" },
      serverClient,
    ],
    match: { low: ["svnlook youngest /srv/svn", "asadmin list-applications", "p4 changes -m 5", "gops stack 42"],
      medium: ["asadmin", "svnadmin load /srv/svn", "bitcoin-cli sendtoaddress x 1"],
      high: ["gops gc 42", "asadmin stop-domain", "bitcoin-cli stop", "p4 obliterate -y //a/...", 
        "badmin hshutdown all"] } },
  { id: "client.jobs", level: "low",
    names: "bacct bslots busers bugroup bmgroup blimits bresources lshosts lsload lsid lsinfo bparams checkjob " +
      "showbf showres showstart showstats momctl sjstat sjobexitmod cluset clustat crmadmin crm_ticket " +
      "crm_error corosync-cpgtool gstatus cephfs-top cmviewcl mmdiag mmrepquota mmlscallback pmgversion tokei " +
      "git-sizer mminfo lltstat gabconfig zmqstat kcarectl",
    rows: [
      { names: "cephfs-top", unless: " (--dump|--version|--help|-h) ", level: "medium", why: "opens its screen" },
      { names: "gabconfig", unless: " -(a|l|h)", level: "medium", why: "changes the cluster" },
      { names: "lltstat", words: "-z", level: "medium" },
      { names: "momctl", words: "", reach: { kind: "service", options: { host: "-h" } } },
      { names: "momctl", words: "-s -C -c", level: "high", why: "stops a daemon, or drops its jobs" },
      { names: "crm_ticket", words: "-r --revoke -s --standby -C --cleanup -D --delete-attr", level: "high",
        why: "stops what depends on the ticket" },
    ],
    match: { low: ["lsload -l", "bacct -u all", "checkjob -v 42", "crm_ticket -L", "cephfs-top --dump"],
      medium: ["cephfs-top"], high: ["momctl -s -h n1", "crm_ticket -t a --revoke"] } },
  // Their options are whole words behind one dash.
  { id: "client.jobs-words", level: "low", oneDash: true,
    names: "qhost qacct qquota condor_version condor_userprio condor_who condor_ping condor_router_q oneagentctl " +
      "serverStatus.sh versionInfo.sh historyInfo.sh db2level db2ilist db2licm db2ls db2mtrk db2set db2greg " +
      "crs_stat hdbnsutil bpdbjobs bpps bpimagelist bpmedialist bpstulist bppllist bperror nbdevquery " +
      "omnistat hastatus hagrp hares hasys haclus",
    rows: [
      { names: "bpdbjobs", unless: " -(report|summary)", level: "medium", why: "acts on jobs" },
      { names: "bpdbjobs", words: "-cancel -cancel_all -cancel_type -delete -clean", level: "high" },
      { names: "hagrp hares hasys haclus", unless: " -(state|list|display|dep|resources|value|nodeid)", level: "medium",
        why: "acts on a cluster" },
      { names: "hagrp hares", words: "-offline -switch -delete -clear", level: "high", why: "stops a service" },
      { names: "db2greg", unless: " -dump ", level: "medium", why: "changes the registry" },
      { names: "db2licm", unless: " -(l|v|h) ", level: "medium", why: "changes a license" },
      { names: "hdbnsutil", unless: " -sr_state(Configuration)? ", level: "medium", why: "changes the replication" },
      { names: "hdbnsutil", words: "-sr_takeover -sr_disable -sr_unregister -sr_cleanup", level: "high",
        why: "changes which server is the primary" },
    ],
    match: { low: ["qhost -q", "condor_userprio -all", "db2licm -l", "db2set -all", "hdbnsutil -sr_state"],
      medium: ["condor_userprio -setprio bob 5", "db2licm -a /srv/x.lic", "db2greg -addservrec x", "db2set -g A=b",
        "hdbnsutil -sr_enable"],
      high: ["hdbnsutil -sr_takeover"] } },
  { id: "client.asked", level: "medium", oneDash: true,
    names: "nutcracker loki promtail falco jboss-cli.sh jboss-cli jattach just clickhouse-keeper-client cellcli " +
      "dbmcli kfed admintools saphostctrl check_postgres.pl check_postgres pg_conftool gpconfig nodeset " +
      "epmd bareos-dir bareos-sd bareos-fd bacula-dir bacula-sd bacula-fd amadmin burp act mkcert direnv aptly lego " +
      "git-lfs bucardo zeekctl suricata csf bbb-conf opensips-cli lncli mysqld mariadbd " +
      "postgres dockerd slurmd kafka-storage.sh kafka-storage ssm-cli amazon-cloudwatch-agent-ctl",
    options: { "path-read": "-conf-file -config.file" },
    rows: [
      { names: "nutcracker", if: " (-t|--test-conf|-D|--describe-stats) ", level: "low" },
      { names: "loki promtail", if: " --?(verify-config|check-syntax) ", level: "low" },
      { names: "falco", words: "--list-events --list-syscall-events", level: "low" },
      { names: "jboss-cli.sh jboss-cli", level: "low",
        if: " --command=(?!\\S*(?i:pass|secret|cred|token|key))((/[\\w.-]+=[\\w.*-]+)*:(product-info|whoami|" +
          "test-connection-in-pool|read-operation-names|" +
          "read-children-names\\(child-type=[\\w.-]+\\)|" +
          "read-attribute\\(name=[\\w.-]+\\))|version|deployment-info) " },
      { names: "jboss-cli.sh jboss-cli", if: ":(shutdown|stop|suspend|remove|undeploy)\\b|=(shutdown|undeploy)\\b",
        level: "high" },
      { names: "jattach", level: "low",
        if: "^ \\d+ (threaddump|printflag [A-Z]\\w+|jcmd (VM\\.(version|uptime|flags)|Thread\\.print|" +
          "GC\\.heap_info)) $" },
      { names: "just", if: " (-l|--list|--summary|-s|--show|--groups|--variables)[ =]", level: "low" },
      { names: "clickhouse-keeper-client", level: "low",
        if: " (-q|--query)[ =](ruok|srvr|stat|mntr|isro|wchs|dirs|lgif|ls(␠/[\\w/.-]*)?) " },
      { names: "clickhouse-keeper-client", if: " (-q|--query)[ =](rm|rmr|delete\\w*)(␠|$)", level: "high" },
      { names: "cellcli dbmcli", if: "^( -n)? -e (list|describe|help)(␠[\\w,=.*%<>!'-]+)* $|" +
        "^( -n)? -e (list|describe|help)( [\\w,=.*%-]+)* $", level: "low" },
      { names: "cellcli dbmcli", if: " -e (drop|alter␠cell␠(shutdown|restart)|alter cell (shutdown|restart))",
        level: "high" },
      { names: "kfed", if: "^ read /dev/\\S+( (aun|blkn|ausz|aunum|blknum)=\\d+)* $", level: "low" },
      { names: "kfed", words: "write repair merge", level: "high", why: "changes what a disk group is made of" },
      { names: "admintools", level: "low",
        if: " (-t|--tool)[ =](list_allnodes|list_db|list_host|list_node|show_active_db|view_cluster|db_status) " },
      { names: "admintools", if: " (-t|--tool)[ =](stop_\\w+|drop_db|kill_\\w+|db_remove_node)", level: "high" },
      { names: "saphostctrl", level: "low", if: " -function (ListInstances|ListDatabases|ListDatabaseSystems|" +
        "GetDatabaseStatus|GetDatabaseSystemStatus|GetComputerSystem|GetOperatingSystem|Ping) " },
      { names: "saphostctrl", if: " -function Stop", level: "high" },
      { names: "check_postgres.pl check_postgres", level: "low",
        if: " --action=(archive_ready|autovac_freeze|backends|bloat|checkpoint|cluster_id|commitratio|connection|" +
          "database_size|dbstats|disabled_triggers|disk_space|fsm_pages|fsm_relations|hitratio|hot_standby_delay|" +
          "index_size|last_(auto)?(analyze|vacuum)|listener|locks|prepared_txns|query_runtime|query_time|" +
          "relation_size|replication_slots|sequence|settings_checksum|table_size|timesync|txn_idle|txn_time|" +
          "txn_wraparound|version|wal_files) " },
      { names: "check_postgres.pl check_postgres", if: " --?(dbname|db)[ =]\\S*=", level: "medium",
        why: "takes its settings from a text" },
      { names: "pg_conftool", level: "low",
        if: "^( -\\S+)*( \\d+(\\.\\d+)? [\\w-]+)?( postgresql\\.conf)? show (?!\\S*(conninfo|command))\\w+ $" },
      { names: "epmd", if: "^( -port \\d+)? -names $", level: "low" },
      { names: "epmd", words: "-kill -stop", level: "high", why: "nodes no longer find each other" },
      // Their settings may name a command whose output they take (`@|"…"`).
      { names: "bareos-dir bareos-sd bareos-fd bacula-dir bacula-sd bacula-fd", level: "low",
        if: "^( -v| -c /etc/\\S+)* -[tv]*t[tv]*( -v| -c /etc/\\S+)* $" },
      { names: "bareos-dir bareos-sd bareos-fd bacula-dir bacula-sd bacula-fd", does: { is: "reads", after: "-c" } },
      { names: "amadmin", level: "low",
        if: "^ [\\w.-]+ (version|tape|hosts|dles|disklist|info|due|find|balance|holding list)( [\\w./:-]+)* $" },
      { names: "amadmin", if: "^ [\\w.-]+ (delete|holding delete|force)( |$)", level: "high" },
      { names: "burp", if: "^( -[Cbr] \\S+)* -a (l|L|list)( -[Cbr] \\S+)* $", level: "low" },
      { names: "act", if: "^( -[WejP] \\S+)* (-l|--list)( -[WejP] \\S+)* $", level: "low" },
      { names: "mkcert", words: "-CAROOT", level: "low" },
      { names: "direnv", if: "^ (status|version)( --json)? $", level: "low" },
      { names: "aptly", level: "low",
        if: "^ ((mirror|repo|snapshot|publish) (list|show)|snapshot (diff|search)|package (show|search)|version)" +
          "( |$)" },
      { names: "aptly", if: "^ ((mirror|repo|snapshot|publish) drop|repo remove|db cleanup)( |$)", level: "high" },
      { names: "lego", if: "^( --path \\S+)* list( --(names|accounts))* $", level: "low" },
      { names: "git-lfs", if: "^ (ls-files|env|status|version|locks)( |$)", level: "low" },
      { names: "bucardo", if: "^ (status|list|show)( [\\w.-]+)* $", unless: " show ", level: "low" },
      { names: "bucardo", if: "^ (stop|remove|delete|del|purge)( |$)", level: "high" },
      { names: "zeekctl", if: "^ (status|nodes|df|peerstatus|netstats)( [\\w.-]+)* $", level: "low" },
      { names: "zeekctl", if: "^ (stop|cleanup)( |$)", level: "high" },
      { names: "suricata", if: "^ --(build-info|list-keywords|list-app-layer-protos|list-runmodes)\\S* $",
        level: "low" },
      { names: "csf", if: "^ -(l|l6|t|p|v|g [\\w.:]+|i [\\w.:]+) $", level: "low" },
      { names: "csf", if: "^ (-x|-f|-tf|--disable|--stop|-df|-ar|-dr)( |$)", level: "high" },
      { names: "bbb-conf", if: "^ --(status|version|network) $", level: "low" },
      { names: "opensips-cli", if: "^ -x mi (ps|uptime|version|which|get_statistics( [\\w:]+)+|ds_list|dr_gw_status|" +
        "ul_dump|dlg_list|fifo_statistics)( -\\S+)* $", level: "low" },
      { names: "lncli", level: "low", if: "^( --network[ =]\\w+)* (getinfo|listchannels|pendingchannels|listpeers|" +
        "walletbalance|channelbalance|closedchannels|describegraph|getnetworkinfo|version|wallet status)( --\\w+)* $" },
      { names: "mysqld mariadbd", if: "^( --no-defaults)*( --verbose| -v)* --(help|validate-config) $", level: "low" },
      { names: "postgres", level: "low",
        if: "^( -D /\\S+)* -C (?!\\S*(conninfo|command))\\w+( -D /\\S+)* $|^ --describe-config $" },
      { names: "dockerd", if: "^ --validate( --config-file[ =]\\S+)* $", level: "low" },
      { names: "dockerd", does: { is: "reads", after: "--config-file" } },
      { names: "slurmd", if: "^ -C $", level: "low" },
      { names: "kafka-storage.sh kafka-storage", level: "low",
        if: "^ (random-uuid|version-mapping|info (-c|--config)[ =]\\S+) $" },
      { names: "kafka-storage.sh kafka-storage", does: { is: "reads", after: "-c --config" } },
      { names: "kafka-storage.sh kafka-storage", if: "^ format ", level: "high", why: "formats a store" },
      { names: "ssm-cli", if: "^ get-(instance-information|diagnostics)( --output[ =]\\w+)* $", level: "low" },
      { names: "amazon-cloudwatch-agent-ctl", if: "^( -m \\w+)* -a status( -m \\w+)* $", level: "low" },
      { names: "amazon-cloudwatch-agent-ctl", if: " -a (stop|remove-config)", level: "high" },
      { names: "gpconfig", if: " (-s|--show|-l|--list)[ =]", level: "low" },
      // xCAT has one of this name that sets how a node starts.
      { names: "nodeset", if: " (-[cefl]+|--(count|expand|fold|list)) ", level: "low" },
      serverClient,
      { names: "loki promtail", if: "^ --?version ", level: "low" },
    ],
    match: { low: ["nutcracker -t -c /etc/nutcracker.yml", "loki -verify-config -config.file=/etc/loki.yml",
        "falco --list-events",
        "jboss-cli.sh -c --command=':read-attribute(name=server-state)'", "jattach 42 threaddump", "just --list",
        "clickhouse-keeper-client -q ruok", "cellcli -e list cell detail", "kfed read /dev/sdb1",
        "admintools -t list_allnodes", "saphostctrl -function ListInstances", "pg_conftool 15 main show all",
        "check_postgres.pl --action=bloat --dbname=a", "gpconfig -s max_connections", "nodeset -f n1 n2"],
      medium: ["nutcracker -d", "just deploy", "jattach 42 load /srv/a.so", "nodeset n1 boot", "falco -L"],
      high: ["jboss-cli.sh -c --command=:shutdown", "kfed repair /dev/sdb1", "cellcli -e drop celldisk all",
        "admintools -t stop_db -d a", "clickhouse-keeper-client -q 'rmr /a'", "saphostctrl -function StopInstance"],
      block: ["nutcracker -t --conf-file=/etc/shadow"] } },
  { id: "client.percona", names: `${percona} pt-diskstats`, level: "low",
    rows: [
      { if: "[ ,]h=(?!localhost|127\\.)", level: "medium", why: "asks another host" },
      { names: "pt-heartbeat", unless: " --(check|monitor|version|help) ", level: "medium", why: "writes its rows" },
      { names: percona, words: "", reach: { kind: "service", options: { host: "-h --host" } } },
    ],
    match: { low: ["pt-heartbeat -D ops --check", "pt-find --engine InnoDB shop", "pt-slave-find h=localhost"],
      medium: ["pt-heartbeat -D ops --update", "pt-slave-find h=db2.internal"] } },
  { id: "client.lookups", level: "low",
    names: "rbac-lookup rakkess kube-capacity traffic_via collectd-nagios elasticsearch-croneval gstat phpquery " +
      "ccache svnversion perror oid2name memcping memcdump barman-cloud-backup-list " +
      "barman-cloud-backup-show barman-cloud-check-wal-archive gpstate sstableexpiredblockers clickhouse-format oerr " +
      "olsnodes ocrcheck kfod imageinfo imagehistory dbv nzstate gearadmin qpid-stat qdstat skstat " +
      "dspmq dspmqver dspmqaut dspmqfls " +
      "dspmqcsv dspmqinf dmpmqaut sidekiqmon rqinfo",
    rows: [
      { names: "gearadmin", words: "--shutdown --drop-function --cancel-job", level: "high" },
      { names: "memcping memcdump", words: "",
        reach: { kind: "service", options: { host: "-s --servers" } } },
      { names: "oid2name", words: "", reach: { kind: "service", options: { host: "-H -h --host" } } },
      { names: "gearadmin", words: "", reach: { kind: "service", options: { host: "-h --host" } } },
      { names: "qpid-stat qdstat skstat", words: "",
        reach: { kind: "service", options: { host: "-b --broker --bus" } } },
      { names: "rbac-lookup rakkess kube-capacity barman-cloud-backup-list barman-cloud-backup-show " +
        "barman-cloud-check-wal-archive", ...service },
    ],
    match: { low: ["perror 28", "memcping --servers=localhost", "dspmq -o all", "qpid-stat -q", "gearadmin --status"],
      high: ["gearadmin --shutdown"] } },
  { id: "client.files", level: "low",
    names: "monmaptool osdmaptool traffic_logstats jarsigner gofmt monodis pt-fingerprint pt-align pt-visual-explain " +
      "mloginfo mlogfilter rdb sqlite3_analyzer sqldiff pg_filedump pg_walsummary sstabledump auditlogviewer " +
      "whisper-diff whisper-diff.py db2diag jdeprscan",
    rows: [
      { names: "jarsigner", unless: " -verify ", level: "medium", why: "signs a file" },
      { names: "gofmt", words: "-w", level: "medium" },
      { names: "db2diag", words: "-A -archive", level: "medium", why: "puts the log away" },
      { names: "rdb", words: "-f --file", level: "medium" },
      { names: "traffic_logstats", does: { is: "reads", after: "-f --log_file" } },
      { names: "sstabledump", if: "system_auth", level: "high", why: "shows hashes of passwords" },
      { does: "read" },
    ],
    match: { low: ["gofmt -l main.go", "sqldiff /srv/a.db /srv/b.db", "rdb -c memory /srv/dump.rdb",
        "jarsigner -verify /srv/a.jar"],
      medium: ["gofmt -w main.go", "jarsigner /srv/a.jar web", "db2diag -A"],
      high: ["sstabledump /srv/data/system_auth/roles-1/a-Data.db"],
      block: ["pt-fingerprint /etc/shadow"] } },
];

// What only reads of them.

/** Each verb behind each noun: `host_list`, `host_info`. */
const each = (nouns: string, verbs: string): string =>
  nouns
    .split(" ")
    .flatMap((noun) => verbs.split(" ").map((verb) => `${noun}_${verb}`))
    .join(" ");

// biome-ignore format: filled to the width
const clouds: ReadTable = {
  flarectl: looks("zone_list zone_info z_list z_info dns_list d_list user_info ips " +
    "firewall_rules_list", "--ip-type= --zone= --json --id= --type= " +
    "--name="),
  cloudflared: looks("tunnel_list tunnel_info tunnel_route_ip_show tunnel_vnet_list version", "-o= --output= -r -n= " +
    "--name= -i= --id= --show-deleted"),
  scalingo: looks("apps apps-info ps stats logs deployments timeline domains addons collaborators whoami regions " +
    "version notifiers alerts", "-a= --app= --region= -n= --lines= -f --follow --filter= --stream"),
  clever: looks("status activity applications_list version", "-a= --app= --alias= -F= --format="),
  // `get` and `describe` show variables.
  koyeb: looks(`${each("services service apps app deployments instances", "list logs")} domains_list ` +
    "version", "-a= --app= -t= --type= --since= --limit="),
  neonctl: looks(`${each("projects branches", "list get")} databases_list roles_list operations_list me`,
    "-o= --output= --project-id= --org-id= --branch="),
  supabase: looks("projects_list functions_list branches_list orgs_list", "-o= --output= --project-ref="),
  upctl: looks(`${each("server storage network router loadbalancer gateway kubernetes", "list show")} zone_list ` +
    "ip-address_list database_list account_show server_plans", "-o= --output= --all"),
  ionosctl: looks(`${each("datacenter server volume lan nic location image snapshot ipblock k8s_cluster k8s_nodepool " +
    "request", "list get")} version`,
    "--datacenter-id= --server-id= --volume-id= --lan-id= --cluster-id= --nodepool-id= --request-id= -i= -o= " +
    "--output= --cols= -F= --filters= --no-headers -D= --depth="),
  stackit: looks(`${each("server project volume network load-balancer ske_cluster dns_zone postgresflex_instance",
    "list describe")}`, "-p= --project-id= -o= --output-format= --limit="),
  yc: looks(`${each("compute_instance compute_disk vpc_network vpc_subnet managed-kubernetes_cluster " +
    "managed-postgresql_cluster load-balancer_network-load-balancer resource-manager_cloud resource-manager_folder",
    "list get")} managed-postgresql_hosts_list compute_instance_get-serial-port-output version`,
    "--format= --folder-id= --cloud-id= --limit= --id= --name= --profile="),
  tccli: looks("cvm_DescribeInstances cvm_DescribeInstancesStatus cvm_DescribeZones cvm_DescribeRegions " +
    "cvm_DescribeImages vpc_DescribeVpcs vpc_DescribeSubnets vpc_DescribeSecurityGroups clb_DescribeLoadBalancers " +
    "cdb_DescribeDBInstances tke_DescribeClusters monitor_DescribeAlarmHistories",
    "--region= --filter= --output= --profile= --Limit= --Offset= --InstanceIds= --cli-unfold-argument"),
  atlas: looks(`${each("clusters alerts processes projects", "list describe")} organizations_list metrics_processes ` +
    "backups_snapshots_list backups_restores_list accessLists_list performanceAdvisor_slowQueryLogs_list",
    "--projectId= --orgId= -o= --output= --limit= --page= --period= --granularity= --type= --status= " +
    "--clusterName= --processName= -P= --profile="),
  confluent: looks(`${each("kafka_topic kafka_cluster kafka_consumer_group kafka_link environment connect_cluster",
    "list describe")} kafka_broker_list kafka_acl_list kafka_partition_list schema-registry_cluster_describe ` +
    "iam_user_list iam_service-account_list ksql_cluster_list version",
    "--cluster= --environment= -o= --output= --context="),
  cinder: looks("list show type-list snapshot-list snapshot-show backup-list backup-show service-list quota-show " +
    "get-pools availability-zone-list absolute-limits transfer-list", "--all-tenants --status= --limit= --detail " +
    "--host= --binary="),
  neutron: looks("net-list net-show subnet-list subnet-show port-list port-show router-list router-show " +
    "router-port-list floatingip-list floatingip-show security-group-list security-group-show agent-list agent-show " +
    "dhcp-agent-list-hosting-net l3-agent-list-hosting-router lbaas-loadbalancer-list lbaas-pool-list quota-show",
    "-c= --column= -f= --format= -F= --all-tenants"),
  glance: looks("image-list image-show member-list task-list task-show", "--limit= --visibility= --sort= --image-id="),
  heat: looks("stack-list resource-list resource-show event-list event-show service-list", "-g -f= --filters= -n= " +
    "--nested-depth= --limit="),
  ironic: looks("node-list node-show-states node-port-list port-list driver-list", "--detail --limit= --maintenance= " +
    "--provision-state="),
  manila: looks("list show type-list share-network-list share-server-list service-list snapshot-list pool-list",
    "--all-tenants --status= --limit= --columns="),
  magnum: looks("cluster-list cluster-show cluster-template-list service-list", "--limit= --fields="),
  trove: looks("list database-list flavor-list datastore-list backup-list", "--limit= --include_clustered"),
  aodh: looks("alarm_list alarm_show alarm-history_show capabilities_list", "-f= -c= --type= --limit="),
  gnocchi: looks("metric_list metric_show resource_list resource_show measures_show status archive-policy_list " +
    "capabilities_list", "-f= -c= --type= -t= --resource-id= -r= --start= --stop= --aggregation= --granularity="),
  awslogs: looks("groups streams get", "-s= --start= -e= --end= -f= --filter-pattern= --aws-region= --profile= -S -G " +
    "--no-color --timestamp -p= --log-group-prefix="),
  sam: { options: "--region= --profile= --output=", sub: {
    "list_resources list_endpoints list_stack-outputs": { options: "--stack-name=" },
    logs: { options: "-n= --name= --stack-name= -t --tail --filter= -s= --start-time= -e= --end-time=" } } },
  rain: looks("ls log", "-a --all -r= --region= -p= --profile= -l --long"),
  cbt: looks("ls count listinstances listclusters listappprofile getappprofile help", "-project= -instance="),
  // Platforms.
  bosh: looks("environments envs deployments ds deployment dep vms instances is stemcells ss releases rs tasks ts " +
    "task t locks " +
    "environment env disks events event errands es snapshots variables orphaned-vms inspect-release",
    "-d= --deployment= -e= --environment= --json -n --non-interactive --tty --no-color -r= --recent= -a --all " +
    "--event " +
    "--cpi --result --ps -p -i --details --vitals --dns --cloud-properties --failing --orphaned --column= --before= " +
    "--after= --instance= --task= --action= --user="),
  "chef-server-ctl graylog-ctl": looks("status service-list tail help version"),
  "chef-automate": looks("status version service-versions license_status"),
  hab: looks("svc_status sup_status pkg_list pkg_path pkg_info pkg_dependencies pkg_provides", "-a --all"),
  rudder: looks("agent_health agent_info agent_version"),
  hammer: looks(`${each("host hostgroup organization location content-view lifecycle-environment product repository " +
    "subscription sync-plan task domain subnet environment capsule proxy user role erratum package host-collection " +
    "job-invocation template operatingsystem architecture medium fact", "list info")} host_status ` +
    "content-view_version_list report_list config-report_list config-report_info ping status",
    "--search= --organization= --organization-id= --location= --id= --name= --page= --per-page= --fields= --output= " +
    "--order= --content-view= --csv --full-results --host= --host-id= --lifecycle-environment="),
  spacecmd: looks("system_list system_details system_listerrata system_listinstalledpackages system_listevents " +
    "system_listupgrades system_search system_listchildchannels system_listbasechannel group_list group_details " +
    "group_listsystems softwarechannel_list softwarechannel_details softwarechannel_listpackages " +
    "softwarechannel_listerrata softwarechannel_listsystems errata_list errata_details errata_listaffectedsystems " +
    "errata_listcves package_search package_details schedule_list schedule_listpending schedule_listfailed " +
    "schedule_listcompleted schedule_details configchannel_list org_list user_list distribution_list kickstart_list " +
    "report_inactivesystems report_outofdatesystems report_ungroupedsystems report_errata report_ipaddresses " +
    "report_kernels whoami", "-q --quiet"),
  cobbler: looks("list status version system_list distro_list profile_list repo_list image_list"),
  "foreman-maintain satellite-maintain": looks("service_status service_list health_list upgrade_list-versions " +
    "maintenance-mode_status", "-b --brief --failing"),
  wwctl: looks("node_list profile_list container_list image_list overlay_list node_status kernel_list " +
    "version", "-n --net -l --long"),
  "oc-mirror": looks("list_operators list_releases list_updates version", "--catalogs --catalog= --package= " +
    "--channel= --version= --channels"),
  crc: looks("status version ip config_get", "-o= --output="),
};

// biome-ignore format: filled to the width
const clusters: ReadTable = {
  oras: looks("version repo_ls repo_list repo_tags resolve manifest_fetch manifest_fetch-config discover",
    "--format= --descriptor --pretty --platform= -v --verbose --artifact-type= --last= --exclude-digest-tags"),
  umoci: looks("list ls stat", "--layout= --image= --json --log= --verbose"),
  buildctl: looks("du debug_workers debug_info debug_histories", "-v --verbose -f= --filter= --format="),
  "kata-runtime": looks("env kata-env metrics", "--json"),
  crio: looks("version status_info status_containers"),
  kubeaudit: looks("all apparmor asat capabilities hostns image limits mounts netpols nonroot privesc privileged " +
    "rootfs seccomp version", "-f= --manifest= -n= --namespace= -c= --context= -m= --minseverity= -p= --format= -e= " +
    "--exitcode= --includegenerated --no-color"),
  kapp: looks("ls list inspect logs app-change_list version", "-a= --app= -n= --namespace= -A --all-namespaces -t " +
    "--tree -s --status --filter-kind= --filter-name= --filter-ns= -f --follow --json --column= -m= --pod-name= " +
    "--lines= --container-tag="),
  kctrl: looks("app_list app_get app_status package_available_list package_available_get package_installed_list " +
    "package_installed_get package_installed_status package_repository_list package_repository_get version",
    "-a= --app= -i= --package-install= -p= --package= -r= --repository= -n= --namespace= -A --all-namespaces --json " +
    "--column= --values-schema"),
  imgpkg: looks("tag_list describe version", "-i= --image= -b= --bundle= --digests --json --column= --output-type="),
  kpt: looks("live_status pkg_tree version", "--output= --inv-type="),
  vela: looks("ls list status logs version env_ls def_list def_get addon_list addon_status components traits " +
    "workloads cluster_list", "-n= --namespace= -A --tree --detail --detail-format= --endpoint --metrics -e= --env="),
  "consul-k8s": looks("status version proxy_list", "-n= -namespace= -A -all-namespaces -context="),
  kumactl: looks(`${each("get", "meshes mesh dataplanes dataplane zones zone zone-ingresses zoneegresses " +
    "traffic-permissions meshservices circuit-breakers health-checks meshtimeouts meshhttproutes")} ` +
    `${each("inspect", "dataplanes meshes zones services zone-ingresses")} config_control-planes_list version`,
    "-m= --mesh= -o= --output= --size= --offset= --tag="),
  glooctl: looks(`check version ${each("get", "upstreams upstream virtualservices virtualservice proxy proxies " +
    "routetables upstreamgroup")}`, "-n= --namespace= -o= --output= --name="),
  fission: looks(`${each("function fn environment env package pkg httptrigger route timetrigger tt mqtrigger mqt",
    "list")} fn_getmeta function_getmeta package_info pkg_info fn_logs function_logs version check`,
    "-n= --namespace= --name= -A --all-namespaces -f --follow"),
  "faas-cli": looks("list ls logs version namespaces", "-g= --gateway= -n= --namespace= -v --verbose -q --quiet " +
  "--sort= " +
    "--tail --since= --lines= --instance"),
  subctl: looks(`${each("show", "all connections endpoints gateways networks versions brokers")} version`,
    "--context= -n= --namespace="),
  "cilium-health": looks("status ping", "-o= --output= --probe --verbose --succinct"),
  antctl: looks(`${each("get", "agentinfo controllerinfo networkpolicy ovsflows podinterface addressgroup " +
    "appliedtogroup serviceexternalip memberlist")} version`, "-o= --output= -n= --namespace= -p= -N= -G= -F= " +
    "--type= --sort-by="),
  sonobuoy: looks("status version", "-n= --namespace= --json --show-all --short"),
  linstor: looks(`${each("node n", "list l info")} ${each("resource r", "list l list-volumes lv")} ` +
    `${each("volume v storage-pool sp resource-definition rd volume-definition vd resource-group rg snapshot s " +
    "physical-storage ps", "list l")} ${each("error-reports err", "list l show s")} controller_version c_v ` +
    "node_interface_list schedule_list backup_list advise_resource advise_r",
    "-m --machine-readable -r= --resources= -n= --nodes= -p --pastable -s= --storage-pools= --faulty --no-color " +
    "--groupby= --controllers="),
  pxctl: looks("status volume_list v_l volume_inspect v_i cluster_list c_l cluster_inspect alerts_show " +
    "service_pool_show service_kvdb_members service_kvdb_endpoints cloudsnap_list cloudsnap_status cs_list cs_status " +
    "sched-policy_list license_list clouddrive_list", "-j --json"),
  storkctl: looks(each("get", "applicationbackups applicationclones migrations migration migrationschedules " +
    "snapshots snapshot volumesnapshots groupvolumesnapshots clusterdomainsstatus schedulepolicy " +
    "applicationregistrations"), "-n= --namespace= -o= --output= --all-namespaces"),
  juicefs: looks("status info stats summary version quota_ls quota_list quota_get", "--interval= -l= --verbosity= " +
    "--schema= -s= --session= -r --recursive -i --inode --depth= --entries= --csv --path= --strict"),
  "heketi-cli": looks(`${each("cluster node volume blockvolume", "list info")} device_info topology_info ` +
    "server_operations_info server_mode_get", "--json"),
  "cephfs-top": { options: "--dump --id= --cluster= -d= --delay=" },
  "rbd-nbd": looks("list-mapped", "--format= --pretty-format"),
  gstatus: { options: "-a --all -b -v --volume -x -q -s --state -u= --units= -o= --output-mode= -t= --timeout= " +
    "--version -h --help" },
  monmaptool: { options: "--print" },
  osdmaptool: { options: "--print --tree --tree= --health --test-map-pgs --test-map-pgs-dump --pool= --test-map-pg= " +
    "--test-map-object= -f= --format=" },
  "cephfs-journal-tool": looks("journal_inspect header_get event_get_summary", "--rank= --journal="),
  lctl: looks("dl list_nids get_param list_param which_nid ping peer_list net_stats device_list nodemap_info",
    "-n -N -F -R -t"),
  lnetctl: looks(each("net peer stats route routing global", "show"), "--net= --nid= -v --verbose --detail"),
  // Its operands are hosts: of the names alone none is a stranger's.
  kudu: { sub: { ["cluster_ksck table_list table_describe tserver_list tserver_status master_list master_status " +
    "remote_replica_list"]: { names: /^[\w-]+(:\d+)?(,[\w-]+(:\d+)?)*$/ } }, options: "-format= --format= " +
    "-columns= --columns= -tables= --tables= -tablets= --tablets= " +
    "-list_tablets --list_tablets -ksck_format= --ksck_format= -sections= --sections= -timeout_ms= --timeout_ms=" },
  oozie: { sub: {
    jobs: { options: "-len= -jobtype= -filter= -offset= -verbose -localtime -timezone= -status=" },
    job: { options: "-info= -log= -definition= -verbose -len= -order= -timezone= -localtime" },
    admin: { options: "-status -version -instrumentation -metrics -servers" } } },
  alluxio: looks("fsadmin_report fs_ls fs_stat fs_du fs_count fs_getfacl fs_location", "-R -h -d -f -p"),
  "ambari-server ambari-agent": looks("status"),
  "proxmox-backup-manager": looks("datastore_list datastore_show garbage-collection_status task_list task_log " +
    "disk_list disk_smart-attributes subscription_get versions network_list sync-job_list verify-job_list " +
    "prune-job_list", "--output-format= --verbose"),
  pveceph: looks("status pool_ls pool_get osd_details", "--output-format= --noborder --verbose"),
  "pve-firewall": looks("status localnet compile simulate", "--from= --to= --protocol= --dport= --sport= --source= " +
    "--dest= --verbose"),
  pveam: looks("list available", "--section="),
  mmhealth: looks("cluster_show node_show event_show thresholds_list", "-N= -Y --unhealthy --verbose -v"),
  mmces: looks("state_show node_list address_list service_list events_list events_active", "-a -N= -Y --full"),
  dsmc: looks(each("query q", "session filespace backup archive schedule options mgmtclass inclexcl node"),
    "-subdir= -inactive -detail -fromdate= -todate="),
  pvenode: looks("task_list task_log task_status config_get", "--output-format= --errors --limit= --vmid= --property="),
};

// biome-ignore format: filled to the width
const databases: ReadTable = {
  emqx_ctl: looks("status broker broker_stats broker_metrics clients_list clients_show topics_list topics_show " +
    "subscriptions_list subscriptions_show listeners plugins_list cluster_status rules_list rules_show vm vm_all " +
    "vm_memory retainer_info retainer_topics trace_list"),
  "vmq-admin": looks(each("cluster metrics session listener retain plugin", "show"), "--limit= --client_id " +
    "--client_id= --user --node --queue_size --is_online --is_online="),
  "riak-repl": looks("status clusterstats connections modes"),
  "qpid-config": looks("queues exchanges", "-r --recursive -t= --timeout="),
  nsc: looks("list_accounts list_users list_operators describe_account describe_user describe_operator env validate",
    "-a= --account= -n= --name="),
  topicctl: looks(each("get", "brokers topics groups lags members config balance partitions offsets controllerid"),
    "--cluster-config="),
  pbm: looks("status list logs describe-backup describe-restore version", "-e= --event= -t= --tail= -s= --severity= " +
    "-n= --node= -o= --out= --full --restore -f --follow --timezone="),
  "pmm-admin": looks("status list inventory_list_nodes inventory_list_services inventory_list_agents", "--json " +
    "--wait= --service-type= --node-id="),
  "pgagroal-cli": looks("ping status status_details conf_get conf_ls", "-c= --config= -p= -U= -v --format="),
  "pgmoneta-cli": looks("ping status status_details list-backup conf_get conf_ls", "-c= --config= -p= -U= -v " +
    "--format="),
  efm: looks("cluster-status cluster-status-json node-status-json"),
  pg_probackup: looks("show", "-B= --backup-path= --instance= -i= --backup-id= --format= --archive"),
  sctool: looks("status cluster_list tasks task_list task_history task_progress progress version", "-c= --cluster= " +
    "-a --all --details --full --limit="),
  dsetool: looks("status ring node_health inmemorystatus", "--all"),
  medusa: looks("list-backups status get-last-complete-backup", "--backup-name= --show-all"),
  "clickhouse-backup": looks("list list_local list_remote list_all tables default-config help", "-a --all -t= " +
    "--table="),
  influx_inspect: looks("report reporttsi report-db report-disk verify verify-seriesfile verify-tombstone dumptsm " +
    "dumptsi dumptsmwal", "-detailed -exact -dir= -pattern= -index -blocks -all -filter-key="),
  kapacitor: looks("list show show-template show-topic stats_general stats_ingress watch version list_tasks " +
    "list_recordings list_replays list_templates list_topics list_topic-handlers list_service-tests"),
  "tempo-cli": looks("list_blocks list_block list_index list_cache-summary list_column view_index analyse_block " +
    "analyse_blocks", "--backend= --bucket= --load-index --include-compacted"),
  grafana: looks("cli_plugins_ls cli_plugins_list-remote cli_plugins_list-versions", "--homepath= -v --version"),
  "grafana-server": { options: "-v -h --version --help", sub: {} },
  netdatacli: looks("ping version aclk-state aclk-state_json"),
  "cmk-agent-ctl": looks("status", "--json --no-query-remote"),
  mkp: looks("list show show-all files", "--json"),
  "elastic-agent": looks("status version", "--output="),
  "elasticsearch-users": looks("list"),
  curator_cli: looks("show_indices show_snapshots show-indices show-snapshots", "--verbose --header --epoch " +
    "--filter_list= --repository= --ignore_empty_list"),
  vespa: looks("status version log", "-w= --wait="),
  splunk: looks(`status version help ${each("list", "forward-server monitor index search-server deploy-clients " +
    "shcluster-members cluster-peers inputstatus")} ${each("show", "splunkd-port web-port default-hostname " +
    "servername " +
    "cluster-bundle-status cluster-status shcluster-status kvstore-status maintenance-mode")} btool_check`),
  tetra: looks("status version getevents tracingpolicy_list tp_list sensors_list loglevel_get", "-o= --output= " +
    "--process= --pod= -n= --namespace= --color= --timestamps --event-types= -e="),
  cbbackupmgr: looks("info", "-a= --archive= -r= --repo= -b= --backup= -j --json --all --bucket="),
  nuocmd: looks(`${each("show", "domain servers database archives")} ${each("check", "servers database")}`,
    "--db-name= --show-json"),
  gadmin: looks("status version", "-v --verbose"),
  dmctl: looks("query-status list-member show-ddl-locks", "--master-addr= -s= --source= --more --master --worker " +
    "--leader -a --all"),
  cdc: looks("cli_changefeed_list cli_capture_list cli_processor_list version", "--server= --pd="),
  obd: looks("cluster_list mirror_list"),
  "sdb-admin memsql-admin memsqlctl": looks("list-nodes list-hosts list-versions show-leaves show-aggregators " +
  "version", "--json -j -q --quiet --role= --memsql-id="),
  "yb-admin": looks("list_all_masters list_all_tablet_servers list_tablet_servers list_tables list_tablets " +
    "list_namespaces list_snapshots list_snapshot_schedules list_cdc_streams list_change_data_streams " +
    "get_universe_config get_load_balancer_state get_is_load_balancer_idle get_leader_blacklist_completion " +
    "get_load_move_completion get_auto_flags_config get_table_hash", "--master_addresses= -master_addresses= " +
    "--init_master_addrs= --timeout_ms= -timeout_ms= " +
    "--certs_dir_name= -certs_dir_name="),
  yugabyted: looks("status version"),
  tt: looks("status instances version binaries_list"),
  litestream: looks("databases generations snapshots wal ltx version", "-no-expand-env"),
  dolt: looks("status log ls diff show version blame schema_show", "-n= --oneline --parents --stat --all --decorate= " +
    "--system -v --verbose --summary", { branch: { options: "-a --all -v --verbose --list --show-current" } }),
  opatch: looks("lsinventory lspatches version", "-detail -oh= -patch -all -bugs_fixed"),
  oifcfg: looks("getif iflist", "-p -n"),
  oclumon: looks("dumpnodeview version", "-n= -allnodes -last= -s= -e= -v -process -device -protocols -filesystem " +
    "-nics"),
  acfsutil: looks("info_fs info_file info_storage info_id snap_info version", "-o= -l -t"),
  emctl: looks("status_agent status_oms status_dbconsole status_blackout config_agent_listtargets"),
  opmnctl: looks("status", "-l"),
  odacli: looks("list-databases list-jobs list-dbhomes list-dbstorages list-networks " +
    "list-nodes list-backupconfigs list-schedules list-vms describe-appliance describe-job describe-component " +
    "describe-database describe-dbhome describe-system describe-latestpatch", "-i= -j -v -in= -s="),
  nzsession: looks("show", "-maxColW= -type= -orderBy="),
  HDB: looks("info version proc"),
};

const lsf = "-V -h -w -l -noheader -json";
const perconaOptions =
  "-A= --charset= -D= --database= -h= --host= -P= --port= -S= --socket= -u= --user= --version --help " +
  "--no-version-check";
const queueManager = "-m= -n= -t= -p= -g= -s=";

// biome-ignore format: filled to the width
const instruments: ReadTable = {
  // Jobs and high availability.
  "bacct": { options: `${lsf} -x -u= -q= -m= -P= -J= -C= -D= -S= -N= -d -e -E -b`, names: /^\d+(\[\d+\])?$/ },
  "bslots": { options: "-W= -n= -l -V -h" },
  "busers": { options: "-w -V -h", names: /^[\w.@-]+$/ },
  "bugroup bmgroup": { options: "-l -r -w -u= -cname -V -h", names: /^[\w.@-]+$/ },
  "blimits": { options: "-w -l -n= -c -A -P= -q= -u= -m= -V -h" },
  "bresources": { options: "-s -g -l -m -q= -V -h", names: /^[\w.-]+$/ },
  "lshosts": { options: `${lsf} -s -a -T -cname -gpu -R= -o=`, names: /^[\w.-]+$/ },
  "lsload": { options: `${lsf} -s -a -N -E -cname -gpu -I= -n= -o= -R=`, names: /^[\w.-]+$/ },
  "lsid": { options: "-V -h" },
  "lsinfo": { options: "-l -m -M -r -t -V -w -h", names: /^[\w.-]+$/ },
  "bparams": { options: "-a -l -V -h" },
  badmin: looks("showstatus showconf_mbd perfmon_view ckconfig hist mbdhist hhist qhist", "-v -l"),
  lsadmin: looks("ckconfig showconf_lim", "-v"),
  qhost: { options: "-help -h= -j -q -xml -l= -u= -F= -ncb" },
  qacct: { options: "-help -ar= -A= -b= -d= -e= -g= -h= -j= -l= -m -o= -pe= -q= -slots= -t= -P= -D= -E -u=" },
  qquota: { options: "-help -h= -l= -u= -P= -pe= -q= -xml" },
  checkjob: { options: "-v -A", names: /^[\w.[\]-]+$/ },
  showbf: { options: "-A -c= -d= -f= -g= -m= -n= -p= -q= -u= -v -S" },
  showres: { options: "-n -r -s -v -g", names: /^[\w.-]+$/ },
  showstart: { options: "-e= -f -g= -p=", names: /^[\w.@:[\]-]+$/ },
  showstats: { options: "-v -s -n" },
  momctl: { options: "-d= -h=" },
  condor_version: { options: "-help -arch -opsys -all" },
  condor_userprio: { options: "-help -all -allusers -usage -quotas -most -priority -flat -long" },
  condor_who: { options: "-help -quick -allpids -daemons -jobs -long" },
  condor_ping: { options: "-help -verbose -table -type= -name= -quiet", names: /^[A-Z_]+$/ },
  condor_router_q: { options: "-S -idle -held -help" },
  sjstat: { options: "-c -r -v" },
  sjobexitmod: { options: "-l -h -man", names: /^\d+$/ },
  "cluset nodeset": { names: true, options: "-a --all -R --rangeset " +
    "-c --count -e --expand -f --fold -l -ll -lll --list --list-all -L -r " +
  "--regroup -s= " +
    "--groupsource= -G --groupbase -S= --separator= -O= --output-format= -q --quiet --autostep= -i= --intersection " +
    "-x= --exclude= -X= --xor= -I= --slice= --split= --contiguous --axis= --pick= -d --debug --version -h --help" },
  clustat: { options: "-i= -f -x -Q -m= -s= -v -l" },
  cman_tool: looks("status nodes services version", "-a -f"),
  cl_status: looks("hbstatus listnodes nodestatus nodeweight listhblinks hblinkstatus", "-m -w -n"),
  crmadmin: { options: "--help-all --help-output --help-additional --text-fancy --help-command " +
    "-h --help -S= --status= -P --pacemakerd -D --dc_lookup -N= --nodes= -t= --timeout= -B " +
    "--bash-export -V --verbose -q --quiet --version --output-as=" },
  crm_ticket: { options: "-h --help -l --info -L --details -c --constraints -G= --get-attr= -d= --default= -t= " +
    "--ticket= -Q --quiet -V --verbose --version" },
  crm_error: { options: "--help-all --help-output --help-additional --text-fancy " +
    "-h --help --output-as= --version -V --verbose -n --name -l --list -X --exit -r --rc",
    names: /^-?\d+$/ },
  "corosync-cpgtool": { options: "-d= -e -n -h" },
  booth: looks("list status", "-s="),
  sbd: looks("list dump", "-d= -v -vv"),
  // Applications and their files.
  traffic_ctl: looks("config_get config_match config_describe config_diff config_status metric_get metric_match " +
    "metric_describe alarm_list host_status server_status storage_status", "--cold --records -f= --format= " +
      "-V --version"),
  traffic_via: { options: "-h --help -V --version", names: /^[\w\s[\]:.-]+$/ },
  traffic_logstats: { options: "-f= --log_file= -o= --origin_list= -M= --max_origins= -u= --urls= -U= " +
    "--show_urls= -A " +
    "--as_object -C --concise -s --summary -j --json -m= --min_hits= -a= --max_age= -l= --line_len= -r " +
    "--report_per_user -n --no_format_check -h --help -V --version" },
  nutcracker: { options: "-t --test-conf -c= --conf-file= -D --describe-stats -V --version -h --help" },
  "loki promtail": { options: "-verify-config --verify-config -check-syntax --check-syntax -config.file= " +
    "--config.file= -config.expand-env=true --config.expand-env=true -version --version" },
  falco: { options: "--list-events --list-syscall-events --version -h --help" },
  oneagentctl: { options: "--get-server --get-tenant --get-host-group --get-host-name --get-host-tags " +
    "--get-host-properties --get-network-zone --get-app-log-content-access --get-infra-only " +
    "--get-auto-update-enabled --get-monitoring-mode --version --help" },
  "collectd-nagios": { options: "-s= -n= -d= -g= -w= -c= -H= -m" },
  "elasticsearch-croneval": { options: "-c= --count= -d --detail -h --help -s --silent -v --verbose", names: true },
  gstat: { options: "-h --help -V --version -a --all -d --dead -m --mpifile -1 --single_line -l --list -n --numeric" },
  gearadmin: { options: "--status --workers --server-version --server-verbose --show-unique-jobs --show-jobs " +
    "--getpid " +
    "--priority-status -h= --host= -p= --port= -S --ssl --help" },
  "qpid-stat": { options: "-g --general -c --connections -e --exchanges -q --queues -u --subscriptions -m --memory " +
    "--acl -I --increasing -S= --sort-by= -L= --limit= -b= --broker= -t= --timeout= -h --help", names: /^[\w.:-]+$/ },
  "qdstat skstat": { options: "-g --general -c --connections -l --links -n --nodes -e --edge -a --address -m " +
  "--memory " +
    "--autolinks --linkroutes --vhosts --vhostgroups --vhoststats --log --limit= --all-routers -v --verbose -b= " +
    "--bus= -t= --timeout= --version -h --help" },
  dspmq: { options: "-m= -o= -s -x -n -i" },
  dspmqver: { options: "-a -p= -f= -b -v -i" },
  "dspmqaut dspmqfls": { options: queueManager },
  "dspmqcsv dspmqinf": { options: "-o=", names: /^[\w.%/-]+$/ },
  dmpmqaut: { options: `${queueManager} -l -a -e= -x` },
  jmod: looks("list describe", "--release="),
  jarsigner: { options: "-verify -verbose -verbose:summary -verbose:grouped -certs -strict" },
  asadmin: looks("list-domains list-applications list-instances list-clusters list-jdbc-resources " +
    "list-jdbc-connection-pools list-jms-resources list-components list-sub-components list-threadpools " +
    "list-http-listeners list-virtual-servers list-nodes list-configs list-log-levels list-libraries list-timers " +
    "list-containers list-backups list-file-users list-audit-modules show-component-status version uptime " +
    "ping-connection-pool get-health", "-l --long --type= --resources --terse -t --verbose"),
  "serverStatus.sh": { options: "-all -trace -profileName= -help", names: /^[\w-]+$/ },
  "versionInfo.sh historyInfo.sh": { options: "-maintenancePackages -long -componentDetail -ifixes -help" },
  productInfo: looks("version featureInfo validate help", "--verbose --ifixes"),
  "jboss-cli.sh jboss-cli": { options: "-c --connect --command= --output-json --timeout= --no-color-output --version " +
    "-v -h --help" },
  jattach: { names: new RegExp(
      String.raw`^(\d+|threaddump|printflag|[A-Z]\w+|jcmd|(VM\.(version|uptime|flags)|Thread\.print|` +
      String.raw`GC\.heap_info)?)$`) },
  gops: looks("stack memstats stats version tree", ""),
  gofmt: { options: "-l -d -s -e" },
  phpquery: { options: "-v= -s= -M -m= -S -V" },
  monodis: { options: "--assembly --assemblyref --exported --fields --manifest --method --module --moduleref " +
    "--presources --typedef --typeref --help --version" },
  ccache: { options: "-s --show-stats -v -vv --verbose -x --show-compression --show-log-stats " +
    "--print-stats -V --version -h --help" },
  just: { options: "-l --list --summary --show= -s= --groups --variables --unsorted --list-heading= --list-prefix= " +
    "--color= --version -V -h --help" },
  pueue: looks("status log follow group", "-j --json -g= --group= -l= --lines= -a --all -f --full"),
  syncthing: looks("cli_show_system cli_show_version cli_show_connections cli_show_pending_devices " +
    "cli_show_config-status cli_errors_show", "--version --help"),
  ipfs: looks("id version swarm_peers swarm_addrs pin_ls repo_stat repo_version bitswap_stat stats_bw stats_repo " +
    "stats_bitswap refs_local files_ls files_stat", "--enc= -q --quiet --human -s --size-only -v -t= --type= -l " +
    "--long"),
  "bitcoin-cli": looks("getblockchaininfo getnetworkinfo getpeerinfo getmempoolinfo getblockcount getconnectioncount " +
    "getbestblockhash getblockhash getblockheader getblock getmininginfo getnettotals getrawmempool gettxoutsetinfo " +
    "getchaintips getindexinfo getwalletinfo getbalance getbalances listwallets uptime help getdifficulty " +
    "estimatesmartfee getrpcinfo getnodeaddresses getzmqnotifications listbanned listunspent",
    "-testnet -regtest -signet -rpcwallet= -named -getinfo"),
  frpc: looks("verify status", "-c= --config= -v --version"),
  frps: looks("verify", "-c= --config= -v --version"),
  // Version control.
  svnlook: looks("author cat changed date diff dirs-changed filesize history info lock log propget plist proplist " +
    "tree uuid youngest", "-r= --revision= -t= --transaction= -v --verbose --full-paths -N --non-recursive " +
    "--copy-info --no-diff-deleted --no-diff-added --diff-copy-from --ignore-properties --properties-only --show-ids " +
    "--show-inherited-props --revprop -l= --limit= --xml --version"),
  svnadmin: looks("info verify lslocks lstxns help", "-q --quiet -r= --revision= -t= --transaction= " +
    "--check-normalization --metadata-only --keep-going --version"),
  svnversion: { options: "-c -n -q --committed --no-newline --quiet --version --help", names: true },
  p4: { options: "-c= -u= -d= -s -I -ztag -V", sub: {
    [
      "info opened have where users counters dirs depots labels annotate diff2 groups monitor_show streams fixes " +
      "servers"
    ]: {
      names: true, options: "-a -l -m= -u= -q -n -e" },
    "changes changelists": { names: true, options: "-m= -s= -l -L -t -i -r" },
    describe: { names: true, options: "-S -m=" },
    "files filelog fstat sizes": { names: true, options: "-a -m= -l -L -t -i -h -e -s -z" } } },
  // Kubernetes, by one look.
  "rbac-lookup": { options: "-o= --output= -k= --kind= --gke -h --help", names: /^[\w@.:-]+$/ },
  rakkess: { options: "-n= --namespace= --verbs= --as= --sa= -o= --output= -h " +
    "--help", names: /^(resource|version|[\w./-]+)$/ },
  "kube-capacity": { options: "-u --util -p --pods -c --containers --sort= -n= --namespace= --node-labels= " +
    "--namespace-labels= --pod-labels= -o= --output= -a --available --pod-count -h --help" },
  // MySQL, PostgreSQL and other databases.
  "pt-variable-advisor": { options: `${perconaOptions} --ignore-rules= -v ` +
  `--verbose` + " " +
      "--source-of-variables=mysql --source-of-variables=none", names: /^(localhost|([hPuSD]=[\w./-]+,?)+)$/ },
  "pt-slave-find pt-replica-find": { options: `${perconaOptions} --recurse= --recursion-method= --report-format= ` +
    "--resolve-address", names: /^([hPuSD]=[\w./-]+,?)+$/ },
  "pt-deadlock-logger pt-fk-error-logger": { options: `${perconaOptions} --columns= --numeric-ip --tab --quiet ` +
  `--interval= ` +
    "--iterations= --run-time=", names: /^([hPuSD]=[\w./-]+,?)+$/ },
  "pt-heartbeat": { options: `${perconaOptions} --check --monitor --table= --master-server-id= --utc --frames= ` +
  `--interval= ` +
    "--run-time= --skew= --print-master-server-id --recurse=", names: /^([hPuSD]=[\w./-]+,?)+$/ },
  "pt-find": { options: `${perconaOptions} --print --day-start --case-insensitive --or --autoinc= --avgrowlen= ` +
  `--cmin= ` +
    "--collation= --column-name= --column-type= --comment= --createopts= --ctime= --datafree= --datasize= --dblike= " +
    "--dbregex= --empty --engine= --indexsize= --kmin= --ktime= --mmin= --mtime= --rowformat= --rows= --tablesize= " +
    "--tbllike= --tblregex= --tblversion= " +
      "--checksum= --connection-id= --function= --procedure= --server-id= --trigger= --trigger-table= " +
      "--view= --printf=", names: /^\w+$/ },
  "pt-fingerprint": { options: "--match-embedded-numbers --match-md5-checksums --query= --version --help" },
  "pt-align": { options: "--version --help" },
  "pt-visual-explain": { options: "--format= --clustered-pk --version --help" },
  "pt-diskstats": { options: "--columns-regex= --devices-regex= --group-by= --headers= --interval= --iterations= " +
    "--sample-time= --show-inactive --show-timestamps --version --help" },
  perror: { options: "-v --verbose -s --silent -V --version -?", names: /^\d+$/ },
  "mloginfo mlogfilter": { options: "--queries --restarts --connections --rsstate --distinct --clients " +
  "--storagestats " +
    "--transactions --cursors --no-progressbar --rounding= --sort= --verbose --namespace= --operation= --thread= " +
    "--word= --from= --to= --scan --shorten= --human --component= --level= --pattern= --exclude --timezone= " +
    "--version --help" },
  rdb: { options: "-c= --command= -n= --db= -k= --key= -o= --not-key= -t= --type= -b= --bytes= -l= --largest= -e= " +
    "--escape= -h --help" },
  sqlite3_analyzer: { options: "--pageinfo --stats --version" },
  sqldiff: { options: "--schema --summary --table= --primarykey --transaction --vtab" },
  pg_filedump: { options: "-a -b -d -f -h -i -k -o -u -v -x -y -S= -n= -s= -D=" },
  pg_walsummary: { options: "-i --individual -q --quiet -V --version -? --help" },
  pg_conftool: { names: true, options: "-s --short -b --boolean -v --verbose --version --help" },
  oid2name: { options: "-d= --dbname= -f= --filenode= -i --indexes -o= --oid= -q --quiet -s --tablespaces -S " +
    "--system-objects -t= --table= -x --extended -H= -h= --host= -p= --port= -U= --username= -V --version -? --help" },
  "memcping memcdump": { names: true, options: "-h --help -V --version -q --quiet -v --verbose -s= " +
    "--servers= -n --non-blocking -N --tcp-nodelay -b --binary -H= --hash=" },
  "barman-cloud-backup-list barman-cloud-backup-show barman-cloud-check-wal-archive": { names: true,
    options: "--format= -t --test -v --verbose -q --quiet --cloud-provider= --aws-profile= -P= --profile= " +
      "--timeline= " +
      "-V --version -h --help" },
  "check_postgres.pl check_postgres": { options: "--db= " +
    "--action= -H= --host= -p= --port= --dbuser= --dbname= -db= " +
    "--warning= --critical= -t= --timeout= --include= --exclude= --output= -v --verbose --perflimit= --simple " +
    "--showtime= --showperf= --noidle --version" },
  gpstate: { options: "-d= -b -e -m -c -i -f -p -Q -s -v -q -B= -x" },
  gpconfig: { options: "-s= --show= -l --list -v" },
  sstabledump: { options: "-d -e -k= -l -x= -t" },
  sstableexpiredblockers: { names: true },
  auditlogviewer: { options: "-i -h --help" },
  "clickhouse-keeper-client": { options: "-h= --host= -p= --port= -q= --query= --connection-timeout= " +
    "--session-timeout= --operation-timeout=" },
  "clickhouse-format": { options: "-n --multiquery --oneline -q --quiet --hilite --obfuscate=false --query= --help" },
  "whisper-diff whisper-diff.py": { options: "--columns --ignore-empty --raw --summary --headers --until= --json " +
  "-h --help" },
  db2level: { options: "-h" },
  db2ilist: { options: "-h" },
  db2licm: { options: "-l -v -h" },
  db2ls: { options: "-q -a -c -b= -h" },
  db2mtrk: { options: "-i -d -p -v -a -m -w" },
  db2diag: { options: "-H= -level= -l= -gi= -g= -gv= -gvi= -db= -pid= -tid= -n= -fmt= -rc= -f -V -v -h" },
  db2set: { options: "-all -l -lr -h", names: /^[A-Z][A-Z0-9_]+$/ },
  db2greg: { options: "-dump" },
  oerr: { names: /^\w+$/ },
  olsnodes: { options: "-n -i -s -t -v -l -p -c -g -a" },
  ocrcheck: { options: "-local -config -loc" },
  crs_stat: { options: "-t -u -v -p -ls -f", names: /^[\w.-]+$/ },
  kfod: { names: new RegExp(
      String.raw`^(disks=(all|asm|raw)|(status|dscvgroup|nohdr|verbose|cluster)=\w+|op=(disks|groups|` +
      "insts|version|clients|patches|releasepatch))$", "i") },
  kfed: { names: /^(read|\/dev\/\S+|(aun|blkn|ausz|aunum|blknum)=\d+)$/ },
  "imageinfo imagehistory": {},
  "cellcli dbmcli": { options: "-n -e -x", names: true },
  bpdbjobs: { options: "-report -summary -jobid= -U -L -l -most_columns -all_columns -M=" },
  bpps: { options: "-a -x -l" },
  bpimagelist: { options: "-client= -hoursago= -d= -e= -U -L -l -policy= -backupid= -idonly -media -st= -sl=" },
  bpmedialist: { options: "-summary -m= -mlist -mcontents -U -L -l -ev= -h= -p=" },
  bpstulist: { options: "-U -L -l -label= -show_available -g" },
  bppllist: { options: "-U -L -l -allpolicies", names: /^[\w.-]+$/ },
  bperror: { options: "-U -L -l -hoursago= -problems -all -backstat -d= -e= -client= -s= -jobid= -S=" },
  nbdevquery: { options: "-listdp -listdv -liststs -liststorageservers -stype= -dp= -U -L -l" },
  mminfo: { options: "-a -v -m -V -B -c= -n= -q= -r= -o= -t= -N= -h" },
  omnistat: { options: "-detail -session= -status_only -mount -error -previous -user= -latest -version" },
  hastatus: { options: "-sum -summary -group= -resource= -sound" },
  "hagrp hares hasys haclus": { options: "-state -list -display -dep -resources -sys= -attribute= -value -nodeid " +
    "-localclus -clus=", names: /^[\w.-]+$/ },
  lltstat: { options: "-n -nv -nvv -v -vv -c -l -p -C" },
  gabconfig: { options: "-a -l -h" },
  cmviewcl: { options: "-v -l= -f= -c= -n= -p= -s=" },
  mmdiag: { options: "--waiters --version --config --network --stats --threads --deadlock --iohist --memory " +
    "--tokenmgr " +
    "--commands -Y" },
  mmrepquota: { options: "-a -j -u -g -e -v -q -Y", names: /^[\w.-]+$/ },
  mmlscallback: { options: "-Y", names: /^[\w.-]+$/ },
  pmgversion: { options: "-v --verbose" },
  zmqstat: {},
  kcarectl: { options: "--info -i --uname --patch-info --plugin-info --version --license-info --json --check" },
  tokei: { options: "-C --compact -f --files -h --help -V --version -l --languages -s= --sort= -e= --exclude= -t= " +
    "--types= -o= --output= --hidden --no-ignore", names: true },
  "git-sizer": { options: "-v --verbose --threshold= --critical --json --no-progress --version" },
  epmd: { options: "-names -port=" },
  "bareos-dir bareos-sd bareos-fd bacula-dir bacula-sd bacula-fd": { options: "-t -v -tv -vt -c=" },
  amadmin: { names: true },
  burp: { options: "-a= -C= -b= -r=" },
  act: { options: "-l --list -W= --workflows= -j= -e= -P=", names: /^[\w-]+$/ },
  mkcert: { options: "-CAROOT -version -help" },
  direnv: { options: "--json --version", names: true },
  aptly: { names: true, options: "-sort= -with-files -with-references " +
    "-raw -json -with-packages -with-deps -only-matching -format=" },
  lego: { options: "--path= --names --accounts --version -v", names: /^list$/ },
  "git-lfs": { options: "-l --long -s --size -d --debug -a --all -n --name-only -p --porcelain -j --json --limit= " +
    "--path= -I= -X=", names: true },
  bucardo: { names: true },
  zeekctl: { names: true },
  suricata: { options: "--build-info --list-keywords --list-keywords= --list-app-layer-protos --list-runmodes -V" },
  csf: { options: "-l -l6 -t -p -v -g= -i=" },
  "bbb-conf": { options: "--status --version --network" },
  "opensips-cli": { options: "-x", names: true },
  lncli: { options: "--network= --active_only --inactive_only --public_only --private_only", names: true },
  "mysqld mariadbd": { options: "--no-defaults --verbose -v --help --validate-config --version" },
  postgres: { options: "-D= -C= --describe-config --version" },
  dockerd: { options: "--validate --config-file= -v --version" },
  slurmd: { options: "-C -V" },
  "kafka-storage.sh kafka-storage": { options: "-c= --config= --version " +
  "--help", names: /^(random-uuid|version-mapping|info)$/ },
  "ssm-cli": { options: "--output=", names: /^get-/ },
  "amazon-cloudwatch-agent-ctl": { options: "-a= -m=" },
  sidekiqmon: { names: /^(all|version|overview|processes|queues)$/ },
  rqinfo: { options: "-R --by-queue -Q --only-queues -W --only-workers -r --raw", names: /^[\w-]+$/ },
  jdeprscan: { options: "--release= --for-removal -v --verbose -l --list --version -h --help" },
  tea: looks(`${each("issues pulls pr releases repos labels milestones branches", "list ls")} whoami`, "-r= --repo= " +
    "-o= --output= --state= --limit= --page= --lm= -l= --login="),
  jf: looks("rt_ping rt_search rt_s", "--server-id= --limit= --count --recursive --sort-by= --sort-order= --offset="),
  dbv: { names: /^(file|blocksize|feedback|start|end)=[\w./+-]+$/i },
  nzstate: { names: /^(show|listStates)$/ },
  admintools: { options: "-t= --tool= -d= --database= -s= --status=" },
  hdbnsutil: { options: "-sr_state -sr_stateConfiguration --sapcontrol=1" },
  saphostctrl: { options: "-function= -prot=" },
};

export const clientReads: ReadTable = { ...clouds, ...clusters, ...databases, ...instruments };
