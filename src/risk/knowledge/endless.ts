/** What does not end by itself: programs that show something for as long as they run, and the options that give them an end. */
import { words } from "../engine/options.ts";
import type { Bound } from "../program.ts";
import { tracers } from "./instruments.ts";
import { scripted } from "./inventory.ts";

/** A bound with the sub-commands that it is about; all calls if none is named. */
export type SubBound = Bound & { readonly sub: string | undefined };

const screen = { does: "it never ends", instead: "top -b -n 1" };
const follows = { does: "it follows the logs", instead: "timeout 10 …" };
const waits = { does: "it waits for ever", instead: "timeout 10 …" };

// biome-ignore format: filled to the width
const table: readonly (readonly [names: string, bound: Bound, sub?: string])[] = [
  ["vmstat iostat mpstat sar pidstat nfsiostat cifsiostat tapestat avcstat atopsar",
    { interval: 2, does: "it repeats for ever", instead: "vmstat 1 5" }],
  ["jstat", { interval: 3, does: "it repeats for ever", instead: "jstat -gcutil PID 1000 5" }],
  ["dstat ifstat",
    { counted: 2, does: "it repeats for ever", ends: "--version --list", instead: "dstat 1 5" }],
  ["free", { endless: "-s --seconds", ends: "-c --count", does: "it repeats for ever",
    instead: "free -s 1 -c 5" }],
  ["nmon", { ends: "-c -h -V", ...screen }],
  ["collectl", { ends: "-c -p -V --version", does: "it never ends", instead: "collectl -c 5" }],
  ["top htop iotop virt-top irqtop systemd-cgtop",
    { ...screen, ends: "-n --iter --iterations -V -v -h --help --version" }],
  ["xentop", { ...screen, ends: "-i --iterations -h -V --help --version" }],
  ["turbostat", { ends: "-n --num_iterations -l --list -v -h --version --help sleep",
    does: "it never ends", instead: "turbostat -n 1" }],
  ["atop", { counted: 2, ends: "-V -h", ...screen }],
  ["iftop nethogs", { ends: "-s -c -h -V", does: "it never ends", instead: "iftop -t -s 10" }],
  ["slabtop", { ends: "-o --once -V -h --version --help", does: "it never ends",
    instead: "slabtop -o" }],
  ["glances", { ends: "--stop-after --stdout-once -V -h --version --help", ...screen }],
  ["crm_mon", { ends: "-1 --one-shot --version --help", does: "it never ends", instead: "crm_mon -1" }],
  ["btop bmon multitail bpftop nvtop radeontop intel_gpu_top tcptrack bandwhich goaccess pg_top " +
    "powertop powerstat esxtop nload innotop mytop pg_activity",
    { ...screen, ends: "-V --version --help --batch --nonint" }],
  ["tload", { ...screen, ends: "-V -h" }],
  ["procinfo", { ...screen, endless: "-f -d -D -n" }],
  ["corosync-quorumtool", { endless: "-m", ...waits }],
  ["pg_waldump", { endless: "-f --follow", ...waits }],
  ["microk8s", { endless: "--wait-ready", ends: "-t --timeout", ...waits }, "status"],
  ["lnav", { ...screen, ends: "-n -V -h" }],
  ["lnstat rtstat ctstat", { ...waits, ends: "-c --count -d --dump -V --version -h --help" }],
  ["pmstat pmval pmrep", { ends: "-s --samples -T --finish -V --version -h --help", ...waits,
    instead: "pmstat -s 5" }],
  ["nsq_stat", { ends: "-count --count -version --version", ...waits }],
  ["yes", { does: "yes never ends", instead: "yes | head -n 5" }],
  // With -m a time limit ends it only if nothing happens.
  ["inotifywait", { ...waits, ends: "-h --help", instead: "timeout 30 inotifywait …" }],
  ["inotifywatch fswatch", { ...waits, ends: "-t --timeout -h --help -1 --one-event",
    instead: "inotifywatch -t 30" }],
  ["fatrace", { ...waits, ends: "-s --seconds -h --help" }],
  ["rtmon dbus-monitor acpi_listen", waits],
  [`${tracers} ${tracers.replaceAll(/\S+/g, "$&-bpfcc")}`,
    { counted: 2, ends: "-h --help --duration", does: "it traces until it is stopped", instead: "timeout 10 …" }],
  [scripted, { ends: "-h --help", does: "it traces until it is stopped", instead: "timeout 10 …" }],
  ["sysdig stap bpftrace",
    { ends: "-l -V --version -h --help", does: "it traces until it is stopped", instead: "timeout 10 …" }],
  ["perf", { endless: "-p --pid -t --tid -a --all-cpus -C --cpu -G --cgroup", ends: "-- sleep --timeout",
    does: "it counts until it is stopped", instead: "perf stat -p PID sleep 5" }, "stat"],
  ["ping ping6 arping", { ends: "-c -w -V -h --help", does: "ping never ends", instead: "ping -c 3" }],
  ["httping bing hping3 tcping oping noping",
    { ends: "-c --count -V --version -h --help", does: "it asks for ever", instead: "httping -c 3" }],
  ["mtr", { ends: "-r --report -w --report-wide -j --json -C --csv -x --xml -v -h --version --help",
    does: "mtr never ends", instead: "mtr -r -c 10" }],
  ["tcpdump", { ends: "-c -r -D -L -h --help --version --list-interfaces",
    does: "it captures until it is stopped", instead: "tcpdump -c 100" }],
  ["tshark dumpcap", { ends: "-c -a -r -D -L -G -v -h --version --help",
    does: "it captures until it is stopped", instead: "tshark -c 100" }],
  ["ngrep tcpflow", { ends: "-n -I -r -V -h", does: "it captures until it is stopped",
    instead: "ngrep -n 10" }],
  ["varnishstat", { ends: "-1 -x -j -l -V -h", does: "it never ends",
    instead: "varnishstat -1" }],
  ["varnishlog varnishtop varnishncsa varnishhist",
    { ends: "-1 -d -k -r -V -h", does: "it follows requests for ever", instead: "varnishlog -d -k 100" }],
  ["kcat kafkacat", { ends: "-e -c -L -Q -V -h", does: "it listens for ever", instead: "kcat -C -e" }],
  ["kafka-console-consumer.sh kafka-console-consumer",
    { ends: "--max-messages --timeout-ms --help --version", does: "it listens for ever", instead: "--max-messages 10" }],
  ["mosquitto_sub", { ends: "-C -W -E --help", does: "it listens for ever",
    instead: "mosquitto_sub -C 5" }],
  ["stern kubetail kail", { ends: "--no-follow --version --help -h", does: "it follows logs for ever",
    instead: "stern --no-follow" }],
  ["mongostat mongotop", { ends: "-n --rowcount --version --help", does: "it never ends",
    instead: "mongostat -n 5" }],
  ["docker podman nerdctl docker.io finch",
    { ends: "--until", does: "it never ends", instead: "docker events --since 10m --until 0s" },
    "events system_events compose_events"],
  ["docker podman nerdctl docker.io finch",
    { ends: "--no-stream", does: "it never ends", instead: "docker stats --no-stream" },
    "stats container_stats compose_stats pod_stats"],
  ["docker-compose podman-compose talosctl lxc incus runc crun youki runsc",
    { ends: "--stats", does: "it never ends", instead: "timeout 10 …" }, "events monitor"],
  ["crictl", { endless: "-w --watch", does: "it watches for ever", instead: "the same without -w" }],
  ["xl xm lxc incus", screen, "top"],
  ["virsh", { ends: "--timeout --list", ...waits }, "event qemu-monitor-event"],
  ["iw", waits, "event"],
  ["netstat", { interval: 2, does: "it repeats for ever", instead: "netstat without an interval" }],
  ["tload", { does: "it never ends", ends: "-h -V --help --version" }],
  ["btrfs", { ends: "-1", does: "it waits until the disk is replaced", instead: "btrfs replace status -1" }, "replace_status"],
  ["dmsetup", { endless: "--interval", ends: "--count", does: "it repeats for ever" }],
  ["shuf", { endless: "-r --repeat", ends: "-n --head-count", does: "it repeats for ever", instead: "shuf -r -n 10" }],
  ["logread", { endless: "-f", ...waits, instead: "logread | tail -n 100" }],
  ["py-spy", screen, "top"],
  ["avahi-browse", { ends: "-t --terminate -c --cache -h --help -V --version", ...waits, instead: "avahi-browse -at" }],
  ["ovs-ofctl", waits, "snoop"],
  ["redis-cli valkey-cli keydb-cli", { endless: "--latency-dist", does: "it never ends", instead: "redis-cli info" }],
  ["ncdu", { ends: "-o -0 -v -V -h --version --help", does: "it takes the terminal", instead: "ncdu -o- …" }],
  ["fly flyctl", { ends: "-n --no-tail", ...follows, instead: "fly logs --no-tail" }, "logs"],
  ["railway okteto waypoint vercel", follows, "logs"],
  ["mmctl", waits, "websocket"],
  ["nomad", { endless: "-monitor", ...waits }],
  ["squeue sinfo", { endless: "-i --iterate", does: "it repeats for ever", instead: "squeue without -i" }],
  ["logcli", { endless: "-t --tail", ...waits }, "query"],
  ["supervisorctl", { endless: "-f", ...waits }, "maintail tail"],
  ["riak-admin riak", screen, "top admin_top"],
  ["asmcmd", { interval: 2, does: "it repeats for ever" }, "iostat"],
  ["beegfs-ctl", { endless: "--clientstats --userstats --iostat", ends: "--interval=0", does: "it repeats for ever" }],
  ["mc", { ends: "-c --count -x --exit", ...waits }, "ping ready"],
  ["govc", { ends: "-n", ...waits }, "object.collect"],
  ["govc", { ends: "-wait", ...waits }, "vm.ip"],
  ["gh", { endless: "--watch", ends: "-i --interval", ...waits }, "pr_checks run_watch"],
  ["hubble", { endless: "-f --follow", ends: "--until", ...waits }, "observe"],
  ["pt-heartbeat", { endless: "--monitor", ends: "--run-time", ...waits }],
  ["pt-deadlock-logger pt-fk-error-logger", { ends: "--run-time --iterations --version --help", ...waits }],
  ["pt-diskstats", { ends: "--iterations --version --help", ...screen, instead: "pt-diskstats --iterations 5" }],
  ["chef-server-ctl graylog-ctl", follows, "tail"],
  ["scalingo kapp fission pbm", { endless: "-f --follow", ...follows }, "logs fn_logs function_logs"],
  ["koyeb", follows, "services_logs service_logs apps_logs app_logs deployments_logs instances_logs"],
  ["vela faas-cli", follows, "logs"],
  ["vespa", follows, "log"],
  ["sam", { endless: "-t --tail", ...follows }, "logs"],
  ["pueue", follows, "follow"],
  ["kapacitor", waits, "watch"],
  ["juicefs", waits, "stats"],
  ["tetra", waits, "getevents"],
  ["hastatus", { ends: "-sum -summary", ...waits, instead: "hastatus -sum" }],
  ["clustat", { endless: "-i", does: "it repeats for ever", instead: "clustat without -i" }],
  ["db2diag auditlogviewer", { endless: "-f", ...waits }],
];

/** What goes on without an end, by the program's name. */
export const endless: ReadonlyMap<string, readonly SubBound[]> = table.reduce(
  (found, [names, bound, sub]) =>
    words(names).reduce((all, name) => all.set(name, [...(all.get(name) ?? []), { ...bound, sub }]), found),
  new Map<string, readonly SubBound[]>(),
);

/** Options that say how often or how long, and the most that is still a look. */
export interface CountLimit {
  readonly options: readonly string[];
  readonly most: number;
}
// biome-ignore format: filled to the width
const countTable: readonly (readonly [names: string, options: string, most: number])[] = [
  ["ping ping6 arping fping httping bing hping3 nping tcping mtr free mysqladmin mariadb-admin collectl nmon", "-c --count --report-cycles", 1000],
  ["fping", "-C --vcount", 1000],
  ["top htop iotop irqtop virt-top turbostat mongostat mongotop systemd-cgtop", "-n --iterations --iter --num_iterations --rowcount", 1000],
  ["pmstat pmval pmrep", "-s --samples", 1000],
  ["lnstat dmsetup perf systemd-analyze xentop", "-c --count --repeat --iterations", 1000],
  ["ping ping6 arping", "-w", 600],
  ["udevadm", "-t --timeout", 600],
  ["tcpdump tshark dumpcap ngrep kcat kafkacat kafka-console-consumer kafka-console-consumer.sh mosquitto_sub",
    "-c -n -C --count --max-messages", 1_000_000],
  ["curl wget wget2", "--retry --retry-delay -t --tries", 100],
  ["nmap", "--top-ports", 1000],
];
export const countLimits: ReadonlyMap<string, readonly CountLimit[]> = countTable.reduce(
  (found, [names, options, most]) =>
    words(names).reduce(
      (all, name) => all.set(name, [...(all.get(name) ?? []), { options: words(options), most }]),
      found,
    ),
  new Map<string, readonly CountLimit[]>(),
);
