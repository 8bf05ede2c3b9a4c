import { describe, expect, test } from "vitest";
import { createEvaluator } from "../../src/risk/evaluate.ts";
import { whyAttended } from "../../src/risk/unattended.ts";

const evaluate = createEvaluator({ egress: ["localhost"] });
const judge = (command: string) => evaluate(command, { os: "linux", shell: "bash" });

const reads = [
  "psql shop -c 'begin transaction isolation level repeatable read, read only; select max(id) from cart; end'",
  "sqlcmd -S db3 -Q \"exec sp_helpindex 'dbo.cart'\"",
  "printf 'set pages 50\\ncolumn name format a20\\nselect name from v$database\\n/\\nexit\\n' | sqlplus -s / as sysdba",
  "duckdb -c \"select max(ts) from '/srv/logs/2026/*.parquet'\"",
  "influx query 'from(bucket:\"web\") |> range(start:-2h) |> max()'",
  "echo 'status client=shop3-fd' | bconsole",
  "dgmgrl -silent / 'validate database shop2'",
  "jinfo -flag ThreadStackSize 97",
  "conntrack -L -d 192.0.2.7 -p tcp",
  "nstat -az TcpRetransSegs",
  "xargs -a /srv/list.txt ls -ld",
];

describe("PA-7 what only asks", () => {
  test.each(reads)("is low: %s", (command) => {
    expect(judge(command).risk).toBe("low");
  });
});

const acts: readonly (readonly [risk: string, command: string])[] = [
  ["medium", "psql -c 'begin read only; select pg_reload_conf(); commit'"],
  ["medium", "psql -c \"begin read only; select 1; commit prepared 'x'\""],
  ["medium", "psql -c 'commit'"],
  ["high", "sqlcmd -Q 'exec sp_who2 shutdown'"],
  ["medium", "sqlcmd -Q \"exec sp_configure 'show advanced options', 1\""],
  ["block", "printf '!!rm -rf /\\n' | sqlcmd -S db3"],
  ["block", "printf 'host rm -rf /\\n' | sqlplus -s / as sysdba"],
  ["medium", "sqlplus -s / as sysdba @/srv/fix.sql"],
  ["medium", "duckdb shop.duckdb -c 'select 1'"],
  ["high", "duckdb -c \"copy cart to '/etc/cron.d/cart'\""],
  ["high", "duckdb -c \"select content from '.env'\""],
  ["medium", 'influx query \'import "sql" from(bucket:"web") |> range(start:-2h)\''],
  ["medium", "echo 'list nextvol job=x' | bconsole"],
  ["medium", "wp plugin list --update=none"],
  ["medium", "php /srv/shop/artisan route:list --json"],
  ["medium", "php bin/console messenger:stats --env=prod"],
  ["high", "php artisan migrate:fresh"],
  ["high", "php /tmp/artisan about"],
  ["medium", "php artisan tinker"],
  ["medium", "nstat -z"],
  ["medium", "rtacct"],
  ["medium", "mysql -P 6032 -e 'select * from stats.stats_mysql_errors_reset'"],
  ["medium", "head -c 200 /proc/kmsg"],
  ["medium", "cat /sys/kernel/tracing/instances/x/per_cpu/cpu0/trace_pipe"],
  ["high", "perccli64 /c1 show alilog outfile=/srv/ali.txt"],
  ["medium", "pgbackrest --stanza=shop check"],
  ["medium", "certbot renew --cert-name shop.example --dry-run"],
  ["medium", "ansible-playbook -i hosts site.yml -C"],
  ["medium", "kvno cifs/files.shop.example"],
  ["high", "xargs -0 -a /proc/77/environ -n1"],
  ["high", "xargs -0 -n1 -a/proc/77/environ"],
  ["block", "mv /usr/lib/x86_64-linux-gnu/libpthread.so.0 /srv/old"],
  ["block", "mv /lib/aarch64-linux-gnu/libc.so.6 /srv/old"],
  ["block", "yes x | while read -r line; do tail -f /dev/null & done"],
  ["block", "while true; do sleep 600 & done"],
];

describe("PA-7 what looks like a question and acts", () => {
  test.each(acts)("is %s: %s", (risk, command) => {
    expect(judge(command).risk).toBe(risk);
  });

  test.each([
    "seq 3 | while read -r n; do (sleep $n; date) & done; wait",
    "while [ $n -lt 3 ]; do sleep 5 & n=$((n+1)); done",
    "yes | head -n 3 | while read -r x; do date & done",
    "while :; do date & wait; done",
  ])("PA-7 a loop that comes to an end or waits is no fork bomb: %s", (command) => {
    expect(judge(command).risk).not.toBe("block");
  });
});

describe("PA-7 what a lease leaves to people", () => {
  test.each([
    "my_print_defaults mysqld",
    "sensuctl handler list --format json",
    "declare -p",
    "systemctl show-environment",
    "jinfo -sysprops 97",
    "curl -s http://169.254.169.254/hetzner/v1/userdata",
    "curl -s http://169.254.169.254/latest/meta-data/iam/security-credentials/web",
    "curl -s http://metadata.google.internal/computeMetadata/v1/instance/service-accounts/default/token",
  ])("%s", (command) => {
    const verdict = judge(command);
    expect(verdict.risk !== "low" || whyAttended(verdict) !== undefined).toBe(true);
  });
});
