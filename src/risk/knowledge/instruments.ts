/** Instruments: programs that measure, list or check, by package, and the few words that make one more than that. */
import type { Program } from "../program.ts";
import { elsewhere, mailer, networkProbe, signsIn } from "./facts.ts";

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
      "getpcaps pldd sprof systemd-ac-power systemd-id128 lastlog2 acpidump cpuid edac-util hddtemp i2cdetect " +
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
          "/(restart|reload|start|stop|shutdown|delete|reset)\\b)" },
      { does: "read" },
      { names: "doggo q unbound-host dnstracer dnswalk zonemaster-cli tnsping upsc snmptable snmpstatus " +
        "snmpbulkget " +
        "snmpdf snmpnetstat check_ping check_http check_tcp check_ssh check_ntp check_dns check_smtp check_snmp " +
        "check_icmp check_ntp_time check_ntp_peer check_mysql check_pgsql spfquery checkdmarc",
        reach: { kind: "lookup", operands: "hosts", options: { host: "-h --host -H -t" } } },
      { names: "trufflehog semgrep wbinfo smbtree", reach: { kind: "service" } },
      { names: "pg_amcheck mysqltuner mysqltuner.pl pt-duplicate-key-checker",
        reach: { kind: "service", options: { host: "-h --host" } } },
      { names: "pt-duplicate-key-checker pt-index-usage pt-config-diff", if: "[ ,]h=(?!localhost|127\\.)",
        level: "medium",
        why: "asks another host" },
      { names: "rgrep", is: "walks" },
      { names: "sdiag", words: "-r --reset", level: "high", why: "clears its counters" },
    ],
    match: { low: ["squeue -u bob", "getfattr -d /srv/x", "check_http -H localhost"], medium: ["tidy -m x.html"],
      high: ["sdiag --reset"], block: ["shasum /etc/shadow"] } },
  { id: "look.scsi", names: "sg_inq sg_logs sg_map sg_scan sg_vpd sg_luns sg_opcodes sg_readcap sg_ses sg_turs",
    level: "low", why: "asks a device what it is",
    rows: [
      { does: "stat" },
      { names: "sg_logs sg_ses sg_turs", level: "high", why: "changes or loads the device",
        if: " (-\\w*[rRSCDdn]\\w*|--(reset|select|control|set|clear|data|start|number|nickname|progress))[ =]" },
    ],
    match: { low: ["sg_inq /dev/sdc", "sg_readcap /dev/sdc"], high: ["sg_logs --reset /dev/sdc"] } },
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
  { id: "look.images", names: "crane regctl",
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
      { names: "smbclient", words: "-L --list", level: "low" },
      { names: "smbclient", words: "-c --command", level: "medium" },
      { names: "kdestroy", level: "high" },
      { words: "--remove -x --delete --clear", level: "high" },
      { names: "smbclient",
        reach: { kind: "lookup", operands: "hosts", options: { host: "-L --list -I --ip-address" } } },
      { names: "clamscan", ends: { does: "it reads the whole file system" } },
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
    names: "reset pv stress stress-ng sysbench bonnie++ dbus-monitor acpi_listen aide tripwire lynis " +
      "rkhunter chkrootkit stap masscan zmap netdiscover finger findstr uudecode GET gnutls-cli rdfind " +
      "fdupes slackcat s-nail msmtp ssmtp mpack s4cmd b2",
    known: false,
    rows: [
      { names: "gnutls-cli", reach: { kind: "request", operands: "hosts", stdin: true } },
      { names: "masscan zmap", ...networkProbe },
      { names: "finger", reach: { kind: "lookup", operands: "hosts", options: { host: "-h --host" } } },
      { names: "s-nail msmtp ssmtp mpack", ...mailer },
      { names: "s4cmd b2", reach: { kind: "account", options: { host: "--endpoint-url --endpoint" } } },
      { names: "stress stress-ng sysbench bonnie++", ends: { does: "it loads what it measures" } },
      { names: "aide tripwire lynis rkhunter chkrootkit", ends: { does: "it reads the whole file system" } },
      { names: "masscan zmap", ends: { does: "it sends packets to a whole network", instead: "nmap -p 22,443 HOST" } },
      { names: "netdiscover", ends: { does: "it sends packets to a whole network" } },
      { names: "findstr", exit: { 1: "no match" } }, { names: "rdfind fdupes", is: "walks" },
      { names: "pv", prints: "passing" }, { names: "uudecode", prints: "decoding" }, { names: "GET", prints: "remote" },
      { names: "slackcat", is: "text" }, { names: "gnutls-cli", is: "client" },
    ],
    match: { medium: ["stress-ng --cpu 2", "finger bob"] } },
];
