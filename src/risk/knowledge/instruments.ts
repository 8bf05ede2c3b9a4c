/** Instruments: programs that measure, list or check, by package, and the few words that make one more than that. */
import type { Program } from "../program.ts";
import { listens, mailer, networkProbe, traces } from "./facts.ts";

/** The tools of bcc, which Debian and Fedora install under names of their own. */
// biome-ignore format: filled to the width
const tracers =
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
  "ustat uthreads vfscount vfsstat virtiostat wakeuptime xfsdist xfsslower zfsdist zfsslower";

// biome-ignore format: filled to the width
export const instrumentRules: readonly Program[] = [
  { id: "look.tracers", names: 
      `${tracers} ` +
      `${`${tracers} execsnoop opensnoop tcptop`.replaceAll(/\S+/g, "$&-bpfcc")}`, level: "low",
    rows: [{ names: "biosnoop tcplife", ...traces }],
    match: { low: ["biolatency 5 1", "tcplife-bpfcc -p 42"] } },
  { id: "look.system",
    names: "pinky hostid ptx dircolors col colcrt colrm ul fincore findfs getopt irqtop isosize lsclocks lsfd " +
      "lsirq mcookie utmpdump uuidgen uuidparse wdctl prtstat pslog cifsiostat sadf tapestat ctstat rtacct rtmon " +
      "getpcaps pldd sprof systemd-ac-power systemd-id128 lastlog2 acpidump cpuid edac-util hddtemp i2cdetect " +
      "intel_gpu_top nvtop powertop radeontop rdmsr lsscsi sg_inq sg_logs sg_map sg_scan sg_vpd sg_luns " +
      "sg_opcodes sg_readcap sg_ses sg_turs usb-devices vainfo vulkaninfo glxinfo ibstat ibstatus ibv_devinfo " +
      "ibv_devices iblinkinfo ibnetdiscover perfquery opainfo tpm2_getcap tpm2_pcrread lstopo hwloc-ls x86info " +
      "dmicheck decode-dimms spd-decode pveversion pveperf xentop esxtop virt-top virt-df virt-ls " +
      "virt-filesystems virt-inspector virt-log virt-host-validate virt-what-cvm kvm-ok lxc-checkconfig lxc-top " +
      "ctop dry dockviz cadvisor squeue sinfo sacct sprio sshare sstat sdiag sreport qstat condor_q " +
      "condor_status bjobs bhosts bqueues showq pestat shasum zdump infocmp tabs getfattr md5deep sha256deep " +
      "hashdeep rhash xxhsum xxh64sum b3sum crc32 bzcmp bzdiff bzfgrep lzcat lzmore lzless xzless xzmore xzcmp " +
      "xzdiff zstdless zstdgrep lzgrep xzegrep xzfgrep rgrep zfgrep json_pp jless jid hq tidy xmlwf numsum " +
      "datamash vd csvjson csvsort csvgrep q-text angle-grinder ccat vimcat chroma pygmentize debconf-show " +
      "dpkg-parsechangelog pkg-config pkgconf apt-rdepends deborphan apt-forktracer check-support-status " +
      "debsecan repoquery repodiff equery eix qlist pkginfo lslk vercheck lsdev procinfo procenv pcp pminfo " +
      "pmstat pmval pmrep atopsar sysdig csysdig bpftop above below iptraf-ng tcptrack bandwhich doggo q dnstop " +
      "dnsperf unbound-host dnstracer dnswalk named-rrchecker zonemaster-cli kzonecheck nsd-checkconf " +
      "nsd-checkzone ipv6calc subnetcalc prips aggregate cidrgrep snmptable snmpstatus snmptranslate snmpbulkget " +
      "snmpdf snmpnetstat wbinfo smbtree kvno ldapcompare ldapurl slapacl slapauth slapschema ipa-healthcheck " +
      "exigrep exiqgrep exinext exiwhat exipick mailstats opendkim-testkey opendkim-testmsg sieve-test spamc " +
      "spfquery checkdmarc clamdtop redis-check-rdb valkey-check-rdb pg_top pg_amcheck pg_verifybackup " +
      "mysqltuner mysqltuner.pl sstablemetadata sstableutil cbstats tdbdump ldbsearch mysql_config es2csv javap " +
      "jdeps gcviewer terraform-docs tflint tfsec checkov infracost terrascan hadolint kube-score shellcheck " +
      "yamllint jsonlint actionlint semgrep bandit gitleaks trufflehog lychee promlens spectral check_ping " +
      "check_http check_disk check_load check_procs check_tcp check_ssh check_ntp check_dns check_users " +
      "check_swap check_mysql check_pgsql check_smtp check_snmp",
    level: "low",
    rows: [
      { names: "tidy", if: " -(m|modify|o|output) ", level: "medium", why: "writes what it tidies" },
      { names: "rtmon", if: " file \\S+ ", level: "medium", why: "writes what it sees" },
      { names: "powertop vulkaninfo", if: " --?(html|csv)\\b", level: "medium", why: "writes a report" },
      { names: "lstopo", if: " [\\w./-]*[./]\\S* ", level: "medium", why: "draws to a file" },
      { does: "read" },
      { names: "doggo q dnsperf unbound-host dnstracer dnswalk zonemaster-cli snmptable snmpstatus snmpbulkget " +
        "snmpdf snmpnetstat check_ping check_http check_tcp check_ssh check_ntp check_dns check_smtp check_snmp " +
        "spfquery",
        reach: { kind: "lookup", operands: "hosts", options: { host: "-h --host -H -t" } } },
      { names: "trufflehog lychee semgrep checkov infracost wbinfo smbtree", reach: { kind: "service" } },
      { names: "powertop",
        ends: { ends: "-b -n -o --once -1 -w -V -r", does: "it never ends", instead: "top -b -n 1" } },
      { names: "sysdig", ...traces },
      { names: "rtmon", ends: { does: "it never ends" } },
      { names: "rgrep", is: "walks" },
      { names: "sdiag", words: "-r --reset", level: "high", why: "clears its counters" },
    ],
    match: { low: ["squeue -u bob", "getfattr -d /srv/x", "check_http -H localhost"], medium: ["tidy -m x.html"],
      high: ["sdiag --reset"], block: ["shasum /etc/shadow"] } },
  { id: "look.changes",
    names: "fallocate fsfreeze hardlink blockdev chcpu chmem swaplabel rtcwake eject i2cget i2cdump i2cset " +
      "setpci wrmsr x86_energy_perf_policy ledctl mstflint mlxlink rocm-smi xpu-smi sas2ircu tw_cli bpftool tlp " +
      "cpufreq-set cpufreq-info",
    level: "medium", options: { value: "-q -i -d -s -t -n -o" },
    rows: [
      { names: "i2cget i2cdump cpufreq-info", level: "low" },
      { words: "--list --report --get* ~list ~show ~dmon ~pmon ~topo ~dump ~perf ~net ~version ~query ~LIST " +
        "~DISPLAY ~display --showall --showuse --showtemp",
        level: "low" },
      { names: "rocm-smi", words: "-a", level: "low" },
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
    names: "pv stress stress-ng sysbench bonnie++ mosquitto_sub dbus-monitor acpi_listen aide tripwire lynis " +
      "rkhunter chkrootkit stap trace-cmd masscan zmap netdiscover finger findstr uudecode GET gnutls-cli rdfind " +
      "fdupes slackcat s-nail msmtp ssmtp mpack s4cmd b2",
    known: false,
    rows: [
      { names: "mosquitto_sub",
        reach: { kind: "request", options: { host: "-h --host", "path-read": "-f --file" }, stdin: true } },
      { names: "gnutls-cli", reach: { kind: "request", operands: "hosts", stdin: true } },
      { names: "masscan zmap", ...networkProbe },
      { names: "finger", reach: { kind: "lookup", operands: "hosts", options: { host: "-h --host" } } },
      { names: "s-nail msmtp ssmtp mpack", ...mailer },
      { names: "s4cmd b2", reach: { kind: "account", options: { host: "--endpoint-url --endpoint" } } },
      { names: "stap trace-cmd", ...traces },
      { names: "mosquitto_sub", ...listens },
      { names: "dbus-monitor acpi_listen", ends: { does: "it never ends" } },
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
