/** Programs that only read, whatever their options are, and the few options that make them more than that. */
import type { Rule } from "../rule.ts";

export const readerRules: readonly Rule[] = [
  {
    id: "read.man",
    names: "man",
    level: "low",
    operands: "read",
    takes: "-P -H -M -s -S -k",
    execs: "-P --pager -H --html",
    examples: { low: ["man dd"], block: ["man -P 'rm -rf /' ls"] },
  },
  {
    id: "read.content",
    names:
      "cat tac nl head tail more less most bat batcat strings od hexdump hd wc cksum md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum sum " +
      "zcat zless zmore bzcat xzcat zstdcat lz4cat cut paste join comm cmp diff diff3 sdiff colordiff fold fmt expand unexpand pr column tsort look iconv rev base32 basenc " +
      "zdiff zcmp jc ccze lnav goaccess multitail csvlook csvcut csvstat mlr xmllint hexyl glow mdcat readelf objdump nm ldd",
    level: "low",
    takes: "-n -c -s -d -f -t -w -b -k -m -j -A -N -v -L -C -D -I -U -F -S -o --lines --bytes --delimiter --fields",
    operands: "read",
    examples: {
      low: [
        "cat /etc/os-release",
        "tail -n 200 /var/log/nginx/error.log",
        "wc -l < /var/log/messages",
        "diff -u a.conf b.conf",
      ],
      high: ["cat /root/.aws/credentials"],
      block: ["cat /etc/shadow", "head -1 /root/.ssh/id_rsa", "cat /etc/sha*"],
    },
  },
  {
    id: "read.two",
    names: "uniq xxd lwp-download",
    level: "low",
    takes: "-f -s -w -c -l -o -g -n",
    when: { medium: "lwp-download" },
    operands: "read",
    check: "secondWritten",
    examples: { low: ["uniq -c x.txt", "xxd x.bin"], high: ["uniq x /etc/passwd"], block: ["xxd -r x.hex /dev/sda"] },
  },
  {
    id: "read.pidstat",
    names: "pidstat",
    level: "low",
    flags: { medium: "-e" },
    check: "carries",
    examples: { low: ["pidstat -d 1 5"], medium: ["pidstat -e /bin/sh"] },
  },
  {
    id: "read.base64",
    names: "base64",
    level: "low",
    takes: "-w --wrap",
    writes: "-o --output",
    operands: "read",
    examples: { low: ["base64 /etc/hostname"], block: ["base64 /etc/shadow"] },
  },
  {
    id: "read.search",
    names: "grep egrep fgrep zgrep zegrep bzgrep xzgrep ag ack ugrep pcregrep pcre2grep",
    level: "low",
    takes:
      "-e -f -A -B -C -m -d -D --regexp --file --after-context --before-context --context --max-count --include --exclude --exclude-dir --color --label --binary-files",
    flags: { medium: "--pager" },
    operands: "pattern-read",
    examples: {
      low: ['grep -n "rm -rf /" /opt/scripts/cleanup.sh', "zgrep -i timeout /var/log/syslog.2.gz"],
      block: ["grep root /etc/shadow"],
    },
  },
  {
    id: "read.rg",
    names: "rg",
    level: "low",
    takes: "-e -f -A -B -C -m -g -t -T -j -M -r -E --regexp --file --glob --type --max-count --context --sort --iglob",
    execs: "--pre --hostname-bin",
    operands: "pattern-read",
    examples: { low: ["rg -n Cargo.toml"], medium: ["rg --pre=pwned pattern files"] },
  },
  {
    id: "read.metadata",
    names:
      "ls dir vdir stat du df tree readlink realpath basename dirname pwd lsattr getfacl namei exa eza lsd test [ [[ getcap ncdu duf dust pathchk mountpoint findmnt lsblk blkid filefrag whereis which type locate mlocate plocate",
    level: "low",
    operands: "stat",
    flags: { high: "--exec" },
    examples: { low: ["ls -la /etc/nginx/conf.d/", "du -sh /var/*", "stat /etc/shadow", "test -f /etc/app.conf"] },
  },
  {
    id: "read.getent",
    names: "getent",
    level: "low",
    when: { block: "shadow gshadow" },
    examples: { low: ["getent hosts api.internal"], block: ["getent shadow root"] },
  },
  {
    id: "read.file",
    names: "file",
    level: "low",
    takes: "-F -e -P --separator --exclude --parameter",
    reads: "-f -m --files-from --magic-file",
    flags: { medium: "-C --compile" },
    examples: { low: ["file -L /usr/bin/true"], block: ["file -f /etc/shadow"] },
  },
  {
    id: "read.system",
    names:
      "logread klist stern kubetail kail sealert passenger-status passenger-memory-stats systemd-resolve systemd-escape resolvectl-status lttng-list uptime free vmstat iostat mpstat sar ps pstree pgrep pidof top htop atop btop glances iotop iftop nethogs slabtop w who whoami id groups users last lastlog lastb logname tty uname arch nproc lscpu lspci lsusb lsmem lshw lsmod modinfo lsns lslocks lsipc ipcs lslogins numastat dmidecode sensors acpi getconf locale " +
      "cal ncal printenv tload pmap pwdx peekfd dstat nmon collectl hwinfo inxi nstat rtstat lnstat ifstat vnstat bmon smem turbostat cpupower perf-report biosdecode lsinitramfs lsinitrd needs-restarting checkrestart needrestart neofetch fastfetch screenfetch lsb_release runlevel systemd-detect-virt virt-what faillock-list sestatus getenforce getsebool aa-status apparmor_status auditstat aureport ausearch mcelog rasdaemon ras-mc-ctl numad-status",
    level: "low",
    takes: "-n -o -p -u -d -C -U -G -t -s -b",
    flags: { medium: "--clear" },
    examples: {
      low: ["uptime", "ps aux --sort=-%mem", "top -b -n 1", "lscpu", "id -u postgres", "pgrep -fl gunicorn"],
    },
  },
  {
    id: "read.text",
    names:
      "echo printf true false : yes seq sleep date-only expr bc dc factor numfmt shuf tput clear reset stty-size figlet cowsay",
    level: "low",
    examples: { low: ["echo 'rm -rf /'", "printf '%s\\n' hello", "sleep 5", "seq 1 10"] },
  },
  {
    id: "read.sleep",
    names:
      "wait jobs times caller help dirs compgen complete bind ulimit umask return exit logout break continue shift getopts let local declare typeset readonly export hash fg bg disown suspend read mapfile readarray cd pushd popd info apropos whatis tldr",
    level: "low",
    examples: { low: ["cd /var/log", "export LANG=C", "wait"] },
  },
  {
    id: "read.settings",
    names: "set shopt unset",
    level: "low",
    when: { high: "HISTFILE HISTSIZE history PROMPT_COMMAND" },
    examples: { low: ["set -euo pipefail", "shopt -s nullglob"], high: ["unset HISTFILE", "set +o history"] },
  },
  {
    id: "read.sort",
    names: "sort",
    level: "low",
    takes:
      "-k -t -S -T --key --field-separator --buffer-size --temporary-directory --parallel --batch-size --files0-from",
    writes: "-o --output",
    execs: "--compress-program",
    operands: "read",
    examples: {
      low: ["sort -rn -k2 x.txt"],
      high: ["sort -o /etc/hosts x"],
      medium: ["sort --compress-program=foo x"],
    },
  },
  { id: "read.tr", names: "tr", level: "low", examples: { low: ["tr -d '\\r'"] } },
  {
    id: "read.date",
    names: "date",
    level: "low",
    takes: "-d -f -r --date --file --reference",
    reads: "-f --file",
    flags: { high: "-s --set" },
    examples: { low: ["date -u", "date -d '2 hours ago' +%s"], high: ["date -s '2020-01-01'"] },
  },
  {
    id: "read.hostname",
    names: "hostname",
    takes: "-F --file",
    flags: { medium: "-F -b --file --boot" },
    sub: { medium: "*" },
    noSub: "low",
    examples: { low: ["hostname -f"], medium: ["hostname web-9"] },
  },
  {
    id: "read.json",
    names: "jq yq xq tomlq gron fx dasel htmlq pup xmlstarlet",
    level: "low",
    takes: "--arg --argjson --indent --tab --slurpfile --rawfile -f --from-file -L",
    flags: { medium: "-i --inplace --in-place" },
    operands: "pattern-read",
    examples: { low: ["jq -r '.items[].name' x.json"], medium: ["yq -i '.a = 1' x.yml"] },
  },
  {
    id: "read.split",
    names: "split csplit",
    level: "medium",
    execs: "--filter",
    examples: { medium: ["split -b 10M big.bin"] },
  },
  {
    id: "read.awk",
    names: "awk gawk mawk nawk original-awk",
    takes: "-F -v -f -e -i -l --field-separator --assign --file --source --include --load",
    check: "awk",
    examples: {
      low: ["awk '{print $1}' x.log"],
      block: ["awk 'BEGIN{system(\"rm -rf /\")}'"],
      high: ["awk '{print > \"/etc/hosts\"}' x"],
    },
  },
  {
    id: "read.sed",
    names: "sed gsed ssed",
    takes: "-e -f -l --expression --file --line-length",
    asks: "--in-place",
    check: "sed",
    examples: {
      low: ["sed -n '100,120p' /etc/nginx/nginx.conf", "sed 's/a/b/g;s,/x,/y,' f"],
      medium: ["sed -i 's/a/b/' /etc/nginx/nginx.conf"],
      high: ["sed 'e' /etc/hostname"],
    },
  },
  {
    id: "read.find",
    names: "find",
    check: "find",
    examples: {
      low: ["find /var/log -name '*.log' -size +100M"],
      high: ["find /var/backups -mtime +30 -delete"],
      block: ["find / -delete"],
    },
  },
  {
    id: "read.fd",
    names: "fd fdfind",
    level: "low",
    execs: "-x -X --exec --exec-batch",
    flags: { high: "-x -X --exec --exec-batch" },
    check: "fd",
    examples: { low: ["fd -e log"], high: ["fd -e tmp -x rm"], block: ["fd . / -x rm -rf"] },
  },
];
