// biome-ignore-all lint/suspicious/noTemplateCurlyInString: what the shell expands
import { describe, expect, it } from "vitest";
import { createEvaluator } from "../../../src/risk/evaluate.ts";

const evaluate = createEvaluator();
const riskOf = (command: string) => evaluate(command, { os: "linux", shell: "bash" }).risk;

describe("PA-7 a path that a listing gives is the path that is read", () => {
  const listers = [
    "ls /etc/shadow",
    "ls -d /root/.ssh/*",
    "ls -1 /root/.ssh/id_*",
    "find /etc -name shadow",
    "readlink -f /etc/shadow",
  ];
  const readers: readonly ((lister: string) => string)[] = [
    (lister) => `${lister} | xargs cat`,
    (lister) => `${lister} | xargs -n1 tail -n 5`,
    (lister) => `cat $(${lister})`,
    (lister) => `cat "$(${lister})"`,
    (lister) => `p=$(${lister}); cat "$p"`,
    (lister) => `for f in $(${lister}); do cat "$f"; done`,
    (lister) => `${lister} | while read -r f; do cat "$f"; done`,
    (lister) => `mapfile -t a < <(${lister}); cat "\${a[@]}"`,
  ];
  it.each(readers.map((reader) => [reader("ls x"), reader] as const))("as in %j", (_, reader) => {
    for (const lister of listers) expect(riskOf(reader(lister)), lister).toBe("block");
  });

  it.each([
    ['for f in /etc/sh*; do cat "$f"; done', "block"],
    ['for f in /etc/*; do cat "$f"; done', "high"],
    ['a=(/etc/sh*); cat "${a[@]}"', "block"],
    ["cd /root/.ssh; cat $(ls)", "block"],
    ["cd /root/.ssh && ls | xargs cat", "block"],
    ["ls /var/log | xargs -I{} cat /var/log/{}", "low"],
    ["ls -t /var/log/*.log | head -1 | xargs tail -5", "low"],
    ['for f in /var/log/*.log; do tail -n 3 "$f"; done', "low"],
  ] as const)("%j is %s", (command, risk) => expect(riskOf(command)).toBe(risk));
});

describe("PA-7 a request that only asks by its method may act by its address", () => {
  it.each([
    "curl 'http://localhost:8080/manager/text/undeploy?path=/a'",
    "curl 'http://localhost/x?action=DELETE'",
    "curl 'http://localhost/x?Action=TerminateInstances&InstanceId=i-1'",
    "curl 'http://localhost/solr/admin/cores?action=UNLOAD&core=x'",
    "curl -G http://localhost/x -d action=delete",
    "curl http://localhost/admin/shutdown",
    "curl http://localhost/restart",
    "curl http://localhost/job/x/doDelete",
    "curl -H 'X-HTTP-Method-Override: DELETE' http://localhost/x",
    "wget -qO- 'http://localhost/x?_method=DELETE'",
    "http GET 'http://localhost/api?cmd=reboot'",
  ])("%j is not low", (command) => expect(riskOf(command)).not.toBe("low"));

  it.each([
    "curl http://localhost:8080/manager/text/list",
    "curl 'http://localhost/solr/admin/cores?action=STATUS'",
    "curl 'http://localhost:9090/api/v1/query?query=delete_total'",
    "curl 'http://localhost/search?q=delete'",
    "curl http://localhost/health",
  ])("%j stays low", (command) => expect(riskOf(command)).toBe("low"));
});
