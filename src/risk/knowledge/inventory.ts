/** Programs that show what a machine has and does: displays, sound, volumes, firmware, services, keys, packages. */
import type { Program, Row } from "../program.ts";
import { networkProbe } from "./facts.ts";

/** Of programs that change something, the options and sub-commands that only show. */
const shows = (names: string, list: string): Row => ({ names, words: list, level: "low", why: "only shows" });
/** The same by a pattern over the call. */
const showsIf = (names: string, pattern: string): Row => ({ names, if: pattern, level: "low", why: "only shows" });

/** The tools of bpftrace by their installed names, without those that show what others type or send. */
// biome-ignore format: filled to the width
export const scripted =
  "biolatency.bt biolatency-kp.bt biosnoop.bt biostacks.bt bitesize.bt capable.bt cpuwalk.bt dcsnoop.bt execsnoop.bt " +
  "gethostlatency.bt killsnoop.bt loads.bt mdflush.bt naptime.bt oomkill.bt opensnoop.bt pidpersec.bt runqlat.bt " +
  "runqlen.bt setuids.bt ssllatency.bt statsnoop.bt swapin.bt syncsnoop.bt syscount.bt tcpaccept.bt tcpconnect.bt " +
  "tcpdrop.bt tcplife.bt tcpretrans.bt tcpsynbl.bt threadsnoop.bt vfscount.bt vfsstat.bt writeback.bt xfsdist.bt";

// biome-ignore format: filled to the width
export const inventoryRules: readonly Program[] = [
  { id: "inventory.tracers", names: scripted, level: "low",
    match: { low: ["timeout 10 execsnoop.bt", "biolatency.bt"] } },
  { id: "inventory.windows", names: "xprop xwininfo xlsclients xlsfonts xdpyinfo", level: "low", oneDash: true,
    rows: [
      { names: "xprop xwininfo", unless: " -(root|id|name|version|help|grammar) ", level: "medium", why: "waits " +
        "for a click" },
    ],
    match: { low: ["xprop -root", "xwininfo -root -tree", "xlsclients -l", "xdpyinfo"], medium: ["xprop"] } },
  { id: "inventory.screens", names: "xrandr", level: "low",
    match: { low: ["xrandr", "xrandr --listmonitors", "xrandr -q"], medium: ["xrandr --output HDMI-1 --off"] } },
  { id: "inventory.fonts", names: "fc-list fc-match", level: "low",
    match: { low: ["fc-list : family", "fc-match monospace"] } },
  { id: "inventory.described", names: "fc-scan fc-query otfinfo edid-decode", level: "low",
    rows: [{ does: "read" }, { names: "edid-decode", does: { is: "writes", operand: 1 } }],
    match: { low: ["otfinfo -i x.otf", "edid-decode /sys/class/drm/card0/edid"], block: ["fc-scan /etc/shadow"] } },
  { id: "inventory.graphics",
    names: "clinfo vdpauinfo eglinfo es2_info drm_info gpustat rocminfo neuron-ls pinout gpiodetect gpioinfo " +
      "lsgpio lsiio " +
      "hl-smi",
    level: "low", match: { low: ["clinfo -l", "gpustat -cp", "rocminfo", "gpioinfo gpiochip0"] } },
  { id: "inventory.chips",
    names: "nvitop amd-smi npu-smi nvpmodel ddcutil v4l2-ctl vcgencmd rpi-eeprom-update raspi-config",
    level: "medium",
    rows: [
      shows("nvitop", "-1 --once -V --version"), shows("nvpmodel", "-q --query"),
      shows("amd-smi", "version list static firmware ucode bad-pages metric process topology xgmi monitor"),
      showsIf("npu-smi", "^ info( -[tic] [\\w-]+| -[lm])* $"),
      shows("ddcutil", "detect det capabilities cap getvcp get vcpinfo"),
      shows("v4l2-ctl", "--list-* --get-* --all -D --info -l -L -C -P"),
      shows("vcgencmd", "measure_temp measure_volts measure_clock get_throttled get_mem version get_config " +
        "get_camera " +
        "mem_oom read_ring_osc bootloader_version bootloader_config commands codec_enabled"),
      showsIf("rpi-eeprom-update", "^( -l)? *$"),
      showsIf("raspi-config", "^ nonint get_\\w+ $"),
    ],
    match: { low: ["nvitop -1", "amd-smi list", "npu-smi info", "v4l2-ctl --list-devices", "vcgencmd measure_temp",
      "raspi-config nonint get_hostname", "rpi-eeprom-update", "nvpmodel -q"],
      medium: ["nvitop", "amd-smi reset -G", "npu-smi set -t power", "vcgencmd otp_dump", "rpi-eeprom-update -a",
        "raspi-config"] } },
  { id: "inventory.sound", names: "aplay arecord amixer pactl wpctl pw-cli pw-dump", level: "medium",
    rows: [
      shows("aplay arecord", "-l --list-devices -L --list-pcms"),
      shows("amixer", "() scontrols scontents controls contents info sget get cget"),
      shows("pactl", "info list stat get-default-sink get-default-source get-sink-volume get-source-volume " +
        "get-sink-mute " +
        "get-source-mute"),
      shows("wpctl", "status get-volume inspect"), shows("pw-cli", "ls list-objects info i"),
      { names: "pw-dump", level: "low" },
    ],
    match: { low: ["aplay -l", "amixer sget Master", "pactl list short sinks", "wpctl status", "pw-cli ls Node"],
      medium: ["aplay x.wav", "amixer sset Master 5%", "pactl set-sink-mute 0 1", "pactl subscribe", "pw-cli"] } },
  { id: "inventory.radios", names: "iwgetid hciconfig hcitool btmgmt phc_ctl", level: "medium",
    rows: [
      { names: "iwgetid", level: "low" },
      showsIf("hciconfig", "^( -a)?( hci\\d+)?( -a)?( " +
        "(name|class|features|version|revision|commands|lm|lp|ptype))? *$"),
      shows("hcitool", "dev con"), shows("btmgmt", "info con version commands extinfo"),
      showsIf("phc_ctl", "^( -[qQ])* \\S+( (get|caps|cmp))+ $"),
    ],
    match: { low: ["iwgetid -r", "hciconfig -a", "hciconfig hci0", "hcitool dev", "btmgmt info", "phc_ctl eth0 get"],
      medium: ["hciconfig hci0 down", "hcitool scan", "btmgmt power off", "phc_ctl eth0 set"] } },
  // What they show of a volume is how it is laid out, never what a file holds.
  { id: "inventory.volumes",
    names: "ntfsinfo ntfscluster ntfsls thin_check thin_dump thin_ls cache_check cache_dump era_check era_dump " +
      "xfs_estimate xfs_logprint xfs_ncheck dump.exfat lscp lssu bcache-super-show volname dmraid vdostats zdb " +
      "sginfo " +
      "drbd-overview fcoeadm",
    level: "low",
    rows: [
      { words: "--clear-needs-check-flag --auto-repair --repair --output", level: "medium", why: "writes metadata" },
      { names: "dmraid", words: "-a --activate -E --erase_metadata -x --remove -f --format", level: "high",
        why: "changes the sets of disks" },
      { names: "zdb", words: "-R -x -B --read-block --dump-blocks", level: "medium", why: "shows what blocks hold" },
      { names: "fcoeadm", words: "-c -d -r -S", level: "high", why: "changes the ways to disks" },
      { does: "stat" },
    ],
    match: { low: ["ntfsinfo -m /dev/sdb1", "thin_check /dev/vg/tmeta", "lscp /dev/sdc1", "vdostats --human-readable",
      "zdb -C tank", "dmraid -r", "fcoeadm -i"],
      medium: ["thin_check --clear-needs-check-flag /dev/vg/tmeta", "zdb -R tank 0:0:1"],
      high: ["dmraid -ay", "fcoeadm -d eth0"] } },
  { id: "inventory.labels",
    names: "fatlabel dosfslabel exfatlabel ntfslabel e4defrag nilfs-tune vdo stratis duc fixfiles", level: "medium",
    rows: [
      showsIf("fatlabel dosfslabel exfatlabel ntfslabel", "^( -i| --volume-id)* /\\S+ $"),
      shows("e4defrag", "-c"), shows("nilfs-tune", "-l"), shows("vdo", "status list"),
      shows("stratis", "pool_list filesystem_list fs_list blockdev_list report daemon_version pool_explain"),
      shows("duc", "ls info"), shows("fixfiles", "check verify"),
      { does: "stat" },
    ],
    match: { low: ["fatlabel /dev/sdb1", "e4defrag -c /srv", "nilfs-tune -l /dev/sdc1", "vdo status",
      "stratis pool list", "duc info", "fixfiles check /srv"],
      medium: ["fatlabel /dev/sdb1 NEW", "e4defrag /srv", "nilfs-tune -L x /dev/sdc1", "vdo stop -a",
        "stratis pool destroy p", "duc index /srv", "fixfiles restore"] } },
  { id: "inventory.boot",
    names: "grub-probe grub2-probe efivar efibootdump kdump-config mstconfig mlxconfig mlxfwmanager", level: "medium",
    rows: [
      { names: "grub-probe grub2-probe efibootdump efivar mlxfwmanager", level: "low" },
      { names: "efivar", words: "-w --write -a --append -e --export -f --datafile", level: "high",
        why: "writes a variable of the firmware" },
      shows("kdump-config", "show status test"),
      showsIf("mstconfig mlxconfig", "^( (-d|--dev) \\S+| -e| --enable_verbosity)* (q|query)( [A-Z][\\w\\[\\].]*)* $"),
      { names: "mlxfwmanager", words: "-u --update -i -y -f --clear-semaphore", level: "high", why: "writes firmware" },
      { does: "stat" },
    ],
    match: { low: ["grub-probe -t fs_uuid /boot", "efivar -l", "kdump-config show", "mstconfig -d 04:00.0 q",
      "mlxfwmanager --query"],
      medium: ["kdump-config unload", "mlxconfig -d /dev/mst/x set SRIOV_EN=1"],
      high: ["efivar -w -n x", "mlxfwmanager -u"] } },
  { id: "inventory.menus",
    names: "grub-editenv grub2-editenv grub-script-check grub2-script-check grub-file grub2-file ddrescuelog",
      level: "low",
    rows: [
      { names: "grub-editenv grub2-editenv", unless: "^( -v| --verbose)*( (?!list )\\S+)? list $", level: "medium",
        why: "changes what boots" },
      { names: "ddrescuelog", level: "medium", why: "makes another map",
        unless: " (-t|--show-status|-D|--done-status|-l|--list-blocks)[ =]" },
      { does: "read" },
    ],
    match: { low: ["grub2-editenv list", "grub-script-check /boot/grub/grub.cfg", "ddrescuelog -t x.map"],
      medium: ["grub-editenv /boot/grub/grubenv unset x", "ddrescuelog -d x.map"],
      block: ["grub-script-check /etc/shadow"] } },
  { id: "inventory.services",
    names: "rc-depend s6-rc s6-rc-db dinitctl svok systemd-hwdb systemd-sysusers systemd-tmpfiles systemd-creds " +
      "update-java-alternatives vmware-toolbox-cmd cloud-id lssubsys sanlock dlm_tool tgtadm nfsdclnts nfsconf " +
      "rpcdebug " +
      "nfsidmap abrt-cli abrt",
    level: "medium",
    rows: [
      { names: "rc-depend svok cloud-id lssubsys nfsdclnts rpcdebug", level: "low" },
      { names: "rpcdebug", words: "-s -c", level: "medium", why: "changes what the kernel logs" },
      shows("s6-rc", "list listall diff"),
      shows("s6-rc-db", "list type timeout contents dependencies all-dependencies flags atomics check"),
      shows("dinitctl", "list ls status is-started is-failed"), shows("systemd-hwdb", "query"),
      shows("systemd-sysusers systemd-tmpfiles", "--cat-config"), shows("systemd-creds", "list has-tpm2"),
      shows("update-java-alternatives", "-l --list"),
      shows("vmware-toolbox-cmd", "stat_hosttime stat_sessionid stat_balloon stat_swap stat_memlimit stat_memres " +
        "stat_cpures " +
        "stat_cpulimit stat_speed device_list device_status disk_list timesync_status upgrade_status -v --version"),
      shows("sanlock", "client_status client_gets client_host_status client_log_dump status"),
      shows("dlm_tool", "ls status dump dump_config plocks lockdump"),
      showsIf("tgtadm", "^(?!.* (--op|-o)[ =](?!show ))(?=.* (--op|-o)[ =]show )"),
      shows("nfsconf", "-g --get -i --isset -e --entry"), shows("nfsidmap", "-l -d"),
      shows("abrt-cli abrt", "list ls status"),
    ],
    match: { low: ["rc-depend nginx", "s6-rc -a list", "dinitctl list", "systemd-tmpfiles --cat-config",
      "vmware-toolbox-cmd stat speed", "cloud-id", "sanlock client status", "dlm_tool ls",
      "tgtadm --lld iscsi --op show --mode target", "nfsconf --get nfsd threads", "rpcdebug -m nfs", "abrt-cli list"],
      medium: ["s6-rc -u change x", "dinitctl stop x", "systemd-tmpfiles --create", "systemd-creds cat x",
        "rpcdebug -m nfs -s all",
        "tgtadm --lld iscsi --op delete --mode target --tid 1", "nfsidmap -c", "sanlock shutdown"] } },
  { id: "inventory.keys",
    names: "keyctl trust p11-kit p11tool pkcs11-tool pkcs15-tool opensc-tool grpck pwck secon chcat sepolicy " +
      "aa-enabled sudoreplay lynis rkhunter",
    level: "medium",
    rows: [
      shows("keyctl", "show list rlist describe rdescribe supports"), shows("trust", "list"),
      shows("p11-kit", "list-modules list-tokens"),
      shows("p11tool", "--list-tokens --list-token-urls --list-mechanisms --list-all-certs --list-certs " +
        "--list-all-trusted"),
      shows("pkcs11-tool", "-L --list-slots -T --list-token-slots -M --list-mechanisms -I --show-info"),
      shows("pkcs15-tool", "-D --dump -c --list-certificates -k --list-keys --list-pins --list-public-keys " +
        "--list-applications --list-info -C --list-data-objects"),
      shows("opensc-tool", "-l --list-readers -a --atr -n --name -i --info -D --list-drivers --serial"),
      shows("grpck pwck", "-r --read-only"), shows("chcat", "-L"),
      shows("sepolicy", "booleans communicate interface network transition"),
      { names: "secon aa-enabled", level: "low" },
      { names: "lynis rkhunter", ends: { does: "it reads the whole file system" } },
      shows("sudoreplay", "-l --list"), shows("lynis", "show"), shows("rkhunter", "--list -V --version -C " +
        "--config-check"),
    ],
    match: { low: ["keyctl show @u", "trust list", "p11tool --list-tokens", "opensc-tool -l", "pwck -r", "secon",
      "sepolicy network -p 80", "sudoreplay -l", "lynis show version"],
      medium: ["keyctl print 42", "keyctl purge user", "trust anchor x.pem", "p11tool --export x", "grpck",
        "pkcs11-tool --delete-object -y cert", "lynis audit system", "rkhunter --check"] } },
  { id: "inventory.inputs", names: "audit2allow sigtool blkparse", level: "low",
    options: { "path-read": "-i --input --info" },
    rows: [
      { names: "sigtool", unless: " (--info|-i|--md5|--sha1|--sha256|-V|--version)[ =]", level: "medium",
        why: "builds or unpacks signatures" },
      { names: "audit2allow", words: "-M -o --output", level: "medium", why: "writes a module" },
      { names: "sigtool", does: "read" },
    ],
    match: { low: ["audit2allow -a", "audit2allow -w -i /var/log/audit/audit.log", "blkparse -i sda.blktrace.0"],
      medium: ["audit2allow -a -M x", "sigtool -u main.cvd"], block: ["audit2allow -i /etc/shadow"] } },
  { id: "inventory.files", names: "aa-notify aulast auvirt agrind angle-grinder mmdblookup", level: "low",
    options: { "path-read": "-f --file" },
    rows: [{ names: "aa-notify", words: "-p --poll", level: "medium", why: "waits, and shows messages" }],
    match: { low: ["aulast", "aa-notify -s 1 -v", "mmdblookup -f x.mmdb -i 192.0.2.1", "agrind -f x.log '* | count'"],
      medium: ["aa-notify -p"], block: ["aulast -f /etc/shadow"] } },
  { id: "inventory.flows", names: "nfdump twprint", level: "low", options: { "path-read": "-r -R --twrfile" },
    match: { low: ["nfdump -r x.nf -s srcip", "twprint -m r -r x.twr"], medium: ["nfdump -r x.nf -w y.nf"],
      block: ["nfdump -r /etc/shadow"] } },
  { id: "inventory.data",
    names: "aulastlog siggen oscap pmlogsummary pmdumplog babeltrace2 dnssec-verify cupstestppd pv",
    level: "low",
    rows: [
      { names: "oscap", unless: "^ (info|-V|--version|-h|--help) ", level: "medium", why: "runs checks, or writes " +
        "reports" },
      { names: "pv", words: "-P --pidfile -R --remote", level: "medium", why: "writes a file, or changes another pv" },
      { names: "pv", prints: "passing" },
      { does: "read" },
    ],
    match: { low: ["oscap info x.xml", "pv x.sql", "aulastlog"], medium: ["oscap xccdf eval x.xml", "pv -R 42 -L 1k"],
      block: ["pv /etc/shadow"] } },
  { id: "inventory.packages",
    names: "dpigs debfoster debtree dlocate pactree pacconf expac pkgfile xbps-query eopkg slackpkg nix-channel " +
      "pkg_info " +
      "popularity-contest members",
    level: "medium",
    rows: [
      { names: "dpigs debtree dlocate pactree pacconf expac xbps-query popularity-contest members pkgfile pkg_info",
        level: "low" },
      { names: "pkgfile", words: "-u --update", level: "medium", why: "fetches the lists of files" },
      shows("debfoster", "-s --show-orphans -a --show-keepers -d --show-depends -e --show-dependents -p " +
        "--show-providers -r " +
        "--show-related"),
      shows("eopkg", "info list-installed li list-available la list-components lc list-repo lr search sr " +
        "search-file sf " +
        "list-upgrades lu list-pending lp"),
      shows("slackpkg", "search file-search info"), shows("nix-channel", "--list"),
    ],
    match: { low: ["dpigs -n 20", "debfoster -s", "dlocate -S /usr/bin/ls", "pactree -r openssl", "expac -Q %n",
      "pkgfile ls",
      "xbps-query -l", "eopkg li", "slackpkg search vim", "nix-channel --list"],
      medium: ["debfoster", "pkgfile -u", "eopkg upgrade", "slackpkg upgrade-all", "nix-channel --update"] } },
  { id: "inventory.settings",
    names: "udisksctl boltctl brightnessctl playerctl gsettings dconf xdg-mime xdg-settings xinput setxkbmap xset " +
      "sbctl " +
      "ubuntu-drivers eselect setserial ioping",
    level: "medium",
    rows: [
      shows("udisksctl", "status info dump"), shows("boltctl", "() list info domains"),
      shows("brightnessctl", "get max info -l --list"), showsIf("brightnessctl", "^( -m| --machine-readable)* *$"),
      shows("playerctl", "status metadata -l --list-all"),
      shows("gsettings", "get list-schemas list-keys list-children range describe writable"),
      shows("dconf", "read list"), shows("xdg-mime", "query"), shows("xdg-settings", "get check --list"),
      shows("xinput", "list --list list-props --list-props"), shows("setxkbmap", "-query -print"),
      showsIf("xset", "^ -?q $"), shows("sbctl", "status verify list-files list-bundles list-enrolled-keys"),
      shows("ubuntu-drivers", "list devices"), showsIf("eselect", "^( --\\w+)* [\\w-]+ (list|show)( [\\w-]+)? $"),
      showsIf("setserial", "^( -[gabGv]+)+( /dev/\\S+)+ $"),
      { names: "ioping", if: " (-c|-count)[ =]?\\d+ ", unless: " -\\w*[WJ]", level: "low", why: "measures how a " +
        "disk reads" },
    ],
    match: { low: ["udisksctl status", "boltctl", "gsettings get org.gnome.desktop.session idle-delay", "xset q",
      "setxkbmap -query", "sbctl status", "eselect profile list", "setserial -g /dev/ttyS0", "ioping -c 5 /srv"],
      medium: ["udisksctl mount -b /dev/sdb1", "boltctl authorize x", "gsettings set a b c", "xset r off",
        "sbctl sign x", "eselect profile set 1", "setserial /dev/ttyS0 irq 5", "ioping -W -c 5 /srv", "ioping " +
        "/srv"] } },
  { id: "inventory.interfaces", names: "ifdata", level: "low", oneDash: true,
    match: { low: ["ifdata -pa eth0", "ifdata -si eth0"] } },
  { id: "inventory.cached", names: "vmtouch", level: "low",
    rows: [
      { if: " -\\w*[telLdP]", level: "medium", why: "loads, drops or holds what is in memory" },
      { does: "stat" }, { is: "walks" },
    ],
    match: { low: ["vmtouch -v /srv/x"], medium: ["vmtouch -e /srv/x", "vmtouch -dl /srv/x"] } },
  { id: "inventory.verified", names: "rpmkeys rauc gprof", level: "medium",
    rows: [shows("rpmkeys", "-K --checksig"), shows("rauc", "status info"), { names: "gprof", unless: " @",
      level: "low" },
      { does: "read" }],
    match: { low: ["rpmkeys -K x.rpm", "rauc status", "gprof -b ./x gmon.out"],
      medium: ["rpmkeys --import x", "rauc install x"], block: ["rpmkeys -K /etc/shadow"] } },
  { id: "inventory.queues",
    names: "qmail-qstat qmail-qread hoststat progress iptstate logwatch ntptime hwloc-info hwloc-calc",
    level: "low",
    rows: [
      { names: "iptstate", unless: " (-\\w*1|--single|-h|--help) ", level: "medium", why: "takes the terminal" },
      { names: "logwatch", level: "medium", why: "may send mail",
        unless: "^(?!.* --output[ =](?!stdout ))(?=.* --output[ =]stdout )|^ (--help|--version) " },
    ],
    match: { low: ["qmail-qstat", "progress -q", "iptstate -1", "logwatch --output stdout --range today", "ntptime",
      "hwloc-info"],
      medium: ["iptstate", "logwatch", "progress -M"] } },
];

/** They ask another host. */
// biome-ignore format: filled to the width
export const inventoryClients: readonly Program[] = [
  { id: "inventory.probes", names: "ndisc6 clockdiff nmblookup ssh-audit sntp opendmarc-check ntpdc", level: "low",
    rows: [
      { names: "ntpdc", level: "medium", why: "may change the clock's daemon",
        if: " -\\w*i | -c[ =]?(?![ =])(?!(peers|listpeers|dmpeers|sysinfo|sysstats|loopinfo|kerninfo|reslist|iostats|" +
          "memstats|timerstats|version)(␠| ))" },
      { names: "ntpdc", if: "^( [^- ]\\S*)* *$", level: "medium", why: "waits for questions" },
      { names: "sntp", words: "-s -S -t --settod --step", level: "medium", why: "sets the clock" },
      networkProbe,
    ],
    match: { low: ["clockdiff localhost", "ntpdc -p", "sntp localhost"],
      medium: ["ntpdc -c 'addserver x'", "sntp -S x"] } },
  { id: "inventory.found", names: "rdisc6 ippfind pmprobe", level: "low",
    rows: [{ names: "ippfind", if: " (-x|--exec|!|-N|--not) ", level: "medium", why: "runs a program" }],
    match: { low: ["rdisc6 eth0", "ippfind -T 5", "pmprobe kernel.all.load"], medium: ["ippfind --exec id ;"] } },
];
