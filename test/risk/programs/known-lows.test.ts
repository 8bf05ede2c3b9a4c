// biome-ignore-all lint/suspicious/noTemplateCurlyInString: what the shell expands
import { describe, expect, it } from "vitest";
import { createEvaluator } from "../../../src/risk/evaluate.ts";

const evaluate = createEvaluator({ egress: ["*.internal"] });
const riskOf = (command: string) => evaluate(command, { os: "linux", shell: "bash" }).risk;

describe("PA-7 a builtin that sets a variable sets what a program runs", () => {
  it.each([
    ["BASH_CMDS[ls]=/bin/rm; ls -rf /", "block"],
    ["BASH_ALIASES[ls]='rm -rf /'; ls", "block"],
    ["declare -A BASH_CMDS=([df]=/bin/rm); df -rf /", "block"],
    ['r=PATH; printf -v "$r" /srv; ls', "medium"],
    ["read -r PATH <<< /srv; ls", "medium"],
    ["for LD_PRELOAD in /srv/x.so; do ls; done", "high"],
    ["IFS=, read -ra l <<< 'rm,-rf,/'; \"${l[@]}\"", "block"],
    ["mapfile -d, -t l <<< 'rm,-rf,/'; \"${l[@]}\"", "block"],
    ["printf -v day %s monday; echo $day", "low"],
  ] as const)("%j is %s", (command, risk) => expect(riskOf(command)).toBe(risk));
});

describe("PA-7 what stands by position, on the input or in the address is judged, too", () => {
  it.each([
    ["python3 -m json.tool in.json", "low"],
    ["python3 -m json.tool --indent 2 in.json /etc/cron.d/x", "high"],
    ["python3 -m zipfile -e a.zip /srv", "medium"],
    ["curl telnet://localhost:11211 <<< flush_all", "high"],
    ["cat x | curl telnet://localhost:11211", "high"],
    ["echo stats | curl telnet://localhost:11211", "low"],
    ["curl -s http://localhost/wp-cron.php", "medium"],
    ["curl -s 'http://localhost/relay/0?turn=off'", "medium"],
    ["curl -s localhost:8081/jobs/x/yarn-cancel", "high"],
    ["curl -s 'localhost:9200/_cat/thread_pool/write?v'", "low"],
    ["curl -s 'localhost/api?down=false'", "low"],
    ["/opt/app/bin/reset", "medium"],
    ["env -i /opt/app/bin/reset", "medium"],
    ["/opt/kafka/bin/kafka-topics.sh --list --bootstrap-server k.internal:9092", "low"],
  ] as const)("%j is %s", (command, risk) => expect(riskOf(command)).toBe(risk));
});

describe("PA-7 SQL that is made of a text is what the text says", () => {
  it.each([
    ["mysql -e \"set @q=concat('drop ','database shop'); prepare s from @q; execute s\"", "high"],
    ["sqlcmd -Q \"exec('drop '+'database prod')\"", "high"],
    ["sqlcmd -Q \"declare @q varchar(99)='drop database prod'; exec(@q)\"", "high"],
    ["psql -c \"select 'drop database shop'\" -At | psql", "high"],
    ["mysql -e 'show create user root'", "high"],
    ["mysql -e 'select * from stats_mysql_query_digest_reset'", "medium"],
    ["bq query 'delete from d.t where true'", "high"],
    ["bq query 'select 1'", "low"],
  ] as const)("%j is %s", (command, risk) => expect(riskOf(command)).toBe(risk));
});

describe("PA-7 a tool of nouns and verbs is judged by its verb, and by what its names say", () => {
  it.each([
    ["ibmcloud is instance-reboot x", "high"],
    ["ibmcloud is instances", "low"],
    ["vault kv metadata delete secret/x", "high"],
    ["vault kv metadata get secret/x", "low"],
    ["xe log-set-output output=x", "medium"],
    ["consul event -name x", "medium"],
    ["consul kv get prod/db_password", "high"],
    ["consul kv get prod/timeout", "low"],
    ["az search admin-key show --service-name s -g rg", "high"],
    ["etcdctl watch a -- sh -c id", "medium"],
    ["rndc stats", "medium"],
    ["ovs-appctl fdb/flush", "medium"],
    ["ovs-appctl fdb/show br0", "low"],
    ["zabbix_get -s web1 -k 'system.run[id]'", "high"],
    ["terraform plan -out=x", "medium"],
    ["pip install --dry-run ./x", "medium"],
    ["ip -s xfrm state", "high"],
    ["ip xfrm state count", "low"],
  ] as const)("%j is %s", (command, risk) => expect(riskOf(command)).toBe(risk));
});
