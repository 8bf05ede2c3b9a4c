/** The host as a whole: power, processes, users, kernel, time. */
import type { Rule } from "../rule.ts";

export const hostRules: readonly Rule[] = [
  {
    id: "host.power",
    names: "reboot poweroff halt kexec telinit",
    level: "high",
    why: "downtime of the whole host",
    when: { low: "reboot_-w poweroff_-w halt_-w --wtmp-only" },
    examples: { low: ["reboot -w"], high: ["reboot", "poweroff -f", "telinit 6"] },
  },
  {
    id: "host.shutdown",
    names: "shutdown",
    level: "high",
    why: "downtime of the whole host",
    when: { medium: "-c" },
    examples: { high: ["shutdown -r now", "shutdown -h +1"], medium: ["shutdown -c"] },
  },
  { id: "host.init", names: "init", level: "high", examples: { high: ["init 0"] } },
  {
    id: "process.kill",
    names: "kill pkill killall killall5 skill snice",
    takes: "-s -n -u -U -g -G -P -t -o -y --signal --user --euid --pidfile -F --older-than --younger-than",
    check: "kill",
    examples: {
      low: ["kill -0 42", "kill -l"],
      medium: ["kill 4242", "pkill -USR1 rsyslogd"],
      high: ["kill -9 4242", "killall -KILL java"],
      block: ["kill -9 -1", "kill -9 1"],
    },
  },
  {
    id: "process.fuser",
    names: "fuser",
    level: "low",
    takes: "-n --namespace",
    flags: { high: "-k --kill" },
    examples: { low: ["fuser -v 80/tcp"], high: ["fuser -k 80/tcp"] },
  },
  { id: "process.lsof", names: "lsof", level: "low", examples: { low: ["lsof -i :8080", "lsof +L1"] } },
  {
    id: "process.perf",
    names: "perf",
    deep: { stat: { level: "low", takes: "-p -e -t -C -I -r -o", check: "carries", why: "counts events" } },
    takes: "-p -e -F -o -i -t -C",
    sub: {
      low: "stat top report list script annotate diff version",
      medium: "record trace probe mem sched lock kmem bench",
    },
    examples: { low: ["perf stat -p 42 sleep 1", "perf top"], medium: ["perf record -p 42", "perf stat /bin/sh"] },
  },
  { id: "process.nice", names: "renice", level: "medium", examples: { medium: ["renice -n 5 -p 42"] } },
  {
    id: "process.trace",
    names: "gdb gcore bpftrace bcc tcptop execsnoop opensnoop pystack py-spy rbspy async-profiler pstack eu-stack",
    level: "low",
    check: "bang",
    when: {
      medium: "gdb gcore record -e --dump",
      low: "stat top list report dump",
    },
    takes: "-p -F -e -o -ex -x --pid --command",
    examples: {
      low: ["py-spy dump --pid 42"],
      medium: ["gdb -p 42"],
    },
  },
  {
    id: "process.jvm",
    names: "jstack jmap jcmd jinfo jstat jps jhsdb jfr",
    level: "low",
    oneDash: true,
    when: {
      medium:
        "-dump* -flag -F GC.heap_dump* JFR.* VM.log* VM.set_flag ManagementAgent.* Compiler.* JVMTI.* record configure",
      low: "-histo* -heap print summary view metadata jstack jps jstat VM.version VM.flags Thread.print GC.heap_info JFR.check",
      high: "GC.run GC.run_finalization VM.command",
    },
    examples: {
      low: ["jstack 42", "jmap -histo 42", "jcmd 42 Thread.print", "jstat -gc 42"],
      medium: ["jmap -dump:file=/tmp/h.bin 42"],
      high: ["jcmd 42 GC.run"],
    },
  },
  {
    id: "user.change",
    names:
      "useradd adduser usermod groupadd addgroup groupmod gpasswd chsh chfn newusers pwconv grpconv loginctl-linger",
    level: "medium",
    flags: { high: "-G -g -aG -u -o --groups --uid --non-unique -s --shell -p --password" },
    why: "changes an account",
    examples: { medium: ["useradd bob"], high: ["usermod -aG sudo bob"] },
  },
  {
    id: "user.password",
    names: "passwd chpasswd vipw vigr visudo newgidmap",
    level: "high",
    when: {
      low: "passwd_-S passwd_--status visudo_-c visudo_--check visudo_-cf",
      high: "passwd_-d passwd_--delete passwd_--stdin",
    },
    examples: {
      low: ["passwd -S bob", "visudo -c"],
      high: ["passwd root", "passwd -l bob", "passwd -d -l bob", "chpasswd", "chpasswd -c SHA512"],
    },
  },
  {
    id: "user.chage",
    names: "chage faillock pam_tally2 faillog",
    level: "medium",
    takes: "-u --user -E -M -m -W -I -d",
    when: {
      low: "-l --list faillock faillog pam_tally2",
      medium:
        "--reset -r faillog_-m faillog_--maximum faillog_-l faillog_--lock-secs chage_-m chage_-M chage_-W chage_-I chage_-d chage_-E",
    },
    examples: { low: ["chage -l bob"], medium: ["chage -E 0 bob", "faillog -m 5"] },
  },
  {
    id: "user.delete",
    names: "userdel deluser groupdel delgroup",
    level: "high",
    why: "deletes an account",
    examples: { high: ["userdel -r olduser"] },
  },
  {
    id: "kernel.sysctl",
    names: "sysctl",
    asks: "--write --load --system",
    check: "sysctl",
    takes: "-p -f -r --load --pattern",
    examples: {
      low: ["sysctl -a", "sysctl net.core.somaxconn"],
      medium: ["sysctl -w net.core.somaxconn=1024", "sysctl vm.swappiness=10", "sysctl -p"],
      high: ["sysctl kernel.core_pattern='|/tmp/x'"],
    },
  },
  {
    id: "kernel.module",
    names: "modprobe",
    level: "medium",
    flags: { high: "-r --remove" },
    when: { low: "-n --dry-run --show-depends -D -c --showconfig -n --dry-run --show-depends" },
    examples: { medium: ["modprobe br_netfilter"], high: ["modprobe -r e1000"] },
  },
  {
    id: "kernel.module-load",
    names:
      "insmod rmmod depmod kmod update-initramfs dracut mkinitcpio grub-install update-grub grub-mkconfig grub2-mkconfig grubby bootctl",
    level: "high",
    when: {
      low: "kmod_list bootctl_list bootctl_status bootctl_is-installed bootctl_-p grubby_--info grubby_--info=* grubby_--default-* --version",
      medium: "update-initramfs update-grub depmod dracut -u grub-mkconfig grub2-mkconfig",
      high: "bootctl_install bootctl_remove bootctl_update bootctl_unlink bootctl_cleanup bootctl_set-* grubby_--set-default* grubby_--update-kernel* grubby_--remove-* grubby_--add-kernel* grubby_--args*",
    },
    examples: {
      low: ["grubby --info=ALL", "bootctl status"],
      high: [
        "rmmod e1000",
        "rmmod -v e1000",
        "grubby --update-kernel=ALL --args=x --info=ALL",
        "insmod x.ko",
        "grub-install -v /dev/sda",
      ],
    },
  },
  {
    id: "kernel.efi",
    names: "efibootmgr",
    level: "low",
    flags: {
      high: "-a --active -A --inactive -B --delete-bootnum -c --create -C --create-only -D --remove-dups -n --bootnext -N --delete-bootnext -o --bootorder -O --delete-bootorder -t --timeout -T --delete-timeout -m --mirror-below-4G",
    },
    why: "lists or changes what the host starts from",
    examples: { low: ["efibootmgr -v"], high: ["efibootmgr -v -B -b 0001"] },
  },
  {
    id: "kernel.dkms",
    names: "dkms",
    takes: "-m -v -k -a -c",
    sub: { low: "status", high: "remove uninstall unbuild" },
    examples: { low: ["dkms status"], medium: ["dkms autoinstall"], high: ["dkms remove x/1 --all"] },
  },
  {
    id: "kernel.dmesg",
    names: "dmesg",
    level: "low",
    takes: "-n -s -l -f -F --level --facility",
    flags: { block: "-C -c --clear --read-clear", medium: "-n -D -E --console-level --console-off" },
    examples: { low: ["dmesg -T", "dmesg -l err"], block: ["dmesg -C"] },
  },
  {
    id: "kernel.sepolicy",
    names: "setenforce semanage setsebool aa-disable aa-complain aa-teardown apparmor_parser semodule aa-enforce",
    level: "high",
    when: {
      low: "-l --list",
      high: "-a -d -D -m -i -r -e --add --delete --deleteall --modify --import --install --remove",
    },
    why: "changes the mandatory access control",
    examples: { high: ["setenforce 0"], low: ["semanage port -l"] },
  },
  {
    id: "audit.control",
    names: "auditctl augenrules",
    level: "high",
    takes: "--signal",
    when: {
      low: "-l -s --check",
      block: "-D --signal=stop",
      medium: "-v -m",
      high: "-a -A -d -w -W -r -b -f -R -c -i -t --signal --loginuid-immutable --reset-lost",
    },
    check: "audit",
    examples: {
      low: ["auditctl -l", "auditctl -s"],
      block: ["auditctl -e 0", "auditctl -D", "auditctl --signal stop -l"],
      high: ["auditctl -w /etc -p wa"],
    },
  },
  {
    id: "session.screen",
    names: "screen tmux dtach byobu",
    check: "multiplexer",
    examples: { low: ["screen -ls", "tmux ls"], medium: ["tmux attach"], block: ["tmux new-session -d 'rm -rf /'"] },
  },
  {
    id: "host.terminal",
    names: "stty setterm tset resize loadkeys setfont",
    level: "low",
    examples: { low: ["stty -a"] },
  },
  {
    id: "host.racadm",
    names: "racadm",
    takes: "-r -u -p -g -o -i",
    sub: {
      low: "get* lclog_view gettracelog help ifconfig netstat ping arp swinventory hwinventory vflashsd_status",
      high: "serveraction* racreset* systemerase* jobqueue_delete raid",
      block: "clrsel lclog_clear clrraclog",
    },
    deep: {
      get: { level: "low", takes: "-t -f -c", writes: "-f" },
      getconfig: { level: "low", takes: "-f -g -o -i -u", writes: "-f" },
    },
    noSub: "medium",
    examples: {
      low: ["racadm getsel", "racadm -r bmc1 -u root -p x getsysinfo"],
      medium: ["racadm set iDRAC.NIC.x 1", "racadm get -t xml -f /tmp/settings.xml"],
      high: ["racadm serveraction powercycle"],
      block: ["racadm clrsel"],
    },
  },
  {
    id: "host.efi",
    names: "ipmitool ipmi-sensors bmc-info",
    when: {
      low: "sdr sel fru lan mc list info elist status print sensor",
      medium: "identify",
      high: "reset cycle off soft on diag bootdev set user raw policy",
      block: "clear",
    },
    level: "low",
    examples: {
      medium: ["ipmitool chassis identify 15"],
      low: ["ipmitool sdr list", "ipmitool sel list"],
      high: ["ipmitool power cycle"],
      block: ["ipmitool sel clear"],
    },
  },
];
