/** Programs that only read, whatever their options are, and the few options that make them more than that. */
import type { Program } from "../program.ts";
import { listens, repeats } from "./facts.ts";

/** Words for which a whole folder is searched by who looks for keys, and options that show no line. */
const secretSearch =
  " (?!-\\w|--(?:in|ex)clude|/)\\S*(?i:(?<![a-z]_)(?<![a-z])pass(?:word|wd|phrase)?s?\\b|passw(?:or)?d|secret|credential|" +
  "(?:api|private|access)[-_␠]?key|auth[-_␠]?token|begin␠(?:rsa|openssh|ec|pgp))";
const showsNames = " (-[a-zA-Z]*[lLcq][a-zA-Z]*|--files-with(out)?-match(es)?|--count|--quiet|--silent) ";
const searches = "shows every line below that speaks of a secret";

// biome-ignore format: filled to the width
export const readerRules: readonly Program[] = [
  { id: "read.man", names: "man", level: "low", operands: "read",
    options: { value: "-M -s -S -k", argv: "-P --pager -H --html" }, traits: [{ is: "names" }],
    match: { low: ["man dd"], block: ["man -P 'rm -rf /' ls"] } },
  { id: "read.recode", names: "iconv", level: "low", operands: "read",
    options: { value: "-f -t --from-code --to-code", "path-write": "-o --output" },
    match: { low: ["iconv -f latin1 -t utf8 x.txt"], medium: ["iconv -t utf8 x.txt -o /tmp/y.txt"],
      block: ["iconv /etc/shadow"] } },
  { id: "read.content", names: "cat tac nl head tail more less most bat batcat strings od hexdump hd wc cksum md5sum " +
    "sha1sum sha224sum sha256sum sha384sum sha512sum b2sum sum zcat zless zmore bzcat " +
    "xzcat zstdcat lz4cat cut paste join comm cmp diff diff3 sdiff colordiff fold fmt " +
    "expand unexpand pr column tsort look rev base32 basenc zdiff zcmp jc ccze " +
    "goaccess csvlook csvcut csvstat xmllint hexyl glow mdcat readelf " + "objdump nm ldd", level: "low",
    operands: "read",
    options: { value: "-n -c -s -d -f -t -w -b -k -m -j -A -N -v -L -C -D -I -U -F -S -o --lines --bytes " +
    "--delimiter --fields" }, traits: [{ names: "cat head tail wc cut rev", is: "plain" }], unbounded: [{ names: "tail",
    endless: "-f -F --follow --retry", does: "tail -f never ends", instead: "tail -n 100" }, { names: "less more most",
    endless: "+F", does: "a pager waits", instead: "tail -n 100" }], prints: [{ names: "cat", as: "reading" },
    { names: "zcat bzcat xzcat", as: "decoding" }, { names: "tac", as: "tac" }, { names: "cut", as: "cut" },
    { names: "head", as: "head" }, { names: "tail", as: "tail" }, { names: "base32", as: "base32" },
    { names: "basenc", as: "basenc" }, { names: "rev", as: "rev" }],
    exits: [{ names: "diff zdiff cmp", says: { 1: "they differ" } }],
    match: { low: ["cat /etc/os-release", "tail -n 200 /var/log/nginx/error.log", "wc -l < /var/log/messages",
      "diff -u a.conf b.conf"], high: ["cat /root/.aws/credentials"],
      block: ["cat /etc/shadow", "head -1 /root/.ssh/id_rsa", "cat /etc/sha*"] } },
  { id: "read.scripted", names: "mlr lnav multitail", level: "low", operands: "read",
    options: { value: "-n -c -s -d -f -t -w -b -k -m -j -A -N -v -L -C -D -U -F -S -o" }, ladder: [{ names: "mlr", level: "high", if: "\\b(system|exec|os\\.\\w+)␠*\\(|[>|]␠*(\"|\\$|std(out|err)\\b)", why: "runs or writes what its text says" },
    { names: "mlr", level: "medium", if: " (tee|split|case|-I) ", why: "writes files" },
    { names: "lnav", level: "medium", if: " -\\w*[fiIrum]\\w* | -\\w*c\\w* [^;]| -\\w*c\\w* ;(?!␠*(?i:select)\\b)|\\S[@:]\\S*:?/", why: "runs a script of its own" },
    { names: "multitail", level: "medium", if: " -\\w*([lL]|ex|ec|Rc|cv)\\b", why: "runs a command" }],
    effects: [{ names: "mlr", does: "runs-text", after: "--prepipe --prepipex" }],
    match: { low: ["mlr --icsv --ojson head -n 4 x.csv", "lnav -n x.log"], medium: ["mlr --csv split -n 2 x.csv", "lnav -c ':pipe-to tee' x.log"],
      high: ["mlr -n put 'end { system(\"id\") }'"] } },
  { id: "read.two", names: "uniq xxd lwp-download", level: "low", operands: "read", when: { medium: "lwp-download" },
    options: { value: "-f -s -w -c -l -o -g -n" }, effects: [{ does: "writes", operand: 1 }],
    prints: [{ names: "uniq", as: "lines" }, { names: "xxd", as: "xxd" }],
    match: { low: ["uniq -c x.txt", "xxd x.bin"], medium: ["lwp-download lwp-download"], high: ["uniq x /etc/passwd"],
      block: ["xxd -r x.hex /dev/sda"] } },
  { id: "read.pidstat", names: "pidstat", level: "low", flags: { medium: "-e" }, effects: [{ does: "runs-argv", after: "-e" }], unbounded: [repeats],
    match: { low: ["pidstat -d 1 5"], medium: ["pidstat -e /bin/sh"] } },
  { id: "read.base64", names: "base64", level: "low", operands: "read",
    options: { value: "-w --wrap", "path-write": "-o --output" }, traits: [{ is: "plain" }], prints: [{ as: "base64" }],
    match: { low: ["base64 /etc/hostname"], block: ["base64 /etc/shadow"] } },
  { id: "read.search", names: "grep egrep fgrep zgrep zegrep bzgrep xzgrep ag ack ugrep pcregrep pcre2grep",
    level: "low", operands: "pattern-read", flags: { medium: "--pager" },
    options: { value: "-e -f -A -B -C -m -d -D --regexp --file --after-context --before-context --context " +
    "--max-count --include --exclude --exclude-dir --color --label --binary-files" }, ladder: [{ names: "ag ack ugrep", level: "medium", if: secretSearch, unless: showsNames, why: searches },
    { level: "medium", if: `^(?=.* (-[a-zA-Z]*[rR][a-zA-Z]*|--(dereference-)?recursive) ).*${secretSearch}`,
    unless: showsNames, why: searches }],
    traits: [{ names: "grep egrep fgrep zgrep ag ack", is: "names" }, { names: "grep", is: "text" },
    { names: "grep", is: "plain" }], walks: [{ names: "grep egrep zgrep",
    if: "^(-[a-zA-Z]*[rR][a-zA-Z]*|--(dereference-)?recursive)$" }, { names: "ag ack" }],
    prints: [{ names: "grep egrep fgrep", as: "selecting" }],
    exits: [{ names: "grep egrep fgrep zgrep", says: { 1: "no match" } }],
    match: { low: ["grep -i \"failed password\" /var/log/auth.log", "grep -n \"rm -rf /\" /opt/scripts/cleanup.sh",
      "zgrep -i timeout /var/log/syslog.2.gz"], medium: ["grep -ri password /srv"],
      block: ["grep root /etc/shadow"] } },
  { id: "read.rg", names: "rg", level: "low", operands: "pattern-read",
    options: { value: "-e -f -A -B -C -m -g -t -T -j -M -r -E --regexp --file --glob --type --max-count " +
    "--context --sort --iglob", argv: "--pre --hostname-bin" }, traits: [{ is: "names" }, { is: "text" }], walks: [{}],
    exits: [{ says: { 1: "no match" } }],
    match: { low: ["rg -n Cargo.toml"], medium: ["rg --pre=pwned pattern files"] } },
  { id: "read.metadata", names: "ls dir vdir stat du df tree readlink realpath basename dirname pwd lsattr getfacl " +
    "namei exa eza lsd test [ [[ getcap ncdu duf dust pathchk mountpoint findmnt lsblk " +
    "blkid filefrag whereis which type locate mlocate plocate", level: "low", operands: "stat",
    flags: { high: "--exec" }, options: { flag: "--prune --sync" }, ladder: [{ names: "ncdu tree", level: "medium", if: " -o (?!-)", why: "writes what it finds" }],
    traits: [{ names: "ls dir vdir stat test [ [[ getfacl du df lsattr namei readlink realpath basename " +
    "dirname which type whereis getcap tree mountpoint findmnt locate plocate", is: "names" }],
    walks: [{ names: "ls", if: "^(-[a-zA-Z]*R[a-zA-Z]*|--recursive)$" }, { names: "getcap", if: "^-r$" },
    { names: "du ncdu tree" }], prints: [{ names: "realpath readlink", as: "path" },
    { names: "locate plocate", as: "found" }, { names: "ls", as: "listing" }, { names: "lsblk", as: "lsblk" },
    { names: "blkid", as: "blkid" }, { names: "pwd", as: "pwd" }, { names: "which", as: "which" },
    { names: "basename", as: "basename" }, { names: "dirname", as: "dirname" }],
    exits: [{ names: "test [ [[", says: { 1: "false" } }, { names: "which", says: { 1: "not found" } },
    { names: "findmnt", says: { 1: "not mounted" } }, { names: "mountpoint",
    says: { 1: "not a mount point", 32: "not a mount point" } }],
    match: { low: ["ls -la /etc/nginx/conf.d/", "du -sh /var/*", "stat /etc/shadow", "test -f /etc/app.conf"],
      medium: ["tree -o all.txt /srv"], high: ["ls --exec"] } },
  { id: "read.getent", names: "getent", level: "low", when: { block: "shadow gshadow" }, reach: [{ kind: "lookup",
    operands: "hosts", options: { host: "-x -q", "path-read": "-f" } }], prints: [{ as: "getent" }],
    exits: [{ says: { 2: "no such entry" } }],
    match: { low: ["getent hosts api.internal"], block: ["getent shadow root"] } },
  { id: "read.file", names: "file", level: "low", flags: { medium: "-C --compile" },
    options: { value: "-F -e -P --separator --exclude --parameter", "path-read": "-f -m --files-from --magic-file" },
    traits: [{ is: "names" }],
    match: { low: ["file -L /usr/bin/true"], medium: ["file -C"], block: ["file -f /etc/shadow"] } },
  { id: "read.system", names: "logread klist stern kubetail kail sealert passenger-status passenger-memory-stats " +
    "systemd-resolve systemd-escape resolvectl-status lttng-list uptime free vmstat iostat " +
    "mpstat sar ps pstree pgrep pidof top htop atop btop glances iotop iftop nethogs " +
    "slabtop w who whoami id groups users last lastlog lastb logname tty uname arch nproc " +
    "lscpu lspci lsusb lsmem lshw lsmod modinfo lsns lslocks lsipc ipcs lslogins numastat " +
    "dmidecode sensors acpi getconf locale cal ncal printenv tload pmap pwdx peekfd dstat " +
    "nmon collectl hwinfo inxi nstat rtstat lnstat ifstat vnstat bmon smem turbostat " +
    "cpupower perf-report biosdecode lsinitramfs lsinitrd needs-restarting checkrestart " +
    "needrestart neofetch fastfetch screenfetch lsb_release runlevel systemd-detect-virt " +
    "virt-what faillock-list sestatus getenforce getsebool aa-status apparmor_status " +
    "auditstat aureport ausearch mcelog rasdaemon ras-mc-ctl numad-status", level: "low", flags: { medium: "--clear" },
    options: { value: "-n -o -p -u -d -C -U -G -t -s -b --update --enable --disable --kill" }, ladder: [{ names: "cpupower", level: "medium", if: " (frequency-|idle-)?set ", why: "changes how the processor runs" }, { names: "glances", level: "medium", if: " (-[sw]|--(web)?server) ", why: "listens for connections" },
    { names: "needrestart", level: "medium", unless: " (-\\w*[bplhkw]|-r l|-\\w*rl) ", why: "may restart services" }, { names: "nmon", level: "medium", if: " -[fF]", why: "writes what it measures" }, { names: "sar", level: "medium", if: " -o", why: "writes what it measures" }, { names: "screenfetch", level: "medium", if: " -s ", why: "runs a program for a picture" }],
    traits: [{ names: "ausearch", is: "names" }],
    reach: [{ names: "systemd-resolve", kind: "lookup", operands: "hosts" }, { names: "stern kubetail kail", kind: "service" }],
    unbounded: [{ names: "vmstat iostat mpstat sar", ...repeats },
    { names: "dstat ifstat", counted: 2, does: "it repeats for ever", ends: "--version --list", instead: "dstat 1 5" },
    { names: "free", endless: "-s --seconds", ends: "-c --count", does: "it repeats for ever", instead: "free -s 1 -c 5" }, { names: "nmon collectl", ends: "-V --version -c -p", does: "it never ends", instead: "collectl -c 5" },
    { names: "top htop iotop", ends: "-n --iter --iterations -V -v -h --help", does: "it never ends", instead: "top -b -n 1" }, { names: "atop iftop nethogs slabtop btop glances", ends: "-o --once -1 -c -s -V -r --stdout-once",
    does: "it never ends", instead: "top -b -n 1" }, { names: "stern kubetail", ...listens }],
    prints: [{ names: "pidof pgrep", as: "processes" }],
    exits: [{ names: "pgrep pidof", says: { 1: "no such process" } }],
    match: { low: ["uptime", "ps aux --sort=-%mem", "top -b -n 1", "lscpu", "id -u postgres", "pgrep -fl gunicorn"],
      medium: ["logread --clear"] } },
  { id: "read.text", names: "echo printf true false : yes seq sleep expr bc dc factor numfmt shuf tput " +
    "clear reset figlet cowsay", level: "low", ladder: [{ names: "cowsay", level: "medium", if: " -f ",
    why: "runs a file as code" }, { names: "dc", level: "high", if: "!", why: "runs a command" }, { names: "shuf", level: "medium", if: " (-o|--output)", why: "writes a file" }], traits: [{ names: "echo printf :", is: "names" },
    { names: "echo printf", is: "text" }, { names: "echo", is: "plain" }],
    unbounded: [{ names: "yes", does: "yes never ends", instead: "yes | head -n 5" }],
    prints: [{ names: "true : false sleep", as: "silent" }, { names: "shuf", as: "lines" },
    { names: "echo", as: "echo" }, { names: "printf", as: "printf" }],
    match: { low: ["echo 'rm -rf /'", "printf '%s\\n' hello", "sleep 5", "seq 1 10"],
      medium: ["cowsay -f x.pl hi"], high: ["dc -e '!reboot'"] } },
  { id: "read.sleep", names: "wait jobs times caller help dirs compgen complete bind ulimit umask return exit " +
    "logout break continue shift getopts let local declare typeset readonly export hash fg " +
    "bg disown suspend read mapfile readarray cd pushd popd info apropos whatis tldr", level: "low",
    traits: [{ names: "whatis apropos export read local declare cd", is: "names" }, { names: "read", is: "plain" }],
    prints: [{ names: "cd", as: "silent" }],
    match: { low: ["cd /var/log", "export LANG=C", "wait"] } },
  { id: "read.settings", names: "set shopt unset", level: "low",
    when: { high: "HISTFILE HISTSIZE history PROMPT_COMMAND" },
    traits: [{ names: "set", is: "names" }, { names: "set", is: "text" }],
    match: { low: ["set -euo pipefail", "shopt -s nullglob"], high: ["unset HISTFILE", "set +o history"] } },
  { id: "read.sort", names: "sort", level: "low", operands: "read",
    options: { value: "-k -t -S -T --key --field-separator --buffer-size --temporary-directory --parallel " +
    "--batch-size --files0-from", "path-write": "-o --output", argv: "--compress-program" }, traits: [{ is: "plain" }],
    prints: [{ as: "lines" }],
    match: { low: ["sort -rn -k2 x.txt"], medium: ["sort --compress-program=foo x"], high: ["sort -o /etc/hosts x"] } },
  { id: "read.tr", names: "tr", level: "low", options: { flag: "--delete" }, traits: [{ is: "plain" }], prints: [{ as: "tr" }],
    match: { low: ["tr -d '\\r'"] } },
  { id: "read.date", names: "date", level: "low", flags: { high: "-s --set" },
    ladder: [{ level: "low", if: " -[a-zA-Z]*j", why: "only converts a date" }, { level: "high", operands: true,
    if: "^ \\d", why: "sets the clock" }],
    options: { value: "-d -r --date --reference", "path-read": "-f --file" },
    match: { low: ["date -u", "date -d '2 hours ago' +%s"], high: ["date -s '2020-01-01'", "date 093023592021.59"] } },
  { id: "read.hostname", names: "hostname", flags: { medium: "-F -b --file --boot" }, sub: { medium: "*" },
    noSub: "low", options: { value: "-F --file" },
    match: { low: ["hostname -f"], medium: ["hostname web-9"] } },
  { id: "read.json", names: "jq yq xq tomlq gron fx dasel htmlq pup xmlstarlet", level: "low", operands: "pattern-read",
    flags: { medium: "-i --inplace --in-place" },
    options: { value: "--arg --argjson --indent --tab --slurpfile --rawfile -f --from-file -L" },
    ladder: [{ names: "fx", level: "medium", operands: true,
    if: "^ \\S+ [^.\\s]", why: "runs code" }, { names: "dasel", level: "medium", if: "^ (put|delete) .*-f|^ (put|delete) \\S+ .*-o ", why: "changes a file" }, { names: "yq", level: "medium", if: " (-s|--split-exp) ", why: "writes files" }],
    traits: [{ names: "jq", is: "text" }],
    match: { low: ["jq -r '.items[].name' x.json"], medium: ["yq -i '.a = 1' x.yml"] } },
  { id: "read.split", names: "split csplit", level: "medium", options: { argv: "--filter" },
    match: { medium: ["split -b 10M big.bin"] } },
  { id: "read.awk", names: "awk gawk mawk nawk original-awk",
    options: { value: "-F -v -f -e -i -l --field-separator --assign --file --source --include --load" }, check: "awk",
    traits: [{ names: "awk gawk mawk", is: "names" }, { names: "awk gawk mawk", is: "text" },
    { names: "awk", is: "plain" }], prints: [{ names: "awk gawk mawk", as: "selecting" }],
    match: { low: ["awk '{print $1}' x.log"], high: ["awk '{print > \"/etc/hosts\"}' x"],
      block: ["awk 'BEGIN{system(\"rm -rf /\")}'"] } },
  { id: "read.sed", names: "sed gsed ssed", options: { flag: "--in-place",
    value: "-e -f -l --expression --file --line-length" }, check: "sed", traits: [{ names: "sed", is: "names" },
    { names: "sed", is: "text" }, { names: "sed", is: "plain" }], prints: [{ names: "sed", as: "sed" }],
    probes: [{ names: "sed", if: " -i\\S* | --in-place", unless: " -(n|s|e|f|z)| --(expression|file|quiet|silent|separate|null-data)", without: "^(-i\\S*|--in-place(=.*)?)$", run: "$0 $@ | diff -u $2 -", shows: "the lines that would change",
      example: ["sed -i.bak 's/debug/info/' /etc/app/app.conf",
      "sed s/debug/info/ /etc/app/app.conf | diff -u /etc/app/app.conf -"] }],
    match: { low: ["sed -n '100,120p' /etc/nginx/nginx.conf", "sed 's/a/b/g;s,/x,/y,' f"],
      medium: ["sed -i 's/a/b/' /etc/nginx/nginx.conf"], high: ["sed 'e' /etc/hostname"] } },
  { id: "read.find", names: "find", check: "find", traits: [{ is: "names" }], walks: [{}],
    probes: [{ if: " -delete $", unless: " -(exec|ok|fprint|fls)", without: "^-delete$", run: "$0 $@ -ls", shows: "what would be deleted, with sizes",
      example: ["find /var/log/app -name '*.gz' -mtime +7 -delete",
      "find /var/log/app -name '*.gz' -mtime +7 -ls"] }],
    match: { low: ["find /var/log -name '*.log' -size +100M"], high: ["find /var/backups -mtime +30 -delete"],
      block: ["find / -delete"] } },
  { id: "read.fd", names: "fd fdfind", level: "low", flags: { high: "-x -X --exec --exec-batch" },
    effects: [{ does: "runs-argv", after: "-x -X --exec --exec-batch", appends: true }], walks: [{ names: "fd" }],
    match: { low: ["fd -e log"], high: ["fd -e tmp -x rm"], block: ["fd . / -x rm -rf"] } },
];
