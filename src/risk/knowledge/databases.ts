/** Databases and search engines. */
import type { Rule } from "../rule.ts";

const sqlTakes =
  "-c -d -U -h -p -P -F -v -f -o -R -T -u -e -D -S -L -i -Q -m --command --dbname --username --host --port --file --output --set --variable --execute --user --database --socket --query --field-separator --record-separator --pset --log-file --defaults-file --defaults-extra-file --ssl-ca --delimiter --init-command --format --max_memory_usage --param";

export const databaseRules: readonly Rule[] = [
  {
    id: "database.psql",
    names: "psql pgcli cockroach-sql vsql",
    takes: sqlTakes.replace("-e ", "").replace("-S ", "").replace("-D ", "").replace("", ""),
    writes: "-o --output -L --log-file",
    reads: "",
    check: "sqlClient",
    examples: {
      low: [
        "psql -c 'select 1'",
        "psql -U app -d app -At -c 'SELECT pid FROM pg_stat_activity'",
        "psql -l",
        "psql -c '\\dt'",
      ],
      medium: ['psql -c "select pg_terminate_backend(4242)"', 'psql -c "update t set a=1 where id=2"', "psql -f x.sql"],
      high: ["psql -c 'DROP TABLE users'", "psql -c 'update t set a=1'"],
      block: ["psql -c \"COPY t FROM PROGRAM 'rm -rf /'\"", "psql -c '\\! rm -rf /'"],
    },
  },
  {
    id: "database.mysql",
    names: "mysql mariadb mycli mysqlsh tidb",
    takes: sqlTakes.replace("-p ", "").replace("-c ", "").replace("-F ", "").replace("-U ", ""),
    check: "sqlClient",
    examples: {
      low: ["mysql -e 'SHOW FULL PROCESSLIST'"],
      medium: ["mysql -e 'kill 42'"],
      high: ["mysql -e 'TRUNCATE TABLE app.orders'"],
    },
  },
  {
    id: "database.client",
    names:
      "sqlcmd isql sqlplus clickhouse-client clickhouse cqlsh bq-query presto trino hive impala-shell db2 cypher-shell",
    takes: `${sqlTakes} -q -s -k`,
    check: "sqlClient",
    examples: {
      low: ["clickhouse-client --query 'select 1'", "cqlsh -e 'describe keyspaces'"],
      high: ["cqlsh -e 'drop keyspace app'"],
    },
  },
  {
    id: "database.sqlite",
    names: "sqlite3 sqlite duckdb influx sqlite-utils",
    oneDash: true,
    takes: "-cmd -init -separator -newline -nullvalue -execute -database -host -port -username -password -format -c",
    check: "sqlClient",
    examples: {
      low: ["sqlite3 x.db 'select 1'", "influx -execute 'SHOW DATABASES'"],
      high: ["sqlite3 -batch x.db 'drop table t'", "influx -execute 'DROP DATABASE metrics'"],
      block: ["sqlite3 x.db '.shell rm -rf /'"],
    },
  },
  {
    id: "database.mysqladmin",
    names: "mysqladmin mariadb-admin",
    takes: "-u -h -P -S -i --user --host --port --socket --sleep",
    sub: {
      low: "status processlist extended-status ping variables version proc ext",
      medium: "kill flush-* reload refresh start-* stop-* password create",
      high: "shutdown drop",
    },
    examples: { low: ["mysqladmin processlist"], high: ["mysqladmin shutdown"] },
  },
  {
    id: "database.dump",
    names:
      "pg_dump pg_dumpall mysqldump mariadb-dump mongodump mongoexport pg_basebackup xtrabackup mariabackup redis-dump barman wal-g pgbackrest pg_receivewal",
    level: "medium",
    takes: "-f -d -h -U -p -t -n -F -j -u -D -o --file --out --host --user --dbname --result-file",
    writes: "-f --file --result-file -o --out",
    when: {
      low: "info check list show-server list-backup backup-list status",
      high: "delete expire restore recover backup-delete delete-backup wal-delete",
    },
    examples: { medium: ["pg_dump -h db app"], high: ["pg_dump -f /etc/passwd app"] },
  },
  {
    id: "database.restore",
    names: "pg_restore mongorestore mysqlimport mongoimport mysqlbinlog-apply",
    level: "high",
    when: { low: "pg_restore_-l pg_restore_--list" },
    examples: { high: ["pg_restore -d app x.dump"], low: ["pg_restore -l x.dump"] },
  },
  {
    id: "database.drop",
    names: "dropdb dropuser pg_resetwal pg_rewind pg_archivecleanup mysql_install_db initdb mysql_upgrade",
    level: "high",
    examples: { high: ["dropdb app"] },
  },
  {
    id: "database.create",
    names:
      "createdb createuser vacuumdb reindexdb clusterdb analyzedb myisamchk pgbench pg_repack pt-online-schema-change gh-ost pt-kill",
    level: "medium",
    takes: "-d -h -U",
    examples: { medium: ["vacuumdb -a"] },
  },
  {
    id: "database.check",
    names: "mysqlcheck mariadb-check",
    level: "low",
    takes: "-u -h -P -S --user --host --port --socket",
    flags: {
      medium: "-r -o -a -f --repair --optimize --analyze --auto-repair --force --fix-db-names --fix-table-names",
    },
    why: "checks tables",
    examples: { low: ["mysqlcheck --check app"], medium: ["mysqlcheck -r app"] },
  },
  {
    id: "database.checksums",
    names: "innochecksum",
    level: "low",
    takes: "-s -e -p -w -C --write --strict-check",
    flags: { medium: "-w --write" },
    examples: { low: ["innochecksum x.ibd"], medium: ["innochecksum --no-check --write=crc32 x.ibd"] },
  },
  {
    id: "database.look",
    names:
      "pg_isready pg_lsclusters pg_controldata pg_activity pgbadger mysqlshow mytop innotop mysqldumpslow pt-query-digest pt-summary pt-mysql-summary pt-stalk mongostat mongotop mysqlbinlog pg_waldump pg_config pg_test_timing memcstat memcached-tool",
    level: "low",
    examples: { low: ["pg_isready", "mongostat -n 1"] },
  },
  {
    id: "database.control",
    names: "pg_ctl pg_ctlcluster pg_upgradecluster pg_createcluster",
    level: "medium",
    takes: "-D -l -o -t -m",
    when: { low: "status", high: "stop promote immediate kill" },
    examples: { low: ["pg_ctl status"], medium: ["pg_ctl reload"], high: ["pg_ctl stop"] },
  },
  {
    id: "database.dropcluster",
    names: "pg_dropcluster",
    level: "high",
    examples: { high: ["pg_dropcluster 14 main"] },
  },
  {
    id: "database.redis",
    names: "redis-cli valkey-cli keydb-cli",
    takes: "-h -p -a -n -u -s -r -i -d -D --user --pass --eval --cacert --cert --key --sni --pattern --count",
    check: "redis",
    examples: {
      low: ["redis-cli INFO memory", "redis-cli -h cache01 PING", "redis-cli --bigkeys"],
      medium: ["redis-cli SET a b"],
      high: ["redis-cli FLUSHALL", "echo FLUSHALL | redis-cli"],
    },
  },
  {
    id: "database.mongo",
    names: "mongo mongosh",
    takes: "--eval -u -p --host --port --username --password --authenticationDatabase --file -f",
    check: "mongo",
    examples: {
      low: ["mongosh --eval 'db.serverStatus()'", "mongosh --quiet --eval 'rs.status()'"],
      medium: ["mongosh --eval 'db.x.insertOne({a:1})'"],
      high: ["mongosh app --eval 'db.dropDatabase()'"],
    },
  },
  {
    id: "database.nodetool",
    names: "nodetool",
    takes: "-h -p -u -pw",
    sub: {
      low: "status info ring netstats tpstats compactionstats tablestats cfstats describecluster gossipinfo getendpoints version proxyhistograms tablehistograms gcstats getlogginglevels statusgossip statusbinary listsnapshots",
      medium:
        "flush repair compact cleanup snapshot setlogginglevel enable* set* scrub upgradesstables rebuild_index refresh resumehandoff",
      high: "decommission removenode assassinate drain stopdaemon clearsnapshot disable* truncatehints move rebuild stop pausehandoff",
    },
    examples: { low: ["nodetool status"], medium: ["nodetool repair"], high: ["nodetool decommission"] },
  },
];
