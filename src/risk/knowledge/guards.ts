/** Services by what stopping them means: the audit must stay on, and some carry the host. */

/** What watches the host; stopping any of them is blocked. */
export const auditServices: readonly string[] =
  "auditd rsyslog rsyslogd syslog-ng systemd-journald journald falco osqueryd ossec ossec-hids ossec-agent wazuh wazuh-agent wazuh-manager auditbeat filebeat falcon-sensor crowdstrike clamav-daemon clamd crowdsec aide aidecheck sysmon mdatp sysstat-audit go-audit laurel samhain tripwire cbdaemon cbagentd sentinelone ds_agent".split(
    " ",
  );

/** What the host or everything on it depends on; stopping it is downtime. */
export const vitalServices: readonly string[] =
  "ssh sshd init systemd systemd-logind systemd-networkd systemd-resolved systemd-udevd dbus dbus-daemon NetworkManager network networking networkd kubelet containerd dockerd docker firewalld ufw nftables iptables fail2ban apparmor polkit multi-user etcd postgres mysqld".split(
    " ",
  );

/** What is critical where the operator names nothing else: the usual databases, by unit, process and container. */
export const databaseServices: readonly string[] =
  "postgres postgresql pgsql mysql mysqld mariadb mariadbd percona mongo mongod mongodb mongos redis redis-server valkey valkey-server keydb keydb-server cassandra scylla scylla-server clickhouse clickhouse-server elasticsearch opensearch influxdb influxd couchdb neo4j cockroach cockroachdb mssql-server".split(
    " ",
  );
