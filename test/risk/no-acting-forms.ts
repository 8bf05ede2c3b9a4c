import { words } from "../../src/risk/engine/options.ts";

/** Tracers that print what the kernel does: none of their options writes, runs or sends. */
const tracers =
  "biolatency biopattern biosnoop biotop bitesize bpflist btrfsdist btrfsslower cachestat cachetop cobjnew " +
  "compactsnoop cpudist cpuunclaimed criticalstat cthreads dbstat dcsnoop dcstat deadlock drsnoop exitsnoop " +
  "ext4dist ext4slower filelife fileslower funcinterval funclatency funcslower gethostlatency hardirqs javacalls " +
  "javaflow javagc javastat javathreads killsnoop klockstat kvmexit llcstat mdflush memleak mountsnoop " +
  "mysqld_qslower capable argdist dbslower dirtop filetop funccount execsnoop";

/** Builtins and programs that print what they are asked about, whatever they are given. */
const printers =
  "[ a2query acpi apparmor_status apropos apt-forktracer aptitude-search arch augtool-print avahi-browse " +
  "avahi-resolve avcstat basename beegfs-df biosdecode bjobs break cal caller capinfos check-support-status " +
  "cifsiostat continue cpuid ctstat dctrl-tools decode-dimms dirname dirs dmicheck dnsget dnswalk doggo factor " +
  "fincore getenforce getopts getpcaps getsebool glxinfo grep-status groups hostid ibstat ibstatus ibv_devices " +
  "ibv_devinfo ipv6calc isosize kvm-ok locale lpq lsclocks lsmod lxc-checkconfig mlocate mmgetstate mmlscluster " +
  "mmlsconfig mmlsdisk mmlsfileset mmlslicense mmlsmount mmlsnode mmlsnsd mmlspolicy mmlspool mmlsquota " +
  "mmlssnapshot modinfo";

/** Programs that can be low and have no form that acts. */
export const withoutActingForms: ReadonlySet<string> = new Set(words(`${tracers} ${printers}`));
