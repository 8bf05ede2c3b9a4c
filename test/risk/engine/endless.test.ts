import { describe, expect, test } from "vitest";
import { words } from "../../../src/risk/engine/options.ts";
import { createEvaluator } from "../../../src/risk/evaluate.ts";
import { readTable } from "../../../src/risk/reads.ts";
import { builtInTable, programFacts } from "../../../src/risk/table.ts";
import { whyAttended } from "../../../src/risk/unattended.ts";

const evaluate = createEvaluator();
/** Whether a lease would run it. */
function runs(command: string): boolean {
  const verdict = evaluate(command, { os: "linux", shell: "bash" });
  return verdict.risk === "low" && whyAttended(verdict) === undefined;
}

/** A call of each program that a record says does not end by itself, with the option that makes it so if there is one. */
const calls = [...builtInTable.keys()].flatMap((program) =>
  programFacts(program, builtInTable.get(program)).bounds.flatMap(({ sub: list, endless, interval = 1 }) =>
    (list === undefined ? [""] : words(list).filter((word) => !word.endsWith("*"))).flatMap((sub) =>
      (endless === undefined ? [""] : words(endless)).map((option) =>
        [program, ...sub.split("_"), option, ...Array.from({ length: interval - 1 }, () => "1")]
          .filter(Boolean)
          .join(" "),
      ),
    ),
  ),
);

describe("AR-03 what does not end by itself is left to people", () => {
  test("there is much of it", () => expect(calls.length).toBeGreaterThan(400));

  test.each(["", "sudo -n ", "nice ", "docker exec x ", "kubectl exec x -- ", "pct exec 1 -- ", "lxc-attach -n x -- "])(
    "as the records say, behind %j",
    (before) => {
      expect(calls.map((call) => before + call).filter(runs)).toEqual([]);
    },
  );

  /** Options of these names mean something else there. */
  const means =
    /^(git|svn|hg|rg) .*--follow|^bosh events?|^splunk list monitor|^(http|https|xh|locate) --follow|^hwinfo --monitor|^zpool events|^(kubectl|k|oc|kubecolor|\S+\.kubectl|k3s-kubectl|kubectl\.exe) events/;

  test("an option whose name says that it goes on is one of it, or is known to mean something else", () => {
    const goesOn = /^--(follow|follow-new|watch|watch-only|loop|live|monitor|continuous|forever)$/;
    const left = [...readTable].flatMap(([program, { options, sub = {} }]) =>
      [
        ["", options] as const,
        ...Object.entries(sub).flatMap(([list, one]) => words(list).map((name) => [name, one.options] as const)),
      ]
        .flatMap(([name, listed]) =>
          words(listed)
            .filter((option) => goesOn.test(option))
            .map((option) => [program, ...name.split("_"), option].filter(Boolean).join(" ")),
        )
        .flatMap((call) => [call, `${call} x1`]),
    );
    expect(left.filter((call) => runs(call) && !means.test(call))).toEqual([]);
  });

  test("a sub-command whose name says that it goes on is one of it, or is known to mean something else", () => {
    const goesOn = /(^|_)(monitor|watch|events?|observe|attach|subscribe|tap|listen|dmon|pmon)$/;
    const subsOf = (program: string): readonly string[] => [
      ...(builtInTable.get(program) ?? []).flatMap(({ sub, deep }) => [...sub.keys(), ...deep.keys()]),
      ...Object.keys(readTable.get(program)?.sub ?? {}).flatMap((list) => words(list)),
    ];
    const left = [...new Set([...builtInTable.keys(), ...readTable.keys()])].flatMap((program) =>
      subsOf(program)
        .filter((sub) => goesOn.test(sub))
        .map((sub) => `${program} ${sub.replaceAll("_", " ")}`),
    );
    const isRow = (call: string): boolean =>
      /^((repmgr|crm|crm_resource|corosync-\w+) cluster|(sacctmgr|occtl) (show|list)) events?/.test(call);
    expect(left.filter((call) => runs(call) && !means.test(call) && !isRow(call))).toEqual([]);
  });

  test("so is a program that is named after what it goes on showing", () => {
    const names = [...new Set([...builtInTable.keys(), ...readTable.keys()])];
    expect(names.filter((name) => /.(top|snoop|slower)$/.test(name)).filter(runs)).toEqual([]);
  });
});

describe("AR-03 an option ends a call only if it does so for that program", () => {
  test.each([
    ...["ping -W 1 localhost", "ping -n localhost", "ping -i 0.5 localhost", "tcpdump -n port 53", "tcpdump -ivcan0"],
    ...["tcpdump -G 60 -i eth0", "tshark -Y http -i eth0", "mtr -c 3 localhost", "kcat -C -b localhost -t t"],
    ...["varnishlog -x Debug", "redis-cli Monitor", "keydb-cli monitor", "kubectl rollout status deploy/x --watch"],
    ...["kubectl get pods -Aw", "kubectl -n x -w get pods", "top -bi", "atop -1", "slabtop -sc", "iotop -bo"],
    ...["jstat -gcutil 1234 1s", "vmstat -S M 1", "iostat -x sda 1", "pidstat -p 42 1", "sar -P 0 1", "perf stat -a"],
    ...[
      "crm_mon -r",
      "inotifywait -t 0 /srv",
      "perf stat -C 0",
      "lsof +r1",
      "ip mon",
      "bridge mon",
      "zpool status 5",
      "inotifywait /tmp",
      "turbostat",
    ],
  ])("%s goes on", (command) => {
    expect(runs(command)).toBe(false);
  });

  test.each([
    ...["ping -nc3 localhost", "tcpdump -nnvvc 10 -i any", "tcpdump -nnr x.pcap", "mtr --report localhost"],
    ...["kcat -C -b localhost -t t -e", "varnishlog -d -i ReqURL", "kubectl rollout status deploy/x --watch=false"],
    ...["kubectl get pods -owide", "top -bd1 -n1", "atop -P CPU 1 5", "slabtop -os c", "iotop -bon2", "crm_mon -1r"],
    ...["jstat -gcutil 1234", "jstat -gcutil 1234 1000 5", "vmstat -S M 1 5", "iostat -d 2 6", "pidstat -p 42 1 5"],
    ...["sar -n DEV 1 3", "perf stat -p 1 sleep 5", "lsof +L1", "zpool list -v 1 3", "timeout 5 tcpdump -i eth0"],
  ])("%s ends", (command) => {
    expect(runs(command)).toBe(true);
  });
});
