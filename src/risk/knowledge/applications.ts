/** Web servers, mail, queues, databases and other applications, by their own tools. */
import type { Program } from "../program.ts";
import { mailer, serverClient } from "./facts.ts";

// biome-ignore format: filled to the width
export const applicationRules: readonly Program[] = [
  { id: "web.nginx", names: "nginx openresty", level: "medium", options: { value: "-s -g -e", settings: "-c -p" },
    rows: [
      { words: "-t -T -v -V -h", level: "low" },
      { words: "~reload ~reopen", level: "medium" },
      { words: "~stop ~quit", level: "high" },
      { if: " -[qtTvV]*[cpe] ?/(tmp|var/tmp|dev/shm)(/| )", level: "high", why: "loads what anybody may have written" },
      { names: "nginx",
        probe: { without: "^-s$", run: "$0 -t $-", shows: "whether the configuration is valid",
          example: ["nginx -c /etc/nginx/nginx.conf -s reload", "nginx -t -c /etc/nginx/nginx.conf"] } },
    ],
    match: { low: ["nginx -t", "nginx -T", "nginx -v"], medium: ["nginx -s reload", "nginx -q -s reload"],
      high: ["nginx -s stop"] } },
  { id: "web.apache", names: "apachectl apache2ctl httpd apache2", level: "medium",
    options: { value: "-k -f -D -d -c -C" },
    rows: [
      { words: "~configtest ~status ~fullstatus -t -S -M -v -V -l -L", level: "low" },
      { words: "~graceful ~restart ~start ~reload -c -C", level: "medium" },
      { words: "~stop ~graceful-stop", level: "high" },
      { names: "apachectl apache2ctl", if: "^ (restart|graceful|start|stop|graceful-stop) $",
        probe: { run: "$0 configtest", shows: "whether the configuration is valid",
          example: ["apachectl graceful", "apachectl configtest"] } },
    ],
    match: { low: ["apachectl configtest", "httpd -t", "apache2ctl -S"], medium: ["apachectl graceful"],
      high: ["apachectl stop"] } },
  { id: "web.site", names: "a2ensite a2dissite a2enmod a2dismod a2enconf a2disconf", level: "medium",
    match: { medium: ["a2ensite app"] } },
  { id: "web.tomcat", names: "catalina.sh catalina.bat",
    rows: [
      { words: "version configtest", level: "low" },
      { words: "start run stop", level: "medium" },
      { words: "kill", level: "high" },
      { words: "()", level: "medium" },
    ],
    match: { low: ["catalina.sh version"], medium: ["catalina.sh start"], high: ["catalina.sh kill"] } },
  { id: "web.haproxy", names: "haproxy varnishd caddy traefik envoy lighttpd squid unbound php-fpm keepalived",
    level: "medium", options: { value: "--config --adapter --environ", settings: "-f" },
    rows: [
      { names: "varnishd caddy traefik envoy lighttpd squid unbound php-fpm keepalived", words: "-V", level: "low" },
      { words: "-t -T -v -vv ~validate ~version --validate ~check --check --version ~adapt ~list-modules " +
        "~healthcheck ~parse --config-test",
        level: "low" },
      { names: "haproxy", words: "-c", level: "low" },
      { names: "caddy", level: "medium", why: "changes something",
        if: "^ (trust|untrust|upgrade|add-package|remove-package|file-server|respond|reverse-proxy) " },
      { names: "envoy", unless: " --mode[ =]validate | --version ", level: "medium", why: "starts a proxy" },
      { names: "keepalived", if: " (--config-test=|-t)\\S", level: "medium", why: "writes what it finds to a file" },
      { names: "squid", if: " -k ?(?!(parse|check) )\\S", level: "medium", why: "signals the server" },
      { names: "php-fpm", words: "-m -i", level: "low" },
      { words: "~reload ~start ~restart ~run", level: "medium" },
      { words: "~stop ~shutdown", level: "high" },
      { names: "php-fpm", is: "versioned" },
      { names: "haproxy", unless: " -(sf|st|x|c) ",
        probe: { without: "^-(D|W|Ws)$", run: "$0 -c $@", shows: "whether the configuration is valid",
          example: ["haproxy -D -f /etc/haproxy/haproxy.cfg", "haproxy -c -f /etc/haproxy/haproxy.cfg"] } },
      { names: "caddy", words: "build-info", level: "low" },
      { names: "caddy", if: "^ fmt ", unless: " (--overwrite|-w) ", level: "low" },
    ],
    match: { low: ["haproxy -c -f /etc/haproxy/haproxy.cfg", "php-fpm -t", "caddy validate"],
      medium: ["caddy reload", "haproxy -f /etc/haproxy/haproxy.cfg", "envoy -c /etc/envoy.yaml"],
      high: ["haproxy stop"] } },
  { id: "queue.zookeeper", names: "zkCli.sh zkcli zookeeper-shell zookeeper-shell.sh zkServer.sh", level: "medium",
    options: { value: "-server -timeout" }, oneDash: true,
    rows: [
      { words: "~ls ~ls2 ~get ~stat ~getAcl ~status ~listquota ~version ~config ~getEphemerals ~getAllChildrenNumber",
        level: "low" },
      { words: "~create ~set ~setAcl ~start ~restart", level: "medium" },
      { words: "~delete ~deleteall ~rmr ~stop ~reconfig", level: "high" },
    ],
    match: { low: ["zkCli.sh -server localhost:2181 stat /"], medium: ["zkCli.sh"],
      high: ["zkCli.sh deleteall /brokers"] } },
  { id: "app.consoles", names: "asterisk squidclient fs_cli lttng", level: "medium",
    options: { value: "-p -h -x --execute" },
    rows: [
      { names: "fs_cli squidclient", words: "", reach: { kind: "service", options: { host: "-H --host -h" } } },
      { if: "\\b(restart|stop|shutdown|kill|destroy|hangup|offline_toggle)\\b", level: "high" },
      { names: "squidclient", if: "^( -\\S+( [\\w.-]+)?)* mgr:(?!reconfigure|rotate)", level: "low" },
      { if: "^( -\\S+)* (([a-z]+␠)?(show|list|status)(␠\\S*)? |mgr:(?!reconfigure|rotate))", level: "low" },
    ],
    match: { low: ["squidclient mgr:info", "lttng list", "asterisk -rx 'core show channels'"],
      medium: ["asterisk -rx 'core reload'"], high: ["asterisk -rx 'core stop now'"] } },
  { id: "app.device-consoles", names: "vtysh birdc birdcl vppctl", options: { value: "-c -x -s -d -f" },
    check: "deviceConsole",
    match: { low: ["vtysh -c 'show ip bgp summary'", "birdc show route count"],
      medium: ["vtysh", "vtysh -c 'clear ip bgp *'"],
      high: ["birdc disable all", "vtysh -c 'configure terminal' -c 'no router bgp 65001'"] } },
  { id: "web.checkers",
    names: "named-checkconf named-checkzone unbound-checkconf dovecot-doveconf doveconf testparm " +
      "smbstatus slapcat slaptest radtest",
    level: "low",
    rows: [
      { names: "radtest", level: "medium", why: "sends a password" },
      { names: "slapcat", unless: " -n ?0 ", level: "high",
        why: "shows what a directory holds, with its password hashes" },
      { does: "read" },
      { names: "smbstatus", ...serverClient },
    ],
    match: { low: ["named-checkconf /etc/bind/named.conf", "testparm -s", "smbstatus"], medium: ["radtest u p h 0 s"],
      high: ["slapcat"] } },
  { id: "web.sshd", names: "sshd", level: "high",
    rows: [{ words: "-t -T", level: "low" }, { is: "names" }],
    match: { low: ["sshd -t", "sshd -T"], high: ["sshd -D -p 2222"] } },
  { id: "web.varnish", names: "varnishadm varnishstat varnishlog varnishtop varnishncsa varnishhist", level: "low",
    options: { "path-write": "-w" },
    rows: [
      { words: "~ban ~ban_* ~param.set* ~vcl.load* ~vcl.use* ~vcl.inline* ~vcl.discard* ~backend.set_health* " +
        "~panic.clear* ~start",
        level: "medium" },
      { words: "~stop", level: "high" },
      { names: "varnishadm", words: "", reach: { kind: "service", options: { host: "-T" } } },
    ],
    match: { low: ["varnishstat -1", "varnishadm backend.list"],
      medium: ["varnishadm ban req.url '~' /", "varnishadm 'ban req.url ~ /'"], high: ["varnishadm stop"] } },
  { id: "mail.read", names: "mailq postqueue postcat eximstats exiqsumm pflogsumm qshape", level: "low",
    rows: [
      { names: "mailq postqueue", words: "-f -i -s", level: "medium" },
      { names: "eximstats", if: " -(html|txt|xls|xlsx|chart|pattern|merge)", level: "medium", why: "writes a report" },
    ],
    match: { low: ["mailq", "postqueue -p"], medium: ["postqueue -f"] } },
  { id: "mail.change", names: "postsuper postfix mail mailx mutt newaliases postmap swaks", level: "medium",
    options: { value: "-q" },
    rows: [
      { words: "-d ~stop ~abort", level: "high" },
      { names: "postfix", words: "~check ~status", level: "low" },
      { names: "postmap", level: "low", unless: "sasl|passw|secret|cred|\\.\\.",
        if: "^ -q [\\w.@+-]+ (hash|btree|cdb|lmdb|texthash|cidr|regexp|pcre):/etc/postfix/[\\w.-]+ $" },
      { names: "mail mailx mutt swaks", ...mailer },
      { names: "mail mailx mutt swaks", is: "text" },
    ],
    match: { low: ["postfix check"], medium: ["postfix reload", "mail -s status ops@x.example"],
      high: ["postsuper -d ALL"] } },
  { id: "mail.settings", names: "postconf", level: "low",
    rows: [{ words: "-e -X -#", level: "medium" }, { if: " [^-]\\S*=", level: "medium", why: "changes settings" }],
    match: { low: ["postconf -n", "postconf -d mail_version"], medium: ["postconf -e x=y", "postconf x=y"] } },
  { id: "mail.exim", names: "exim exim4 sendmail", level: "medium", options: { value: "-C -f -F -D -O", argv: "-be" },
    oneDash: true,
    rows: [
      { words: "-bp -bpc -bpr -bpra -bpru -bpu -bvs -bt -bv -bV -bP -bh -Mvh -Mvb -Mvl -Mvc", level: "low" },
      { words: "-Mrm -Mg", level: "high" },
      { names: "sendmail", words: "-bv", level: "medium", why: "Postfix mails what it finds" },
      { names: "sendmail exim", ...mailer },
      { names: "sendmail", is: "text" },
    ],
    match: { low: ["exim -bpc", "exim -bt bob@x.org"], medium: ["exim -M 1a-2-3"], high: ["exim -Mrm 1a-2-3"] } },
  { id: "queue.rabbit",
    names: "rabbitmqctl rabbitmq-diagnostics rabbitmq-plugins rabbitmqadmin rabbitmq-queues rabbitmq-upgrade " +
      "rabbitmq-streams",
    rows: [
      { words: "status list_* list cluster_status node_health_check environment report ping check_* help " +
        "version certificates log_tail cipher_suites command_line_arguments os_env quorum_status " +
        "schema_info erlang_version server_version log_location resolver_info resolve_hostname metadata_store_status " +
        "maybe_stuck is_enabled directories stream_status " +
        "runtime_thread_stats tls_versions memory_breakdown listeners observer show alarms is_running is_booting",
        level: "low" },
      { words: "start_app sync_queue cancel_sync_queue set_* add_* enable disable change_password declare " +
        "publish trace_on trace_off rotate_logs export_definitions authenticate_user get rebalance grow " +
        "enable_feature_flag await_startup clear_*",
        level: "medium" },
      { words: "delete* purge_queue stop_app stop reset force_reset forget_cluster_node shutdown stop_rabbit " +
        "close_* delete_* purge force_boot remove_vhost import_definitions eval rename_cluster_node join_cluster " +
        "change_cluster_node_type",
        level: "high" },
      serverClient,
    ],
    match: { low: ["rabbitmqctl list_queues name messages"], medium: ["rabbitmqctl start app"],
      high: ["rabbitmqctl delete_vhost /prod", "rabbitmqctl stop_app"] } },
  { id: "queue.kafka",
    names: "kafka-topics kafka-topics.sh kafka-consumer-groups kafka-consumer-groups.sh kafka-configs " +
      "kafka-metadata-quorum kafka-metadata-quorum.sh " +
      "kafka-configs.sh kafka-acls kafka-acls.sh kafka-log-dirs.sh kafka-log-dirs kafka-get-offsets.sh " +
      "kafka-get-offsets kafka-broker-api-versions " +
      "kafka-broker-api-versions.sh kafka-reassign-partitions.sh kafka-leader-election.sh " +
      "kafka-features kafka-features.sh kafka-cluster kafka-cluster.sh kafka-transactions kafka-transactions.sh " +
      "kafka-dump-log kafka-dump-log.sh kafka-groups kafka-groups.sh kafka-share-groups kafka-share-groups.sh " +
      "kafka-client-metrics kafka-client-metrics.sh",
    level: "medium",
    options: { flag: "--all-groups --all-topics --to-current --to-earliest --to-latest", settings: "--command-config" },
    oneDash: false,
    rows: [
      { words: "--delete --delete-offsets --reset-offsets", level: "high" },
      { names: "kafka-broker-api-versions.sh kafka-broker-api-versions kafka-get-offsets.sh kafka-get-offsets",
        level: "low" },
      { names: "kafka-metadata-quorum kafka-metadata-quorum.sh kafka-features kafka-features.sh", words: "~describe",
        level: "low" },
      { names: "kafka-broker-api-versions.sh kafka-broker-api-versions kafka-get-offsets.sh kafka-get-offsets",
        words: "--command-config", level: "medium", why: "takes settings from a file" },
      { names: "kafka-cluster kafka-cluster.sh", words: "~cluster-id ~list-endpoints", level: "low" },
      { names: "kafka-transactions kafka-transactions.sh", words: "~list ~describe ~describe-producers ~find-hanging",
        level: "low" },
      { names: "kafka-dump-log kafka-dump-log.sh", words: "--files", level: "low" },
      { names: "kafka-reassign-partitions.sh", words: "--verify", unless: " --preserve-throttles ", level: "medium",
        why: "takes the throttles off once all is moved" },
      { names: "kafka-configs kafka-configs.sh", if: " --entity-type[ =]users ", level: "high",
        why: "shows what passwords are checked with" },
      { words: "~abort ~forceTerminateTransaction ~unregister ~upgrade ~downgrade ~disable", level: "high" },
      { words: "--list --describe --members --state --verify --version", level: "low" },
      { words: "--alter --create --add-config --delete-config --execute", level: "medium" },
    ],
    match: {
      low: ["kafka-topics.sh --bootstrap-server x:9092 --list",
        "kafka-consumer-groups.sh --bootstrap-server x:9092 --describe --group g"],
      medium: ["kafka-topics.sh --create --topic x --bootstrap-server x:9092"],
      high: ["kafka-topics.sh --delete --topic x --bootstrap-server x:9092"] } },
  { id: "queue.kafka-class", names: "kafka-run-class.sh kafka-run-class", options: { value: "-name" }, oneDash: true,
    rows: [
      { words: "kafka.tools.GetOffsetShell kafka.tools.DumpLogSegments kafka.tools.JmxTool", level: "low" },
      { words: "kafka.tools.JmxTool", ends: { ends: "--one-time", does: "it repeats for ever" } },
      { words: "--delete --reset-offsets", level: "high" },
    ],
    match: { low: ["kafka-run-class.sh kafka.tools.GetOffsetShell --topic x"],
      medium: ["kafka-run-class.sh kafka.Kafka kafka.tools.JmxTool"], high: ["kafka-run-class.sh --delete"] } },
  { id: "queue.kcat", names: "kcat kafkacat kafka-console-consumer.sh kafka-console-consumer", level: "low",
    rows: [
      { names: "kcat kafkacat", unless: " (-\\w*[CLQVh]\\w*|--help) ", level: "medium", why: "sends what it is given" },
      { words: "-P --group --consumer-property --consumer.config -G", level: "medium" },
      { names: "kcat kafkacat", words: "",
        reach: { kind: "service",
          options: { host: "-h --host -H --server --endpoints -http-addr -address --address -n -b -u" },
          stdin: true } },
      { names: "kcat kafkacat", is: "text" },
    ],
    match: { low: ["kcat -b x -L"], medium: ["kcat -b x -t y -P"] } },
  { id: "queue.produce", names: "kafka-console-producer.sh kafka-console-producer", level: "medium",
    rows: [
      { reach: { kind: "request", options: { host: "--bootstrap-server --broker-list", value: "--topic --property" },
        stdin: true } },
    ],
    match: { medium: ["kafka-console-producer.sh --topic x"] } },
  { id: "queue.kafka-destroy", names: "kafka-delete-records.sh kafka-server-stop.sh zookeeper-server-stop.sh",
    level: "high",
    match: { high: ["kafka-server-stop.sh"] } },
  { id: "app.server", names: "gunicorn uwsgi", level: "medium", why: "starts a server",
    rows: [{ words: "--version", level: "low" },
      { names: "gunicorn", is: "project", why: "imports the application" }],
    match: { low: ["gunicorn --version"], medium: ["gunicorn status", "gunicorn --check-config app:app"] } },
  { id: "app.artisan", names: "celery sidekiqctl resque passenger-config",
    rows: [
      { words: "status inspect report list show", level: "low" },
      { words: "control restart-app worker beat inspect_objgraph", level: "medium" },
      { words: "purge amqp", level: "high" },
      { words: "()", level: "medium" },
      { names: "celery", is: "project", why: "imports the application that has the tasks" },
    ],
    match: { low: ["celery --version"], medium: ["celery", "celery inspect active"],
      high: ["celery purge"] } },
  { id: "ha.cluster",
    names: "pcs crm crm_mon corosync-cfgtool corosync-quorumtool crm_resource patronictl repmgr " +
      "stonith_admin",
    tag: "cluster",
    rows: [
      { words: "status list config show cluster_show history topology dsn query resource_show node_show " +
        "cluster_status service_status constraint_list constraint_show resource_config stonith_config " +
        "constraint_config resource_failcount resource_relations resource_list resource_describe resource_agents " +
        "stonith_describe stonith_level_config node_utilization node_attribute cluster_matrix cluster_crosscheck " +
        "resource_constraints cluster_health version " +
        "constraint_location_config constraint_order_config constraint_colocation_config property_config " +
        "resource_defaults_config alert_config tag_config resource_status stonith_status quorum_config quorum_status " +
        "resource_op_defaults stonith_history booth_status configure_show configure_verify " +
        "show-config cluster_event node_status node_check service_status daemon_status constraint property " +
        "property_list quorum_status stonith_list",
        level: "low" },
      { names: "crm", if: "^ *$|^ (history|ra|script|shell) |^ \\w+ \\w+ (\\S+ )?set ", level: "medium",
        why: "opens a console or changes something" },
      { names: "pcs", if: " ((op )?defaults|node (attribute|utilization)|resource utilization) (.* )?\\S+=",
        level: "medium",
        why: "sets what is given" },
      { words: "config_restore config_import-cman", level: "high" },
      { words: "reload resource_cleanup cleanup resource_refresh resource_enable resume pause resource_restart " +
        "restart edit-config",
        level: "medium" },
      { words: "cluster_stop resource_disable resource_delete resource_move standby node_standby switchover " +
        "failover reinit remove stonith_fence cluster_destroy flush promote",
        level: "high" },
      { words: "()", level: "low" },
      { names: "patronictl", ends: { endless: "-w -W --watch", does: "it repeats for ever" } },
    ],
    match: { low: ["pcs status", "crm_mon -1", "patronictl list"], medium: ["pcs reload"],
      high: ["pcs cluster stop --all", "patronictl failover"] } },
  { id: "ha.tools",
    names: "crm_verify crm_failcount crm_attribute crm_simulate cibadmin corosync-cmapctl drbdsetup", level: "medium",
    options: { value: "-N -r -n -o -A -g" },
    rows: [
      { names: "crm_verify", level: "low",
        if: "^( -[LVqX]+| --(live-check|verbose|quiet|version|help)| (-x|--xml-file)[ =]\\S+)+ $" },
      { names: "crm_failcount crm_attribute", if: " (-G|--query|--get-value) ",
        unless: " (-[vDUd]|--(update|delete|attr-value|default|set-name|node-path|pattern))[ =]", level: "low" },
      { names: "crm_simulate", level: "low",
        if: "^( -[sLVQURac]+| --(live-check|show-scores|show-utilization|show-failcounts|run|show-attrs|" +
          "all-actions|quiet|verbose)| (-x|--xml-file|--output-as)[ =]\\S+)+ $" },
      { names: "cibadmin", level: "low",
        if: "^( -[QVlne]| --(query|verbose|local|no-children|node-path)| (-o|-A|--scope|--xpath)[ =]\\S+)+ $" },
      { names: "corosync-cmapctl", level: "low",
        if: "^( -m (icmap|stats))?(( -b)?( [\\w.]+)* *| -g [\\w.]+ )$" },
      { names: "drbdsetup", level: "low",
        if: "^ (status|show|role|cstate|dstate|show-gi|get-gi)( \\S+)* $|^ events2( \\S+)* --now( \\S+)* $" },
      { words: "--delete --erase --force -E -D ~down ~del-resource ~detach ~disconnect ~invalidate", level: "high" },
    ],
    match: { low: ["crm_verify -LV", "cibadmin -Q -o nodes", "corosync-cmapctl", "drbdsetup status --statistics",
      "crm_failcount --query -r x"],
      medium: ["corosync-cmapctl -t totem", "crm_simulate -LS", "cibadmin --replace -x f"],
      high: ["cibadmin -E --force", "crm_failcount --delete -r x", "drbdsetup down r0"] } },
];

// Databases and search engines.

// biome-ignore format: filled to the width
export const databaseRules: readonly Program[] = [
  { id: "database.psql", names: "psql pgcli cockroach-sql vsql",
    options: {
      value: "-c -d -U -h -p -P -F -v -f -R -T -u -i -Q -m --command --dbname --username --host --port --file " +
        "--set --variable --execute --user --database --socket --query --field-separator --record-separator " +
        "--pset --defaults-file --defaults-extra-file --ssl-ca --delimiter --init-command --format " +
        "--max_memory_usage --param",
      "path-write": "-o --output -L --log-file" },
    check: "sqlClient",
    rows: [
      { names: "psql", ...serverClient },
      { names: "psql", is: "text" }, { names: "psql", is: "versioned" },
      { names: "psql",
        probe: { without: "^(-c|--command)(=.*)?$", run: "$0 $@ $-c",
          sql: { from: "-c --command", dialect: "postgres" }, shows: "the plan and how many rows",
          example: [
            "psql -d app -c \"DELETE FROM job WHERE state = 'done'\"",
            "psql -d app -c 'BEGIN READ ONLY' -c 'EXPLAIN DELETE FROM job WHERE state = '\\''done'\\''' -c " +
              "'SELECT count(*) FROM job WHERE state = '\\''done'\\''' -c ROLLBACK",
          ] } },
    ],
    match: {
      low: ["psql -c 'select 1'", "psql -U app -d app -At -c 'SELECT pid FROM pg_stat_activity'", "psql -l",
        "psql -c '\\dt'"],
      medium: ['psql -c "select pg_terminate_backend(4242)"', 'psql -c "update t set a=1 where id=2"', "psql -f x.sql"],
      high: ["psql -c 'DROP TABLE users'", "psql -c 'update t set a=1'"],
      block: ["psql -c \"COPY t FROM PROGRAM 'rm -rf /'\"", "psql -c '\\! rm -rf /'"] } },
  { id: "database.mysql", names: "mysql mariadb mycli mysqlsh tidb",
    options: {
      value: "-d -h -P -v -f -o -R -T -u -e -D -S -L -i -Q -m --command --dbname --username --host --port " +
        "--file --output --set --variable --execute --user --database --socket --query --field-separator " +
        "--record-separator --pset --log-file --defaults-file --defaults-extra-file --ssl-ca --delimiter " +
        "--init-command --format --max_memory_usage --param" },
    check: "sqlClient",
    rows: [
      { names: "mysql mariadb", ...serverClient },
      { names: "mysql mariadb", is: "text" },
      { names: "mysql mariadb",
        probe: { without: "^(-e|--execute)(=.*)?$", run: "$0 $@ -e $sql",
          sql: { from: "-e --execute", dialect: "mysql" }, shows: "the plan and how many rows",
          example: [
            "mysql app -e 'UPDATE job SET state = 1 WHERE id < 9'",
            "mysql app -e 'EXPLAIN UPDATE job SET state = 1 WHERE id < 9; START TRANSACTION READ ONLY; SELECT " +
              "count(*) FROM job WHERE id < 9; ROLLBACK'",
          ] } },
    ],
    match: { low: ["mysql -e 'SHOW FULL PROCESSLIST'"], medium: ["mysql -e 'kill 42'"],
      high: ["mysql -e 'TRUNCATE TABLE app.orders'"] } },
  { id: "database.client",
    names: "sqlcmd isql sqlplus clickhouse-client clickhouse cqlsh bq-query presto trino hive impala-shell",
    options: {
      value: "-c -d -U -h -p -P -F -v -f -o -R -T -u -e -D -S -L -i -Q -m --command --dbname --username --host " +
        "--port --file --output --set --variable --execute --user --database --socket --query --field-separator " +
        "--record-separator --pset --log-file --defaults-file --defaults-extra-file --ssl-ca --delimiter " +
        "--init-command --format --max_memory_usage --param -q -s -k" },
    check: "sqlClient",
    rows: [
      { names: "clickhouse-client", ...serverClient },
      { names: "cqlsh", reach: { kind: "lookup", operands: "hosts" } },
      { names: "sqlcmd isql presto trino", words: "",
        reach: { kind: "service", options: { host: "-S -H --server" } } },
    ],
    match: { low: ["clickhouse-client --query 'select 1'", "cqlsh -e 'describe keyspaces'"],
      high: ["cqlsh -e 'drop keyspace app'"] } },
  { id: "database.influx", names: "influx",
    options: { value: "-execute -database -host -port -username -password -format -precision" }, oneDash: true,
    check: "sqlClient", rows: [serverClient],
    deep: {
      // The second version of influx has sub-commands.
      "ping version": { level: "low", check: "family" },
      delete: { level: "high" },
      query: { check: "deviceConsole",
        rows: [{ words: "-f --file", level: "medium", why: "runs what a file says" }] },
      "bucket org task user dbrp telegrafs remote replication": { check: "family" },
      "server-config": { level: "medium" },
    },
    match: { low: ["influx query 'from(bucket:\"x\") |> range(start:-1h) |> last()'",
      "influx -execute 'SHOW DATABASES'", "influx bucket list", "influx ping"],
      medium: ["influx bucket create -n x",
        "influx query 'from(bucket:\"x\") |> range(start:-1h) |> to(bucket:\"y\")'"],
        high: ["influx -execute 'DROP DATABASE metrics'", "influx bucket delete -n x"] } },
  { id: "database.sqlite", names: "sqlite3 sqlite duckdb sqlite-utils",
    options: {
      value: "-cmd -init -separator -newline -nullvalue -execute -database -host -port -username -password " +
        "-format -c" },
    oneDash: true, check: "sqlClient",
    rows: [
      { names: "duckdb", unless: "^( -(c|s|cmd|separator|nullvalue|newline) \\S+| -\\w+| :memory:)* $| -readonly ",
        level: "medium",
        why: "opens a database to write, and makes it if there is none" },
      { names: "duckdb", if: "\\b(https?|s3|gcs|r2|az):/", level: "medium", why: "reads from another host" },
      { names: "sqlite3",
        probe: { run: "$0 -readonly $- $1 $sql", sql: { from: "2", dialect: "sqlite" },
          shows: "the plan and how many rows",
          example: [
            "sqlite3 app.db 'DELETE FROM job WHERE id < 9'",
            "sqlite3 -readonly app.db 'EXPLAIN QUERY PLAN DELETE FROM job WHERE id < 9; SELECT count(*) FROM " +
              "job WHERE id < 9'",
          ] } },
    ],
    match: { low: ["sqlite3 x.db 'select 1'"],
      medium: ["duckdb -c \"select * from 'https://x.example/a.csv'\""],
      high: ["sqlite3 -batch x.db 'drop table t'"],
      block: ["sqlite3 x.db '.shell rm -rf /'"] } },
  { id: "database.mysqladmin", names: "mysqladmin mariadb-admin",
    options: { value: "-u -h -P -S -i --user --host --port --socket --sleep" },
    rows: [
      { words: "status processlist extended-status ping variables version proc ext", level: "low" },
      { words: "kill flush-* reload refresh start-* stop-* password create", level: "medium" },
      { words: "shutdown drop", level: "high" },
      // It takes more than one command, and any by the first letters that tell it.
      { unless: "^( (stat\\w*|proc\\w*|ext[\\w-]*|ping|var\\w*|vers\\w*))* *$", operands: true,
        level: "medium", why: "does more than ask" },
      { if: " (sh|shu\\w*|dr|dro\\w*) ", level: "high", why: "stops or destroys" },
      { names: "mysqladmin", ...serverClient },
      { ends: { endless: "-i --sleep -w --wait", ends: "-c --count", does: "it repeats for ever",
        instead: "mysqladmin -i 1 -c 5" } },
    ],
    match: { low: ["mysqladmin processlist"], medium: ["mysqladmin kill"], high: ["mysqladmin shutdown"] } },
  { id: "database.dump",
    names: "pg_dump pg_dumpall mysqldump mariadb-dump mongodump mongoexport pg_basebackup xtrabackup " +
      "mariabackup redis-dump barman wal-g pgbackrest pg_receivewal",
    level: "medium",
    options: { value: "-d -h -U -p -t -n -F -j -u -D --host --user --dbname",
      "path-write": "-f --file --result-file -o --out" },
    rows: [
      { names: "pgbackrest", words: "info version repo-ls verify", level: "low" },
      { names: "barman", words: "check list show-server show-servers list-server list-servers list-backup " +
        "list-backups show-backup status list-files diagnose replication-status verify-backup", level: "low" },
      { names: "wal-g", words: "backup-list wal-show wal-verify", level: "low" },
      { words: "~stanza-delete ~delete ~expire ~restore ~recover ~backup-delete ~delete-backup ~wal-delete",
        level: "high" },
      { names: "pg_dump mysqldump mongodump", ...serverClient },
      { names: "pg_dump pg_dumpall pg_basebackup", is: "versioned" },
    ],
    match: { low: ["pgbackrest info"], medium: ["pg_dump -h db app", "pg_dump info"],
      high: ["pg_dump -f /etc/passwd app"] } },
  { id: "database.restore", names: "pg_restore mongorestore mysqlimport mongoimport mysqlbinlog-apply", level: "high",
    rows: [{ names: "pg_restore", words: "-l --list", level: "low" }],
    match: { low: ["pg_restore -l x.dump"], high: ["pg_restore -d app x.dump"] } },
  { id: "database.drop",
    names: "dropdb dropuser pg_resetwal pg_rewind pg_archivecleanup mysql_install_db initdb mysql_upgrade",
    level: "high",
    match: { high: ["dropdb app"] } },
  { id: "database.create",
    names: "createdb createuser vacuumdb reindexdb clusterdb analyzedb myisamchk pgbench pg_repack " +
      "pt-online-schema-change gh-ost pt-kill",
    level: "medium", options: { value: "-d -h -U" },
    match: { medium: ["vacuumdb -a"] } },
  { id: "database.check", names: "mysqlcheck mariadb-check", level: "low", why: "checks tables",
    options: { value: "-u -h -P -S --user --host --port --socket" },
    rows: [
      { words: "-r -o -a -f --repair --optimize --analyze --auto-repair --force --fix-db-names --fix-table-names",
        level: "medium" },
    ],
    match: { low: ["mysqlcheck --check app"], medium: ["mysqlcheck -r app"] } },
  { id: "database.checksums", names: "innochecksum", level: "low",
    options: { value: "-s -e -p -w -C --write --strict-check" },
    rows: [{ words: "-w --write", level: "medium" }],
    match: { low: ["innochecksum x.ibd"], medium: ["innochecksum --no-check --write=crc32 x.ibd"] } },
  { id: "database.look",
    names: "pg_isready pg_lsclusters pg_controldata pg_activity pgbadger mysqlshow mariadb-show mytop innotop " +
      "mysqldumpslow mariadb-dumpslow pt-query-digest pt-summary pt-mysql-summary pt-stalk mongostat mongotop " +
      "mysqlbinlog mariadb-binlog pg_waldump pg_config pg_test_timing memcstat memcached-tool pgmetrics",
    level: "low",
    rows: [
      { names: "pg_isready", if: " (-\\w*d|--dbname)[ =]?\\S*=", level: "medium",
        why: "takes its settings from a text" },
      { names: "pgbadger", unless: " --(version|help) ", level: "medium", why: "writes a report" },
      { names: "pt-stalk", unless: " --(version|help) ", level: "medium",
        why: "collects and writes until it is stopped" },
      { names: "innotop", unless: " --(nonint|version|help) ", level: "medium", why: "opens its screen, which acts" },
      { names: "pgmetrics pg_isready mytop mongostat mongotop mysqlshow mariadb-show innotop", ...serverClient },
      { names: "memcstat", words: "", reach: { kind: "service", options: { host: "-s --servers" } } },
      { names: "memcached-tool", words: "", reach: { kind: "service" } },
      { names: "pt-summary pt-mysql-summary", if: " --sleep[ =]\\d{3}", level: "medium", why: "measures for long" },
      { names: "pg_isready", exit: { 1: "rejects connections", 2: "no answer" } },
    ],
    match: { low: ["pg_isready", "mongostat -n 1"], medium: ["innotop"] } },
  { id: "database.control", names: "pg_ctl pg_ctlcluster pg_upgradecluster pg_createcluster", level: "medium",
    options: { value: "-D -l -o -t -m" },
    rows: [
      { names: "pg_ctl", words: "status", level: "low" },
      { names: "pg_ctlcluster", if: "^ \\S+ \\S+ status ", operands: true, level: "low" },
      { words: "~stop ~promote ~immediate ~kill", level: "high" },
    ],
    match: { low: ["pg_ctl status"], medium: ["pg_ctl reload"], high: ["pg_ctl stop"] } },
  { id: "database.dropcluster", names: "pg_dropcluster", level: "high",
    match: { high: ["pg_dropcluster 14 main"] } },
  { id: "database.redis", names: "redis-cli valkey-cli keydb-cli",
    options: { secret: "-a --pass --cert --key",
      value: "-h -p -n -u -s -r -i -d -D --user --eval --cacert --sni --pattern --count" },
    check: "redis",
    rows: [
      serverClient,
      { words: "monitor subscribe psubscribe ssubscribe",
        ends: { does: "it listens for ever", instead: "timeout 5 redis-cli monitor" } },
      {
        ends: { endless: "--stat --latency --latency-history", does: "it never ends", instead: "redis-cli info" } },
      { words: "keys",
        ends: { does: "it reads every key at once and holds the server up", instead: "redis-cli --scan" } },
      { ends: { endless: "--bigkeys --memkeys --hotkeys", does: "it reads every key" } },
      { if: " (FLUSHALL|flushall) ",
        probe: { run: "$0 $- INFO keyspace", shows: "how many keys there are",
          example: ["redis-cli -n 2 FLUSHALL", "redis-cli -n 2 INFO keyspace"] } },
      { if: " (FLUSHDB|flushdb) ",
        probe: { run: "$0 $- DBSIZE", shows: "how many keys there are",
          example: ["redis-cli -n 2 FLUSHDB", "redis-cli -n 2 DBSIZE"] } },
      { if: " (DEL|del|UNLINK|unlink) ",
        probe: { run: "$0 $- EXISTS $2+", shows: "how many of the keys there are",
          example: ["redis-cli DEL a b", "redis-cli EXISTS a b"] } },
    ],
    match: { low: ["redis-cli INFO memory", "redis-cli -h cache01 PING", "redis-cli --bigkeys"],
      medium: ["redis-cli SET a b"], high: ["redis-cli FLUSHALL", "echo FLUSHALL | redis-cli"] } },
  { id: "database.mongo", names: "mongo mongosh",
    options: { secret: "-p --password",
      value: "--eval -u --host --port --username --authenticationDatabase --file -f" },
    check: "mongo",
    rows: [serverClient,
      { if: "^( --?\\w+)* [\\w-]+(\\.[\\w-]+)+(:\\d+)?/\\w+ ", level: "medium", why: "connects to another host" }],
    match: { low: ["mongosh --eval 'db.serverStatus()'", "mongosh --quiet --eval 'rs.status()'"],
      medium: ["mongosh --eval 'db.x.insertOne({a:1})'"], high: ["mongosh app --eval 'db.dropDatabase()'"] } },
  { id: "database.nodetool", names: "nodetool", options: { value: "-h -p -u -pw" },
    rows: [
      { words: "", reach: { kind: "service", options: { host: "-h --host" } } },
      { words: "status info ring netstats tpstats compactionstats tablestats cfstats describecluster " +
        "gossipinfo getendpoints version proxyhistograms tablehistograms getlogginglevels statusgossip " +
        "statusbinary listsnapshots getcompactionthroughput getinterdcstreamthroughput getstreamthroughput " +
        "gettraceprobability compactionhistory describering statusbackup statushandoff statusautocompaction " +
        "viewbuildstatus failuredetector clientstats getseeds gettimeout getsstables rangekeysample getconcurrency " +
        "getconcurrentcompactors getconcurrentviewbuilders getmaxhintwindow listpendinghints datapaths help " +
        "getcompactionthreshold getbatchlogreplaythrottle getsnapshotthrottle getcolumnindexsize repair_admin_list",
        level: "low" },
      { words: "gcstats", level: "medium", why: "starts its counters anew" },
      { words: "flush repair compact cleanup snapshot setlogginglevel enable* set* scrub upgradesstables " +
        "rebuild_index refresh resumehandoff",
        level: "medium" },
      { words: "decommission removenode assassinate drain stopdaemon clearsnapshot disable* truncatehints move " +
        "rebuild stop pausehandoff",
        level: "high" },
    ],
    match: { low: ["nodetool status"], medium: ["nodetool repair"], high: ["nodetool decommission"] } },
];
