/** What a program does without an end or a bound of its own: time, packets, memory, or reading a whole file system. */
export interface Bound {
  readonly names: string;
  /** Sub-commands it is about; the program itself where none is named. */
  readonly sub?: string;
  /** Options that make it endless; any call is where none is named. */
  readonly endless?: string;
  /** Options that give it an end. */
  readonly ends?: string;
  /** How many operands, or a number among them, give it an end (`vmstat 1 5`). */
  readonly operands?: number;
  /** True where only a call without any operand ends: it takes an interval (`vmstat 1`). */
  readonly interval?: true;
  /** What it does, for people. */
  readonly does: string;
  /** The bounded form to type instead. */
  readonly instead?: string;
}

export const bounds: readonly Bound[] = [
  { names: "yes", does: "yes never ends", instead: "yes | head -n 5" },
  { names: "watch", does: "watch never ends", instead: "timeout 60 watch …" },
  { names: "tail", endless: "-f -F --follow --retry", does: "tail -f never ends", instead: "tail -n 100" },
  { names: "less more most", endless: "+F", does: "a pager waits", instead: "tail -n 100" },
  { names: "journalctl", endless: "-f --follow", does: "journalctl -f never ends", instead: "journalctl -n 100" },
  {
    names: "dmesg",
    endless: "-w -W --follow --follow-new",
    does: "dmesg -w never ends",
    instead: "dmesg | tail -n 100",
  },
  {
    names: "ping ping6 arping hping3 fping",
    ends: "-c -w -W --count -C -n",
    does: "ping never ends",
    instead: "ping -c 3",
  },
  { names: "fping", endless: "-l --loop", does: "fping -l never ends", instead: "fping -c 3" },
  {
    names: "hping3 ping nping",
    endless: "--flood --fast --faster -f -A",
    does: "it floods the network",
    instead: "ping -c 3",
  },
  {
    names: "mtr",
    ends: "-r --report -c -w --report-wide --json -j --csv -C --xml",
    does: "mtr never ends",
    instead: "mtr -r -c 10",
  },
  {
    names: "tcpdump tshark dumpcap ngrep tcpflow",
    ends: "-c -r -a -G -D -L -n --read-file",
    does: "it captures until it is stopped",
    instead: "tcpdump -c 100",
  },
  {
    names: "tcpdump tshark dumpcap ngrep tcpflow",
    endless: "-i",
    ends: "-c -a -W -r",
    does: "it captures until it is stopped",
    instead: "tcpdump -c 100",
  },
  {
    names: "vmstat iostat mpstat pidstat sar dstat ifstat nfsiostat zpool_iostat",
    operands: 2,
    interval: true,
    does: "it repeats for ever",
    instead: "vmstat 1 5",
  },
  {
    names: "top htop atop iotop iftop nethogs powertop slabtop btop glances",
    ends: "-b -n -o --once -1 -w -V -r",
    does: "it never ends",
    instead: "top -b -n 1",
  },
  {
    names: "perf",
    sub: "top record trace",
    ends: "-- sleep",
    does: "perf records until it is stopped",
    instead: "perf record … -- sleep 10",
  },
  {
    names: "strace ltrace",
    endless: "-p --attach",
    does: "it traces until it is stopped",
    instead: "timeout 10 strace -p …",
  },
  {
    names: "bpftrace stap sysdig trace-cmd opensnoop execsnoop biosnoop tcplife",
    ends: "-l -V --version",
    does: "it traces until it is stopped",
    instead: "timeout 10 …",
  },
  { names: "inotifywait fatrace", endless: "-m --monitor", does: "it waits for ever", instead: "inotifywait -t 30" },
  {
    names: "kubectl oc docker podman nerdctl crictl docker-compose compose",
    endless: "-f --follow",
    sub: "logs compose_logs service_logs",
    does: "it follows a log for ever",
    instead: "logs --tail=100",
  },
  {
    names: "kubectl oc",
    endless: "-w --watch --watch-only",
    does: "it watches for ever",
    instead: "the same without -w",
  },
  {
    names: "kubectl oc",
    sub: "wait rollout_status",
    ends: "--timeout --watch",
    does: "it waits until it is true",
    instead: "--timeout=60s",
  },
  { names: "kubectl oc", sub: "port-forward proxy attach", does: "it runs until it is stopped" },
  {
    names: "docker podman nerdctl",
    sub: "stats",
    ends: "--no-stream",
    does: "it never ends",
    instead: "docker stats --no-stream",
  },
  {
    names: "docker podman nerdctl",
    sub: "events",
    ends: "--until",
    does: "it never ends",
    instead: "docker events --since 10m --until 0s",
  },
  { names: "docker podman nerdctl", sub: "wait attach", does: "it waits until a container ends" },
  {
    names: "redis-cli valkey-cli",
    sub: "monitor subscribe psubscribe MONITOR SUBSCRIBE PSUBSCRIBE",
    does: "it listens for ever",
    instead: "timeout 5 redis-cli monitor",
  },
  {
    names: "redis-cli valkey-cli",
    endless: "--stat --latency --latency-history",
    does: "it never ends",
    instead: "redis-cli info",
  },
  {
    names: "redis-cli valkey-cli",
    sub: "keys KEYS",
    does: "it reads every key at once and holds the server up",
    instead: "redis-cli --scan",
  },
  { names: "redis-cli valkey-cli", endless: "--bigkeys --memkeys --hotkeys", does: "it reads every key" },
  {
    names: "kcat kafkacat kafka-console-consumer kafka-console-consumer.sh mosquitto_sub stern kubetail",
    ends: "-e -c -C -W --max-messages --timeout-ms -L --no-follow",
    does: "it listens for ever",
    instead: "timeout 10 …",
  },
  { names: "nc ncat netcat socat", endless: "-l --listen -k", does: "it listens for ever" },
  { names: "udevadm", sub: "monitor", does: "it never ends" },
  { names: "ip bridge nft", sub: "monitor", does: "it never ends" },
  { names: "dbus-monitor busctl_monitor acpi_listen conntrack_-E rtmon", does: "it never ends" },
  { names: "conntrack", endless: "-E --event", does: "it never ends" },
  {
    names:
      "iperf iperf3 netperf qperf speedtest speedtest-cli ab wrk wrk2 hey h2load vegeta siege stress stress-ng sysbench fio bonnie++",
    does: "it loads what it measures",
  },
  { names: "openssl", sub: "speed", does: "it loads the processor" },
  {
    names: "updatedb mandb debsums aide tripwire lynis rkhunter chkrootkit clamscan",
    does: "it reads the whole file system",
  },
  { names: "rpm", endless: "-Va --verify-all", does: "it reads every installed file" },
  { names: "masscan zmap", does: "it sends packets to a whole network", instead: "nmap -p 22,443 HOST" },
  { names: "arp-scan netdiscover", does: "it sends packets to a whole network" },
  { names: "smartctl", endless: "-t --test", does: "it runs a test of the disk" },
  { names: "badblocks hdparm", endless: "-t -T -s -n -v", does: "it reads the whole disk" },
];
