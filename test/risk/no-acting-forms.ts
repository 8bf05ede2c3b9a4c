import { words } from "../../src/risk/engine/options.ts";

/** Tracers that print what the kernel does: none of their options writes, runs or sends. */
const tracers =
  "biolatency biopattern biosnoop biotop bitesize bpflist btrfsdist btrfsslower cachestat cachetop cobjnew " +
  "compactsnoop cpudist cpuunclaimed criticalstat cthreads dbstat dcsnoop dcstat deadlock drsnoop exitsnoop " +
  "ext4dist ext4slower filelife fileslower funcinterval funclatency funcslower gethostlatency hardirqs javacalls " +
  "javaflow javagc javastat javathreads killsnoop klockstat kvmexit llcstat mdflush memleak mountsnoop " +
  "mysqld_qslower capable argdist dbslower dirtop filetop funccount execsnoop netqtop nfsdist nfsslower nodegc " +
  "offcputime offwaketime oomkill opensnoop phpcalls pidpersec ppchcalls pythoncalls rdmaucma readahead rubycalls " +
  "runqlat runqlen runqslower shmsnoop slabratetop sofdsnoop softirqs solisten statsnoop swapin syncsnoop syscount " +
  "tclcalls tcpaccept tcpcong tcpconnect tcpconnlat tcpdrop tcplife tcpretrans tcprtt tcpstates tcpsubnet tcpsynbl " +
  "tcptop tcptracer threadsnoop tplist ucalls uflow ugc uobjnew ustat uthreads vfscount vfsstat virtiostat " +
  "wakeuptime xfsdist xfsslower zfsdist zfsslower biolatency-kp biostacks cpuwalk loads naptime setuids ssllatency writeback";

/** Builtins and programs that print what they are asked about, whatever they are given. */
const printers =
  "[ a2query acpi apparmor_status apropos apt-forktracer aptitude-search arch augtool-print avahi-browse " +
  "avahi-resolve avcstat basename beegfs-df biosdecode bjobs break cal caller capinfos check-support-status " +
  "cifsiostat continue cpuid ctstat dctrl-tools decode-dimms dirname dirs dmicheck dnsget dnswalk doggo factor " +
  "fincore getenforce getopts getpcaps getsebool glxinfo grep-status groups hostid ibstat ibstatus ibv_devices " +
  "ibv_devinfo ipv6calc isosize kvm-ok locale lpq lsclocks lsmod lxc-checkconfig mlocate mmgetstate mmlscluster " +
  "mmlsconfig mmlsdisk mmlsfileset mmlslicense mmlsmount mmlsnode mmlsnsd mmlspolicy mmlspool mmlsquota " +
  "mmlssnapshot modinfo named-checkconf namei named-rrchecker ncal nethogs nfsiostat nl nproc nslookup ntpstat ntptrace " +
  "numad-status numfmt numsum nvtop opainfo opendkim-testmsg passenger-memory-stats passenger-status paste pathchk " +
  "perf-report pestat pg_config pg_lsclusters pg_verifybackup pidof ping6 pinky pkginfo plocate pmstat popd prips " +
  "procinfo prtstat pslog pstree pup pushd pvdisplay pveversion pwd pwdx q-text qlist qstat rc-status readlink realpath " +
  "redis-check-rdb resolveip rev rgrep rpm2cpio runlevel s6-svdt s6-svstat selinuxexeccon seq sestatus sestatus-db " +
  "sha1sum sha224sum sha256sum sha384sum sha512sum shasum shift shopt showmount showq sipcalc slabtop snapd-ctl spd-decode sprio " +
  "sshare sstat subnetcalc systemd-ac-power systemd-delta systemd-detect-virt systemd-escape systemd-path tabs tapestat " +
  "tcptraceroute tcptrack times tload tnsping tracepath traceroute traceroute-nanog traceroute6 tsort tty ulimit umask " +
  "unexpand upower upsc usb-devices uuidparse valkey-check-rdb varnishstat vgdisplay virt-what virt-what-cvm vmstat wdctl " +
  "arc_summary ipmi-fru tuptime uprecords nagiostats naemonstats lscss lsdasd lsqeth lszfcp lszcrypt lsreipl lschp " +
  "lstape lsshut lsscm lszdev lscpumf lparstat lsslot lsvpd lsmcode lsprop lscfg ibhosts ibswitches ibnodes ibrouters " +
  "sminfo smpquery saquery whisper-info whisper-fetch whisper-dump whisper-info.py whisper-fetch.py whisper-dump.py " +
  "lastcomm dump-acct ac dump-utmp pcp_node_count pcp_node_info pcp_proc_count pcp_proc_info " +
  "pcp_health_check_stats pcp_watchdog_info halog ftwho ftpcount linux-version nfs4_getfacl quotastats ifplugstatus ibtracert " +
  "check_cluster check_dummy check_file_age " +
  "whatis whatmask whereis which xxh64sum xzcmp xzegrep xzfgrep zcmp zfgrep zipinfo";

/** Programs that can be low and have no form that acts. */
export const withoutActingForms: ReadonlySet<string> = new Set(words(`${tracers} ${printers}`));
