/** The host as a whole: power, processes, users, kernel, time, logs, and what runs by the clock. */
import type { Program } from "../program.ts";
import type { ReadTable } from "../reads.ts";
import { escapes, networkProbe, runsOperands, serverClient } from "./facts.ts";

/** What `jcmd` is asked that only looks: not what walks the heap, writes a file or changes a log. */
const jvmLooks =
  "Thread\\.(print|vthread_\\w+)|VM\\.(version|flags|uptime|command_line|info|metaspace( \\S+)*|" +
  "classloaders( \\S+)*|class_hierarchy( \\S+)*|classloader_stats|dynlibs|events( \\S+)*|stringtable|symboltable|" +
  "systemdictionary|log list|native_memory( (summary|detail)(\\.diff)?)?( scale=[KMG]B)?)|" +
  "GC\\.(heap_info|finalizer_info)|JFR\\.check( \\S+)*|PerfCounter\\.print|System\\.map|" +
  "ManagementAgent\\.status|Compiler\\.(queue|codecache|codelist|directives_print|CodeHeap_Analytics)|help( [\\w.]+)?";

// biome-ignore format: filled to the width
export const hostRules: readonly Program[] = [
  { id: "host.power", names: "reboot poweroff halt kexec telinit", level: "high", why: "downtime of the whole host",
    rows: [{ names: "reboot poweroff halt", words: "-w --wtmp-only", level: "medium",
      why: "writes to the record of sign-ins" },
      { names: "kexec", words: "--status -S --version", level: "low" },
    ],
    match: { low: ["kexec --status"], medium: ["reboot -w"], high: ["reboot", "poweroff -f", "telinit 6"] } },
  { id: "host.shutdown", names: "shutdown", level: "high", why: "downtime of the whole host",
    rows: [{ words: "-c", level: "medium" }],
    match: { medium: ["shutdown -c"], high: ["shutdown -r now", "shutdown -h +1"] } },
  { id: "host.init", names: "init", level: "high",
    match: { high: ["init 0"] } },
  { id: "process.kill", names: "kill pkill killall killall5 skill snice",
    options: { value: "-s -n -u -U -g -G -P -t -o -y --signal --user --euid --pidfile -F --older-than --younger-than" },
    check: "kill",
    rows: [
      { names: "kill", unless: " (-\\d+ )?-- | %| -\\d{3,} ",
        probe: { run: "ps -o pid,ppid,user,etime,args -p $pids", shows: "the processes",
          example: ["kill -9 4242 4243", "ps -o pid,ppid,user,etime,args -p 4242,4243"] } },
      { names: "pkill",
        probe: { without: "^(-\\d+|-(SIG)?(HUP|INT|QUIT|KILL|TERM|STOP|CONT|USR1|USR2|ABRT)|--signal(=.*)?|-e|--echo)$",
          run: "pgrep -a $@", shows: "the processes", example: ["pkill -USR1 -f rsyslogd", "pgrep -a -f rsyslogd"] } },
      { names: "killall", unless: " -[egiruvwyoIZ]+ | --",
        probe: { run: "ps -o pid,ppid,user,etime,args -C $1", shows: "the processes",
          example: ["killall -KILL java", "ps -o pid,ppid,user,etime,args -C java"] } },
    ],
    match: { low: ["kill -0 42", "kill -l"], medium: ["kill 4242", "pkill -USR1 rsyslogd"],
      high: ["kill -9 4242", "killall -KILL java"], block: ["kill -9 -1", "kill -9 1"] } },
  { id: "process.fuser", names: "fuser", level: "low", options: { value: "-n --namespace" },
    rows: [{ words: "-k --kill", level: "high" }, { exit: { 1: "nobody uses it" } }, { is: "names" }],
    match: { low: ["fuser -v 80/tcp"], high: ["fuser -k 80/tcp"] } },
  { id: "process.lsof", names: "lsof", level: "low", options: { value: "-i -s -p -u -c -g -d -F" },
    rows: [{ ends: { endless: "-r +r", does: "it repeats for ever", instead: "lsof without -r" } },
      { if: "^\\+D$", is: "walks" }, { is: "names" }],
    match: { low: ["lsof -i :8080", "lsof +L1"] } },
  { id: "process.perf", names: "perf",
    options: { value: "-p -e -F -t -C", "path-read": "-i --input", "path-write": "-o --output" },
    rows: [
      { words: "stat top report list script annotate diff version evlist buildid-list", level: "low" },
      { words: "record trace probe mem sched lock kmem bench", level: "medium" },
      { if: " (-e|--event)[ =]?\\S*\\.(c|o)[ ,]", level: "medium", why: "loads a program into the kernel" },
      { words: "top record trace",
        ends: { ends: "-- sleep", does: "perf records until it is stopped", instead: "perf record … -- sleep 10" } },
    ],
    deep: {
      stat: { level: "low", why: "counts events", options: { value: "-p -e -t -C -I -r", "path-write": "-o --output" },
        rows: [runsOperands] },
    },
    match: { low: ["perf stat -p 42 sleep 1", "perf top"], medium: ["perf record -p 42", "perf stat /bin/sh"] } },
  { id: "process.nice", names: "renice", level: "medium",
    match: { medium: ["renice -n 5 -p 42"] } },
  { id: "process.trace",
    names: "gdb gcore bpftrace pystack py-spy rbspy async-profiler pstack pldd eu-stack",
    level: "low", options: { value: "-p -F -e -ex -x --pid --command", "path-write": "-o --output" },
    rows: [
      { names: "gdb gcore async-profiler", level: "medium" },
      { names: "py-spy rbspy pystack", if: " (dump|snapshot|remote|top) ",
        unless: " (--nonblocking|--no-block|-c|--core|core) ",
        level: "medium", why: "stops the process while it looks" },
      { names: "pstack pldd eu-stack", if: " -\\w*p| --pid|^ \\d", level: "medium",
        why: "stops the process while it looks" },
      { words: "~record -e --dump", level: "medium" },
      { words: "~stat ~top ~list ~report ~dump", level: "low" },
      { names: "bpftrace", unless: "^( -\\S+)*? (-\\w*[lhV]\\w*|--(info|help|version)) ", level: "medium",
        why: "runs a program inside the kernel" },
      escapes,
      { names: "py-spy rbspy", does: { is: "runs-argv", after: "--" } },
    ],
    match: { low: ["py-spy dump --nonblocking --pid 42"], medium: ["gdb -p 42", "bpftrace /srv/x.bt",
      "py-spy dump --pid 42"] } },
  { id: "process.jvm", names: "jstack jmap jcmd jinfo jstat jps jhsdb jfr", level: "low", oneDash: true,
    rows: [
      { words: "-dump* -F ~record ~configure ~scrub ~assemble ~disassemble ~debugd", level: "medium" },
      { names: "jinfo", if: " -flag (?![A-Za-z]\\w* )", level: "medium", why: "sets a flag of a running program" },
      { names: "jstack jps jstat", level: "low" },
      { names: "jhsdb", level: "medium", why: "stops the program that it looks at" },
      { words: "-histo -heap ~print ~summary ~view ~metadata ~VM.version ~VM.flags ~Thread.print ~GC.heap_info " +
        "~JFR.check",
        level: "low" },
      { words: "~GC.run ~GC.run_finalization ~VM.command", level: "high" },
      { names: "jcmd",
        if: `^ \\S+ (?=\\S)(?!(${jvmLooks}) $)`,
        operands: true, level: "medium", why: "does more than look" },
    ],
    match: { low: ["jstack 42", "jinfo -flag UseG1GC 42", "jmap -histo 42", "jcmd 42 Thread.print", "jstat -gc 42",
      "jcmd 42 VM.classloaders"],
      medium: ["jinfo -flag +PrintGC 42", "jinfo -flag MaxHeapFreeRatio=60 42",
        "jmap -dump:file=/tmp/h.bin 42", "jmap -histo:file=/tmp/h.txt 42", "jcmd 42 Thread.dump_to_file /tmp/x"],
      high: ["jcmd 42 GC.run"] } },
  { id: "user.change",
    names: "useradd adduser usermod groupadd addgroup groupmod gpasswd chsh chfn newusers pwconv grpconv",
    level: "medium", why: "changes an account",
    rows: [
      { words: "-G -g -aG -u -o --groups --uid --non-unique -s --shell -p --password", level: "high" },
      { names: "chsh", words: "-l --list-shells", level: "low" },
    ],
    match: { low: ["chsh -l"], medium: ["useradd bob"], high: ["usermod -aG sudo bob"] } },
  { id: "user.password", names: "passwd chpasswd vipw vigr visudo newgidmap", level: "high",
    rows: [
      { names: "passwd", words: "-S --status", level: "low" },
      { names: "visudo", words: "-c --check -cf", level: "low" },
      { names: "passwd", words: "-d --delete --stdin", level: "high" },
    ],
    match: { low: ["passwd -S bob", "visudo -c"],
      high: ["passwd root", "passwd -l bob", "passwd -d -l bob", "chpasswd", "chpasswd -c SHA512"] } },
  { id: "user.chage", names: "chage faillock pam_tally2 faillog", level: "medium",
    options: { value: "-u --user -E -M -m -W -I -d" },
    rows: [
      { names: "faillock faillog pam_tally2", level: "low" },
      { words: "-l --list", level: "low" },
      { words: "--reset -r", level: "medium" },
      { names: "faillog", words: "-m --maximum -l --lock-secs", level: "medium" },
      { names: "chage", words: "-m -M -W -I -d -E", level: "medium" },
    ],
    match: { low: ["chage -l bob"], medium: ["chage -E 0 bob", "faillog -m 5"] } },
  { id: "user.delete", names: "userdel deluser groupdel delgroup", level: "high", why: "deletes an account",
    rows: [
      { names: "userdel deluser",
        probe: { run: "id $1", shows: "the account with its groups", example: ["userdel -r olduser", "id olduser"] } },
    ],
    match: { high: ["userdel -r olduser"] } },
  { id: "kernel.sysctl", names: "sysctl", level: "low",
    options: { flag: "--write --system", value: "-p -f -r --load --pattern" },
    rows: [
      { if: " \\S*(core_pattern|modprobe|hotplug)\\S*=", level: "high", why: "sets a program that the kernel starts" },
      { if: " [^-]\\S*=| -[a-z]*[wpf]| --(w|lo|sy)", level: "medium", why: "changes kernel settings" },
    ],
    match: { low: ["sysctl -a", "sysctl net.core.somaxconn"],
      medium: ["sysctl -w net.core.somaxconn=1024", "sysctl vm.swappiness=10", "sysctl -p"],
      high: ["sysctl kernel.core_pattern='|/tmp/x'"] } },
  { id: "kernel.module", names: "modprobe", level: "medium",
    rows: [
      { words: "-r --remove", level: "high" },
      { words: "-n --dry-run --show-depends -D -c --showconfig -R --resolve-alias", level: "low" },
    ],
    match: { low: ["modprobe -n"], medium: ["modprobe br_netfilter"], high: ["modprobe -r e1000"] } },
  { id: "kernel.module-load",
    names: "insmod rmmod depmod kmod update-initramfs dracut mkinitcpio grub-install update-grub grub-mkconfig " +
      "grub2-mkconfig grubby bootctl",
    level: "high",
    rows: [
      { words: "--version", level: "low" },
      { names: "kmod", words: "~list ~static-nodes", level: "low" },
      { names: "dracut", words: "--list-modules", level: "low" },
      { names: "mkinitcpio", words: "-L -H --list*", level: "low" },
      { names: "bootctl", words: "~list ~status ~is-installed -p", level: "low" },
      { names: "grubby", words: "--info --info=* --default-*", level: "low" },
      { names: "update-initramfs update-grub depmod dracut grub-mkconfig grub2-mkconfig", level: "medium" },
      { words: "-u", level: "medium" },
      { names: "bootctl", words: "~install ~remove ~update ~unlink ~cleanup ~set-*", level: "high" },
      { names: "grubby", words: "--set-default* --update-kernel* --remove-* --add-kernel* --args*", level: "high" },
      { names: "bootctl", words: "--print-esp-path -x --print-boot-path", level: "low" },
    ],
    match: { low: ["grubby --info=ALL", "bootctl status"], medium: ["depmod update-initramfs"],
      high: ["rmmod e1000", "rmmod -v e1000", "grubby --update-kernel=ALL --args=x --info=ALL", "insmod x.ko",
        "grub-install -v /dev/sda"] } },
  { id: "kernel.efi", names: "efibootmgr", level: "low", why: "lists or changes what the host starts from",
    rows: [
      { words: "-a --active -A --inactive -B --delete-bootnum -c --create -C --create-only -D --remove-dups -n " +
        "--bootnext -N --delete-bootnext -o --bootorder -O --delete-bootorder -t --timeout -T --delete-timeout " +
        "-m --mirror-below-4G",
        level: "high" },
    ],
    match: { low: ["efibootmgr -v"], high: ["efibootmgr -v -B -b 0001"] } },
  { id: "kernel.dkms", names: "dkms", options: { value: "-m -v -k -a -c" },
    rows: [{ words: "status", level: "low" }, { words: "remove uninstall unbuild", level: "high" }],
    match: { low: ["dkms status"], medium: ["dkms autoinstall"], high: ["dkms remove x/1 --all"] } },
  { id: "kernel.dmesg", names: "dmesg", level: "low",
    options: { value: "-n -s -l -f --level --facility", "path-read": "-F --file" },
    rows: [
      { words: "-C -c --clear --read-clear", level: "block" },
      { words: "-n -D -E --console-level --console-off", level: "medium" },
      { ends: { endless: "-w -W --follow --follow-new", does: "dmesg -w never ends", instead: "dmesg | tail -n 100" } },
    ],
    match: { low: ["dmesg -T", "dmesg -l err"], medium: ["dmesg -n"], block: ["dmesg -C"] } },
  { id: "kernel.sepolicy",
    names: "setenforce semanage setsebool aa-disable aa-complain aa-teardown apparmor_parser semodule aa-enforce",
    level: "high", why: "changes the mandatory access control",
    rows: [
      { words: "-l --list", level: "low" },
      { names: "semodule", if: "^ (-l|--list-modules)(=?(full|standard))?( -v| --verbose| --checksum)* $",
        level: "low" },
      { names: "semanage", if: "^ export $", level: "low", why: "prints what was set" },
      { words: "-a -d -D -m -i -r -e --add --delete --deleteall --modify --import --install --remove", level: "high" },
    ],
    match: { low: ["semanage port -l"], high: ["setenforce 0"] } },
  { id: "audit.control", names: "auditctl augenrules", level: "high", options: { value: "--signal" },
    rows: [
      { words: "-l -s --check", level: "low" },
      { words: "-D --signal=stop", level: "block" },
      { words: "-v -m", level: "medium" },
      { words: "-a -A -d -w -W -r -b -f -R -c -i -t --signal --loginuid-immutable --reset-lost", level: "high" },
      { if: " -e(0| 0) ", level: "block", why: "switches the audit off" },
      { does: { is: "runs-text", after: "-R", file: true, if: "([^\\n]+)", prefix: "auditctl ", tried: true } },
      { names: "auditctl", is: "names" },
    ],
    match: { low: ["auditctl -l", "auditctl -s"], medium: ["auditctl -v"], high: ["auditctl -w /etc -p wa"],
      block: ["auditctl -e 0", "auditctl -D", "auditctl --signal stop -l"] } },
  { id: "session.screen", names: "screen tmux dtach byobu", level: "medium",
    options: { value: "-S -s -n -t -c -x -y -F -e -T -h -p" },
    rows: [
      { names: "tmux byobu", if: "#\\(|^ (-\\S+ )*-c ", level: "high", why: "runs a command given in an option" },
      { names: "tmux byobu", if: " \\\\?; |;$", level: "medium", why: "does more than one thing" },
      { if: " -(ls|list|v) ", level: "low" },
      { if: "^ (ls|list-\\w+|has-session|show-\\w+|info) ", operands: true, level: "low" },
      // Without `-p` the one writes a buffer, and the other on the screens of others.
      { names: "tmux byobu", if: " (capture-pane|capturep|display-message|display) (.* )?-\\w*p", level: "low" },
      { if: "^( -\\S+)* kill-| quit ", level: "high" },
      { does: { is: "runs-text", all: true, if: "^(\\S+\\s[^]*)$" } },
      { names: "screen dtach byobu", unless: "␠", does: { is: "runs-argv", operand: 0 } },
      { names: "tmux byobu", unless: "␠",
        does: { is: "runs-argv",
          after: "new new-session new-window neww split-window run-shell run if-shell respawn-pane" } },
      { names: "tmux byobu", does: { is: "runs-argv", after: "send-keys send", joins: true } },
      { names: "screen", does: { is: "appends", after: "-L -Logfile", if: "^([/~.].*)$" } },
    ],
    match: { low: ["screen -ls", "tmux ls"], medium: ["tmux attach"],
      high: ["tmux kill-server", "tmux ls -F '#(id)'", "tmux -c id ls"], block: ["tmux new-session -d 'rm -rf /'"] } },
  { id: "host.terminal", names: "stty setterm tset resize loadkeys setfont", level: "low",
    rows: [
      { names: "loadkeys setfont", unless: " (-[mbpahV]|--(mktable|[bct]keymap|parse|ascii|help|version)) ",
        level: "medium", why: "changes the console" },
    ],
    match: { low: ["stty -a", "stty size"], medium: ["loadkeys us"] } },
  { id: "host.racadm", names: "racadm", options: { value: "-r -u -p -g -o -i" },
    rows: [
      { words: "storage_get get* lclog_view gettracelog help ifconfig netstat ping arp swinventory hwinventory " +
        "vflashsd_status",
        level: "low" },
      { words: "serveraction* racreset* systemerase* jobqueue_delete raid", level: "high" },
      { words: "clrsel lclog_clear clrraclog", level: "block" },
      { words: "()", level: "medium" },
      { words: "", reach: { kind: "service", options: { host: "-r" } } },
    ],
    deep: {
      get: { level: "low", options: { value: "-t -c", "path-write": "-f" } },
      getconfig: { level: "low", options: { value: "-g -o -i -u", "path-write": "-f" } },
    },
    match: { low: ["racadm getsel", "racadm -r bmc1 -u root -p x getsysinfo"],
      medium: ["racadm set iDRAC.NIC.x 1", "racadm get -t xml -f /tmp/settings.xml"],
      high: ["racadm serveraction powercycle"], block: ["racadm clrsel"] } },
  { id: "host.efi", names: "ipmitool ipmi-sensors bmc-info", level: "medium",
    rows: [
      { names: "ipmi-sensors bmc-info", level: "low" },
      { words: "~sdr ~sel ~fru ~lan ~mc ~list ~info ~elist ~status ~print ~sensor ~reading ~guid", level: "low" },
      { if: "^( -\\S+( [^- ]\\S*)?)* (user (list|summary|getaccess)( \\d+)*|dcmi (sensors|discover|power reading|" +
        "get_\\w+|" +
        "asset_tag|get_temp_reading|get_mc_id_string)|chassis (bootparam get " +
        "\\d+|restart_cause|poh|selftest)|channel getaccess \\d+( \\d+)?|lan stats get( \\d+)?|sol info|pef " +
        "(info|status|list)|" +
          "mc watchdog get) $",
        level: "low" },
      { words: "~sol", unless: " sol info ", level: "medium" },
      { words: "~identify ~dump ~save ~read ~write ~writeraw ~edit ~thresh ~fill ~internaluse", level: "medium" },
      { words: "~reset ~cycle ~off ~soft ~on ~diag ~bootdev ~set ~raw ~policy ~shell ~exec", level: "high" },
      { words: "~user", unless: " user (list|summary|getaccess) ", level: "high", why: "changes who may sign in" },
      { words: "~clear", level: "block" },
      { words: "", reach: { kind: "service", options: { host: "-H" } } },
    ],
    match: { low: ["ipmitool sdr list", "ipmitool sel list"],
      medium: ["ipmitool chassis identify 15", "ipmitool sdr dump /srv/x", "ipmitool event 1",
        "ipmitool sensor thresh x ucr 90"],
      high: ["ipmitool power cycle"], block: ["ipmitool sel clear"] } },
];

// Logs, clocks and what runs by the clock.

// biome-ignore format: filled to the width
export const scheduleRules: readonly Program[] = [
  { id: "log.history", names: "history", level: "low",
    rows: [{ if: " -\\w*[cdw]", level: "block", why: "wipes the shell's history" }, { is: "names" }],
    match: { low: ["history"], block: ["history -c"] } },
  { id: "log.fc", names: "fc", level: "medium",
    rows: [{ words: "-l", level: "low" }],
    match: { low: ["fc -l"], medium: ["fc -s"] } },
  { id: "log.journal", names: "journalctl", level: "low",
    options: { "path-read": "-D --directory --file",
      value: "-u -n -p -S -U -t -o -g -M -c --unit --lines --priority --since --until --identifier --output " +
        "--grep --field -F --user-unit --cursor --boot --facility" },
    rows: [
      { words: "--rotate --flush --sync --update-catalog --relinquish-var --smart-relinquish-var", level: "medium" },
      { words: "--vacuum-size* --vacuum-time* --vacuum-files* --setup-keys", level: "high" },
      { words: "--vacuum-time=1s --vacuum-time=0 --vacuum-time=1 --vacuum-time=0s --vacuum-time=1m " +
        "--vacuum-size=0 --vacuum-size=1 --vacuum-size=1K --vacuum-size=1k --vacuum-files=0 --vacuum-files=1",
        level: "block" },
      { ends: { endless: "-f --follow", does: "journalctl -f never ends", instead: "journalctl -n 100" } },
      { words: "-g --grep", exit: { 1: "no match" } }, { is: "names" }, { is: "text" },
      { if: " --vacuum-| --rotate ",
        probe: { without: "^--(vacuum|rotate)", run: "$0 $- --disk-usage", shows: "how much room the journal takes",
          example: ["journalctl --vacuum-size=500M", "journalctl --disk-usage"] } },
    ],
    match: { low: ["journalctl -u nginx --since '10 min ago' --no-pager"], medium: ["journalctl --rotate"],
      high: ["journalctl --vacuum-time=14d"], block: ["journalctl --vacuum-time=1s"] } },
  { id: "log.logger", names: "logger wall write mesg systemd-cat notify-send", level: "medium",
    rows: [
      { names: "logger", ...serverClient },
      { names: "logger", is: "names" }, { names: "logger wall write systemd-cat notify-send", is: "text" },
    ],
    match: { medium: ["logger deploy done", "wall hello"] } },
  { id: "time.set", names: "ntpdate adjtimex rdate tzselect", level: "medium",
    rows: [{ words: "-q -p --print", level: "low" }, { names: "ntpdate", ...networkProbe }],
    match: { low: ["ntpdate -q pool.ntp.org"], medium: ["ntpdate pool.ntp.org"] } },
  { id: "time.hwclock", names: "hwclock", level: "low",
    match: { low: ["hwclock", "hwclock --show"], medium: ["hwclock --systohc"] } },
  { id: "time.chrony", names: "chronyc ntpq ntpstat",
    rows: [
      { words: "rv readvar peers lpeers pe opeers as associations sysinfo sysstats kerninfo monstats mrulist " +
        "tracking sources sourcestats activity ntpdata serverstats clients rtcdata manual_list " +
        "authdata selectdata accheck cmdaccheck smoothing",
        level: "low" },
      { words: "makestep burst online offline waitsync reload", level: "medium" },
      { words: "()", level: "low" },
      { names: "ntpq",
        if: " (-c|--command)[ =]?(?![ =])" +
          "(?!(rv|readvar|rl|readlist|cv|clockvar|cl|clocklist|pe(ers)?|lpe?(ers)?|opeers|lo" +
          "peers|as(sociations)?|lassociations|apeers|sysinfo|sysstats|kerninfo|iostats|monstat" +
          "s|mrulist|authinfo|version|ifstats|reslist|timerstats|pstats)(␠| ))",
        level: "medium", why: "may change the clock's daemon" },
      { reach: { kind: "lookup", options: { host: "-h" } } },
    ],
    match: { low: ["chronyc tracking", "ntpq -p"], medium: ["chronyc makestep", "echo makestep | chronyc"] } },
  { id: "cron.crontab", names: "crontab", level: "medium", options: { value: "-u" },
    rows: [
      { if: " -\\w*r ", level: "high", why: "deletes the crontab" },
      { if: " -\\w*l ", level: "low" },
      { if: " -\\w*e ", level: "high", why: "changes the crontab" },
      { if: "\\S", operands: true, level: "high", why: "replaces the crontab" },
      { unless: " -\\w*[lr] ",
        does: { is: "runs-text", stdin: true, level: "high",
          if: "(?:^|\\n)[^\\S\\n]*(?:@\\w+|(?:[^\\s]+[^\\S\\n]+){5})([^\\n]*)" } },
      { unless: " -\\w*[lr] ",
        does: { is: "runs-text", operand: 0, file: true, level: "high",
          if: "(?:^|\\n)[^\\S\\n]*(?:@\\w+|(?:[^\\s]+[^\\S\\n]+){5})([^\\n]*)" } },
      { words: "-l", exit: { 1: "no crontab" } },
      { unless: " - ",
        probe: { without: "^-(r|i|e)$", run: "$0 -l $-", shows: "the table that would be replaced or removed",
          example: ["crontab -u app -r", "crontab -l -u app"] } },
    ],
    match: { low: ["crontab -l"], medium: ["crontab"], high: ["crontab -r", "crontab /tmp/x"],
      block: ["echo '* * * * * rm -rf /' | crontab -"] } },
  { id: "cron.at", names: "at batch", level: "medium", why: "runs a command later", options: { value: "-f -q -t" },
    rows: [
      { words: "-f", level: "high" },
      { words: "-l -c", level: "low" },
      { words: "-d -r", level: "medium" },
      { unless: " -[lcdr] ", does: { is: "runs-text", stdin: true } },
      { does: { is: "runs-text", after: "-f", file: true } },
    ],
    match: { low: ["at -l"], medium: ["echo uptime | at now"], high: ["at -f /opt/x.sh now"],
      block: ["echo 'rm -rf /' | at now"] } },
  { id: "cron.atq", names: "atq", level: "low",
    match: { low: ["atq"] } },
  { id: "cron.atrm", names: "atrm", level: "medium",
    match: { medium: ["atrm 3"] } },
  { id: "cron.run-parts", names: "run-parts anacron", level: "medium",
    rows: [
      { words: "--test --list", level: "low" },
      { names: "anacron", if: "^( -T| -t \\S+)+ $", level: "low", why: "only tests its table" },
    ],
    match: { low: ["run-parts --test"], medium: ["run-parts /etc/cron.daily"] } },
];

// What only reads of them.

/** Tracers print what they count; their operands are numbers. */
const tracerReads = (options: Readonly<Record<string, string>>): ReadTable =>
  Object.fromEntries(
    Object.entries(options).map(([names, list]) => [
      names.replaceAll(/\S+/g, "$& $&-bpfcc"),
      { options: `${list} -h --help`, names: /^\d+$/ },
    ]),
  );

/** Also the sub-commands of `lvm`. */
const volumeReads: ReadTable = {
  lvs: {
    options:
      "-t --test " +
      "-a --aligned --all --binary --foreign -H -h --help --history --ignorelockingfailure --logonly --longhelp " +
      "--nameprefixes --noheadings --nohints --nolocking --nosuffix -O= -o= --options= -q --quiet --readonly " +
      "--reportformat= --rows -S= --segments --select= --separator= --shared --sort= --unbuffered --units= " +
      "--unquoted " +
      "-v --verbose --version",
    names: true,
  },
  pvs: {
    options:
      "-a --aligned --all --binary --foreign -h --help --ignorelockingfailure --logonly --longhelp --nameprefixes " +
      "--noheadings --nohints --nolocking --nosuffix -O= -o= --options= -q --quiet --readonly --reportformat= --rows " +
      "-S= --segments --select= --separator= --shared --sort= --unbuffered --units= --unquoted -v --verbose --version",
    names: true,
  },
  vgs: {
    options:
      "-a --aligned --all --binary --foreign -h --help --ignorelockingfailure --logonly --longhelp --nameprefixes " +
      "--noheadings --nohints --nolocking --nosuffix -O= -o= --options= -q --quiet --readonly --reportformat= --rows " +
      "-S= --select= --separator= --shared --sort= --unbuffered --units= --unquoted -v --verbose --version",
    names: true,
  },
  lvdisplay: {
    options:
      "-t --test " +
      "-a --aligned --all --binary -C -c --colon --columns --foreign -H -h --help --history --ignorelockingfailure " +
      "--longhelp -m --maps --noheadings --nohints --nolocking --nosuffix -O= -o= --options= -q --quiet --readonly " +
      "-S= --segments --select= --separator= --shared --sort= --unbuffered --units= -v --verbose --version",
    names: true,
  },
  pvdisplay: {
    options:
      "-a --aligned --all --binary -C -c --colon --columns --foreign -h --help --ignorelockingfailure --longhelp -m " +
      "--maps --noheadings --nohints --nolocking --nosuffix -O= -o= --options= -q --quiet --readonly -S= -s " +
      "--select= " +
      "--separator= --shared --short --sort= --unbuffered --units= -v --verbose --version",
    names: true,
  },
  vgdisplay: {
    options:
      "-A --activevolumegroups --aligned --binary -C -c --colon --columns --foreign -h --help --ignorelockingfailure " +
      "--longhelp --noheadings --nohints --nolocking --nosuffix -O= -o= --options= -q --quiet --readonly -S= -s " +
      "--select= --separator= --shared --short --sort= --unbuffered --units= -v --verbose --version",
    names: true,
  },
  lvmconfig: {
    options:
      "--ignoreadvanced --ignorelocal --ignoreunsupported --mergedconfig --withgeneralpreamble " +
      "--withlocalpreamble --sinceversion= -q --quiet -v --verbose -t --test --longhelp " +
      "--nohints --nolocking " +
      "-h --help -l --list --type= --typeconfig= --withcomments --withsummary --withspaces --withversions " +
      "--unconfigured " +
      "--validate --version --atversion= --showdeprecated --showunsupported --valuesonly",
    names: true,
  },
  pvscan: {
    options:
      "-e --exported -h --help --longhelp -n --novolumegroup -q --quiet -s --short -u --uuid -v --verbose --version",
    names: true,
  },
  lvscan: {
    options:
      "-t --test " + "-a --all -b --blockdevice -h --help --longhelp -q --quiet --readonly -v --verbose --version",
    names: true,
  },
  vgscan: { options: "-h --help --longhelp -q --quiet -v --verbose --version", names: true },
};

export const hostReads: ReadTable = {
  lvmdiskscan: {
    options:
      "-h --help --longhelp -l --lvmpartition --nohints --nolocking -q --quiet --readonly -t " +
      "--test -v " +
      "--verbose --version",
  },
  checkrestart: {
    options:
      "-h --help -v --verbose -p --package -a --all -m --machine -n --nolsof -t --terse " +
      "-b= --blacklist= -i= --ignore= -e= --excludepid=",
  },
  ps: {
    options:
      "-A -a -C= -c --cols= --columns= --context --cumulative -d --deselect -e -F -f --forest --format= -G= -g= " +
      "--Group= --group= -H --headers --help --info -j -L -l --lines= -M -m -N --no-headers --no-heading --noheaders " +
      "-O= -o= -P -p= --pid= --ppid= -q= --quick-pid= --rows= -s= --sid= --sort= -T -t= --tty= -U= -u= --User= " +
      "--user= -V --version -w --width= -y -Z",
    names: true,
  },
  top: {
    options:
      "-1 -b -c -d= -E= -e= -H -h -i -n= -O -o= -p= -S -s -U= -u= -V -w " +
      "--batch --delay= --iterations= --threads-show --pid= --sort-override= --list-fields --help --version " +
      "--width= --single-cpu-toggle --scale-summary-mem= --scale-task-mem= --cmdline-toggle --idle-toggle " +
      "--filter-any-user= --filter-only-euser= --accum-time-toggle --secure-mode",
    names: true,
  },
  htop: {
    options:
      "-C -d= --delay= -F= --filter= -h --help -M --max-iterations= --no-color --no-colour --no-mouse --no-unicode " +
      "-p= --pid= --readonly -s= --sort-key= -t --tree -U -u= --user= -V --version",
  },
  atop: {
    options: "-1 -A -a -b= -C -c -D -d -e= -f -G -g -l -M -m -n -P= -p -R -r= -s -u -V -v -x -y",
    names: true,
  },
  vmstat: {
    options:
      "-a --active -D -d --disk --disk-sum -f --forks -h --help -m -n --no-first --one-header -p= --partition= " +
      "-S= -s " +
      "--slabs --stats -t --timestamp --unit= -V --version -w --wide -y",
    names: true,
  },
  iostat: {
    options: "-c --compact -d --dec -f= -g= -H -h --human -j= -k -m -N -o= -p --pretty -s -t -V -x -y -z",
    names: true,
  },
  mpstat: { options: "-A --dec -I= -N= -n -o= -P= -T -u -V", names: true },
  pidstat: {
    options: "-C= -d --dec -G= -H -h --human -I -l -p= -R -r -s -T= -t -U -u -V -v -w",
    names: true,
  },
  sar: {
    options:
      "-A -B -b -C -D -d --dec --dev= -e -F -f --fs= -H -h --help --human -I= -i= --iface= --int= -j= -m= -n= -P= -p " +
      "--pretty -q -r -S -s -t -u -V -v -W -w -y -z",
    names: true,
  },
  pstree: {
    options:
      "-A -a --arguments --ascii -C= -c --color= --compact-not -G -g -H= -h --hide-threads --highlight-all " +
      "--highlight-pid= -l --long -N= -n --ns-changes --ns-sort= --numeric-sort -p -S -s --security-context " +
      "--show-parents --show-pgids --show-pids -T -t --thread-names -U -u --uid-changes --unicode -V --version " +
      "--vt100 -Z",
    names: true,
  },
  pgrep: {
    options:
      "-A -a -c --cgroup= --count -d= --delimiter= --euid= --exact -F= -f --full -G= -g= --group= -h --help -i " +
      "--ignore-ancestors --ignore-case --inverse -L -l --lightweight --list-full --list-name --logpidfile -n " +
      "--newest --ns= --nslist= -O= -o --older= --oldest -P= --parent= --pgroup= --pidfile= -r= --runstates= -s= " +
      "--session= -t= --terminal= -U= -u= --uid= -V -v --version -w -x",
    names: true,
  },
  pidof: { options: "-c -h -n -o= -q -S= -s -t -V -w -x -z", names: true },
  iotop: {
    options:
      "-a --accumulated -b --batch -d= --delay= -h --help --iter= -k --kilobytes -n= -o --only -P -p= --pid= " +
      "--processes -q --quiet -t --time -u= --user= --version",
  },
  iftop: { options: "-m= -G= " + "-B -b -F= -f= -h -i= -L= -l -N -n -o= -P -s= -t" },
  nethogs: { options: "-a -b -C -c= -d= -h -l -P= -s -t -V -v= -x", names: true },
  slabtop: { options: "-d= --delay= -h --help -o --once -s= --sort= -V --version" },
  w: {
    options: "-f --from -h --help -i --ip-addr --no-current --no-header -o --old-style -s --short -u -V --version",
    names: true,
  },
  who: {
    options:
      "-a --all -b --boot --count -d --dead -H --heading --help --ips -l --login --lookup -m --mesg --message -p " +
      "--process -q -r --runlevel -s --short -T -t --time -u --users --version -w --writable",
    names: true,
  },
  "whoami logname users arch hostid": { options: "--help --version", names: true },
  id: {
    options: "-a --context -G -g --group --groups --help -n --name -r --real -u --user --version -Z -z --zero",
    names: true,
  },
  groups: { options: "--help --version", names: true },
  "last lastb": {
    options:
      "-a -d --dns -F -f= --file= --fullnames --fulltimes -h --help --hostlast -i --ip --limit= -n= --nohostname -p= " +
      "--present= -R -s= --since= --system -t= --time-format= --until= -V --version -w -x",
    names: true,
  },
  lastlog: { options: "-b= --before= -h --help -t= --time= -u= --user=" },
  pinky: { options: "-b -f -h --help -i -l -p -q -s --version -w", names: true },
  tty: { options: "--help --quiet -s --silent --version" },
  uname: {
    options:
      "-a --all --hardware-platform --help -i --kernel-name --kernel-release --kernel-version -m --machine -n " +
      "--nodename -o --operating-system -p --processor -r -s -v --version",
  },
  nproc: { options: "--all --help --ignore= --version" },
  lscpu: {
    options:
      "-a --all -B -b --bytes -C -c --caches -e --extended -h --help --hex -J --json --offline --online --output-all " +
      "-p --parse --physical -V --version -x -y",
  },
  lspci: {
    options: "-b -D -d= -k -m -mm -n -nn -P -PP -s= -t -v --version -vv -vvv -x",
    names: true,
  },
  lsusb: { options: "-d= -h --help -s= -t --tree -V -v --verbose --version" },
  lsmem: {
    options:
      "-a --all -b --bytes -h --help -J --json -n --noheadings -o= --output= --output-all -P --pairs -r --raw -S= " +
      "--split= --summary -V --version",
  },
  lshw: {
    options:
      "-businfo -C= -c= -class= -disable= -enable= -help -html -json -notime -numeric -quiet -sanitize -short " +
      "-version " +
      "-xml",
  },
  modinfo: {
    options:
      "-0 -a --author -d --description -F= --field= --filename -k= -l --license -n --null -p --parameters -V " +
      "--version",
    names: true,
  },
  lsmod: { options: "-h --help -V --version" },
  lsns: {
    options:
      "-h --help -J --json -l --list -n --noheadings --notruncate --nowrap -o= --output= --output-all -p= -r " +
      "--raw -T " +
      "-t= --task= --tree --type= -u -V --version -W",
    names: true,
  },
  lslocks: {
    options:
      "-b --bytes -h --help -i -J --json -n --noheadings --noinaccessible --notruncate -o= --output= --output-all " +
      "-p= " +
      "--pid= -r --raw -u -V --version",
  },
  lsipc: {
    options:
      "-b --bytes -c --creator -e --export -g --global -h --help -i= --id= -J --json -l --list -m -n --newline " +
      "--noheadings --notruncate --numeric-perms -o= --output= -P -q --queues -r --raw -s --semaphores --shell " +
      "--shmems -t --time --time-format= -V --version -y",
  },
  ipcs: {
    options:
      "-a --all -b --bytes -c --creator -h --help --human -i= --id= -l --limits -m -p --pid -q --queues -s " +
      "--semaphores --shmems --summary -t --time -u -V --version",
  },
  lslogins: {
    options:
      "-a --acc-expiration -c --colon-separate --context -e --export -f --failed -G -g= --groups= -h --help -L -l= " +
      "--last --logins= -n --newline --noheadings --notruncate -o= --output= --output-all -p --print0 --pwd -r --raw " +
      "-s --supp-groups --system-accs --time-format= -u --user-accs -V --version -Z -z",
    names: true,
  },
  lsfd: {
    options:
      "--notruncate -C= --counter= --summary --summary=only " +
      "--dump-counters " +
      "--filter= -h --help -J --json -l -n --noheadings -o= --output= -p= --pid= -Q= -r --raw --threads -V --version",
  },
  lsirq: {
    options: "-h --help -J --json -n --noheadings -o= --output= -P --pairs -S -s= --softirq --sort= -V --version",
  },
  lsclocks: {
    options: "-h --help -J --json -n --noheadings -o= --output= --output-all -r --raw -t= --time= -V --version",
  },
  numastat: { options: "-c -m -n -p= -s -V -v -z", names: true },
  dmidecode: {
    options:
      "--dump -H= -h --handle= --help --no-sysfs --oem-string= -q --quiet -s= --string= -t= --type= -u -V --version",
  },
  sensors: {
    options: "-A --bus-list -f --fahrenheit -h --help -j --no-adapter -u -v --version",
    names: true,
  },
  pmap: {
    options: "-A= -d --device --extended -h --help -p -q --quiet --range= --show-path -V --version -X -x -XX",
    names: true,
  },
  pwdx: { options: "-h --help -V --version", names: true },
  dstat: {
    options:
      "-a --aio --all --bits --bw -C= -c --cpu --cpu-adv --cpu-use -D= -d --disk --disk-tps --disk-util --epoch -f " +
      "--float --fs --full -g -h --help -I= -i --int --integer --io --ipc -l --list --load --lock -m --mem --mem-adv " +
      "-N= -n --net --nocolor --noheaders --noupdate -p --page --proc --proc-count -r --raw -S= -s --socket --swap " +
      "--sys -T -t --tcp --time --top-bio --top-cpu --top-cpu-adv --top-cputime --top-io --top-io-adv --top-latency " +
      "--top-mem --udp --unix -v --version --vm --vm-adv --vmstat -y",
    names: true,
  },
  collectl: {
    options:
      "--align --quiet --iosize -X --helpall -x --helpext --showcolheaders --showsubopts " +
      "--showtopopts --showrootslabs --showslabaliases --statopts= --sep= --from= --cpuopts= " +
      "--dskopts= --lustopts= --memopts= --netopts= --nfsopts= --procopts= --slabopts= " +
      "--tcpopts= --cpufilt= --dskfilt= --intfilt= --netfilt= --nfsfilt= --procfilt= " +
      "--slabfilt= --tcpfilt= --full --grep= --runtime= --top= " +
      "--thru= --playback= -p= " +
      "--all -c= --count= -h --headerrepeat= --help --hr -i= --interval= -N --nice -o= -s= --showheader " +
      "--showoptions " +
      "--showsubsys --subsys= -U --utc -V -v --verbose -w",
  },
  nstat: {
    options: "-a -h --help --ignore -j --json --noupdate -p --pretty -s -V --version -z --zeros",
    names: true,
  },
  vnstat: {
    options:
      "-5 -? -b= --begin= -d --days --dbiflist -e= --end= --fiveminutes -h --help -hg --hours --hoursgraph -i= " +
      "--iface= --iflist --json --limit= --locale= --longhelp -m --months --oneline -q --query -ru -s --short " +
      "--style= -t --top -tr --traffic -v --version --xml -y --years " +
      "--showconfig",
    names: true,
  },
  bmon: {
    options:
      "-a -b -h --help -L= --lifetime= -p= --policy= -R= -r= --rate-interval= --read-interval= --show-all -U " +
      "--use-bit --use-si -V --version",
  },
  biosdecode: { options: "-h --help -V --version" },
  cpupower: {
    options:
      "--debug -w --hwfreq --hwlimits -d --driver --policy -g --governors -a --related-cpus " +
      "--affected-cpus -s --stats -y --latency -b --boost --human -n --no-rounding --proc " +
      "--perf --perf-bias " +
      "-c= --cpu= -e -h --help -i= -l -m= -o -p -v --version",
    names: true,
  },
  hwinfo: {
    options:
      "--listmd --only= --verbose " +
      "--bios --block --bluetooth --bridge --cdrom --cpu --disk --framebuffer --gfxcard --help --hub --keyboard " +
      "--memory --monitor --mouse --netcard --network --partition --pci --scsi --short --smp --sound --storage-ctrl " +
      "--sys --usb --version",
  },
  inxi: {
    options:
      "-a --admin --audio --basic --battery --bluetooth --cpu --disk-full --optical " +
      "--disk --edid --filter --full --gpu --graphics --info --swap --usb --label --logical " +
      "--memory --memory-modules --mm --memory-short --ms --machine --network-advanced " +
      "--network --nvidia --nv --unmounted --partitions-full --partitions --processes --repos " +
      "--raid --sensors --slots --system --uuid --extra= --width= -Y= --height= --host " +
      "--no-host --max-wrap= --indent= --indents= -xx -xxx --flags " +
      "--version-short --vs --filter-label --filter-uuid --no-sudo --no-doas --no-ssl --no-dig " +
      "--no-man " +
      "-A -B -b -C -c= -D -d -E -F -f -G -h --help -I -J -j -L -l -M -m -N -n -o -P -p -R -r -S -s -t -u -V " +
      "--version -x " +
      "-y= -z",
    names: true,
  },
  smem: {
    options:
      "-a --abbreviate --autosize -c= --columns= -H -h --help -k -M= -m --mapfilter= --mappings -n --no-header " +
      "--numeric -P= -p --percent --processfilter= -R= -r --realmem= --reverse -s= --sort= --system -t --totals -U= " +
      "-u --userfilter= --users -w",
  },
  uptime: { options: "-h --help -p --pretty -s --since -V --version" },
  free: {
    options:
      "-b --bytes -c= --committed --count= -g --gibi --giga -h --help --human -k --kibi --kilo -l --lohi -m --mebi " +
      "--mega --pebi --peta -s= --seconds= --si -t --tebi --tera --total -V -v --version -w --wide",
  },
  lsb_release: {
    options: "-a --all -c --codename -d --description -h --help -i --id -r --release -s --short -v --version",
  },
  "systemd-ac-power virt-what": { options: "--help --version" },
  "systemd-detect-virt": {
    options: "-c --chroot --container -h --help --list --private-users -q --quiet -r -v --version --vm",
  },
  sestatus: { options: "-b -v" },
  getsebool: { options: "-a", names: true },
  "aa-status apparmor_status": {
    options:
      "--complaining --enabled --enforced --help --json --kill --pretty-json --process-mixed --profiled " +
      "--special-unconfined --verbose",
  },
  aureport: {
    options:
      "--input-logs " +
      "-a --anomaly -au --auth --avc -c --comm --config -cr --crypto -e --end --escape= --event --executable -f " +
      "--failed --file -h --help --host -i --integrity --interpret -k --key -l --log --login -m -ma --mac --mods -n " +
      "-nc --no-config --node= -p --pid -r --response -s --start --success --summary --syscall -t -te --terminal -tm " +
      "-ts --tty -u --user -v --version --virt -x",
    names: true,
  },
  ausearch: {
    options:
      "-a= --arch= -c= --comm= --context= --debug -e= --end= --escape= --event= --executable= --exit= --extra-keys " +
      "--extra-labels --extra-obj2 --extra-time -f= --file= --format= -ga= -ge= -gi= --gid= --gid-all= " +
      "--gid-effective= -h --help -hn= --host= -i --input-logs --interpret --just-one -k= --key= -l --line-buffered " +
      "--loginuid= -m= --message= -n= --node= -o= --object= -p= --pid= -pp= --ppid= -r --raw -sc= -se= --session= " +
      "--start= -su= --subject= --success= -sv= --syscall= -te= --terminal= -tm= -ts= -ua= -ue= -ui= --uid= " +
      "--uid-all= --uid-effective= -ul= -uu= --uuid= -v --version -vm= --vm-name= -w --word -x=",
    names: true,
  },
  auditctl: { options: "-h -l -s" },
  "ras-mc-ctl": {
    options:
      "--error-count --errors --guess-labels --help --layout --mainboard --print-labels --quiet --status --summary",
  },
  lsinitramfs: { options: "--help -l -m", names: true },
  lsinitrd: { options: "-h --help -m --mod -s --size -v --verbose", names: true },
  needrestart: { options: "-b -h --help -k -l -p -q -r=l -v --version" },
  klist: { options: "-5 -A -a -C -c -e -f -i -k -l -n -s -t -V", names: true },
  logread: { options: "-e= -f -h -l= -p= -t" },
  sealert: { options: "-a= --analyze= -h --help -l=", names: true },
  acpi: {
    options:
      "-f --fahrenheit -k --kelvin -p --proc " +
      "-a --ac-adapter -b --battery -c --cooling --details --everything -h --help -i -s --show-empty -t --thermal -V " +
      "-v --version",
  },
  "systemd-escape": {
    options: "-h --help --instance -m --mangle -p --path --suffix= --template= -u --unescape --version",
    names: true,
  },
  getpcaps: { options: "--help --iab --legacy --ugly --usage --verbose", names: true },
  prtstat: { options: "-r --raw -V --version", names: true },
  pldd: { options: "-? --help --usage -V --version", names: true },
  utmpdump: { options: "-h --help -V --version" },
  uuidparse: {
    options: "-h --help -J --json -n --noheadings -o= --output= -r --raw -V --version",
    names: true,
  },
  wdctl: {
    options:
      "-F -f= --flags= --flags-only -h --help -I -n --noflags --noheadings --noident --notimeouts -O -o= --oneline " +
      "--output= -r --raw -T -V --version -x",
  },
  isosize: { options: "-d= --divisor= -h --help --sectors -V --version -x" },
  lsscsi: {
    options:
      "--long_unit -D --pdt " +
      "-b --brief -C -c --classic --controllers -d --device -g --generic -H -h --help --hosts -i -k --kname -L -l " +
      "--list --long --long-unit --lunhex -N --no-nvme -P -p --protection --protmode -S -s --scsi_id --size --sz-lbs " +
      "-t --transport -U -u --unit -V -v --verbose --version -w --wwn -x",
    names: true,
  },
  sg_map: { options: "-a -h -i -n -scd -sd -sr -st -V -x" },
  sg_inq: {
    options:
      "-a --ata -c --cmddt -d --descriptors -E -e --extended -H -h --help --hex -i --id -o --only -p= --page= -s -V " +
      "-v --vendor --verbose --version -x " +
      "-u --export -l= --len= -L --long -m= --maxlen= -O --old -r --raw --vpd -HHH",
  },
  sg_turs: { options: "-h --help -V -v --verbose --version -A --alpha -u --unsorted -H --hex -d" },
  sg_luns: {
    options:
      "-h --help -V -v --verbose --version -A --alpha -u --unsorted -H --hex -d -l --linux -L --lu_cong -m= " +
      "--maxlen= -q --quiet -r --raw -R --readonly -s= --select=",
  },
  sg_opcodes: {
    options:
      "-h --help -V -v --verbose --version -A -u --unsorted -H --hex -d -a --alpha -c --compact -e " +
      "--enumerate -m --mask -M --mlu -n --no-inquiry -o= --opcode= -p= --pdt= -r --raw -R --rctd -q --repd " +
      "-s= --sa= -t --tmf",
  },
  sg_readcap: {
    options:
      "-16 --16 -b --brief -h --help -H --hex -l --long -V -v --verbose --version -z --zbc " +
      "-L= --lba= -p --pmi -r --raw -R --readonly",
  },
  sg_vpd: {
    options:
      "-a --all -e --enumerate -h --help -H --hex -i --ident -l --long -p= --page= -q --quiet -V -v --verbose " +
      "--version " +
      "-E --examine -m= --maxlen= -r --raw -M= --vendor=",
  },
  sg_logs: {
    options:
      "-a --all -b --brief -h --help -H --hex -l --list -L -N --name -p= --page= -q --quiet -t --temperature -T " +
      "--transport " +
      "-V -v --verbose --version -E --exclude -P= --paramp= " +
      "-A --All -e --enumerate -f= --filter= -m= --maxlen= -x --no_inq -Q --ppc -M= --vendor=",
  },
  sg_ses: {
    options:
      "-a -A --all -f --filter -h --help -H --hex -i --inner-hex -j --join -l --list -p= --page= -q --quiet -s " +
      "--status -V -v --verbose --version " +
      "-e --enumerate -G= --get= -I= --index= -x= --dev-slot-num= --sas-addr= -w --warn --readonly -m= " +
      "--maxlen=",
  },
  atopsar: {
    options:
      "-A -a -b= -C -c -D -d -e= -F -f -G -g -H -h -I -i -L -l -M -m -N -n -O -P -p -R= -r= -S -s -T -t -U -u -V " +
      "-v -w -x -X",
    names: /^\d+$/,
  },
  sadf: {
    options:
      "-C -c -d -g -h -H -j -O= -P= -p -r -T -t -U -V -x -A -B -b -F -I= -m= -n= -q -R -S -s= -e= -u -v -W -w -y " +
      "--dev= --fs= --iface=",
    names: true,
  },
  "edac-util": { options: "-h --help -q --quiet -r= --report= -s --status -v --verbose" },
  mcelog: { options: "--client --help --version --is-cpu-supported" },
  sg_scan: { options: "-a -i -n -w -x" },
  cpuid: {
    options: "-1 -H -h --help -i --inst -k --kernel -l= --leaf= --one-cpu -r --raw -s= --subleaf= -v --version",
  },
  sysctl: {
    names: /^[\w./-]+$/,
    options:
      "-A -a --all -b --binary --deprecated -e -h --help --ignore -N -n --names -o --pattern= -q --quiet -r= -V " +
      "--values --version -X -x",
  },
  dmesg: {
    options:
      "--buffer-size= --color --ctime -d --decode -e -f= --facility= --follow --follow-new --force-prefix -H -h " +
      "--help --human -J --json -k --kernel -L -l= --level= --noescape --nopager --notime -P -p -r --raw " +
      "--reltime -S " +
      "-s= --show-delta --since= --syslog -T -t --time-format= -u --until= --userspace -V --version -W -w -x",
  },
  journalctl: {
    options:
      "--dump-catalog " +
      "-a --after-cursor= --all -b --boot -c= --case-sensitive --catalog --cursor= -D= --directory= --disk-usage " +
      "--dmesg -e -F= -f --facility= --field= --fields --file= --follow --full -g= --grep= -h --header --help " +
      "--identifier= -I --invocation= -k -l --lines --list-boots --list-catalog --list-invocations " +
      "--list-namespaces -M= " +
      "--machine= -m --merge -N -n --namespace= --no-full --no-hostname --exclude-identifier= " +
      "--no-pager --no-tail -o= --output= --output-fields= -p= --pager-end --priority= -q --quiet -r --reverse -S= " +
      "--show-cursor --since= --system -T= -t= --truncate-newline -U= -u= --unit= --until= --user --user-unit= " +
      "--utc --verify --version -x",
    names: true,
  },
  systemctl: {
    help: "--help",
    options:
      "-a --after --all --before --failed --full -h --help -l --legend= --lines= -n= --no-ask-password --no-legend " +
      "--no-pager --no-wall -o= --output= -P= -p= --plain --property= -q --quiet -r --recursive --reverse " +
      "--show-types --state= --system -T -t= --timestamp= --type= --user --value --version --with-dependencies",
    sub: {
      "*": { names: true },
    },
  },
  loginctl: {
    options:
      "-a --all --full -h --help -l --lines= -n= --no-ask-password --no-legend --no-pager -o= --output= -p= " +
      "--property= --value --version",
    sub: {
      "*": { names: true },
    },
  },
  timedatectl: {
    options: "-a --all -h --help --no-ask-password --no-pager -p= --property= --value --version",
    sub: {
      "status show list-timezones timesync-status show-timesync": { names: true },
    },
  },
  hostnamectl: {
    options: "-h --help --json= --no-ask-password --pretty --static --transient --version",
    sub: {
      "*": { names: true },
    },
  },
  localectl: {
    options: "-h --help --no-ask-password --no-pager --version",
    sub: {
      "*": { names: true },
    },
  },
  "systemd-analyze": {
    options:
      "--base-time= --from-pattern= --fuzz= --global -h --help --iterations= --json= --man= --no-pager " +
      "--offline= --order --profile= -q --quiet --recursive-errors= --require --system --threshold= --to-pattern= " +
      "--unit= --user --version",
    sub: {
      "*": { names: true },
      // A path is read as it stands, wherever it leads.
      "cat-config": { names: /^(?!\/|.*\.\.)/ },
    },
  },
  "systemd-cgls": {
    options: "-a --all --cgroup-id --full -h --help -k -l --no-pager -u --unit --user-unit --version --xattr",
    names: true,
  },
  "systemd-cgtop": {
    options:
      "-1 -b --batch -c --cpu -d= --delay= --depth= -h --help -i --iterations= -k -m -n= --order= -P -p -r --raw " +
      "--recursive= -t --version",
    names: true,
  },
  "systemd-delta": { options: "--diff -h --help --no-pager -t= --type= --version", names: true },
  "systemd-path": { options: "-h --help --suffix= --version", names: true },
  coredumpctl: {
    options:
      "-1 -F= --field= -h --help --json= -n= --no-legend --no-pager -q --quiet -r --reverse -S= --since= -U= " +
      "--until= " +
      "--version",
    sub: {
      "list info": { names: true },
    },
  },
  udevadm: {
    options: "-d --debug -h --help --version",
    sub: {
      info: {
        options:
          "-a --attribute-walk --device-id-of-file= -e --export --export-db --export-prefix= -n= --name= --no-pager " +
          "-P= -p= --path= --property= -q= --query= -r --root -t --tree --value -w -x",
        names: true,
      },
      monitor: { options: "-k --kernel -p --property -s= --subsystem-match= -t= --tag-match= -u --udev" },
      settle: { options: "-E= --exit-if-exists= -t= --timeout=" },
      "verify cat": { options: "--no-summary --no-style", names: true },
    },
  },
  machinectl: {
    options:
      "-a --all --full -h --help -l --lines= --max-addresses= -n= --no-ask-password --no-legend --no-pager -o= " +
      "--output= -p= --property= -q --quiet --value --version",
    sub: {
      "list list-images show status image-status show-image": { names: true },
      shell: { options: "-E= --setenv= --uid=", names: true },
    },
  },
  portablectl: {
    options: "-h --help --no-legend --no-pager -q --quiet --version",
    sub: {
      list: { names: true },
    },
  },
  bootctl: {
    names: /^(status|list|is-installed|systemd-efi-options|random-seed-status)$/,
    options:
      "-p --print-esp-path -x --print-boot-path --esp-path= --boot-path= --json= -h --help --no-pager -q " +
      "--quiet --version",
    sub: {
      "list status is-installed": {},
    },
  },
  busctl: {
    options:
      "--acquired --activatable --full -h --help -j --json= -l --list --match= --no-legend --no-pager -q --quiet " +
      "--show-machine --size= --system --timeout= --unique --user --verbose --version --xml-interface",
  },
  "service rc-service": { options: "--status-all", names: true },
  "rc-status": {
    options:
      "-a --all -C -h --help -l --list -m --manual --nocolor -r --runlevel -s --servicelist -u --unused -V -v " +
      "--verbose --version",
    names: true,
  },
  chkconfig: { options: "--list" },
  "sv svc svstat": { options: "-v", names: true },
  monit: {
    options: "-v " + "-t -V -h -vv",
    sub: {
      "*": { options: "-B -g=", names: true },
    },
  },
  perf: {
    options: "--no-pager -v --version",
    sub: {
      stat: {
        options:
          "-A -a --all-cpus -B --big-num -C= -c --cpu= -D= -d --delay= --detailed -e= --event= --field-separator= " +
          "-I= " +
          "--interval-print= -n --no-aggr --null -p= --per-core --per-socket --per-thread --pid= -r= --repeat= -S " +
          "--sync -t= --tid= --timeout= --topdown -v --verbose -x=",
      },
      list: { options: "-d --deprecated --desc --details --long-desc --no-desc -v", names: true },
      script: {
        options:
          "-C= --comms= --cpu= -F= -f --fields= --force -G --header --header-only -i= --input= --max-stack= " +
          "--pid= -q --quiet -S= --symbols= --tid= --time= -v --verbose",
      },
      "evlist buildid-list diff": {
        options: "-i= --input= -v --verbose -F -g --group -k -c= -s= --sort= -d= --dsos= --comms= -f --force",
        names: true,
      },
      top: {
        options:
          "-a --all-cpus -b -C= --cpu= -d= --delay= -e= --event= -F= --freq= -g --hide_kernel_symbols " +
          "--hide_user_symbols -K -n -p= --pid= -s= --show-nr-samples --sort= --stdio -t= --tid= -U -u= --uid= -z " +
          "--zero",
      },
      "report annotate": {
        options:
          "-C= -c= --call-graph= --children --comms= --cpu= -D -d= --dsos= --dump-raw-trace -F= -f --fields= " +
          "--force -g? " +
          "--header " +
          "--header-only -i= --input= -n --no-children --percent-limit= --pid= -q --quiet -S= -s= --show-nr-samples " +
          "--sort= --stats --stdio --symbols= -T --tasks --threads --tid= -v --verbose",
      },
    },
  },
  bpftrace: { options: "-h --help --info -l -V --version", names: true },
  "py-spy rbspy": {
    options:
      "-d= --duration= -h --help -j --json -l --locals -n --native --nonblocking -p= --pid= -s --subprocesses -V " +
      "--version",
  },
  "eu-stack pstack": {
    options:
      "-1 -? -a --activation -b --build-id --core= -d --debugname -e= --executable= --help -i --inlines -l " +
      "--list-modules -m --module -n= -p= --pid= -q --quiet -r --raw -s --source --usage -V -v --verbose --version",
    names: true,
  },
  jstack: { names: true, options: "-e -h -help -l" },
  jps: { options: "-help -l -lm -lmv -lvm -lv -m -ml -mv -mlv -mvl -mlvV -q -V -v -vl -vm -vlm -vml" },
  faillog: { options: "-a --all -h --help -t= --time= -u= --user=" },
  fstrim: { names: /^\//, options: "-a --all -A --fstab -h --help -n --dry-run -v --verbose -V --version" },
  jfr: { names: true, options: "--categories= --events= --json --stack-depth= --xml" },
  jstat: {
    options:
      "-class -compiler -gc -gccapacity -gccause -gcmetacapacity -gcnew -gcnewcapacity -gcold -gcoldcapacity -gcutil " +
      "-h= -options -printcompilation -t",
    names: /^[^@]+$/,
  },
  jmap: { options: "-clstats -finalizerinfo -heap -help -histo", names: true },
  jinfo: { options: "-flag= -flags -help -sysprops", names: true },
  // Its record says which words only look.
  jcmd: { options: "-h --help -help -l -e -all -date", names: true },
  fuser: {
    options:
      "-4 -6 -a --all -c -f -I --inode --ipv4 --ipv6 --ismountpoint -l --list-signals -M -m --mount -n= --namespace= " +
      "-s --silent -u --user -V -v --verbose --version",
    names: true,
  },
  chage: { names: true, options: "-h --help -i --iso8601 -l --list" },
  passwd: { names: true, options: "-a --all -h --help -q --quiet -S --status" },
  visudo: { options: "-c --check -f= --file= -h --help -q --quiet -s --strict -V --version" },
  chsh: { options: "-h --help -l --list-shells" },
  modprobe: {
    names: true,
    options:
      "-a --all -c -D --dry-run --dump-modversions -h --help -n -q --quiet -R --resolve-alias --show --show-depends " +
      "--showconfig -V -v --verbose --version",
  },
  kmod: { names: /^(list|static-nodes)$/, options: "-h --help -V --version" },
  efibootmgr: { options: "-h -q --quiet -u --unicode -V -v --verbose --version" },
  dkms: { options: "-a= -k= -m= -q --quiet -V -v= --version" },
  semanage: {
    names: /^(port|fcontext|boolean|login|user|interface|module|node|permissive|dontaudit|export|ibpkey|ibendport)$/,
    options: "-C -E -h --help -l --list -n --noheading",
  },
  grubby: { options: "--default-index --default-kernel --default-title --help --info= --version" },
  screen: { options: "-list -ls -q -v" },
  tmux: { options: "-2 -a -b= -e -F= -g -J -L= -p -q -S= -s= -t= -u -V -w", names: true },
  // With -n, which its check asks for.
  restorecon: { options: "-F -i -n -p -R -r -v", names: true },
  stty: { options: "-a --all -F= --file= -g --help --save --version", names: /^(size|speed)$/ },
  ipmitool: {
    names: new RegExp(
      String.raw`^(sel|first|last|e?list|info|get|get_\w+|sensor|sensors|sdr|full|compact|type|` +
        String.raw`chassis|status|power|mc|watchdog|getenables|lan|print|\d+|0x[\da-f]+|fru|user|` +
        "summary|channel|getaccess|dcmi|discover|asset_tag|reading|session|active|sol|pef|" +
        "bootparam|time|bmc|poh|restart_cause|selftest|guid|all|temperature|voltage|fan|" +
        String.raw`current|processor|memory|\w+ \w+|[A-Z]\w*)$`,
    ),
    options: "-t= -b= -B= -T= -l= -K " + "-4 -6 -A= -C= -c -E -H= -h -I= -L= -m= -N= -o= -P= -p= -R= -U= -V -v -Y -y=",
  },
  "ipmi-sensors": {
    options:
      "--driver-type= --driver-address= --driver-device= --register-spacing= " +
      "--target-channel-number= --target-slave-address= -D= " +
      "-W= --workaround-flags= --disable-auto-probe " +
      "-? --verbose -vv -i " +
      "--sdr-info -R= --exclude-record-ids= -T= --exclude-sensor-types= -b --bridge-sensors " +
      "--shared-sensors --ignore-unrecognized-events --ipmimonitoring-legacy-output " +
      "--utc-to-localtime --localtime-to-utc --utc-offset= " +
      "--comma-separated-output --entity-sensor-names --help --ignore-not-available-sensors --interpret-oem-data -L " +
      "--legacy-output --list-sensor-types --no-header-output --no-sensor-type-output --non-abbreviated-units " +
      "--output-event-bitmask --output-sensor-state --output-sensor-thresholds -q --quiet-cache --quiet-readings -r= " +
      "--record-ids= --sensor-types= -t= --usage -V -v --version",
  },
  xfs_info: { options: "-t= -V", names: true },
  dumpe2fs: { options: "-b -f -g -h -i -m -o= -V -x", names: true },
  debugfs: { options: "-c -D -R= -V", names: /^\/dev\// },
  e2freefrag: { options: "-c= -h" },
  e2label: { names: /^\/dev\// },
  xfs_bmap: { options: "-a -d -e -l -n= -p -V -v" },
  xfs_spaceman: { options: "-c= -V" },
  xfs_io: { options: "-c= -r -V" },
  systool: { options: "-A= -a -b= -c= -d -D -h -m= -P -p -v", names: true },
  anacron: { options: "-T -t= -h -V" },
  nscd: { options: "-g --statistics -V --version --help" },
  partx: {
    options:
      "-b --bytes -g --noheadings -h --help -l --list -n= --nr= -o= --output= -P --pairs -r --raw -S= " +
      "--sector-size= -s " +
      "--show -t= --type= -v --verbose -V --version " +
      "--output-all --list-types",
  },
  sdparm: {
    options:
      "-6 --six -a --all -d --dummy -e --enumerate -f --flexible -g= --get= -h --help -H --hex -i --inquiry -l " +
      "--long " +
      "-n --numeric -o --old -p= --page= -q --quiet -t= --transport= -V --version -v --verbose -M= --vendor= -I " +
      "--num-desc",
  },
  tune2fs: { names: true, options: "-l" },
  fsck: { names: true, options: "-A -C --help -M -N -n -P -R -T -t= -V -v --version" },
  e2fsck: { names: true, options: "-f -n -t -V -v" },
  smartctl: {
    names: true,
    options:
      "-A -a --all --attributes -b= --badsum= -c --capabilities -d= --device= -F= -f= --firmwarebug= --format= -g= " +
      "--get= -H -h --health --help -i --identify --info -j --json -l= --log= -n= --nocheck= -P=show -q= " +
      "--quietmode= -r= " +
      "--report= --scan --scan-open -T= --tolerance= --usage -V -v= --vendorattribute= --version -x --xall " +
      "--copyright --license",
  },
  nvme: {
    options: "-H --human-readable -n= --namespace-id= -o= --output-format= -v --verbose",
    names: true,
    sub: {
      "error-log": { options: "-e= --log-entries= -b --raw-binary", names: true },
      "smart-log id-ctrl id-ns effects-log self-test-log sanitize-log fw-log show-regs": {
        options: "-b --raw-binary -f --force -a --all -V --vendor-specific -e= -c= -g -r --dst-entries=",
        names: true,
      },
      "get-feature": {
        options: "-f= --feature-id= -s= --sel= -l= --data-len= -b --raw-binary -c --changed",
        names: true,
      },
      "get-log": {
        options:
          "-i= --log-id= -l= --log-len= -a= --aen= -b --raw-binary -L= --lpo= -s= --lsp= -x= --lsi= -U= --uuid-index=",
        names: true,
      },
      "list-ctrl list-ns": { options: "-c= --cntid= --csi= -y= -a --all", names: true },
      "ana-log": { options: "-g --groups", names: true },
      "endurance-log fdp_configs fdp_stats fdp_status fdp_usage list-endgrp": {
        options: "-g= --group-id= -e= --endgrp-id= -i= -b --raw-binary",
        names: true,
      },
      "pred-lat-event-agg-log predictable-lat-log endurance-event-agg-log lba-status-log zns_changed-zone-list": {
        options: "-e= --log-entries= -r --rae -i= --nvmset-id= -b --raw-binary",
        names: true,
      },
      "id-domain id-iocs id-nvmset ns-descs cmdset-ind-id-ns": {
        options: "-d= --dom-id= -c= --controller-id= -i= --nvmset_id= -b --raw-binary",
        names: true,
      },
      "zns_report-zones": {
        options: "-s= --start-lba= -d= --descs= -S= --state= -e --extended -p --partial",
        names: true,
      },
      "*": { names: true },
    },
  },
  hdparm: { names: true, options: "-a -B -C --direct -g -H -h -I -i -r -T -t -V -v --verbose -W" },
  wipefs: {
    names: true,
    options:
      "-h --help -i -J --json -n --no-act --noheadings -O= --output= -p --parsable -q --quiet -t= --types= -V " +
      "--version",
  },
  mdadm: {
    names: true,
    options:
      "-b --brief -D --detail --detail-platform -E --examine --examine-badblocks --examine-bitmap --export -h --help " +
      "--help-options --misc -Q --query -s --scan -t --test -V -v --verbose --version -X -Y",
  },
  ...volumeReads,
  lvm: {
    sub: {
      ...volumeReads,
      "dumpconfig config": volumeReads.lvmconfig ?? {},
      "version formats segtypes tags help lvmdiskscan fullreport": { names: true },
    },
  },
  vgcfgrestore: { options: "-h --help -l --list -q --quiet -v --verbose --version", names: true },
  lvmdevices: { options: "--check --listids -h --help" },
  losetup: {
    options:
      "-a --all --associated= -h --help -J -j= --json -l --list -n --noheadings -O= --output= --output-all --raw -V " +
      "--version",
    names: true,
  },
  cryptsetup: {
    options: "--batch-mode --debug --debug-json --help -q -v --verbose --version",
    sub: {
      bitlkDump: { names: true },
      "status luksDump isLuks luksUUID": { options: "--disable-locks --dump-json-metadata -M= --type=", names: true },
    },
  },
  zpool: {
    sub: {
      import: { options: "-d= -D -s" },
      status: { options: "-D -e -g -i -j --json --json-int -L -P -p -s -T= -t -v -x", names: true },
      list: { options: "-g -H -j --json --json-int -L -o= -P -p -T= -v", names: true },
      events: { options: "-f -H -v", names: true },
      upgrade: { options: "-v" },
      iostat: { options: "-g -H -L -l -n -P -p -q -r -T= -v -w -y", names: true },
      get: { options: "-H -o= -p", names: true },
      history: { options: "-i -l", names: true },
      version: { options: "-j" },
    },
  },
  zfs: {
    sub: {
      send: {
        options:
          "-n --dryrun -v --verbose -P --parsable -i= -I= -R --replicate -p --props -c --compressed -L " +
          "--large-block -e --embed -w --raw",
        names: true,
      },
      destroy: { options: "-n -v -p -r -R -d -f", names: true },
      "receive recv": { options: "-n -v -u -F -s -d -e", names: true },
      list: { options: "-d= -H -o= -p -r -S= -s= -t=", names: true },
      get: { options: "-d= -H -o= -p -r -s= -t=", names: true },
      holds: { options: "-H -r -p", names: true },
      "userspace groupspace projectspace": { options: "-H -i -n -o= -p -S= -s= -t=", names: true },
      "mount share": { options: "-j" },
      allow: { names: true },
      upgrade: { options: "-v" },
      diff: { options: "-F -H -h -t", names: true },
      version: { options: "-j" },
    },
  },
  btrfs: {
    options: "--log= " + "--format= --help -q --quiet -v --verbose --version",
    sub: {
      "filesystem_show fi_show": {
        options:
          "--all-devices -b -d -g --gbytes -H -h --human-readable --iec -k --kbytes -m --mbytes --mounted --raw --si " +
          "-t --tbytes",
        names: true,
      },
      "filesystem_df filesystem_usage device_usage fi_df fi_usage fi_us dev_usage": {
        options: "-b -g --gbytes -H -h --human-readable --iec -k --kbytes -m --mbytes --raw --si -T -t --tbytes",
        names: true,
      },
      "filesystem_du fi_du": {
        options:
          "-b -g --gbytes -H -h --human-readable --iec -k --kbytes -m --mbytes --raw -s --si --summarize -t --tbytes",
        names: true,
      },
      "subvolume_list sub_list su_list": {
        options: "-a -C= -c -d -G= -g -o -p -q -R -r -s --sort= -t -u",
        names: true,
      },
      "subvolume_show sub_show": {
        options:
          "-b -g --gbytes -H -h --human-readable --iec -k --kbytes -m --mbytes -r= --raw --rootid= --si -t --tbytes " +
          "-u= --uuid=",
        names: true,
      },
      "device_stats dev_stats": { options: "-c --check -T", names: true },
      replace_status: { options: "-1", names: true },
      "property_get property_list": { options: "-t=", names: true },
      "inspect-internal_dump-super": { options: "-a -F -f -s= -i=", names: true },
      "inspect-internal_dump-tree": {
        options:
          "-b= --block= -d --device -e --extents -f --follow -R --roots -r --backups -t= --tree= --bfs --dfs " +
          "--noscan --hide-names",
        names: true,
      },
      scrub_status: {
        options: "-b -d -g --gbytes -H -h --human-readable --iec -k --kbytes -m --mbytes -R --raw --si -t --tbytes",
        names: true,
      },
      balance_status: { options: "-v", names: true },
      "quota_show qgroup_show": {
        options:
          "-b -c -e -F -f -g --gbytes -H -h --human-readable --iec -k --kbytes -m --mbytes -p -r --raw --si --sort= " +
          "-t --tbytes",
        names: true,
      },
      "*": { names: true },
    },
  },
  multipath: { options: "-d -h -l -ll -T= -t -v=", names: true },
  multipathd: { options: "-k?", names: true },
  zramctl: { options: "-n --noheadings -o= --output= --output-all --raw -h --help -V --version" },
  dmsetup: {
    names: /^(ls|info|status|table|deps|targets|version|udevcookies|splitname|\/?[\w.-]+(\/[\w.-]+)*)$/,
    options:
      "-C -c --columns --count= -h --help --inactive --interval= -j= -m= --major= --minor= --nameprefixes " +
      "--noheadings --noopencount -O= -o= --options= -r --readonly --rows -S= --select= --separator= --sort= " +
      "--target= --tree -u= --unquoted --uuid= -v --verbose --version",
  },
  kpartx: { options: "-g -l -p= -v", names: true },
  sfdisk: {
    options:
      "-d --dump -F -g -h --help -J --json -l --list --list-free --list-types -n --no-act -o= --output= -q " +
      "--quiet -s " +
      "--show-geometry --show-size -T -V -v --verify --version",
    names: true,
  },
  fdisk: {
    names: true,
    options:
      "" +
      "-b= --color --getsz -h --help -L -l --list --list-details -n --noauto-pt -o= --output= -s --sector-size= -t= " +
      "--type= -u --units -V --version -x",
  },
  parted: {
    names: new RegExp(
      String.raw`^(\/dev\/[\w/-]+|print|free|unit|all|list|devices|[kKMGTP]i?B|[sB%]|compact|` +
        String.raw`align-check|opt|optimal|min|minimal|\d+|help|version)$`,
    ),
    options: "-a= --align= -h --help -j --json -l --list -m --machine -s --script -v --version",
  },
  partprobe: { options: "-d --dry-run -h --help -s --summary -v --version" },
  growpart: { names: true, options: "--dry-run -h --help -N -v --verbose" },
  sgdisk: {
    names: true,
    options:
      "-? -D --display-alignment -E --end-of-largest -F -f --first-aligned-in-largest --first-in-largest --help -i= " +
      "--info= -L --list-types -O -p --print --print-mbr -V -v --verify --version",
  },
  "qemu-img": {
    options: "-h --help -V --version",
    sub: {
      info: { options: "--backing-chain -f= --force-share --limits --output= -t= -U", names: true },
      check: { options: "-f= --force-share --output= -q -T= -U", names: true },
      map: { options: "-f= --force-share --max-length= --output= --start-offset= -U", names: true },
      snapshot: { options: "-l --list -q -U", names: true },
      compare: { options: "-F= -f= --force-share -p -q -s -T= -U", names: true },
      measure: { options: "-f= --force-share -l= -O= --output= --size= -U", names: true },
    },
  },
  quota: {
    names: true,
    options:
      "-A --all-nfs --always-resolve -F= -f --filesystem= --filesystem-list --format= -g --group -h --help " +
      "--hide-device --human-readable -i -l --local-only -m --no-autofs --no-mixed-pathnames --no-wrap -P -p " +
      "--project -Q -q --quiet --quiet-refuse --raw-grace -s --show-mntpoint -u --user -V -v --verbose --version -w",
  },
  repquota: {
    options:
      "-a --all -C -c --cache -F= --format= -g --group -h --help --human-readable -i -n --no-autofs --no-cache " +
      "--no-names -O= --output= -P -p --project --raw-grace -s -t --truncate-names -u --user -V -v --verbose " +
      "--version",
    names: true,
  },
  swapon: {
    options: "--bytes -h --help --noheadings --output-all --raw -s --show --summary -V -v --verbose --version",
  },
  "biolatency biolatency-bpfcc": { options: "-D -d= -e -F -h --help -j -m -Q -T", names: true },
  "biosnoop biosnoop-bpfcc": { options: "-d= -h --help -P -Q", names: true },
  "biotop biotop-bpfcc": { options: "-C -h --help -p= -r=", names: true },
  "cachestat cachestat-bpfcc": { options: "-h --help -T", names: true },
  "execsnoop execsnoop-bpfcc": { options: "-h --help -l= --max-args= -n= -q -T -t -U -u= -x", names: true },
  "ext4slower xfsslower fileslower ext4slower-bpfcc xfsslower-bpfcc fileslower-bpfcc": {
    options: "-a -h --help -j -p=",
    names: true,
  },
  "filelife filelife-bpfcc": { options: "-h --help -p=", names: true },
  "filetop filetop-bpfcc": { options: "-a -C -h --help -p= -r= -s=", names: true },
  "offcputime offcputime-bpfcc": { options: "-d -f -h --help -K -k -M= -m= -p= -t= -U -u", names: true },
  "oomkill tcpdrop vfsstat oomkill-bpfcc tcpdrop-bpfcc vfsstat-bpfcc": { options: "-h --help", names: true },
  "opensnoop opensnoop-bpfcc": { options: "-b -d= -e -F -f= -h --help -n= -p= -T -t= -U -u= -x", names: true },
  "profile profile-bpfcc": { options: "-a -b= -d -F= -f -h --help -K -k -L= -p= -U", names: true },
  "runqlat runqlat-bpfcc": { options: "-h --help -L -m -P -p= --pidnss -T", names: true },
  "runqlen runqlen-bpfcc": { options: "-C -h --help -O -T", names: true },
  "syscount syscount-bpfcc": { options: "-d= -e= -h --help -i= -L -m -P -p= -T= -x", names: true },
  "tcpaccept tcpaccept-bpfcc": { options: "-4 -6 -h --help -P= -p= -T -t", names: true },
  "tcpconnect tcpconnect-bpfcc": { options: "-4 -6 -c -d -h --help -L -P= -p= -t -U -u=", names: true },
  "tcplife tcplife-bpfcc": { options: "-4 -6 -D= -h --help -L= -p= -s -T -t -w", names: true },
  "tcpretrans tcpretrans-bpfcc": { options: "-4 -6 -c -h --help -l -s", names: true },
  "tcptop tcptop-bpfcc": { options: "-4 -6 -C -h --help -p= -S", names: true },
  ...tracerReads({
    "compactsnoop drsnoop": "-T -U -p= -t= -u= -d= -n= -e -K",
    "tcpstates tcptracer": "-T -t -w -s -D= -L= -Y -4 -6 -p= -N= -U -v",
    tcprtt: "-i= -d= -T -m -p= -P= -a= -A= -b -B -e -4 -6",
    "tcpconnlat tcpsubnet tcpsynbl tcpcong": "-p= -t -v -L -4 -6 -i= -d= -m -R= -T -b -f= -J -r=",
    "cpudist cpuunclaimed runqslower": "-O -T -m -P -L -p= -j -J -I -t= -e",
    "dcstat dcsnoop dirtop cachetop slabratetop": "-T -a -C -r= -p= -d=",
    ["bitesize biopattern mdflush pidpersec vfscount syncsnoop swapin shmsnoop sofdsnoop statsnoop mountsnoop " +
      "solisten killsnoop"]: "-h -d= -p= -n= -t= -T -x -U -u= -s=",
    "exitsnoop threadsnoop capable": "-t --utc -x -p= --label= --per-thread -v -K -U -u= -w -E -P=",
    "ext4dist xfsdist zfsdist btrfsdist nfsdist": "-T -m -p=",
    "nfsslower zfsslower btrfsslower": "-j -p= -d=",
    "hardirqs softirqs": "-T -N -d -C -c= -n=",
    "llcstat wakeuptime offwaketime": "-c= -t -p= -u -U -K -k -f -v -m= -M= -d -s= --stack-storage-size=",
    "klockstat gethostlatency netqtop criticalstat": "-p= -t= -d= -i= -n= -s= -c= -T -S= -e -P",
  }),
  history: { names: true },
  "runlevel getenforce": {},
  "atq at": { options: "-l -q= -V" },
  fc: { options: "-l -n -r", names: true },
  hwclock: { options: "--param-get= --predict --date= " + "--get -h --help -r --show -u --utc -V --verbose --version" },
  kill: { options: "-L -l --list= --table", names: true },
  xargs: {
    options:
      "-0 -a= --arg-file= -d= --delimiter= -E= -e --exit --help -I= -i -L= -l --max-args= --max-chars= --max-lines " +
      "--max-procs= -n= --no-run-if-empty --null -P= --process-slot-var= -r -s= --show-limits -t --verbose --version " +
      "-x",
    runs: "operand",
  },
  turbostat: {
    options:
      "-c= --cpu= --Dump --enable= -h --help --hide= -i= --interval= -J --Joules -l --list -n= --num_iterations= -q " +
      "--quiet -S --show= --Summary -T= --TCC= -v --version",
  },
  iscsiadm: {
    options:
      "-s --stats " +
      "-m= --mode= -P= --print= -T= --targetname= -p= --portal= -I= --interface= -r= --sid= -V --version",
  },
  faillock: { options: "--user= --dir=" },
  lpoptions: { options: "-l -p= -E" },
  lpinfo: {
    names: true,
    options:
      "-E -h= -l -m -v --device-id= --exclude-schemes= --include-schemes= --language= --make-and-model= " +
      "--product= --timeout=",
  },
  snapper: {
    names: true,
    options:
      "-q --quiet -v --verbose --utc --iso -t= --table-style= -c= --config= --jsonout --csvout --machine-readable= " +
      "--separator= --no-headers --columns= --type= -a --all-configs --disable-used-space " +
      "--abbreviate --no-dbus --version",
  },
  xfs_db: { names: true, options: "-c= -f -F -i -r -V" },
  xmlstarlet: {
    options: "--version --help",
    sub: {
      "sel select": {
        names: true,
        options:
          "-a= -B -c= -C -D -e= -i= -I -m= -n -N= -o= -q -R -s= -t -T -v= --attr= --copy-of= --elem= --else --if= " +
          "--match= --nl --output= " +
          "--sort= --template --text --value-of= --var= -b --break",
      },
      "fo format": {
        names: true,
        options:
          "-n --noindent -t --indent-tab -s= --indent-spaces= -o --omit-decl -R --recover -D --dropdtd -C " +
          "--nocdata -N --nsclean -e= --encode= -H --html -Q --quiet",
      },
      "val validate": {
        names: true,
        options: "-w --well-formed -e --err -s= --xsd= -r= --relaxng= -b --list-bad -g --list-good -q --quiet",
      },
      "c14n esc escape unesc unescape": { names: true },
      "el elements": { names: true, options: "-a -v -u -d=" },
    },
  },
};
