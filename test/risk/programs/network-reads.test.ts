import { describe, expect, it } from "vitest";
import { createEvaluator } from "../../../src/risk/evaluate.ts";

const evaluate = createEvaluator({ egress: ["*.internal"] });
const riskOf = (command: string) => evaluate(command, { os: "linux", shell: "bash" }).risk;

describe("PA-7 what looks like a read of the network and acts is not low", () => {
  it.each([
    ["sg_dd if=/srv/x of2=/dev/sdb", "block"],
    ["dcfldd if=/srv/x of=/dev/sda of=/dev/null", "block"],
    ["socat -u /dev/null /srv/data,trunc", "medium"],
    ["socat /dev/null PTY,link=/tmp/x", "medium"],
    ["socat -u UDP-RECV:514 /dev/null", "high"],
    ["socat /dev/null TCP:db.internal:80,su=nobody", "medium"],
    ["socat -u /dev/null TCP4:db.internal:5432,connect-timeout=3", "low"],
    ["tshark -c 10 -i sshdump", "medium"],
    ["tshark -i TCP@10.0.0.5:19000 -c 5", "medium"],
    ["tshark -i eth0.5 -c 5", "low"],
    ["openssl storeutl /srv/bundle.pem", "high"],
    ["openssl storeutl -noout -text -certs /srv/bundle.pem", "low"],
    ["curl 'http://h.internal/{status,shutdown}'", "high"],
    ["curl http://h.internal/%73hutdown", "high"],
    ["curl http://h.internal/goform/SystemReboot", "high"],
    ["curl http://h.internal/rpc/Shelly.Reboot", "high"],
    ["curl 'http://h.internal/rpc/Switch.Set?id=0'", "medium"],
    ["curl 'http://h.internal/haproxy?stats;s=x;action=disable'", "high"],
    ["curl 'http://h.internal/jmx/set/java.lang:type=Memory/Verbose/true'", "medium"],
    ["curl http://h.internal/queues/x/get-and-remove", "high"],
    ["curl 'http://h.internal/cgi-bin/admin.cgi?rebootNow=1'", "medium"],
    ["curl 'http://h.internal/outlet.cgi?outlet=1&command=2'", "medium"],
    ["curl 'http://h.internal/json/command?idx=1&switchcmd=Off'", "medium"],
    ["curl http://h.internal/api/services/light/turn_off", "medium"],
    ["curl 'http://h.internal/solr/x/update/json?commit=true'", "medium"],
    ["curl 'http://h.internal:8086/query?q=SELECT+*+INTO+x+FROM+y'", "medium"],
    ["curl http://h.internal/api/worker/shutdown/x", "medium"],
    ["nmcli dev wifi c HomeNet", "medium"],
    ["nmcli dev wifi list ifname wlan0", "low"],
    ["curl 'http://h.internal/repo/log?commit=1a2b3c'", "low"],
    ["curl 'http://h.internal:{8080,8081}/health'", "low"],
    ["curl http://h.internal/api/LastReboot", "low"],
    ["curl http://h.internal/docs/how-to-use.html", "low"],
    ["curl 'http://h.internal/search?q=restart%20failed'", "low"],
  ] as const)("%j is %s", (command, risk) => expect(riskOf(command)).toBe(risk));
});
