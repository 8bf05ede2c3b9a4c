import { describe, expect, it, test } from "vitest";
import { secondsOf } from "../../../src/risk/engine/bounds.ts";
import { createEvaluator } from "../../../src/risk/evaluate.ts";
import { whyAttended } from "../../../src/risk/unattended.ts";

const evaluate = createEvaluator();
const verdictOf = (command: string) => evaluate(command, { os: "linux", shell: "bash" });

describe("PA-7 what only looks can still take a server down", () => {
  it.each([
    "yes >/dev/null",
    "nmap -p 0-65535 10.0.0.0/8",
    "nmap -p- 10.0.0.5",
    "for p in {1..65535}; do nc -z h $p; done",
    "for p in $(seq 1 65535); do (echo >/dev/tcp/h/$p); done",
    "grep -ri x /",
    "psql -c 'select pg_sleep(100000)'",
    "find / -exec sha1sum {} \\;",
    "tail -f /var/log/x",
    "tail -F x",
    "watch df",
    "ping 10.0.0.5",
    "tcpdump -i eth0",
    "journalctl -fu x",
    "dmesg -w",
    "vmstat 1",
    "iostat -x 2",
    "top",
    "kubectl logs -f pod",
    "kubectl get pods -w",
    "docker stats",
    "docker logs --follow x",
    "cat /dev/zero | wc -c",
    "dd if=/dev/zero of=/dev/null",
    "while true; do date; done",
    "until curl -s localhost; do sleep 2; done",
    "for ((i=0;i<100000;i++)); do echo; done",
    "for ((;;)); do date; done",
    "sleep infinity",
    "sleep 86400",
    "redis-cli monitor",
    "redis-cli keys '*'",
    "mysql -e 'select sleep(10000)'",
    "du -sh /",
    "find / -name core",
    "sudo tail -f x",
    "timeout 0 tail -f x",
    "strace -p 1",
    "perl -e 'while(1){}'",
    "awk 'BEGIN{while(1);}'",
    "awk 'BEGIN{while(\"a\") print}'",
    "awk 'BEGIN{for(i=0;;i++) print}'",
    "awk 'BEGIN{while(getline l < \"/nope\") print l}'",
    "awk 'function f(){g()} function g(){f()} BEGIN{f()}'",
    "jq 'def f: f; f'",
    "jq 'def f: def g: f; g; f'",
    "jq 'def f(x): 1 + f(x); f(.)'",
    "jq -n 'last(repeat(1))'",
    "jq -n '[range(infinite)]'",
    "jq -n 'last(range(1e12))'",
    "jq -n '[range(0; 10; 0)]'",
    "jq 'recurse(.)'",
    "jq '[while(true; .)]'",
    "kubectl get pods -o json | jq 'until(false; .)'",
    "yq 'def f: f; f' x.yml",
    "sed ':a;ba' x",
    "sed ':a;s/x/x/;ta' x",
    "sed 'G;D' x",
    "echo 'while(1){}' | bc",
    "bc <<< 'define f(x) { return f(x); } f(1)'",
    "echo '9^9^9^9' | bc",
    "dc -e '[lax]salax'",
    "cat < /dev/zero",
    "cat /dev/../dev/zero",
    "seq 0 -1 -1e9",
    "seq 1 0.000001 1000",
    "pm2 logs",
    "heroku logs --tail",
    "lsof -r 2",
    "ss -E",
    "free -s 1",
    "netstat -tc",
    "systemd-cgtop",
    "varnishlog",
    "mysqladmin -i 1 status",
    "zpool iostat 5",
    "dstat",
    "ceph -w",
    "nvidia-smi dmon",
    "virsh event --all --loop",
    "seq 1 999999999999",
    "tail -f x | grep y",
    "inotifywait -m /x",
    "ls -R /",
    "rpm -Va",
    "ping -f h",
    "sha256sum /dev/zero",
  ])("%s has no end or bound of its own, at the level it had", (command) => {
    const { unbounded } = verdictOf(command);
    expect(unbounded).not.toEqual([]);
    expect(whyAttended(verdictOf(command))).toBeDefined();
  });

  it.each([
    "yes | head -5",
    "ping -c 3 h",
    "ping -c3 h",
    "tail -n 100 x",
    "tail -100 x",
    "timeout 60 tail -f x",
    "timeout 5 tcpdump -i eth0",
    "tcpdump -c 10 -i eth0",
    "tcpdump -r f",
    "journalctl -u x -n 100",
    "vmstat 1 5",
    "vmstat",
    "iostat -x 1 3",
    "top -b -n 1",
    "top -bn1",
    "kubectl logs --tail=100 pod",
    "docker stats --no-stream",
    "grep -ri x /etc",
    "find /var/log -name '*.gz'",
    "find / -xdev -name core",
    "du -x /",
    "du -sh /var/*",
    "for h in a b; do ping -c1 $h; done",
    "while read l; do echo $l; done < f",
    "sleep 5",
    "seq 1 10",
    "nmap -p 22,80 10.0.0.5",
    "mtr -rwc 10 h",
    "redis-cli info",
    "redis-cli -h h get follow",
    "head -c 100 /dev/urandom | xxd",
    "dd if=/dev/zero of=/dev/null bs=1M count=10",
    "uptime",
    "pm2 logs --nostream",
    "heroku logs --tail 100",
    "lsof -iTCP:postgresql -sTCP:LISTEN",
    "free -s 1 -c 3",
    "netstat -tn",
    "systemd-cgtop -n 1",
    "varnishstat -1",
    "mysqladmin -i 1 -c 3 status",
    "zpool iostat 1 5",
    "dstat 1 5",
    "kubectl exec etcd-0 -- etcdctl endpoint status -w table",
    "ceph -s",
    "mpstat -P ALL 1 3",
    "sar -u 1 3",
    "strace -c ls",
    "dmesg -T | tail -50",
    "curl -f localhost",
    "grep -w foo f",
    "ps -ef",
    "jq '.items[] | {while: .metadata.name, x: .spec.until}'",
    "jq 'def name: .metadata.name; .items[] | name'",
    "jq 'def f(g): def h: g; h; f(.)'",
    "jq 'recurse(.children[]?) | .name'",
    "jq '.. | .image? // empty'",
    "jq -n '[range(10)]'",
    "jq 'select(.msg | test(\"repeat|until\"))' x.json",
    "awk '{for(i=1;i<=NF;i++) s+=$i} END{print s}'",
    "awk 'BEGIN{while((getline l < \"/etc/hosts\") > 0) print l}'",
    "sed -n ':a;N;$!ba;s/a/b/g;p' x",
    "sed '$!N;P;D' x",
    "echo 'scale=2; 5/3' | bc",
    "dc -e '2 3 + p'",
    "head -c 5 < /dev/urandom",
    "seq -w 10 -1 1",
    "timeout 5 jq 'def f: f; f'",
  ])("%s ends by itself", (command) => expect(verdictOf(command).unbounded).toEqual([]));

  it("names the bounded form where there is one", () => {
    expect(verdictOf("tail -f /var/log/x").unbounded).toEqual([{ what: "tail -f never ends", instead: "tail -n 100" }]);
    expect(verdictOf("find / -exec sha1sum {} ;").unbounded).toEqual([
      { what: "it reads everything under /", instead: "find / -xdev -maxdepth 3 …" },
    ]);
    expect(verdictOf("rpm -Va").unbounded).toEqual([{ what: "it reads every installed file", instead: undefined }]);
  });
});

test("a time as sleep and timeout read it", () => {
  expect(["90", "5m", "1.5h", "2d", "infinity", "x"].map(secondsOf)).toEqual([
    90,
    300,
    5400,
    172_800,
    Infinity,
    Infinity,
  ]);
});

test("AR-03 WF-2 why a command is left to people: unknown first, then what goes out, then what has no end", () => {
  const fit = { unknown: false, egress: "none", sends: false, unbounded: [] } as const;
  expect(whyAttended(fit)).toBeUndefined();
  expect(whyAttended({ ...fit, unbounded: [{ what: "yes never ends" }] })).toBe("nothing bounds it: yes never ends");
  expect(whyAttended({ ...fit, egress: "known" })).toBe("it reaches another host");
  expect(whyAttended({ ...fit, egress: "outside", sends: true })).toMatch(/^it sends what only the server knows/);
  expect(whyAttended({ ...fit, unknown: true })).toBe("it is not known whole");
});
