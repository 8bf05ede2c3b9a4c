/** Clients of clouds, clusters, databases and queues that are mostly asked for a state, and readers of their files. */
import type { Program } from "../program.ts";
import { actsAlone, serverClient } from "./facts.ts";

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
