/** Web servers, mail, queues and other applications, by their own tools. */
import type { Rule } from "../rule.ts";

export const applicationRules: readonly Rule[] = [
  {
    id: "web.nginx",
    names: "nginx openresty",
    level: "medium",
    takes: "-s -c -p -g -e",
    when: { low: "-t -T -v -V -h", medium: "reload reopen", high: "stop quit" },
    examples: {
      low: ["nginx -t", "nginx -T", "nginx -v"],
      medium: ["nginx -s reload", "nginx -q -s reload"],
      high: ["nginx -s stop"],
    },
  },
  {
    id: "web.apache",
    names: "apachectl apache2ctl httpd apache2",
    level: "medium",
    when: {
      low: "configtest status fullstatus -t -S -M -v -V -l -L",
      medium: "graceful restart start reload",
      high: "stop graceful-stop",
    },
    takes: "-k -f -D -d -c -C",
    examples: {
      low: ["apachectl configtest", "httpd -t", "apache2ctl -S"],
      medium: ["apachectl graceful"],
      high: ["apachectl stop"],
    },
  },
  {
    id: "web.site",
    names: "a2ensite a2dissite a2enmod a2dismod a2enconf a2disconf",
    level: "medium",
    examples: { medium: ["a2ensite app"] },
  },
  {
    id: "web.tomcat",
    names: "catalina.sh catalina.bat",
    sub: { low: "version configtest", medium: "start run stop", high: "kill" },
    noSub: "medium",
    examples: { low: ["catalina.sh version"], medium: ["catalina.sh start"] },
  },
  {
    id: "web.haproxy",
    names: "haproxy varnishd caddy traefik envoy lighttpd squid unbound php-fpm keepalived",
    level: "medium",
    when: {
      low: "haproxy_-c php-fpm_-m php-fpm_-i -t -T -v -vv -V validate version --validate check --check --version adapt list-modules healthcheck parse --config-test",
      medium: "reload start restart run",
      high: "stop shutdown",
    },
    takes: "--config --adapter --environ",
    examples: {
      low: ["haproxy -c -f /etc/haproxy/haproxy.cfg", "php-fpm -t", "caddy validate"],
      medium: ["caddy reload", "haproxy -f /etc/haproxy/haproxy.cfg", "envoy -c /etc/envoy.yaml"],
    },
  },
  {
    id: "queue.zookeeper",
    names: "zkCli.sh zkcli zookeeper-shell zookeeper-shell.sh zkServer.sh",
    oneDash: true,
    takes: "-server -timeout",
    level: "medium",
    when: {
      low: "ls ls2 get stat getAcl status listquota version",
      medium: "create set setAcl start restart",
      high: "delete deleteall rmr stop reconfig",
    },
    examples: { low: ["zkCli.sh -server localhost:2181 stat /"], high: ["zkCli.sh deleteall /brokers"] },
  },
  {
    id: "app.consoles",
    names: "asterisk squidclient fs_cli lttng",
    level: "medium",
    takes: "-p -h",
    when: { low: "list mgr:* status" },
    check: "console",
    examples: {
      low: ["squidclient mgr:info", "lttng list"],
      medium: ["asterisk -rx 'core reload'"],
      high: ["asterisk -rx 'core stop now'"],
    },
  },
  {
    id: "app.device-consoles",
    names: "vtysh birdc birdcl vppctl",
    takes: "-c -x -s -d -f",
    check: "deviceConsole",
    examples: {
      low: ["vtysh -c 'show ip bgp summary'", "birdc show route count"],
      medium: ["vtysh", "vtysh -c 'clear ip bgp *'"],
      high: ["birdc disable all", "vtysh -c 'configure terminal' -c 'no router bgp 65001'"],
    },
  },
  {
    id: "web.checkers",
    names:
      "named-checkconf named-checkzone unbound-checkconf dovecot-doveconf doveconf testparm checkconf nginx-conf-check rsyslogd-check xmlstarlet-val cfg-check smbstatus slapcat slaptest radtest",
    level: "low",
    operands: "read",
    examples: { low: ["named-checkconf /etc/bind/named.conf", "testparm -s", "smbstatus"] },
  },
  {
    id: "web.sshd",
    names: "sshd",
    level: "high",
    when: { low: "-t -T" },
    examples: { low: ["sshd -t", "sshd -T"], high: ["sshd -D -p 2222"] },
  },
  {
    id: "web.varnish",
    names: "varnishadm varnishstat varnishlog varnishtop varnishncsa varnishhist",
    level: "low",
    when: {
      medium: "ban ban_* param.set* vcl.load* vcl.use* vcl.inline* vcl.discard* backend.set_health* panic.clear* start",
      high: "stop",
    },
    examples: {
      low: ["varnishstat -1", "varnishadm backend.list"],
      medium: ["varnishadm ban req.url '~' /", "varnishadm 'ban req.url ~ /'"],
      high: ["varnishadm stop"],
    },
  },
  {
    id: "mail.read",
    names: "mailq postqueue postcat eximstats exiqsumm pflogsumm qshape",
    level: "low",
    flags: { medium: "-f -i -s" },
    examples: { low: ["mailq", "postqueue -p"], medium: ["postqueue -f"] },
  },
  {
    id: "mail.change",
    names: "postsuper postfix mail mailx mutt newaliases postmap swaks",
    level: "medium",
    takes: "-q",
    flags: { high: "-d" },
    when: { low: "postfix_check postfix_status", high: "stop abort" },
    examples: {
      low: ["postfix check"],
      medium: ["postfix reload", "mail -s status ops@x.example"],
      high: ["postsuper -d ALL"],
    },
  },
  {
    id: "mail.settings",
    names: "postconf",
    level: "low",
    flags: { medium: "-e -X -#" },
    check: "assigns",
    examples: { low: ["postconf -n", "postconf -d mail_version"], medium: ["postconf -e x=y", "postconf x=y"] },
  },
  {
    id: "mail.exim",
    names: "exim exim4 sendmail",
    oneDash: true,
    level: "medium",
    takes: "-C -f -F -D -O",
    execs: "-be",
    when: { low: "-bp -bpc -bpr -bpu -bt -bv -bV -bP -bh -Mvh -Mvb -Mvl -Mvc", high: "-Mrm -Mg" },
    examples: { low: ["exim -bpc", "exim -bt bob@x.org"], medium: ["exim -M 1a-2-3"], high: ["exim -Mrm 1a-2-3"] },
  },
  {
    id: "queue.rabbit",
    names: "rabbitmqctl rabbitmq-diagnostics rabbitmq-plugins rabbitmqadmin rabbitmq-queues rabbitmq-upgrade",
    sub: {
      low: "status list_* list cluster_status node_health_check environment report ping check_* help version memory_breakdown listeners observer show alarms is_running is_booting",
      medium:
        "start_app sync_queue cancel_sync_queue set_* add_* enable disable change_password declare publish trace_on trace_off rotate_logs export_definitions authenticate_user get rebalance grow enable_feature_flag await_startup clear_*",
      high: "delete* purge_queue stop_app stop reset force_reset forget_cluster_node shutdown stop_rabbit close_* delete_* purge force_boot remove_vhost import_definitions eval rename_cluster_node join_cluster change_cluster_node_type",
    },
    examples: {
      low: ["rabbitmqctl list_queues name messages"],
      high: ["rabbitmqctl delete_vhost /prod", "rabbitmqctl stop_app"],
    },
  },
  {
    id: "queue.kafka",
    names:
      "kafka-topics kafka-topics.sh kafka-consumer-groups kafka-consumer-groups.sh kafka-configs kafka-configs.sh kafka-acls kafka-acls.sh kafka-log-dirs.sh kafka-log-dirs kafka-get-offsets.sh kafka-broker-api-versions.sh kafka-reassign-partitions.sh kafka-leader-election.sh",
    oneDash: false,
    level: "medium",
    flags: { high: "--delete --delete-offsets --reset-offsets" },
    when: {
      low: "--list --describe --members --state --verify --version",
      medium: "--alter --create --add-config --delete-config --execute",
      high: "--delete --delete-offsets --reset-offsets",
    },
    examples: {
      low: [
        "kafka-topics.sh --bootstrap-server x:9092 --list",
        "kafka-consumer-groups.sh --bootstrap-server x:9092 --describe --group g",
      ],
      medium: ["kafka-topics.sh --create --topic x --bootstrap-server x:9092"],
      high: ["kafka-topics.sh --delete --topic x --bootstrap-server x:9092"],
    },
  },
  {
    id: "queue.kafka-class",
    names: "kafka-run-class.sh kafka-run-class",
    takes: "-name",
    oneDash: true,
    sub: { low: "kafka.tools.GetOffsetShell kafka.tools.DumpLogSegments kafka.tools.JmxTool", medium: "*" },
    flags: { high: "--delete --reset-offsets" },
    examples: {
      low: ["kafka-run-class.sh kafka.tools.GetOffsetShell --topic x"],
      medium: ["kafka-run-class.sh kafka.Kafka kafka.tools.JmxTool"],
    },
  },
  {
    id: "queue.kcat",
    names: "kcat kafkacat kafka-console-consumer.sh kafka-console-consumer",
    level: "low",
    flags: { medium: "-P" },
    examples: { low: ["kcat -b x -L"], medium: ["kcat -b x -t y -P"] },
  },
  {
    id: "queue.produce",
    names: "kafka-console-producer.sh kafka-console-producer",
    level: "medium",
    examples: { medium: ["kafka-console-producer.sh --topic x"] },
  },
  {
    id: "queue.kafka-destroy",
    names: "kafka-delete-records.sh kafka-server-stop.sh zookeeper-server-stop.sh",
    level: "high",
    examples: { high: ["kafka-server-stop.sh"] },
  },
  {
    id: "app.artisan",
    names: "celery sidekiqctl resque passenger-config gunicorn uwsgi",
    dry: "--check-config",
    sub: { low: "status inspect report list show", medium: "control restart-app worker beat", high: "purge amqp" },
    noSub: "medium",
    examples: { low: ["celery inspect active"], high: ["celery purge"] },
  },
  {
    id: "ha.cluster",
    names:
      "pcs crm crm_mon corosync-cfgtool corosync-quorumtool crm_resource patronictl repmgr keepalived-status stonith_admin",
    tag: "cluster",
    sub: {
      low: "status list config show cluster_show history topology dsn query resource_show node_show cluster_status service_status",
      medium:
        "reload resource_cleanup cleanup resource_refresh resource_enable resume pause resource_restart restart reinit edit-config",
      high: "cluster_stop resource_disable resource_delete resource_move standby node_standby switchover failover remove stonith_fence cluster_destroy flush promote",
    },
    noSub: "low",
    examples: {
      low: ["pcs status", "crm_mon -1", "patronictl list"],
      high: ["pcs cluster stop --all", "patronictl failover"],
    },
  },
];
