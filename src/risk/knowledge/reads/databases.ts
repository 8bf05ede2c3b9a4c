/** What only reads of the clients of databases, queues and caches, from their own help. What their statements do is judged apart. */
import type { ReadTable } from "../../reads.ts";

const kafka =
  "--bootstrap-server= --bootstrap-servers= --broker-list= --broker= --zookeeper= --topic= --topics= --group= --all-groups --all-topics --describe --list " +
  "--members --offsets --state --verbose --under-replicated-partitions --unavailable-partitions --at-min-isr-partitions --under-min-isr-partitions " +
  "--topics-with-overrides --exclude-internal --entity-type= --entity-name= --all --timeout= --timeout-ms= --max-messages= --partition= --offset= " +
  "--from-beginning --skip-message-on-error --time= --partitions= --topic-list= --to-earliest --to-latest --to-offset= --shift-by= --reset-offsets --dry-run --version --help --describe-offsets --log-dirs= --brokers= --verify " +
  "--reassignment-json-file= --topic-partitions= --include= --exclude-internal-topics --status --replication";
const kcat = "-b= -t= -C -L -Q -J -o= -c= -e -q -u -O -p= -f= -D= -K= -m= -v -V -Z -A -d= -s= --help";
const mysqlClient =
  "-A -B -C -E -H -N -P= -S= -X -b -c -e= -f -h= -i -n -q -r -s -t -u= -v -w -D= --no-auto-rehash --batch --raw --silent --skip-column-names --table --vertical --xml --html " +
  "--execute= --database= --host= --port= --user= --socket= --protocol= --connect-timeout= --connect-expired-password --default-character-set= --defaults-file= --defaults-extra-file= --defaults-group-suffix= --no-defaults --no-beep " +
  "--column-names --column-type-info --comments --compress --force --ignore-spaces --line-numbers --quick --reconnect --show-warnings --skip-reconnect " +
  "--unbuffered --verbose --wait --safe-updates --binary-as-hex --ssl-mode= --tls-version= --login-path= --version -V --help -? --skip-ssl";

// biome-ignore format: filled to the width
export const databaseReads: ReadTable = {
  psql: { names: true,
    options: "-A -a -b -c= -d= -e -E -F= -f= -h= -H -l -n -P= -p= -q -R= -s -S -t -T= -U= -V -v= -w -W -x -X -z -0 -1 --csv --command= --dbname= --echo-all " +
      "--echo-errors --echo-queries --echo-hidden --field-separator= --host= --html --list --no-align --no-password --no-psqlrc --no-readline --port= --pset= " +
      "--quiet --record-separator= --single-transaction --tuples-only --username= --variable= --set= --version --expanded --field-separator-zero " +
      "--record-separator-zero --table-attr= --help -?" },
  pg_isready: { names: true, options: "-d= --dbname= -h= --host= -p= --port= -q --quiet -t= --timeout= -U= --username= -V --version" },
  pg_controldata: { names: true, options: "-D= --pgdata= -V --version" },
  "pg_lsclusters pg_config": { names: true, options: "-h --no-header -j --json -s --start-conf --version --bindir --pkglibdir --sharedir --configure" },
  "mysql mariadb": { names: true, options: mysqlClient },
  "mysqladmin mariadb-admin": { names: true,
    options: "-c= --count= -i= --sleep= -r --relative -E --vertical -s --silent -u= --user= -h= --host= -P= --port= -S= --socket= -v --verbose -b --no-beep -w " +
      "--protocol= --connect-timeout= --login-path= -f --force --ssl-mode= -V --version" },
  "mysqlshow mariadb-show": { names: true, options: "-u= --user= -h= --host= -P= --port= -S= --socket= -i --status -k --keys -t --show-table-type -v --verbose --count --protocol=" },
  "mysqlcheck mariadb-check": { names: true, options: "-c --check -C --check-only-changed -e --extended -F --fast -m --medium-check -q --quick -A --all-databases -B --databases " +
    "-u= --user= -h= --host= -P= --port= -S= --socket= -s --silent -v --verbose --tables -g --check-upgrade" },
  "mysqlbinlog mariadb-binlog": { names: true,
    options: "-v --verbose -vv --base64-output= --start-datetime= --stop-datetime= --start-position= --stop-position= -j= -d= --database= -s --short-form " +
      "-u= --user= -h= --host= -P= --port= --include-gtids= --exclude-gtids= --skip-gtids -o= --offset= --server-id= --print-table-metadata" },
  "innochecksum pt-query-digest": { names: true,
    options: "-c --count -v --verbose -s= --start-page= -e= --end-page= -p= --page= -S --page-type-summary --limit= --since= --until= --type= " +
      "--report-format= --group-by= --order-by= --progress=" },
  sqlcmd: { names: true, options: "-o=/dev/null -S= -d= -E -C -K= -l= -t= -h= -W -w= -s= -Q= -q= -b -k -u -y= -Y= -f= -a= -H= -m= -r -V= -N -x -I" },
  sqlite3: { names: true, options: "-init=/dev/null -readonly -header -noheader -column -csv -json -line -list -markdown -table -box -html -ascii -quote -tabs -separator= -nullvalue= " +
    "-bail -batch -echo -safe -version -newline= -stats" },
  "redis-cli valkey-cli keydb-cli": { names: true,
    options: "--cacert= --cacertdir= -h= -p= -s= -n= -u= -r= -i= -d= -D= -c -e -2 -3 --raw --no-raw --csv --json --quoted-json --tls --sni= --insecure --user= --bigkeys --memkeys --memkeys-samples= " +
      "--hotkeys --stat --latency --latency-history --latency-dist --intrinsic-latency= --scan --pattern= --quoted-pattern= --count= --cluster --verbose " +
      "--no-auth-warning --cluster-search-multiple-owners --show-pushes= --version -v -t= -4 -6 --help" },
  "mongosh mongo": { names: true,
    options: "--quiet --eval= --host= --port= --norc --nodb --json --verbose --version --authenticationDatabase= --authenticationMechanism= --username= -u= --tls --ssl " +
      "--tlsAllowInvalidCertificates --tlsAllowInvalidHostnames --retryWrites --apiVersion= --readPreference= --help" },
  "mongostat mongotop": { names: true,
    options: "--rowcount= -n= --noheaders --all --discover --json --humanReadable= -h= --host= --port= -u= --username= --authenticationDatabase= " +
      "--authenticationMechanism= --ssl --quiet -v --verbose -O= -o= --locks --uri= --version" },
  "kafka-consumer-groups kafka-consumer-groups.sh kafka-topics kafka-topics.sh kafka-configs kafka-configs.sh kafka-log-dirs kafka-log-dirs.sh kafka-acls kafka-acls.sh": {
    names: true, options: `${kafka} --command-config=` },
  "kafka-broker-api-versions.sh kafka-reassign-partitions.sh kafka-get-offsets.sh kafka-get-offsets kafka-broker-api-versions kafka-metadata-quorum kafka-metadata-quorum.sh kafka-console-consumer kafka-console-consumer.sh kafka-run-class kafka-run-class.sh": {
    names: true, options: kafka },
  "kafka-features kafka-features.sh kafka-cluster kafka-cluster.sh kafka-transactions kafka-transactions.sh kafka-groups kafka-groups.sh kafka-share-groups kafka-share-groups.sh kafka-client-metrics kafka-client-metrics.sh": {
    names: true, options: `${kafka} --command-config= --transactional-id= --broker-id= --start-offset= --producer-id= --max-transaction-timeout= --group-type= --protocol= --consumer --share --name=` },
  "kafka-dump-log kafka-dump-log.sh": { options: "--files= --deep-iteration --verify-index-only --index-sanity-check --max-message-size= --max-bytes= --help --version" },
  "kcat kafkacat": { names: true, options: kcat },
  "rabbitmqctl rabbitmq-diagnostics rabbitmq-queues rabbitmq-upgrade": { help: "--help",
    options: "-n= --node= -q --quiet -s --silent -t= --timeout= -l --longnames -p= --vhost= --formatter= --no-table-headers --dry-run --offline --online --local " +
      "--unresponsive --queue-timeout= --interval= --all",
    sub: { ["status cluster_status node_health_check environment report ping list_* check_* help version certificates log_tail cipher_suites " +
      "schema_info erlang_version server_version log_location resolver_info resolve_hostname metadata_store_status maybe_stuck " +
      "command_line_arguments os_env quorum_status runtime_thread_stats tls_versions memory_breakdown listeners alarms is_running is_booting"]: { names: true }, log_tail: { options: "-N= --number=" }, cipher_suites: { options: "--format= --all" } } },
  "rabbitmq-plugins": { options: "-n= --node= -q --quiet -s --silent --formatter= --offline --online", sub: { "is_enabled directories": { names: true }, "list version": { names: true, options: "-v --verbose -m --minimal -E --enabled -e --implicitly-enabled" } } },
  rabbitmqadmin: { sub: { list: { names: /^(?!users$)[\w.,-]+$/ }, "show_overview": { names: true } }, options: "-f= --format= -d= --depth= -V= --vhost= -H= --host= -P= --port= -u= --username= -q --quiet -s= --sort= -S -k --ssl -N=" },
  etcdctl: { help: "--help", options: "-w= --write-out= --endpoints= --cluster --dial-timeout= --command-timeout= --keepalive-time= --keepalive-timeout= --debug --hex " +
    "--cacert= --cert= --key= --prefix --keys-only --limit= --order= --sort-by= --rev= --from-key --print-value-only --consistency= --count-only --version" },
  pg_waldump: { names: /^[0-9A-F]{24}$|^[\w./-]*\/[0-9A-F]{24}$/, options: "-b --bkp-details -B= --block= -e= --end= -f --follow -F= --fork= -n= --limit= -q --quiet -r= --rmgr= -R= --relation= -s= --start= -t= --timeline= -V --version -w --fullpage -x= --xid= -z --stats -p= --path=" },
  patronictl: { help: "--help", sub: { "list history topology show-config version dsn": { names: true } }, options: "-c= --config-file= -d= --dcs-url= -e --extended -t --timestamp -f= --format= -W -w=" },
  "pgbackrest barman wal-g": { names: true, options: "--stanza= --set= --output= --log-level-console= --repo= --type= --minimal --json --detail" },
  "cqlsh nodetool": { names: true, options: "-h= --host= -p= --port= -e= -k= --keyspace= -u= --username= --request-timeout= --connect-timeout= --cqlversion= --encoding= -r -H " +
    "--human-readable --resolve-ip --no-color --version -t= -F= --format=" },
  "influx clickhouse-client clickhouse": { names: true, options: "-execute= -q= --query= -h= --host= --port= -u= --user= -d= --database= -f= --format= -m --multiline -t --time --readonly= " +
    "--max_execution_time= --org= -o= --hide-headers --json -s --secure" },
  "zkCli.sh zkcli": { names: true, options: "-server= -timeout= -r -R -s -w" },
  "trino presto": { options: "--execute= --server= --catalog= --schema= --user= --output-format= --timezone= --client-request-timeout=" },
  pg_amcheck: { options: "-a --all -d= --database= -D= --exclude-database= -i= --index= -I= --exclude-index= -r= --relation= -R= --exclude-relation= " +
    "-s= --schema= -S= --exclude-schema= -t= --table= -T= --exclude-table= --no-dependent-indexes --no-dependent-toast --no-strict-names --exclude-toast-pointers " +
    "--on-error-stop --skip= --startblock= --endblock= -P --progress -v --verbose -V --version -? --help -U= --username= -w --no-password" },
  pg_verifybackup: { names: true, options: "-e --exit-on-error -i= --ignore= -n --no-parse-wal -P --progress -q --quiet -s --skip-checksums -V --version -? --help" },
  pgmetrics: { names: true, options: "--no-password -w --timeout= -U= --username= -p= --port= -S --no-sizes -l --toolong= -f= --format= -c= --schema= -a= --table= --omit= --only-listed -V --version -? --help" },
  memcstat: { options: "--servers= -s= --binary -b --verbose -v --version -V" },
  pg_ctl: { names: true, options: "-D= --pgdata= -s --silent" },
  "couchbase-cli": { options: "-c= --cluster= -u= --username= -p= --password= -o=", sub: { "rebalance-status server-list bucket-list host-list server-info group-list": { names: true, options: "-c= --cluster= -u= --username= -p= --password= -o=" } } },
};
