/** Instruments: programs that measure, list or check, by package, and the few words that make one more than that. */
import type { Program } from "../program.ts";
import { elsewhere, mailer, networkProbe, serverClient, signsIn } from "./facts.ts";
import { knownVerbs } from "./verbs.ts";

/** The tools of bcc, which Debian and Fedora install under names of their own. */
// biome-ignore format: filled to the width
export const tracers =
  "argdist bashreadline biolatency biopattern biosnoop biotop bitesize bpflist btrfsdist " +
  "btrfsslower cachestat cachetop capable cobjnew compactsnoop cpudist cpuunclaimed " +
  "criticalstat cthreads dbslower dbstat dcsnoop dcstat deadlock dirtop drsnoop exitsnoop " +
  "ext4dist ext4slower filelife fileslower filetop funccount funcinterval funclatency " +
  "funcslower gethostlatency hardirqs javacalls javaflow javagc javastat javathreads " +
  "killsnoop klockstat kvmexit llcstat mdflush memleak mountsnoop mysqld_qslower netqtop " +
  "nfsdist nfsslower nodegc offcputime offwaketime oomkill perlcalls phpcalls pidpersec " +
  "ppchcalls profile pythoncalls rdmaucma readahead rubycalls runqlat runqlen runqslower " +
  "shmsnoop slabratetop sofdsnoop softirqs solisten stackcount statsnoop swapin syncsnoop " +
  "syscount tclcalls tcpaccept tcpcong tcpconnect tcpconnlat tcpdrop tcplife tcpretrans " +
  "tcprtt tcpstates tcpsubnet tcpsynbl tcptracer threadsnoop tplist ucalls uflow ugc uobjnew " +
  "ustat uthreads vfscount vfsstat virtiostat wakeuptime xfsdist xfsslower zfsdist zfsslower " +
  "execsnoop opensnoop tcptop";

// biome-ignore format: filled to the width
export const instrumentRules: readonly Program[] = [
  { id: "look.tracers", names: `${tracers} ${tracers.replaceAll(/\S+/g, "$&-bpfcc")}`, level: "low",
    rows: [
      { names: "bashreadline bashreadline-bpfcc", level: "medium", why: "shows what others type" },
    ],
    match: { low: ["biolatency 5 1", "tcplife-bpfcc -p 42"], medium: ["bashreadline"] } },
  { id: "look.system",
    names: "pinky hostid ptx dircolors col colcrt colrm ul fincore findfs getopt irqtop isosize lsclocks lsfd " +
      "lsirq mcookie utmpdump uuidgen uuidparse wdctl prtstat pslog cifsiostat sadf tapestat ctstat rtacct rtmon " +
      "getpcaps sprof systemd-ac-power systemd-id128 lastlog2 acpidump cpuid edac-util hddtemp i2cdetect " +
      "intel_gpu_top nvtop powertop radeontop rdmsr lsscsi " +
      "usb-devices size capinfos seinfo sesearch matchpathcon selinuxexeccon " +
      "avcstat sestatus-db lstopo-no-graphics vainfo vulkaninfo glxinfo ibstat ibstatus ibv_devinfo " +
      "ibv_devices iblinkinfo ibnetdiscover perfquery opainfo tpm2_getcap tpm2_pcrread lstopo hwloc-ls x86info " +
      "tnsping upsc apcaccess s6-svstat s6-svdt omreport beegfs-df mmlsfs mmgetstate mmlscluster mmlsconfig " +
      "mmlsdisk mmlsmount mmlsfileset mmlsquota mmlsnsd mmlspool mmlsnode mmlspolicy mmlsattr mmlssnapshot " +
      "mmlslicense mmdf " +
      "pt-duplicate-key-checker pt-index-usage pt-config-diff " +
      "dmicheck decode-dimms spd-decode pveversion pveperf xentop esxtop virt-top virt-df virt-ls " +
      "virt-filesystems virt-inspector virt-log virt-host-validate virt-what-cvm kvm-ok lxc-checkconfig " +
      "dockviz squeue sinfo sacct sprio sshare sstat sdiag sreport qstat condor_q " +
      "condor_status bjobs bhosts bqueues showq pestat shasum zdump infocmp tabs getfattr md5deep sha256deep " +
      "hashdeep rhash xxhsum xxh64sum b3sum crc32 bzcmp bzdiff bzfgrep lzcat lzmore lzless xzless xzmore xzcmp " +
      "xzdiff zstdless zstdgrep lzgrep xzegrep xzfgrep rgrep zfgrep json_pp jless tidy xmlwf numsum " +
      "datamash vd csvjson csvsort csvgrep q-text vimcat chroma pygmentize debconf-show " +
      "dpkg-parsechangelog pkg-config pkgconf apt-rdepends deborphan apt-forktracer check-support-status " +
      "debsecan repoquery repodiff equery eix qlist pkginfo vercheck lsdev procinfo procenv pcp pminfo " +
      "pmstat pmval pmrep atopsar sysdig bpftop tcptrack bandwhich doggo q " +
      "unbound-host dnstracer dnswalk named-rrchecker zonemaster-cli kzonecheck nsd-checkconf " +
      "nsd-checkzone ipv6calc subnetcalc prips snmptable snmpstatus snmptranslate snmpbulkget " +
      "snmpdf snmpnetstat wbinfo smbtree kvno ldapcompare ldapurl slapacl slapauth slapschema ipa-healthcheck " +
      "exigrep exiqgrep exinext exipick mailstats opendkim-testkey opendkim-testmsg sieve-test spamc " +
      "spfquery checkdmarc redis-check-rdb valkey-check-rdb pg_top pg_amcheck pg_verifybackup " +
      "mysqltuner mysqltuner.pl sstablemetadata sstableutil tdbdump mysql_config javap " +
      "jdeps terraform-docs tflint tfsec terrascan hadolint kube-score shellcheck " +
      "yamllint jsonlint actionlint semgrep bandit trufflehog promlens spectral check_ping " +
      "check_http check_disk check_load check_procs check_tcp check_ssh check_ntp check_dns check_users " +
      "check_swap check_mysql check_pgsql check_smtp check_snmp check_icmp check_ntp_time check_ntp_peer " +
      "check_uptime check_mem check_apt lscgroup cgget aa-unconfined ausyscall audit2why",
    level: "low",
    rows: [
      { names: "lzless xzless zstdless lzmore xzmore", if: " \\+(?!\\d+ |[FG] |/)", level: "medium",
        why: "gives the pager a command" },
      { names: "vd vimcat", level: "medium", why: "runs what a file or a key says" },
      { names: "size", if: " @", level: "medium", why: "takes its options from a file" },
      { names: "procenv pcp sreport", if: "^ *$", level: "medium", why: "shows an environment, or waits for commands" },
      { names: "pcp",
        unless: "^( -[hp] \\S+)* (atopsar|buddyinfo|dmcache|free|ipcs|lvmcache|meminfo|mpstat|netstat|numastat|" +
        "pidstat|ps|slabinfo|summary|tapestat|uptime|vmstat|zoneinfo)( -[hV]| \\d+)* $|^ (-V|--version) $",
        level: "medium", why: "runs a tool of its own" },
      { names: "pveperf", level: "medium", why: "writes to what it measures" },
      { names: "kvno", unless: " (-V|--help) ", level: "medium", why: "asks for a ticket and keeps it" },
      { names: "rtacct", unless: " (-\\w*[sVh]\\w*|--noupdate|--version|--help) ", level: "medium",
        why: "rewrites its history" },
      { names: "promlens", unless: " --(version|help) ", level: "medium", why: "starts a server" },
      { names: "semgrep", if: "^ (ci|login|logout|lsp|publish|install-\\S+|show|test) ", level: "medium",
        why: "does more than scan" },
      { names: "terrascan", unless: " (version|help|--help|-h) ", level: "medium",
        why: "fetches policies, or starts a server" },
      { names: "terraform-docs", unless: " (version|--version|--help|-h) ", level: "medium",
        why: "writes where its settings say" },
      { names: "spectral", unless: " (-v|--version|-h|--help|--langserver-version) ", level: "medium",
        why: "loads what its settings name" },
      { names: "trufflehog", unless: " --(version|help) ", level: "medium", why: "shows the secrets that it finds" },
      { names: "tidy", if: " -(m|modify|o|output) ", level: "medium", why: "writes what it tidies" },
      { names: "rtmon", if: " file \\S+ ", level: "medium", why: "writes what it sees" },
      { names: "powertop vulkaninfo", if: " --?(html|csv)\\b", level: "medium", why: "writes a report" },
      { names: "lstopo lstopo-no-graphics hwloc-ls", if: "\\S", operands: true, level: "medium",
        why: "draws to a file" },
      { names: "esxtop", unless: " -\\w*b", level: "medium", why: "opens its screen" },
      { names: "lzless xzless zstdless lzmore xzmore", if: " \\+(?!\\d+ |[FG] |/)", level: "medium",
        why: "gives the pager a command" },
      { names: "check_http", level: "medium", why: "asks for something to be done",
        if: " (-u|--url)[ =]?\\S*([?&](action|cmd|op|do|method)=|" +
          `/(${knownVerbs.high?.replaceAll(" ", "|")}|start|restart|reload|update|upgrade|deploy|trigger|sync)[/? ])` },
      { does: "read" },
      { names: "doggo q unbound-host dnstracer dnswalk zonemaster-cli tnsping upsc snmptable snmpstatus " +
        "snmpbulkget " +
        "snmpdf snmpnetstat check_ping check_http check_tcp check_ssh check_ntp check_dns check_smtp check_snmp " +
        "check_icmp check_ntp_time check_ntp_peer check_mysql check_pgsql spfquery checkdmarc",
        reach: { kind: "lookup", operands: "hosts", options: { host: "-h --host -H -t" } } },
      { names: "trufflehog semgrep wbinfo smbtree", reach: { kind: "service" } },
      { names: "apcaccess", words: "", reach: { kind: "service", options: { host: "-h" } } },
      { names: "pg_amcheck mysqltuner mysqltuner.pl pt-duplicate-key-checker",
        reach: { kind: "service", options: { host: "-h --host" } } },
      { names: "pt-duplicate-key-checker pt-index-usage pt-config-diff", if: "[ ,]h=(?!localhost|127\\.)",
        level: "medium",
        why: "asks another host" },
      { names: "rgrep", is: "walks" },
      { names: "sdiag", words: "-r --reset", level: "high", why: "clears its counters" },
      { names: "mailstats", words: "-p", level: "high", why: "clears its counters" },
      { names: "check_apt", words: "-u --update", level: "medium", why: "fetches the lists of packages" },
    ],
    match: { low: ["squeue -u bob", "getfattr -d /srv/x", "check_http -H localhost"], medium: ["tidy -m x.html"],
      high: ["sdiag --reset"], block: ["shasum /etc/shadow"] } },
  { id: "look.scsi", names: "sg_inq sg_logs sg_map sg_scan sg_vpd sg_luns sg_opcodes sg_readcap sg_ses sg_turs " +
      "sg_rtpg sg_read_attr sg_get_lba_status sg_sat_identify sg_modes sg_decode_sense",
    level: "low", why: "asks a device what it is",
    rows: [
      { does: "stat" },
      { names: "sg_logs sg_ses sg_turs", level: "high", why: "changes or loads the device",
        if: " (-\\w*[rRSCDdn]\\w*|--(reset|select|control|set|clear|data|start|number|nickname|progress))[ =]" },
    ],
    match: { low: ["sg_inq /dev/sdc", "sg_readcap /dev/sdc"], high: ["sg_logs --reset /dev/sdc"] } },
  { id: "look.plugins",
    names: "check_ftp check_imap check_pop check_simap check_spop check_ssmtp check_nntp check_nntps check_jabber " +
      "check_clamd check_ldap check_ldaps check_dig check_ups check_cluster check_dummy check_file_age", level: "low",
    rows: [
      { names: "check_ftp check_imap check_pop check_simap check_spop check_ssmtp check_nntp check_nntps " +
        "check_jabber check_clamd check_ldap check_ldaps check_dig check_ups",
        reach: { kind: "lookup", options: { host: "-H --hostname" } } },
    ],
    match: { low: ["check_imap -H localhost -S", "check_ldap -H localhost -b dc=x", "check_file_age -w 60 -f " +
      "/srv/x"] } },
  { id: "look.logs", names: "fail2ban-regex halog ftwho ftpcount linux-version bwm-ng ifplugstatus", level: "low",
    rows: [
      { names: "fail2ban-regex", does: "reads" },
      { names: "bwm-ng", ends: { ends: "-c --count -h --help -V --version", does: "it measures for ever",
        instead: "bwm-ng -o plain -c 1" } },
    ],
    match: { low: ["fail2ban-regex /var/log/auth.log sshd", "linux-version list", "bwm-ng -o plain -c 1"] } },
  { id: "look.fabric", names: "ibqueryerrors ibtracert", level: "low",
    rows: [
      { names: "ibqueryerrors", words: "-k -K --clear-errors --clear-counts", level: "high", why: "clears its " +
        "counters" },
    ],
    match: { low: ["ibqueryerrors --data", "ibtracert 1 2"], high: ["ibqueryerrors -k"] } },
  { id: "look.asked",
    names: "chronyd ifquery edac-ctl ipmi-dcmi hugeadm corosync gpgconf groupmems containerd",
    level: "medium",
    rows: [
      { names: "chronyd corosync containerd", words: "-v --version -h --help", level: "low" },
      { names: "ifquery", words: "-l --list --state", level: "low" },
      { names: "edac-ctl", words: "--status --mainboard --print-labels", level: "low" },
      { names: "ipmi-dcmi", level: "low", words: "--get-dcmi-capability-info --get-asset-tag " +
        "--get-management-controller-identifier-string --get-dcmi-sensor-info --get-system-power-statistics " +
        "--get-enhanced-system-power-statistics --get-power-limit" },
      { names: "hugeadm", words: "--pool-list --page-sizes --page-sizes-all --list-all-mounts", level: "low" },
      { names: "gpgconf", words: "--list-dirs --list-components", level: "low" },
      { names: "groupmems", words: "-l --list", level: "low" },
      { names: "ipmi-dcmi", words: "--set-power-limit --activate-deactivate-power-limit", level: "high",
        why: "limits the power of the host" },
      { names: "groupmems", words: "-p --purge", level: "high", why: "empties a group" },
    ],
    match: { low: ["chronyd -v", "edac-ctl --status", "ifquery --list"],
      medium: ["chronyd -q", "hugeadm --thp-never", "groupmems -a bob -g web"],
      high: ["ipmi-dcmi --set-power-limit", "groupmems -p -g web"] } },
  { id: "cluster.ctdb", names: "ctdb", tag: "cluster", level: "medium",
    rows: [
      { words: "status nodestatus leader uptime listnodes pnn ping ifaces ip ipinfo scriptstatus event_status " +
        "event_script_list listvars getvar natgw_leader natgw_list natgw_status lvs_leader lvs_list lvs_status " +
        "getcapabilities statistics dbstatistics getreclock getdebug getpid getdbmap getdbstatus gettickles runstate " +
        "process-exists version", level: "low" },
      { words: "shutdown stop ban disable recover wipedb restoredb detach pdelete delip moveip reloadips reloadnodes",
        level: "high" },
    ],
    match: { low: ["ctdb status", "ctdb -n all uptime"], medium: ["ctdb enable", "ctdb catdb locking.tdb"],
      high: ["ctdb shutdown", "ctdb wipedb x"] } },
  { id: "look.snapshots", names: "btrbk keactrl", level: "medium",
    rows: [
      { names: "btrbk", if: "^( -\\S+)* (list|stats|usage|origin|ls|diff)( [\\w./:-]+)* $", level: "low" },
      { names: "keactrl", if: "^ (status|version) $", level: "low" },
      { names: "btrbk", if: " (clean|prune|archive) ", level: "high", why: "deletes snapshots" },
      { names: "keactrl", if: "^ stop ", level: "high" },
    ],
    match: { low: ["btrbk list latest", "keactrl status"], medium: ["btrbk run", "keactrl reload"],
      high: ["btrbk clean", "keactrl stop"] } },
  { id: "look.changes",
    names: "fallocate fsfreeze hardlink blockdev chcpu chmem swaplabel rtcwake eject i2cget i2cdump i2cset " +
      "setpci wrmsr x86_energy_perf_policy ledctl mstflint mlxlink rocm-smi xpu-smi sas2ircu tw_cli bpftool tlp " +
      "cpufreq-set cpufreq-info",
    level: "medium", options: { value: "-q -i -d -s -t -n -o" },
    rows: [
      { names: "i2cget i2cdump cpufreq-info", level: "low" },
      { names: "bpftool", level: "medium", why: "changes what the kernel runs",
        if: " (attach|detach|load|loadall|pin|update|delete|create|freeze|push|pop|enqueue|dequeue|register|" +
          "unregister|run|batch|tracelog|profile|file) " },
      { words: "--list --report --get* ~list ~show ~dmon ~pmon ~topo ~dump ~perf ~net ~version ~query ~LIST " +
        "~DISPLAY ~display --showall --showuse --showtemp",
        level: "low" },
      { names: "rocm-smi", level: "low",
        if: "^( -(a|i|t|f|P|u|h|c|g|b|S|l)| -d \\d+| --(show\\w+|json|csv|alldevices|version)| (vram|vis_vram|" +
          "gtt|all))* *$" },
      { names: "swaplabel", if: "^ /dev/\\S+ $", level: "low" },
      { names: "rtcwake", if: "^ (-m show|--list-modes)( -v| --verbose)* $", level: "low" },
      { names: "ledctl", if: "^ (-L|--list-controllers) $", level: "low" },
      { names: "mstflint", if: "^ -d \\S+( -qq)? (q|query)( full)? $", level: "low" },
      { names: "mlxlink", level: "low",
        if: "^( (-d|--device|-p|--port)[ =]\\S+| -[mcej]| --(show_\\w+|json))+ $" },
      { names: "xpu-smi", if: "^ (discovery|health|stats|ps|topology)( -[dlj]| --(device|list|json)| \\d+)* $",
        level: "low" },
      { names: "bpftool", if: "^( -[jpfmn]| --(json|pretty|bpffs|mapcompat|nomount))* (prog|map|link|net|cgroup|" +
        "perf|btf|iter|struct_ops|" +
        "feature)( show| list| tree| probe( kernel)?)* $", level: "low" },
      { names: "fsfreeze wrmsr i2cset setpci", level: "high" },
      { words: "-r --gpu-reset --reset ~offline ~missing ~delete ~detach ~unload ~suspend --flushbufs " +
        "~flushbufs --setrw --setro --rereadpt -e --disable -f --freeze --burn ~burn",
        level: "high" },
    ],
    match: { low: ["blockdev --getsize64 /dev/sda", "bpftool prog list"], medium: ["fallocate -l 1G /srv/x"],
      high: ["wrmsr 0x1a0 0x1"] } },
  { id: "look.gpu", names: "nvidia-smi",
    options: { value: "-i --id -d --display -l -lms -u", "path-write": "-f --filename" }, oneDash: true,
    rows: [
      { words: "topo dmon pmon", level: "low" },
      { words: "()", level: "low" },
      { words: "-r --gpu-reset", level: "high" },
      { ends: { endless: "-l -lms --loop --loop-ms", does: "it repeats for ever" } },
      { words: "dmon pmon", ends: { ends: "-c --count", does: "it never ends", instead: "nvidia-smi dmon -c 5" } },
    ],
    deep: {
      "topo dmon pmon": { level: "low" },
    },
    match: {
      low: ["nvidia-smi", "nvidia-smi -q -d TEMPERATURE", "nvidia-smi --query-gpu=name --format=csv",
        "nvidia-smi topo -m"],
      medium: ["nvidia-smi -pm 1", "nvidia-smi -p 0", "nvidia-smi mig -lgi"], high: ["nvidia-smi --gpu-reset"] } },
  { id: "look.secure-boot", names: "mokutil", level: "medium",
    rows: [
      { words: "--sb-state --list-enrolled --list-new --list-delete --pk --kek --db --dbx --test-key " +
        "--list-sbat-revocations",
        level: "low" },
    ],
    match: { low: ["mokutil --sb-state"], medium: ["mokutil --import key.der"] } },
  { id: "look.grpc", names: "grpc_health_probe grpc-health-probe", level: "low",
    options: { host: "-addr", value: "-service -connect-timeout -rpc-timeout -user-agent",
      "path-read": "-tls-ca-cert -tls-client-cert", secret: "-tls-client-key" },
    oneDash: true,
    rows: [{ reach: { kind: "request", options: { host: "-addr" } } }],
    match: { low: ["grpc_health_probe -addr=localhost:50051"] } },
  { id: "look.oracle", names: "lsnrctl crsctl srvctl",
    rows: [
      { words: "status services version stat_res stat_server check_crs check_has check_cluster query_css " +
        "query_crs status_* config_*",
        level: "low" },
      { words: "stop stop_* delete_* remove_* relocate_*", level: "high" },
      { words: "()", level: "medium" },
    ],
    match: { low: ["lsnrctl status", "crsctl stat res -t"], medium: ["lsnrctl reload"],
      high: ["srvctl stop database -d x"] } },
  { id: "look.salt-keys", names: "salt-key", level: "medium",
    rows: [
      { words: "-L -l --list --list-all -F -f --finger --finger-all -P --print-all", level: "low" },
      { words: "-d -D --delete --delete-all -r -R --reject --reject-all", level: "high" },
    ],
    match: { low: ["salt-key -L"], medium: ["salt-key -a web-1"], high: ["salt-key -D"] } },
  { id: "look.quota", names: "xfs_quota", level: "medium",
    rows: [
      { if: "^ (-x )?-c (report|quota|free|df|state|print|path|help)(␠-[a-zA-Z]+|␠/[^␠ ]*|␠[a-z]+)* (/\\S* )*$",
        unless: " -f |␠-f|␠(limit|off|remove|disable|restore|timer|warn|project)", level: "low", why: "shows quotas" },
    ],
    match: { low: ["xfs_quota -x -c 'report -h' /home"], medium: ["xfs_quota -x -c 'limit bsoft=5g bob' /home"] } },
  { id: "look.images", names: "crane gcrane regctl",
    rows: [
      { words: "digest manifest config ls catalog validate version image_digest image_manifest image_config " +
        "tag_ls repo_ls",
        level: "low" },
      { words: "delete image_delete tag_delete", level: "high" },
      { words: "*", reach: { kind: "service" } },
    ],
    match: { low: ["crane digest registry.internal/app:1.2"], medium: ["crane copy a b"], high: ["crane delete a"] } },
  { id: "look.platforms", names: "cf",
    rows: [
      { words: "apps app logs routes services service orgs spaces events target version stacks buildpacks " +
        "domains ps releases status features quotas marketplace",
        level: "low" },
      { words: "delete delete-* stop restart restage unmap-route unbind-service apps_destroy ps_stop ps_restart",
        level: "high" },
      { words: "()", level: "medium" },
      elsewhere("cf", "ssh", undefined, { ...signsIn, after: "-c --command" }),
      { words: "*", reach: { kind: "service" } },
      { words: "logs",
        ends: { ends: "--recent -n --num", does: "it follows the logs", instead: "cf logs app --recent" } },
    ],
    match: { low: ["cf apps", "cf logs web --recent"], medium: ["cf push web"], high: ["cf delete web"] } },
  { id: "look.version",
    names: "javaws kotlin erl elixir iex ghc ghci ocaml perl6 raku racket sbcl clisp gforth R jruby jython hhvm",
    level: "medium", options: { value: "-s" }, check: "interpreter",
    rows: [{ words: "-version --version -v -V ~version --info", level: "low" }],
    match: { low: ["erl -version"], medium: ["clisp /opt/x.lisp"], high: ["R -e 'system(\"/bin/sh\")'"] } },
  { id: "look.kerberos",
    names: "kinit kdestroy kpasswd ktutil ldappasswd ldapmodrdn ldapexop slapadd slapindex smbpasswd rpcclient " +
      "smbclient smbcacls mosquitto_pub pulsar-client redis-benchmark mysqlslap clamscan clamdscan freshclam " +
      "spamassassin sa-learn postalias postlog postmulti openconnect pppd xl2tpd vpnc",
    level: "medium", options: { argv: "--virus-event" },
    rows: [
      { words: "--dry-run", level: "low" },
      { names: "spamassassin", if: "^( -D| --debug)*( --lint| -V| --version)( -D| --debug)* $", level: "low" },
      { names: "postmulti", if: "^ -l $", level: "low" },
      { names: "sa-learn", if: "^ --dump magic $", level: "low" },
      { names: "smbclient", words: "-L --list", level: "low" },
      { names: "smbclient", words: "-c --command", level: "medium" },
      { names: "kdestroy", level: "high" },
      { words: "--remove -x --delete --clear", level: "high" },
      { names: "smbclient",
        reach: { kind: "lookup", operands: "hosts", options: { host: "-L --list -I --ip-address" } } },
      { names: "clamscan", ends: { does: "it reads the whole file system" } },
      { names: "clamscan", level: "low",
        unless: " (--(remove|move|copy|log|tempdir|leave-temps|database|gen-json|file-list|config|dumpcerts)\\b|" +
          "-\\w*[dlf])" },
    ],
    match: { low: ["smbclient -L nas -N"], medium: ["kinit bob"], high: ["kdestroy", "clamscan -r --remove /srv"] } },
  { id: "look.contexts", names: "kubectx kubens", level: "medium",
    rows: [
      { if: "^( (-c|--current|-h|--help|-V|--version))* *$", level: "low" },
      { words: "-d", level: "high", why: "forgets a context" },
    ],
    match: { low: ["kubectx", "kubens -c"], medium: ["kubectx prod", "kubens -"], high: ["kubectx -d prod"] } },
  { id: "look.hadoop", names: "hdfs hadoop mapred", level: "medium", oneDash: true,
    rows: [
      { names: "hdfs hadoop", if: "^ (dfs|fs) -(ls|lsr|du|dus|df|count|stat|checksum|getfacl|getfattr|" +
        "test|find|help|usage|cat|text|tail|head) ",
        unless: " -tail -f ", level: "low" },
      { names: "hdfs hadoop", if: " -(rm|rmr|rmdir|expunge|truncate|deleteSnapshot) ", level: "high", why: "deletes" },
      { names: "hdfs hadoop", if: "^ fsck /\\S* ", unless: " -(delete|move|replicate) ", level: "low" },
      { names: "hdfs hadoop", if: "^ fsck .*-(delete|move) ", level: "high", why: "deletes or moves broken files" },
      { names: "hdfs hadoop", if: "^ dfsadmin (-fs \\S+ )?-(report|printTopology|safemode get|listOpenFiles|" +
        "getDatanodeInfo|getBalancerBandwidth|upgrade query|rollingUpgrade query|help) ",
        level: "low" },
      { names: "hdfs hadoop", if: "^ haadmin (-ns \\S+ )?-(getServiceState|getAllServiceState|checkHealth|help) ",
        level: "low" },
      { names: "hdfs hadoop", if: "^ haadmin .*-(failover|transitionTo\\w+) |^ namenode ", level: "high",
        why: "changes which node is active" },
      { names: "hdfs hadoop", if: "^ (getconf|version|classpath|groups|lsSnapshottableDir|snapshotDiff) |^ " +
        "(storagepolicies|ec|cacheadmin|crypto) -(list|get)\\w+ ",
        level: "low" },
      { names: "mapred", if: "^ job -(list|status|counter|events|list-active-trackers|list-attempt-ids|" +
        "list-blacklisted-trackers|logs) |^ queue -(list|info|showacls) |^ version ",
        level: "low" },
      { names: "mapred", if: "^ job -(kill|kill-task|fail-task) ", level: "high", why: "stops jobs" },
    ],
    match: { low: ["hdfs dfs -ls /user", "hdfs dfsadmin -report", "hdfs fsck /data -files", "mapred job -list"],
      medium: ["hdfs dfs -put a b", "hdfs dfsadmin -refreshNodes"],
      high: ["hdfs dfs -rm -r /user/bob", "hdfs fsck / -delete", "hdfs haadmin -failover nn1 nn2", "mapred job -kill " +
        "job_1"] } },
  { id: "look.control",
    names: "neo4j riak-admin riak k3d emqx firebase icinga2 zabbix_agentd zabbix_agent2 rsyslogd mii-tool mtx kamcmd " +
      "kamctl asmcmd cilium-dbg " +
      "fdbcli jar orchestrator-client asinfo asadm ansible-galaxy trace-cmd db2 m4 rsnapshot vim-cmd cypher-shell " +
      "db2pd",
    level: "medium", oneDash: true,
    rows: [
      { names: "neo4j", if: "^ (status|version|help) ", level: "low" },
      { names: "neo4j", if: "^ (stop|restart) ", level: "high" },
      { names: "riak-admin riak", level: "low",
        if: "^ (admin )?(member-status|status|ring-status|ringready|transfers|diag|wait-for-service|cluster " +
          "status|cluster plan|cluster " +
          "partitions|vnode-status|top|stat (list|show)|bucket-type (list|status)|handoff (summary|details|config)|" +
          "version|ping|services) " },
      { names: "riak-admin riak", if: " (stop|leave|force-\\w+|down|remove|cluster (leave|force\\S*|commit|clear)) ",
        level: "high" },
      { names: "k3d", if: "^ (cluster|node|registry|kubeconfig) list |^ (version|help) ", level: "low" },
      { names: "k3d", if: " (delete|stop) ", level: "high" },
      { names: "emqx", if: "^ (ctl )?(status|broker|listeners(?= $)|vm|cluster status|clients (list|show)|" +
        "subscriptions (list|show)|topics list|plugins list|metrics|stats|" +
          "rules list|version|ping) ", level: "low" },
      { names: "firebase", if: "^ \\w+(:\\w+)?:list |^ (--version|help|login:list|projects:list) ", level: "low" },
      { names: "firebase", if: ":(delete|disable|remove) ", level: "high" },
      { names: "icinga2", if: "^ daemon (-C|--validate)( -\\S+)* $|^ (object|feature|variable) (list|get) |^ " +
        "(--version|-V) ",
        unless: " (-d|--daemonize|-l|--log-file|-e|--errorlog) ", level: "low" },
      { names: "zabbix_agentd zabbix_agent2", unless: "run\\[|web\\.page|perf_counter.*;",
        if: "^ (-t|--test) (agent|system|vm|vfs|net|proc|kernel|sensor|web|log|zabbix)[.\\[]\\S* $|^ (-p|--print|-T|" +
          "--test-config|-V|--version) $", level: "low" },
      { names: "rsyslogd", if: "^ -N ?\\d+ $|^ -[vV] $", level: "low" },
      { names: "mii-tool", if: "^( -[vV]| --(verbose|version))*( \\w[\\w.]*)* $", level: "low" },
      { names: "mtx", if: "^( -f \\S+)? (status|inquiry|inventory) $", level: "low" },
      { names: "kamcmd kamctl", level: "low",
        if: "^ (core\\.(uptime|version|info|psx|ps|shmmem|pkgmem|tcp_info|tcp_list|tcp_options|udp4_raw_info|" +
          "sockets_list|ppdefines_full|modules|aliases_list)|" +
          "stats\\.(get_statistics|fetch)|(tm|sl)\\.stats|dispatcher\\.list|dlg\\.(list|stats_active|profile_size)|" +
          "htable\\.(get|listTables|stats)|" +
          "ul\\.(lookup|dump)|tls\\.(info|list)|mod\\.(stats|mem_stats)|monitor|uptime|ps|online|version|stats|ul " +
          "show) " },
      { names: "asmcmd", if: "^ (lsdg|lsdsk|ls|lsct|lsod|lsof|lsattr|lsop|lspwusr|lsusr|lsgrp|du|find|pwd|iostat|" +
        "showclustermode|showclusterstate|showversion|spget|dsget) ",
        level: "low" },
      { names: "asmcmd", if: " (rm|rmdg|dropdg|umount|shutdown|offline|remap) ", level: "high" },
      { names: "cilium-dbg", level: "low",
        if: "^ (status|version|endpoint (list|get|log|health)|identity (list|get)|service (list|get)|node list|ip " +
          "list|policy get|metrics list|bpf " +
          "\\w+ (list|get)|bpf (ct|lb|nat|tunnel|policy|ipcache|endpoint|metrics) list|map (list|get)|config get|" +
          "fqdn cache list|lrp list) " },
      { names: "cilium-dbg", if: " (delete|flush|disconnect|cleanup) ", level: "high" },
      { names: "fdbcli", if: "^ (--timeout \\d+ )*--exec=?(␠| )?(status( json| details| minimal)?|status␠(json|" +
        "details|minimal)|getversion|" +
          "coordinators|help|(get|getrange|getrangekeys)␠\\S+) $", level: "low" },
      { names: "fdbcli", if: "(clear|clearrange|kill|exclude|configure|force_recovery_with_data_loss|unlock)(␠| )",
        level: "high" },
      { names: "jar", if: "^ (-?t[vf0]*|-t|--list)( [\\w./*-]+)* $|^ -tf |^ (--list|-t|-tv) (-v )?(--file=\\S+|-f " +
        "\\S+)", unless: "^ -?\\w*[cxui]| @", level: "low" },
      { names: "orchestrator-client", level: "low",
        if: "^( -\\S+ \\S+)* (-c|--command)[ =](topology|topology-tabulated|clusters|clusters-alias|all-instances|" +
          "find|search|instance|which-\\S+|" +
          "is-\\S+|replication-analysis|downtimed|raft-leader|raft-health|health|status|api) ", unless: " api " },
      { names: "asinfo", if: "^( -[hpUt] \\S+)* -v (status|build|statistics|service|services|namespaces|node|version|" +
        "features|edition|latencies:?[\\w=.-]*|" +
          "(namespace|sets|bins|sindex|get-stats|get-config|health-\\w+|racks|roster|log|logs)([:/][\\w/:=.,-]*)?)( " +
          "-[hpUtl] \\S+| -l)* $", level: "low" },
      { names: "asadm", if: "^( -[hpUtf] \\S+)* (-e|--execute)[ =](info|show|health|summary|features|" +
        "help)(␠[\\w.*␠-]*)? $", level: "low",
        unless: "asinfo" },
      { names: "ansible-galaxy", if: "^ (collection |role )?(list|info|search|verify) ", level: "low" },
      { names: "ansible-galaxy", if: "^ (collection |role )?(remove|delete) ", level: "high" },
      { names: "trace-cmd", if: "^ (list|stat|hist|report|dump) ", unless: " -o ", level: "low" },
      { names: "db2", if: "^ (?i:list (applications?|db|database|node|tablespaces?|tables|utilities|history|active " +
        "databases|packages|admin node)( [a-z0-9]+)*|" +
          "get (db|database|dbm|dbm cfg|db cfg|snapshot|monitor|connection|instance)( \\w+)*|describe( \\w+)*) $",
          level: "low" },
      { names: "db2", if: "^ (?i:drop|force|prune|deactivate|restore|rollforward|terminate database) ", level: "high" },
      { names: "db2pd", if: "^ -", unless: " -?(dump|stacks?|perfmon|file|outfile|o|command|repeat|full|pages|" +
        "interactive)( |=)", level: "low" },
      { names: "vim-cmd", if: "^ \\w+/([a-z_]+/)?((get|list|power\\.get|snapshot\\.get)[\\w.]*|hostsummary)( " +
        "\\S+)* $", level: "low" },
      { names: "vim-cmd", if: "/(power\\.(off|reset|shutdown|reboot|suspend)\\w*|destroy|unregister|" +
        "snapshot\\.(remove|removeall|revert)|maintenance_mode_enter) ",
        level: "high" },
      { names: "cypher-shell", if: "^( -[aud] \\S+| --(address|username|database|format) \\S+)* (?i:match|show|" +
        "return|explain|unwind)␠[^ ]* $",
        unless: "(?i:create|merge|(?<!\\w)set(?!\\w)|delete|detach|remove|drop|(?<!\\w)call(?!\\w)|load|" +
          "foreach|grant|alter|start|stop|terminate|apoc|:)(?!\\w*\\()", level: "low" },
      { names: "cypher-shell", if: "(?i:\\b(delete|drop|detach|remove)␠)", level: "high", why: "destroys data" },
      { names: "m4", does: { is: "runs-text", all: true, if: "(?:e?syscmd)\\s*\\(\\s*[`\\[]*([^'\\])]+)",
        level: "high" } },
      { names: "m4", does: { is: "runs-text", stdin: true, if: "(?:e?syscmd)\\s*\\(\\s*[`\\[]*([^'\\])]+)",
        level: "high" } },
      { names: "rsnapshot", if: "^( -[vqV]+| -c \\S+)* (configtest|du|diff|version) |^( -[vqV]+| -c \\S+)* -t( " +
        "-[vqV]+| -c \\S+)* \\w+ $", level: "low" },
      { names: "asinfo asadm", reach: { kind: "service", options: { host: "-h --host" } } },
      { names: "orchestrator-client", reach: { kind: "service", options: { host: "-U" } } },
      { names: "ansible-galaxy firebase", reach: { kind: "service" } },
    ],
    match: {
      low: ["neo4j status", "riak-admin member-status", "k3d cluster list", "icinga2 daemon -C", "rsyslogd " +
        "-N1", "mii-tool eth0", "jar tf app.jar",
        "asadm -e 'info network'", "db2 list applications", "fdbcli --exec status"],
      medium: ["k3d cluster create x", "mii-tool -r eth0", "jar xf app.jar", "db2 update x"],
      high: ["k3d cluster delete x", "neo4j stop", "fdbcli --exec 'clearrange a b'"],
        block: ["m4 -D x='syscmd(`rm -rf /etc)'"] } },
  { id: "look.destroyers",
    names: "scancel qdel condor_rm bkill mysql_secure_installation sss_cache virt-customize virt-edit " +
      "virt-sysprep ctrlaltdel delpart pivot_root switch_root",
    level: "high",
    match: { high: ["scancel 42"] } },
  { id: "disk.flash", names: "mtd flash_erase flash_eraseall flashcp nandwrite ubiformat", level: "block",
    why: "erases or overwrites the flash a device starts from",
    match: { block: ["mtd erase rootfs_data", "flash_eraseall /dev/mtd1"] } },
  { id: "disk.copy",
    names: "ddrescue dd_rescue partclone.dd partclone.ext4 partclone.xfs partclone.btrfs partclone.restore " +
      "ntfsclone fsarchiver partimage e2image",
    level: "medium", options: { value: "-s -b -i", "path-write": "-o -O --output --overwrite" },
    rows: [{ does: "target-last" }],
    match: { medium: ["ddrescue"], high: ["ddrescue /dev/sda /srv/a.img"],
      block: ["ddrescue a.img /dev/sda", "partclone.ext4 -r -s a.img -o /dev/sdb1"] } },
  { id: "disk.fio", names: "fio", level: "medium",
    options: { value: "--name --size --bs --iodepth --runtime --ioengine --numjobs" },
    rows: [
      { if: " --?(rw|readwrite)[=␠ ](?!(rand)?read )\\S+ ", level: "high",
        why: "overwrites the file or disk that it measures" },
      { ends: { does: "it loads what it measures" } },
    ],
    match: { medium: ["fio --filename=/dev/sdb --rw=randread --name=x"],
      high: ["fio --filename=/dev/sdb --rw=write --name=x"] } },
  { id: "look.unknown",
    names: "reset stress stress-ng sysbench bonnie++ dbus-monitor acpi_listen aide tripwire " +
      "chkrootkit stap masscan zmap netdiscover finger findstr uudecode GET gnutls-cli rdfind " +
      "slackcat s-nail msmtp ssmtp mpack s4cmd b2",
    known: false,
    rows: [
      { names: "gnutls-cli", reach: { kind: "request", operands: "hosts", stdin: true } },
      { names: "masscan zmap", ...networkProbe },
      { names: "finger", reach: { kind: "lookup", operands: "hosts", options: { host: "-h --host" } } },
      { names: "s-nail msmtp ssmtp mpack", ...mailer },
      { names: "s4cmd b2", reach: { kind: "account", options: { host: "--endpoint-url --endpoint" } } },
      { names: "stress stress-ng sysbench bonnie++", ends: { does: "it loads what it measures" } },
      { names: "aide tripwire chkrootkit", ends: { does: "it reads the whole file system" } },
      { names: "masscan zmap", ends: { does: "it sends packets to a whole network", instead: "nmap -p 22,443 HOST" } },
      { names: "netdiscover", ends: { does: "it sends packets to a whole network" } },
      { names: "findstr", exit: { 1: "no match" } }, { names: "rdfind", is: "walks" },
      { names: "uudecode", prints: "decoding" }, { names: "GET", prints: "remote" },
      { names: "slackcat", is: "text" }, { names: "gnutls-cli", is: "client" },
    ],
    match: { medium: ["stress-ng --cpu 2", "finger bob"] } },
];

// Programs of operations that answer a question: quotas, sensors, clusters of databases, monitoring, accounting.

const pcp = "pcp_node_count pcp_node_info pcp_proc_count pcp_proc_info pcp_health_check_stats pcp_watchdog_info";
const s390 = "lscss lsdasd lsqeth lszfcp lszcrypt lsreipl lschp lstape lsshut lsscm lszdev lscpumf";
const power = "lparstat lsslot lsvpd lsmcode lsprop lscfg";
const fabric = "ibhosts ibswitches ibnodes ibrouters sminfo smpquery saquery";

/** They ask this machine alone. */
// biome-ignore format: filled to the width
export const localOperationRules: readonly Program[] = [
  { id: "operate.look",
    names: `arcstat arc_summary ipmi-sel ipmi-fru ipmi-chassis syslog-ng-ctl tuptime uprecords ` +
      `kdumpctl agent_control nagiostats naemonstats wpa_cli hostapd_cli ${s390} ${power} ${fabric}`,
    level: "low",
    rows: [
      { names: "arcstat", ends: { interval: 2, does: "it repeats for ever", instead: "arcstat 1 5" } },
      { names: "ipmi-sel", level: "high", why: "empties the log of the hardware",
        if: " --(clear|delete\\S*|post-clear)[ =]" },
      { names: "ipmi-chassis", unless: "^( --?(get-(chassis-capabilities|chassis-status|system-restart-cause|" +
        "power-on-hours-counter)|[scuQV]|get-system-boot-options|version|help)| -[scgoV])+ $",
        level: "medium", why: "changes how the server runs" },
      { names: "ipmi-chassis", if: " --chassis-control[ =]?(?i:power-(down|cycle)|hard-reset|soft-shutdown)",
        level: "high", why: "stops the server" },
      { names: "syslog-ng-ctl",
        unless: "^ (stats( csv| prometheus)?|query (list|get|sum) [^ -]\\S*|list-files|healthcheck|verbose|debug|" +
          "trace|--version|--help)( --(control|format)[ =]?\\S+)* $|^ *$",
        level: "medium", why: "does more than show" },
      { names: "syslog-ng-ctl", if: "^ stop ", level: "high", why: "stops the log" },
      { names: "kdumpctl", unless: "^ (status|estimate|showmem|get-default-crashkernel) $", level: "medium",
        why: "changes what a crash leaves" },
      { names: "agent_control", unless: "^( -(l|lc|ln|i|j|s|h)| \\d{1,5}){1,6} $", level: "medium",
        why: "acts on an agent" },
      { names: "wpa_cli hostapd_cli",
        unless: "^( -[ip] \\S+)* (status|ping|list_networks|scan_results|list_sta|all_sta|interface|get_capability " +
          "\\w+|signal_poll|pmksa|sta [0-9a-f:]{17}) $",
        level: "medium", why: "opens a console, or changes a radio" },
    ],
    match: {
      low: ["arcstat 2 4", "ipmi-sel --info", "syslog-ng-ctl stats", "syslog-ng-ctl query get 'src.*'", "lsdasd -a",
        "kdumpctl status", "wpa_cli -i wlan0 status", "ibhosts", "ipmi-chassis --get-chassis-status"],
      medium: ["syslog-ng-ctl reload", "syslog-ng-ctl stats --reset", "kdumpctl reload", "wpa_cli"],
      high: ["ipmi-sel --clear", "syslog-ng-ctl stop", "ipmi-chassis --chassis-control=power-cycle"] } },
  { id: "operate.daemons", names: "suricatasc collectdctl wazuh-control ossec-control pmc bcachefs", level: "medium",
    rows: [
      { names: "suricatasc", if: "^ -c (uptime|version|running-mode|capture-mode|iface-list|iface-stat␠[\\w.-]+|" +
        "dump-counters|dataset-lookup␠\\S+|list-hostbit␠\\S+|memcap-list|ruleset-stats|ruleset-reload-time|" +
        "ruleset-failed-rules)( /\\S+)? $", level: "low" },
      { names: "suricatasc", if: "^ -c shutdown", level: "high", why: "stops the sensor" },
      { names: "collectdctl", if: "^( -s /\\S+)* (listval|getval \\S+|getthreshold \\S+) $", level: "low" },
      { names: "wazuh-control ossec-control", if: "^( -j)? (status|info( -[vtr])?) $", level: "low" },
      { names: "wazuh-control ossec-control", if: "^ (stop|disable) ", level: "high", why: "stops the agent" },
      { names: "pmc", if: "^( -(u|2|4|6|v)| -[bdtis] \\S+)* ((?i:get)␠[A-Z_]+ )+$", level: "low" },
      { names: "bcachefs", if: "^ (fs usage|show-super|list_mounted|version)( |$)", level: "low" },
      { names: "bcachefs", if: "^ (format|device (remove|evacuate|offline)|fsck|reset-counters)( |$)", level: "high",
        why: "changes or erases a file system" },
    ],
    match: { low: ["suricatasc -c uptime", "collectdctl listval", "wazuh-control status", "bcachefs fs usage /srv",
      "pmc -u -b 0 'GET TIME_STATUS_NP'"],
      medium: ["suricatasc -c reload-rules", "collectdctl flush", "wazuh-control restart", "pmc -u 'SET PRIORITY1 1'",
        "bcachefs mount /dev/sdb /srv"],
      high: ["suricatasc -c shutdown", "wazuh-control stop", "bcachefs device remove /dev/sdb /srv"] } },
  { id: "operate.files", names: "rrdtool whisper-info whisper-fetch whisper-dump whisper-info.py whisper-fetch.py " +
      "whisper-dump.py sa lastcomm dump-acct ac dump-utmp pg_checksums",
    level: "low",
    options: { "path-read": "-f --file --sort-file", value: "-D --pgdata -s --start -e --end -r --resolution -d" },
    rows: [
      { names: "rrdtool", unless: "^ (lastupdate|info|last|first|list|fetch) [^-]\\S*| (--version|--help) |^ *$",
        level: "medium", why: "does more than show" },
      { names: "rrdtool", if: " (-d|--daemon)[ =]", level: "medium", why: "asks a daemon to write" },
      { names: "sa", if: " (-\\w*s\\w*|--merge) ", level: "high", why: "throws the record away that it sums up" },
      { names: "pg_checksums", if: " (-\\w*[edP]|--(enable|disable|progress))", level: "high",
        why: "rewrites every file of a database" },
      { does: "read" },
    ],
    match: { low: ["rrdtool info /srv/rrd/cpu.rrd", "rrdtool fetch /srv/rrd/cpu.rrd AVERAGE -s -1h", "sa " +
      "-m", "lastcomm bob",
      "pg_checksums --check -D /srv/pg"],
      medium: ["rrdtool update /srv/rrd/cpu.rrd N:1", "rrdtool -"], high: ["sa -s", "pg_checksums --enable"],
      block: ["lastcomm -f /etc/shadow"] } },
  { id: "operate.units", names: "units gunits", level: "low",
    options: { "path-read": "-f --file -c", "path-write": "-L --log" },
    rows: [
      { if: "^( -\\S+)* *$", unless: " (-V|-h|--version|--help) ", level: "medium", why: "waits for questions" },
    ],
    match: { low: ["units -t '3 lbs' kg"], medium: ["units"], high: ["units -L /srv/x.log 1 m"],
      block: ["units -f /etc/shadow 1 m"] } },
  { id: "operate.defaults", names: "my_print_defaults", level: "low", why: "prints options from files",
    options: { "path-read": "-c --defaults-file -e --defaults-extra-file --config-file", value: "-g" },
    rows: [{ words: "-s --show", level: "high", why: "shows passwords" }],
    match: { low: ["my_print_defaults mysqld"], high: ["my_print_defaults -s client"] } },
  { id: "operate.informix", names: "onstat", level: "medium",
    rows: [
      { if: "^ (-|-[bBcCdDfFhjkKlLmOpPRtTuxX]|-g " +
        "(act|ath|buf|cac|ckp|con|dis|dri|glo|ioa|iof|iog|ioq|iov|lmx|lsc|mem|" +
        "mgm|nsc|ntd|nta|osi|rea|rwm|sch|seg|ses|sle|smb|sps|sts|tpf|ufr|wai|wmx|wst)( \\d+)?) $", level: "low" },
      { words: "-z -i", level: "high", why: "clears its counters, or opens a console" },
    ],
    match: { low: ["onstat -", "onstat -g ses 42"], medium: ["onstat -r 5"], high: ["onstat -z"] } },
  { id: "operate.sap", names: "sapcontrol", level: "medium", oneDash: true,
    options: { value: "-nr -function -format -prot -host -user -trace -repeat" },
    rows: [
      { if: " -function (GetProcessList|GetSystemInstanceList|GetVersionInfo|GetQueueStatistic|GetAlertTree|" +
        "GetInstanceProperties|ABAPGetWPTable|EnqGetStatistic|J2EEGetProcessList2?|J2EEGetThreadList2?|HACheckConfig|" +
        "HAGetFailoverConfig|GetSystemUpdateList|GetStartProfile) $",
        unless: " -(host|user|repeat|trace)[ =]", level: "low" },
      { if: " -function (Stop\\w*|Restart\\w*|Shutdown|OSExecute|SendSignal|J2EEDisable\\w*|Remove\\w*) " +
        "", level: "high",
        why: "stops an instance" },
    ],
    match: { low: ["sapcontrol -nr 00 -function GetProcessList"], medium: ["sapcontrol -nr 00 -function Start"],
      high: ["sapcontrol -nr 00 -function StopSystem ALL"] } },
  { id: "operate.linters", names: "kube-linter", level: "medium",
    rows: [{ if: "^ (lint|checks list|templates list|version)( |$)", level: "low" }],
    match: { low: ["kube-linter lint ./k8s", "kube-linter checks list"], medium: ["kube-linter completion bash"] } },
  { id: "operate.redis-files", names: "redis-check-aof valkey-check-aof", level: "low",
    rows: [
      { words: "--fix --truncate-to-timestamp", level: "high", why: "cuts off what it cannot read" },
      { does: "read" },
    ],
    match: { low: ["redis-check-aof /srv/redis/a.aof"], high: ["redis-check-aof --fix /srv/redis/a.aof"],
      block: ["redis-check-aof /etc/shadow"] } },
  { id: "operate.certmonger", names: "getcert ipa-getcert selfsign-getcert local-getcert", level: "medium",
    rows: [
      { words: "list list-cas status", level: "low" },
      { words: "stop-tracking remove-ca", level: "high", why: "lets a certificate expire" },
    ],
    match: { low: ["getcert list", "getcert status -i 20240101"], medium: ["getcert resubmit -i 20240101"],
      high: ["getcert stop-tracking -i 20240101"] } },
  { id: "operate.trees", names: "pipdeptree nix-store", level: "medium",
    rows: [
      { names: "pipdeptree", unless: " --python", level: "low" },
      { names: "nix-store", words: "-q --query", unless: " (-f|--force-realise|--add-root|--indirect) ", level: "low" },
      { names: "nix-store", words: "--delete --gc", level: "high", why: "deletes from the store" },
    ],
    match: { low: ["pipdeptree -p flask", "nix-store -q --references /run/current-system"],
      medium: ["pipdeptree --python /srv/bin/python", "nix-store --realise /nix/store/x", "nix-store -q -f x"],
      high: ["nix-store --gc"] } },
  { id: "operate.kea", names: "kea-dhcp4 kea-dhcp6 kea-dhcp-ddns kea-ctrl-agent", level: "medium",
    why: "starts a server", options: { "path-read": "-t" },
    // `-T` loads its hooks.
    rows: [{ words: "-t -v -V -W", level: "low" }, { words: "-c -T", level: "medium" }],
    match: { low: ["kea-dhcp4 -t /etc/kea/kea-dhcp4.conf", "kea-dhcp6 -V"],
      medium: ["kea-dhcp4 -c /etc/kea/kea-dhcp4.conf", "kea-dhcp4 -T /etc/kea/kea-dhcp4.conf"],
      block: ["kea-dhcp4 -t /etc/shadow"] } },
  { id: "operate.solaris", names: "svcs amstatus", level: "low",
    match: { low: ["svcs -xv", "svcs -p network/ssh", "amstatus daily"] } },
  { id: "operate.gpu", names: "dcgmi", level: "medium",
    rows: [
      { if: "^ discovery (-[lcv] ?)+ ?$|^ (health|stats) (-[cgv] ?\\d* ?)+$|^ (group|fieldgroup) -l ?$|" +
        "^ nvlink (-[se] ?|-g \\d+ ?)+$|^ topo ((-g|--gpuid) \\d+ ?)+$|^ modules -l ?$|" +
        "^ dmon( -[eidg] [\\w,]+)* -c \\d+( -[eidg] [\\w,]+)* $|^ (policy|config) --get( -g \\d+)? $|" +
        "^ profile (--list|-l)( -[ig] \\S+)* $|^ --version $", level: "low" },
    ],
    match: { low: ["dcgmi discovery -l", "dcgmi nvlink -s"], medium: ["dcgmi diag -r 3", "dcgmi health -s a"] } },
];

/** They ask a server that they were set up for, or that an option names. */
// biome-ignore format: filled to the width
export const operationRules: readonly Program[] = [
  { id: "operate.console", names: "dgmgrl bconsole rman adrci", check: "deviceConsole", oneDash: true,
    options: { flag: "-silent -echo", settings: "-c" },
    rows: [serverClient],
    match: { low: ["rman target / <<< 'report schema;'", "adrci exec='show incident'",
        "dgmgrl -silent / 'show database verbose shop'", "echo 'list volumes pool=Full' | bconsole"],
      medium: ["rman", "rman target / <<< 'backup database;'", "adrci exec='set homepath x'", "dgmgrl",
        "dgmgrl / 'enable configuration'", "bconsole", "echo 'run job=x' | bconsole"],
      high: ["rman target / <<< 'delete noprompt obsolete;'", "adrci exec='purge -age 1'",
        "dgmgrl / 'switchover to shop2'", "echo 'purge volume=V1' | bconsole"],
      block: ["printf '@exec \"rm -rf /\"\\n' | bconsole"] } },
  { id: "operate.cockroach", names: "cockroach",
    rows: [
      { words: "version node_status node_ls cert_list statement-diag_list auth-session_list userfile_list",
        level: "low" },
      { words: "node_decommission node_drain quit userfile_delete auth-session_logout statement-diag_delete",
        level: "high" },
      serverClient,
    ],
    deep: { sql: { check: "sqlClient", tag: "database",
      options: { value: "-e --execute -d --database -u --user --host --port -p --certs-dir --format --url" } } },
    match: { low: ["cockroach node status", "cockroach sql -e 'show ranges from table t'"],
      medium: ["cockroach start", "cockroach sql -e 'update t set a=1 where id=2'"],
      high: ["cockroach quit", "cockroach sql -e 'drop table t'"] } },
  { id: "operate.salt", names: "salt-run",
    rows: [
      { words: "manage.up manage.down manage.status manage.present manage.not_present manage.alived " +
        "manage.not_alived manage.joined manage.not_joined manage.allowed manage.reaped manage.versions " +
        "manage.list_state manage.list_not_state manage.lane_stats jobs.active jobs.list_jobs " +
        "jobs.list_jobs_filter " +
        "jobs.lookup_jid jobs.print_job jobs.exit_success jobs.last_run fileserver.envs fileserver.file_list " +
        "fileserver.dir_list cache.grains doc.runner doc.execution test.stdout_print",
        level: "low" },
      { words: "cache.clear_all cache.clear_pillar cache.clear_grains cache.clear_mine cache.flush " +
        "manage.key_regen " +
        "fileserver.clear_cache fileserver.clear_lock queue.delete", level: "high" },
      { if: "removekeys", level: "high", why: "deletes the keys of what does not answer" },
    ],
    match: { low: ["salt-run manage.up", "salt-run jobs.active"], medium: ["salt-run state.orchestrate deploy"],
      high: ["salt-run manage.down removekeys=True", "salt-run cache.clear_all"] } },
  { id: "operate.sensu", names: "sensuctl", check: "family",
    rows: [{ words: "describe-type silenced", level: "low" }, { words: "env configure prune", level: "medium" },
      serverClient],
    match: { low: ["sensuctl check list", "sensuctl silenced list"], medium: ["sensuctl check execute x"],
      high: ["sensuctl entity delete x"] } },
  { id: "operate.bans", names: "cscli", check: "family",
    rows: [{ words: "explain hub_update machines_add bouncers_add", level: "medium" }, serverClient],
    match: { low: ["cscli decisions list", "cscli lapi status"], medium: ["cscli decisions add --ip 192.0.2.1"],
      high: ["cscli decisions delete --all"] } },
  { id: "operate.servers", names: "pg_autoctl stolonctl ejabberdctl prosodyctl mimirtool cortextool lokitool",
    rows: [
      { names: "pg_autoctl", if: "^ (show (state|events|standby-names|systemd)|status|version)( |$)",
        unless: " --watch ", level: "low" },
      { names: "pg_autoctl", if: "^ (drop|stop|disable|perform (failover|switchover))( |$)", level: "high" },
      { names: "stolonctl", if: "^ (status|version|spec)( |$)", unless: " spec ", level: "low" },
      { names: "stolonctl", if: "^ (init|failkeeper|removekeeper|promote)( |$)", level: "high" },
      { names: "ejabberdctl",
        if: "^( --node \\S+| --no-timeout)* " +
          "(status|started|mnesia_info|connected_users(_number|_info|_vhost)?|registered_users|registered_vhosts|" +
          "user_resources|get_last|" +
          "stats|stats_host|" +
          "incoming_s2s_number|outgoing_s2s_number|list_cluster|modules_installed|get_loglevel|muc_online_rooms|" +
          "user_sessions_info|num_resources)( [\\w.-]+)* $", level: "low" },
      { names: "ejabberdctl", if: "^ " +
        "(stop\\w*|restart|unregister|leave_cluster|delete_\\w+|kick_\\w+|destroy_\\w+)( |$)",
        level: "high" },
      { names: "prosodyctl", if: "^ (status|about|check( (config|dns|certs|disabled|turn))?) $", level: "low" },
      { names: "prosodyctl", if: "^ (stop|restart|deluser)( |$)", level: "high" },
      { names: "mimirtool cortextool lokitool", if: "^ (rules (list|print|get|diff|check)|alertmanager verify|" +
        "version|acl generate-header)( |$)", unless: " (generate-header|-i|--in-place) ", level: "low" },
      { names: "mimirtool cortextool lokitool", if: "^ (rules delete\\S*|alertmanager delete)( |$)", level: "high" },
      serverClient,
    ],
    match: { low: ["pg_autoctl show state", "stolonctl status", "ejabberdctl " +
      "connected_users_number", "prosodyctl status",
      "mimirtool rules list"],
      medium: ["pg_autoctl enable maintenance", "ejabberdctl reload_config", "mimirtool rules load /srv/r.yml"],
      high: ["pg_autoctl drop node", "ejabberdctl stop", "prosodyctl stop"] } },
  { id: "operate.clients", level: "medium",
    names: "rq kong cmctl kafkactl drone dovecot collectd mongofiles bsondump cbstats seff condor_history puppetserver",
    options: { value: "-d --db -b -n --namespace -o --output -C -limit -constraint", "path-write": "--outFile" },
    oneDash: true,
    rows: [
      { names: "rq", if: "^ info( -[RQW]| --(raw|by-queue|only-queues|only-workers)| [\\w-]+)* $", level: "low" },
      { names: "kong", if: "^ (health|version( -a| --all)?|check( /etc/\\S+)?) $", level: "low" },
      { names: "kong", if: "^ (stop|quit|migrations (reset|down)) ", level: "high" },
      { names: "cmctl", if: "^ (check api|status certificate [\\w.-]+|version)( (-n|--namespace)[ =]\\S+)* $",
        level: "low" },
      { names: "kafkactl", if: "^ (get|describe) (topics?|consumer-groups?|consumer-group-offsets|brokers?|users?) ",
        level: "low" },
      { names: "kafkactl", if: "^ (delete|reset) ", level: "high" },
      { names: "drone", if: "^ (build (ls|info|last)|repo (ls|info)|info|log view) ", level: "low" },
      { names: "dovecot", if: "^( -[naN]| --version| --build-options| --hostdomain)+ $", level: "low" },
      { names: "dovecot", words: "~stop", level: "high" },
      // `-T` reads from each plugin once, also from those that run programs.
      { names: "collectd", if: "^( -t| -C /etc/\\S+)+ $", unless: "^( -C \\S+)+ $", level: "low" },
      { names: "mongofiles", if: " (list|search)( [\\w./-]+)? $", unless: " (put|get|delete)(_id)? ", level: "low" },
      { names: "mongofiles", if: " delete(_id)? ", level: "high" },
      { names: "bsondump", level: "low" },
      { names: "bsondump", does: "reads" },
      { names: "cbstats", level: "low",
        if: "^ [\\w.-]+:\\d+ (all|allocator|checkpoint|config|dcp|dcpagg|failovers|hash|items|kvstore|kvtimings|" +
          "memory|" +
          "runtimes|scheduler|tasks|timings|uuid|vbucket|vbucket-details|warmup|workload)( -b \\S+| -[aj])* $" },
      { names: "cbstats", words: "", reach: { kind: "service" } },
      { names: "seff", if: "^ \\d+(_\\d+)? $", level: "low" },
      { names: "condor_history", level: "low" },
      { names: "puppetserver", if: "^ ca list( --all)? $", level: "low" },
      { names: "puppetserver", if: "^ (ca (clean|revoke)|stop) ", level: "high" },
    ],
    match: { low: ["rq info --raw", "kong health", "dovecot -n", "collectd -t", "mongofiles -d app list", "seff 123",
      "cbstats 127.0.0.1:11210 all -b default", "bsondump /srv/x.bson", "puppetserver ca list --all"],
      medium: ["rq worker", "kong reload", "dovecot reload", "cbstats 127.0.0.1:11210 reset", "cmctl renew web"],
      high: ["kong stop", "puppetserver ca clean --certname x", "mongofiles -d app delete x"],
      block: ["bsondump /etc/shadow"] } },
  { id: "operate.pool", names: pcp, level: "low",
    options: { value: "-h -p -U -n --host --port --username --node-id" },
    rows: [{ words: "", reach: { kind: "service", options: { host: "-h --host" } } }],
    match: { low: ["pcp_node_info -h 127.0.0.1 -U admin -w -n 0"] } },
  { id: "operate.mqtt", names: "mosquitto_sub", level: "medium",
    options: { value: "-t -C -W -q -p -F -T -U -V -u -i -k --topic", host: "-h --host",
      secret: "-P --pw --key --psk", "path-read": "--cafile --cert" },
    rows: [
      { reach: { kind: "request", options: { host: "-h --host", "path-read": "-f --file" }, stdin: true } },
      { if: " (-C|-W|-E|--help)", unless: " (-t|--topic)[ =]?\\$share/| (-c|-U|--(remove-retained|retained-only|" +
        "unsubscribe|disable-clean-session|will-\\S+)) ", level: "low" },
    ],
    match: { low: ["mosquitto_sub -h localhost -t 'site/+/temp' -C 2 -W 5"],
      medium: ["mosquitto_sub -t x", "mosquitto_sub -t '$share/workers/jobs' -C 1"] } },
];
