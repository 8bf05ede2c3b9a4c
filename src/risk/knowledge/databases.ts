/** Databases and search engines. */
import type { Program } from "../program.ts";
import { serverClient } from "./facts.ts";

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
      "bucket org task user dbrp telegrafs remote replication server-config": { check: "family",
      rows: [{ words: "server-config", level: "medium" }] },
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
      { if: " (flush-\\w+|kill|reload|refresh|st(art|op)-\\w+|password|create) ", level: "medium",
        why: "changes the server" },
      { words: "shutdown drop", level: "high", why: "stops or destroys" },
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
      { words: "~info ~check ~list ~show-server ~show-servers ~list-server ~list-servers ~list-backup ~list-backups " +
        "~show-backup ~backup-list ~status", level: "low" },
      { names: "pgbackrest", words: "~version ~repo-ls", level: "low" },
      { names: "barman", words: "~list-files ~diagnose ~replication-status ~verify-backup", level: "low" },
      { names: "wal-g", words: "~wal-show ~wal-verify", level: "low" },
      { words: "~stanza-delete ~delete ~expire ~restore ~recover ~backup-delete ~delete-backup ~wal-delete",
        level: "high" },
      { names: "pgbackrest", words: "~check", level: "medium", why: "switches to a new segment of the log" },
      { names: "pg_dump mysqldump mongodump", ...serverClient },
      { names: "pg_dump pg_dumpall pg_basebackup", is: "versioned" },
    ],
    match: { low: ["pg_dump info"], medium: ["pg_dump -h db app"], high: ["pg_dump -f /etc/passwd app"] } },
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
      "mysqldumpslow pt-query-digest pt-summary pt-mysql-summary pt-stalk mongostat mongotop mysqlbinlog " +
      "mariadb-binlog pg_waldump pg_config pg_test_timing memcstat memcached-tool pgmetrics",
    level: "low",
    rows: [
      { names: "pg_isready", if: " (-\\w*d|--dbname)[ =]?\\S*=", level: "medium",
        why: "takes its settings from a text" },
      { names: "pgbadger", unless: " --(version|help) ", level: "medium", why: "writes a report" },
      { names: "pt-stalk", unless: " --(version|help) ", level: "medium",
        why: "collects and writes until it is stopped" },
      { names: "innotop", unless: " --(nonint|version|help) ", level: "medium", why: "opens its screen, which acts" },
      { names: "pgmetrics pg_isready mytop mongostat mongotop mysqlshow mariadb-show innotop", ...serverClient },
      { names: "pg_isready", exit: { 1: "rejects connections", 2: "no answer" } },
    ],
    match: { low: ["pg_isready", "mongostat -n 1"], medium: ["innotop"] } },
  { id: "database.control", names: "pg_ctl pg_ctlcluster pg_upgradecluster pg_createcluster", level: "medium",
    options: { value: "-D -l -o -t -m" },
    rows: [{ words: "~status", level: "low" }, { words: "~stop ~promote ~immediate ~kill", level: "high" }],
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
    rows: [serverClient],
    match: { low: ["mongosh --eval 'db.serverStatus()'", "mongosh --quiet --eval 'rs.status()'"],
      medium: ["mongosh --eval 'db.x.insertOne({a:1})'"], high: ["mongosh app --eval 'db.dropDatabase()'"] } },
  { id: "database.nodetool", names: "nodetool", options: { value: "-h -p -u -pw" },
    rows: [
      { words: "status info ring netstats tpstats compactionstats tablestats cfstats describecluster " +
        "gossipinfo getendpoints version proxyhistograms tablehistograms gcstats getlogginglevels statusgossip " +
        "statusbinary listsnapshots getcompactionthroughput getinterdcstreamthroughput getstreamthroughput " +
        "gettraceprobability compactionhistory describering statusbackup statushandoff statusautocompaction " +
        "viewbuildstatus failuredetector clientstats getseeds gettimeout getsstables rangekeysample getconcurrency " +
        "getconcurrentcompactors getconcurrentviewbuilders getmaxhintwindow listpendinghints datapaths help " +
        "getcompactionthreshold getbatchlogreplaythrottle getsnapshotthrottle getcolumnindexsize repair_admin_list",
        level: "low" },
      { words: "flush repair compact cleanup snapshot setlogginglevel enable* set* scrub upgradesstables " +
        "rebuild_index refresh resumehandoff",
        level: "medium" },
      { words: "decommission removenode assassinate drain stopdaemon clearsnapshot disable* truncatehints move " +
        "rebuild stop pausehandoff",
        level: "high" },
    ],
    match: { low: ["nodetool status"], medium: ["nodetool repair"], high: ["nodetool decommission"] } },
];
